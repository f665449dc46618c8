// The precision ladder: how many digits of the truth the reference keeps in each arithmetic. Instantiated once a
// kernel, beside its formulas in every arithmetic.
#pragma once

#include "oracles/core/interval.hpp"
#include "reference/core/binary128.hpp"
#include "reference/core/scalars.hpp"
#include "reference/spec/core/contract.hpp"
#include "reference/spec/core/table.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

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

namespace detail {

/// Wide enough to hold errors of 100 digits and the squares of doubles.
using LadderScalar = FixedPrecision<220>;
inline constexpr mpfr_prec_t ladder_bits = 700;

inline LadderScalar as_ladder(float x) { return LadderScalar(x); }
inline LadderScalar as_ladder(double x) { return LadderScalar(x); }
inline LadderScalar as_ladder(long double x) { return LadderScalar(x); }
inline LadderScalar as_ladder(Binary128 x) {
  auto const high = static_cast<long double>(x.native());
  if (!std::isfinite(high)) return LadderScalar(high);
  return LadderScalar(high) + LadderScalar(static_cast<long double>(x.native() - high));
}
template <unsigned Digits>
LadderScalar as_ladder(FixedPrecision<Digits> const& x) {
  LadderScalar result;
  mpfr_set(result.backend().data(), x.backend().data(), MPFR_RNDN);
  return result;
}
inline LadderScalar as_ladder(Interval const& x) {
  LadderScalar result;
  mpfr_set(result.backend().data(), x.low(), MPFR_RNDN);
  return result;
}

/// The numbers of a record, with the column each belongs to.
struct NumbersByColumn {
  std::vector<std::pair<std::size_t, LadderScalar>> all;
  template <class Scalar>
  void number(std::size_t column, Scalar const& value) {
    all.emplace_back(column, as_ladder(value));
  }
  void index(std::size_t, std::size_t) {}
  void end_list(std::size_t, std::size_t) {}
};

/// -log10 of the error over the base: the digits that are right.
inline double digits_right(LadderScalar const& value, LadderScalar const& truth, LadderScalar const& base) {
  if (!isfinite(value)) return 0;
  LadderScalar const error = abs(LadderScalar(value - truth));
  if (error == 0) return std::numeric_limits<double>::infinity();
  if (base == 0) return 0;
  return std::max(0.0, -static_cast<double>(log10(LadderScalar(error / base))));
}

template <class Parts, class Scalar>
void climb_one(Table const& cases, std::size_t row, Schema const& schema, std::span<double> right) {
  using Contract = typename Parts::Contract;
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::fill(right.begin(), right.end(), nothing);
  // A scalar narrower than double is judged at the inputs it can hold.
  auto in = load<typename Contract::template Input<double>>(cases, row);
  if constexpr (std::is_same_v<Scalar, float>) {
    using Narrow = typename Contract::template Input<float>;
    in = cast<typename Contract::template Input<double>>(cast<Narrow>(in));
    Table rounded(schema_of<Narrow>());
    append(rounded, in);
    for (auto const& column : rounded.columns)
      for (double const cell : column)
        if (!std::isfinite(cell)) return;
    if (Contract::domain_error(in)) return;
  }
  NumbersByColumn answer, truth, scale;
  append_cells(Parts::reference(cast<typename Contract::template Input<Scalar>>(in)), 0, answer);
  append_cells(Parts::refined_truth(in, ladder_bits), 0, truth);
  append_cells(Contract::scale(in), 0, scale);
  for (std::size_t k = 0; k < Contract::budgets.size(); ++k) {
    Budget const& budget = Contract::budgets[k];
    if (budget.measure == Measure::optimality) continue;
    for (auto const& child : schema.root.children) {
      if (child.name != budget.output) continue;
      for (std::size_t i = 0; i < answer.all.size(); ++i) {
        std::size_t const column = answer.all[i].first;
        if (column < child.column || column >= child.column + child.columns) continue;
        double digits = 0;
        if (i < truth.all.size() && truth.all[i].first == column && i < scale.all.size())
          digits = digits_right(
              answer.all[i].second, truth.all[i].second,
              budget.measure == Measure::relative ? LadderScalar(abs(truth.all[i].second)) : scale.all[i].second);
        right[k] = std::isnan(right[k]) ? digits : std::min(right[k], digits);
      }
    }
  }
}

/// `right[rung x budgets + budget]`: digits of the truth that the reference keeps, in the budget's measure; infinite if
/// all, NaN where an answer is not unique, or the case means nothing in that arithmetic.
template <class Parts>
void climb(Table const& cases, std::size_t row, Schema const& output, std::span<double> right) {
  std::size_t const budgets = Parts::Contract::budgets.size();
  auto const rung = [&](std::size_t i) { return right.subspan(i * budgets, budgets); };
  climb_one<Parts, float>(cases, row, output, rung(0));
  climb_one<Parts, double>(cases, row, output, rung(1));
  climb_one<Parts, long double>(cases, row, output, rung(2));
  climb_one<Parts, Binary128>(cases, row, output, rung(3));
  climb_one<Parts, FixedPrecision<50>>(cases, row, output, rung(4));
  climb_one<Parts, FixedPrecision<100>>(cases, row, output, rung(5));
}

}  // namespace detail
}  // namespace demeter
