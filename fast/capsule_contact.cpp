#include "fast/capsule_contact.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/core/two.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

constexpr double separated = static_cast<double>(Status::separated);
constexpr double overlapping = static_cast<double>(Status::overlapping);
constexpr double axes_intersect = static_cast<double>(Status::axes_intersect);

// The algorithm, for any `Number`: a vector of doubles, or one double. See fast/core/lanes.hpp for the words. Places on
// the axes are centre1 + X A and centre2 + Y B with the half-shafts A, B and X, Y in [-1, 1]: no length h = |A| is
// needed.

template <class Number>
struct Capsules {
  Triple<Number> centre1, half1;
  Number radius1;
  Triple<Number> centre2, half2;
  Number radius2;
};

/// Two capsules seen from the centre of the first: w leads to the centre of the second.
template <class Number>
struct Pair {
  Triple<Number> w, A, B;
  Number r1, r2;
};

template <class Number>
HWY_INLINE Pair<Number> pair_of(Capsules<Number> const& in) {
  return {in.centre2 - in.centre1, in.half1, in.half2, in.radius1, in.radius2};
}

/// A square of the pair's size: S^2 is 1 to 4 times it.
template <class Number>
HWY_INLINE Number extent_of(Pair<Number> const& pair) {
  auto const R = pair.r1 + pair.r2;
  auto const shafts = dot(pair.A, pair.A) + dot(pair.B, pair.B);
  return fma(R, R, shafts + dot(pair.w, pair.w));
}

/// True where no product below over- or underflows to any effect.
template <class Number>
HWY_INLINE Mask<Number> in_range(Number extent) {
  return both(extent < 0x1p140, 0x1p-140 < extent);
}

/// What finds the best X for a Y, the best Y for an X, and where the lines of the axes are nearest: at X = q / sine^2.
template <class Number>
struct Shadows {
  Number p1, p2;    ///< where the other centre's shadow falls: w.A / A.A and -w.B / B.B
  Number k1, k2;    ///< half the length of the other's shadow: A.B / A.A and A.B / B.B
  Number q, sine2;  ///< (w x B).N / (A.A B.B) and N.N / (A.A B.B) with N = A x B
  Number centring;  ///< cos^2 / (8 min(A.A, B.B)): times R^2 - d^2 it is b / a of formula C
  Number crossing;  ///< q / sine2, on the shaft
};

template <class Number>
HWY_INLINE Number onto_shaft(Number position) {
  return clamp(position, -1.0, 1.0);
}

/// A half-shaft below 2^-65 of the pair's size S counts as that long, which moves nothing by more than 2^-65 S and
/// spares spheres a division by zero. Below an angle of 2^-60 any crossing will do, for the same reason.
///
/// N by Kahan's products, so that it has a direction however parallel the axes are. (w x B).N = w.(B x N), where plain
/// products do: B and N are perpendicular, so that the error of B x N is a few u of its length, X A's error a few u
/// |w| / sine and the error across the axes a few u |w|. That is half the operations of w x B in Kahan's way. Always
/// so: the Gram equations with a check, as for the distance alone, would spare 18 operations of 240 where they do.
///
/// The crossing does not wait for the inverses: w.M / N.N for q / sine^2 takes, by the latencies of Zen 3, 17 cycles
/// from the chain of a pair alone.
template <class Number>
HWY_INLINE Shadows<Number> shadows_of(Pair<Number> const& pair, Number extent) {
  auto const least = 0x1p-130 * extent;
  auto const AA = maximum(dot(pair.A, pair.A), least);
  auto const BB = maximum(dot(pair.B, pair.B), least);
  auto const AB = dot(pair.A, pair.B);
  auto const squares = AA * BB;
  auto const inverses = 1.0 / squares;
  auto const inverse_AA = inverses * BB;
  auto const inverse_BB = inverses * AA;
  auto const N = cross(pair.A, pair.B);
  auto const M = plain_cross(pair.B, N);
  auto const wM = dot(pair.w, M);
  auto const NN = maximum(dot(N, N), 0x1p-120 * squares);
  auto const k1 = AB * inverse_AA;
  auto const k2 = AB * inverse_BB;
  auto const eighth = 0.125 * maximum(inverse_AA, inverse_BB);
  return {dot(pair.w, pair.A) * inverse_AA,
          negative_dot(pair.w, pair.B) * inverse_BB,
          k1,
          k2,
          wM * inverses,
          NN * inverses,
          eighth * (k1 * k2),
          onto_shaft(wM / NN)};
}

