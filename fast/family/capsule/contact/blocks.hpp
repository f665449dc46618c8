// Contacts of pairs of capsules in columns, solved one block of rows at a time.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CAPSULE_CONTACT_BLOCKS) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_BLOCKS
#undef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_BLOCKS
#else
#define DEMETER_FAST_FAMILY_CAPSULE_CONTACT_BLOCKS
#endif

#include "fast/core/batch.hpp"
#include "fast/family/capsule/contact/formula.hpp"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::size_t columns_in = 14;
constexpr std::size_t columns_out = 8;

/// Rows per block. If one row of a block is out of range, the whole block is solved again.
constexpr std::size_t block_rows = 128;

/// Software-prefetch distance in rows, for batches streamed from memory: 13.7 ns per pair instead of 16.0 (AVX2). The
/// hardware prefetcher tracks fewer streams than there are columns. (In segment_distance a prefetch saves 4 % for
/// batches from memory and costs 1 % for batches in cache.)
constexpr std::size_t rows_ahead = 32;
constexpr std::size_t rows_in_cache = 1 << 13;

/// Each stage of solve_stages() is this number of rows behind the stage before it.
constexpr std::size_t lag = 4 * width;

/// Number of rows whose intermediate results are stored at the same time.
constexpr std::size_t ring = 4 * lag;

/// The columns of a block. `rows` is a multiple of the vector width. Null output columns are skipped. In a normalised
/// block, each row has its own unit of length and its own origin. `units` and `centre1` convert its results to the
/// unit and the origin of the caller.
struct Block {
  double const* in[columns_in];
  double const* centre1[3];
  double const* units;
  double* out[columns_out];
  std::size_t rows;
  bool from_memory;

  bool contact() const {
    for (std::size_t k = 1; k < 7; ++k)
      if (out[k] != nullptr) return true;
    return false;
  }
};

HWY_INLINE Triple<Register> load_triple(double const* const columns[], std::size_t j) {
  return {load(columns[0] + j), load(columns[1] + j), load(columns[2] + j)};
}

HWY_INLINE Capsules<Register> load_capsules(Block const& block, std::size_t j) {
  return load_columns<Register, Capsules>(block.in, j);
}

HWY_INLINE void put(double* column, std::size_t j, Register x) {
  if (column != nullptr) store(x, column + j);
}

/// Loads the members one by one. g++ would copy whole triples through the stack: 9.0 ns per pair instead of 5.6 (AVX2).
HWY_INLINE Pair<Register> load_pair(Block const& block, std::size_t j) {
  auto const column = [&block, j](std::size_t k) HWY_ATTR { return load(block.in[k] + j); };
  return {{column(7) - column(0), column(8) - column(1), column(9) - column(2)},
          {column(3), column(4), column(5)},
          {column(10), column(11), column(12)},
          column(6),
          column(13)};
}

HWY_NOINLINE Register exact_depth2_at(Block const& block, std::size_t j) {
  auto const pair = load_pair(block, j);
  auto const w_error = difference_error(load_triple(block.in + 7, j), load_triple(block.in, j));
  return exact_depth2(pair, w_error, closest(shadows_of(pair, extent_of(pair))));
}

/// Results of the first stage of solve_stages, used by the two stages after it.
template <class Number>
struct Seen {
  Shadows<Number> of;
  Number extent;
};

/// Results of the second stage of solve_stages, used by the two stages after it.
template <class Number>
struct Depth {
  Number status, depth2;
};

