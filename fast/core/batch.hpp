// The frame around a batch of rows in columns: whole vectors, and the rest in a vector of its own.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_CORE_BATCH) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_CORE_BATCH
#undef DEMETER_FAST_CORE_BATCH
#else
#define DEMETER_FAST_CORE_BATCH
#endif

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::lanes::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Columns from one row on. A kernel copies their addresses, so that no store can change them: otherwise every vector
/// would load them again.
template <std::size_t inputs, std::size_t outputs>
struct Columns {
  double const* const* from;
  double* const* to;
  std::size_t first;

  HWY_INLINE double const* in(std::size_t k) const { return from[k] + first; }
  HWY_INLINE double* out(std::size_t k) const { return to[k] == nullptr ? nullptr : to[k] + first; }
};

/// Calls solve(columns, rows) for up to `block` rows at a time, a multiple of the vectors' width. Rows that fill no
/// vector are solved in copies filled up with the last row. A null column out stays null.
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

/// Calls solve(from, to, j) for every vector of rows, which begins at row j of the columns `from` and `to`.
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

#endif

}  // namespace demeter::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
