#include "check/model.hpp"

#include "check/neighbours.hpp"
#include "reference/core/exact.hpp"
#include "reference/core/multiprecision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter {
namespace {

constexpr long double boundless = std::numeric_limits<long double>::infinity();
constexpr unsigned first_digits = 50, most_digits = 1600;
/// Number of digits of an evaluation at a neighbour. The evaluation is not repeated with more digits, because 100
/// digits are enough for formulas that lose 35 digits.
constexpr unsigned digits_nearby = 100;
/// Returns the number of neighbours that show how much a formula amplifies rounding. A formula that iterates takes up
/// to a second per neighbour.
std::size_t neighbour_count(Kernel const& kernel) { return kernel.case_divisor < 50 ? 96 : 32; }

template <class To, class From, class Number>
BasicTable<To> row_as(Schema const& schema, BasicTable<From> const& from, std::size_t row, Number const& number) {
  auto to = empty_table<To>(schema);
  append_row_as(schema, to, from, row, number);
  return to;
}

BasicTable<Multiprecision> at_digits(Kernel const& kernel, std::size_t formula, unsigned digits, Table const& cases,
                                     std::size_t row) {
  Precision const guard(digits);
  auto answers = empty_table<Multiprecision>(kernel.output);
  kernel.evaluate.in_multiprecision(formula, exact_row(kernel.input, cases, row), 0, answers);
  return answers;
}

bool is_index(ColumnInfo const& column) { return column.kind != ColumnInfo::Kind::number; }

/// Returns the labels, list offsets and presence flags of a table of one row.
template <class Cell>
std::vector<std::size_t> labels_of(Schema const& schema, BasicTable<Cell> const& table) {
  std::vector<std::size_t> labels;
  for (std::size_t column = 0; column < schema.columns.size(); ++column)
    if (is_index(schema.columns[column]))
      for (Cell const& cell : table.columns[column]) labels.push_back(IndexCell<Cell>::read(cell));
  return labels;
}

/// Returns an enclosure of `after`, which was computed with more digits than `before`. The radius is the distance of
/// the two values plus 2^-120 |after|.
Enclosure enclosed(Multiprecision const& before, Multiprecision const& after) {
  if (!isfinite(before) || !isfinite(after)) return {0, 0, boundless};
  auto const high = static_cast<long double>(after);
  auto const low = static_cast<long double>(after - Multiprecision(high));
  auto const apart = static_cast<long double>(abs(after - before));
  return {high, low, apart + std::fabs(high) * 0x1p-120L};
}

/// Returns true if the radius of a truth is at most 2^-93 of the measure of its output. This is 2^-40 u, far below
/// every budget.
bool settled(Enclosure const& truth, long double scale, Measure measure) {
  if (std::isinf(truth.radius)) return false;
  if (measure == Measure::scale && std::isnan(scale)) return true;  // the number is not judged
  long double const base = measure == Measure::relative ? std::fabs(truth.high) : scale;
  return truth.radius <= base * 0x1p-93L || truth.radius <= std::fabs(truth.high) * 0x1p-93L ||
         truth.radius < 0x1p-1115L;
}

/// Returns for each column the measure of its output's budget.
std::vector<Measure> measures(Kernel const& kernel) {
  std::vector<Measure> result(kernel.output.columns.size(), Measure::relative);
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    Node const& node = kernel.output.root.children[kernel.budgeted[k]];
    for (std::size_t i = node.column; i < node.column + node.columns; ++i) result[i] = kernel.budgets[k].measure;
  }
  return result;
}