/// On both axes, in units of their half-shafts.
template <class Number>
struct Places {
  Number X, Y;
};

template <class Number>
HWY_INLINE Triple<Number> connection(Pair<Number> const& pair, Places<Number> const& at) {
  return subtract_product(fma(at.Y, pair.B, pair.w), at.X, pair.A);
}

/// The closest pair of places: the best X of the lines, the best Y for it, the best X for that. Exact for two variables
/// in a box.
template <class Number>
HWY_INLINE Places<Number> closest(Shadows<Number> const& of) {
  auto const Y = onto_shaft(fma(of.k2, of.crossing, of.p2));
  return {onto_shaft(fma(of.k1, Y, of.p1)), Y};
}

/// Middle of what is common to the shaft and the other's shadow upon it, or the end that is nearer to the shadow.
template <class Number>
HWY_INLINE Number middle(Number p, Number k) {
  auto const reach = abs(k);
  auto const low = maximum(p - reach, -1.0);
  auto const high = minimum(p + reach, 1.0);
  return onto_shaft(0.5 * (low + high));
}

/// The least of |v|^2 + ratio (|A|^2 (X - Xm)^2 + |B|^2 (Y - Ym)^2) on the box, ratio = b / a of formula C: nothing at
/// the onset of the contact, where this is the closest pair. Only one operation of each place waits for the other: 13
/// cycles less, counted, for a pair alone than a (ratio m + k other + p).
template <class Number>
HWY_INLINE Places<Number> centre(Shadows<Number> const& of, Number depth2) {
  auto const ratio = maximum(depth2 * of.centring, 0.0);
  auto const Xm = middle(of.p1, of.k1);
  auto const Ym = middle(of.p2, of.k2);
  auto const pull = fma(ratio, Xm, fma(of.k1, Ym, Xm + of.p1));
  auto const determinant = fma(ratio, ratio + 2.0, of.sine2);
  auto const X_of_lines = onto_shaft(fma(ratio, pull, of.q) / determinant);
  auto const a = 1.0 / (1.0 + ratio);
  auto const at = [&](Number p, Number k, Number other, Number m)
                      HWY_ATTR { return onto_shaft(fma(a * k, other, a * fma(ratio, m, p))); };
  auto const Y = at(of.p2, of.k2, X_of_lines, Ym);
  return {at(of.p1, of.k1, Y, Xm), Y};
}

/// v / |v|: of length 1 within 3.8 u (the largest seen is 3.2 u).
template <class Number>
HWY_INLINE Triple<Number> normalised(Triple<Number> const& v) {
  auto const vv = dot(v, v);
  auto const inverse = 1.0 / sqrt(vv);
  return {v.x * inverse, v.y * inverse, v.z * inverse};
}

/// Twice the way from the first centre to the contact point: the middle of the overlap of the spheres about the places
/// X and Y, on the line of their centres. (From the middle of both centres large coordinates would round twice.)
template <class Number>
HWY_INLINE Triple<Number> twice_to_point(Pair<Number> const& pair, Places<Number> const& at,
                                         Triple<Number> const& normal) {
  auto const places = fma(at.X, pair.A, fma(at.Y, pair.B, pair.w));
  return fma(pair.r1 - pair.r2, normal, places);
}

/// False only where the axes do not intersect: 64 u^2 S^2 <= 256 u^2 extent.
template <class Number>
HWY_INLINE Mask<Number> near(Number squared, Number extent) {
  return squared < 0x1p-97 * extent;
}

/// So that the result does not depend on the unit of length where d^2 underflows, a distance below 2^-90 of the pair's
/// size is 0.
template <class Number>
HWY_INLINE Mask<Number> vanishing(Number squared, Number extent) {
  return squared < 0x1p-180 * extent;
}

/// Exactly as 8 u S < d.
template <class Number>
HWY_INLINE Mask<Number> apart(Pair<Number> const& pair, Number d) {
  auto const length = [](Triple<Number> const& a) HWY_ATTR { return sqrt(dot(a, a)); };
  auto const S = (length(pair.A) + length(pair.B)) + ((pair.r1 + pair.r2) + length(pair.w));
  return (Contract::intersecting * unit_roundoff) * S < d;
}

/// a times the power of two that brings its largest coordinate between 2^249 and 2^250, as in unit_of(); zero stays
/// zero.
template <class Number>
HWY_INLINE Triple<Number> of_unit_size(Triple<Number> const& a) {
  return set<Number>(0x1p248) * (twice_inverse(power_of_two(largest(a))) * a);
}

