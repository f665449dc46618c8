// Distances of pairs of segments in columns, solved one block of rows at a time.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_BLOCKS) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_BLOCKS
#undef DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_BLOCKS
#else
#define DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_BLOCKS
#endif

#include "fast/core/batch.hpp"
#include "fast/family/capsule/segments/formula.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Rows per block. If one row of a block is out of range, the whole block is solved again.
constexpr std::size_t block_rows = 128;

/// The computation of the distance is this number of rows behind the computation of the parameters. With lag = 0, the
/// chain of two dependent divisions and a root of a vector (150 cycles) would fill the reorder window with little more
/// than one vector: 2.0 ns per pair instead of 1.35 to 1.6 (AVX-512).
///
/// Two alternatives are slower. Interleaving two or four vectors by hand spills registers. With two passes over the
/// whole block, the coordinates leave the first-level cache between the passes (columns that are a power of two apart
/// share cache sets).
constexpr std::size_t lag = 4 * width;

/// The input and result columns of a block. `rows` is a multiple of the vector width. A `normalised` block has rows
/// that must be scaled: its ends are multiplied by `factor` each time they are loaded. This takes less time than a
/// scaled copy.
struct Block {
  double const* in[12];
  double *distance, *s, *t;
  std::size_t rows;
  double* factor;
};

HWY_INLINE Ends<Register> load_ends(Block const& block, std::size_t j) {
  return load_columns<Register, Ends>(block.in, j);
}

/// Returns the differences in the unit of length in which a row is solved. For a normalised block, also stores the
/// factor of this unit for unit_ends(). The ends are scaled before the subtraction, as for a single row. Scaling the
/// differences instead takes 3 % less time in mixed_scale, but subnormal numbers would be rounded differently.
template <bool normalised>
HWY_INLINE Differences<Register> unit_differences(Block const& block, std::size_t j) {
  auto const ends = load_ends(block, j);
  if constexpr (!normalised) return differences(ends);
  auto const factor = factor_out_of_range(ends);
  store(factor, block.factor + j);
  return differences(scaled(ends, factor));
}

template <bool normalised>
HWY_INLINE Ends<Register> unit_ends(Block const& block, std::size_t j) {
  auto const ends = load_ends(block, j);
  if constexpr (!normalised) return ends;
  return scaled(ends, load(block.factor + j));
}

/// Returns the first row of the first marked vector.
HWY_INLINE std::size_t first_row(std::uint64_t marked) {
  return static_cast<std::size_t>(std::countr_zero(marked)) * width;
}

/// Returns true if a row of vector j, with this extent, must be scaled. (The ends are loaded again, because they would
/// otherwise occupy registers.)
HWY_INLINE bool must_scale(Block const& block, std::size_t j, Register extent) {
  auto const fits = in_range(extent);
  if (HWY_LIKELY(all(fits))) return false;
  return !all(either(fits, coincident(load_ends(block, j))));
}

/// Results of the first pass of solve_both, used by the other two passes.
template <class Number>
struct BothWays {
  Parameters<Number> by_gram;  ///< 0 if the Gram equations cannot be sound in any lane
  Number soundness;
  Rough<Number> by_cross;
};

