// The gauge of a superquadric in its own frame with gradient and Hessian, for one body or a vector of bodies (any
// `Number` of fast/core/lanes.hpp). Both give the same bits. Source: docs/mathematics/superquadrics.md#bodies.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_SUPERQUADRIC_GAUGE) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_SUPERQUADRIC_GAUGE
#undef DEMETER_FAST_FAMILY_SUPERQUADRIC_GAUGE
#else
#define DEMETER_FAST_FAMILY_SUPERQUADRIC_GAUGE
#endif

#include "fast/core/powers.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

template <class Number>
struct Shape {
  Triple<Number> semi_axes;
  Number n1, n2;
};

/// The powers k^(n-2), k^(n-1) and k^n of a ratio k.
template <class Number>
struct Powers {
  Number two_less, one_less, whole;
};

/// The norm (x^n + y^n)^(1/n), and the powers of x / norm and y / norm.
template <class Number>
struct Norm {
  Number value;
  Powers<Number> x, y;
};

/// Returns the norm for x, y >= 0 and n >= 2. With k = smaller/larger, every power is a product of powers of k and of
/// 1 + k^n. 1 + k^n is between 1 and 2. In total one power and one root are computed. If x and y are 0, x is treated as
/// the larger number.
template <class Number>
HWY_INLINE Norm<Number> norm(Number x, Number y, Number n) {
  auto const swapped = x < y;
  auto const large = select(swapped, y, x), small = select(swapped, x, y);
  auto const k = zero_unless(0.0 < large, small / large);
  auto const two_less = power(k, n - 2.0);
  auto const one_less = two_less * k;
  auto const whole = one_less * k;
  auto const sum = 1.0 + whole;
  auto const root = root_near_1(sum, n);
  Powers<Number> of_large;
  of_large.whole = 1.0 / sum;
  of_large.one_less = root * of_large.whole;
  of_large.two_less = root * of_large.one_less;
  Powers<Number> of_small;
  of_small.whole = whole * of_large.whole;
  of_small.one_less = one_less * of_large.one_less;
  of_small.two_less = two_less * of_large.two_less;
  Norm<Number> result;
  result.value = large * root;
  result.x.two_less = select(swapped, of_small.two_less, of_large.two_less);
  result.x.one_less = select(swapped, of_small.one_less, of_large.one_less);
  result.x.whole = select(swapped, of_small.whole, of_large.whole);
  result.y.two_less = select(swapped, of_large.two_less, of_small.two_less);
  result.y.one_less = select(swapped, of_large.one_less, of_small.one_less);
  result.y.whole = select(swapped, of_large.whole, of_small.whole);
  return result;
}

/// Returns only the value of the norm. Accepts every n >= 1.
template <class Number>
HWY_INLINE Number norm_value(Number x, Number y, Number n) {
  auto const swapped = x < y;
  auto const large = select(swapped, y, x), small = select(swapped, x, y);
  auto const k = zero_unless(0.0 < large, small / large);
  return large * root_near_1(1.0 + power(k, n), n);
}

/// The gauge N, and rho = (|x/a|^n2 + |y/b|^n2)^(1/n2). r and z are the powers of rho/N and |z/c|/N with the exponent
/// n1. s and t are the powers of |x/a|/rho and |y/b|/rho with the exponent n2. At the poles the ratio of s is 1 and the
/// ratio of t is 0. At the centre the ratio of r is 1, the ratio of z is 0, and N is 0.
template <class Number>
struct Gauge {
  Number N, rho;
  Powers<Number> r, z, s, t;
};

/// Returns the gauge. N errs by at most 3.8 u (measured with 50 digits for 6e4 bodies, exponents 2 to 200). |x/a|,
/// |y/b|, |z/c| and their ratios must be 0 or in the normal range.
template <class Number>
HWY_INLINE Gauge<Number> gauge(Shape<Number> const& shape, Triple<Number> const& y) {
  Norm<Number> const flat = norm(abs(y.x) / shape.semi_axes.x, abs(y.y) / shape.semi_axes.y, shape.n2);
  Norm<Number> const whole = norm(flat.value, abs(y.z) / shape.semi_axes.z, shape.n1);
  Gauge<Number> result;
  result.N = whole.value;
  result.rho = flat.value;
  result.r = whole.x;
  result.z = whole.y;
  result.s = flat.x;
  result.t = flat.y;
  return result;
}

/// Returns only N, with the same bits as gauge() except for the rounding of k^n.
template <class Number>
HWY_INLINE Number gauge_value(Shape<Number> const& shape, Triple<Number> const& y) {
  auto const rho = norm_value(abs(y.x) / shape.semi_axes.x, abs(y.y) / shape.semi_axes.y, shape.n2);
  return norm_value(rho, abs(y.z) / shape.semi_axes.z, shape.n1);
}

/// Returns x, or 0 if |x| is below 2^-700. Such a small number was computed from powers that left the normal range.
/// Most of its digits would be wrong, and they would depend on the unit of length.
template <class Number>
HWY_INLINE Number nothing_if_tiny(Number x) {
  return zero_unless(0x1p-700 < abs(x), x);
}

/// Returns `magnitude` >= 0 with the sign of x.
template <class Number>
HWY_INLINE Number signed_as(Number x, Number magnitude) {
  return select(x < 0.0, 0.0 - magnitude, magnitude);
}

