// What an oracle may say beside truth() and refined_truth(), with what holds for one that does not.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/interval.hpp"
#include "reference/spec/core/contract.hpp"

#include <cstdint>

namespace demeter {

/// Every oracle defines `inline constexpr OracleHooks<Contract> hooks{...}` and names the members it fills in, so that
/// a misspelt one does not compile.
template <class Contract>
struct OracleHooks {
  using Input = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  template <class Bound>
  using Truth = typename Contract::template Output<Bound>;

  /// How far an answer is from the optimum, where a budget is measured by optimality: in long double, and in intervals
  /// of the truth's precision for what that leaves undecided.
  Enclosure (*excess)(Input const&, Truth<Enclosure> const&, Answer const&) = nullptr;
  Interval (*refined_excess)(Input const&, Truth<Interval> const&, Answer const&) = nullptr;
  /// The truth as vectors record it, if truth() leaves out outputs that are unique in this case, or has fewer digits.
  Truth<Enclosure> (*recorded_truth)(Input const&) = nullptr;
  /// What errors are measured by, where that depends on the truth (a condition at the solution, say); otherwise the
  /// contract's scale(). NaN: not judged, because the problem is conditioned beyond any use.
  Truth<long double> (*scale)(Input const&, Truth<Enclosure> const&) = nullptr;
  /// The condition of each output: the factor between a relative error of the input and that of the output.
  Answer (*condition)(Input const&) = nullptr;
  /// A survey's number of cases is divided by this, because a truth takes longer than some 20 us.
  std::uint64_t case_divisor = 1;

  /// Both forms of the excess are there if a budget asks for them, and none otherwise.
  constexpr bool excess_as_budgeted() const {
    bool asked = false;
    for (Budget const& budget : Contract::budgets) asked = asked || budget.measure == Measure::optimality;
    return (excess != nullptr) == asked && (refined_excess != nullptr) == asked;
  }
};

}  // namespace demeter