/// The contract's normal of axes that intersect: along N with n.w >= 0, or perpendicular to a shaft, or (0, 0, 1).
template <class Number>
HWY_INLINE Triple<Number> conventional_normal(Pair<Number> const& pair) {
  auto const A = of_unit_size(pair.A);
  auto const B = of_unit_size(pair.B);
  auto const N = of_unit_size(cross(A, B));
  auto const crossing = 0.0 < dot(N, N);
  auto const opposed = dot(N, of_unit_size(pair.w)) < 0.0;
  auto const sign = select(opposed, -1.0, 1.0);

  auto const along = select(0.0 < dot(A, A), A, B);
  auto const square = dot(along, along);
  auto const x = abs(along.x);
  auto const y = abs(along.y);
  auto const is_z = abs(along.z) < minimum(y, x);
  auto const is_y = y < x;
  auto const least = select(is_z, along.z, select(is_y, along.y, along.x));
  auto const zero = set<Number>(0.0);
  auto const one = set<Number>(1.0);
  Triple<Number> const axis = {select(is_z, zero, select(is_y, zero, one)), select(is_z, zero, select(is_y, one, zero)),
                               select(is_z, one, zero)};
  auto const shaft = 0.0 < square;
  auto const part = select(shaft, least / square, 0.0);
  Triple<Number> const up = {zero, zero, one};
  auto const across = select(shaft, subtract_product(axis, part, along), up);
  return normalised(select(crossing, sign * N, across));
}

/// From this size on a pair is brought to the largest that its products allow. A smaller one, to which there is no such
/// factor, is brought as near to 1 as there is.
constexpr double least_enlarged = 0x1p-700;

/// Twice the unit of length that brings the largest coordinate between 2^249 and 2^250, of the smallest pairs between 2
/// and 4: the largest products, of four lengths, are then below 2^1004, and the least of pairs of mixed scale are as
/// far as can be from subnormal numbers, which cost more in every product (mixed_scale at AVX2: 45 ns for 57) and whose
/// digits the unit of the input would decide.
template <class Number>
HWY_INLINE Number unit_of(Number largest) {
  return select(least_enlarged < largest, 0x1p-248, set<Number>(1.0)) * power_of_two(largest);
}

/// The change of the unit of length to that of unit_of() for pairs out of range; those in range keep theirs, so that no
/// result depends on its neighbours. Centres count by their difference: `before` makes room where that overflows.
/// `unit` is the way back.
template <class Number>
struct Scale {
  Number before, factor, unit;
};

template <class Number>
HWY_INLINE Scale<Number> scale_of(Capsules<Number> const& in) {
  auto const pair = pair_of(in);
  auto const finite = largest(pair.w) < std::numeric_limits<double>::infinity();
  auto const before = select(finite, 1.0, 0x1p-4);
  auto const w = before * in.centre2 - before * in.centre1;
  auto const shafts = larger_magnitude(largest(in.half1), largest(in.half2));
  auto const radii = larger_magnitude(in.radius1, in.radius2);
  auto const shapes = before * larger_magnitude(shafts, radii);
  auto const power = unit_of(larger_magnitude(shapes, largest(w)));
  auto const plain = in_range(extent_of(pair));
  auto const unit = 0.5 * power / before;
  return {before, select(plain, 1.0, twice_inverse(power)), select(plain, 1.0, unit)};
}

/// What w = a - b lacks of a - b.
template <class Number>
HWY_INLINE Triple<Number> difference_error(Triple<Number> const& a, Triple<Number> const& b) {
  auto const error = [](Number x, Number y) HWY_ATTR { return exact_sum(x, 0.0 - y).low; };
  return {error(a.x, b.x), error(a.y, b.y), error(a.z, b.z)};
}

/// The pair in the new unit of length.
template <class Number>
HWY_INLINE Pair<Number> scaled_pair(Capsules<Number> const& in, Scale<Number> const& scale) {
  auto const w = scale.before * in.centre2 - scale.before * in.centre1;
  auto const factor = scale.before * scale.factor;
  return {scale.factor * w, factor * in.half1, factor * in.half2, factor * in.radius1, factor * in.radius2};
}

/// What its w lacks of the difference of the centres.
template <class Number>
HWY_INLINE Triple<Number> scaled_error(Capsules<Number> const& in, Scale<Number> const& scale) {
  return scale.factor * difference_error(scale.before * in.centre2, scale.before * in.centre1);
}

