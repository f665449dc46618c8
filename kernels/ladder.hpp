// The precision ladder: the number of correct digits of the reference in each arithmetic.
#pragma once

#include "kernels/kernel.hpp"

#include <array>
#include <span>
#include <string_view>

namespace demeter {

struct Rung {
  std::string_view name;
  double digits;  ///< decimal digits of the significand
};
inline constexpr std::array<Rung, 6> ladder{{{"float", 7.22},
                                             {"double", 15.95},
                                             {"long double", 19.27},
                                             {"float128", 34.02},
                                             {"mpfr:50", 50},
                                             {"mpfr:100", 100}}};

/// Computes `right[rung x budgets + budget]`: the number of correct digits of the reference for case `row`, in the
/// measure of the budget. Infinite if the answer is exact. NaN where an answer is not unique, or the case is outside
/// the domain in this arithmetic.
void climb(Kernel const& kernel, Table const& cases, std::size_t row, std::span<double> right);

}  // namespace demeter
