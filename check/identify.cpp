#include "check/identify.hpp"

#include "check/tolerance.hpp"
#include "subjects/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace demeter {
namespace {

/// A combination and the number of cases in which it does not agree.
struct Candidate {
  std::size_t code = 0;
  std::size_t misses = 0;
};

/// Cases and answers, ready for a comparison with many combinations.
class Comparison {
 public:
  Comparison(Kernel const& kernel, Subject const& subject, Table const& cases)
      : kernel_(kernel),
        tolerance_(tolerance_of(kernel, Held{subject.binary32 ? Held::To::binary32 : Held::To::binary64},
                                subject.binary32 ? binary32 : binary64)),
        cases_(judged_cases(kernel, subject, cases)),
        wide_(empty_table<long double>(kernel.input)) {
    for (std::size_t row = 0; row < cases_.rows; ++row) {
      append_row_as(kernel.input, wide_, cases_, row,
                    [&](std::size_t column, std::size_t at) -> long double { return cases_.columns[column][at]; });
      scales_.push_back(empty_table<long double>(kernel.output));
      kernel.oracle.scale_of_combination(0, cases_, row, scales_.back());
    }
    wide_.rows = cases_.rows;
  }

  Table const& cases() const { return cases_; }

  /// Returns the answer of a combination in long double.
  BasicTable<long double> value(std::size_t code, std::size_t row) const {
    auto answer = empty_table<long double>(kernel_.output);
    kernel_.evaluate.in_long_double(kernel_.formulas.size() + code, wide_, row, answer);
    return answer;
  }

  /// Returns whether an answer is within `factor` tolerances of a value, in every output that was computed and that the
  /// combination defines.
  template <class Cell>
  bool agrees(std::size_t code, std::size_t row, BasicTable<long double> const& value, BasicTable<Cell> const& answers,
              std::size_t answer_row, double factor = 1) const {
    double const worst = distance(code, value, answers, answer_row, scales_[row]);
    if (worst <= factor) return true;
    // The scale of the recommended formula may be smaller than that of the combination.
    if (!(worst < 0x1p40)) return false;
    auto scales = empty_table<long double>(kernel_.output);
    kernel_.oracle.scale_of_combination(code, cases_, row, scales);
    return distance(code, value, answers, answer_row, scales) <= factor;
  }

 private:
  /// Returns the largest distance, in tolerances.
  template <class Cell>
  double distance(std::size_t code, BasicTable<long double> const& value, BasicTable<Cell> const& answers,
                  std::size_t answer_row, BasicTable<long double> const& scales) const {
    auto const left_out = kernel_.formulas.composition().leaves_out(code);
    double worst = 0;
    for (std::size_t k = 0; k < kernel_.budgets.size(); ++k) {
      Node const& node = kernel_.output.root.children[kernel_.budgeted[k]];
      if (std::ranges::find(left_out, node.name) != left_out.end()) continue;
      double const units = tolerance_.units_of(kernel_.budgets, k);
      for (std::size_t column = node.column; column < node.column + node.columns; ++column) {
        auto const x = static_cast<long double>(answers.columns[column][answer_row]);
        long double const y = value.columns[column][0];
        if (is_not_computed(static_cast<double>(x))) continue;
        if (node.kind == Node::Kind::enumeration) {
          if (x != y) return std::numeric_limits<double>::infinity();
          continue;
        }
        long double const allowed =
            static_cast<long double>(units) * tolerance_.format.roundoff * scales.columns[column][0] +
            tolerance_.format.least_half;
        long double const apart = std::fabs(x - y) / allowed;
        if (!(apart <= worst)) worst = static_cast<double>(apart);
      }
    }
    return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst;
  }

  Kernel const& kernel_;
  Tolerance tolerance_;
  Table cases_;
  BasicTable<long double> wide_;
  std::vector<BasicTable<long double>> scales_;
};

/// Draws cases of some profiles, one regime after the other. The ids begin at `first`.
Table drawn(Kernel const& kernel, IdentifyOptions const& options, std::span<Profile const> profiles,
            std::uint64_t first) {
  Table cases(kernel.input);
  for (std::uint64_t id = first; id < first + options.cases; ++id)
    for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime) {
      RegimeInfo const& of = kernel.regimes[regime];
      if (std::ranges::find(profiles, of.profile) == profiles.end()) continue;
      if (of.size == 0 || id < of.size) kernel.generate(regime, options.seed, id, cases, options.sizes);
    }
  return cases;
}

