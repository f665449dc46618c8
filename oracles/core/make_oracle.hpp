// Builds an `Oracle` from a kernel's own functions on records. Included by one generated translation unit per kernel,
// and by tests that declare a kernel of their own.
#pragma once

#include "oracles/core/hooks.hpp"
#include "oracles/core/oracle.hpp"
#include "reference/spec/core/choices.hpp"
#include "reference/spec/core/table.hpp"

namespace demeter {

/// Returns an oracle with only the parts that judge given truths: scale, condition and excess.
template <class Contract, OracleHooks<Contract> const& hooks>
Oracle make_judging_oracle() {
  using Input = typename Contract::template Input<double>;
  using Answer = typename Contract::template Output<double>;
  static_assert(hooks.excess_as_budgeted(),
                "excess and refined_excess are for kernels with a budget measured by optimality, and only for them");
  Oracle oracle;
  oracle.case_divisor = hooks.case_divisor;
  oracle.scale = [](Table const& cases, std::size_t row, BasicTable<Enclosure> const& truths, std::size_t truth_row,
                    BasicTable<long double>& into) {
    if constexpr (constexpr auto scale = hooks.scale; scale != nullptr) {
      append(into,
             scale(load<Input>(cases, row), load<typename Contract::template Output<Enclosure>>(truths, truth_row)));
    } else {
      append(into, Contract::scale(load<Input>(cases, row)));
    }
  };
  if constexpr (requires { typename Contract::Choices; })
    oracle.scale_of_combination = [](std::size_t code, Table const& cases, std::size_t row,
                                     BasicTable<long double>& into) {
      append(into, Contract::scale(load<Input>(cases, row), choices_of<typename Contract::Choices>(code)));
    };
  if constexpr (constexpr auto condition = hooks.condition; condition != nullptr)
    oracle.condition = [](Table const& cases, std::size_t row, Table& into) {
      append(into, hooks.condition(load<Input>(cases, row)));
    };
  if constexpr (constexpr auto excess = hooks.excess; excess != nullptr) {
    oracle.excess = [](Table const& cases, std::size_t row, BasicTable<Enclosure> const& truths, std::size_t truth_row,
                       Table const& answers, std::size_t answer_row) {
      return hooks.excess(load<Input>(cases, row),
                          load<typename Contract::template Output<Enclosure>>(truths, truth_row),
                          load<Answer>(answers, answer_row));
    };
    oracle.refined_excess = [](Table const& cases, std::size_t row, BasicTable<Interval> const& truths,
                               std::size_t truth_row, Table const& answers, std::size_t answer_row) {
      return hooks.refined_excess(load<Input>(cases, row),
                                  load<typename Contract::template Output<Interval>>(truths, truth_row),
                                  load<Answer>(answers, answer_row));
    };
  }
  return oracle;
}

template <class Contract,
          typename Contract::template Output<Enclosure> (*truth)(typename Contract::template Input<double> const&),
          typename Contract::template Output<Interval> (*refined_truth)(
              typename Contract::template Input<double> const&, mpfr_prec_t bits),
          OracleHooks<Contract> const& hooks>
Oracle make_oracle() {
  using Input = typename Contract::template Input<double>;
  Oracle oracle = make_judging_oracle<Contract, hooks>();
  oracle.truth = [](Table const& cases, std::size_t row, BasicTable<Enclosure>& into) {
    append(into, truth(load<Input>(cases, row)));
  };
  oracle.recorded_truth = oracle.truth;
  if constexpr (constexpr auto recorded = hooks.recorded_truth; recorded != nullptr)
    oracle.recorded_truth = [](Table const& cases, std::size_t row, BasicTable<Enclosure>& into) {
      append(into, hooks.recorded_truth(load<Input>(cases, row)));
    };
  oracle.refined_truth = [](Table const& cases, std::size_t row, mpfr_prec_t bits, BasicTable<Interval>& into) {
    append(into, refined_truth(load<Input>(cases, row), bits));
  };
  return oracle;
}

}  // namespace demeter
