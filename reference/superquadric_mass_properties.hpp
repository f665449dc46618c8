// Reference: mass properties of a superquadric by gamma functions.
// Source: docs/mathematics/superquadrics.md#superquadric_mass_properties.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/family/superquadric/gauge.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

namespace demeter::superquadric_mass_properties::reference {

/// Returns Gamma(x) for x > 0.
template <power_scalar Scalar>
Scalar gamma(Scalar const& x) {
  using std::exp, std::lgamma;
  return exp(Scalar(lgamma(x)));
}

/// Returns the largest value of x s + y t on the curve s^(n/2) + t^(n/2) = 1. It is (x^m + y^m)^(1/m) with m = n/(n -
/// 2), or max(x, y) for n <= 2.
template <power_scalar Scalar>
Scalar farthest(Scalar const& x, Scalar const& y, Scalar const& n) {
  Scalar const two(2);
  if (!(two < n)) return x < y ? y : x;
  return superquadric::reference::norm<Scalar>(x, y, Scalar(n / (n - two)));
}

template <power_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  Scalar const one(1), two(2), three(3), four(4), five(5), e1 = one / in.n1, e2 = one / in.n2;
  Scalar const a = in.semi_axes[0], b = in.semi_axes[1], c = in.semi_axes[2];
  auto const G = [](Scalar const& x) { return gamma<Scalar>(x); };

  // area and second: area of the unit superellipse and its integral of x^2. squares, fourths and heights: integrals of
  // rho^2, rho^4 and z^2 rho^2 over the heights z.
  Scalar const area = four * G(one + e2) * G(one + e2) / G(one + two * e2);
  Scalar const second = four * e2 * e2 * G(three * e2) * G(e2) / G(one + four * e2);
  Scalar const squares = two * G(one + e1) * G(one + two * e1) / G(one + three * e1);
  Scalar const fourths = two * G(one + e1) * G(one + four * e1) / G(one + five * e1);
  Scalar const heights = two * e1 * G(three * e1) * G(one + two * e1) / G(one + five * e1);

  Scalar const box = a * b * c, X = box * a * a * second * fourths, Y = box * b * b * second * fourths,
               Z = box * c * c * area * heights;
  Output<Scalar> out;
  out.volume = box * area * squares;
  out.mass = in.density * out.volume;
  out.inertia = in.density * Vector3<Scalar>(Y + Z, X + Z, X + Y);
  out.bounding_radius =
      sqrt(farthest<Scalar>(farthest<Scalar>(Scalar(a * a), Scalar(b * b), in.n2), Scalar(c * c), in.n1));
  return out;
}

}  // namespace demeter::superquadric_mass_properties::reference