/// The overlap, and what decides where it acts.
template <class Number>
struct Gap {
  Number uN, status;
  /// R^2 - d^2, from v.v: that errs by 2 u d^2, the square of its rounded root by 4. So the places do not wait for the
  /// root: 22 cycles less, counted, for a pair alone than (R - d)(R + d), and an operation for three.
  Number depth2;
};

template <class Number>
HWY_INLINE Gap<Number> gap_of(Pair<Number> const& pair, Shadows<Number> const& of, Number extent) {
  auto const v = connection(pair, closest(of));
  auto squared = dot(v, v);
  bool const any_near = HWY_UNLIKELY(!none(near(squared, extent)));
  if (any_near) squared = select(vanishing(squared, extent), 0.0, squared);
  auto const d = sqrt(squared);
  auto const R = pair.r1 + pair.r2;
  Gap<Number> gap;
  gap.uN = d - R;
  gap.status = select(gap.uN < 0.0, overlapping, separated);
  gap.depth2 = multiply_subtract(R, R, squared);
  if (any_near) gap.status = select(apart(pair, d), gap.status, axes_intersect);
  return gap;
}

/// uN in the unit of length asked for, with the status: a gap that underflows there is 0.
template <class Number>
HWY_INLINE void change_unit(Gap<Number>& gap, Number unit) {
  gap.uN = gap.uN * unit;
  auto const touching = select(gap.status < axes_intersect, separated, gap.status);
  gap.status = select(gap.uN < 0.0, gap.status, touching);
}

/// Whether the rounding of R^2 - d^2, a few u S^2, could move the contact by more than a fifth of its budget. It can
/// for half-shafts h below about a fiftieth of S near the onset of the contact, where the places move by h while d
/// changes by h^2 / R: 5 budgets at h = S / 1000, and 40,000 at 1e-8 S. Asking costs 3 % of the time.
template <class Number>
HWY_INLINE Mask<Number> sensitive(Shadows<Number> const& of, Gap<Number> const& gap, Number extent) {
  auto const ratio = gap.depth2 * of.centring;
  auto const spread = fma(256.0 * ratio, ratio, 256.0);
  return spread < extent * of.centring;
}

/// R^2 - d^2 to a few u^2 S^2, for w + `w_error` in place of w. The closest places come in rounded, which d feels to
/// second order only.
template <class Number>
HWY_INLINE Number exact_depth2(Pair<Number> const& pair, Triple<Number> const& w_error, Places<Number> const& at) {
  auto const minus_X = 0.0 - at.X;
  auto const R = exact_sum(pair.r1, pair.r2);
  auto depth2 = exact_product(R.high, R.high);
  depth2.low = fma(R.high + R.high, R.low, depth2.low);
  auto const subtract_square = [&](Number w, Number error, Number a, Number b) HWY_ATTR {
    auto const along_b = exact_product(at.Y, b);
    auto const along_a = exact_product(minus_X, a);
    auto const part = exact_sum(w, along_b.high);
    auto const v = exact_sum(part.high, along_a.high);
    auto const v_low = ((error + along_b.low) + along_a.low) + (part.low + v.low);
    auto const square = exact_product(v.high, v.high);
    auto const rest = exact_sum(depth2.high, 0.0 - square.high);
    auto const low = subtract_product(rest.low - square.low, v.high + v.high, v_low);
    depth2 = {rest.high, depth2.low + low};
  };
  subtract_square(pair.w.x, w_error.x, pair.A.x, pair.B.x);
  subtract_square(pair.w.y, w_error.y, pair.A.y, pair.B.y);
  subtract_square(pair.w.z, w_error.z, pair.A.z, pair.B.z);
  return depth2.high + depth2.low;
}

