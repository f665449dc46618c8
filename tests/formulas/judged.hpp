// Checks independent implementations of a formula: correct implementations, and implementations with a mistake. The
// formula itself is the truth.
#pragma once

#include "check/check.hpp"
#include "check/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::formulas_test {

/// Returns a subject that calls a function and states which formula this function implements.
template <class Contract, class Call>
Subject implementing(std::string_view formula, Call call) {
  using In = typename Contract::template Input<double>;
  using Out = typename Contract::template Output<double>;
  Answering answering = answer_with<Contract>("", [call](In const& in, Out& out) -> char const* {
    out = call(in);
    return nullptr;
  });
  answering.formula = formula;
  return make_subject("by hand", answering);
}

/// Returns the options that a check of a foreign subject has by default: everyday and degenerate cases, and a tolerance
/// of 1024 u or the budget, if this is larger.
inline CheckOptions as_foreign(Kernel const& kernel, std::uint64_t seed, std::uint64_t cases) {
  CheckOptions options;
  options.seed = seed;
  options.cases = cases;
  options.law_cases = std::max<std::uint64_t>(cases / 4, 1);
  options.jobs = 2;
  options.shrink = false;
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
    if (kernel.regimes[i].profile != Profile::extreme && kernel.regimes[i].size == 0) options.regimes.push_back(i);
  options.held = *held_to("double");
  return options;
}

/// Returns the failures of a check in one line, or "".
inline std::string what_fails(Kernel const& kernel, SubjectCheck const& check) {
  std::string text;
  for (auto const& cell : check.accuracy)
    if (cell.failed + cell.crash + cell.timeout + cell.undecided > 0)
      text += " " + std::string(kernel.budgets[cell.budget].output) + " in " + kernel.regimes[cell.regime].name + " " +
              std::to_string(cell.failed) + " by " + std::to_string(cell.max_error) + " id " +
              std::to_string(cell.worst ? cell.worst->id : 0) + ";";
  for (auto const& law : check.laws)
    for (auto const& breach : law.regimes)
      if (breach.broken > 0)
        text += " law " + kernel.laws[law.law].name + " in " + kernel.regimes[breach.regime].name + " " +
                std::to_string(breach.broken) + " by " + std::to_string(breach.worst) + ";";
  return text;
}

inline std::string failures_of(Kernel const& kernel, Subject const& subject, CheckOptions const& options) {
  auto const checks = check(kernel, {&subject}, options);
  EXPECT_EQ(checks[0].formula, subject.find(kernel.name)->formula);
  return what_fails(kernel, checks[0]);
}

constexpr std::uint64_t seeds = 20;

/// Expects that the subject passes with each of 20 seeds.
inline void expect_right(Kernel const& kernel, Subject const& subject, std::uint64_t cases) {
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed)
    EXPECT_EQ(failures_of(kernel, subject, as_foreign(kernel, seed, cases)), "")
        << subject.find(kernel.name)->formula << ", seed " << seed;
}

/// Expects that the subject fails with the first seed.
inline void expect_found(Kernel const& kernel, Subject const& subject, std::string const& mistake,
                         std::uint64_t cases) {
  EXPECT_NE(failures_of(kernel, subject, as_foreign(kernel, 1, cases)), "")
      << subject.find(kernel.name)->formula << ": " << mistake;
}

}  // namespace demeter::formulas_test
