#include "fast/capsule_contact.hpp"

#include <cstddef>
#include <limits>

// One translation unit holds both SIMD levels: Highway includes this file once per target. Everything else Highway
// could target is disabled, but what the compiler's own baseline gives must stay in the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_contact.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

constexpr double separated = static_cast<double>(Status::separated);
constexpr double overlapping = static_cast<double>(Status::overlapping);
constexpr double axes_intersect = static_cast<double>(Status::axes_intersect);

// The algorithm, for any `Lanes`: a type with the arithmetic of one vector of doubles (or of one double). Places on the
// axes are centre1 + X A and centre2 + Y B with the half-shafts A, B and X, Y in [-1, 1]: no length h = |A| is needed.

template <class Lanes>
struct Capsules {
  Triple<Lanes> centre1, half1, centre2, half2;
  typename Lanes::Value radius1, radius2;
};

/// Two capsules seen from the centre of the first: w leads to the centre of the second.
template <class Lanes>
struct Pair {
  Triple<Lanes> w, A, B;
  typename Lanes::Value r1, r2;
};

template <class Lanes>
HWY_INLINE Pair<Lanes> pair_of(Capsules<Lanes> const& in) {
  return {difference<Lanes>(in.centre2, in.centre1), in.half1, in.half2, in.radius1, in.radius2};
}

/// A square of the pair's size: S^2 is 1 to 4 times it.
template <class Lanes>
HWY_INLINE typename Lanes::Value extent_of(Pair<Lanes> const& pair) {
  auto const R = Lanes::add(pair.r1, pair.r2);
  auto const shafts = Lanes::add(dot<Lanes>(pair.A, pair.A), dot<Lanes>(pair.B, pair.B));
  return Lanes::multiply_add(R, R, Lanes::add(shafts, dot<Lanes>(pair.w, pair.w)));
}

/// True where no product below over- or underflows to any effect.
template <class Lanes>
HWY_INLINE typename Lanes::Mask in_range(typename Lanes::Value extent) {
  return Lanes::both(Lanes::less(extent, Lanes::set(0x1p140)), Lanes::less(Lanes::set(0x1p-140), extent));
}

/// What finds the best X for a Y, the best Y for an X, and where the lines of the axes are nearest: at X = q / sine^2.
template <class Lanes>
struct Shadows {
  typename Lanes::Value p1, p2;    ///< where the other centre's shadow falls: w.A / A.A and -w.B / B.B
  typename Lanes::Value k1, k2;    ///< half the length of the other's shadow: A.B / A.A and A.B / B.B
  typename Lanes::Value q, sine2;  ///< (w x B).N / (A.A B.B) and N.N / (A.A B.B) with N = A x B
  typename Lanes::Value centring;  ///< cos^2 / (8 min(A.A, B.B)): times R^2 - d^2 it is b / a of formula C
  typename Lanes::Value crossing;  ///< q / sine2, on the shaft
};

template <class Lanes>
HWY_INLINE typename Lanes::Value onto_shaft(typename Lanes::Value position) {
  return clamp<Lanes>(position, Lanes::set(-1.0), Lanes::set(1.0));
}

/// A half-shaft below 2^-65 of the pair's size S counts as that long, which moves nothing by more than 2^-65 S and
/// spares spheres a division by zero. Below an angle of 2^-60 any crossing will do, for the same reason.
///
/// N by Kahan's products, so that it has a direction however parallel the axes are. (w x B).N = w.(B x N), where plain
/// products do: B and N are perpendicular, so that the error of B x N is a few u of its length, X A's error a few u
/// |w| / sine and the error across the axes a few u |w|. That is half the operations of w x B in Kahan's way. Always
/// so: the Gram equations with a check, as for the distance alone, would spare 18 operations of 240 where they do.
template <class Lanes>
HWY_INLINE Shadows<Lanes> shadows_of(Pair<Lanes> const& pair, typename Lanes::Value extent) {
  auto const one = Lanes::set(1.0);
  auto const least = Lanes::multiply(Lanes::set(0x1p-130), extent);
  auto const AA = Lanes::maximum(dot<Lanes>(pair.A, pair.A), least);
  auto const BB = Lanes::maximum(dot<Lanes>(pair.B, pair.B), least);
  auto const AB = dot<Lanes>(pair.A, pair.B);
  auto const inverses = Lanes::divide(one, Lanes::multiply(AA, BB));
  auto const inverse_AA = Lanes::multiply(inverses, BB);
  auto const inverse_BB = Lanes::multiply(inverses, AA);
  auto const N = cross<Lanes>(pair.A, pair.B);
  auto const M = plain_cross<Lanes>(pair.B, N);
  auto const q = Lanes::multiply(dot<Lanes>(pair.w, M), inverses);
  auto const sine2 = Lanes::maximum(Lanes::multiply(dot<Lanes>(N, N), inverses), Lanes::set(0x1p-120));
  auto const k1 = Lanes::multiply(AB, inverse_AA);
  auto const k2 = Lanes::multiply(AB, inverse_BB);
  auto const eighth = Lanes::multiply(Lanes::set(0.125), Lanes::maximum(inverse_AA, inverse_BB));
  return {Lanes::multiply(dot<Lanes>(pair.w, pair.A), inverse_AA),
          Lanes::multiply(negative_dot<Lanes>(pair.w, pair.B), inverse_BB),
          k1,
          k2,
          q,
          sine2,
          Lanes::multiply(eighth, Lanes::multiply(k1, k2)),
          onto_shaft<Lanes>(Lanes::divide(q, sine2))};
}

