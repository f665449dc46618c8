// The precision ladder: how many digits of the truth the reference keeps in each arithmetic.
#pragma once

#include "kernels/kernel.hpp"

#include <array>
#include <span>
#include <string_view>

namespace demeter {

struct Rung {
  std::string_view name;
  double digits;  ///< decimal, of its significand
};
inline constexpr std::array<Rung, 6> ladder{{{"float", 7.22},
                                             {"double", 15.95},
                                             {"long double", 19.27},
                                             {"float128", 34.02},
                                             {"mpfr:50", 50},
                                             {"mpfr:100", 100}}};

/// `right[rung x budgets + budget]`: digits of the truth that the reference keeps for case `row`, in the budget's
/// measure; infinite if all, NaN where an answer is not unique, or the case means nothing in that arithmetic.
void climb(Kernel const& kernel, Table const& cases, std::size_t row, std::span<double> right);

}  // namespace demeter
