// The tolerances of laws. Only the functions of this file decide how large the error of an answer may be.
#pragma once

#include "oracles/core/tolerance.hpp"
#include "properties/core/generators.hpp"
#include "reference/spec/core/choices.hpp"

#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace demeter {

/// Returns the budget of an output with the units of the tolerance `held` instead of its own units. An output without a
/// budget has infinitely many units: every error is allowed.
template <class Contract>
Budget budget_of(Tolerance const& held, std::string_view output) {
  for (std::size_t k = 0; k < Contract::budgets.size(); ++k) {
    Budget budget = Contract::budgets[k];
    if (budget.output != output) continue;
    budget.units = held.units_of(Contract::budgets, k);
    return budget;
  }
  return {output, Measure::scale, infinite};
}

/// Returns the allowed error of one number of an output. The budget of the output is relative to `size`, a magnitude.
template <class Contract>
long double allowance(Tolerance const& held, std::string_view output, long double size) {
  double const units = budget_of<Contract>(held, output).units;
  return std::isinf(units) ? units : units * held.format.roundoff * std::fabs(size) + held.format.least_half;
}

/// Returns the allowed error of a pure number with a fixed value, such as the length of a unit vector or an end of a
/// range. If laws are judged by bits, this is `own` roundings. Otherwise it is `own` roundings or the budget of the
/// output, whichever is larger.
template <class Contract>
long double roundings_or_held(Tolerance const& held, std::string_view output, long double own) {
  return held.format.roundoff *
         (held.to_the_bit ? own : std::max<long double>(own, budget_of<Contract>(held, output).units));
}

/// Calls `use(values...)`. If the values are nullable, calls `use` with their contents. If one of them is null, does
/// not call `use`.
template <class Use, class... Values>
void if_present(Use const& use, Values&... values) {
  if constexpr ((nullable<std::remove_cvref_t<Values>> && ...)) {
    if ((values.has_value() && ...)) use(*values...);
  } else {
    use(values...);
  }
}

/// Adds the allowed error `more` of another answer to `to`. Labels have no allowed error.
template <class Size>
void add_size(Size& to, Size const& more) {
  if constexpr (!labelled<Size>) to += more;
}

/// Returns the scales of the errors. For a kernel with choices, they are those of the combination that judges.
template <class Contract>
auto scale_of(Tolerance const& held, typename Contract::template Input<double> const& in) {
  if constexpr (requires { typename Contract::Choices; })
    return Contract::scale(in, choices_of<typename Contract::Choices>(held.combination));
  else
    return Contract::scale(in);
}

/// Returns the allowed error of each output. The measure of its budget decides whether the error is relative to the
/// answer or to the contract's scale. For an output judged by its optimality, returns the allowed distance from the
/// optimum.
template <class Contract>
typename Contract::template Output<long double> allowance(Tolerance const& held,
                                                          typename Contract::template Input<double> const& in,
                                                          typename Contract::template Output<double> const& out) {
  using Sizes = typename Contract::template Output<long double>;
  Sizes sizes = scale_of<Contract>(held, in);
  Sizes const answer = cast<Sizes>(out);
  for_each_field<Sizes>([&](auto const& field) {
    if_present(
        [&](auto& size, auto const& answered) {
          using Value = std::remove_cvref_t<decltype(size)>;
          if constexpr (!labelled<Value>) {
            if (budget_of<Contract>(held, field.name).measure == Measure::relative) size = answered;
            if constexpr (fixed_vector<Value>)
              for (long double& each : size) each = allowance<Contract>(held, field.name, each);
            else
              size = allowance<Contract>(held, field.name, size);
          }
        },
        sizes.*field.member, answer.*field.member);
  });
  return sizes;
}

/// Returns the sum of the allowed errors of several answers. The descriptions of laws call this tolerance "both
/// budgets".
template <class Contract>
typename Contract::template Output<long double> allowance(
    Tolerance const& held, std::span<typename Contract::template Input<double> const> inputs,
    std::span<typename Contract::template Output<double> const> outputs) {
  using Sizes = typename Contract::template Output<long double>;
  Sizes sum = allowance<Contract>(held, inputs[0], outputs[0]);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    Sizes const other = allowance<Contract>(held, inputs[i], outputs[i]);
    for_each_field<Sizes>([&](auto const& field) {
      if_present([](auto& to, auto const& more) { add_size(to, more); }, sum.*field.member, other.*field.member);
    });
  }
  return sum;
}

/// Returns whether every answer contains these outputs.
template <class Answer, class... Members>
bool answered(std::span<Answer const> outputs, Members... members) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [&](Answer const& out) { return (is_computed(out.*members) && ...); });
}

/// Calls `use(field, answered)` for each field of `Sizes`. `answered` states whether all answers contain this field.
template <class Sizes, class Answer, class Use>
void for_each_answered(std::span<Answer const> outputs, Use const& use) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (use(std::get<i>(fields_of<Sizes>), answered(outputs, std::get<i>(fields_of<Answer>).member)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Answer::fields())>>{});
}

/// A violation, and whether all the outputs that it uses were answered.
struct Compared {
  bool answered;
  double violation;
};
inline double worst_answered(std::initializer_list<Compared> all) {
  double worst = 0;
  for (Compared const& each : all)
    if (each.answered) worst = std::max(worst, each.violation);
  return worst;
}

}  // namespace demeter