template <class Lanes>
HWY_INLINE Triple<Lanes> connection(Pair<Lanes> const& pair, typename Lanes::Value X, typename Lanes::Value Y) {
  return subtract_multiple<Lanes>(add_multiple<Lanes>(pair.w, Y, pair.B), X, pair.A);
}

/// The closest pair of places: the best X of the lines, the best Y for it, the best X for that. Exact for two variables
/// in a box.
template <class Lanes>
HWY_INLINE void closest(Shadows<Lanes> const& of, typename Lanes::Value& X, typename Lanes::Value& Y) {
  Y = onto_shaft<Lanes>(Lanes::multiply_add(of.k2, of.crossing, of.p2));
  X = onto_shaft<Lanes>(Lanes::multiply_add(of.k1, Y, of.p1));
}

/// Middle of what is common to the shaft and the other's shadow upon it, or the end that is nearer to the shadow.
template <class Lanes>
HWY_INLINE typename Lanes::Value middle(typename Lanes::Value p, typename Lanes::Value k) {
  auto const reach = Lanes::absolute(k);
  auto const low = Lanes::maximum(Lanes::subtract(p, reach), Lanes::set(-1.0));
  auto const high = Lanes::minimum(Lanes::add(p, reach), Lanes::set(1.0));
  return onto_shaft<Lanes>(Lanes::multiply(Lanes::set(0.5), Lanes::add(low, high)));
}

/// The least of |v|^2 + ratio (|A|^2 (X - Xm)^2 + |B|^2 (Y - Ym)^2) on the box, ratio = b / a of formula C: nothing at
/// the onset of the contact, where this is the closest pair.
template <class Lanes>
HWY_INLINE void centre(Shadows<Lanes> const& of, typename Lanes::Value depth2, typename Lanes::Value& X,
                       typename Lanes::Value& Y) {
  auto const one = Lanes::set(1.0);
  auto const ratio = Lanes::maximum(Lanes::multiply(depth2, of.centring), Lanes::set(0.0));
  auto const Xm = middle<Lanes>(of.p1, of.k1);
  auto const Ym = middle<Lanes>(of.p2, of.k2);
  auto const one_more = Lanes::add(one, ratio);
  auto const pull = Lanes::multiply_add(of.k1, Ym, Lanes::multiply_add(one_more, Xm, of.p1));
  auto const determinant = Lanes::multiply_add(ratio, Lanes::add(one_more, one), of.sine2);
  X = onto_shaft<Lanes>(Lanes::divide(Lanes::multiply_add(ratio, pull, of.q), determinant));
  auto const a = Lanes::divide(one, one_more);
  auto const at = [&](typename Lanes::Value p, typename Lanes::Value k, typename Lanes::Value other,
                      typename Lanes::Value m) HWY_ATTR {
    return onto_shaft<Lanes>(Lanes::multiply(a, Lanes::multiply_add(ratio, m, Lanes::multiply_add(k, other, p))));
  };
  Y = at(of.p2, of.k2, X, Ym);
  X = at(of.p1, of.k1, Y, Xm);
}

/// v / |v|: of length 1 within 3.8 u (the largest seen is 2.8 u).
template <class Lanes>
HWY_INLINE Triple<Lanes> normalised(Triple<Lanes> const& v) {
  auto const one = Lanes::set(1.0);
  auto const vv = dot<Lanes>(v, v);
  auto const inverse = Lanes::divide(one, Lanes::square_root(vv));
  return {Lanes::multiply(v.x, inverse), Lanes::multiply(v.y, inverse), Lanes::multiply(v.z, inverse)};
}

