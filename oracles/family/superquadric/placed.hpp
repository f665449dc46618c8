// Superquadrics in the global frame, in intervals. Source: docs/mathematics/superquadrics.md#bodies.
#pragma once

#include "oracles/family/superquadric/gauge.hpp"

#include <cmath>
#include <cstdint>

namespace demeter::superquadric::oracle {

using IntervalMatrix = std::array<IntervalVector, 3>;

inline Interval dot(IntervalVector const& a, IntervalVector const& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Interval length(IntervalVector const& a) { return square_root(square(a[0]) + square(a[1]) + square(a[2])); }
inline IntervalVector cross(IntervalVector const& a, IntervalVector const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline IntervalVector operator+(IntervalVector const& a, IntervalVector const& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline IntervalVector operator-(IntervalVector const& a, IntervalVector const& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline IntervalVector operator*(Interval const& k, IntervalVector const& a) { return {k * a[0], k * a[1], k * a[2]}; }
inline IntervalVector operator*(IntervalMatrix const& A, IntervalVector const& x) {
  return {dot(A[0], x), dot(A[1], x), dot(A[2], x)};
}
inline IntervalMatrix transposed(IntervalMatrix const& A) {
  IntervalMatrix T;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) T[k][l] = A[l][k];
  return T;
}

inline IntervalVector difference(Vector3<double> const& a, Vector3<double> const& b, mpfr_prec_t bits) {
  return exactly(a, bits) - exactly(b, bits);
}

/// Returns the midpoint of an interval, as an interval of width 0 with the same number of bits.
inline Interval middle(Interval const& x) {
  Interval result(x.precision());
  mpfi_mid(&result.get()->left, x.get());
  mpfr_set(&result.get()->right, result.low(), MPFR_RNDN);
  return result;
}

/// Returns the midpoint as a long double.
inline long double number(Interval const& x) { return mpfr_get_ld(middle(x).low(), MPFR_RNDN); }

/// Returns the rotation matrix of q / |q|. MPFR's exponent range contains the squares of all doubles.
inline IntervalMatrix rotation(Quaternion<double> const& q, mpfr_prec_t bits) {
  auto const at = [&](Index k) { return Interval::exactly(q[k], bits); };
  Interval const w = at(0), x = at(1), y = at(2), z = at(3), ww = square(w), xx = square(x), yy = square(y),
                 zz = square(z), all = ww + xx + yy + zz;
  auto const twice = [&](Interval const& a) { return scaled(a, 1) / all; };
  return {IntervalVector{(ww + xx - yy - zz) / all, twice(x * y - w * z), twice(x * z + w * y)},
          IntervalVector{twice(x * y + w * z), (ww - xx + yy - zz) / all, twice(y * z - w * x)},
          IntervalVector{twice(x * z - w * y), twice(y * z + w * x), (ww - xx - yy + zz) / all}};
}

/// A body in intervals, with its centre relative to an origin.
struct Placed {
  IntervalVector centre;
  IntervalMatrix R, into_own;
  Shape shape;
  bool ellipsoid;

  /// Places a body. `Body` is any record with the members of a `Superquadric`.
  template <class Body>
  Placed(Body const& of, Vector3<double> const& origin, mpfr_prec_t bits)
      : centre(difference(of.position, origin, bits)),
        R(rotation(of.orientation, bits)),
        into_own(transposed(R)),
        shape(exactly(of.semi_axes, of.n1, of.n2, bits)),
        ellipsoid(of.n1 == 2 && of.n2 == 2) {}

  IntervalVector local(IntervalVector const& x) const { return into_own * (x - centre); }
};

/// Returns the norm as norm() of gauge.hpp does, for intervals that are narrow compared with their distance from 0.
/// This function computes only the powers k^(n-2) and P^(1/n), and takes a third of the time. The products make the
/// result a few times wider.
inline Norm narrow_norm(Interval const& x, Interval const& y, Interval const& n) {
  bool const swapped = certainly_less(x, y);
  Interval const &larger = swapped ? y : x, &smaller = swapped ? x : y;
  if (!(mpfr_sgn(larger.low()) > 0)) return norm(x, y, n);
  Interval const one = detail::number(1, x), k = smaller / larger;
  Powers of_larger, of_smaller;
  of_smaller.two_less = detail::any_power(k, n - one - one);
  of_smaller.one_less = of_smaller.two_less * k;
  of_smaller.whole = of_smaller.one_less * k;
  Interval const P = one + of_smaller.whole, root = power(P, one / n);
  Norm result;
  result.value = larger * root;
  of_larger.whole = one / P;
  of_larger.one_less = root / P;
  of_larger.two_less = root * of_larger.one_less;
  of_smaller.whole = of_smaller.whole * of_larger.whole;
  of_smaller.one_less = of_smaller.one_less * of_larger.one_less;
  of_smaller.two_less = of_smaller.two_less * of_larger.two_less;
  result.x = swapped ? of_smaller : of_larger;
  result.y = swapped ? of_larger : of_smaller;
  return result;
}
inline Gauge narrow_gauge(Shape const& shape, IntervalVector const& y) {
  IntervalVector scaled;
  for (std::size_t k = 0; k < 3; ++k) scaled[k] = magnitude(y[k] / shape.semi_axes[k]);
  Norm const flat = narrow_norm(scaled[0], scaled[1], shape.n2), whole = narrow_norm(flat.value, scaled[2], shape.n1);
  return {whole.value, whole.x, whole.y, flat.x, flat.y};
}

/// Returns the Hessian of |D y|, D = diag(1/a): (D^2 - g g^T) / N with g = D^2 y / N. The formula for general exponents
/// is unbounded at the poles.
inline IntervalTensor of_ellipsoid(Shape const& shape, Interval const& N, IntervalVector const& y) {
  Interval const one = detail::number(1, N);
  IntervalVector square_, g;
  for (std::size_t k = 0; k < 3; ++k) {
    square_[k] = one / square(shape.semi_axes[k]);
    g[k] = square_[k] * y[k] / N;
  }
  auto const entry = [&](std::size_t k, std::size_t l) {
    Interval const product = k == l ? square(g[k]) : g[k] * g[l];
    return (k == l ? square_[k] - product : -product) / N;
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

/// The gauge and its derivatives in the global frame. H is set only if requested.
struct Slope {
  Interval N;
  IntervalVector g;
  IntervalMatrix H;
};
inline Slope slope(Placed const& body, IntervalVector const& x, Second second) {
  IntervalVector const y = body.local(x);
  Gauge const of = narrow_gauge(body.shape, y);
  Slope result;
  result.N = of.N;
  result.g = body.R * gradient(body.shape, of, y);
  if (second == Second::without) return result;
  IntervalTensor const h = body.ellipsoid ? of_ellipsoid(body.shape, of.N, y) : hessian(body.shape, of, y);
  IntervalMatrix const local{IntervalVector{h[0], h[3], h[4]}, IntervalVector{h[3], h[1], h[5]},
                             IntervalVector{h[4], h[5], h[2]}};
  for (std::size_t k = 0; k < 3; ++k) {
    IntervalVector const row = transposed(local) * body.R[k];  // row k of R local
    for (std::size_t l = 0; l < 3; ++l) result.H[k][l] = dot(row, body.R[l]);
  }
  return result;
}
/// Returns the support function h(u). Uses a shorter formula for each norm whose larger argument is positive.
inline Interval support(Placed const& body, IntervalVector const& u) {
  IntervalVector const own = body.into_own * u;
  auto const norm_of = [](Interval const& x, Interval const& y, Interval const& q) {
    bool const swapped = certainly_less(x, y);
    Interval const &larger = swapped ? y : x, &smaller = swapped ? x : y;
    if (!(mpfr_sgn(larger.low()) > 0)) return norm_value(x, y, q);
    Interval const one = detail::number(1, x);
    return larger * power(one + power(smaller / larger, q), one / q);
  };
  auto const& [a, b, c] = body.shape.semi_axes;
  Shape const polar = dual(body.shape);
  return norm_of(norm_of(magnitude(own[0] * a), magnitude(own[1] * b), polar.n2), magnitude(own[2] * c), polar.n1);
}

}  // namespace demeter::superquadric::oracle
