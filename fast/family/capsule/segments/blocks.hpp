// Pairs of segments in columns, solved a block of rows at a time.
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

/// Rows solved together: what is done again if one of them is out of range.
constexpr std::size_t block_rows = 128;

/// A vector's parameters and its distance are computed `lag` rows apart. One after the other, the chain of two
/// dependent divisions and a root (150 cycles) fills the processor's window with little more than one vector: 2.0 ns a
/// pair at AVX-512 for 1.35 to 1.6. Interleaving two or four vectors by hand spills and gains nothing; a pass over the
/// whole block each lets the coordinates leave the first-level cache between the two (columns a power of two apart
/// share its sets).
constexpr std::size_t lag = 4 * width;

/// `rows` rows of columns in, a multiple of the vector's width, and the columns of results. A `normalised` block has
/// rows that must be scaled: it is solved for the ends times `factor`, which is cheaper than a scaled copy.
struct Block {
  double const* in[12];
  double *distance, *s, *t;
  std::size_t rows;
  double* factor;
};

HWY_INLINE Ends<Register> load_ends(Block const& block, std::size_t j) {
  return load_columns<Register, Ends>(block.in, j);
}

/// The differences in the unit of length in which a row is solved, which is noted for `unit_ends`. Those of the scaled
/// ends, as for a row alone: scaled in passing (3 % less time in mixed_scale), subnormal ones would round otherwise.
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

/// The first row of the first vector marked.
HWY_INLINE std::size_t first_row(std::uint64_t marked) {
  return static_cast<std::size_t>(std::countr_zero(marked)) * width;
}

/// Whether a row of vector j, of this extent, must be scaled. (The ends are loaded again so that they need not be
/// kept.)
HWY_INLINE bool must_scale(Block const& block, std::size_t j, Register extent) {
  auto const fits = in_range(extent);
  if (HWY_LIKELY(all(fits))) return false;
  return !all(either(fits, coincident(load_ends(block, j))));
}

/// From the first pass of solve_both to the other two.
template <class Number>
struct BothWays {
  Parameters<Number> by_gram;  ///< 0 where no lane may be sound
  Number soundness;
  Rough<Number> by_cross;
};

/// Solves by the Gram equations and by cross products at once and takes the former where they are sound: for blocks
/// with many rows that need the latter, faster than one after the other. `hard` counts the unsound rows. False if a row
/// is out of range, unless the block is `normalised`. Three passes, for the same reason as the lag: one vector is a
/// chain of 300 cycles.
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

/// Solves again the rows not `settled` in the vectors marked, and counts them. They are packed together first, as a
/// vector costs the same however many of its rows are hard (global_scale, a third of whose rows are: 2.75 times a
/// typical row for 3.1 at AVX2).
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
  // The last vector is filled up with points.
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

/// From one half of solve_easy to the other.
template <class Number>
struct Easy {
  Parameters<Number> at;
  Number extent, soundness;
};

/// Solves by the Gram equations, and again where they are not sound; `hard` counts such rows. False if a
/// row is out of range, unless the block is `normalised`: the results are then unfinished.
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

/// The kind of the last block. The next block is tried as that kind first; no result depends on it.
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
  // Where every fourth row is hard, solving by both pays; at AVX2, with half the registers, every second.
  expect.hard = (width == 8 ? 4 : 2) * hard > block.rows;
  return true;
}

/// A block with rows out of range.
HWY_NOINLINE void solve_normalised(Block const& block, Expectation& expect) {
  HWY_ALIGN double factors[block_rows];
  Block with_factors = block;
  with_factors.factor = factors;
  solve<true>(with_factors, expect);
  for (std::size_t j = 0; block.distance != nullptr && j < block.rows; j += width)
    store(unscaled(load(block.distance + j), load(factors + j)), block.distance + j);
  // The first rows speak for all.
  expect.out_of_range = !all(load(factors) == 1.0);
}

HWY_INLINE void solve_block(Block const& block, Expectation& expect) {
  if (HWY_UNLIKELY(expect.out_of_range) || !solve<false>(block, expect)) solve_normalised(block, expect);
}

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
