// A kernel's oracle as functions over rows of tables, and the truths they give: what the judge, the texts of truths,
// the ladder and the vectors work with. Made from the kernel's own file by make_oracle.hpp.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/interval.hpp"
#include "reference/spec/core/columns.hpp"

#include <atomic>
#include <map>
#include <utility>

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

/// Of every case of a table, in output columns. One thread at a time may judge by it.
struct Truths {
  BasicTable<Enclosure> outputs;
  BasicTable<long double> scales;  ///< what errors are measured by, if not by the truth: the contract's S
  Table conditions{};              ///< without columns if the oracle gives none
  /// By row and bits what the judge asked for so far: many subjects are judged by the same truth, and where one is left
  /// undecided by the enclosure most are. Of 64 mutants of a union three quarters of the time went there.
  mutable std::map<std::pair<std::size_t, mpfr_prec_t>, BasicTable<Interval>> refined{};
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

/// Of all cases, or of the first of them if `stop` is given and set meanwhile.
Truths truths_of(Oracle const&, Schema const& output, Table const& cases, std::atomic<bool> const* stop = nullptr);

}  // namespace demeter
