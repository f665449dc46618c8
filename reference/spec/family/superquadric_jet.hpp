// The gauge of a superquadric and its derivatives in long double, for estimates of conditioning.
// Source: docs/mathematics/superquadrics.md#bodies.
#pragma once

#include "reference/spec/family/superquadric.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::superquadric::conditioning {

using Real = long double;
using WideVector = Vector3<Real>;
using WideMatrix = Matrix3<Real>;

/// Returns k^n for 0 <= k <= 1, n >= 0, in a seventh of the time of pow. The absolute error is small, because k^n |n ln
/// k| <= 1/e.
inline Real share_to(Real k, Real n) {
  if (n == 0) return 1;
  return k > 0 ? std::exp2(n * std::log2(k)) : 0;
}

/// Returns (x^n + y^n)^(1/n) for x, y >= 0.
inline Real norm(Real x, Real y, Real n) {
  Real const large = std::max(x, y), small = std::min(x, y);
  return large > 0 ? large * std::exp2(std::log2(1 + share_to(small / large, n)) / n) : 0;
}

/// The derivatives of a body at a point of its own frame: gauge N, gradient g and Hessian H. `rho` is the part of the
/// gauge in the x, y plane, divided by N.
struct Jet {
  Real N, rho;
  WideVector g;
  WideMatrix H;
};

/// Returns the `Jet` at a point of the body's own frame. The point must not be the centre. `Body` has the members of a
/// `Superquadric`.
template <class Body>
Jet own_jet(Body const& of, WideVector const& y) {
  WideVector xi;
  for (Index k = 0; k < 3; ++k) xi[k] = std::fabs(y[k] / of.semi_axes[k]);
  Real const n1 = of.n1, n2 = of.n2, rho = norm(xi[0], xi[1], n2);
  Jet at;
  at.N = norm(rho, xi[2], n1);
  Real const r = rho / at.N, z = xi[2] / at.N, s = rho > 0 ? xi[0] / rho : 1, t = rho > 0 ? xi[1] / rho : 0;
  at.rho = r;
  Real const r2 = share_to(r, n1 - 2), z2 = share_to(z, n1 - 2), s2 = share_to(s, n2 - 2), t2 = share_to(t, n2 - 2),
             s1 = s * s2, t1 = t * t2, r1 = r * r2, z1 = z * z2;
  Real const factor = (n1 - 1) / at.N, across = (n2 - 1) / at.N * r2;
  Real const N_rr = factor * r2 * z1 * z, N_zz = factor * z2 * r1 * r, N_rz = -factor * r1 * z1;
  at.g = WideVector(r1 * s1, r1 * t1, z1);
  at.H = {N_rr * s1 * s1 + across * s2 * t1 * t,
          (N_rr - across) * s1 * t1,
          N_rz * s1,
          (N_rr - across) * s1 * t1,
          N_rr * t1 * t1 + across * t2 * s1 * s,
          N_rz * t1,
          N_rz * s1,
          N_rz * t1,
          N_zz};
  WideVector const axes = of.semi_axes.template cast<Real>();
  for (Index k = 0; k < 3; ++k) {
    Real const sign_k = y[k] < 0 ? -1 : 1;
    at.g[k] *= sign_k / axes[k];
    for (Index l = 0; l < 3; ++l) at.H(k, l) *= sign_k * (y[l] < 0 ? -1 : 1) / (axes[k] * axes[l]);
  }
  return at;
}

inline WideMatrix rotation(Quaternion<double> const& of) {
  Quaternion<Real> q = of.cast<Real>();
  q /= q.cwiseAbs().maxCoeff();
  Real const f = 2 / q.squaredNorm();
  return {
      1 - f * (q[2] * q[2] + q[3] * q[3]), f * (q[1] * q[2] - q[0] * q[3]),     f * (q[1] * q[3] + q[0] * q[2]),
      f * (q[1] * q[2] + q[0] * q[3]),     1 - f * (q[1] * q[1] + q[3] * q[3]), f * (q[2] * q[3] - q[0] * q[1]),
      f * (q[1] * q[3] - q[0] * q[2]),     f * (q[2] * q[3] + q[0] * q[1]),     1 - f * (q[1] * q[1] + q[2] * q[2])};
}

/// Gauge, gradient and Hessian in the global frame, and the distance `reach` of the point from the centre.
struct WideGauge {
  Real N = 0, reach = 0;
  WideVector g;
  WideMatrix H;
};

inline WideGauge wide_gauge(Superquadric<double> const& body, WideVector const& x) {
  WideMatrix const R = rotation(body.orientation);
  WideVector const from = x - body.position.cast<Real>();
  Jet const at = own_jet(body, WideVector(R.transpose() * from));
  return {at.N, from.norm(), R * at.g, R * at.H * R.transpose()};
}

}  // namespace demeter::superquadric::conditioning
