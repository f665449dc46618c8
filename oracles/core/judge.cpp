#include "oracles/core/judge.hpp"

#include <algorithm>

namespace demeter {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// References to the tables of answers, truths, scales and conditions. All have the same schema.
template <class Bound>
struct Rows {
  Table const& answers;
  BasicTable<Bound> const& truths;
  BasicTable<long double> const& scales;
  Table const& conditions;
};
struct Row {
  std::size_t answer, truth, scale;  ///< index of the row in each table; `scale` is also the row of the condition
};

template <class Cell>
std::size_t index_at(BasicTable<Cell> const& table, std::size_t column, std::size_t row) {
  return IndexCell<Cell>::read(table.columns[column][row]);
}

template <class Bound>
void judge_node(Node const& node, Rows<Bound> const& rows, Row const& row, Budget const& budget, Format const& format,
                Judged& judged) {
  if (node.nullable) {
    bool const there = index_at(rows.answers, node.column, row.answer) != 0;
    if (there != (index_at(rows.truths, node.column, row.truth) != 0))
      return detail::worsen(judged, Verdict::fail, infinity, infinity, infinity);
    // A correct null passes. If both have a value, only the value is judged.
    if (!there) return detail::worsen(judged, Verdict::pass, 0, 0, 0);
  }
  switch (node.kind) {
    case Node::Kind::number:
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column) {
        long double const scale = rows.scales.columns[column][row.scale];
        double const answer = rows.answers.columns[column][row.answer];
        // With an infinite scale every number would pass, and the pass would mean nothing. Therefore only NaN is judged
        // then.
        if (budget.measure == Measure::scale && std::isinf(scale) && !std::isnan(answer)) continue;
        double const condition = rows.conditions.columns.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                                 : rows.conditions.columns[column][row.scale];
        detail::judge_number(answer, rows.truths.columns[column][row.truth], scale, condition, budget, format, judged);
      }
      break;
    case Node::Kind::enumeration: {
      bool const same =
          index_at(rows.answers, node.column, row.answer) == index_at(rows.truths, node.column, row.truth);
      double const error = same ? 0 : infinity;
      detail::worsen(judged, same ? Verdict::pass : Verdict::fail, error, error, error);
      break;
    }
    case Node::Kind::record:
      for (auto const& child : node.children) judge_node(child, rows, row, budget, format, judged);
      break;
    case Node::Kind::list: {
      Row at{index_at(rows.answers, node.column, row.answer), index_at(rows.truths, node.column, row.truth),
             index_at(rows.scales, node.column, row.scale)};
      std::size_t const count = index_at(rows.answers, node.column, row.answer + 1) - at.answer;
      if (count != index_at(rows.truths, node.column, row.truth + 1) - at.truth)
        return detail::worsen(judged, Verdict::fail, infinity, infinity, infinity);
      detail::worsen(judged, Verdict::pass, 0, 0, 0);  // for a correct empty list
      for (std::size_t i = 0; i < count; ++i, ++at.answer, ++at.truth, ++at.scale)
        judge_node(node.children.front(), rows, at, budget, format, judged);
      break;
    }
  }
}

/// Returns whether the subject computed an output. Checks only the first cell of the output, at any level of nesting.
bool computed(Node const& node, Table const& answers, std::size_t row) {
  if (node.nullable && index_at(answers, node.column, row) == 0) return true;
  switch (node.kind) {
    case Node::Kind::number:
    case Node::Kind::enumeration:
      return !is_not_computed(answers.columns[node.values()][row]);
    case Node::Kind::record:
      return computed(node.children.front(), answers, row);
    case Node::Kind::list: {
      std::size_t const begin = index_at(answers, node.column, row), end = index_at(answers, node.column, row + 1);
      return begin == end || computed(node.children.front(), answers, begin);
    }
  }
  return false;
}

/// Returns the scale for the excess of an output. For a number it is the number's scale. For a vector or a list it is
/// the largest scale of its numbers (0 for an empty list). For a label, which has no scale, it is the scale of the
/// first output.
long double excess_scale(Schema const& output, Node const& node, BasicTable<long double> const& scales,
                         std::size_t row) {
  Node const& measured = node.kind == Node::Kind::enumeration ? output.root.children.front() : node;
  if (node.kind == Node::Kind::list) {
    long double largest = 0;
    for (std::size_t i = index_at(scales, node.column, row); i < index_at(scales, node.column, row + 1); ++i)
      for (std::size_t column = node.column + 1; column < node.column + node.columns; ++column)
        if (long double const each = scales.columns[column][i]; !(each <= largest)) largest = each;
    return largest;
  }
  long double largest = scales.columns[measured.values()][row];
  if (node.kind == Node::Kind::enumeration) return largest;
  for (std::size_t column = measured.values() + 1; column < measured.column + measured.columns; ++column)
    largest = std::max(largest, scales.columns[column][row]);
  return largest;
}

