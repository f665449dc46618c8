// What a contract's budgets allow: the one source of the tolerances of laws.
#pragma once

#include "properties/core/generators.hpp"

#include <span>
#include <string_view>
#include <type_traits>

namespace demeter {

/// The budget of an output. One without a budget is promised nothing.
template <class Contract>
constexpr Budget budget_of(std::string_view output) {
  for (Budget const& budget : Contract::budgets)
    if (budget.output == output) return budget;
  return {output, Measure::scale, infinite};
}

/// By how much one number of an output may differ from its truth, if `size` is what the output's budget is relative to.
template <class Contract>
long double allowance(std::string_view output, long double size) {
  double const units = budget_of<Contract>(output).units;
  return std::isinf(units) ? units : units * u_wide * std::fabs(size) + half_least;
}

/// By how much each output may differ from its truth: relative to the answer itself or to the contract's scale, as its
/// measure says. Of an output judged by its optimality, how much worse than the optimum the answer may be.
template <class Contract>
typename Contract::template Output<long double> allowance(typename Contract::template Input<double> const& in,
                                                          typename Contract::template Output<double> const& out) {
  using Sizes = typename Contract::template Output<long double>;
  Sizes sizes = Contract::scale(in);
  Sizes const answer = cast<Sizes>(out);
  for_each_field<Sizes>([&](auto const& field) {
    auto& size = sizes.*field.member;
    using Value = std::remove_cvref_t<decltype(size)>;
    if constexpr (!labelled<Value>) {
      if (budget_of<Contract>(field.name).measure == Measure::relative) size = answer.*field.member;
      if constexpr (fixed_vector<Value>)
        for (long double& each : size) each = allowance<Contract>(field.name, each);
      else
        size = allowance<Contract>(field.name, size);
    }
  });
  return sizes;
}

/// By how much the answers to several cases together may be off: "both budgets".
template <class Contract>
typename Contract::template Output<long double> allowance(
    std::span<typename Contract::template Input<double> const> inputs,
    std::span<typename Contract::template Output<double> const> outputs) {
  using Sizes = typename Contract::template Output<long double>;
  Sizes sum = allowance<Contract>(inputs[0], outputs[0]);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    Sizes const other = allowance<Contract>(inputs[i], outputs[i]);
    for_each_field<Sizes>([&](auto const& field) {
      if constexpr (!labelled<std::remove_cvref_t<decltype(sum.*field.member)>>)
        sum.*field.member += other.*field.member;
    });
  }
  return sum;
}

}  // namespace demeter
