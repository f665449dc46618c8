// Helpers for the tests of kernels. They draw cases of a regime, judge answers, call the fast batch form, and compare
// bits.
#pragma once

#include "fast/core/level.hpp"
#include "kernels/json_lines.hpp"
#include "kernels/kernel.hpp"
#include "kernels/law.hpp"
#include "oracles/core/interval.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/core/make_oracle.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/spec/core/table.hpp"
#include "tests/core/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::testing_kernels {

/// Returns whether every component is NaN.
template <fixed_vector Vector>
bool is_nan(Vector const& x) {
  return std::all_of(x.begin(), x.end(), [](double each) { return std::isnan(each); });
}

/// For tests that run over all kernels: returns a smaller number of cases for kernels with slow truths.
inline std::uint64_t affordable(Kernel const& kernel, std::uint64_t count) {
  return std::max(
      {count / kernel.case_divisor, count / (kernel.case_divisor < 100 ? 25 : 75), std::min<std::uint64_t>(count, 2)});
}

inline std::vector<std::string> names_of(std::span<Kernel const> kernels) {
  std::vector<std::string> names;
  for (auto const& kernel : kernels) names.push_back(kernel.name);
  return names;
}
/// Returns the names of all kernels, for tests with one instance per kernel.
inline std::vector<std::string> kernel_names() { return names_of(kernels()); }
/// Returns the elements of `names` that are kernels which this build can judge.
inline std::vector<std::string> judged_among(std::vector<std::string> names) {
  std::erase_if(names, [](std::string const& name) { return find_kernel(name) == nullptr; });
  return names;
}
/// Returns the names of the kernels for tests that need only the fast form and the regimes.
inline std::vector<std::string> batch_kernel_names() { return names_of(batch_kernels()); }

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Returns the case as JSON, for messages of tests.
template <record Case>
std::string text(Case const& in) {
  Schema const schema = schema_of<Case>();
  Table table(schema);
  append(table, in);
  Buffer line;
  write_record(schema, table, 0, line);
  return {line.data(), line.size()};
}

/// Calls `check(in)` for `count` cases of each regime, up to the first failure. Reports the case that failed.
template <record Case, class Check>
void for_each_case(std::span<Regime<Case> const> regimes, std::uint64_t seed, std::uint64_t count, Check&& check) {
  for (std::size_t regime = 0; regime < regimes.size(); ++regime)
    for (std::uint64_t id = 0; id < count; ++id) {
      Random random(seed, regime, id);
      Case const in = regimes[regime].draw(random);
      check(in);
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << regimes[regime].name << " " << id << ": " << text(in);
        return;
      }
    }
}

template <record Case>
std::size_t regime_named(std::span<Regime<Case> const> regimes, std::string_view name) {
  for (std::size_t i = 0; i < regimes.size(); ++i)
    if (regimes[i].name == name) return i;
  ADD_FAILURE() << "no regime " << name;
  return 0;
}

/// Calls `check(in)` for `count` cases of one regime, up to the first failure.
template <record Case, class Check>
void for_each_in(std::span<Regime<Case> const> regimes, std::string_view name, std::uint64_t seed, std::uint64_t count,
                 Check&& check) {
  std::size_t const regime = regime_named(regimes, name);
  for (std::uint64_t id = 0; id < count; ++id) {
    Random random(seed, regime, id);
    Case const in = regimes[regime].draw(random);
    check(in);
    ASSERT_FALSE(testing::Test::HasFailure()) << name << " " << id << ": " << text(in);
  }
}

/// Applies `change(in)` to a valid case. Returns the field that the contract then rejects, or "" if the case is still
/// valid.
template <class Contract, record Case, class Change>
std::string field_refused(Case good, Change const& change) {
  change(good);
  auto const error = Contract::domain_error(good);
  return error ? error->field : "";
}

