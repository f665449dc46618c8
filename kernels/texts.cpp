#include "kernels/texts.hpp"

#include "kernels/kernel.hpp"
#include "reference/core/exact.hpp"
#include "reference/core/scalars.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {
std::string detail::enclosure_text(Enclosure const& truth, bool certain) {
  // A long double has no bits below 2^-16400. Therefore 192 bits represent high + low exactly, unless low is so far
  // below high that 30 digits do not show it.
  mpfr_t high, low;
  mpfr_init2(high, 192);
  mpfr_init2(low, 64);
  mpfr_set_ld(high, truth.high, MPFR_RNDN);
  mpfr_set_ld(low, truth.low, MPFR_RNDN);
  mpfr_add(high, high, low, MPFR_RNDN);
  double const digits = std::log10(std::fabs(static_cast<double>(truth.high / truth.radius)));
  bool const all = !certain || truth.radius == 0 || digits > 30;
  std::string text = all ? decimal(high, 30) : digits > 0 ? decimal(high, static_cast<unsigned>(digits) + 1) : "0";
  if (all && text.find('.') != std::string::npos) {
    // Trailing zeros of an exact value are redundant.
    std::size_t const exponent = std::min(text.find('e'), text.size());
    std::size_t last = text.find_last_not_of('0', exponent - 1);
    if (text[last] == '.') --last;
    text.erase(last + 1, exponent - last - 1);
  }
  mpfr_clear(high);
  mpfr_clear(low);
  return text;
}

namespace {

void append_enclosures(Schema const& output, BasicTable<Enclosure> const& truths, std::size_t row, bool certain,
                       TextTable& into) {
  append_row_as(output, into, truths, row, [&](std::size_t column, std::size_t at) {
    Enclosure const& truth = truths.columns[column][at];
    return std::isinf(truth.radius) ? std::string() : detail::enclosure_text(truth, certain);
  });
}

/// Returns all digits of a binary floating-point number, but at most `digits`.
std::string exactly(long double value, mpfr_prec_t precision, unsigned digits) {
  mpfr_t exact;
  mpfr_init2(exact, precision);
  mpfr_set_ld(exact, value, MPFR_RNDN);
  std::string text = decimal(exact, digits);
  mpfr_clear(exact);
  return text;
}
std::string number_text(double value, unsigned digits) {
  return digits <= 17 ? shortest(value) : exactly(value, 53, digits);
}
std::string number_text(long double value, unsigned digits) {
  return digits <= 17 ? shortest(static_cast<double>(value)) : exactly(value, 64, digits);
}
std::string number_text(Multiprecision const& value, unsigned digits) {
  if (mpfr_zero_p(value.get())) return "0";  // a real number has no -0
  return digits <= 17 ? shortest(static_cast<double>(value)) : decimal(value.get(), digits);
}

/// Appends the answer of a formula, computed in the arithmetic of the cells.
template <class Scalar>
void append_answer(Schema const& output, EvaluateRow<Scalar> evaluate, std::size_t formula, unsigned digits,
                   BasicTable<Scalar> const& cases, std::size_t row, TextTable& into) {
  auto answers = empty_table<Scalar>(output);
  evaluate(formula, cases, row, answers);
  append_row_as(output, into, answers, 0,
                [&](std::size_t column, std::size_t at) { return number_text(answers.columns[column][at], digits); });
}

/// Returns the number of bits from the highest to the lowest set bit among the doubles of a case and the number 1. With
/// a multiple of this precision, sums and products of the numbers are exact. This is also true for terms of different
/// degree, such as T + x F.
unsigned bit_span(Schema const& schema, Table const& cases, std::size_t row) {
  int highest = 1, lowest = 0;  // the number 1 needs these bits
  auto const look = [&](double value) {
    if (value == 0 || !std::isfinite(value)) return;
    int exponent;
    auto bits = static_cast<long long>(std::ldexp(std::frexp(value, &exponent), 53));
    highest = std::max(highest, exponent);
    lowest = std::min(lowest, exponent - 53 + __builtin_ctzll(static_cast<unsigned long long>(bits)));
  };
  // Uses whole lists, not only the part of this row: an upper bound is enough.
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != ColumnInfo::Kind::number) continue;
    if (schema.columns[i].list == Schema::top) {
      look(cases.columns[i][row]);
    } else {
      for (double const value : cases.columns[i]) look(value);
    }
  }
  return static_cast<unsigned>(highest - lowest);
}