/// Twice the way from the first centre to the contact point: the middle of the overlap of the spheres about the places
/// X and Y, on the line of their centres. (From the middle of both centres large coordinates would round twice.)
template <class Lanes>
HWY_INLINE Triple<Lanes> twice_to_point(Pair<Lanes> const& pair, typename Lanes::Value X, typename Lanes::Value Y,
                                        Triple<Lanes> const& normal) {
  auto const places = add_multiple<Lanes>(add_multiple<Lanes>(pair.w, Y, pair.B), X, pair.A);
  return add_multiple<Lanes>(places, Lanes::subtract(pair.r1, pair.r2), normal);
}

/// False only where the axes do not intersect: 64 u^2 S^2 <= 256 u^2 extent.
template <class Lanes>
HWY_INLINE typename Lanes::Mask near(typename Lanes::Value squared, typename Lanes::Value extent) {
  return Lanes::less(squared, Lanes::multiply(Lanes::set(0x1p-97), extent));
}

/// So that the result does not depend on the unit of length where d^2 underflows, a distance below 2^-90 of the pair's
/// size is 0.
template <class Lanes>
HWY_INLINE typename Lanes::Mask vanishing(typename Lanes::Value squared, typename Lanes::Value extent) {
  return Lanes::less(squared, Lanes::multiply(Lanes::set(0x1p-180), extent));
}

/// Exactly as 8 u S < d.
template <class Lanes>
HWY_INLINE typename Lanes::Mask apart(Pair<Lanes> const& pair, typename Lanes::Value d) {
  auto const length = [](Triple<Lanes> const& a) HWY_ATTR { return Lanes::square_root(dot<Lanes>(a, a)); };
  auto const S =
      Lanes::add(Lanes::add(length(pair.A), length(pair.B)), Lanes::add(Lanes::add(pair.r1, pair.r2), length(pair.w)));
  return Lanes::less(Lanes::multiply(Lanes::set(Contract::intersecting * unit_roundoff), S), d);
}

/// a times the power of two that brings its largest coordinate between 2 and 4; zero stays zero.
template <class Lanes>
HWY_INLINE Triple<Lanes> of_unit_size(Triple<Lanes> const& a) {
  return multiple<Lanes>(Lanes::twice_inverse(Lanes::power_of_two(largest<Lanes>(a))), a);
}

/// The contract's normal of axes that intersect: along N with n.w >= 0, or perpendicular to a shaft, or (0, 0, 1).
template <class Lanes>
HWY_INLINE Triple<Lanes> conventional_normal(Pair<Lanes> const& pair) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const A = of_unit_size<Lanes>(pair.A);
  auto const B = of_unit_size<Lanes>(pair.B);
  auto const N = of_unit_size<Lanes>(cross<Lanes>(A, B));
  auto const crossing = Lanes::less(zero, dot<Lanes>(N, N));
  auto const opposed = Lanes::less(dot<Lanes>(N, of_unit_size<Lanes>(pair.w)), zero);
  auto const sign = Lanes::select(opposed, Lanes::set(-1.0), one);

  auto const along = select<Lanes>(Lanes::less(zero, dot<Lanes>(A, A)), A, B);
  auto const square = dot<Lanes>(along, along);
  auto const x = Lanes::absolute(along.x);
  auto const y = Lanes::absolute(along.y);
  auto const is_z = Lanes::less(Lanes::absolute(along.z), Lanes::minimum(y, x));
  auto const is_y = Lanes::less(y, x);
  auto const least = Lanes::select(is_z, along.z, Lanes::select(is_y, along.y, along.x));
  Triple<Lanes> const axis = {Lanes::select(is_z, zero, Lanes::select(is_y, zero, one)),
                              Lanes::select(is_z, zero, Lanes::select(is_y, one, zero)),
                              Lanes::select(is_z, one, zero)};
  auto const shaft = Lanes::less(zero, square);
  auto const part = Lanes::select(shaft, Lanes::divide(least, square), zero);
  Triple<Lanes> const up = {zero, zero, one};
  auto const across = select<Lanes>(shaft, subtract_multiple<Lanes>(axis, part, along), up);
  return normalised<Lanes>(select<Lanes>(crossing, multiple<Lanes>(sign, N), across));
}

