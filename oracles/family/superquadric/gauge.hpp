// The gauge of a superquadric in its own frame, its derivatives and its support function, as intervals of any
// precision.
// Source: docs/mathematics/superquadrics.md#bodies.
//
// Every power has the base k = smaller/larger or P = 1 + k^n, and is monotone in its base. k occurs once or twice in an
// expression. An interval is therefore at most three times as wide as necessary, for every exponent.
#pragma once

#include "oracles/core/interval.hpp"
#include "reference/spec/family/superquadric.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace demeter::superquadric::oracle {

using IntervalVector = std::array<Interval, 3>;
/// A symmetric tensor in the order xx, yy, zz, xy, xz, yz.
using IntervalTensor = std::array<Interval, 6>;

struct Shape {
  IntervalVector semi_axes;
  Interval n1, n2;
};

inline IntervalVector exactly(Vector3<double> const& x, mpfr_prec_t bits) {
  return {Interval::exactly(x[0], bits), Interval::exactly(x[1], bits), Interval::exactly(x[2], bits)};
}
inline Shape exactly(Vector3<double> const& semi_axes, double n1, double n2, mpfr_prec_t bits) {
  return {exactly(semi_axes, bits), Interval::exactly(n1, bits), Interval::exactly(n2, bits)};
}

inline bool certainly_zero(Interval const& x) { return mpfr_zero_p(x.low()) != 0 && mpfr_zero_p(x.high()) != 0; }

/// Powers of a ratio in [0, 1].
struct Powers {
  Interval two_less, one_less, whole;  ///< the powers n-2, n-1 and n
};

/// The norm (x^n + y^n)^(1/n) for x, y >= 0, and the powers of x / norm and y / norm.
struct Norm {
  Interval value;
  Powers x, y;
};

enum class Second { with, without };  ///< whether the powers n-2 are computed (requires n >= 2)

namespace detail {

inline Interval number(int x, Interval const& like) { return Interval::exactly(x, like.precision()); }

/// Returns x^m for m >= 0, with 0^0 = 1.
inline Interval any_power(Interval const& x, Interval const& m) {
  return certainly_zero(m) ? number(1, x) : power(x, m);
}

/// Returns smaller/larger, at most 1. Returns 0 for two zeros, and [0, 1] if `larger` may be 0.
inline Interval ratio(Interval const& smaller, Interval const& larger) {
  if (certainly_zero(smaller)) return number(0, larger);
  if (mpfr_sgn(larger.low()) <= 0) return hull(number(0, larger), number(1, larger));
  return minimum(smaller / larger, number(1, larger));
}

/// Returns the powers of larger / norm, then the powers of smaller / norm. k is smaller / larger.
inline std::pair<Powers, Powers> powers(Interval const& k, Interval const& n, Second second) {
  Interval const one = number(1, k), minus_1 = n - one;
  Interval const share = power(k, n), P = one + share, inverse = one / P;
  Powers larger, smaller;
  larger.whole = inverse;
  larger.one_less = one / power(P, minus_1 / n);
  smaller.whole = share * inverse;
  smaller.one_less = power(k, minus_1) * larger.one_less;
  if (second == Second::with) {
    Interval const minus_2 = minus_1 - one;
    larger.two_less = one / any_power(P, minus_2 / n);
    smaller.two_less = any_power(k, minus_2) * larger.two_less;
  }
  return {larger, smaller};
}

inline Interval value_at(mpfr_srcptr x, mpfr_srcptr y, Interval const& n, mpfr_prec_t bits) {
  Interval larger(bits), smaller(bits);
  bool const swapped = mpfr_less_p(x, y) != 0;
  mpfi_set_fr(larger.get(), swapped ? y : x);
  mpfi_set_fr(smaller.get(), swapped ? x : y);
  if (certainly_zero(larger)) return larger;
  Interval const one = number(1, larger);
  return larger * power(one + power(smaller / larger, n), one / n);
}

inline Powers hull_of(Powers const& a, Powers const& b, Second second) {
  return {second == Second::with ? hull(a.two_less, b.two_less) : Interval(), hull(a.one_less, b.one_less),
          hull(a.whole, b.whole)};
}

/// Returns m >= 0 with the sign of x. If the sign of x is not known, the interval contains both signs.
inline Interval signed_as(Interval const& x, Interval const& m) {
  if (mpfr_sgn(x.low()) >= 0) return m;
  if (mpfr_sgn(x.high()) <= 0) return -m;
  return hull(-m, m);
}

}  // namespace detail

/// Returns only the value of the norm. The norm increases with both arguments. Each end of the result therefore follows
/// from the corresponding ends of the arguments.
inline Interval norm_value(Interval const& x, Interval const& y, Interval const& n) {
  mpfr_prec_t const bits = std::max(x.precision(), y.precision());
  bool const points = mpfr_equal_p(x.low(), x.high()) != 0 && mpfr_equal_p(y.low(), y.high()) != 0;
  Interval const low = detail::value_at(x.low(), y.low(), n, bits);
  return points ? low : hull(low, detail::value_at(x.high(), y.high(), n, bits));
}