/// Returns true if a cell is 0 or so small that it may be a rounding error at this precision (below 10^-(precision /
/// 2)).
bool vanishes(std::string const& text, unsigned precision) {
  auto const exponent = text.find('e');
  if (exponent == std::string::npos) return text == "0" || text == "-0";
  return std::stol(text.substr(exponent + 1)) < -static_cast<long>(precision / 2);
}

/// Returns true if every cell of an output with a budget (`counts`, per column) is the same at two successive
/// precisions.
///
/// An exact 0 may be computed as a rounding error, if terms such as roots cancel. The error becomes smaller with each
/// higher precision. Such a cell is set to 0. This is safe after three doublings of the first precision: the first
/// precision represents all polynomials of the inputs exactly, and then no ratio of polynomials can be so small.
bool settle(TextTable& before, TextTable const& after, std::vector<bool> const& counts, unsigned precision,
            unsigned first) {
  bool settled = true;
  for (std::size_t i = 0; i < after.columns.size(); ++i) {
    if (!counts[i]) continue;
    if (before.columns[i].size() != after.columns[i].size()) return false;
    for (std::size_t k = 0; k < after.columns[i].size(); ++k) {
      auto& cell = before.columns[i][k];
      if (cell == after.columns[i][k]) continue;
      bool const nothing =
          precision >= 8 * first && vanishes(cell, precision / 2) && vanishes(after.columns[i][k], precision);
      if (nothing) cell = "0";
      settled &= nothing;
    }
  }
  return settled;
}

}  // namespace

void Kernel::truth_text(Truths const& truths, std::size_t row, TextTable& into) const {
  append_enclosures(output, truths.outputs, row, false, into);
}

void Kernel::certain_text(Truths const& truths, std::size_t row, TextTable& into) const {
  append_enclosures(output, truths.outputs, row, true, into);
}

void Kernel::evaluate_text(std::size_t formula, Arithmetic arithmetic, unsigned digits, Table const& cases,
                           std::size_t row, TextTable& into) const {
  std::vector<bool> const left = left_out(formula);
  auto const leave_out = [&](TextTable& text) {
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] && this->output.columns[i].kind != ColumnInfo::Kind::presence) text.columns[i].back().clear();
  };
  auto const at_precision = [&](unsigned precision, TextTable& text) {
    Precision const guard(precision);
    append_answer(output, evaluate.in_multiprecision, formula, digits, exact_row(input, cases, row), 0, text);
  };
  switch (arithmetic.kind) {
    case Arithmetic::Kind::binary64:
      append_answer<double>(output, evaluate.in_double, formula, digits, cases, row, into);
      return leave_out(into);
    case Arithmetic::Kind::long_double: {
      auto wide = empty_table<long double>(input);
      append_row_as(input, wide, cases, row,
                    [&](std::size_t column, std::size_t at) -> long double { return cases.columns[column][at]; });
      append_answer(output, evaluate.in_long_double, formula, digits, wide, 0, into);
      return leave_out(into);
    }
    case Arithmetic::Kind::multiprecision:
      at_precision(arithmetic.digits, into);
      return leave_out(into);
    case Arithmetic::Kind::rounded: {
      // Ziv's strategy. Starts at a precision at which polynomials of the inputs (up to degree 8) are exact. Doubles
      // the precision until the texts of all outputs with a budget are equal at two successive precisions. For some
      // results and iterations, the texts never become equal. Then the loop stops at 4096 digits, or after one doubling
      // if the first precision is higher. (Exact ties do no harm: a root cannot be a tie, and a ratio that is a tie is
      // computed exactly.)
      unsigned const first = digits + 20 + bit_span(input, cases, row) * 8 * 31 / 100;
      std::vector<bool> counts(output.columns.size());
      for (std::size_t const of : budgeted) {
        Node const& node = output.root.children[of];
        for (std::size_t i = node.column; i < node.column + node.columns; ++i) counts[i] = !left[i];
      }
      TextTable before = empty_text(output), after;
      at_precision(first, before);
      for (unsigned precision = 2 * first; precision <= std::max(4096U, 2 * first); precision *= 2) {
        after = empty_text(output);
        at_precision(precision, after);
        if (settle(before, after, counts, precision, first)) break;
        std::swap(before, after);
      }
      append_row_as(output, into, before, 0,
                    [&](std::size_t column, std::size_t at) { return before.columns[column][at]; });
      return leave_out(into);
    }
  }
}

}  // namespace demeter
