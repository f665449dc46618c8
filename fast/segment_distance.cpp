#include "fast/segment_distance.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/core/two.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a vector of doubles, or one double. See fast/core/lanes.hpp for the words.

template <class Number>
struct Ends {
  Triple<Number> p0, p1, q0, q1;
};

/// (1-k) a + k b with two roundings: exact at both ends and, unlike a + k (b-a), free of the rounding of b-a. It costs
/// three operations more. A hill climb on d reaches, with a plain root, 10.7 uS for w + t B - s A, 10.3 for the same
/// from the nearer ends, 9.9 for this.
template <class Number>
HWY_INLINE Triple<Number> interpolate(Triple<Number> const& a, Triple<Number> const& b, Number k) {
  return fma(k, b, subtract_product(a, k, a));
}

/// Where the closest points are on the two segments.
template <class Number>
struct Parameters {
  Number s, t;
};

/// From the point s of p to the point t of q, and the rounding error of that. The error is exact where both points are
/// of about equal size, which is where it counts, and elsewhere no worse than none.
template <class Number>
struct Connection {
  Triple<Number> v, error;
};

template <class Number>
HWY_INLINE Connection<Number> connect(Ends<Number> const& ends, Parameters<Number> const& at) {
  auto const P = interpolate(ends.p0, ends.p1, at.s);
  auto const Q = interpolate(ends.q0, ends.q1, at.t);
  Connection<Number> result;
  result.v = Q - P;
  result.error = (Q - result.v) - P;
  return result;
}

/// |v + error|: the root of v.v, corrected to first order for the error of v, the last and largest rounding of v.v and
/// the rounding of the root. Hill climbs reach 9.9 uS with the plain root, 7.9 without `zz_error` and 6.5 with it, at
/// 1.0, 1.2 and 1.3 times the time; the other two roundings of v.v are not worth theirs.
template <class Number>
HWY_INLINE Number length(Connection<Number> const& connection) {
  auto const& [v, error] = connection;
  auto const xx = v.x * v.x;
  auto const xxyy = fma(v.y, v.y, xx);
  auto const squared = fma(v.z, v.z, xxyy);
  auto const slope = dot(v, error);
  auto const root = sqrt(squared);
  auto const zz_error = fma(v.z, v.z, xxyy - squared);
  auto const before_root = (slope + slope) + zz_error;
  auto const excess = subtract_product(squared, root, root) + before_root;
  return fma(excess, half_inverse(root), root);
}

/// p1 - p0, q1 - q0 and q0 - p0.
template <class Number>
struct Differences {
  Triple<Number> A, B, w;
};

template <class Number>
HWY_INLINE Differences<Number> differences(Ends<Number> const& ends) {
  return {ends.p1 - ends.p0, ends.q1 - ends.q0, ends.q0 - ends.p0};
}

/// What the solvers need of them.
template <class Number>
struct Products {
  Number AA, BB, AB, Aw, Bw;
  Number extent;  ///< AA + BB + ww
};

template <class Number>
HWY_INLINE Products<Number> products(Differences<Number> const& differences) {
  auto const& [A, B, w] = differences;
  auto const AA = dot(A, A);
  auto const BB = dot(B, B);
  return {AA, BB, dot(A, B), dot(A, w), dot(B, w), AA + BB + dot(w, w)};
}

/// Between these extents no product of the solvers over- or underflows to any effect.
constexpr double least_extent = 0x1p-140, largest_extent = 0x1p100;

template <class Number>
HWY_INLINE Mask<Number> in_range(Number extent) {
  return both(extent < largest_extent, least_extent < extent);
}

/// True where all four points are one: the distance is 0 in any unit of length.
template <class Number>
HWY_INLINE Mask<Number> coincident(Ends<Number> const& ends) {
  auto const same = [](Triple<Number> const& a, Triple<Number> const& b) {
    return both(a.x == b.x, both(a.y == b.y, a.z == b.z));
  };
  return both(same(ends.p0, ends.p1), both(same(ends.q0, ends.q1), same(ends.p0, ends.q0)));
}

