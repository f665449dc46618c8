// What a subject that is held to something is allowed: the one source of the tolerances of laws.
#pragma once

#include "oracles/core/tolerance.hpp"
#include "properties/core/generators.hpp"

#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace demeter {

/// The budget of an output, the tolerance that it is held to in its place. One without a budget is promised nothing.
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

/// By how much one number of an output may differ from its truth, if `size` is what the output's budget is relative to.
template <class Contract>
long double allowance(Tolerance const& held, std::string_view output, long double size) {
  double const units = budget_of<Contract>(held, output).units;
  return std::isinf(units) ? units : units * held.format.roundoff * std::fabs(size) + held.format.least_half;
}

/// What a pure number that an output must keep to (the length of a unit vector, an end of a range) may be off by: `own`
/// roundings, or what the output is held to.
template <class Contract>
long double roundings_or_held(Tolerance const& held, std::string_view output, long double own) {
  return held.format.roundoff *
         (held.to_the_bit ? own : std::max<long double>(own, budget_of<Contract>(held, output).units));
}

/// `use(values...)`, of nullable ones what they hold: nothing is done where one of them is null.
template <class Use, class... Values>
void if_present(Use const& use, Values&... values) {
  if constexpr ((nullable<std::remove_cvref_t<Values>> && ...)) {
    if ((values.has_value() && ...)) use(*values...);
  } else {
    use(values...);
  }
}

/// Adds what another answer may be off by; a label has no size.
template <class Size>
void add_size(Size& to, Size const& more) {
  if constexpr (!labelled<Size>) to += more;
}

/// By how much each output may differ from its truth: relative to the answer itself or to the contract's scale, as its
/// measure says. Of an output judged by its optimality, how much worse than the optimum the answer may be.
template <class Contract>
typename Contract::template Output<long double> allowance(Tolerance const& held,
                                                          typename Contract::template Input<double> const& in,
                                                          typename Contract::template Output<double> const& out) {
  using Sizes = typename Contract::template Output<long double>;
  Sizes sizes = Contract::scale(in);
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

/// By how much the answers to several cases together may be off: "both budgets".
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

/// Whether every answer has these outputs.
template <class Answer, class... Members>
bool answered(std::span<Answer const> outputs, Members... members) {
  return std::all_of(outputs.begin(), outputs.end(),
                     [&](Answer const& out) { return (is_computed(out.*members) && ...); });
}

/// The fields of answers in another scalar: `use(field, whether all the answers have it)`.
template <class Sizes, class Answer, class Use>
void for_each_answered(std::span<Answer const> outputs, Use const& use) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (use(std::get<i>(fields_of<Sizes>), answered(outputs, std::get<i>(fields_of<Answer>).member)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Answer::fields())>>{});
}

/// A violation, and whether what it is made of was answered.
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