/// The change of the unit of length that brings the largest coordinate of pairs out of range between 2 and 4; those in
/// range keep theirs, so that no result depends on its neighbours. Centres count by their difference: `before` makes
/// room where that overflows. `unit` is the way back.
template <class Lanes>
struct Scale {
  typename Lanes::Value before, factor, unit;
};

template <class Lanes>
HWY_INLINE Scale<Lanes> scale_of(Capsules<Lanes> const& in) {
  auto const one = Lanes::set(1.0);
  auto const pair = pair_of<Lanes>(in);
  auto const finite = Lanes::less(largest<Lanes>(pair.w), Lanes::set(std::numeric_limits<double>::infinity()));
  auto const before = Lanes::select(finite, one, Lanes::set(0x1p-4));
  auto const w = difference<Lanes>(multiple<Lanes>(before, in.centre2), multiple<Lanes>(before, in.centre1));
  auto const shafts = Lanes::larger_magnitude(largest<Lanes>(in.half1), largest<Lanes>(in.half2));
  auto const radii = Lanes::larger_magnitude(in.radius1, in.radius2);
  auto const shapes = Lanes::multiply(before, Lanes::larger_magnitude(shafts, radii));
  auto const power = Lanes::power_of_two(Lanes::larger_magnitude(shapes, largest<Lanes>(w)));
  auto const plain = in_range<Lanes>(extent_of<Lanes>(pair));
  auto const unit = Lanes::divide(Lanes::multiply(Lanes::set(0.5), power), before);
  return {before, Lanes::select(plain, one, Lanes::twice_inverse(power)), Lanes::select(plain, one, unit)};
}

/// A number as the sum of two, the second within rounding of the first.
template <class Lanes>
struct Double {
  typename Lanes::Value high, low;
};

/// a + b exactly (Knuth).
template <class Lanes>
HWY_INLINE Double<Lanes> exact_sum(typename Lanes::Value a, typename Lanes::Value b) {
  auto const high = Lanes::add(a, b);
  auto const part = Lanes::subtract(high, a);
  return {high, Lanes::add(Lanes::subtract(a, Lanes::subtract(high, part)), Lanes::subtract(b, part))};
}

template <class Lanes>
HWY_INLINE Double<Lanes> exact_product(typename Lanes::Value a, typename Lanes::Value b) {
  auto const high = Lanes::multiply(a, b);
  return {high, Lanes::multiply_subtract(a, b, high)};
}

/// What w = a - b lacks of a - b.
template <class Lanes>
HWY_INLINE Triple<Lanes> difference_error(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  auto const error = [](typename Lanes::Value x, typename Lanes::Value y)
                         HWY_ATTR { return exact_sum<Lanes>(x, Lanes::subtract(Lanes::set(0.0), y)).low; };
  return {error(a.x, b.x), error(a.y, b.y), error(a.z, b.z)};
}

/// The pair in the new unit of length.
template <class Lanes>
HWY_INLINE Pair<Lanes> scaled_pair(Capsules<Lanes> const& in, Scale<Lanes> const& scale) {
  auto const w =
      difference<Lanes>(multiple<Lanes>(scale.before, in.centre2), multiple<Lanes>(scale.before, in.centre1));
  auto const factor = Lanes::multiply(scale.before, scale.factor);
  return {multiple<Lanes>(scale.factor, w), multiple<Lanes>(factor, in.half1), multiple<Lanes>(factor, in.half2),
          Lanes::multiply(factor, in.radius1), Lanes::multiply(factor, in.radius2)};
}

/// What its w lacks of the difference of the centres.
template <class Lanes>
HWY_INLINE Triple<Lanes> scaled_error(Capsules<Lanes> const& in, Scale<Lanes> const& scale) {
  return multiple<Lanes>(scale.factor, difference_error<Lanes>(multiple<Lanes>(scale.before, in.centre2),
                                                               multiple<Lanes>(scale.before, in.centre1)));
}

/// The overlap, and what decides where it acts.
template <class Lanes>
struct Gap {
  typename Lanes::Value uN, status;
  typename Lanes::Value depth2;  ///< R^2 - d^2
};