/// The best t for s, then the best s for that t. If s is the best on the line, this is exact: two variables in a box.
template <class Number>
HWY_INLINE Parameters<Number> descend(Products<Number> const& of, Number inverse_AA, Number inverse_BB, Number s) {
  auto const t = clamp(multiply_subtract(of.AB, s, of.Bw) * inverse_BB, 0.0, 1.0);
  return {clamp(fma(of.AB, t, of.Aw) * inverse_AA, 0.0, 1.0), t};
}

/// The Gram (normal) equations, and how far they can be trusted: where extent < soundness d^2.
///
/// Cancellation in the determinant makes s wrong by about u |w| / (|A| sin^2), and d, being least there, by the square
/// of that: (u |w|)^2 / (d sin^2). The check d sin^2 > 2^-43 sqrt(extent) keeps it below 0.1 uS, and keeps away from d
/// = 0, where errors of s and t count to first order. Unchecked the error reaches 1e8 uS. Both sides are homogeneous,
/// so that the decision does not depend on the unit of length.
template <class Number>
struct Gram {
  Number determinant, inverse_AA, inverse_BB, soundness;
};

template <class Number>
HWY_INLINE Gram<Number> gram(Products<Number> const& of) {
  auto const inverse_AA = 1.0 / of.AA;
  auto const inverse_BB = 1.0 / of.BB;
  auto const determinant = subtract_product(of.AA * of.BB, of.AB, of.AB);
  auto const sine = (determinant * inverse_AA) * (0x1p43 * inverse_BB);
  auto const shorter = 0x1p86 * minimum(of.AA, of.BB);
  auto const soundness = zero_unless(of.extent < shorter, sine * sine);
  return {determinant, inverse_AA, inverse_BB, soundness};
}

template <class Number>
HWY_INLINE Parameters<Number> solve_gram(Products<Number> const& of, Gram<Number> const& gram) {
  auto const numerator = multiply_subtract(of.Aw, of.BB, of.AB * of.Bw);
  auto const s = clamp(numerator / gram.determinant, 0.0, 1.0);
  return descend(of, gram.inverse_AA, gram.inverse_BB, s);
}

/// True where the equations may be sound for some d: d^2 is at most three times the extent.
template <class Number>
HWY_INLINE Mask<Number> may_be_sound(Number soundness) {
  return 0.25 < soundness;
}

template <class Number>
HWY_INLINE Mask<Number> sound(Number extent, Number soundness, Connection<Number> const& connection) {
  return extent < soundness * dot(connection.v, connection.v);
}

/// What solve_cross hands on to refine.
template <class Number>
struct Rough {
  Parameters<Number> at;
  Number inverse_AA, inverse_BB, inverse_NN, extent, AB, BB;
};

/// For what the Gram equations do not settle: s by compensated cross products, good however parallel the segments are.
///
/// Scaling makes differences of 2^-147 of the extent vanish, and underflow those of 2^-400. So that the result does not
/// depend on the unit of length all the same, a segment below 2^-100 of the extent is a point, and a distance below
/// 2^-90 of it is 0.
template <class Number>
HWY_INLINE Rough<Number> solve_cross(Differences<Number> const& differences, Products<Number> const& of) {
  auto const& [A, B, w] = differences;
  auto const N = cross(A, B);
  auto const wxB = cross(w, B);
  auto const NN = dot(N, N);
  auto const least = 0x1p-200 * of.extent;
  auto const inverse_AA = zero_unless(least < of.AA, 1.0 / of.AA);
  auto const inverse_BB = zero_unless(least < of.BB, 1.0 / of.BB);
  // Below an angle of 2^-100 any s will do; below 2^-20 the rough s is so good across the segments, where it matters,
  // that refining it would only bring in noise along them.
  auto const full_NN = of.AA * of.BB;
  auto const inverse_NN = 1.0 / NN;
  auto const best_s = dot(wxB, N) * inverse_NN;
  auto const s = clamp(zero_unless(0x1p-200 * full_NN < NN, best_s), 0.0, 1.0);
  return {descend(of, inverse_AA, inverse_BB, s),
          inverse_AA,
          inverse_BB,
          zero_unless(0x1p-40 * full_NN < NN, inverse_NN),
          of.extent,
          of.AB,
          of.BB};
}

/// Parameters and the connection of their points.
template <class Number>
struct Refined {
  Parameters<Number> at;
  Connection<Number> connection;
};

