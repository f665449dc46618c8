// A kernel's oracle as functions over rows of tables, and the truths they give: what the judge, the texts of truths,
// the ladder and the vectors work with. Made from the kernel's own file by make_oracle.hpp.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/interval.hpp"
#include "reference/spec/core/columns.hpp"

namespace demeter {

template <>
struct IndexCell<Enclosure> {
  static std::size_t read(Enclosure const& cell) { return static_cast<std::size_t>(cell.high); }
  static Enclosure write(std::size_t index) { return {static_cast<long double>(index), 0, 0}; }
};
template <>
struct IndexCell<Interval> {
  static std::size_t read(Interval const& cell) { return mpfr_get_ui(cell.low(), MPFR_RNDN); }
  static Interval write(std::size_t index) { return Interval::exactly(static_cast<long double>(index)); }
};

/// Of every case of a table, in output columns.
struct Truths {
  BasicTable<Enclosure> outputs;
  BasicTable<long double> scales;  ///< what errors are measured by, if not by the truth: the contract's S
  Table conditions;                ///< without columns if the oracle gives none
};

/// Functions that append the row of case `row` to a table in output columns. See `OracleHooks` for what they mean;
/// condition and excess are null if the kernel has no such part.
struct Oracle {
  void (*truth)(Table const& cases, std::size_t row, BasicTable<Enclosure>&) = nullptr;
  void (*scale)(Table const& cases, std::size_t row, BasicTable<Enclosure> const& truths, std::size_t truth_row,
                BasicTable<long double>&) = nullptr;
  void (*recorded_truth)(Table const& cases, std::size_t row, BasicTable<Enclosure>&) = nullptr;
  void (*refined_truth)(Table const& cases, std::size_t row, mpfr_prec_t bits, BasicTable<Interval>&) = nullptr;
  void (*condition)(Table const& cases, std::size_t row, Table&) = nullptr;
  Enclosure (*excess)(Table const& cases, std::size_t row, BasicTable<Enclosure> const& truths, std::size_t truth_row,
                      Table const& answers, std::size_t answer_row) = nullptr;
  Interval (*refined_excess)(Table const& cases, std::size_t row, BasicTable<Interval> const& truths,
                             std::size_t truth_row, Table const& answers, std::size_t answer_row) = nullptr;
  std::uint64_t case_divisor = 1;
};

Truths truths_of(Oracle const&, Schema const& output, Table const& cases);

}  // namespace demeter