/// Solves all rows by the Gram equations and by cross products, and uses the Gram solution where it is sound. If many
/// rows need cross products, this is faster than first one method and then the other. `hard` is set to the number of
/// unsound rows. Returns false if a row is out of range and the block is not `normalised`.
///
/// There are three passes for the same reason as for `lag`: the operations for one vector are a dependency chain of 300
/// cycles.
template <bool normalised>
HWY_NOINLINE bool solve_both(Block const& block, std::size_t& hard) {
  Saved<BothWays, block_rows> solved;
  for (std::size_t j = 0; j < block.rows; j += width) {
    auto const of_ends = unit_differences<normalised>(block, j);
    auto const of = products(of_ends);
    if (!normalised && must_scale(block, j, of.extent)) return false;
    auto const equations = gram(of);
    Parameters<Register> by_gram = {set<Register>(0.0), set<Register>(0.0)};
    if (!none(may_be_sound(equations.soundness))) by_gram = solve_gram(of, equations);
    solved.store(j, {by_gram, equations.soundness, solve_cross(of_ends, of)});
  }
  Saved<Connection, block_rows> connections;
  hard = 0;
  for (std::size_t j = 0; j < block.rows; j += width) {
    auto const ends = unit_ends<normalised>(block, j);
    auto const rough = solved.load(j).by_cross;
    auto refined = refine(ends, rough);
    auto& [at, connection] = refined;
    auto const soundness = solved.load(j).soundness;
    if (none(may_be_sound(soundness))) {
      hard += width;
    } else {
      auto const easy_at = solved.load(j).by_gram;
      auto const easy = connect(ends, easy_at);
      auto const good = sound(rough.extent, soundness, easy);
      hard += width - count(good);
      if (!none(good)) {
        connection.v = select(good, easy.v, connection.v);
        connection.error = select(good, easy.error, connection.error);
        at.s = select(good, easy_at.s, at.s);
        at.t = select(good, easy_at.t, at.t);
      }
    }
    connections.store(j, connection);
    if (block.s != nullptr) store(at.s, block.s + j);
    if (block.t != nullptr) store(at.t, block.t + j);
  }
  for (std::size_t j = 0; block.distance != nullptr && j < block.rows; j += width)
    store(refined_length(connections.load(j), solved.load(j).by_cross.extent), block.distance + j);
  return true;
}

/// Solves the unsound rows of the marked vectors again, and returns their number. `settled` has a mask of the sound
/// rows. The unsound rows are first packed into full vectors, because the cost of a vector does not depend on the
/// number of its rows that are used. In global_scale a third of the rows are unsound. With packing, a row of
/// global_scale takes 2.75 times as long as a typical row instead of 3.1 times (AVX2).
template <bool normalised>
HWY_NOINLINE std::size_t solve_hard(Block const& block, double const* settled, std::uint64_t marked) {
  HWY_ALIGN double ends[12][block_rows + width];
  auto const hard = [settled](std::size_t j) HWY_ATTR { return no(load_mask(settled + j)); };
  Block packed{};
  for (std::size_t k = 0; k < 12; ++k) packed.in[k] = ends[k];
  for (auto bits = marked; bits != 0; bits &= bits - 1) {
    auto const j = first_row(bits);
    auto const rows = hard(j);
    auto const pack = [&ends, &packed, rows](std::size_t k, Triple<Register> const& point) HWY_ATTR {
      store_packed(point.x, rows, ends[k] + packed.rows);
      store_packed(point.y, rows, ends[k + 1] + packed.rows);
      store_packed(point.z, rows, ends[k + 2] + packed.rows);
    };
    auto const of = unit_ends<normalised>(block, j);
    pack(0, of.p0);
    pack(3, of.p1);
    pack(6, of.q0);
    pack(9, of.q1);
    packed.rows += count(rows);
  }
  // The last vector is padded with zero-length segments.
  for (std::size_t k = 0; k < 12; ++k) store(set<Register>(0.0), ends[k] + packed.rows);
  Saved<Rough, block_rows> solved;
  for (std::size_t j = 0; j < packed.rows; j += width) {
    auto const of_ends = differences(load_ends(packed, j));
    solved.store(j, solve_cross(of_ends, products(of_ends)));
  }
  HWY_ALIGN double results[3][block_rows + width];
  for (std::size_t j = 0; j < packed.rows; j += width) {
    auto const rough = solved.load(j);
    auto const [at, connection] = refine(load_ends(packed, j), rough);
    store(refined_length(connection, rough.extent), results[0] + j);
    store(at.s, results[1] + j);
    store(at.t, results[2] + j);
  }
  std::size_t from = 0;
  for (auto bits = marked; bits != 0; bits &= bits - 1) {
    auto const j = first_row(bits);
    auto const rows = hard(j);
    auto const replace = [&results, rows, from, j](std::size_t k, double* column) HWY_ATTR {
      if (column == nullptr) return;
      store(unpack(load(results[k] + from), rows, load(column + j)), column + j);
    };
    replace(0, block.distance);
    replace(1, block.s);
    replace(2, block.t);
    from += count(rows);
  }
  return packed.rows;
}