/// The rough s and t carry errors of a few u, which count to first order where d is about 0. There the least squares
/// problem is solved again for the computed connection in place of w, and its small solution dt, ds added to the
/// connection unrounded (touching segments: 6.6 uS without, 2.3 with; a hill climb: over 12 and 5).
template <class Number>
HWY_INLINE Refined<Number> refine(Ends<Number> const& ends, Rough<Number> const& rough) {
  Refined<Number> refined = {rough.at, connect(ends, rough.at)};
  auto& [s, t] = refined.at;
  auto& [v, error] = refined.connection;
  auto const far = 0x1p-70 * rough.extent < dot(v, v);
  if (all(far)) return refined;

  auto const low_s = 0.0 - s;
  auto const low_t = 0.0 - t;
  auto const high_s = 1.0 - s;
  auto const high_t = 1.0 - t;
  auto const A = ends.p1 - ends.p0;
  auto const B = ends.q1 - ends.q0;
  auto const AB = rough.AB;
  auto const Av = dot(A, v);
  auto const Bv = dot(B, v);
  auto const numerator = multiply_subtract(Av, rough.BB, AB * Bv);
  auto const best_ds = clamp(numerator * rough.inverse_NN, low_s, high_s);
  auto const dt = clamp(multiply_subtract(AB, best_ds, Bv) * rough.inverse_BB, low_t, high_t);
  auto const ds = clamp(fma(AB, dt, Av) * rough.inverse_AA, low_s, high_s);
  auto const shift = subtract_product(fma(dt, B, error), ds, A);
  auto const near = v + shift;
  auto const near_error = (v - near) + shift;
  s = select(far, s, s + ds);
  t = select(far, t, t + dt);
  v = select(far, v, near);
  error = select(far, error, near_error);
  return refined;
}

/// The length of a refined connection; see solve_cross for the zero.
template <class Number>
HWY_INLINE Number refined_length(Connection<Number> const& connection, Number extent) {
  return zero_unless(0x1p-180 * extent < dot(connection.v, connection.v), length(connection));
}

/// The largest coordinate of either segment.
template <class Number>
struct Largest {
  Number p, q;
};

template <class Number>
HWY_INLINE Largest<Number> largest_coordinates(Ends<Number> const& ends) {
  return {maximum(largest(ends.p0), largest(ends.p1)), maximum(largest(ends.q0), largest(ends.q1))};
}

/// Of a row's largest coordinate: below 2^55 are those of all rows in range but some far from the origin.
constexpr double least_huge = 0x1p55;

/// The change of the unit of length that brings the largest coordinate to between 2 and 4, a power of two: no square of
/// a difference that counts beside it can then over- or underflow.
///
/// Huge coordinates come to between 2^249 and 2^250: the largest products, of four lengths, are then below 2^1008, and
/// the least of rows of mixed scale are as far as can be from subnormal numbers, which cost more in every product
/// (mixed_scale at AVX2: 16 ns for 25.5).
template <class Number>
HWY_INLINE Number unit_factor(Number largest_coordinate) {
  // At most 2^1022, as the inverse of 2^1023 is no normal number.
  auto const factor = twice_inverse(power_of_two(maximum(largest_coordinate, 0x1p-1021)));
  return select(largest_coordinate < least_huge, 1.0, set<Number>(0x1p248)) * factor;
}

constexpr double least_coordinate = 0x1p-74, farthest_coordinates = 0x1p52;

/// True for all rows in range and few others. In range no difference reaches 2^50, so that the largest coordinates of
/// the segments differ by less than 3 times that, and some difference exceeds 2^-72. No products: those of rows out of
/// range may be subnormal.
template <class Number>
HWY_INLINE Mask<Number> may_be_in_range(Number larger, Number smaller) {
  return both(least_coordinate < larger, larger - smaller < farthest_coordinates);
}

