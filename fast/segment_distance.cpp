#include "fast/segment_distance.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// One translation unit holds both SIMD levels: Highway includes this file once per target. Everything else Highway
// could target is disabled, but what the compiler's own baseline gives must stay in the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"
#include "fast/core/underflow.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Lanes`: a type with the arithmetic of one vector of doubles (or of one double).

template <class Lanes>
struct Ends {
  Triple<Lanes> p0, p1, q0, q1;
};

/// (1-k) a + k b with two roundings: exact at both ends and, unlike a + k (b-a), free of the rounding of b-a. It costs
/// three operations more. A hill climb on d reaches, with a plain root, 10.7 uS for w + t B - s A, 10.3 for the same
/// from the nearer ends, 9.9 for this.
template <class Lanes>
HWY_INLINE Triple<Lanes> interpolate(Triple<Lanes> const& a, Triple<Lanes> const& b, typename Lanes::Value k) {
  return add_multiple<Lanes>(subtract_multiple<Lanes>(a, k, a), k, b);
}

/// From the point s of p to the point t of q, and the rounding error of that. The error is exact where both points are
/// of about equal size, which is where it counts, and elsewhere no worse than none.
template <class Lanes>
HWY_INLINE void connect(Ends<Lanes> const& ends, typename Lanes::Value s, typename Lanes::Value t, Triple<Lanes>& v,
                        Triple<Lanes>& error) {
  auto const P = interpolate<Lanes>(ends.p0, ends.p1, s);
  auto const Q = interpolate<Lanes>(ends.q0, ends.q1, t);
  v = difference<Lanes>(Q, P);
  error = difference<Lanes>(difference<Lanes>(Q, v), P);
}

/// |v + error|: the root of v.v, corrected to first order for the error of v, the last and largest rounding of v.v and
/// the rounding of the root. Hill climbs reach 9.9 uS with the plain root, 7.9 without `zz_error` and 6.5 with it, at
/// 1.0, 1.2 and 1.3 times the time; the other two roundings of v.v are not worth theirs.
template <class Lanes>
HWY_INLINE typename Lanes::Value length(Triple<Lanes> const& v, Triple<Lanes> const& error) {
  auto const xx = Lanes::multiply(v.x, v.x);
  auto const xxyy = Lanes::multiply_add(v.y, v.y, xx);
  auto const squared = Lanes::multiply_add(v.z, v.z, xxyy);
  auto const slope = dot<Lanes>(v, error);
  auto const root = Lanes::square_root(squared);
  auto const zz_error = Lanes::multiply_add(v.z, v.z, Lanes::subtract(xxyy, squared));
  auto const before_root = Lanes::add(Lanes::add(slope, slope), zz_error);
  auto const excess = Lanes::add(Lanes::subtract_product(squared, root, root), before_root);
  return Lanes::multiply_add(excess, Lanes::half_inverse(root), root);
}

/// p1 - p0, q1 - q0 and q0 - p0.
template <class Lanes>
struct Differences {
  Triple<Lanes> A, B, w;
};

template <class Lanes>
HWY_INLINE Differences<Lanes> differences(Ends<Lanes> const& ends) {
  return {difference<Lanes>(ends.p1, ends.p0), difference<Lanes>(ends.q1, ends.q0),
          difference<Lanes>(ends.q0, ends.p0)};
}

/// What the solvers need of them.
template <class Lanes>
struct Products {
  typename Lanes::Value AA, BB, AB, Aw, Bw;
  typename Lanes::Value extent;  ///< AA + BB + ww
};

template <class Lanes>
HWY_INLINE Products<Lanes> products(Differences<Lanes> const& differences) {
  auto const& [A, B, w] = differences;
  auto const AA = dot<Lanes>(A, A);
  auto const BB = dot<Lanes>(B, B);
  return {
      AA, BB, dot<Lanes>(A, B), dot<Lanes>(A, w), dot<Lanes>(B, w), Lanes::add(Lanes::add(AA, BB), dot<Lanes>(w, w))};
}

/// True where no product of the solvers over- or underflows to any effect.
template <class Lanes>
HWY_INLINE typename Lanes::Mask in_range(typename Lanes::Value extent) {
  return Lanes::both(Lanes::less(extent, Lanes::set(0x1p100)), Lanes::less(Lanes::set(0x1p-140), extent));
}

