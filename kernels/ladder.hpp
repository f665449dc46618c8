// The precision ladder: how many digits of the truth the reference keeps in each arithmetic. Instantiated once a
// kernel, beside its formulas in every arithmetic.
#pragma once

#include "oracles/core/interval.hpp"
#include "reference/core/binary128.hpp"
#include "reference/core/scalars.hpp"
#include "reference/spec/core/contract.hpp"
#include "reference/spec/core/table.hpp"

#include <algorithm>
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

/// Enough to hold errors of 100 digits and the squares of doubles.
inline constexpr unsigned ladder_digits = 220;
inline constexpr mpfr_prec_t ladder_bits = 700;

template <class Scalar>
Multiprecision as_ladder(Scalar const& x) {
  if constexpr (std::is_same_v<Scalar, Binary128>) {
    auto const high = static_cast<long double>(x.native());
    if (!std::isfinite(high)) return high;
    return Multiprecision(high) + Multiprecision(static_cast<long double>(x.native() - high));
  } else if constexpr (std::is_same_v<Scalar, Interval>) {
    return Multiprecision(x.low());
  } else {
    return x;
  }
}

/// The numbers of a record, with the column each belongs to.
struct NumbersByColumn {
  std::vector<std::pair<std::size_t, Multiprecision>> all;
  template <class Scalar>
  void number(std::size_t column, Scalar const& value) {
    all.emplace_back(column, as_ladder(value));
  }
  void index(std::size_t, std::size_t) {}
  void end_list(std::size_t, std::size_t) {}
};

/// The reference's answer in the thread's digits, if it is Multiprecision.
template <class Parts, class Scalar>
NumbersByColumn answer_in(typename Parts::Contract::template Input<double> const& in) {
  NumbersByColumn answer;
  append_cells(Parts::reference(cast<typename Parts::Contract::template Input<Scalar>>(in)), 0, answer);
  return answer;
}

/// Digits of the truth that an answer has: `right[budget]`, in the budget's measure.
void rate(std::span<Budget const> budgets, Schema const& output, NumbersByColumn const& answer,
          NumbersByColumn const& truth, NumbersByColumn const& scale, std::span<double> right);

/// `right[rung x budgets + budget]`: digits of the truth that the reference keeps, in the budget's measure; infinite if
/// all, NaN where an answer is not unique, or the case means nothing in that arithmetic.
template <class Parts>
void climb(Table const& cases, std::size_t row, Schema const& output, std::span<double> right) {
  using Contract = typename Parts::Contract;
  using Input = typename Contract::template Input<double>;
  using Narrow = typename Contract::template Input<float>;
  std::fill(right.begin(), right.end(), std::numeric_limits<double>::quiet_NaN());
  Precision const enough(ladder_digits);
  NumbersByColumn truth, scale;
  auto const know = [&](Input const& in) {
    truth = scale = {};
    append_cells(Parts::refined_truth(in, ladder_bits), 0, truth);
    append_cells(Contract::scale(in), 0, scale);
  };
  auto const climbed = [&](std::size_t rung, NumbersByColumn const& answer) {
    std::size_t const count = Contract::budgets.size();
    rate(Contract::budgets, output, answer, truth, scale, right.subspan(rung * count, count));
  };
  auto const in_digits = [](unsigned digits, Input const& in) {
    return with_digits(digits, [&] { return answer_in<Parts, Multiprecision>(in); });
  };
  auto const in = load<Input>(cases, row);
  // A scalar narrower than double is judged at the inputs it can hold.
  auto const narrow = cast<Narrow>(in);
  auto const rounded = cast<Input>(narrow);
  Table cells(schema_of<Input>());
  append(cells, rounded);
  bool const finite = std::all_of(cells.columns.begin(), cells.columns.end(), [](auto const& column) {
    return std::all_of(column.begin(), column.end(), [](double cell) { return std::isfinite(cell); });
  });
  if (finite && !Contract::domain_error(rounded)) {
    know(rounded);
    climbed(0, answer_in<Parts, float>(rounded));
  }
  know(in);
  climbed(1, answer_in<Parts, double>(in));
  climbed(2, answer_in<Parts, long double>(in));
  climbed(3, answer_in<Parts, Binary128>(in));
  climbed(4, in_digits(50, in));
  climbed(5, in_digits(100, in));
}

}  // namespace detail
}  // namespace demeter