/// unit_factor(), but 1 for rows in range: these are solved in the caller's unit whatever rows are beside them. In
/// another one, products of subnormal differences keep bits that they lose here (s = 1e-310 for 0), and differences far
/// below a coordinate that all ends share vanish. With the extent of every vector instead of a branch, global_scale at
/// AVX2 takes 22.1 ns for 18.6 (17.7 without any such question), mixed_scale 21.0 for 19.3 (18.6).
template <class Number>
HWY_INLINE Number factor_out_of_range(Ends<Number> const& ends) {
  auto const of = largest_coordinates(ends);
  auto const larger = maximum(of.p, of.q);
  auto const factor = unit_factor(larger);
  if (HWY_LIKELY(none(may_be_in_range(larger, minimum(of.p, of.q))))) return factor;
  return select(in_range(products(differences(ends)).extent), 1.0, factor);
}

template <class Number>
HWY_INLINE Ends<Number> scaled(Ends<Number> const& ends, Number factor) {
  return {factor * ends.p0, factor * ends.p1, factor * ends.q0, factor * ends.q1};
}

/// The way back.
template <class Number>
HWY_INLINE Number unscaled(Number distance, Number factor) {
  return distance * inverse(factor);
}

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

/// What the last block was like: the next one is tried that way first. No result depends on it.
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

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  Expectation expect;
  auto const solve_rows = [&expect](Columns<12, 3> const& columns, std::size_t rows) HWY_ATTR {
    Block block{};
    for (std::size_t k = 0; k < 12; ++k) block.in[k] = columns.in(k);
    block.distance = columns.out(0);
    block.s = columns.out(1);
    block.t = columns.out(2);
    block.rows = rows;
    solve_block(block, expect);
  };
  for_whole_vectors<12, 3>(n, in, out, block_rows, solve_rows);
}

#endif

#if HWY_TARGET == HWY_AVX2

/// The two segments beside each other: (p0, q0) and (p1, q1).
struct BothEnds {
  two::TwoTriples from, to;
};

/// `number`: where input k is.
template <class Load>
HWY_INLINE BothEnds both_ends(Load number) {
  auto const pair = [number](std::size_t i, std::size_t k) HWY_ATTR { return two::load(number(i), number(k)); };
  return {{pair(0, 6), pair(1, 7), pair(2, 8)}, {pair(3, 9), pair(4, 10), pair(5, 11)}};
}

