// Contact of one pair of capsules, with one capsule per lane of a vector of two doubles.
//
// Compiled only for the target AVX2, like fast/core/two.hpp.
#if HWY_TARGET == HWY_AVX2 && !defined(DEMETER_FAST_FAMILY_CAPSULE_CONTACT_ONE_PAIR)
#define DEMETER_FAST_FAMILY_CAPSULE_CONTACT_ONE_PAIR

#include "fast/core/two.hpp"
#include "fast/family/capsule/contact/formula.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

/// The two capsules side by side: shafts are (A, B) and radii (r1, r2); w is the same in both lanes.
struct BothCapsules {
  two::TwoTriples shafts, w;
  two::Two radii;
};

/// Returns the pair in every lane of a full SIMD vector. Steps that only few pairs need can then use the arithmetic of
/// the batch form. No number passes through memory, where a wide load would wait for two smaller stores
/// (axes_intersect: 98 ns instead of 127 with single doubles and a copy of the pair).
template <class Load>
HWY_INLINE Capsules<Register> all_lanes(Load const& number) {
  auto const triple = [&](std::size_t k) HWY_ATTR {
    return Triple<Register>{lanes_of(*number(k)), lanes_of(*number(k + 1)), lanes_of(*number(k + 2))};
  };
  return {triple(0), triple(3), lanes_of(*number(6)), triple(7), triple(10), lanes_of(*number(13))};
}

/// A pair in the caller's unit. `number(k)` is the address of input k.
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

/// A pair out of range, in the unit of length of scale_of().
template <class Load>
struct Normalised {
  Load number;
  two::Two factor, before;
  double unit;

  HWY_INLINE explicit Normalised(Load load) : number(load) {
    using namespace two;
    auto const [shafts, w, radii] = Given<Load>{number}.both();
    auto const both_shapes = maximum(largest(shafts), radii);
    auto const shapes = maximum(both_shapes, swapped(both_shapes));
    // The same result as unit_of(), with integer operations. This halves the latency of the blend and the product.
    auto const unit_of = [](Two size) HWY_ATTR {
      auto const large = _mm_cmplt_pd(in_both(least_enlarged).raw, size.raw);
      auto const down = _mm_and_si128(_mm_castpd_si128(large), _mm_set1_epi64x(std::int64_t{248} << 52));
      return Two{_mm_castsi128_pd(_mm_sub_epi64(_mm_castpd_si128(power_of_two(size).raw), down))};
    };
    before = in_both(1.0);
    auto power = unit_of(maximum(shapes, largest(w)));
    unit = 0.5 * first(power);
    if (HWY_UNLIKELY(!(first(largest(w)) < std::numeric_limits<double>::infinity()))) {
      before = in_both(0x1p-4);
      power = unit_of(maximum(before * shapes, two::largest(differences())));
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
    return {{shape(3, 10), shape(4, 11), shape(5, 12)}, factor * w, shape(6, 13)};
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

/// Returns the result of apart(), from (A.A, B.B), R, w.w and d.
HWY_INLINE bool are_apart(two::Two lengths2, two::Two R, two::Two ww, two::Two d) {
  using namespace two;
  auto const lengths = sqrt(lengths2);
  auto const S = (lengths + swapped(lengths)) + (R + sqrt(ww));
  return first(in_both(Contract::intersecting * unit_roundoff) * S) < first(d);
}

/// Solves one pair with the same bits as solve_stages: 200 operations instead of 330, with four divisions instead of
/// five. Rows of the regime `typical` take 57 ns instead of 72 to 96 with single doubles.
///
/// Steps that few pairs need are behind branches with the same conditions as in the batch form: the status of axes that
/// may intersect, an exact depth, a conventional normal. No earlier step is repeated. Solving such pairs again with
/// single doubles would take longer: 152 ns instead of 111 in `axes_intersect`, 159 instead of 112 in `unequal`. No
/// pair of `typical`, `crossing`, `near_parallel` and `slender` needs these steps. They are needed by 2 % of `parallel`
/// and `lattice`, by 40 % of `unequal` and by 55 % of `in_a_row`.
///
/// A vector with a quantity of each shaft, such as (X, Y), has the value of A in the first lane and the value of B in
/// the second lane. If a vector has a quantity of the pair, only its first lane is used. Returns false if the pair is
/// out of range and not `normalised`. A normalised pair is in its own `unit`.
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
  // Computes w.A and -w.B. The zeros have the same signs as in dot() and negative_dot(), because the sum for w.A begins
  // with -0 + w A and the sum for -w.B with 0 + w (-B).
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
  // One vector division computes both quotients.
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
  // (w + Y B) + X A, added in the order of twice_to_point().
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

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
