// The tolerance with which a subject is judged by the contract's budgets and laws.
#pragma once

#include "reference/spec/core/budget.hpp"

#include <span>
#include <vector>

namespace demeter {

/// The number format in which a subject computes.
struct Format {
  long double roundoff = unit_roundoff;
  /// Half the least subnormal. It is added to every budget, because results below the normal range have this rounding
  /// error.
  long double least_half = 0x1p-1075L;
  /// Numbers of this magnitude or larger round to infinity.
  long double overflow = 0x1p1024L - 0x1p970L;
};
inline constexpr Format binary64{};
inline constexpr Format binary32{0x1p-24L, 0x1p-150L, 0x1p128L - 0x1p103L};

struct Tolerance {
  std::vector<double> units{};  ///< tolerance of each budget, in units of the roundoff of `format`; empty: the
                                ///< contract's budgets
  Format format = binary64;
  /// true: laws that require equal bits are judged by bits; false: they are judged with the tolerance of the outputs
  bool to_the_bit = true;
  /// For kernels whose formulas are composed of choices: the combination (see code_of()) whose scales laws use.
  std::size_t combination = 0;

  double units_of(std::span<Budget const> budgets, std::size_t k) const {
    return units.empty() ? budgets[k].units : units[k];
  }
};

}  // namespace demeter