/// The same in the unit of length of factor_out_of_range(); `surely` out of range: of unit_factor().
template <bool surely>
HWY_INLINE BothEnds normalised(BothEnds const& ends, double& factor) {
  using namespace two;
  auto const largest = [](TwoTriples const& a)
                           HWY_ATTR { return maximum(maximum(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); };
  auto const of_both = maximum(largest(ends.from), largest(ends.to));
  auto const coordinate = maximum(of_both, swapped(of_both));
  auto const smaller = minimum(of_both, swapped(of_both));
  if (!surely &&
      HWY_UNLIKELY(least_coordinate < first(coordinate) && first(coordinate - smaller) < farthest_coordinates)) {
    auto const shafts = ends.to - ends.from;
    auto const w = swapped(ends.from) - ends.from;
    auto const squares = dot(shafts, shafts);
    auto const extent = first((squares + swapped(squares)) + dot(w, w));
    if (extent < largest_extent && least_extent < extent) {
      factor = 1;
      return ends;
    }
  }
  // Not a branch: in global_scale no predictor knows.
  auto const times = hn::IfThenElse(coordinate < in_both(least_huge), in_both(1.0), in_both(0x1p248));
  auto const factors = times * twice_inverse(power_of_two(maximum(coordinate, in_both(0x1p-1021))));
  factor = first(factors);
  auto const scaled = [factors](TwoTriples const& a) HWY_ATTR {
    return TwoTriples{factors * a.x, factors * a.y, factors * a.z};
  };
  return {scaled(ends.from), scaled(ends.to)};
}

struct Connected {
  two::TwoTriples v, error;  ///< the first lane counts
};

/// connect() at (s, t); the second lane is its mirror image.
HWY_INLINE Connected connected(BothEnds const& ends, two::Two at) {
  using namespace two;
  auto const points = fma(at, ends.to, subtract_product(ends.from, at, ends.from));  // P, Q
  auto const others = swapped(points);
  Connected result;
  result.v = others - points;
  result.error = (others - result.v) - points;
  return result;
}

/// length(), of the first lane. `squared` is v.v.
HWY_INLINE two::Two length_of(Connected const& connection, two::Two squared) {
  using namespace two;
  auto const& [v, error] = connection;
  auto const xxyy = fma(v.y, v.y, v.x * v.x);
  auto const root = sqrt(squared);
  auto const slope = dot(v, error);
  auto const zz_error = fma(v.z, v.z, xxyy - squared);
  auto const before_root = (slope + slope) + zz_error;
  auto const excess = subtract_product(squared, root, root) + before_root;
  return fma(excess, half_inverse(root), root);
}

/// zero_unless()
HWY_INLINE two::Two kept(hn::Mask<two::Tag> mask, two::Two a) { return hn::IfThenElseZero(mask, a); }

/// solve_cross() and refine(), bit for bit, in 190 operations for 330: N = A x B and w x B are one cross product of two
/// lanes, and so are N.N and (w x B).N one dot product. Rows of `touching` take 64 ns for 80 in single doubles,
/// `parallel` ones 40 for 48. The length is masked, not branched upon: whether segments that touch have a distance of 0
/// or of a few ulps no predictor knows.
HWY_INLINE void solve_hard_one(BothEnds const& ends, double& distance, double& s, double& t) {
  using namespace two;
  auto const zero = in_both(0.0);
  auto const one = in_both(1.0);
  auto const shafts = ends.to - ends.from;        // A, B
  auto const w = swapped(ends.from) - ends.from;  // w, -w
  auto const squares = dot(shafts, shafts);       // AA, BB
  auto const shadows = dot(shafts, w);            // Aw, -Bw
  auto const AB = dot(shafts, swapped(shafts));
  auto const other_squares = swapped(squares);
  auto const extent = (squares + other_squares) + dot(w, w);

  auto const B = TwoTriples{twice_second(shafts.x), twice_second(shafts.y), twice_second(shafts.z)};
  auto const products =
      cross({both_firsts(shafts.x, w.x), both_firsts(shafts.y, w.y), both_firsts(shafts.z, w.z)}, B);  // N, w x B
  TwoTriples const N = {twice_first(products.x), twice_first(products.y), twice_first(products.z)};
  auto const of_N = dot(products, N);  // NN, (w x B).N
  auto const NN = twice_first(of_N);
  auto const full_NN = squares * other_squares;
  auto const least = in_both(0x1p-200);
  auto const inverses = kept(least * extent < squares, one / squares);
  auto const inverse_NN = one / NN;
  auto const best_s = kept(least * full_NN < NN, twice_second(of_N) * inverse_NN);
  auto const s_of_lines = clamp(best_s, zero, one);
  auto const then_t = clamp(fma(AB, s_of_lines, shadows) * inverses, zero, one);
  auto const then_s = clamp(fma(AB, twice_second(then_t), shadows) * inverses, zero, one);
  auto at = first_second(then_s, then_t);
  auto connection = connected(ends, at);
  auto squared = dot(connection.v, connection.v);
  if (!(first(in_both(0x1p-70) * extent) < first(squared))) {
    auto const low = zero - at;
    auto const high = one - at;
    auto const slopes = dot(shafts, connection.v);  // Av, -Bv: the second lane of v is its mirror image
    auto const numerator = fma(slopes, other_squares, AB * swapped(slopes));
    auto const small_inverse_NN = kept(in_both(0x1p-40) * full_NN < NN, inverse_NN);
    auto const best_ds = clamp(numerator * small_inverse_NN, low, high);
    auto const dt = clamp(fma(AB, twice_first(best_ds), slopes) * inverses, low, high);
    auto const ds = clamp(fma(AB, twice_second(dt), slopes) * inverses, low, high);
    auto const by = first_second(ds, dt);
    // In the first lane dt B + error - ds A. In the second all is negated: the error of -v, with ds A before dt B, is
    // not used.
    auto const shift = subtract_product(fma(swapped(by), swapped(shafts), connection.error), by, shafts);
    auto const near = connection.v;
    connection.v = {near.x + shift.x, near.y + shift.y, near.z + shift.z};
    auto const rest = near - connection.v;
    connection.error = {rest.x + shift.x, rest.y + shift.y, rest.z + shift.z};
    at = at + by;
    squared = dot(connection.v, connection.v);
  }
  s = first(at);
  t = first(swapped(at));
  distance = first(kept(in_both(0x1p-180) * extent < squared, length_of(connection, squared)));
}

/// How solve_one leaves a pair: with its answer, where the Gram equations are not sound, or out of range.
enum class Left { answered, hard, out_of_range };

/// One pair by the Gram equations in the arithmetic of solve_easy, bit for bit: 110 operations for 230, two of which
/// are divisions for three. Of `typical`, `crossing` and `lattice` 97 % and more are answered.
///
/// The check is that of `sound`: the equations' error in d, (u |w|)^2 / (d sin^2), is below 0.1 u S where
/// d sin^2 > 2^-43 sqrt(extent). It is divided by 2^86, which changes no bit of either side that counts: what
/// underflows is far below the extent, which is at least 2^-140. What cannot be sound for any d goes on before d is
/// known: rows exactly parallel 38 ns for 43 by the form for one double alone, against 48 with the last check only.
///
/// -B.w stands for B.w: the sign of a zero is lost in the next clamp.
template <bool normalised>
HWY_INLINE Left solve_one(BothEnds const& ends, double& distance, double& s, double& t) {
  using namespace two;
  auto const zero = in_both(0.0);
  auto const one = in_both(1.0);
  auto const shafts = ends.to - ends.from;        // A, B
  auto const w = swapped(ends.from) - ends.from;  // w, -w
  auto const squares = dot(shafts, shafts);       // AA, BB
  auto shadows = dot(shafts, w);                  // Aw, -Bw
  auto const AB = dot(shafts, swapped(shafts));
  auto const other_squares = swapped(squares);
  auto const extent = (squares + other_squares) + dot(w, w);
  // Otherwise g++ forms them after the branches, and keeps what they are made of in memory: 10 % more in rows.
  asm("" : "+x"(shadows.raw));
  auto const scaled_extent = first(in_both(0x1p-86) * extent);
  if (!normalised && HWY_UNLIKELY(!(scaled_extent < 0x1p14 && 0x1p-226 < scaled_extent))) return Left::out_of_range;

  auto const inverses = one / squares;
  auto const determinant = subtract_product(squares * other_squares, AB, AB);
  auto const sine = (determinant * inverses) * swapped(inverses);
  auto const soundness = sine * sine;
  // As may_be_sound().
  if (HWY_UNLIKELY(!(0x1p-88 < first(soundness)))) return Left::hard;

  auto const numerator = fma(shadows, other_squares, AB * swapped(shadows));
  auto const s_of_lines = clamp(numerator / determinant, zero, one);
  auto const then_t = clamp(fma(AB, twice_first(s_of_lines), shadows) * inverses, zero, one);
  auto const then_s = clamp(fma(AB, twice_second(then_t), shadows) * inverses, zero, one);
  auto const at = first_second(then_s, then_t);
  auto const connection = connected(ends, at);
  auto const squared = dot(connection.v, connection.v);

  if (HWY_UNLIKELY(!(scaled_extent < first(minimum(minimum(squares, other_squares), soundness * squared)))))
    return Left::hard;

  distance = first(length_of(connection, squared));
  s = first(at);
  t = first(twice_second(at));
  return Left::answered;
}

template <class Load>
HWY_NOINLINE Output<double> solve_hard_at(Load number) {
  Output<double> answer;
  solve_hard_one(both_ends(number), answer.distance, answer.s, answer.t);
  return answer;
}

template <bool surely, class Load>
HWY_NOINLINE Output<double> solve_out_of_range(Load number, bool* out_of_range) {
  Output<double> answer;
  double factor = 1;
  auto const ends = normalised<surely>(both_ends(number), factor);
  if (solve_one<true>(ends, answer.distance, answer.s, answer.t) != Left::answered)
    solve_hard_one(ends, answer.distance, answer.s, answer.t);
  // The inverse of a power of two, not by a division.
  answer.distance *= std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(factor));
  if (out_of_range != nullptr) *out_of_range = factor != 1;
  return answer;
}