/// Judges an answer by each budget of the contract.
template <class Contract, OracleHooks<Contract> const& hooks>
std::array<Judged, Contract::budgets.size()> judged(typename Contract::template Input<double> const& in,
                                                    typename Contract::template Output<Enclosure> const& truth,
                                                    typename Contract::template Output<double> const& answer,
                                                    Tolerance const& tolerance = {}) {
  static Schema const input = schema_of<typename Contract::template Input<double>>();
  static Schema const output = schema_of<typename Contract::template Output<double>>();
  static Oracle const oracle = make_judging_oracle<Contract, hooks>();
  static auto const nodes = budgeted_nodes(output, Contract::budgets);
  Table cases(input), answers(output);
  append(cases, in);
  append(answers, answer);
  Truths truths = truths_of(oracle, output, Table(input));
  append(truths.outputs, truth);
  oracle.scale(cases, 0, truths.outputs, 0, truths.scales);
  if (oracle.condition != nullptr) oracle.condition(cases, 0, truths.conditions);
  std::array<Judged, Contract::budgets.size()> result;
  judge({output, Contract::budgets, nodes, oracle}, cases, truths, 0, answers, 0, tolerance, result);
  return result;
}
/// Expects that each output that is present is within its budget.
template <class Contract, OracleHooks<Contract> const& hooks>
void expect_within_budget(typename Contract::template Input<double> const& in,
                          typename Contract::template Output<Enclosure> const& truth,
                          typename Contract::template Output<double> const& answer) {
  auto const all = judged<Contract, hooks>(in, truth, answer);
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(all[k].verdict, Verdict::pass) << Contract::budgets[k].output << ": " << all[k].error << " " << text(in);
}
/// Returns whether each output is present and within its budget.
inline bool all_pass(std::span<Judged const> all) {
  return std::all_of(all.begin(), all.end(),
                     [](Judged const& each) { return each.computed && each.verdict == Verdict::pass; });
}

/// Returns the answer of a reference, computed with `digits` digits and rounded to `Real`.
template <class Contract, auto evaluate, class Real = double>
typename Contract::template Output<Real> in_digits(typename Contract::template Input<double> const& in,
                                                   unsigned digits) {
  return with_digits(digits, [&] {
    return cast<typename Contract::template Output<Real>>(
        evaluate(cast<typename Contract::template Input<Multiprecision>>(in)));
  });
}

struct Outcome {
  double worst = 0;
  std::string where;
  std::uint64_t applied = 0;
};
/// Tests a law on `count` cases of each regime. Returns the largest violation, and the number of cases to which the law
/// applied. With `stop`, returns at the first violation above 1.
template <class Contract, record Case, record Answer, class Evaluate>
Outcome hold(std::span<Regime<Case> const> regimes, Law<Case, Answer> const& law, Evaluate const& evaluate,
             std::uint64_t seed, std::uint64_t count, bool stop = false) {
  Outcome outcome;
  for (std::size_t regime = 0; regime < regimes.size(); ++regime)
    for (std::uint64_t id = 0; id < count; ++id) {
      Random of_case(seed, regime, id), of_law(seed, 77, id);
      std::vector<Case> const all = inputs_of(law, regimes[regime].draw(of_case), of_law);
      if (all.empty()) continue;
      std::vector<Answer> answers;
      for (Case const& in : all) {
        EXPECT_FALSE(Contract::domain_error(in)) << law.name << " derives " << text(in);
        answers.push_back(evaluate(in));
      }
      auto const violation = law.violation(all, answers, {});
      if (!violation) continue;
      ++outcome.applied;
      if (*violation > outcome.worst || std::isnan(*violation)) {
        outcome.worst = *violation;
        outcome.where = std::string(regimes[regime].name) + " " + std::to_string(id) + ": " + text(all[0]);
        if (stop && outcome.worst > 1) return outcome;
      }
    }
  return outcome;
}

/// A kernel under test: its regimes, laws and truth. The cases are drawn with the seed of the test.
template <class Contract, OracleHooks<Contract> const& hooks>
struct Tested {
  using Case = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  using Rule = Law<Case, Answer>;
  using Implementation = std::function<Answer(Case const&)>;

  std::span<Regime<Case> const> (*regimes)();
  std::span<Rule const> (*laws)();
  typename Contract::template Output<Enclosure> (*truth)(Case const&);
  std::uint64_t seed;
  std::uint64_t in_one_regime = 300;  ///< the number of cases that `for_each_in` uses

