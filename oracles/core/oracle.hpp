// A kernel's oracle as functions on rows of tables, and a table of its truths. make_oracle.hpp builds the oracle from
// the kernel's own file.
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

/// The truths of all cases of a table, in output columns. Only one thread at a time may judge with it.
struct Truths {
  BasicTable<Enclosure> outputs;
  BasicTable<long double> scales;  ///< the S of the contract, for errors that are not measured relative to the truth
  Table conditions{};              ///< has no columns if the oracle does not define a condition
  /// Cache of refined truths, by row and bits. Many subjects are judged by the same truth. If the enclosure of a truth
  /// leaves one subject undecided, it usually leaves most subjects undecided. Without the cache, refinement took three
  /// quarters of the time for 64 mutants of a union.
  mutable std::map<std::pair<std::size_t, mpfr_prec_t>, BasicTable<Interval>> refined{};
};

/// The functions of an oracle for case `row` of a table. `OracleHooks` documents them. The first five append a row to a
/// table in output columns. `condition`, `excess` and `refined_excess` are null if the kernel does not define them.
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
  /// Appends the scale of a formula that is a combination of choices. Null if the kernel has no choices.
  void (*scale_of_combination)(std::size_t code, Table const& cases, std::size_t row,
                               BasicTable<long double>&) = nullptr;
  std::uint64_t case_divisor = 1;
};

/// Returns the truths of all cases, or only of the first cases if `*stop` is set during the run.
Truths truths_of(Oracle const&, Schema const& output, Table const& cases, std::atomic<bool> const* stop = nullptr);

}  // namespace demeter