template <class Lanes>
HWY_INLINE Gap<Lanes> gap_of(Pair<Lanes> const& pair, Shadows<Lanes> const& of, typename Lanes::Value extent) {
  auto const zero = Lanes::set(0.0);
  typename Lanes::Value X, Y;
  closest<Lanes>(of, X, Y);
  auto const v = connection<Lanes>(pair, X, Y);
  auto const squared = dot<Lanes>(v, v);
  auto d = Lanes::square_root(squared);
  bool const any_near = HWY_UNLIKELY(!Lanes::none(near<Lanes>(squared, extent)));
  if (any_near) d = Lanes::select(vanishing<Lanes>(squared, extent), zero, d);
  auto const R = Lanes::add(pair.r1, pair.r2);
  Gap<Lanes> gap;
  gap.uN = Lanes::subtract(d, R);
  gap.status = Lanes::select(Lanes::less(gap.uN, zero), Lanes::set(overlapping), Lanes::set(separated));
  gap.depth2 = Lanes::multiply(Lanes::subtract(R, d), Lanes::add(R, d));
  if (any_near) gap.status = Lanes::select(apart<Lanes>(pair, d), gap.status, Lanes::set(axes_intersect));
  return gap;
}

/// uN in the unit of length asked for, with the status: a gap that underflows there is 0.
template <class Lanes>
HWY_INLINE void change_unit(Gap<Lanes>& gap, typename Lanes::Value unit) {
  gap.uN = Lanes::multiply(gap.uN, unit);
  auto const touching =
      Lanes::select(Lanes::less(gap.status, Lanes::set(axes_intersect)), Lanes::set(separated), gap.status);
  gap.status = Lanes::select(Lanes::less(gap.uN, Lanes::set(0.0)), gap.status, touching);
}

/// Whether the rounding of R^2 - d^2, a few u S^2, could move the contact by more than a fifth of its budget. It can
/// for half-shafts h below about a fiftieth of S near the onset of the contact, where the places move by h while d
/// changes by h^2 / R: 5 budgets at h = S / 1000, and 40,000 at 1e-8 S. Asking costs 3 % of the time.
template <class Lanes>
HWY_INLINE typename Lanes::Mask sensitive(Shadows<Lanes> const& of, Gap<Lanes> const& gap,
                                          typename Lanes::Value extent) {
  auto const limit = Lanes::set(256.0);
  auto const ratio = Lanes::multiply(gap.depth2, of.centring);
  auto const spread = Lanes::multiply_add(Lanes::multiply(ratio, limit), ratio, limit);
  return Lanes::less(spread, Lanes::multiply(extent, of.centring));
}