/// True where all four points are one: the distance is 0 in any unit of length.
template <class Lanes>
HWY_INLINE typename Lanes::Mask coincident(Ends<Lanes> const& ends) {
  auto const same = [](Triple<Lanes> const& a, Triple<Lanes> const& b) {
    return Lanes::both(Lanes::equal(a.x, b.x), Lanes::both(Lanes::equal(a.y, b.y), Lanes::equal(a.z, b.z)));
  };
  return Lanes::both(same(ends.p0, ends.p1), Lanes::both(same(ends.q0, ends.q1), same(ends.p0, ends.q0)));
}

/// The best t for s, then the best s for that t. If s is the best on the line, this is exact: two variables in a box.
template <class Lanes>
HWY_INLINE void descend(Products<Lanes> const& of, typename Lanes::Value inverse_AA, typename Lanes::Value inverse_BB,
                        typename Lanes::Value& s, typename Lanes::Value& t) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  t = clamp<Lanes>(Lanes::multiply(Lanes::multiply_subtract(of.AB, s, of.Bw), inverse_BB), zero, one);
  s = clamp<Lanes>(Lanes::multiply(Lanes::multiply_add(of.AB, t, of.Aw), inverse_AA), zero, one);
}

/// The Gram (normal) equations, and how far they can be trusted: where extent < soundness d^2.
///
/// Cancellation in the determinant makes s wrong by about u |w| / (|A| sin^2), and d, being least there, by the square
/// of that: (u |w|)^2 / (d sin^2). The check d sin^2 > 2^-43 sqrt(extent) keeps it below 0.1 uS, and keeps away from d
/// = 0, where errors of s and t count to first order. Unchecked the error reaches 1e8 uS. Both sides are homogeneous,
/// so that the decision does not depend on the unit of length.
template <class Lanes>
struct Gram {
  typename Lanes::Value determinant, inverse_AA, inverse_BB, soundness;
};

template <class Lanes>
HWY_INLINE Gram<Lanes> gram(Products<Lanes> const& of) {
  auto const one = Lanes::set(1.0);
  auto const inverse_AA = Lanes::divide(one, of.AA);
  auto const inverse_BB = Lanes::divide(one, of.BB);
  auto const determinant = Lanes::subtract_product(Lanes::multiply(of.AA, of.BB), of.AB, of.AB);
  auto const bound = Lanes::set(0x1p43);
  auto const sine = Lanes::multiply(Lanes::multiply(determinant, inverse_AA), Lanes::multiply(bound, inverse_BB));
  auto const shorter = Lanes::multiply(Lanes::set(0x1p86), Lanes::minimum(of.AA, of.BB));
  auto const soundness = Lanes::zero_unless(Lanes::less(of.extent, shorter), Lanes::multiply(sine, sine));
  return {determinant, inverse_AA, inverse_BB, soundness};
}

template <class Lanes>
HWY_INLINE void solve_gram(Products<Lanes> const& of, Gram<Lanes> const& gram, typename Lanes::Value& s,
                           typename Lanes::Value& t) {
  auto const numerator = Lanes::multiply_subtract(of.Aw, of.BB, Lanes::multiply(of.AB, of.Bw));
  s = clamp<Lanes>(Lanes::divide(numerator, gram.determinant), Lanes::set(0.0), Lanes::set(1.0));
  descend<Lanes>(of, gram.inverse_AA, gram.inverse_BB, s, t);
}

/// True where the equations may be sound for some d: d^2 is at most three times the extent.
template <class Lanes>
HWY_INLINE typename Lanes::Mask may_be_sound(typename Lanes::Value soundness) {
  return Lanes::less(Lanes::set(0.25), soundness);
}

template <class Lanes>
HWY_INLINE typename Lanes::Mask sound(typename Lanes::Value extent, typename Lanes::Value soundness,
                                      Triple<Lanes> const& v) {
  return Lanes::less(extent, Lanes::multiply(soundness, dot<Lanes>(v, v)));
}

/// What solve_cross hands on to refine.
template <class Lanes>
struct Rough {
  typename Lanes::Value s, t, inverse_AA, inverse_BB, inverse_NN, extent, AB, BB;
};