/// Returns the combination with a name that differs from `code` in the fewest choices; of several, the first.
auto nearest_with_a_name(FormulaList const& formulas, std::size_t code) {
  return std::ranges::min_element(formulas.composition().combinations, {},
                                  [&](NamedCombination const& each) { return formulas.differing(code, each.code); });
}

/// Sorts by the number of misses. Of equal candidates, those near a combination with a name come first, and of these
/// the first in the list of names.
void sort_candidates(FormulaList const& formulas, std::vector<Candidate>& candidates) {
  auto const rank = [&](Candidate const& each) {
    auto const nearest = nearest_with_a_name(formulas, each.code);
    return std::tuple(each.misses, formulas.differing(each.code, nearest->code),
                      nearest - formulas.composition().combinations.begin(), each.code);
  };
  std::ranges::sort(candidates, {}, rank);
}

class Search {
 public:
  Search(Kernel const& kernel, Subject const& subject, IdentifyOptions const& options)
      : kernel_(kernel), subject_(subject), options_(options) {}

  std::optional<Identified> run() {
    static constexpr Profile everyday[] = {Profile::everyday};
    Comparison const usual(kernel_, subject_, drawn(kernel_, options_, everyday, 0));
    Answers answers;
    answer(subject_, kernel_, usual.cases(), answers);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < usual.cases().rows; ++row)
      if (answers.status[row] == Status::answered) rows.push_back(row);
    constexpr std::size_t few = 20;
    if (rows.size() < few || stopped()) return std::nullopt;
    auto candidates = possible(usual, answers.output, rows);
    if (stopped()) return std::nullopt;
    Identified found;
    found.answered = rows.size();
    found.recommended = rows.size() - misses_of(0, usual, answers.output, rows);
    if (candidates.empty()) {
      Candidate const best = nearest(usual, answers.output, rows);
      found.formula = kernel_.formulas.index_of(best.code);
      found.agree = rows.size() - best.misses;
      return found;
    }
    separate(candidates, found);
    sort_candidates(kernel_.formulas, candidates);
    Candidate const best = candidates.front();
    found.formula = kernel_.formulas.index_of(best.code);
    found.agree = found.answered - std::min(best.misses, found.answered);
    std::erase_if(candidates, [&](Candidate const& each) { return each.misses > best.misses; });
    find_open(candidates, found);
    return found;
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  /// Counts the rows in which a combination does not agree.
  std::size_t misses_of(std::size_t code, Comparison const& comparison, Table const& answers,
                        std::vector<std::size_t> const& rows) const {
    return static_cast<std::size_t>(std::ranges::count_if(rows, [&](std::size_t row) {
      return !comparison.agrees(code, row, comparison.value(code, row), answers, row);
    }));
  }

  /// Returns the combinations that agree in at least 95 % of the rows. A combination is dropped as soon as it has
  /// missed more than two rows and more than a tenth of the rows seen.
  std::vector<Candidate> possible(Comparison const& comparison, Table const& answers,
                                  std::vector<std::size_t> const& rows) const {
    auto const& composition = kernel_.formulas.composition();
    std::vector<Candidate> candidates;
    for (std::size_t code = 0; code < kernel_.formulas.combination_count(); ++code)
      if (composition.without_meaning(code).empty()) candidates.push_back({code, 0});
    std::size_t seen = 0;
    for (std::size_t const row : rows) {
      if (stopped()) return {};
      ++seen;
      std::erase_if(candidates, [&](Candidate& each) {
        if (comparison.agrees(each.code, row, comparison.value(each.code, row), answers, row)) return false;
        ++each.misses;
        return each.misses > 2 + seen / 10;
      });
    }
    std::erase_if(candidates, [&](Candidate const& each) { return 20 * each.misses > rows.size(); });
    return candidates;
  }

  /// Returns the best of the combinations with a name and of those that differ from them in one choice.
  Candidate nearest(Comparison const& comparison, Table const& answers, std::vector<std::size_t> const& rows) const {
    auto const& composition = kernel_.formulas.composition();
    std::vector<Candidate> candidates;
    for (NamedCombination const& each : composition.combinations) {
      candidates.push_back({each.code, 0});
      for (std::size_t choice = 0; choice < composition.choices.size(); ++choice)
        for (std::size_t value = 0; value < composition.choices[choice].values.size(); ++value) {
          std::size_t const code = kernel_.formulas.with_value(each.code, choice, value);
          if (code != each.code && composition.without_meaning(code).empty()) candidates.push_back({code, 0});
        }
    }
    for (Candidate& each : candidates) each.misses = misses_of(each.code, comparison, answers, rows);
    sort_candidates(kernel_.formulas, candidates);
    return candidates.front();
  }

