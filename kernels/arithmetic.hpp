// Evaluation of a kernel's formulas in any arithmetic, answers as text. Instantiated once a kernel, on its own, because
// multiprecision is what takes long to compile.
#pragma once

#include "kernels/kernel.hpp"
#include "reference/core/exact.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::detail {

/// Writes cells as text.
struct TextWriter {
  TextTable& table;
  unsigned digits;

  void number(std::size_t column, double value) {
    if (digits <= 17) {
      table.columns[column].push_back(shortest(value));
    } else {
      exactly(column, value, 53);
    }
  }
  void number(std::size_t column, long double value) {
    if (digits <= 17) {
      number(column, static_cast<double>(value));
    } else {
      exactly(column, value, 64);
    }
  }
  void number(std::size_t column, Multiprecision const& value) {
    // A real number has no -0.
    if (mpfr_zero_p(value.get())) {
      table.columns[column].push_back("0");
    } else if (digits <= 17) {
      number(column, static_cast<double>(value));
    } else {
      table.columns[column].push_back(decimal(value.get(), digits));
    }
  }
  /// All the digits a binary floating-point number has, up to `digits`.
  void exactly(std::size_t column, long double value, mpfr_prec_t precision) {
    mpfr_t exact;
    mpfr_init2(exact, precision);
    mpfr_set_ld(exact, value, MPFR_RNDN);
    table.columns[column].push_back(decimal(exact, digits));
    mpfr_clear(exact);
  }
  void index(std::size_t column, std::size_t value) { table.columns[column].push_back(std::to_string(value)); }
  void end_list(std::size_t column, std::size_t size) {
    auto& offsets = table.columns[column];
    offsets.push_back(std::to_string(std::stoul(offsets.back()) + size));
  }
};

inline void clear_text(Schema const& schema, TextTable& table) {
  table.rows = 0;
  table.columns.assign(schema.columns.size(), {});
  for (std::size_t i = 0; i < schema.columns.size(); ++i)
    if (schema.columns[i].kind == ColumnInfo::Kind::offsets) table.columns[i].push_back("0");
}

/// Bits between the highest and the lowest set bit of the doubles of a case and of 1: with a multiple of them, sums and
/// products of its numbers are exact, terms of unlike degree (T + x F) included.
inline unsigned bit_span(Schema const& schema, Table const& cases, std::size_t row) {
  int highest = 1, lowest = 0;  // of 1
  auto const look = [&](double value) {
    if (value == 0 || !std::isfinite(value)) return;
    int exponent;
    auto bits = static_cast<long long>(std::ldexp(std::frexp(value, &exponent), 53));
    highest = std::max(highest, exponent);
    lowest = std::min(lowest, exponent - 53 + __builtin_ctzll(static_cast<unsigned long long>(bits)));
  };
  // Whole lists, not the one row's part of them: an upper bound is enough.
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

/// Whether a cell is nothing beside numbers of as many digits.
inline bool vanishes(std::string const& text, unsigned precision) {
  auto const exponent = text.find('e');
  if (exponent == std::string::npos) return text == "0" || text == "-0";
  return std::stol(text.substr(exponent + 1)) < -static_cast<long>(precision / 2);
}

/// Whether every cell is the same at two successive precisions. One that is smaller each time by as much as digits are
/// added is what rounding left of zero: terms that are no binary numbers cancelled. So small as it is after three
/// doublings of the first precision, which holds all polynomials of the inputs, no ratio of these can be.
inline bool settle(TextTable& before, TextTable const& after, unsigned precision, unsigned first) {
  bool settled = true;
  for (std::size_t i = 0; i < after.columns.size(); ++i) {
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

/// `Parts` is the generated bundle of the kernel's own functions; `formula` is an index into "reference" followed by
/// the printed formulas.
template <class Parts>
void evaluate_text(std::size_t formula, Arithmetic arithmetic, unsigned digits, Schema const& input_schema,
                   Schema const& output_schema, Table const& cases, std::size_t row, TextTable& out) {
  using Contract = typename Parts::Contract;
  auto const run = [&]<class Scalar>(typename Contract::template Input<Scalar> const& in) {
    typename Contract::template Output<Scalar> answer;
    if (formula == 0) answer = Parts::reference(in);
    std::size_t index = 1;
    std::apply([&](auto const&... each) { ((index++ == formula ? void(answer = each.evaluate(in)) : void()), ...); },
               Parts::formulas());
    return answer;
  };
  auto const at_precision = [&](unsigned precision, TextTable& into) {
    Precision const guard(precision);
    auto const in = load_exact<typename Contract::template Input<Multiprecision>>(cases, row);
    append_cells(run.template operator()<Multiprecision>(in), 0, TextWriter{into, digits});
    ++into.rows;
  };
  switch (arithmetic.kind) {
    case Arithmetic::Kind::binary64: {
      auto const in = load<typename Contract::template Input<double>>(cases, row);
      append_cells(run.template operator()<double>(in), 0, TextWriter{out, digits});
      ++out.rows;
      return;
    }
    case Arithmetic::Kind::long_double: {
      auto const in = load<typename Contract::template Input<long double>>(cases, row);
      append_cells(run.template operator()<long double>(in), 0, TextWriter{out, digits});
      ++out.rows;
      return;
    }
    case Arithmetic::Kind::multiprecision:
      return at_precision(arithmetic.digits, out);
    case Arithmetic::Kind::rounded: {
      // Ziv's strategy: from a precision in which polynomials of the inputs (up to degree 8) are exact, double until
      // two successive ones round to the same text. 2^16 digits end what is undecidable this way (a true tie after a
      // root cannot occur; a ratio that ties terminates and is exact).
      unsigned const first = digits + 20 + bit_span(input_schema, cases, row) * 8 * 31 / 100;
      TextTable before, after;
      clear_text(output_schema, before);
      at_precision(first, before);
      for (unsigned precision = 2 * first; precision < 65536; precision *= 2) {
        clear_text(output_schema, after);
        at_precision(precision, after);
        if (settle(before, after, precision, first)) break;
        std::swap(before, after);
      }
      for (std::size_t i = 0; i < before.columns.size(); ++i) {
        bool const offsets = output_schema.columns[i].kind == ColumnInfo::Kind::offsets;
        if (!offsets) {
          out.columns[i].insert(out.columns[i].end(), before.columns[i].begin(), before.columns[i].end());
        } else {
          unsigned long const base = std::stoul(out.columns[i].back());
          for (std::size_t k = 1; k < before.columns[i].size(); ++k)
            out.columns[i].push_back(std::to_string(base + std::stoul(before.columns[i][k])));
        }
      }
      ++out.rows;
      return;
    }
  }
}

}  // namespace demeter::detail
