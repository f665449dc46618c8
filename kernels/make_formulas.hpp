// Makes `FormulaRows` from a kernel's own formulas. Included by tests that declare their own kernel, and by one
// generated translation unit per kernel. This unit is separate from the kernel's other units because multiprecision
// compiles slowly.
#pragma once

#include "kernels/formulas.hpp"
#include "reference/core/binary128.hpp"
#include "reference/core/scalars.hpp"
#include "reference/spec/core/choices.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/core/table.hpp"

#include <tuple>
#include <type_traits>

namespace demeter {
namespace detail {

template <class Contract, class Reference, class Printed, class Scalar>
void evaluate_row(std::size_t formula, BasicTable<Scalar> const& cases, std::size_t row, BasicTable<Scalar>& answers) {
  auto const in = load<typename Contract::template Input<Scalar>>(cases, row);
  if constexpr (std::is_same_v<Scalar, float> || std::is_same_v<Scalar, Binary128>) {
    append(answers, Reference{}(in));
  } else {
    if (formula == 0) return append(answers, Reference{}(in));
    std::size_t index = 1;
    if constexpr (requires { typename Contract::Choices; }) {
      // The numbers after the printed formulas belong to the combinations of choices.
      constexpr std::size_t named = 1 + std::tuple_size_v<decltype(Printed{}())>;
      if (formula >= named)
        return append(answers, Reference{}(in, choices_of<typename Contract::Choices>(formula - named)));
    }
    auto const answer = [&](auto const& each) {
      if (index++ != formula) return;
      auto out = each.evaluate(in);
      leave_out(out, each.leaves_out);
      append(answers, out);
    };
    std::apply([&](auto const&... each) { (answer(each), ...); }, Printed{}());
  }
}

}  // namespace detail

/// Returns the functions of the formulas. `Reference` answers an input in any scalar, and an input with choices if the
/// contract has choices. `Printed` returns the tuple of printed formulas. Both must have no captures.
template <class Contract, class Reference, class Printed>
FormulaRows make_formulas(Reference, Printed) {
  return {detail::evaluate_row<Contract, Reference, Printed, double>,
          detail::evaluate_row<Contract, Reference, Printed, long double>,
          detail::evaluate_row<Contract, Reference, Printed, Multiprecision>,
          detail::evaluate_row<Contract, Reference, Printed, float>,
          detail::evaluate_row<Contract, Reference, Printed, Binary128>};
}

}  // namespace demeter
