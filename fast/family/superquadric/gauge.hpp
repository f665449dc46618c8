// The gauge of a superquadric in its own frame with gradient and Hessian, of one body or of a vector of bodies, for any
// `Number` of fast/core/lanes.hpp: the same bits in both. Source: docs/mathematics/superquadrics.md#bodies.
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

/// Of a ratio k the powers k^(n-2), k^(n-1) and k^n.
template <class Number>
struct Powers {
  Number two_less, one_less, whole;
};

/// (x^n + y^n)^(1/n), and the powers of x and y over that.
template <class Number>
struct Norm {
  Number value;
  Powers<Number> x, y;
};

/// For x, y >= 0 and n >= 2. With k = smaller/larger every power is one of k or of 1 + k^n, which lies between 1 and 2:
/// a power and a root in all. Of 0 and 0, x is the larger.
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

/// The value alone, for n >= 1 too.
template <class Number>
HWY_INLINE Number norm_value(Number x, Number y, Number n) {
  auto const swapped = x < y;
  auto const large = select(swapped, y, x), small = select(swapped, x, y);
  auto const k = zero_unless(0.0 < large, small / large);
  return large * root_near_1(1.0 + power(k, n), n);
}

/// N, and of r = rho/N, z = zeta/N, s = |x/a|/rho, t = |y/b|/rho the powers with n1 (r, z) and n2 (s, t). At the poles
/// s is 1 and t is 0, at the centre r is 1 and z is 0, and N is 0.
template <class Number>
struct Gauge {
  Number N, rho;
  Powers<Number> r, z, s, t;
};

/// N errs by 3.8 u (the largest of 6e4 bodies, exponents 2 to 200, against 50 digits). |x/a|, |y/b|, |z/c| and the
/// ratios of these are to be 0 or in the normal range.
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

/// N alone, bit for bit that of gauge() up to the rounding of k^n.
template <class Number>
HWY_INLINE Number gauge_value(Shape<Number> const& shape, Triple<Number> const& y) {
  auto const rho = norm_value(abs(y.x) / shape.semi_axes.x, abs(y.y) / shape.semi_axes.y, shape.n2);
  return norm_value(rho, abs(y.z) / shape.semi_axes.z, shape.n1);
}

/// 0 for what is below 2^-700 beside 1: made of powers that left the normal range, it would be wrong in most digits,
/// and differently so in another unit of length.
template <class Number>
HWY_INLINE Number nothing_if_tiny(Number x) {
  return zero_unless(0x1p-700 < abs(x), x);
}

/// `magnitude` >= 0 with the sign of x.
template <class Number>
HWY_INLINE Number signed_as(Number x, Number magnitude) {
  return select(x < 0.0, 0.0 - magnitude, magnitude);
}

/// grad N; not of the centre. A component errs by 3.3 (n1 + n2) u of itself (of the same bodies), as long as its powers
/// are in the normal range: r and s carry roundings, of which the powers make n times as much.
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

/// The Hessian of N where it has one (see `has_no_hessian`); not of the centre. An entry ij errs by 3.3 (n1 + n2) u of
/// sqrt(H_ii H_jj) (of the same bodies).
template <class Number>
HWY_INLINE Symmetric<Number> hessian(Shape<Number> const& shape, Gauge<Number> const& g, Triple<Number> const& y) {
  // Powers, which have no unit, come before the lengths: a change of the unit by 2^k then changes no bit, even where
  // they are subnormal.
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

/// The poles x = y = 0 with n1 = 2 < n2, an exact decision.
template <class Number>
HWY_INLINE Mask<Number> has_no_hessian(Shape<Number> const& shape, Triple<Number> const& y) {
  return both(both(y.x == 0.0, y.y == 0.0), both(shape.n1 == 2.0, 2.0 < shape.n2));
}

/// h(u), the largest u.y on the body, to 4.2 u (of the same bodies).
template <class Number>
HWY_INLINE Number support(Shape<Number> const& shape, Triple<Number> const& u) {
  auto const q1 = shape.n1 / (shape.n1 - 1.0), q2 = shape.n2 / (shape.n2 - 1.0);
  auto const across = norm_value(abs(u.x) * shape.semi_axes.x, abs(u.y) * shape.semi_axes.y, q2);
  return norm_value(across, abs(u.z) * shape.semi_axes.z, q1);
}

/// (x^q + y^q)^(1/q) of x, y >= 0 for 1 < q <= 2, given q and q - 1, and the (q-1)-th powers of x and y over that.
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

/// grad h(u), the point of the surface with the outward normal u; h(u) is its product with u.
template <class Number>
HWY_INLINE Triple<Number> support_point(Shape<Number> const& shape, Triple<Number> const& u) {
  // q - 1 = 1 / (n - 1) keeps its digits for large n.
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
