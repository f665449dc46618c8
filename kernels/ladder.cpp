#include "kernels/ladder.hpp"

#include "reference/core/binary128.hpp"
#include "reference/core/scalars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter {
namespace {

/// Precision of the truth. It is enough for squares of doubles, and to measure errors of results with 100 digits.
constexpr unsigned ladder_digits = 220;
constexpr mpfr_prec_t ladder_bits = 700;

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

/// Returns row `row` of a table as a table of another number type with one row.
template <class To, class From, class Convert>
BasicTable<To> converted(Schema const& schema, BasicTable<From> const& from, std::size_t row, Convert const& convert) {
  auto to = empty_table<To>(schema);
  append_row_as(schema, to, from, row,
                [&](std::size_t column, std::size_t at) -> To { return convert(from.columns[column][at]); });
  return to;
}
template <class From>
BasicTable<Multiprecision> to_ladder(Schema const& schema, BasicTable<From> const& from) {
  return converted<Multiprecision>(schema, from, 0, [](From const& x) { return as_ladder(x); });
}

/// Returns -log10 of the error divided by the base: the number of correct digits.
double digits_right(Multiprecision const& value, Multiprecision const& truth, Multiprecision const& base) {
  if (!isfinite(value)) return 0;
  Multiprecision const error = abs(value - truth);
  if (error == 0) return std::numeric_limits<double>::infinity();
  if (base == 0) return 0;
  return std::max(0.0, -static_cast<double>(log10(error / base)));
}

/// Truth and scale of one case, as tables of one row.
struct Known {
  BasicTable<Multiprecision> truth, scale;
};

/// Computes the number of correct digits of an answer, `right[budget]`, in the measure of the budget.
void rate(Kernel const& kernel, BasicTable<Multiprecision> const& answer, Known const& known, std::span<double> right) {
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    Budget const& budget = kernel.budgets[k];
    if (budget.measure == Measure::optimality) continue;
    Node const& node = kernel.output.root.children[kernel.budgeted[k]];
    for (std::size_t column = node.column; column < node.column + node.columns; ++column) {
      if (kernel.output.columns[column].kind != ColumnInfo::Kind::number) continue;
      auto const &answers = answer.columns[column], &truths = known.truth.columns[column];
      auto const& scales = known.scale.columns[column];
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (budget.measure == Measure::scale && i < scales.size() && isnan(scales[i])) continue;
        double digits = 0;
        if (answers.size() == truths.size() && answers.size() == scales.size())
          digits =
              digits_right(answers[i], truths[i], budget.measure == Measure::relative ? abs(truths[i]) : scales[i]);
        right[k] = std::isnan(right[k]) ? digits : std::min(right[k], digits);
      }
    }
  }
}

}  // namespace

void climb(Kernel const& kernel, Table const& cases, std::size_t row, std::span<double> right) {
  std::fill(right.begin(), right.end(), std::numeric_limits<double>::quiet_NaN());
  Precision const enough(ladder_digits);
  Schema const &input = kernel.input, &output = kernel.output;
  FormulaRows const& evaluate = kernel.evaluate;
  auto const know = [&](Table const& of, std::size_t at) {
    auto truth = empty_table<Interval>(output);
    auto scale = empty_table<long double>(output);
    kernel.oracle.refined_truth(of, at, ladder_bits, truth);
    kernel.oracle.scale(of, at, converted<Enclosure>(output, truth, 0, enclosure_of), 0, scale);
    return Known{to_ladder(output, truth), to_ladder(output, scale)};
  };
  auto const climbed = [&]<class Scalar>(std::size_t rung, EvaluateRow<Scalar> answer, BasicTable<Scalar> const& in,
                                         Known const& known) {
    auto answers = empty_table<Scalar>(output);
    answer(0, in, 0, answers);
    std::size_t const count = kernel.budgets.size();
    rate(kernel, to_ladder(output, answers), known, right.subspan(rung * count, count));
  };
  auto const in_digits = [&](unsigned digits) {
    auto answers = empty_table<Multiprecision>(output);
    with_digits(digits, [&] {
      auto const in = converted<Multiprecision>(input, cases, row, [](double x) { return Multiprecision(x); });
      evaluate.in_multiprecision(0, in, 0, answers);
      return 0;
    });
    return answers;
  };
  // Rounds the inputs to float, because float is narrower than double. The reference in float is judged at the rounded
  // inputs.
  auto const narrow = converted<float>(input, cases, row, [](double x) { return static_cast<float>(x); });
  Table rounded(input);
  append_row_as(input, rounded, narrow, 0,
                [&](std::size_t column, std::size_t at) -> double { return narrow.columns[column][at]; });
  if (!kernel.domain_error(rounded, 0)) climbed(0, evaluate.in_float, narrow, know(rounded, 0));
  Known const known = know(cases, row);
  auto const in = converted<double>(input, cases, row, [](double x) { return x; });
  climbed(1, evaluate.in_double, in, known);
  climbed(2, evaluate.in_long_double, converted<long double>(input, in, 0, [](double x) { return x; }), known);
  climbed(3, evaluate.in_binary128, converted<Binary128>(input, in, 0, [](double x) { return Binary128(x); }), known);
  std::size_t const count = kernel.budgets.size();
  rate(kernel, in_digits(50), known, right.subspan(4 * count, count));
  rate(kernel, in_digits(100), known, right.subspan(5 * count, count));
}

}  // namespace demeter