void append_truth(Kernel const& kernel, std::size_t formula, std::vector<Measure> const& measures, Table const& cases,
                  std::size_t row, Truths& truths) {
  std::vector<bool> const left_out = kernel.left_out(formula);
  auto before = at_digits(kernel, formula, first_digits, cases, row);
  for (unsigned digits = 2 * first_digits;; digits *= 2) {
    auto after = at_digits(kernel, formula, digits, cases, row);
    bool const alike = labels_of(kernel.output, before) == labels_of(kernel.output, after);
    Precision const guard(digits);
    auto const enclosure = row_as<Enclosure>(kernel.output, after, 0, [&](std::size_t column, std::size_t at) {
      return alike && !left_out[column] ? enclosed(before.columns[column][at], after.columns[column][at])
                                        : Enclosure{0, 0, boundless};
    });
    auto scales = empty_table<long double>(kernel.output);
    if (auto const code = kernel.formulas.code(formula)) {
      kernel.oracle.scale_of_combination(*code, cases, row, scales);
    } else {
      kernel.oracle.scale(cases, row, enclosure, 0, scales);
    }
    // A number that consists of rounding errors only does not settle in any precision. An example is the direction of a
    // zero vector (0/0).
    bool all = alike;
    auto const known = row_as<Enclosure>(kernel.output, enclosure, 0, [&](std::size_t column, std::size_t at) {
      Enclosure const& truth = enclosure.columns[column][at];
      bool const is_settled = settled(truth, scales.columns[column][at], measures[column]);
      bool const nothing = isnan(before.columns[column][at]) && isnan(after.columns[column][at]);
      all = all && (is_settled || nothing || left_out[column]);
      return is_settled ? truth : Enclosure{0, 0, boundless};
    });
    if (all || digits >= most_digits) {
      append_row_as(kernel.output, truths.scales, scales, 0,
                    [&](std::size_t column, std::size_t at) { return scales.columns[column][at]; });
      append_row_as(kernel.output, truths.outputs, known, 0,
                    [&](std::size_t column, std::size_t at) { return known.columns[column][at]; });
      return;
    }
    before = std::move(after);
  }
}

/// The range of a formula's answers at inputs near a case: an interval for each number of the output. The answers of a
/// hull have equal labels.
struct Hull {
  std::vector<std::size_t> labels;
  BasicTable<long double> low, high;
};

/// Extends the hull that has the labels of `value`, or adds a new hull. Ignores NaN.
void include(std::vector<Hull>& hulls, Schema const& output, BasicTable<long double> const& value) {
  auto const labels = labels_of(output, value);
  auto const same = std::find_if(hulls.begin(), hulls.end(), [&](Hull const& each) { return each.labels == labels; });
  if (same == hulls.end()) {
    hulls.push_back({labels, value, value});
    return;
  }
  for (std::size_t column = 0; column < value.columns.size(); ++column)
    for (std::size_t at = 0; at < value.columns[column].size(); ++at) {
      auto &low = same->low.columns[column][at], &high = same->high.columns[column][at];
      low = std::fmin(low, value.columns[column][at]);
      high = std::fmax(high, value.columns[column][at]);
    }
}

/// Extends each interval by its width on both sides, because the sampled neighbours may miss extreme values.
void widen(Hull& hull, Schema const& output) {
  for (std::size_t column = 0; column < output.columns.size(); ++column)
    for (std::size_t at = 0; !is_index(output.columns[column]) && at < hull.low.columns[column].size(); ++at) {
      auto &low = hull.low.columns[column][at], &high = hull.high.columns[column][at];
      long double const width = high - low;
      low -= width;
      high += width;
    }
}

/// Returns true if a cell of an output or of one of its nested outputs was computed and is not a finite number.
template <class Cell>
bool has_no_number(Node const& node, BasicTable<Cell> const& table) {
  for (std::size_t column = node.values(); column < node.column + node.columns; ++column)
    for (Cell const& cell : table.columns[column])
      if (!std::isfinite(cell) && !is_not_computed(static_cast<double>(cell))) return true;
  return false;
}

Table nearby_in_double(Kernel const& kernel, std::size_t formula, Table const& cases, std::size_t row) {
  Table answers(kernel.output);
  kernel.evaluate.in_double(formula, cases, row, answers);
  return answers;
}
BasicTable<long double> nearby_in_long_double(Kernel const& kernel, std::size_t formula, Table const& cases,
                                              std::size_t row) {
  auto const in = row_as<long double>(kernel.input, cases, row, [&](std::size_t column, std::size_t at) -> long double {
    return cases.columns[column][at];
  });
  auto answers = empty_table<long double>(kernel.output);
  kernel.evaluate.in_long_double(formula, in, 0, answers);
  return answers;
}
BasicTable<long double> nearby(Kernel const& kernel, std::size_t formula, Table const& cases, std::size_t row) {
  auto const answers = at_digits(kernel, formula, digits_nearby, cases, row);
  return row_as<long double>(kernel.output, answers, 0, [&](std::size_t column, std::size_t at) {
    return static_cast<long double>(answers.columns[column][at]);
  });
}

