// The contact of two capsules, for any `Number`: a vector of doubles, or one double. See fast/core/lanes.hpp for the
// words. Places on the axes are centre1 + X A and centre2 + Y B with the half-shafts A, B and X, Y in [-1, 1]: no
// length h = |A| is needed.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#undef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#else
#define DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#endif

#include "fast/core/lanes.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

constexpr double separated = static_cast<double>(Status::separated);
constexpr double overlapping = static_cast<double>(Status::overlapping);
constexpr double axes_intersect = static_cast<double>(Status::axes_intersect);

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

/// Coefficients of the best X for a Y and of the best Y for an X. The lines of the axes are nearest at X = q / sine^2.
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

/// The rounding error of w = a - b: a - b is w plus this.
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

/// The rounding error of the w of scaled_pair().
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

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