Output<double> evaluate_one(Input<double> const& in) noexcept {
  auto const number = [&in](std::size_t k) HWY_ATTR {
    double const* const ends[] = {in.p0.data(), in.p1.data(), in.q0.data(), in.q1.data()};
    return ends[k / 3] + k % 3;
  };
  Output<double> answer;
  auto const left = solve_one<false>(both_ends(number), answer.distance, answer.s, answer.t);
  if (HWY_LIKELY(left == Left::answered)) return answer;
  return left == Left::hard ? solve_hard_at(number) : solve_out_of_range<true>(number, nullptr);
}

/// A row that follows one out of range is taken to be so, too, which changes no bit: global_scale 43 ns for 65,
/// mixed_scale 90 for 100.
void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  bool out_of_range = false;
  for (std::size_t row = 0; row < n; ++row) {
    auto const number = [in, row](std::size_t k) HWY_ATTR { return in[k] + row; };
    // Three numbers, not a record: that would be kept in memory, and rows take 10 % more.
    double distance, s, t;
    auto const left =
        HWY_UNLIKELY(out_of_range) ? Left::out_of_range : solve_one<false>(both_ends(number), distance, s, t);
    if (HWY_UNLIKELY(left == Left::hard)) {
      // Here, so that what both ways need is computed once: touching 65.5 ns for 66.5 by a call.
      solve_hard_one(both_ends(number), distance, s, t);
    } else if (HWY_UNLIKELY(left == Left::out_of_range)) {
      auto const answer = solve_out_of_range<false>(number, &out_of_range);
      distance = answer.distance;
      s = answer.s;
      t = answer.t;
    }
    if (out[0] != nullptr) out[0][row] = distance;
    if (out[1] != nullptr) out[1][row] = s;
    if (out[2] != nullptr) out[2][row] = t;
  }
}