/// Compares a failed answer with the values of its formula at neighbours of the case.
class SecondLook {
 public:
  SecondLook(Kernel const& kernel, std::size_t formula, Table const& cases, Truths const& truths, std::size_t row,
             Table const& answers, std::size_t answer_row, Tolerance const& tolerance)
      : kernel_(kernel),
        formula_(formula),
        nearby_(neighbours(kernel, cases, row, neighbour_count(kernel), tolerance.format.roundoff)),
        exact_case_(kernel.input),
        answer_(kernel.output),
        tolerance_(tolerance) {
    append_row(kernel.input, exact_case_, cases, row);
    append_row(kernel.output, answer_, answers, answer_row);
    scales_ = row_as<long double>(kernel.output, truths.scales, row, [&](std::size_t column, std::size_t at) {
      return truths.scales.columns[column][at];
    });
    exact_ = row_as<long double>(kernel.output, truths.outputs, row, [&](std::size_t column, std::size_t at) {
      Enclosure const& truth = truths.outputs.columns[column][at];
      return std::isinf(truth.radius) ? std::numeric_limits<long double>::quiet_NaN() : truth.high;
    });
  }

  void operator()(std::span<Judged> judged) const {
    // An evaluation in long double takes a hundredth of the time of an evaluation in multiprecision. The values in long
    // double show whether the multiprecision values can change a verdict. They also show at which neighbours of the
    // case.
    std::vector<BasicTable<long double>> rough;
    for (std::size_t row = 0; row < nearby_.rows; ++row)
      rough.push_back(nearby_in_long_double(kernel_, formula_, nearby_, row));
    accept_no_number(rough, judged);
    auto wide = hulls_of(rough);
    for (Hull& hull : wide) widen(hull, kernel_.output);
    std::vector<Judged> possible(judged.begin(), judged.end());
    auto found = hulls_of({});
    std::vector<std::size_t> tried;
    auto const look = [&](std::size_t row) {
      auto value = nearby(kernel_, formula_, nearby_, row);
      include(found, kernel_.output, value);
      tried.push_back(row);
      return value;
    };
    if (accept(wide, possible))
      for (std::size_t const row : outermost(rough)) look(row);
    else
      look_for_hidden_jumps(wide, look);
    accept(found, judged);
    auto widened = found;
    for (Hull& hull : widened) widen(hull, kernel_.output);
    accept(widened, possible);
    if (!still_to_accept(judged, possible)) return;
    for (std::size_t row = 0; row < nearby_.rows; ++row)
      if (std::find(tried.begin(), tried.end(), row) == tried.end()) look(row);
    accept(found, judged);
  }

 private:
  std::vector<Hull> hulls_of(std::vector<BasicTable<long double>> const& values) const {
    std::vector<Hull> found{{labels_of(kernel_.output, exact_), exact_, exact_}};
    for (auto const& value : values) include(found, kernel_.output, value);
    return found;
  }

  static bool fails(Judged const& judged) { return judged.computed && judged.verdict == Verdict::fail; }
  static bool still_to_accept(std::span<Judged const> judged, std::span<Judged const> possible) {
    for (std::size_t k = 0; k < judged.size(); ++k)
      if (fails(judged[k]) && !fails(possible[k])) return true;
    return false;
  }

  /// Calls `look` for some of the last neighbours, in which every number has moved. Long double may not show a jump.
  /// Example: an axis is short compared with its distance from the origin. The rounding of its ends then hides a
  /// rotation by a few ulps. If long double shows the values at the first two neighbours, the other six are not
  /// evaluated: an evaluation of an iterating formula takes up to a second.
  void look_for_hidden_jumps(std::vector<Hull> const& wide, auto const& look) const {
    std::size_t const rows = std::min<std::size_t>(nearby_.rows, 8);
    for (std::size_t i = 0, shown = 0; i < rows && !(i == 2 && shown == 2); ++i) {
      auto const value = look(nearby_.rows - rows + i);
      shown += std::any_of(wide.begin(), wide.end(), [&](Hull const& hull) { return contains(hull, value); }) ? 1 : 0;
    }
  }

  /// Returns true if all numbers of `value` are in the intervals of the hull, apart from rounding in long double.
  bool contains(Hull const& hull, BasicTable<long double> const& value) const {
    if (labels_of(kernel_.output, value) != hull.labels) return false;
    for (std::size_t column = 0; column < value.columns.size(); ++column)
      for (std::size_t at = 0; at < value.columns[column].size(); ++at) {
        long double const x = value.columns[column][at], rounding = std::fabs(x) * 0x1p-60L;
        if (x < hull.low.columns[column][at] - rounding || x > hull.high.columns[column][at] + rounding) return false;
      }
    return true;
  }