/// For what the Gram equations do not settle: s by compensated cross products, good however parallel the segments are.
///
/// Scaling makes differences of 2^-147 of the extent vanish, and underflow those of 2^-400. So that the result does not
/// depend on the unit of length all the same, a segment below 2^-100 of the extent is a point, and a distance below
/// 2^-90 of it is 0.
template <class Lanes>
HWY_INLINE void solve_cross(Differences<Lanes> const& differences, Products<Lanes> const& of, Rough<Lanes>& rough) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const& [A, B, w] = differences;
  auto const N = cross<Lanes>(A, B);
  auto const wxB = cross<Lanes>(w, B);
  auto const NN = dot<Lanes>(N, N);
  auto const least = Lanes::multiply(Lanes::set(0x1p-200), of.extent);
  rough.extent = of.extent;
  rough.AB = of.AB;
  rough.BB = of.BB;
  rough.inverse_AA = Lanes::zero_unless(Lanes::less(least, of.AA), Lanes::divide(one, of.AA));
  rough.inverse_BB = Lanes::zero_unless(Lanes::less(least, of.BB), Lanes::divide(one, of.BB));
  // Below an angle of 2^-100 any s will do; below 2^-20 the rough s is so good across the segments, where it matters,
  // that refining it would only bring in noise along them.
  auto const full_NN = Lanes::multiply(of.AA, of.BB);
  auto const inverse_NN = Lanes::divide(one, NN);
  auto const s = Lanes::multiply(dot<Lanes>(wxB, N), inverse_NN);
  rough.s =
      clamp<Lanes>(Lanes::zero_unless(Lanes::less(Lanes::multiply(Lanes::set(0x1p-200), full_NN), NN), s), zero, one);
  rough.inverse_NN = Lanes::zero_unless(Lanes::less(Lanes::multiply(Lanes::set(0x1p-40), full_NN), NN), inverse_NN);
  descend<Lanes>(of, rough.inverse_AA, rough.inverse_BB, rough.s, rough.t);
}

/// s, t and the connection of their points, with its rounding error. The rough s and t carry errors of a few u, which
/// count to first order where d is about 0. There the least squares problem is solved again for the computed connection
/// in place of w, and its small solution dt, ds added to the connection unrounded (touching segments: 6.6 uS without,
/// 2.3 with; a hill climb: over 12 and 5).
template <class Lanes>
HWY_INLINE void refine(Ends<Lanes> const& ends, Rough<Lanes> const& rough, typename Lanes::Value& s,
                       typename Lanes::Value& t, Triple<Lanes>& v, Triple<Lanes>& error) {
  s = rough.s;
  t = rough.t;
  connect<Lanes>(ends, s, t, v, error);
  auto const far = Lanes::less(Lanes::multiply(Lanes::set(0x1p-70), rough.extent), dot<Lanes>(v, v));
  if (Lanes::all(far)) return;

  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const low_s = Lanes::subtract(zero, s);
  auto const low_t = Lanes::subtract(zero, t);
  auto const high_s = Lanes::subtract(one, s);
  auto const high_t = Lanes::subtract(one, t);
  auto const A = difference<Lanes>(ends.p1, ends.p0);
  auto const B = difference<Lanes>(ends.q1, ends.q0);
  auto const AB = rough.AB;
  auto const Av = dot<Lanes>(A, v);
  auto const Bv = dot<Lanes>(B, v);
  auto const numerator = Lanes::multiply_subtract(Av, rough.BB, Lanes::multiply(AB, Bv));
  auto ds = clamp<Lanes>(Lanes::multiply(numerator, rough.inverse_NN), low_s, high_s);
  auto const dt = clamp<Lanes>(Lanes::multiply(Lanes::multiply_subtract(AB, ds, Bv), rough.inverse_BB), low_t, high_t);
  ds = clamp<Lanes>(Lanes::multiply(Lanes::multiply_add(AB, dt, Av), rough.inverse_AA), low_s, high_s);
  auto const shift = subtract_multiple<Lanes>(add_multiple<Lanes>(error, dt, B), ds, A);
  auto const near = sum<Lanes>(v, shift);
  auto const near_error = sum<Lanes>(difference<Lanes>(v, near), shift);
  s = Lanes::select(far, s, Lanes::add(s, ds));
  t = Lanes::select(far, t, Lanes::add(t, dt));
  v = select<Lanes>(far, v, near);
  error = select<Lanes>(far, error, near_error);
}