template <class Number>
HWY_INLINE Triple<Number> normal_of(Pair<Number> const& pair, Places<Number> const& at, Number status) {
  auto const normal = normalised(connection(pair, at));
  auto const free = status < axes_intersect;
  return HWY_LIKELY(all(free)) ? normal : select(free, normal, conventional_normal(pair));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::size_t columns_in = 14;
constexpr std::size_t columns_out = 8;

/// Rows solved together: what is done again if one of them is out of range.
constexpr std::size_t block_rows = 128;

/// How far ahead of a batch that comes from memory its lines are asked for, in rows: 13.7 ns a pair at AVX2 for 16.0.
/// The processor itself looks ahead in fewer columns than these. (In segment_distance, 4 % for 1 % more in cache.)
constexpr std::size_t rows_ahead = 32;
constexpr std::size_t rows_in_cache = 1 << 13;

/// Rows between one stage of a vector and the next.
constexpr std::size_t lag = 4 * width;

/// Rows of what is handed on that are kept.
constexpr std::size_t ring = 4 * lag;

/// `rows` rows of columns, a multiple of the vector's width; a null column is not wanted. If it is normalised, the
/// columns in are in units of their own, and the results are wanted in the caller's: from his first centres.
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

/// Every member from its column: g++ copies whole triples by way of the stack (9.0 ns a pair at AVX2 for 5.6).
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

/// From the first stage to the two after it.
template <class Number>
struct Seen {
  Shadows<Number> of;
  Number extent;
};

/// From the second to the two after it.
template <class Number>
struct Depth {
  Number status, depth2;
};

/// Four stages of a vector, `lag` rows apart: the shadows, the gap, the places of the contact, the contact. One after
/// the other, the chain of dependent divisions and roots (400 cycles) fills the processor's window with little more
/// than one vector: 4.5 ns a pair at AVX-512 for 3.2, 8.8 at AVX2 for 5.6.
///
/// False if a row is out of range, unless the block is `normalised`: the results are then unfinished.
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

/// A block with rows out of range: a copy with those rows scaled is solved, from the first centre as the origin.
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
    // Its difference from w rounds to w again, and lacks the same.
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

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  // What the last block was like: the next one is tried that way first. No result depends on it.
  bool out_of_range = false;
  auto const solve_rows = [&](Columns<columns_in, columns_out> const& columns, std::size_t rows) HWY_ATTR {
    Block block;
    for (std::size_t k = 0; k < columns_in; ++k) block.in[k] = columns.in(k);
    for (std::size_t k = 0; k < 3; ++k) block.centre1[k] = columns.in(k);
    for (std::size_t k = 0; k < columns_out; ++k) block.out[k] = columns.out(k);
    block.units = nullptr;
    block.rows = rows;
    block.from_memory = n > rows_in_cache;
    if (HWY_UNLIKELY(out_of_range) || !solve<false>(block)) out_of_range = solve_normalised(block);
  };
  for_whole_vectors<columns_in, columns_out>(n, in, out, block_rows, solve_rows);
}

#endif

#if HWY_TARGET == HWY_AVX2

/// The two capsules beside each other: shafts are (A, B) and radii (r1, r2); w is the same in both lanes.
struct BothCapsules {
  two::TwoTriples shafts, w;
  two::Two radii;
};

/// What few pairs need is solved in a whole vector, all of its lanes alike: that is the arithmetic of the batch form,
/// and no number goes by way of memory, where a wider load would wait for the stores of its halves (axes_intersect: 98
/// ns for 127 in single doubles called with a copy of the pair).
template <class Load>
HWY_INLINE Capsules<Register> all_lanes(Load const& number) {
  auto const triple = [&](std::size_t k) HWY_ATTR {
    return Triple<Register>{lanes_of(*number(k)), lanes_of(*number(k + 1)), lanes_of(*number(k + 2))};
  };
  return {triple(0), triple(3), lanes_of(*number(6)), triple(7), triple(10), lanes_of(*number(13))};
}

/// A pair as the caller has it. `number`: where input k is.
template <class Load>
struct Given {
  Load number;

  HWY_INLINE BothCapsules both() const {
    auto const pair = [&](std::size_t j, std::size_t k) HWY_ATTR { return two::load(number(j), number(k)); };
    auto const difference = [&](std::size_t j, std::size_t k)
                                HWY_ATTR { return two::in_both(*number(j)) - two::in_both(*number(k)); };
    return {
        {pair(3, 10), pair(4, 11), pair(5, 12)}, {difference(7, 0), difference(8, 1), difference(9, 2)}, pair(6, 13)};
  }
  HWY_INLINE double centre1(std::size_t i) const { return *number(i); }
  HWY_INLINE Pair<Register> pair() const { return pair_of(all_lanes(number)); }
  HWY_INLINE Triple<Register> w_error() const {
    auto const capsules = all_lanes(number);
    return difference_error(capsules.centre2, capsules.centre1);
  }
};

/// The same, out of range, in the unit of length of scale_of().
template <class Load>
struct Normalised {
  Load number;
  two::Two factor, before;
  double unit;