#endif

#if HWY_ONCE

template <class Number>
struct Answer {
  Number distance;
  Parameters<Number> at;
};

HWY_INLINE Answer<double> solve_hard_row(Ends<double> const& ends, Differences<double> const& of_ends,
                                         Products<double> const& of) {
  auto const rough = solve_cross(of_ends, of);
  auto const refined = refine(ends, rough);
  return {refined_length(refined.connection, rough.extent), refined.at};
}

HWY_INLINE Answer<double> solve_row(Ends<double> const& ends, Differences<double> const& of_ends,
                                    Products<double> const& of) {
  auto const equations = gram(of);
  auto const at = solve_gram(of, equations);
  auto const connection = connect(ends, at);
  if (sound(of.extent, equations.soundness, connection)) return {length(connection), at};
  return solve_hard_row(ends, of_ends, of);
}

HWY_INLINE Answer<double> answer_out_of_range(Ends<double> const& ends) {
  auto const of = largest_coordinates(ends);
  auto const factor = unit_factor(maximum(of.p, of.q));
  auto const unit_ends = scaled(ends, factor);
  auto const of_ends = differences(unit_ends);
  Answer<double> answer = solve_row(unit_ends, of_ends, products(of_ends));
  answer.distance = unscaled(answer.distance, factor);
  return answer;
}

HWY_INLINE Answer<double> answer_row(Ends<double> const& ends) {
  auto const of_ends = differences(ends);
  auto const of = products(of_ends);
  if (HWY_UNLIKELY(!in_range(of.extent))) return answer_out_of_range(ends);
  return solve_row(ends, of_ends, of);
}

HWY_INLINE Ends<double> ends_of(Input<double> const& in) {
  auto const triple = [](Vector3<double> const& a) { return Triple<double>{a[0], a[1], a[2]}; };
  return {triple(in.p0), triple(in.p1), triple(in.q0), triple(in.q1)};
}

HWY_INLINE Output<double> output_of(Answer<double> const& answer) {
  return {answer.distance, answer.at.s, answer.at.t};
}

Output<double> evaluate_one(Input<double> const& in) noexcept { return output_of(answer_row(ends_of(in))); }

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) store_columns(answer_row(load_columns<double, Ends>(in, i)), out, i);
}

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::segment_distance::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::call_one<Input<double>, Output<double>, HWY_NAMESPACE::evaluate_one, N_AVX2::evaluate_one>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  static auto* const rows = available(Level::avx2) ? N_AVX2::evaluate_rows : HWY_NAMESPACE::evaluate_rows;
  fast_core::Forms const forms{rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::segment_distance::fast

#endif