/// Returns grad N. The point must not be the centre. For the bodies of gauge(), a component errs by 3.3 (n1 + n2) u of
/// itself, as long as its powers are in the normal range. The factor n1 + n2 arises because a power multiplies the
/// relative error of r or s by n.
template <class Number>
HWY_INLINE Triple<Number> gradient(Shape<Number> const& shape, Gauge<Number> const& g, Triple<Number> const& y) {
  Triple<Number> result;
  result.x = signed_as(y.x, nothing_if_tiny(g.r.one_less * g.s.one_less)) / shape.semi_axes.x;
  result.y = signed_as(y.y, nothing_if_tiny(g.r.one_less * g.t.one_less)) / shape.semi_axes.y;
  result.z = signed_as(y.z, nothing_if_tiny(g.z.one_less)) / shape.semi_axes.z;
  return result;
}

template <class Number>
struct Symmetric {
  Number xx, yy, zz, xy, xz, yz;
};

/// Returns the Hessian of N where it exists (see has_no_hessian()). The point must not be the centre. For the bodies of
/// gauge(), an entry ij errs by 3.3 (n1 + n2) u of sqrt(H_ii H_jj).
template <class Number>
HWY_INLINE Symmetric<Number> hessian(Shape<Number> const& shape, Gauge<Number> const& g, Triple<Number> const& y) {
  // Powers, which have no unit, are multiplied before the lengths. A change of the unit by 2^k then changes no bit,
  // even if the powers are subnormal.
  auto const m1 = shape.n1 - 1.0;
  auto const rr = m1 * g.r.two_less * g.z.whole;
  auto const zz = m1 * g.z.two_less * g.r.whole;
  auto const rz = m1 * g.r.one_less * g.z.one_less;
  auto const across = (shape.n2 - 1.0) * g.r.two_less;
  auto const &s = g.s, &t = g.t;
  auto const &a = shape.semi_axes.x, &b = shape.semi_axes.y, &c = shape.semi_axes.z;
  auto const Na = g.N * a, Nb = g.N * b, Nc = g.N * c;
  Symmetric<Number> H;
  H.xx = nothing_if_tiny(fma(rr * s.one_less, s.one_less, across * s.two_less * t.whole)) / (Na * a);
  H.yy = nothing_if_tiny(fma(rr * t.one_less, t.one_less, across * t.two_less * s.whole)) / (Nb * b);
  H.zz = nothing_if_tiny(zz) / (Nc * c);
  H.xy = signed_as(y.x, signed_as(y.y, nothing_if_tiny((rr - across) * s.one_less * t.one_less))) / (Na * b);
  H.xz = signed_as(y.x, signed_as(y.z, 0.0 - nothing_if_tiny(rz * s.one_less))) / (Na * c);
  H.yz = signed_as(y.y, signed_as(y.z, 0.0 - nothing_if_tiny(rz * t.one_less))) / (Nb * c);
  return H;
}

/// Returns whether the point is at a pole x = y = 0 with n1 = 2 < n2. The decision is exact.
template <class Number>
HWY_INLINE Mask<Number> has_no_hessian(Shape<Number> const& shape, Triple<Number> const& y) {
  return both(both(y.x == 0.0, y.y == 0.0), both(shape.n1 == 2.0, 2.0 < shape.n2));
}

/// Returns h(u), the largest u.y on the body. The error is at most 4.2 u for the bodies of gauge().
template <class Number>
HWY_INLINE Number support(Shape<Number> const& shape, Triple<Number> const& u) {
  auto const q1 = shape.n1 / (shape.n1 - 1.0), q2 = shape.n2 / (shape.n2 - 1.0);
  auto const across = norm_value(abs(u.x) * shape.semi_axes.x, abs(u.y) * shape.semi_axes.y, q2);
  return norm_value(across, abs(u.z) * shape.semi_axes.z, q1);
}

/// The norm (x^q + y^q)^(1/q) for x, y >= 0 and 1 < q <= 2, and the (q-1)-th powers of x / norm and y / norm. Computed
/// from q and q - 1.
template <class Number>
struct PolarNorm {
  Number value, x, y;
};
template <class Number>
HWY_INLINE PolarNorm<Number> polar_norm(Number x, Number y, Number q, Number q_less_1) {
  auto const swapped = x < y;
  auto const large = select(swapped, y, x), small = select(swapped, x, y);
  auto const k = zero_unless(0.0 < large, small / large);
  auto const one_less = power(k, q_less_1);
  auto const sum = fma(one_less, k, set<Number>(1.0));
  auto const root = root_near_1(sum, q);
  auto const of_large = root / sum;
  auto const of_small = one_less * of_large;
  PolarNorm<Number> result;
  result.value = large * root;
  result.x = select(swapped, of_small, of_large);
  result.y = select(swapped, of_large, of_small);
  return result;
}

/// Returns grad h(u), the point of the surface with the outward normal u. Its product with u is h(u).
template <class Number>
HWY_INLINE Triple<Number> support_point(Shape<Number> const& shape, Triple<Number> const& u) {
  // q - 1 is computed as 1 / (n - 1), which keeps its digits for large n.
  auto const less_1 = 1.0 / (shape.n1 - 1.0), less_2 = 1.0 / (shape.n2 - 1.0);
  auto const &a = shape.semi_axes.x, &b = shape.semi_axes.y, &c = shape.semi_axes.z;
  PolarNorm<Number> const flat = polar_norm(abs(u.x) * a, abs(u.y) * b, 1.0 + less_2, less_2),
                          whole = polar_norm(flat.value, abs(u.z) * c, 1.0 + less_1, less_1);
  Triple<Number> result;
  result.x = signed_as(u.x, whole.x * flat.x * a);
  result.y = signed_as(u.y, whole.x * flat.y * b);
  result.z = signed_as(u.z, whole.y * c);
  return result;
}

}  // namespace demeter::superquadric::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