struct Asked {
  Table const& answers;
  std::size_t row;
};
/// Returns the answer to pass to the excess function. If the judged output is a label, the other labels with an
/// optimality budget are marked as not computed in `copy`. An error of another label then does not count as an error of
/// this label.
Asked asked_of(Judgement const& judgement, Node const& node, Table const& answers, std::size_t row, Table& copy) {
  if (node.kind != Node::Kind::enumeration) return {answers, row};
  for (std::size_t k = 0; k < judgement.budgets.size(); ++k) {
    Node const& other = judgement.output.root.children[judgement.nodes[k]];
    bool const label = other.kind == Node::Kind::enumeration && other.column != node.column;
    if (!label || judgement.budgets[k].measure != Measure::optimality) continue;
    if (copy.rows == 0) {
      clear(copy, judgement.output);
      append_row(judgement.output, copy, answers, row);
    }
    copy.columns[other.values()].back() = not_computed();
  }
  return copy.rows == 0 ? Asked{answers, row} : Asked{copy, 0};
}

/// Judges all budgets of one answer. `excess(node)` is called only for budgets measured by optimality.
template <class Bound, class Excess>
void judge_rows(Judgement const& judgement, Rows<Bound> const& rows, Row const& row, Excess const& excess,
                Tolerance const& tolerance, std::span<Judged> judged) {
  for (std::size_t k = 0; k < judgement.budgets.size(); ++k) {
    judged[k] = {};
    Node const& node = judgement.output.root.children[judgement.nodes[k]];
    if (!computed(node, rows.answers, row.answer)) continue;
    Budget budget = judgement.budgets[k];
    budget.units = tolerance.units_of(judgement.budgets, k);
    if (budget.measure == Measure::optimality) {
      long double const scale = excess_scale(judgement.output, node, rows.scales, row.scale);
      if (std::isnan(scale)) continue;  // NaN: the oracle does not judge this output
      detail::judge_excess(excess(node), scale, budget, tolerance.format, judged[k]);
    } else {
      judge_node(node, rows, row, budget, tolerance.format, judged[k]);
    }
  }
}

bool undecided(Judged const& judged) { return judged.computed && judged.verdict == Verdict::undecided; }

/// Decides the outputs that `judge_rows` left undecided, with intervals of increasing precision.
void refine(Judgement const& judgement, Table const& cases, Truths const& truths, std::size_t row, Table const& answers,
            std::size_t answer_row, Tolerance const& tolerance, std::span<Judged> judged) {
  constexpr mpfr_prec_t cap = 1 << 15;
  Oracle const& oracle = judgement.oracle;
  std::vector<Judged> again(judged.size());
  for (mpfr_prec_t bits = 256; bits <= cap && std::any_of(judged.begin(), judged.end(), undecided); bits *= 2) {
    auto const [found, is_new] = truths.refined.try_emplace({row, bits});
    BasicTable<Interval>& refined = found->second;
    if (is_new) {
      refined = empty_table<Interval>(judgement.output);
      oracle.refined_truth(cases, row, bits, refined);
    }
    auto const excess = [&](Node const& node) {
      Table copy;
      Asked const asked = asked_of(judgement, node, answers, answer_row, copy);
      return oracle.refined_excess(cases, row, refined, 0, asked.answers, asked.row);
    };
    judge_rows(judgement, Rows<Interval>{answers, refined, truths.scales, truths.conditions}, {answer_row, 0, row},
               excess, tolerance, again);
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (!undecided(judged[k])) continue;
      judged[k].refined = true;
      judged[k].verdict = again[k].verdict;
    }
  }
}

}  // namespace

std::vector<std::size_t> budgeted_nodes(Schema const& output, std::span<Budget const> budgets) {
  std::vector<std::size_t> nodes;
  for (Budget const& budget : budgets) {
    auto const at = std::find_if(output.root.children.begin(), output.root.children.end(),
                                 [&](Node const& child) { return child.name == budget.output; });
    nodes.push_back(static_cast<std::size_t>(at - output.root.children.begin()));
  }
  return nodes;
}

Truths truths_of(Oracle const& oracle, Schema const& output, Table const& cases, std::atomic<bool> const* stop) {
  Truths truths{empty_table<Enclosure>(output), empty_table<long double>(output)};
  for (auto& column : truths.outputs.columns) column.reserve(cases.rows + 1);
  for (auto& column : truths.scales.columns) column.reserve(cases.rows + 1);
  if (oracle.condition != nullptr) truths.conditions.clear(output);
  for (std::size_t row = 0; row < cases.rows && !(stop != nullptr && stop->load()); ++row) {
    oracle.truth(cases, row, truths.outputs);
    oracle.scale(cases, row, truths.outputs, row, truths.scales);
    if (oracle.condition != nullptr) oracle.condition(cases, row, truths.conditions);
  }
  return truths;
}

void judge(Judgement const& judgement, Table const& cases, Truths const& truths, std::size_t row, Table const& answers,
           std::size_t answer_row, Tolerance const& tolerance, std::span<Judged> judged) {
  Oracle const& oracle = judgement.oracle;
  auto const excess = [&](Node const& node) {
    Table copy;
    Asked const asked = asked_of(judgement, node, answers, answer_row, copy);
    return oracle.excess(cases, row, truths.outputs, row, asked.answers, asked.row);
  };
  judge_rows(judgement, Rows<Enclosure>{answers, truths.outputs, truths.scales, truths.conditions},
             {answer_row, row, row}, excess, tolerance, judged);
  if (oracle.refined_truth != nullptr && std::any_of(judged.begin(), judged.end(), undecided))
    refine(judgement, cases, truths, row, answers, answer_row, tolerance, judged);
}

}  // namespace demeter