/// Results of the first half of solve_easy, used by the second half.
template <class Number>
struct Easy {
  Parameters<Number> at;
  Number extent, soundness;
};

/// Solves by the Gram equations, then solves the unsound rows again. `hard` is set to the number of unsound rows.
/// Returns false if a row is out of range and the block is not `normalised`. The results are then incomplete.
template <bool normalised>
HWY_INLINE bool solve_easy(Block const& block, std::size_t& hard) {
  Saved<Easy, lag> solved;
  HWY_ALIGN double settled[block_rows];
  std::uint64_t unsettled = 0;
  for (std::size_t j = 0; j < block.rows + lag; j += width) {
    std::size_t const slot = j % lag;
    if (j >= lag) {
      auto const i = j - lag;
      auto const [at, extent, soundness] = solved.load(slot);
      auto const connection = connect(unit_ends<normalised>(block, i), at);
      auto const good = sound(extent, soundness, connection);
      if (block.distance != nullptr && HWY_LIKELY(!none(good))) store(length(connection), block.distance + i);
      if (block.s != nullptr) store(at.s, block.s + i);
      if (block.t != nullptr) store(at.t, block.t + i);
      if (HWY_UNLIKELY(!all(good))) {
        store_mask(good, settled + i);
        unsettled |= std::uint64_t{1} << i / width;
      }
    }
    if (j < block.rows) {
      auto const of = products(unit_differences<normalised>(block, j));
      if (!normalised && must_scale(block, j, of.extent)) return false;
      auto const equations = gram(of);
      solved.store(slot, {solve_gram(of, equations), of.extent, equations.soundness});
    }
  }
  if (HWY_UNLIKELY(unsettled != 0)) hard = solve_hard<normalised>(block, settled, unsettled);
  return true;
}

/// Properties of the previous block. The next block is first solved as if it had the same properties. The results do
/// not depend on this choice.
struct Expectation {
  bool out_of_range = false;
  bool hard = false;
};

template <bool normalised>
HWY_INLINE bool solve(Block const& block, Expectation& expect) {
  std::size_t hard = 0;
  bool const solved =
      HWY_UNLIKELY(expect.hard) ? solve_both<normalised>(block, hard) : solve_easy<normalised>(block, hard);
  if (!solved) return false;
  // solve_both() is faster if more than every fourth row is hard. AVX2 has half the registers: there it is faster if
  // more than every second row is hard.
  expect.hard = (width == 8 ? 4 : 2) * hard > block.rows;
  return true;
}

/// Solves a block that has rows out of range.
HWY_NOINLINE void solve_normalised(Block const& block, Expectation& expect) {
  HWY_ALIGN double factors[block_rows];
  Block with_factors = block;
  with_factors.factor = factors;
  solve<true>(with_factors, expect);
  for (std::size_t j = 0; block.distance != nullptr && j < block.rows; j += width)
    store(unscaled(load(block.distance + j), load(factors + j)), block.distance + j);
  // If a row of the first vector was scaled, the next block is first treated as out of range.
  expect.out_of_range = !all(load(factors) == 1.0);
}

HWY_INLINE void solve_block(Block const& block, Expectation& expect) {
  if (HWY_UNLIKELY(expect.out_of_range) || !solve<false>(block, expect)) solve_normalised(block, expect);
}

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