  /// Returns the neighbours at which a number of the output is smallest or largest, for each number and each set of
  /// labels.
  std::vector<std::size_t> outermost(std::vector<BasicTable<long double>> const& values) const {
    std::vector<std::vector<std::size_t>> kinds;
    std::vector<std::size_t> kind_of;
    for (auto const& value : values) {
      auto const labels = labels_of(kernel_.output, value);
      auto const at = std::find(kinds.begin(), kinds.end(), labels);
      kind_of.push_back(static_cast<std::size_t>(at - kinds.begin()));
      if (at == kinds.end()) kinds.push_back(labels);
    }
    std::vector<std::size_t> chosen;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      std::vector<std::size_t> alike;
      for (std::size_t row = 0; row < values.size(); ++row)
        if (kind_of[row] == kind) alike.push_back(row);
      for (std::size_t column = 0; column < kernel_.output.columns.size(); ++column)
        for (std::size_t at = 0; at < values[alike[0]].columns[column].size(); ++at) {
          auto const less = [&](std::size_t a, std::size_t b) {
            return values[a].columns[column][at] < values[b].columns[column][at];
          };
          auto const [least, largest] = std::minmax_element(alike.begin(), alike.end(), less);
          chosen.push_back(*least);
          chosen.push_back(*largest);
        }
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }

  /// Accepts an answer without a number if the formula has no number either. This means that the formula divides 0 by 0
  /// in double or long double, at the case or at a neighbour.
  void accept_no_number(std::vector<BasicTable<long double>> const& rough, std::span<Judged> judged) const {
    for (std::size_t k = 0; k < judged.size(); ++k) {
      Node const& node = kernel_.output.root.children[kernel_.budgeted[k]];
      if (!fails(judged[k]) || node.kind != Node::Kind::number || !has_no_number(node, answer_)) continue;
      bool anywhere = has_no_number(node, in_double(exact_case_, 0));
      for (std::size_t row = 0; row < nearby_.rows && !anywhere; ++row)
        anywhere = has_no_number(node, rough[row]) || has_no_number(node, in_double(nearby_, row));
      if (!anywhere) continue;
      judged[k] = {};
      judged[k].computed = true;
    }
  }
  Table in_double(Table const& cases, std::size_t row) const { return nearby_in_double(kernel_, formula_, cases, row); }

  /// Accepts failed outputs that pass when they are judged by one of the hulls. Returns true if at least one output was
  /// accepted.
  bool accept(std::vector<Hull> const& hulls, std::span<Judged> judged) const {
    bool any = false;
    for (Hull const& hull : hulls) {
      std::vector<Judged> const within = judged_by(hull);
      for (std::size_t k = 0; k < judged.size(); ++k) {
        if (!judged[k].computed || judged[k].verdict != Verdict::fail) continue;
        if (!within[k].computed || within[k].verdict != Verdict::pass) continue;
        judged[k] = within[k];
        any = true;
      }
    }
    return any;
  }

  /// Judges the answer against the values in a hull that are nearest to the answer.
  std::vector<Judged> judged_by(Hull const& hull) const {
    bool as_long = true;
    for (std::size_t column = 0; column < answer_.columns.size(); ++column)
      as_long = as_long && answer_.columns[column].size() == hull.low.columns[column].size();
    Truths nearest{row_as<Enclosure>(kernel_.output, hull.low, 0,
                                     [&](std::size_t column, std::size_t at) {
                                       auto const low = hull.low.columns[column][at];
                                       if (!as_long || std::isnan(low)) return Enclosure{low, 0, 0};
                                       long double const x = answer_.columns[column][at];
                                       return Enclosure{std::clamp(x, low, hull.high.columns[column][at]), 0, 0};
                                     }),
                   scales_,
                   {}};
    std::vector<Judged> judged(kernel_.budgets.size());
    for (std::size_t k = 0; k < judged.size(); ++k) {
      Node const& node = kernel_.output.root.children[kernel_.budgeted[k]];
      if (kernel_.budgets[k].measure != Measure::optimality) {
        Oracle const none;
        demeter::judge({kernel_.output, {&kernel_.budgets[k], 1}, {&kernel_.budgeted[k], 1}, none}, answer_, nearest, 0,
                       answer_, 0, of_budget(k), {&judged[k], 1});
      } else if (node.kind == Node::Kind::enumeration) {
        bool const same = answer_.columns[node.column][0] == static_cast<double>(hull.low.columns[node.column][0]);
        judged[k].computed = true;
        judged[k].verdict = same ? Verdict::pass : Verdict::fail;
      }
    }
    return judged;
  }

