// The optional parts of an oracle besides truth() and refined_truth(), with their defaults.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/interval.hpp"
#include "reference/spec/core/contract.hpp"

#include <cstdint>

namespace demeter {

/// The optional functions of an oracle. Every oracle defines `inline constexpr OracleHooks<Contract> hooks{...}` with
/// designated initialisers, so that a misspelt name does not compile.
template <class Contract>
struct OracleHooks {
  using Input = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  template <class Bound>
  using Truth = typename Contract::template Output<Bound>;

  /// Returns the distance of an answer from the optimum, for budgets measured by optimality. The first form uses long
  /// double. The second uses intervals of the truth's precision, for cases that the first leaves undecided.
  Enclosure (*excess)(Input const&, Truth<Enclosure> const&, Answer const&) = nullptr;
  Interval (*refined_excess)(Input const&, Truth<Interval> const&, Answer const&) = nullptr;
  /// Returns the truth for test vectors. A kernel defines this function if truth() omits outputs that are unique in a
  /// case, or has too few digits.
  Truth<Enclosure> (*recorded_truth)(Input const&) = nullptr;
  /// Returns the scales of the errors, for kernels whose scales depend on the truth (for example on the condition at
  /// the solution). The default is the contract's scale(). An output with scale NaN is not judged, because its
  /// conditioning is too bad.
  Truth<long double> (*scale)(Input const&, Truth<Enclosure> const&) = nullptr;
  /// Returns the condition of each output: the relative error of the output divided by that of the input.
  Answer (*condition)(Input const&) = nullptr;
  /// The number of cases of a survey is divided by this number. It is more than 1 if one truth takes longer than about
  /// 20 us.
  std::uint64_t case_divisor = 1;

  /// Returns whether both forms of the excess are defined if, and only if, a budget is measured by optimality.
  constexpr bool excess_as_budgeted() const {
    bool asked = false;
    for (Budget const& budget : Contract::budgets) asked = asked || budget.measure == Measure::optimality;
    return (excess != nullptr) == asked && (refined_excess != nullptr) == asked;
  }
};

}  // namespace demeter