/// The length of a refined connection; see solve_cross for the zero.
template <class Lanes>
HWY_INLINE typename Lanes::Value refined_length(Triple<Lanes> const& v, Triple<Lanes> const& error,
                                                typename Lanes::Value extent) {
  auto const least = Lanes::multiply(Lanes::set(0x1p-180), extent);
  return Lanes::zero_unless(Lanes::less(least, dot<Lanes>(v, v)), length<Lanes>(v, error));
}

template <class Lanes>
HWY_INLINE typename Lanes::Value largest_coordinate(Ends<Lanes> const& ends) {
  return Lanes::maximum(Lanes::maximum(largest<Lanes>(ends.p0), largest<Lanes>(ends.p1)),
                        Lanes::maximum(largest<Lanes>(ends.q0), largest<Lanes>(ends.q1)));
}

/// The change of the unit of length that brings the largest coordinate to between 2 and 4, a power of two: no square
/// of a difference that counts beside it can then over- or underflow. Rows in range have the same result with it and
/// without. Rows of mixed scale are to be solved with underflow to 0: it cannot matter there, and costs more in every
/// product.
template <class Lanes>
HWY_INLINE typename Lanes::Value unit_factor(typename Lanes::Value largest_coordinate) {
  // At most 2^1022, as the inverse of 2^1023 is no normal number.
  return Lanes::twice_inverse(Lanes::power_of_two(Lanes::maximum(largest_coordinate, Lanes::set(0x1p-1021))));
}

template <class Lanes>
HWY_INLINE Ends<Lanes> scaled(Ends<Lanes> const& ends, typename Lanes::Value factor) {
  return {multiple<Lanes>(factor, ends.p0), multiple<Lanes>(factor, ends.p1), multiple<Lanes>(factor, ends.q0),
          multiple<Lanes>(factor, ends.q1)};
}

/// The differences of the scaled ends, two of which are scaled in passing.
template <class Lanes>
HWY_INLINE Differences<Lanes> scaled_differences(Ends<Lanes> const& ends, typename Lanes::Value factor) {
  auto const p0 = multiple<Lanes>(factor, ends.p0);
  auto const q0 = multiple<Lanes>(factor, ends.q0);
  return {multiple_less<Lanes>(factor, ends.p1, p0), multiple_less<Lanes>(factor, ends.q1, q0),
          difference<Lanes>(q0, p0)};
}