  Tolerance of_budget(std::size_t k) const {
    return {{tolerance_.units_of(kernel_.budgets, k)}, tolerance_.format, tolerance_.to_the_bit};
  }

  Kernel const& kernel_;
  std::size_t formula_;
  Table nearby_, exact_case_, answer_;
  BasicTable<long double> exact_, scales_;
  Tolerance const& tolerance_;
};

/// Replaces the errors of outputs that are measured by optimality. The new error is the distance of the answer from the
/// optimum minus the distance of the formula's own answer from the optimum. A label that equals the formula's label has
/// no error.
void judge_by_own_optimum(Kernel const& kernel, Oracle const& oracle, Table const& cases, Truths const& truths,
                          std::size_t row, Table const& formula, Table const& answers, std::size_t answer_row,
                          Tolerance const& tolerance, std::span<Judged> judged) {
  std::vector<Judged> own;
  for (std::size_t k = 0; k < judged.size(); ++k) {
    if (kernel.budgets[k].measure != Measure::optimality || !judged[k].computed || judged[k].error == 0) continue;
    Node const& node = kernel.output.root.children[kernel.budgeted[k]];
    if (node.kind == Node::Kind::enumeration &&
        formula.columns[node.column][0] == answers.columns[node.column][answer_row]) {
      judged[k] = {};
      judged[k].computed = true;
      continue;
    }
    if (own.empty()) {
      own.resize(judged.size());
      demeter::judge({kernel.output, kernel.budgets, kernel.budgeted, oracle}, cases, truths, row, formula, 0,
                     tolerance, own);
    }
    if (!own[k].computed) {  // the formula gives no number
      judged[k] = {};
    } else if (std::isfinite(own[k].error)) {
      judged[k].error = std::max(0.0, judged[k].error - own[k].error);
      bool const within = judged[k].error <= tolerance.units_of(kernel.budgets, k);
      judged[k].verdict = within ? Verdict::pass : Verdict::fail;
    }
  }
}

}  // namespace

std::optional<std::size_t> find_formula(Kernel const& kernel, std::string_view name) {
  return kernel.formulas.find(name).index;
}

Truths Model::truths(Table const& cases, std::atomic<bool> const* stop) const {
  if (recommended()) return truths_of(kernel_->oracle, kernel_->output, cases, stop);
  Truths truths{empty_table<Enclosure>(kernel_->output), empty_table<long double>(kernel_->output)};
  auto const of_columns = measures(*kernel_);
  for (std::size_t row = 0; row < cases.rows && !(stop != nullptr && stop->load()); ++row)
    append_truth(*kernel_, formula_, of_columns, cases, row, truths);
  return truths;
}

Answers Model::answers(Truths const& truths) const {
  Answers answers;
  answers.clear(kernel_->output);
  for (std::size_t row = 0; row < truths.outputs.rows; ++row) {
    append_row_as(kernel_->output, answers.output, truths.outputs, row, [&](std::size_t column, std::size_t at) {
      Enclosure const& truth = truths.outputs.columns[column][at];
      return std::isinf(truth.radius) ? not_computed() : static_cast<double>(truth.high);
    });
    answers.status.push_back(Status::answered);
  }
  return answers;
}

void Model::judge(Table const& cases, Truths const& truths, std::size_t row, Answers const& answers,
                  std::size_t answer_row, Tolerance const& tolerance, std::span<Judged> judged) const {
  auto const fails = [&] {
    return std::any_of(judged.begin(), judged.end(),
                       [](Judged const& each) { return each.computed && each.verdict == Verdict::fail; });
  };
  auto const look_again = [&] {
    if (fails()) SecondLook(*kernel_, formula_, cases, truths, row, answers.output, answer_row, tolerance)(judged);
  };
  if (recommended()) {
    kernel_->judge(cases, truths, row, answers, answer_row, tolerance, judged);
    if (named_) look_again();
    return;
  }
  Oracle oracle = kernel_->oracle;
  oracle.refined_truth = nullptr;  // refined_truth belongs to the recommended formula
  demeter::judge({kernel_->output, kernel_->budgets, kernel_->budgeted, oracle}, cases, truths, row, answers.output,
                 answer_row, tolerance, judged);
  for (std::size_t k = 0; k < judged.size(); ++k)
    if (!kernel_->formulas[formula_].has(kernel_->budgets[k].output)) judged[k] = {};
  bool const optimal = std::any_of(kernel_->budgets.begin(), kernel_->budgets.end(),
                                   [](Budget const& each) { return each.measure == Measure::optimality; });
  if (optimal) {
    Truths one{empty_table<Enclosure>(kernel_->output), {}, {}};
    append_row_as(kernel_->output, one.outputs, truths.outputs, row,
                  [&](std::size_t column, std::size_t at) { return truths.outputs.columns[column][at]; });
    judge_by_own_optimum(*kernel_, oracle, cases, truths, row, this->answers(one).output, answers.output, answer_row,
                         tolerance, judged);
  }
  look_again();
}

