// Vectors of two doubles, for solving one case at a time on CPUs with AVX2.
//
// Two things limit the time of a single case: the chain of its dependent operations, and the number of operations in
// the reorder window of the processor. The window holds the operations of two to three cases. With half the number of
// operations, a case takes nearly half the time.
//
// There are only two lanes because the caller has just written the inputs double by double. Wider loads would wait
// until these stores have reached the cache. This wait takes as long as the case itself.
//
// Both lanes must always contain numbers of the case. An infinite or subnormal number in an unused lane would cost
// time.
//
// Compiled only for the target AVX2, in the .cpp file that includes this file after <hwy/foreach_target.h>.
#if HWY_TARGET == HWY_AVX2 && !defined(DEMETER_FAST_CORE_TWO)
#define DEMETER_FAST_CORE_TWO

#include "fast/core/lanes.hpp"

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace demeter::two {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::FixedTag<double, 2>;
using Two = hn::Vec<Tag>;

HWY_INLINE Two in_both(double a) { return hn::Set(Tag(), a); }
HWY_INLINE Two in_each(double a, double b) { return Two{_mm_set_pd(b, a)}; }
/// Returns (*a, *b).
HWY_INLINE Two load(double const* a, double const* b) { return Two{_mm_loadh_pd(_mm_load_sd(a), b)}; }
HWY_INLINE double first(Two a) { return hn::GetLane(a); }
/// Returns the lanes in the opposite order.
HWY_INLINE Two swapped(Two a) { return Two{_mm_permute_pd(a.raw, 1)}; }
HWY_INLINE Two twice_first(Two a) { return Two{_mm_movedup_pd(a.raw)}; }
HWY_INLINE Two twice_second(Two a) { return Two{_mm_permute_pd(a.raw, 3)}; }
HWY_INLINE Two both_firsts(Two a, Two b) { return Two{_mm_unpacklo_pd(a.raw, b.raw)}; }
/// Returns the first lane of a and the second lane of b.
HWY_INLINE Two first_second(Two a, Two b) { return Two{_mm_blend_pd(a.raw, b.raw, 2)}; }

// These functions are defined as in fast/core/lanes.hpp.
HWY_INLINE Two fma(Two a, Two b, Two c) { return hn::MulAdd(a, b, c); }
HWY_INLINE Two multiply_subtract(Two a, Two b, Two c) { return hn::MulSub(a, b, c); }
HWY_INLINE Two subtract_product(Two c, Two a, Two b) { return hn::NegMulAdd(a, b, c); }
HWY_INLINE Two minimum(Two a, Two b) { return hn::Min(a, b); }
HWY_INLINE Two maximum(Two a, Two b) { return hn::Max(a, b); }
HWY_INLINE Two clamp(Two a, Two low, Two high) { return minimum(maximum(a, low), high); }
/// Returns a, with the opposite sign in the lanes where `sign` is -0.
HWY_INLINE Two with_sign(Two a, Two sign) { return Two{_mm_xor_pd(a.raw, sign.raw)}; }
HWY_INLINE Two sqrt(Two a) { return hn::Sqrt(a); }
/// Returns about 1/(2a), as in fast/core/lanes.hpp. The constant is a double because g++ 12 loads two doubles in one
/// operation. It would need three operations for two integers.
HWY_INLINE Two half_inverse(Two a) {
  auto const from = _mm_castpd_si128(in_both(std::bit_cast<double>(lanes::HWY_NAMESPACE::half_inverse_bits)).raw);
  return Two{_mm_castsi128_pd(_mm_sub_epi64(from, _mm_castpd_si128(a.raw)))};
}

/// These two functions are defined as in fast/core/lanes.hpp.
HWY_INLINE Two power_of_two(Two a) {
  auto const exponent = in_both(std::bit_cast<double>(std::uint64_t{0x7ff} << 52));
  return Two{_mm_and_pd(maximum(a, in_both(0x1p-1022)).raw, exponent.raw)};
}
HWY_INLINE Two twice_inverse(Two power) {
  auto const from = _mm_castpd_si128(in_both(std::bit_cast<double>(std::uint64_t{2047} << 52)).raw);
  return Two{_mm_castsi128_pd(_mm_sub_epi64(from, _mm_castpd_si128(power.raw)))};
}

struct TwoTriples {
  Two x, y, z;
};
HWY_INLINE Two dot(TwoTriples const& a, TwoTriples const& b) { return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)); }
HWY_INLINE TwoTriples operator-(TwoTriples const& a, TwoTriples const& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE TwoTriples operator*(Two k, TwoTriples const& a) { return {k * a.x, k * a.y, k * a.z}; }
/// Returns the largest magnitude of the three coordinates, per lane.
HWY_INLINE Two largest(TwoTriples const& a) { return maximum(maximum(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); }
HWY_INLINE TwoTriples swapped(TwoTriples const& a) { return {swapped(a.x), swapped(a.y), swapped(a.z)}; }
HWY_INLINE TwoTriples fma(Two k, TwoTriples const& a, TwoTriples const& b) {
  return {fma(k, a.x, b.x), fma(k, a.y, b.y), fma(k, a.z, b.z)};
}
HWY_INLINE TwoTriples subtract_product(TwoTriples const& c, Two k, TwoTriples const& a) {
  return {subtract_product(c.x, k, a.x), subtract_product(c.y, k, a.y), subtract_product(c.z, k, a.z)};
}

HWY_INLINE Two product_difference(Two a, Two b, Two c, Two d) {
  auto const rounded = c * d;
  auto const error = subtract_product(rounded, c, d);
  return multiply_subtract(a, b, rounded) + error;
}
HWY_INLINE TwoTriples cross(TwoTriples const& a, TwoTriples const& b) {
  return {product_difference(a.y, b.z, a.z, b.y), product_difference(a.z, b.x, a.x, b.z),
          product_difference(a.x, b.y, a.y, b.x)};
}
HWY_INLINE TwoTriples plain_cross(TwoTriples const& a, TwoTriples const& b) {
  return {multiply_subtract(a.y, b.z, a.z * b.y), multiply_subtract(a.z, b.x, a.x * b.z),
          multiply_subtract(a.x, b.y, a.y * b.x)};
}

}  // namespace demeter::two
HWY_AFTER_NAMESPACE();

#endif
