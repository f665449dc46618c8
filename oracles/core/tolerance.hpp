// How a subject is held to the contract's budgets and laws.
#pragma once

#include "reference/spec/core/budget.hpp"

#include <span>
#include <vector>

namespace demeter {

/// The format a subject computes in.
struct Format {
  long double roundoff = unit_roundoff;
  /// Half the least subnormal: every budget has it added, so that results below the normal range are judged fairly.
  long double least_half = 0x1p-1075L;
  /// From here on a number rounds to infinity.
  long double overflow = 0x1p1024L - 0x1p970L;
};
inline constexpr Format binary64{};
inline constexpr Format binary32{0x1p-24L, 0x1p-150L, 0x1p128L - 0x1p103L};

struct Tolerance {
  std::vector<double> units{};  ///< of each budget, in the u of `format`; empty: the contract's own
  Format format = binary64;
  /// What a law asks for to the bit is asked for to the bit; otherwise it is allowed what its outputs are.
  bool to_the_bit = true;

  double units_of(std::span<Budget const> budgets, std::size_t k) const {
    return units.empty() ? budgets[k].units : units[k];
  }
};

}  // namespace demeter