bool Model::breaks_too(Table const& inputs, std::size_t first, std::size_t count, double violation,
                       Format const& format, Violation const& violation_of) const {
  if (!named_) return false;
  // The formula must break the law by at least 1/16 of the subject's violation. A slight violation does not excuse a
  // gross one.
  constexpr double about = 16;
  constexpr std::size_t samples = 32;
  Table asked(kernel_->input);
  for (std::size_t row = first; row < first + count; ++row) append_row(kernel_->input, asked, inputs, row);
  auto const breaks = [&](Answers const& answers) {
    auto const own = violation_of(asked, answers);
    return own && (*own > 1 || std::isnan(*own)) && !(*own < violation / about);
  };
  std::vector<bool> const left_out = kernel_->left_out(formula_);
  auto rounded = [&](auto const& evaluate, std::vector<Table> const& from, std::size_t sample) {
    Answers answers;
    answers.clear(kernel_->output);
    for (Table const& table : from) {
      auto const value = evaluate(*kernel_, formula_, table, std::min(sample, table.rows - 1));
      append_row_as(kernel_->output, answers.output, value, 0,
                    [&](std::size_t column, std::size_t at) { return static_cast<double>(value.columns[column][at]); });
      for (std::size_t column = 0; column < left_out.size(); ++column)
        if (left_out[column] && kernel_->output.columns[column].kind != ColumnInfo::Kind::presence)
          answers.output.columns[column].back() = not_computed();
      answers.status.push_back(Status::answered);
    }
    return answers;
  };
  std::vector<Table> exact(count, Table(kernel_->input)), moved;
  for (std::size_t row = 0; row < count; ++row) append_row(kernel_->input, exact[row], asked, row);
  if (breaks(rounded(nearby, exact, 0))) return true;
  for (std::size_t row = 0; row < count; ++row) {
    moved.push_back(neighbours(*kernel_, asked, row, 2 * samples, format.roundoff));
    if (moved.back().rows == 0) moved.back() = exact[row];
  }
  // If the formula gives no number in plain double, at the inputs or at neighbours, a law cannot require a number.
  if (std::isinf(violation)) {
    auto const none = [&](Table const& table, std::size_t row) {
      return has_no_number(kernel_->output.root, nearby_in_double(*kernel_, formula_, table, row));
    };
    for (std::size_t row = 0; row < count; ++row) {
      if (none(exact[row], 0)) return true;
      for (std::size_t i = 0; i < moved[row].rows; ++i)
        if (none(moved[row], i)) return true;
    }
  }
  // In the last neighbours all numbers are moved.
  std::size_t const some = std::ranges::max(moved, {}, &Table::rows).rows;
  for (std::size_t i = some > samples ? some - samples : 0; i < some; ++i)
    if (breaks(rounded(nearby_in_long_double, moved, i)) && breaks(rounded(nearby, moved, i))) return true;
  return false;
}

Model model_of(Kernel const& kernel, Subject const& subject) {
  std::optional<std::size_t> formula;
  if (subject.origin == Origin::printed) {
    formula = find_formula(kernel, subject.name_of_formula());
    if (formula && kernel.formulas[*formula].kind != FormulaKind::model) return Model(kernel);
  } else if (Answering const* const answering = subject.find(kernel.name)) {
    if (!answering->formula.empty()) formula = find_formula(kernel, answering->formula);
  }
  return formula ? Model(kernel, *formula) : Model(kernel);
}

std::size_t printed_formula(Kernel const& kernel, Subject const& subject) {
  if (subject.origin != Origin::printed) return 0;
  return find_formula(kernel, subject.name_of_formula()).value_or(0);
}

}  // namespace demeter