  /// Draws cases in which the candidates differ, and counts their misses there too.
  void separate(std::vector<Candidate>& candidates, Identified& found) {
    constexpr std::size_t most_candidates = 400, most_cases = 200;
    sort_candidates(kernel_.formulas, candidates);
    if (candidates.size() > most_candidates) candidates.resize(most_candidates);
    if (candidates.size() < 2) return;
    static constexpr Profile profiles[] = {Profile::everyday, Profile::degenerate};
    Comparison const& all = pool_.emplace(kernel_, subject_, drawn(kernel_, options_, profiles, options_.cases));
    std::vector<std::size_t> separating;
    for (std::size_t row = 0; row < all.cases().rows && separating.size() < most_cases && !stopped(); ++row)
      if (differ(candidates, all, row)) separating.push_back(row);
    Table asked(kernel_.input);
    for (std::size_t const row : separating) append_row(kernel_.input, asked, all.cases(), row);
    Answers answers;
    answer(subject_, kernel_, asked, answers);
    for (std::size_t i = 0; i < separating.size(); ++i) {
      std::size_t const row = separating[i];
      if (answers.status[i] != Status::answered) {
        not_answered_.push_back(row);
        continue;
      }
      ++found.answered;
      for (Candidate& each : candidates)
        if (!all.agrees(each.code, row, all.value(each.code, row), answers.output, i)) ++each.misses;
    }
  }

  /// Returns whether two candidates differ in a row by much more than the tolerance.
  bool differ(std::vector<Candidate> const& candidates, Comparison const& comparison, std::size_t row) const {
    constexpr double much = 1000;
    auto const first = comparison.value(candidates.front().code, row);
    return std::ranges::any_of(candidates.begin() + 1, candidates.end(), [&](Candidate const& each) {
      return !comparison.agrees(each.code, row, comparison.value(each.code, row), first, 0, much);
    });
  }

  /// Finds the choices with several values among the candidates that fit equally well, and a case that would tell.
  void find_open(std::vector<Candidate> const& equal, Identified& found) const {
    FormulaList const& formulas = kernel_.formulas;
    auto const& choices = formulas.composition().choices;
    std::size_t const best = equal.front().code;
    for (std::size_t k = 0; k < choices.size(); ++k) {
      OpenChoice open{std::string(choices[k].name), {}};
      for (std::size_t value = 0; value < choices[k].values.size(); ++value) {
        std::size_t const code = formulas.with_value(best, k, value);
        if (std::ranges::find(equal, code, &Candidate::code) != equal.end())
          open.values.emplace_back(choices[k].values[value].name);
      }
      if (open.values.size() > 1) found.open.push_back(std::move(open));
    }
    if (found.open.empty()) return;
    for (std::size_t const row : not_answered_) {
      if (!differ(equal, *pool_, row)) continue;
      append_row(kernel_.input, found.telling.emplace(kernel_.input), pool_->cases(), row);
      return;
    }
  }

  Kernel const& kernel_;
  Subject const& subject_;
  IdentifyOptions const& options_;
  std::optional<Comparison> pool_;         ///< the cases of separate()
  std::vector<std::size_t> not_answered_;  ///< rows of `pool_` that separate candidates and have no answer
};

}  // namespace

std::optional<Identified> identify(Kernel const& kernel, Subject const& subject, IdentifyOptions const& options) {
  if (!kernel.formulas.is_composed() || kernel.oracle.scale_of_combination == nullptr) return std::nullopt;
  return Search(kernel, subject, options).run();
}

std::size_t judging_formula(Kernel const& kernel, Identified const& identified) {
  FormulaList const& formulas = kernel.formulas;
  bool const near = 2 * identified.agree >= identified.answered && identified.agree > identified.recommended;
  if (!identified.fits() && !near) return 0;
  auto const code = formulas.code(identified.formula);
  if (!code || formulas[identified.formula].kind != FormulaKind::mistake) return identified.formula;
  // Replaces each value that is a mistake by the value of the nearest combination with a name.
  auto const& composition = formulas.composition();
  auto const nearest = nearest_with_a_name(formulas, *code);
  std::size_t model = *code;
  for (std::size_t k = 0; k < composition.choices.size(); ++k)
    if (composition.choices[k].values[formulas.value_of(*code, k)].kind == FormulaKind::mistake)
      model = formulas.with_value(model, k, formulas.value_of(nearest->code, k));
  return formulas.index_of(model);
}

}  // namespace demeter