/// Returns the norm with its powers. If it is not known which of x and y is larger, the result covers both orders.
inline Norm norm(Interval const& x, Interval const& y, Interval const& n, Second second = Second::with) {
  Norm result;
  result.value = norm_value(x, y, n);
  bool const x_larger = certainly_at_most(y, x), y_larger = !x_larger && certainly_at_most(x, y);
  Interval const k = detail::ratio(y_larger   ? x
                                   : x_larger ? y
                                              : minimum(x, y),
                                   y_larger   ? y
                                   : x_larger ? x
                                              : maximum(x, y));
  auto [larger, smaller] = detail::powers(k, n, second);
  if (!x_larger && !y_larger) larger = smaller = detail::hull_of(larger, smaller, second);
  result.x = y_larger ? smaller : larger;
  result.y = y_larger ? larger : smaller;
  return result;
}

/// The gauge N. r and z are the powers of rho/N and zeta/N with the exponent n1. s and t are the powers of |x/a|/rho
/// and |y/b|/rho with the exponent n2. At the poles the ratio of s is 1 and the ratio of t is 0.
struct Gauge {
  Interval N;
  Powers r, z, s, t;
};

inline Gauge gauge(Shape const& shape, IntervalVector const& y, Second second = Second::with) {
  IntervalVector scaled;
  for (std::size_t k = 0; k < 3; ++k) scaled[k] = magnitude(y[k] / shape.semi_axes[k]);
  Norm const flat = norm(scaled[0], scaled[1], shape.n2, second), whole = norm(flat.value, scaled[2], shape.n1, second);
  return {whole.value, whole.x, whole.y, flat.x, flat.y};
}

/// Returns only the gauge N.
inline Interval gauge_value(Shape const& shape, IntervalVector const& y) {
  IntervalVector scaled;
  for (std::size_t k = 0; k < 3; ++k) scaled[k] = magnitude(y[k] / shape.semi_axes[k]);
  return norm_value(norm_value(scaled[0], scaled[1], shape.n2), scaled[2], shape.n1);
}

/// Returns grad N. y must not be the centre.
inline IntervalVector gradient(Shape const& shape, Gauge const& g, IntervalVector const& y) {
  IntervalVector const scaled{g.r.one_less * g.s.one_less, g.r.one_less * g.t.one_less, g.z.one_less};
  IntervalVector result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = detail::signed_as(y[k], scaled[k]) / shape.semi_axes[k];
  return result;
}

/// Returns the Hessian of N where it exists (exponents of at least 2). y must not be the centre.
inline IntervalTensor hessian(Shape const& shape, Gauge const& g, IntervalVector const& y) {
  Interval const one = detail::number(1, g.N);
  auto const& [a, b, c] = shape.semi_axes;
  Interval const m1 = shape.n1 - one, m2 = shape.n2 - one;
  Interval const across = m2 * g.r.two_less / g.N;
  // This is N_rr - across. The common factor is written only once, because the interval is then narrower.
  Interval const mixed = (m1 * g.z.whole - m2) * g.r.two_less / g.N;
  Interval const rr = m1 * g.r.two_less * g.z.whole / g.N, zz = m1 * g.z.two_less * g.r.whole / g.N;
  Interval const rz = -(m1 * g.r.one_less * g.z.one_less / g.N);
  auto const with_signs = [&](std::size_t i, std::size_t j, Interval const& x) {
    return detail::signed_as(y[i], detail::signed_as(y[j], one)) * x;
  };
  return {(rr * square(g.s.one_less) + across * g.s.two_less * g.t.whole) / square(a),
          (rr * square(g.t.one_less) + across * g.t.two_less * g.s.whole) / square(b),
          zz / square(c),
          with_signs(0, 1, mixed * g.s.one_less * g.t.one_less) / (a * b),
          with_signs(0, 2, rz * g.s.one_less) / (a * c),
          with_signs(1, 2, rz * g.t.one_less) / (b * c)};
}

/// Returns the body whose gauge is the support function of this body. It has the inverse semi-axes and the conjugate
/// exponents. The conjugate exponents are at most 2. In general this body therefore has no Hessian.
inline Shape dual(Shape const& shape) {
  Interval const one = detail::number(1, shape.n1);
  auto const& [a, b, c] = shape.semi_axes;
  return {{one / a, one / b, one / c}, shape.n1 / (shape.n1 - one), shape.n2 / (shape.n2 - one)};
}

/// Returns h(u), the largest u.y on the body.
inline Interval support(Shape const& shape, IntervalVector const& u) {
  Shape const polar = dual(shape);
  auto const& [a, b, c] = shape.semi_axes;
  Interval const across = norm_value(magnitude(u[0] * a), magnitude(u[1] * b), polar.n2);
  return norm_value(across, magnitude(u[2] * c), polar.n1);
}

/// Returns the point of the surface with outward normal u: grad h(u).
inline IntervalVector support_point(Shape const& shape, IntervalVector const& u) {
  Shape const polar = dual(shape);
  return gradient(polar, gauge(polar, u, Second::without), u);
}

}  // namespace demeter::superquadric::oracle