  HWY_INLINE explicit Normalised(Load load) : number(load) {
    using namespace two;
    auto const size = [](TwoTriples const& a)
                          HWY_ATTR { return maximum(maximum(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); };
    auto const [shafts, w, radii] = Given<Load>{number}.both();
    auto const both_shapes = maximum(size(shafts), radii);
    auto const shapes = maximum(both_shapes, swapped(both_shapes));
    // unit_of() with integers: half the latency of the blend and the product.
    auto const unit_of = [](Two largest) HWY_ATTR {
      auto const large = _mm_cmplt_pd(in_both(least_enlarged).raw, largest.raw);
      auto const down = _mm_and_si128(_mm_castpd_si128(large), _mm_set1_epi64x(std::int64_t{248} << 52));
      return Two{_mm_castsi128_pd(_mm_sub_epi64(_mm_castpd_si128(power_of_two(largest).raw), down))};
    };
    before = in_both(1.0);
    auto power = unit_of(maximum(shapes, size(w)));
    unit = 0.5 * first(power);
    if (HWY_UNLIKELY(!(first(size(w)) < std::numeric_limits<double>::infinity()))) {
      before = in_both(0x1p-4);
      power = unit_of(maximum(before * shapes, size(differences())));
      unit = 8 * first(power);
    }
    factor = twice_inverse(power);
  }
  HWY_INLINE two::TwoTriples differences() const {
    auto const difference = [&](std::size_t j, std::size_t k) HWY_ATTR {
      return before * two::in_both(*number(j)) - before * two::in_both(*number(k));
    };
    return {difference(7, 0), difference(8, 1), difference(9, 2)};
  }
  HWY_INLINE BothCapsules both() const {
    auto const shape_factor = before * factor;
    auto const shape = [&](std::size_t j, std::size_t k)
                           HWY_ATTR { return shape_factor * two::load(number(j), number(k)); };
    auto const w = differences();
    return {{shape(3, 10), shape(4, 11), shape(5, 12)}, {factor * w.x, factor * w.y, factor * w.z}, shape(6, 13)};
  }
  HWY_INLINE double centre1(std::size_t i) const { return *number(i); }
  HWY_INLINE Scale<Register> scale() const {
    return {lanes_of(two::first(before)), lanes_of(two::first(factor)), lanes_of(unit)};
  }
  HWY_INLINE Pair<Register> pair() const { return scaled_pair(all_lanes(number), scale()); }
  HWY_INLINE Triple<Register> w_error() const { return scaled_error(all_lanes(number), scale()); }
};

template <class Source>
HWY_NOINLINE two::Two rare_depth2(Source const& source, two::Two nearest) {
  Places<Register> const at = {lanes_of(two::first(nearest)), lanes_of(two::first(two::swapped(nearest)))};
  return hn::LowerHalf(exact_depth2(source.pair(), source.w_error(), at));
}

template <class Source>
HWY_NOINLINE void rare_normal(Source const& source, two::TwoTriples& normal) {
  auto const found = conventional_normal(source.pair());
  normal = {hn::LowerHalf(found.x), hn::LowerHalf(found.y), hn::LowerHalf(found.z)};
}

/// apart() of the squares (A.A, B.B), R and w.w.
HWY_INLINE bool are_apart(two::Two lengths2, two::Two R, two::Two ww, two::Two d) {
  using namespace two;
  auto const lengths = sqrt(lengths2);
  auto const S = (lengths + swapped(lengths)) + (R + sqrt(ww));
  return first(in_both(Contract::intersecting * unit_roundoff) * S) < first(d);
}

/// One pair in the arithmetic of solve_stages, bit for bit: 200 operations for 330, four of which are divisions for
/// five. Rows of `typical` take 57 ns for 72 to 96 in single doubles.
///
/// What few pairs need has branches of its own, whose conditions are those of the batch form: the status of axes that
/// may intersect, a depth that must be exact, a conventional normal. Nothing before them is done twice. Solved anew in
/// single doubles, such pairs take more: 152 ns for 111 in `axes_intersect`, 159 for 112 in `unequal`. Nothing of it is
/// asked of `typical`, `crossing`, `near_parallel` and `slender`, of 2 % of `parallel` and `lattice`, 40 % of
/// `unequal`, 55 % of `in_a_row`.
///
/// The second lane has Y where the first has X; elsewhere it mirrors the first. False if the pair is out of range,
/// unless it is `normalised`, in its `unit`.
template <bool normalised, class Source>
HWY_INLINE bool solve_one(Source const& source, Output<double>& answer, double unit = 1) {
  using namespace two;
  auto const one = in_both(1.0);
  auto const clamped = [&](Two position) HWY_ATTR { return clamp(position, in_both(-1.0), one); };
  auto const [shafts, w, radii] = source.both();
  auto const others = swapped(shafts);
  auto const lengths2 = dot(shafts, shafts);
  auto const R = radii + swapped(radii);
  auto const ww = dot(w, w);
  auto const extent = fma(R, R, (lengths2 + swapped(lengths2)) + ww);
  if (!normalised && HWY_UNLIKELY(!(first(extent) < 0x1p140 && 0x1p-140 < first(extent)))) return false;

  auto const lengths2_or_least = maximum(lengths2, in_both(0x1p-130) * extent);
  auto const other_lengths2 = swapped(lengths2_or_least);
  auto const AB = dot(shafts, others);
  auto const squares = lengths2_or_least * other_lengths2;
  auto const inverses = one / squares;
  auto const inverse_squares = inverses * other_lengths2;
  auto const N = cross(shafts, others);
  auto const M = plain_cross(others, N);
  auto const wM = dot(w, M);
  auto const NN = maximum(dot(N, N), in_both(0x1p-120) * squares);
  auto const k = AB * inverse_squares;
  // w.A, and -w.B as negative_dot() forms it, zeros included: 0 + w (-B), where w.A begins with -0 + w A.
  auto const signs = in_each(-0.0, 0.0);
  auto const mirror = in_each(0.0, -0.0);
  auto const p = fma(w.z, with_sign(shafts.z, mirror),
                     fma(w.y, with_sign(shafts.y, mirror), fma(w.x, with_sign(shafts.x, mirror), signs))) *
                 inverse_squares;
  auto const centring = (in_both(0.125) * maximum(inverse_squares, swapped(inverse_squares))) * (k * swapped(k));

  auto const crossing = clamped(wM / NN);
  auto const nearest_Y = clamped(fma(k, twice_first(crossing), p));
  auto const nearest_X = clamped(fma(k, twice_second(nearest_Y), p));
  auto const nearest = first_second(nearest_X, nearest_Y);
  auto const shortest = subtract_product(fma(swapped(nearest), others, w), nearest, shafts);
  auto squared = twice_first(dot(shortest, shortest));
  bool intersect = false;
  if (HWY_UNLIKELY(first(squared) < first(in_both(0x1p-97) * extent))) {
    if (first(squared) < first(in_both(0x1p-180) * extent)) squared = in_both(0.0);
    intersect = !are_apart(lengths2, R, ww, sqrt(squared));
  }
  answer.uN = first(sqrt(squared) - R);
  if (normalised) answer.uN *= unit;
  answer.status = answer.uN < 0.0 ? Status::overlapping : Status::separated;
  auto depth2 = multiply_subtract(R, R, squared);
  auto any_ratio = depth2 * centring;
  auto const spread = fma(in_both(256.0) * any_ratio, any_ratio, in_both(256.0));
  if (HWY_UNLIKELY(first(spread) < first(extent * centring))) any_ratio = rare_depth2(source, nearest) * centring;

  auto const ratio = maximum(any_ratio, in_both(0.0));
  auto const reach = hn::Abs(k);
  auto const low = maximum(p - reach, in_both(-1.0));
  auto const high = minimum(p + reach, one);
  auto const middles = clamped(in_both(0.5) * (low + high));
  auto const pull = fma(ratio, middles, fma(k, swapped(middles), middles + p));
  auto const determinant = fma(ratio, ratio + in_both(2.0), NN * inverses);
  // Both divisions at once.
  auto const quotients = first_second(fma(ratio, pull, wM * inverses), one) / first_second(determinant, one + ratio);
  auto const X_of_lines = twice_first(clamped(quotients));
  auto const a = twice_second(quotients);
  auto const a_k = a * k;
  auto const a_rest = a * fma(ratio, middles, p);
  auto const Y = clamped(fma(a_k, X_of_lines, a_rest));
  auto const X = clamped(fma(a_k, twice_second(Y), a_rest));
  auto const at = first_second(X, Y);
  auto const from_w = fma(swapped(at), others, w);
  auto const v = subtract_product(from_w, at, shafts);
  auto const inverse = one / sqrt(dot(v, v));
  TwoTriples normal = {v.x * inverse, v.y * inverse, v.z * inverse};
  if (HWY_UNLIKELY(intersect)) {
    rare_normal(source, normal);
    answer.status = Status::axes_intersect;
  }
  // w + (Y B + X A) in the order of twice_to_point().
  auto const twice = fma(radii - swapped(radii), normal, fma(at, shafts, from_w));
  auto const half = in_both(normalised ? 0.5 * unit : 0.5);
  auto const from = [&](std::size_t i) HWY_ATTR { return in_both(source.centre1(i)); };
  answer.normal = {first(normal.x), first(normal.y), first(normal.z)};
  answer.point = {first(fma(half, twice.x, from(0))), first(fma(half, twice.y, from(1))),
                  first(fma(half, twice.z, from(2)))};
  return true;
}

template <class Load>
HWY_NOINLINE void solve_out_of_range(Load number, Output<double>& answer) {
  Normalised<Load> const source(number);
  solve_one<true>(source, answer, source.unit);
}

template <class Load>
HWY_INLINE Output<double> solve_any(Load number) {
  Output<double> answer;
  if (HWY_UNLIKELY(!solve_one<false>(Given<Load>{number}, answer))) solve_out_of_range(number, answer);
  return answer;
}

Output<double> evaluate_one(Input<double> const& in) noexcept {
  auto const number = [&in](std::size_t k) HWY_ATTR {
    double const* const vectors[] = {in.centre1.data(), in.half1.data(), in.centre2.data(), in.half2.data()};
    if (k == 6) return &in.radius1;
    if (k == 13) return &in.radius2;
    std::size_t const i = k < 6 ? k : k - 1;
    return vectors[i / 3] + i % 3;
  };
  return solve_any(number);
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    auto const number = [in, row](std::size_t k) HWY_ATTR { return in[k] + row; };
    auto const answer = solve_any(number);
    auto const put_one = [out, row](std::size_t k, double x) HWY_ATTR {
      if (out[k] != nullptr) out[k][row] = x;
    };
    put_one(0, answer.uN);
    for (std::size_t i = 0; i < 3; ++i) put_one(1 + i, answer.normal[static_cast<Index>(i)]);
    for (std::size_t i = 0; i < 3; ++i) put_one(4 + i, answer.point[static_cast<Index>(i)]);
    put_one(7, static_cast<double>(answer.status));
  }
}