  std::size_t regime_named(std::string_view name) const { return testing_kernels::regime_named(regimes(), name); }
  Case draw(std::size_t regime, std::uint64_t id) const {
    Random random(seed, regime, id);
    return regimes()[regime].draw(random);
  }
  Case draw(std::string_view regime, std::uint64_t id) const { return draw(regime_named(regime), id); }
  template <class Check>
  void for_each_case(std::uint64_t count, Check&& check) const {
    testing_kernels::for_each_case<Case>(regimes(), seed, count, check);
  }
  template <class Check>
  void for_each_in(std::string_view regime, Check&& check) const {
    testing_kernels::for_each_in(regimes(), regime, seed, in_one_regime, check);
  }

  std::array<Judged, Contract::budgets.size()> judged(Case const& in, Answer const& answer) const {
    return testing_kernels::judged<Contract, hooks>(in, truth(in), answer);
  }
  bool passes(Case const& in, Answer const& answer) const { return all_pass(judged(in, answer)); }
  void expect_within_budget(Case const& in, Answer const& answer) const {
    testing_kernels::expect_within_budget<Contract, hooks>(in, truth(in), answer);
  }

  Outcome hold(Rule const& law, Implementation const& evaluate, std::uint64_t count, bool stop = false) const {
    return testing_kernels::hold<Contract>(regimes(), law, evaluate, seed, count, stop);
  }
};

inline std::vector<Level> levels() {
  std::vector<Level> result;
  for (Level const level : {Level::scalar, Level::avx2, Level::avx512})
    if (available(level)) result.push_back(level);
  return result;
}

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Returns whether the bits are equal. A NaN equals a NaN with the same bits.
template <record Answer>
bool same_bits(Answer const& a, Answer const& b) {
  Table table(schema_of<Answer>());
  append(table, a);
  append(table, b);
  for (auto const& column : table.columns)
    if (bits(column[0]) != bits(column[1])) return false;
  return true;
}

inline bool same_bits(Enclosure const& a, Enclosure const& b) {
  return a.high == b.high && a.low == b.low && a.radius == b.radius;
}

/// Returns whether an interval contains a number, if the interval is widened by `slack` on both sides.
inline bool contains(Interval const& truth, Multiprecision const& x, long double slack = 0) {
  Multiprecision low, high;
  mpfr_set(low.get(), truth.low(), MPFR_RNDD);
  mpfr_set(high.get(), truth.high(), MPFR_RNDU);
  return low - Multiprecision(slack) <= x && x <= high + Multiprecision(slack);
}

/// Returns the answers of a batch form. Only the outputs in `wanted` are passed to it (bit k for column k); other
/// outputs are 0 in the result. The columns begin `shift` doubles after an aligned address. Memory outside the output
/// rows must keep its guard value.
template <record Answer, record Case, class Batch>
std::vector<Answer> batch(Batch const& evaluate, std::vector<Case> const& all, std::uint64_t wanted = ~std::uint64_t{0},
                          std::size_t shift = 0) {
  constexpr double guard = 0x1.23456789abcdep+7;
  Table table(schema_of<Case>()), answers(schema_of<Answer>());
  for (Case const& in : all) append(table, in);
  std::vector<std::vector<double>> inputs, outputs(answers.columns.size());
  std::vector<double const*> in;
  std::vector<double*> out;
  for (auto const& column : table.columns) {
    inputs.emplace_back(shift, guard);
    inputs.back().insert(inputs.back().end(), column.begin(), column.end());
    inputs.back().shrink_to_fit();  // a sanitizer then detects reads beyond the rows
  }
  for (auto const& column : inputs) in.push_back(column.data() + shift);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    outputs[k].assign(shift + all.size() + 8, guard);
    out.push_back((wanted >> k & 1) != 0 ? outputs[k].data() + shift : nullptr);
  }
  evaluate(all.size(), in.data(), out.data());
  for (std::size_t k = 0; k < outputs.size(); ++k)
    for (std::size_t i = 0; i < outputs[k].size(); ++i) {
      bool const inside = i >= shift && i < shift + all.size();
      if (inside) answers.columns[k].push_back(out[k] == nullptr ? 0 : outputs[k][i]);
      if ((!inside || out[k] == nullptr) && outputs[k][i] != guard)
        ADD_FAILURE() << "column " << k << " written at " << i << " of " << all.size();
    }
  answers.rows = all.size();
  std::vector<Answer> result;
  for (std::size_t row = 0; row < all.size(); ++row) result.push_back(load<Answer>(answers, row));
  return result;
}

}  // namespace demeter::testing_kernels