/// The way back.
template <class Lanes>
HWY_INLINE typename Lanes::Value unscaled(typename Lanes::Value distance, typename Lanes::Value factor) {
  return Lanes::multiply(distance, Lanes::inverse(factor));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Rows solved together: what is done again if one of them is out of range.
constexpr std::size_t block_rows = 128;

/// A vector's parameters and its distance are computed `lag` rows apart. One after the other, the chain of two
/// dependent divisions and a root (150 cycles) fills the processor's window with little more than one vector: 2.0 ns a
/// pair at AVX-512 for 1.35 to 1.6. Interleaving two or four vectors by hand spills and gains nothing; a pass over the
/// whole block each lets the coordinates leave the first-level cache between the two (columns a power of two apart
/// share its sets).
constexpr std::size_t lag = 4 * hn::MaxLanes(Simd::Tag());

/// `rows` rows of columns in, a multiple of the vector's width, and the columns of results. A `normalised` block has
/// rows that must be scaled: it is solved for the ends times `factor`, which is cheaper than a scaled copy.
struct Block {
  double const* in[12];
  double *distance, *s, *t;
  std::size_t rows;
  double* factor;
};

HWY_INLINE Ends<Simd> load_ends(Block const& block, std::size_t j) {
  auto const column = [&block, j](std::size_t k) HWY_ATTR { return Simd::load(block.in[k] + j); };
  return {{column(0), column(1), column(2)},
          {column(3), column(4), column(5)},
          {column(6), column(7), column(8)},
          {column(9), column(10), column(11)}};
}

/// The differences in the unit of length in which a row is solved, which is noted for `unit_ends`.
template <bool normalised>
HWY_INLINE Differences<Simd> unit_differences(Block const& block, std::size_t j) {
  auto const ends = load_ends(block, j);
  if constexpr (!normalised) return differences<Simd>(ends);
  auto const factor = unit_factor<Simd>(largest_coordinate<Simd>(ends));
  Simd::store(factor, block.factor + j);
  return scaled_differences<Simd>(ends, factor);
}

template <bool normalised>
HWY_INLINE Ends<Simd> unit_ends(Block const& block, std::size_t j) {
  auto const ends = load_ends(block, j);
  if constexpr (!normalised) return ends;
  return scaled<Simd>(ends, Simd::load(block.factor + j));
}

/// The first row of the first vector marked.
HWY_INLINE std::size_t first_row(std::uint64_t marked) {
  return static_cast<std::size_t>(std::countr_zero(marked)) * Simd::width;
}

/// Whether a row of vector j, of this extent, must be scaled. (The ends are loaded again so that they need not be
/// kept.)
HWY_INLINE bool must_scale(Block const& block, std::size_t j, Simd::Value extent) {
  auto const fits = in_range<Simd>(extent);
  if (HWY_LIKELY(Simd::all(fits))) return false;
  return !Simd::all(Simd::either(fits, coincident<Simd>(load_ends(block, j))));
}

/// Solves by the Gram equations and by cross products at once and takes the former where they are sound: for blocks
/// with many rows that need the latter, faster than one after the other. `hard` counts the unsound rows. False if a row
/// is out of range, unless the block is `normalised`. Three passes, for the same reason as the lag: one vector is a
/// chain of 300 cycles.
template <bool normalised>
HWY_NOINLINE bool solve_both(Block const& block, std::size_t& hard) {
  HWY_ALIGN double handed_on[11][block_rows];
  for (std::size_t j = 0; j < block.rows; j += Simd::width) {
    auto const hand_on = [&handed_on, j](std::size_t k, Simd::Value x) HWY_ATTR { Simd::store(x, handed_on[k] + j); };
    auto const of_ends = unit_differences<normalised>(block, j);
    auto const of = products<Simd>(of_ends);
    if (!normalised && must_scale(block, j, of.extent)) return false;
    auto const equations = gram<Simd>(of);
    if (!Simd::none(may_be_sound<Simd>(equations.soundness))) {
      Simd::Value s, t;
      solve_gram<Simd>(of, equations, s, t);
      hand_on(0, s);
      hand_on(1, t);
    }
    Rough<Simd> rough;
    solve_cross<Simd>(of_ends, of, rough);
    hand_on(2, equations.soundness);
    hand_on(3, rough.s);
    hand_on(4, rough.t);
    hand_on(5, rough.inverse_AA);
    hand_on(6, rough.inverse_BB);
    hand_on(7, rough.inverse_NN);
    hand_on(8, rough.extent);
    hand_on(9, rough.AB);
    hand_on(10, rough.BB);
  }
  hard = 0;
  for (std::size_t j = 0; j < block.rows; j += Simd::width) {
    auto const handed = [&handed_on, j](std::size_t k) HWY_ATTR { return Simd::load(handed_on[k] + j); };
    auto const ends = unit_ends<normalised>(block, j);
    Rough<Simd> const rough = {handed(3), handed(4), handed(5), handed(6), handed(7), handed(8), handed(9), handed(10)};
    Simd::Value s, t;
    Triple<Simd> v, error;
    refine<Simd>(ends, rough, s, t, v, error);
    auto const soundness = handed(2);
    if (Simd::none(may_be_sound<Simd>(soundness))) {
      hard += Simd::width;
    } else {
      auto const gram_s = handed(0);
      auto const gram_t = handed(1);
      Triple<Simd> gram_v, gram_error;
      connect<Simd>(ends, gram_s, gram_t, gram_v, gram_error);
      auto const good = sound<Simd>(rough.extent, soundness, gram_v);
      hard += Simd::width - Simd::count(good);
      if (!Simd::none(good)) {
        v = select<Simd>(good, gram_v, v);
        error = select<Simd>(good, gram_error, error);
        s = Simd::select(good, gram_s, s);
        t = Simd::select(good, gram_t, t);
      }
    }
    Simd::store(v.x, handed_on[2] + j);
    Simd::store(v.y, handed_on[3] + j);
    Simd::store(v.z, handed_on[4] + j);
    Simd::store(error.x, handed_on[5] + j);
    Simd::store(error.y, handed_on[6] + j);
    Simd::store(error.z, handed_on[7] + j);
    if (block.s != nullptr) Simd::store(s, block.s + j);
    if (block.t != nullptr) Simd::store(t, block.t + j);
  }
  for (std::size_t j = 0; block.distance != nullptr && j < block.rows; j += Simd::width) {
    auto const handed = [&handed_on, j](std::size_t k) HWY_ATTR { return Simd::load(handed_on[k] + j); };
    Simd::store(refined_length<Simd>({handed(2), handed(3), handed(4)}, {handed(5), handed(6), handed(7)}, handed(8)),
                block.distance + j);
  }
  return true;
}

/// Solves again the rows not `settled` in the vectors marked, and counts them. They are packed together first, as a
/// vector costs the same however many of its rows are hard (global_scale, a third of whose rows are: 2.75 times a
/// typical row for 3.1 at AVX2).
template <bool normalised>
HWY_NOINLINE std::size_t solve_hard(Block const& block, double const* settled, std::uint64_t marked) {
  HWY_ALIGN double ends[12][block_rows + Simd::width];
  HWY_ALIGN double handed_on[8][block_rows];
  auto const hard = [settled](std::size_t j) HWY_ATTR { return Simd::no(Simd::load_mask(settled + j)); };
  Block packed{};
  for (std::size_t k = 0; k < 12; ++k) packed.in[k] = ends[k];
  for (auto bits = marked; bits != 0; bits &= bits - 1) {
    auto const j = first_row(bits);
    auto const rows = hard(j);
    auto const pack = [&ends, &packed, rows](std::size_t k, Triple<Simd> const& point) HWY_ATTR {
      Simd::store_packed(point.x, rows, ends[k] + packed.rows);
      Simd::store_packed(point.y, rows, ends[k + 1] + packed.rows);
      Simd::store_packed(point.z, rows, ends[k + 2] + packed.rows);
    };
    auto const of = unit_ends<normalised>(block, j);
    pack(0, of.p0);
    pack(3, of.p1);
    pack(6, of.q0);
    pack(9, of.q1);
    packed.rows += Simd::count(rows);
  }
  // The last vector is filled up with points.
  for (std::size_t k = 0; k < 12; ++k) Simd::store(Simd::set(0.0), ends[k] + packed.rows);
  for (std::size_t j = 0; j < packed.rows; j += Simd::width) {
    auto const of_ends = differences<Simd>(load_ends(packed, j));
    Rough<Simd> rough;
    solve_cross<Simd>(of_ends, products<Simd>(of_ends), rough);
    Simd::store(rough.s, handed_on[0] + j);
    Simd::store(rough.t, handed_on[1] + j);
    Simd::store(rough.inverse_AA, handed_on[2] + j);
    Simd::store(rough.inverse_BB, handed_on[3] + j);
    Simd::store(rough.inverse_NN, handed_on[4] + j);
    Simd::store(rough.extent, handed_on[5] + j);
    Simd::store(rough.AB, handed_on[6] + j);
    Simd::store(rough.BB, handed_on[7] + j);
  }
  HWY_ALIGN double results[3][block_rows + Simd::width];
  for (std::size_t j = 0; j < packed.rows; j += Simd::width) {
    auto const handed = [&handed_on, j](std::size_t k) HWY_ATTR { return Simd::load(handed_on[k] + j); };
    Simd::Value s, t;
    Triple<Simd> v, error;
    refine<Simd>(load_ends(packed, j),
                 {handed(0), handed(1), handed(2), handed(3), handed(4), handed(5), handed(6), handed(7)}, s, t, v,
                 error);
    Simd::store(refined_length<Simd>(v, error, handed(5)), results[0] + j);
    Simd::store(s, results[1] + j);
    Simd::store(t, results[2] + j);
  }
  std::size_t from = 0;
  for (auto bits = marked; bits != 0; bits &= bits - 1) {
    auto const j = first_row(bits);
    auto const rows = hard(j);
    auto const replace = [&results, rows, from, j](std::size_t k, double* column) HWY_ATTR {
      if (column == nullptr) return;
      Simd::store(Simd::unpack(Simd::load(results[k] + from), rows, Simd::load(column + j)), column + j);
    };
    replace(0, block.distance);
    replace(1, block.s);
    replace(2, block.t);
    from += Simd::count(rows);
  }
  return packed.rows;
}

/// Solves by the Gram equations, and again where they are not sound; `hard` counts such rows. False if a
/// row is out of range, unless the block is `normalised`: the results are then unfinished.
template <bool normalised>
HWY_INLINE bool solve_easy(Block const& block, std::size_t& hard) {
  HWY_ALIGN double handed_on[4][lag];
  HWY_ALIGN double settled[block_rows];
  std::uint64_t unsettled = 0;
  for (std::size_t j = 0; j < block.rows + lag; j += Simd::width) {
    std::size_t const slot = j % lag;
    if (j >= lag) {
      auto const i = j - lag;
      auto const s = Simd::load(handed_on[0] + slot);
      auto const t = Simd::load(handed_on[1] + slot);
      Triple<Simd> v, error;
      connect<Simd>(unit_ends<normalised>(block, i), s, t, v, error);
      auto const good = sound<Simd>(Simd::load(handed_on[2] + slot), Simd::load(handed_on[3] + slot), v);
      if (block.distance != nullptr && HWY_LIKELY(!Simd::none(good))) {
        Simd::store(length<Simd>(v, error), block.distance + i);
      }
      if (block.s != nullptr) Simd::store(s, block.s + i);
      if (block.t != nullptr) Simd::store(t, block.t + i);
      if (HWY_UNLIKELY(!Simd::all(good))) {
        Simd::store_mask(good, settled + i);
        unsettled |= std::uint64_t{1} << i / Simd::width;
      }
    }
    if (j < block.rows) {
      auto const of = products<Simd>(unit_differences<normalised>(block, j));
      if (!normalised && must_scale(block, j, of.extent)) return false;
      auto const equations = gram<Simd>(of);
      Simd::Value s, t;
      solve_gram<Simd>(of, equations, s, t);
      Simd::store(s, handed_on[0] + slot);
      Simd::store(t, handed_on[1] + slot);
      Simd::store(of.extent, handed_on[2] + slot);
      Simd::store(equations.soundness, handed_on[3] + slot);
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
  expect.hard = (Simd::width == 8 ? 4 : 2) * hard > block.rows;
  return true;
}

HWY_NOINLINE void solve_with_underflow(Block& block, Expectation& expect) {
  UnderflowToZero const while_solving;
  UnderflowToZero::pin(block);
  solve<true>(block, expect);
  UnderflowToZero::pin(block);
}

/// A block with rows out of range.
HWY_NOINLINE void solve_normalised(Block const& block, Expectation& expect) {
  HWY_ALIGN double factors[block_rows];
  Block with_factors = block;
  with_factors.factor = factors;
  solve_with_underflow(with_factors, expect);
  for (std::size_t j = 0; block.distance != nullptr && j < block.rows; j += Simd::width)
    Simd::store(unscaled<Simd>(Simd::load(block.distance + j), Simd::load(factors + j)), block.distance + j);
  // A guess, from the largest coordinate of one row instead of the extents of all.
  expect.out_of_range = !(factors[0] > 0x1p-45 && factors[0] < 0x1p70);
}

HWY_INLINE void solve_block(Block const& block, Expectation& expect) {
  if (HWY_UNLIKELY(expect.out_of_range) || !solve<false>(block, expect)) solve_normalised(block, expect);
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  auto const from = [](auto* column, std::size_t i) { return column == nullptr ? nullptr : column + i; };
  Block block{};
  Expectation expect;
  std::size_t const full = n - n % Simd::width;
  for (std::size_t i = 0; i < full; i += block_rows) {
    for (std::size_t k = 0; k < 12; ++k) block.in[k] = in[k] + i;
    block.distance = from(out[0], i);
    block.s = from(out[1], i);
    block.t = from(out[2], i);
    block.rows = full - i < block_rows ? full - i : block_rows;
    solve_block(block, expect);
  }
  if (full == n) return;
  // The rest, in a vector of its own, filled up with the last row.
  double rows[12][Simd::width];
  double results[3][Simd::width];
  for (std::size_t k = 0; k < 12; ++k) {
    for (std::size_t j = 0; j < Simd::width; ++j) rows[k][j] = in[k][full + j < n ? full + j : n - 1];
    block.in[k] = rows[k];
  }
  block.distance = results[0];
  block.s = results[1];
  block.t = results[2];
  block.rows = Simd::width;
  solve_block(block, expect);
  for (std::size_t k = 0; k < 3; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; full + j < n; ++j) out[k][full + j] = results[k][j];
  }
}

#endif

#if HWY_ONCE

struct Answer {
  double distance, s, t;
};

HWY_INLINE double solve_row(Ends<Scalar> const& ends, Differences<Scalar> const& of_ends, Products<Scalar> const& of,
                            double& s, double& t) {
  Triple<Scalar> v, error;
  auto const equations = gram<Scalar>(of);
  solve_gram<Scalar>(of, equations, s, t);
  connect<Scalar>(ends, s, t, v, error);
  if (sound<Scalar>(of.extent, equations.soundness, v)) return length<Scalar>(v, error);
  Rough<Scalar> rough;
  solve_cross<Scalar>(of_ends, of, rough);
  refine<Scalar>(ends, rough, s, t, v, error);
  return refined_length<Scalar>(v, error, rough.extent);
}

HWY_INLINE Answer answer_out_of_range(Ends<Scalar> const& ends) {
  auto const factor = unit_factor<Scalar>(largest_coordinate<Scalar>(ends));
  auto unit_ends = scaled<Scalar>(ends, factor);
  Answer answer;
  {
    UnderflowToZero const while_solving;
    UnderflowToZero::pin(unit_ends);
    auto const of_ends = differences<Scalar>(unit_ends);
    answer.distance = solve_row(unit_ends, of_ends, products<Scalar>(of_ends), answer.s, answer.t);
    UnderflowToZero::pin(answer);
  }
  answer.distance = unscaled<Scalar>(answer.distance, factor);
  return answer;
}

/// What is pinned lives in memory: apart from the rows in range, which would take twice the time for it.
HWY_NOINLINE Answer answer_out_of_range_portable(Ends<Scalar> const& ends) { return answer_out_of_range(ends); }

template <class OutOfRange>
HWY_INLINE Answer answer_row(Ends<Scalar> const& ends, OutOfRange const& out_of_range) {
  auto const of_ends = differences<Scalar>(ends);
  auto const of = products<Scalar>(of_ends);
  if (HWY_UNLIKELY(!in_range<Scalar>(of.extent))) return out_of_range(ends);
  Answer answer;
  answer.distance = solve_row(ends, of_ends, of, answer.s, answer.t);
  return answer;
}

Answer answer_row_portable(Ends<Scalar> const& ends) { return answer_row(ends, answer_out_of_range_portable); }

// The same code where the CPU has FMA: the baseline would call the library more than a hundred times a pair.
__attribute__((target("fma"))) HWY_NOINLINE Answer answer_out_of_range_fma(Ends<Scalar> const& ends) {
  return answer_out_of_range(ends);
}
__attribute__((target("fma"))) Answer answer_row_fma(Ends<Scalar> const& ends) {
  return answer_row(ends, answer_out_of_range_fma);
}

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::segment_distance::fast {

namespace {

namespace row = HWY_NAMESPACE;

row::Answer answer_row(row::Ends<row::Scalar> const& ends) {
  static bool const fused = available(Level::avx2);
  return fused ? row::answer_row_fma(ends) : row::answer_row_portable(ends);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  auto const triple = [](Vector3<double> const& a) { return row::Triple<row::Scalar>{a[0], a[1], a[2]}; };
  auto const answer = answer_row({triple(in.p0), triple(in.p1), triple(in.q0), triple(in.q1)});
  return {answer.distance, answer.s, answer.t};
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
                                        {in[6][i], in[7][i], in[8][i]},
                                        {in[9][i], in[10][i], in[11][i]}});
        if (out[0] != nullptr) out[0][i] = answer.distance;
        if (out[1] != nullptr) out[1][i] = answer.s;
        if (out[2] != nullptr) out[2][i] = answer.t;
      }
      return;
  }
}

}  // namespace demeter::segment_distance::fast

#endif