#endif

#if HWY_ONCE

template <class Number>
struct Answer {
  Number uN;
  Triple<Number> normal, point;
  Number status;
};

HWY_INLINE Answer<double> answer_row(Capsules<double> const& in) {
  auto pair = pair_of(in);
  auto extent = extent_of(pair);
  Scale<double> scale = {1, 1, 1};
  if (!in_range(extent)) {
    scale = scale_of(in);
    pair = scaled_pair(in, scale);
    extent = extent_of(pair);
  }
  auto const of = shadows_of(pair, extent);
  auto gap = gap_of(pair, of, extent);
  if (sensitive(of, gap, extent)) gap.depth2 = exact_depth2(pair, scaled_error(in, scale), closest(of));
  auto const at = centre(of, gap.depth2);
  change_unit(gap, scale.unit);
  Answer<double> answer;
  answer.uN = gap.uN;
  answer.status = gap.status;
  answer.normal = normal_of(pair, at, gap.status);
  answer.point = fma(0.5 * scale.unit, twice_to_point(pair, at, answer.normal), in.centre1);
  return answer;
}

HWY_INLINE Capsules<double> capsules_of(Input<double> const& in) {
  auto const triple = [](Vector3<double> const& a) { return Triple<double>{a[0], a[1], a[2]}; };
  return {triple(in.centre1), triple(in.half1), in.radius1, triple(in.centre2), triple(in.half2), in.radius2};
}

HWY_INLINE Output<double> output_of(Answer<double> const& answer) {
  return {answer.uN,
          {answer.normal.x, answer.normal.y, answer.normal.z},
          {answer.point.x, answer.point.y, answer.point.z},
          static_cast<Status>(static_cast<int>(answer.status))};
}

Output<double> evaluate_one(Input<double> const& in) noexcept { return output_of(answer_row(capsules_of(in))); }

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) store_columns(answer_row(load_columns<double, Capsules>(in, i)), out, i);
}

#endif

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::capsule_contact::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::call_one<Input<double>, Output<double>, HWY_NAMESPACE::evaluate_one, N_AVX2::evaluate_one>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  static auto* const rows = available(Level::avx2) ? N_AVX2::evaluate_rows : HWY_NAMESPACE::evaluate_rows;
  fast_core::Forms const forms{rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::capsule_contact::fast

#endif