/// R^2 - d^2 to a few u^2 S^2, for w + `w_error` in place of w. The closest places come in rounded, which d feels to
/// second order only.
template <class Lanes>
HWY_INLINE typename Lanes::Value exact_depth2(Pair<Lanes> const& pair, Triple<Lanes> const& w_error,
                                              Shadows<Lanes> const& of) {
  typename Lanes::Value X, Y;
  closest<Lanes>(of, X, Y);
  auto const zero = Lanes::set(0.0);
  auto const minus_X = Lanes::subtract(zero, X);
  auto const R = exact_sum<Lanes>(pair.r1, pair.r2);
  auto depth2 = exact_product<Lanes>(R.high, R.high);
  depth2.low = Lanes::multiply_add(Lanes::add(R.high, R.high), R.low, depth2.low);
  auto const subtract_square = [&](typename Lanes::Value w, typename Lanes::Value error, typename Lanes::Value a,
                                   typename Lanes::Value b) HWY_ATTR {
    auto const along_b = exact_product<Lanes>(Y, b);
    auto const along_a = exact_product<Lanes>(minus_X, a);
    auto const part = exact_sum<Lanes>(w, along_b.high);
    auto const v = exact_sum<Lanes>(part.high, along_a.high);
    auto const v_low = Lanes::add(Lanes::add(Lanes::add(error, along_b.low), along_a.low), Lanes::add(part.low, v.low));
    auto const square = exact_product<Lanes>(v.high, v.high);
    auto const rest = exact_sum<Lanes>(depth2.high, Lanes::subtract(zero, square.high));
    auto const low = Lanes::subtract_product(Lanes::subtract(rest.low, square.low), Lanes::add(v.high, v.high), v_low);
    depth2 = {rest.high, Lanes::add(depth2.low, low)};
  };
  subtract_square(pair.w.x, w_error.x, pair.A.x, pair.B.x);
  subtract_square(pair.w.y, w_error.y, pair.A.y, pair.B.y);
  subtract_square(pair.w.z, w_error.z, pair.A.z, pair.B.z);
  return Lanes::add(depth2.high, depth2.low);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> normal_of(Pair<Lanes> const& pair, typename Lanes::Value X, typename Lanes::Value Y,
                                   typename Lanes::Value status) {
  auto const normal = normalised<Lanes>(connection<Lanes>(pair, X, Y));
  auto const free = Lanes::less(status, Lanes::set(axes_intersect));
  return HWY_LIKELY(Lanes::all(free)) ? normal : select<Lanes>(free, normal, conventional_normal<Lanes>(pair));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::size_t columns_in = 14;
constexpr std::size_t columns_out = 8;

/// Rows solved together: what is done again if one of them is out of range.
constexpr std::size_t block_rows = 128;

/// Rows between one stage of a vector and the next.
constexpr std::size_t lag = 4 * Simd::width;

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

  bool contact() const {
    for (std::size_t k = 1; k < 7; ++k)
      if (out[k] != nullptr) return true;
    return false;
  }
};

HWY_INLINE Triple<Simd> load_triple(double const* const columns[], std::size_t j) {
  return {Simd::load(columns[0] + j), Simd::load(columns[1] + j), Simd::load(columns[2] + j)};
}

HWY_INLINE Capsules<Simd> load_capsules(Block const& block, std::size_t j) {
  return {load_triple(block.in, j),      load_triple(block.in + 3, j), load_triple(block.in + 7, j),
          load_triple(block.in + 10, j), Simd::load(block.in[6] + j),  Simd::load(block.in[13] + j)};
}

HWY_INLINE void put(double* column, std::size_t j, Simd::Value x) {
  if (column != nullptr) Simd::store(x, column + j);
}

/// Every member from its column: g++ copies whole triples by way of the stack (9.0 ns a pair at AVX2 for 5.6).
HWY_INLINE Pair<Simd> load_pair(Block const& block, std::size_t j) {
  auto const column = [&block, j](std::size_t k) HWY_ATTR { return Simd::load(block.in[k] + j); };
  return {{Simd::subtract(column(7), column(0)), Simd::subtract(column(8), column(1)),
           Simd::subtract(column(9), column(2))},
          {column(3), column(4), column(5)},
          {column(10), column(11), column(12)},
          column(6),
          column(13)};
}

HWY_NOINLINE Simd::Value exact_depth2_at(Block const& block, std::size_t j) {
  auto const pair = load_pair(block, j);
  auto const w_error = difference_error<Simd>(load_triple(block.in + 7, j), load_triple(block.in, j));
  return exact_depth2<Simd>(pair, w_error, shadows_of<Simd>(pair, extent_of<Simd>(pair)));
}

/// Four stages of a vector, `lag` rows apart: the shadows, the gap, the places of the contact, the contact. One after
/// the other, the chain of six dependent divisions and roots (400 cycles) fills the processor's window with little more
/// than one vector: 4.5 ns a pair at AVX-512 for 3.2, 8.8 at AVX2 for 5.6.
///
/// False if a row is out of range, unless the block is `normalised`: the results are then unfinished.
template <bool normalised, bool contact>
HWY_INLINE bool solve_stages(Block const& block) {
  HWY_ALIGN double shadows[9][ring];
  HWY_ALIGN double gaps[4][ring];
  std::size_t const rest = contact ? 3 * lag : lag;
  for (std::size_t j = 0; j < block.rows + rest; j += Simd::width) {
    if (contact && j >= 3 * lag) {
      std::size_t const i = j - 3 * lag, slot = i % ring;
      auto const pair = load_pair(block, i);
      auto const X = Simd::load(gaps[0] + slot);
      auto const Y = Simd::load(gaps[1] + slot);
      auto const normal = normal_of<Simd>(pair, X, Y, Simd::load(gaps[2] + slot));
      put(block.out[1], i, normal.x);
      put(block.out[2], i, normal.y);
      put(block.out[3], i, normal.z);
      auto half = Simd::set(0.5);
      if (normalised) half = Simd::multiply(half, Simd::load(block.units + i));
      auto const* const centre1 = normalised ? block.centre1 : block.in;
      auto const twice = twice_to_point<Simd>(pair, X, Y, normal);
      auto const point = add_multiple<Simd>(load_triple(centre1, i), half, twice);
      put(block.out[4], i, point.x);
      put(block.out[5], i, point.y);
      put(block.out[6], i, point.z);
    }
    auto const handed = [&shadows](std::size_t slot) HWY_ATTR {
      auto const get = [&shadows, slot](std::size_t k) HWY_ATTR { return Simd::load(shadows[k] + slot); };
      return Shadows<Simd>{get(0), get(1), get(2), get(3), get(4), get(5), get(6), get(7)};
    };
    if (contact && j >= 2 * lag && j < block.rows + 2 * lag) {
      std::size_t const slot = (j - 2 * lag) % ring;
      Simd::Value X, Y;
      centre<Simd>(handed(slot), Simd::load(gaps[3] + slot), X, Y);
      Simd::store(X, gaps[0] + slot);
      Simd::store(Y, gaps[1] + slot);
    }
    if (j >= lag && j < block.rows + lag) {
      std::size_t const i = j - lag, slot = i % ring;
      auto const of = handed(slot);
      auto const extent = Simd::load(shadows[8] + slot);
      auto gap = gap_of<Simd>(load_pair(block, i), of, extent);
      if (contact) {
        auto const unsure = sensitive<Simd>(of, gap, extent);
        if (HWY_UNLIKELY(!Simd::none(unsure))) {
          gap.depth2 = Simd::select(unsure, exact_depth2_at(block, i), gap.depth2);
        }
      }
      if (normalised) change_unit<Simd>(gap, Simd::load(block.units + i));
      put(block.out[0], i, gap.uN);
      put(block.out[7], i, gap.status);
      Simd::store(gap.status, gaps[2] + slot);
      Simd::store(gap.depth2, gaps[3] + slot);
    }
    if (j < block.rows) {
      std::size_t const slot = j % ring;
      auto const pair = load_pair(block, j);
      auto const extent = extent_of<Simd>(pair);
      if (!normalised && HWY_UNLIKELY(!Simd::all(in_range<Simd>(extent)))) return false;
      auto const of = shadows_of<Simd>(pair, extent);
      Simd::store(of.p1, shadows[0] + slot);
      Simd::store(of.p2, shadows[1] + slot);
      Simd::store(of.k1, shadows[2] + slot);
      Simd::store(of.k2, shadows[3] + slot);
      Simd::store(of.q, shadows[4] + slot);
      Simd::store(of.sine2, shadows[5] + slot);
      Simd::store(of.centring, shadows[6] + slot);
      Simd::store(of.crossing, shadows[7] + slot);
      Simd::store(extent, shadows[8] + slot);
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
  auto largest_unit = Simd::set(1.0);
  auto least_unit = Simd::set(1.0);
  for (std::size_t j = 0; j < block.rows; j += Simd::width) {
    auto const capsules = load_capsules(block, j);
    auto const scale = scale_of<Simd>(capsules);
    auto const pair = scaled_pair<Simd>(capsules, scale);
    auto const w_error = scaled_error<Simd>(capsules, scale);
    auto const store = [&columns, j](Triple<Simd> const& x, std::size_t k) HWY_ATTR {
      Simd::store(x.x, columns[k] + j);
      Simd::store(x.y, columns[k + 1] + j);
      Simd::store(x.z, columns[k + 2] + j);
    };
    auto const zero = Simd::set(0.0);
    // Its difference from w rounds to w again, and lacks the same.
    store({Simd::subtract(zero, w_error.x), Simd::subtract(zero, w_error.y), Simd::subtract(zero, w_error.z)}, 0);
    store(pair.A, 3);
    Simd::store(pair.r1, columns[6] + j);
    store(pair.w, 7);
    store(pair.B, 10);
    Simd::store(pair.r2, columns[13] + j);
    Simd::store(scale.unit, units + j);
    largest_unit = Simd::maximum(largest_unit, scale.unit);
    least_unit = Simd::minimum(least_unit, scale.unit);
  }
  Block copy = block;
  for (std::size_t k = 0; k < columns_in; ++k) copy.in[k] = columns[k];
  copy.units = units;
  solve<true>(copy);
  auto const one = Simd::set(1.0);
  return !Simd::all(Simd::both(Simd::equal(largest_unit, one), Simd::equal(least_unit, one)));
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  Block block;
  block.units = nullptr;
  // What the last block was like: the next one is tried that way first. No result depends on it.
  bool out_of_range = false;
  auto const solve_block = [&block, &out_of_range]() HWY_ATTR {
    if (HWY_UNLIKELY(out_of_range) || !solve<false>(block)) out_of_range = solve_normalised(block);
  };
  std::size_t const full = n - n % Simd::width;
  for (std::size_t i = 0; i < full; i += block_rows) {
    for (std::size_t k = 0; k < columns_in; ++k) block.in[k] = in[k] + i;
    for (std::size_t k = 0; k < 3; ++k) block.centre1[k] = block.in[k];
    for (std::size_t k = 0; k < columns_out; ++k) block.out[k] = out[k] == nullptr ? nullptr : out[k] + i;
    block.rows = full - i < block_rows ? full - i : block_rows;
    solve_block();
  }
  if (full == n) return;
  // The rest, in a vector of its own, filled up with the last row.
  double rows[columns_in][Simd::width];
  double results[columns_out][Simd::width];
  for (std::size_t k = 0; k < columns_in; ++k) {
    for (std::size_t j = 0; j < Simd::width; ++j) rows[k][j] = in[k][full + j < n ? full + j : n - 1];
    block.in[k] = rows[k];
  }
  for (std::size_t k = 0; k < columns_out; ++k) block.out[k] = out[k] == nullptr ? nullptr : results[k];
  for (std::size_t k = 0; k < 3; ++k) block.centre1[k] = block.in[k];
  block.rows = Simd::width;
  solve_block();
  for (std::size_t k = 0; k < columns_out; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; full + j < n; ++j) out[k][full + j] = results[k][j];
  }
}

#endif

#if HWY_ONCE

struct Answer {
  Triple<Scalar> normal, point;
  double uN, status;
};

HWY_INLINE Answer answer_row(Capsules<Scalar> const& in) {
  auto pair = pair_of<Scalar>(in);
  auto extent = extent_of<Scalar>(pair);
  Scale<Scalar> scale = {1, 1, 1};
  if (!in_range<Scalar>(extent)) {
    scale = scale_of<Scalar>(in);
    pair = scaled_pair<Scalar>(in, scale);
    extent = extent_of<Scalar>(pair);
  }
  auto const of = shadows_of<Scalar>(pair, extent);
  auto gap = gap_of<Scalar>(pair, of, extent);
  if (sensitive<Scalar>(of, gap, extent)) {
    gap.depth2 = exact_depth2<Scalar>(pair, scaled_error<Scalar>(in, scale), of);
  }
  double X, Y;
  centre<Scalar>(of, gap.depth2, X, Y);
  Answer answer;
  change_unit<Scalar>(gap, scale.unit);
  answer.uN = gap.uN;
  answer.status = gap.status;
  answer.normal = normal_of<Scalar>(pair, X, Y, gap.status);
  auto const twice = twice_to_point<Scalar>(pair, X, Y, answer.normal);
  answer.point = add_multiple<Scalar>(in.centre1, 0.5 * scale.unit, twice);
  return answer;
}

Answer answer_row_portable(Capsules<Scalar> const& in) { return answer_row(in); }

/// The same code where the CPU has FMA: the baseline would call the library more than a hundred times a pair.
__attribute__((target("fma"))) Answer answer_row_fma(Capsules<Scalar> const& in) { return answer_row(in); }

#endif

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::capsule_contact::fast {

namespace {

namespace row = HWY_NAMESPACE;

row::Answer answer_row(row::Capsules<row::Scalar> const& in) {
  static bool const fused = available(Level::avx2);
  return fused ? row::answer_row_fma(in) : row::answer_row_portable(in);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  auto const triple = [](Vector3<double> const& a) { return row::Triple<row::Scalar>{a[0], a[1], a[2]}; };
  auto const answer =
      answer_row({triple(in.centre1), triple(in.half1), triple(in.centre2), triple(in.half2), in.radius1, in.radius2});
  return {answer.uN,
          {answer.normal.x, answer.normal.y, answer.normal.z},
          {answer.point.x, answer.point.y, answer.point.z},
          static_cast<Status>(static_cast<int>(answer.status))};
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
    case Level::avx512:
      return N_AVX3::evaluate(n, in, out);
    case Level::avx2:
      return N_AVX2::evaluate(n, in, out);
    case Level::scalar:
      for (std::size_t i = 0; i < n; ++i) {
        auto const answer = answer_row({{in[0][i], in[1][i], in[2][i]},
                                        {in[3][i], in[4][i], in[5][i]},
                                        {in[7][i], in[8][i], in[9][i]},
                                        {in[10][i], in[11][i], in[12][i]},
                                        in[6][i],
                                        in[13][i]});
        double const results[] = {answer.uN,      answer.normal.x, answer.normal.y, answer.normal.z,
                                  answer.point.x, answer.point.y,  answer.point.z,  answer.status};
        for (std::size_t k = 0; k < 8; ++k)
          if (out[k] != nullptr) out[k][i] = results[k];
      }
      return;
  }
}

}  // namespace demeter::capsule_contact::fast

#endif
