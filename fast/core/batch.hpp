// Loops over the rows of a batch in columns. Full SIMD vectors come first. The remaining rows are copied into one
// padded vector.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_CORE_BATCH) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_CORE_BATCH
#undef DEMETER_FAST_CORE_BATCH
#else
#define DEMETER_FAST_CORE_BATCH
#endif

#include "fast/core/lanes.hpp"

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace demeter::lanes::HWY_NAMESPACE {

/// Returns the numbers of column k from `row` on: one number, or one SIMD vector of numbers.
template <class Number>
struct LoadColumn {
  double const* const* columns;
  std::size_t row;

  HWY_INLINE Number operator()(std::size_t k) const { return load_as<Number>(columns[k] + row); }
};

/// Stores one value, or one SIMD vector of values, to column k from `row` on. A null column is skipped.
template <class Number>
struct StoreColumn {
  double* const* columns;
  std::size_t row;

  HWY_INLINE void operator()(std::size_t k, Number value) const {
    if (columns[k] != nullptr) store(value, columns[k] + row);
  }
};

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// The columns from row `first` on. A kernel copies the addresses of the columns before its loop. Without the copy, the
/// compiler must assume that a store changes the addresses. It would load them again for every vector.
template <std::size_t inputs, std::size_t outputs>
struct Columns {
  double const* const* from;
  double* const* to;
  std::size_t first;

  HWY_INLINE double const* in(std::size_t k) const { return from[k] + first; }
  HWY_INLINE double* out(std::size_t k) const { return to[k] == nullptr ? nullptr : to[k] + first; }
};

/// Calls solve(columns, rows) for at most `block` rows at a time. `block` is a multiple of the vector width. If the
/// last rows do not fill a vector, they are solved in a copy that is padded with the last row. A null output column
/// stays null.
template <std::size_t inputs, std::size_t outputs, class Solve>
HWY_INLINE void for_whole_vectors(std::size_t n, double const* const in[], double* const out[], std::size_t block,
                                  Solve const& solve) {
  std::size_t const full = n - n % width;
  for (std::size_t i = 0; i < full; i += block)
    solve(Columns<inputs, outputs>{in, out, i}, full - i < block ? full - i : block);
  if (full == n) return;
  double rows[inputs][width];
  double results[outputs][width];
  double const* from[inputs];
  double* to[outputs];
  for (std::size_t k = 0; k < inputs; ++k) {
    for (std::size_t j = 0; j < width; ++j) rows[k][j] = in[k][full + j < n ? full + j : n - 1];
    from[k] = rows[k];
  }
  for (std::size_t k = 0; k < outputs; ++k) to[k] = out[k] == nullptr ? nullptr : results[k];
  solve(Columns<inputs, outputs>{from, to, 0}, width);
  for (std::size_t k = 0; k < outputs; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; full + j < n; ++j) out[k][full + j] = results[k][j];
  }
}

/// Calls solve(from, to, j) for every vector of rows. The vector begins at row j of the columns `from` and `to`.
template <std::size_t inputs, std::size_t outputs, class Solve>
HWY_INLINE void for_each_vector(std::size_t n, double const* const in[], double* const out[], Solve const& solve) {
  auto const solve_rows = [&solve](Columns<inputs, outputs> const& columns, std::size_t rows) HWY_ATTR {
    double const* from[inputs];
    double* to[outputs];
    for (std::size_t k = 0; k < inputs; ++k) from[k] = columns.in(k);
    for (std::size_t k = 0; k < outputs; ++k) to[k] = columns.out(k);
    for (std::size_t j = 0; j < rows; j += width) solve(from, to, j);
  };
  for_whole_vectors<inputs, outputs>(n, in, out, n, solve_rows);
}

/// Answers the rows one vector at a time. `solve` takes a record with one SIMD vector per input column. It returns a
/// record with one SIMD vector per output column.
template <template <class> class Record, auto solve>
HWY_INLINE void solve_vectors(std::size_t n, double const* const in[], double* const out[]) {
  using Given = Record<Register>;
  using Answer = decltype(solve(std::declval<Given const&>()));
  auto const answer = [](double const* const* from, double* const* to, std::size_t j)
                          HWY_ATTR { store_columns(solve(load_columns<Register, Record>(from, j)), to, j); };
  for_each_vector<sizeof(Given) / sizeof(Register), sizeof(Answer) / sizeof(Register)>(n, in, out, answer);
}

/// Answers the rows one vector at a time. `solve(load, put)` loads the columns and stores the results one by one.
template <std::size_t inputs, std::size_t outputs, auto solve>
HWY_INLINE void solve_vectors(std::size_t n, double const* const in[], double* const out[]) {
  auto const answer = [](double const* const* from, double* const* to, std::size_t j) HWY_ATTR {
    solve(LoadColumn<Register>{from, j}, StoreColumn<Register>{to, j});
  };
  for_each_vector<inputs, outputs>(n, in, out, answer);
}

#endif

#if HWY_ONCE

/// Answer the rows one at a time. `solve` has the same form as in the two overloads of solve_vectors.
template <template <class> class Record, auto solve>
HWY_INLINE void solve_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) store_columns(solve(load_columns<double, Record>(in, i)), out, i);
}
template <auto solve>
HWY_INLINE void solve_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) solve(LoadColumn<double>{in, i}, StoreColumn<double>{out, i});
}

#endif

}  // namespace demeter::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