/// Solves a block in four stages per vector: the shadows, the gap, the places of the contact, the contact. Each stage
/// is `lag` rows behind the stage before it. With lag = 0, the chain of dependent divisions and roots of a vector (400
/// cycles) would fill the reorder window with little more than one vector: 4.5 ns per pair instead of 3.2 (AVX-512),
/// 8.8 instead of 5.6 (AVX2).
///
/// Returns false if a row is out of range and the block is not `normalised`. The results are then incomplete.
template <bool normalised, bool contact>
HWY_INLINE bool solve_stages(Block const& block) {
  Saved<Seen, ring> seen;
  Saved<Places, ring> places;
  Saved<Depth, ring> depths;
  std::size_t const rest = contact ? 3 * lag : lag;
  for (std::size_t j = 0; j < block.rows + rest; j += width) {
    if (contact && j >= 3 * lag) {
      std::size_t const i = j - 3 * lag, slot = i % ring;
      auto const pair = load_pair(block, i);
      auto const at = places.load(slot);
      auto const normal = normal_of(pair, at, depths.load(slot).status);
      put(block.out[1], i, normal.x);
      put(block.out[2], i, normal.y);
      put(block.out[3], i, normal.z);
      auto half = set<Register>(0.5);
      if (normalised) half = half * load(block.units + i);
      auto const* const centre1 = normalised ? block.centre1 : block.in;
      auto const point = fma(half, twice_to_point(pair, at, normal), load_triple(centre1, i));
      put(block.out[4], i, point.x);
      put(block.out[5], i, point.y);
      put(block.out[6], i, point.z);
    }
    if (contact && j >= 2 * lag && j < block.rows + 2 * lag) {
      std::size_t const slot = (j - 2 * lag) % ring;
      places.store(slot, centre(seen.load(slot).of, depths.load(slot).depth2));
    }
    if (j >= lag && j < block.rows + lag) {
      std::size_t const i = j - lag, slot = i % ring;
      auto const [of, extent] = seen.load(slot);
      auto gap = gap_of(load_pair(block, i), of, extent);
      if (contact) {
        auto const unsure = sensitive(of, gap, extent);
        if (HWY_UNLIKELY(!none(unsure))) gap.depth2 = select(unsure, exact_depth2_at(block, i), gap.depth2);
      }
      if (normalised) change_unit(gap, load(block.units + i));
      put(block.out[0], i, gap.uN);
      put(block.out[7], i, gap.status);
      depths.store(slot, {gap.status, gap.depth2});
    }
    if (j < block.rows) {
      if (!normalised && block.from_memory && j % 8 == 0)
        for (double const* const column : block.in) __builtin_prefetch(column + j + rows_ahead);
      auto const pair = load_pair(block, j);
      auto const extent = extent_of(pair);
      if (!normalised && HWY_UNLIKELY(!all(in_range(extent)))) return false;
      seen.store(j % ring, {shadows_of(pair, extent), extent});
    }
  }
  return true;
}

template <bool normalised>
HWY_INLINE bool solve(Block const& block) {
  return block.contact() ? solve_stages<normalised, true>(block) : solve_stages<normalised, false>(block);
}

/// Solves a block that has rows out of range, in a copy of the block. The origin of each row of the copy is centre1.
/// Only the rows out of range are scaled. Returns true if a row was scaled.
HWY_NOINLINE bool solve_normalised(Block const& block) {
  HWY_ALIGN double columns[columns_in][block_rows];
  HWY_ALIGN double units[block_rows];
  auto largest_unit = set<Register>(1.0);
  auto least_unit = set<Register>(1.0);
  for (std::size_t j = 0; j < block.rows; j += width) {
    auto const capsules = load_capsules(block, j);
    auto const scale = scale_of(capsules);
    auto const pair = scaled_pair(capsules, scale);
    auto const w_error = scaled_error(capsules, scale);
    auto const store_triple = [&columns, j](Triple<Register> const& x, std::size_t k) HWY_ATTR {
      store(x.x, columns[k] + j);
      store(x.y, columns[k + 1] + j);
      store(x.z, columns[k + 2] + j);
    };
    // centre1 of the copy is minus the rounding error of w. The difference w - centre1 then rounds to w, and its
    // rounding error equals that of w in the caller's coordinates.
    store_triple({0.0 - w_error.x, 0.0 - w_error.y, 0.0 - w_error.z}, 0);
    store_triple(pair.A, 3);
    store(pair.r1, columns[6] + j);
    store_triple(pair.w, 7);
    store_triple(pair.B, 10);
    store(pair.r2, columns[13] + j);
    store(scale.unit, units + j);
    largest_unit = maximum(largest_unit, scale.unit);
    least_unit = minimum(least_unit, scale.unit);
  }
  Block copy = block;
  for (std::size_t k = 0; k < columns_in; ++k) copy.in[k] = columns[k];
  copy.units = units;
  solve<true>(copy);
  return !all(both(largest_unit == 1.0, least_unit == 1.0));
}

#endif

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
