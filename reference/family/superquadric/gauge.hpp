// The gauge of a superquadric in its own frame, its derivatives and its support function.
// Source: docs/mathematics/superquadrics.md#bodies.
#pragma once

#include "reference/spec/family/superquadric.hpp"

#include <optional>

namespace demeter::superquadric::reference {

template <class Scalar>
struct Shape {
  Vector3<Scalar> semi_axes;
  Scalar n1, n2;
};

template <class Scalar>
Scalar magnitude(Scalar const& x) {
  return x < Scalar(0) ? Scalar(-x) : x;
}
template <class Scalar>
Scalar sign(Scalar const& x) {
  return x < Scalar(0) ? Scalar(-1) : Scalar(1);
}

/// Returns (x^n + y^n)^(1/n) for x, y >= 0, with the larger number factored out.
template <power_scalar Scalar>
Scalar norm(Scalar const& x, Scalar const& y, Scalar const& n) {
  using std::pow;
  Scalar const zero(0), one(1);
  Scalar const large = x < y ? y : x, small = x < y ? x : y;
  if (!(zero < large)) return zero;
  return large * pow(Scalar(one + pow(Scalar(small / large), n)), Scalar(one / n));
}

/// The gauge N and its parts. The parts use absolute values: x/a = s rho, y/b = t rho, rho = r N, and zeta = z/c is the
/// member `z` times N. N is the norm of rho and zeta. At the poles s = 1 and t = 0. At the centre `z` = 1 and r = 0.
template <class Scalar>
struct Gauge {
  Scalar N, r, z, s, t;
};

template <power_scalar Scalar>
Gauge<Scalar> gauge(Shape<Scalar> const& shape, Vector3<Scalar> const& y) {
  Scalar const zero(0), one(1);
  Scalar const xi = magnitude<Scalar>(y[0] / shape.semi_axes[0]), eta = magnitude<Scalar>(y[1] / shape.semi_axes[1]),
               zeta = magnitude<Scalar>(y[2] / shape.semi_axes[2]);
  Scalar const rho = norm<Scalar>(xi, eta, shape.n2), N = norm<Scalar>(rho, zeta, shape.n1);
  bool const inside = zero < N, beside = zero < rho;
  return {N, inside ? Scalar(rho / N) : zero, inside ? Scalar(zeta / N) : one, beside ? Scalar(xi / rho) : one,
          beside ? Scalar(eta / rho) : zero};
}

/// Returns grad N. y must not be the centre.
template <power_scalar Scalar>
Vector3<Scalar> gradient(Shape<Scalar> const& shape, Gauge<Scalar> const& g, Vector3<Scalar> const& y) {
  using std::pow;
  Scalar const one(1), m1 = shape.n1 - one, m2 = shape.n2 - one, of_r = pow(g.r, m1);
  Vector3<Scalar> const scaled(of_r * pow(g.s, m2), of_r * pow(g.t, m2), pow(g.z, m1));
  Vector3<Scalar> result;
  for (Index k = 0; k < 3; ++k) result[k] = sign(y[k]) * scaled[k] / shape.semi_axes[k];
  return result;
}

/// Returns the Hessian of N, or nullopt where it does not exist: at the poles x = y = 0 with n1 = 2 < n2. y must not be
/// the centre.
template <power_scalar Scalar>
std::optional<Matrix3<Scalar>> hessian(Shape<Scalar> const& shape, Gauge<Scalar> const& g, Vector3<Scalar> const& y) {
  using std::pow;
  Scalar const zero(0), one(1), two(2), n1 = shape.n1, n2 = shape.n2;
  if (!(zero < g.r) && !(two < n1) && two < n2) return std::nullopt;
  Scalar const factor = (n1 - one) / g.N;
  Scalar const r1 = pow(g.r, Scalar(n1 - one)), r2 = pow(g.r, Scalar(n1 - two));
  Scalar const z1 = pow(g.z, Scalar(n1 - one)), z2 = pow(g.z, Scalar(n1 - two));
  Scalar const s1 = pow(g.s, Scalar(n2 - one)), s2 = pow(g.s, Scalar(n2 - two));
  Scalar const t1 = pow(g.t, Scalar(n2 - one)), t2 = pow(g.t, Scalar(n2 - two));
  Scalar const N_rr = factor * r2 * (z1 * g.z), N_zz = factor * z2 * (r1 * g.r), N_rz = -factor * r1 * z1;
  Scalar const across = (n2 - one) / g.N * r2;
  Matrix3<Scalar> H;
  H(0, 0) = N_rr * s1 * s1 + across * s2 * (t1 * g.t);
  H(1, 1) = N_rr * t1 * t1 + across * t2 * (s1 * g.s);
  H(2, 2) = N_zz;
  H(0, 1) = H(1, 0) = (N_rr - across) * s1 * t1;
  H(0, 2) = H(2, 0) = N_rz * s1;
  H(1, 2) = H(2, 1) = N_rz * t1;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      H(i, j) *= (i == j ? one : Scalar(sign(y[i]) * sign(y[j]))) / (shape.semi_axes[i] * shape.semi_axes[j]);
  return H;
}

/// Returns h(u), the largest value of u.y for points y of the body. It is the norm of (a u1, b u2, c u3) with the
/// conjugate exponents.
template <power_scalar Scalar>
Scalar support(Shape<Scalar> const& shape, Vector3<Scalar> const& u) {
  Scalar const one(1);
  Scalar const q1 = shape.n1 / (shape.n1 - one), q2 = shape.n2 / (shape.n2 - one);
  Vector3<Scalar> w;
  for (Index k = 0; k < 3; ++k) w[k] = magnitude<Scalar>(u[k] * shape.semi_axes[k]);
  return norm<Scalar>(norm<Scalar>(w[0], w[1], q2), w[2], q1);
}

/// Returns the point of the surface with outward normal u: grad h(u).
template <power_scalar Scalar>
Vector3<Scalar> support_point(Shape<Scalar> const& shape, Vector3<Scalar> const& u) {
  Scalar const one(1);
  Shape<Scalar> const dual{shape.semi_axes.cwiseInverse(), shape.n1 / (shape.n1 - one), shape.n2 / (shape.n2 - one)};
  return gradient<Scalar>(dual, gauge<Scalar>(dual, u), u);
}

// ------------------------------------------------------------------------------------------------- in the global frame

template <class Scalar>
Matrix3<Scalar> rotation(Quaternion<Scalar> const& q) {
  Scalar const one(1), two(2), f = two / q.dot(q), w = q[0], x = q[1], y = q[2], z = q[3];
  return {one - f * (y * y + z * z), f * (x * y - w * z),       f * (x * z + w * y),
          f * (x * y + w * z),       one - f * (x * x + z * z), f * (y * z - w * x),
          f * (x * z - w * y),       f * (y * z + w * x),       one - f * (x * x + y * y)};
}

/// A body in the global frame.
template <class Scalar>
struct Body {
  Vector3<Scalar> centre;
  Matrix3<Scalar> R;
  Shape<Scalar> shape;

  Vector3<Scalar> local(Vector3<Scalar> const& x) const { return R.transpose() * (x - centre); }
};

/// Returns the body of a record with the members of a `Superquadric`.
template <class Scalar, template <class> class Record>
Body<Scalar> body(Record<Scalar> const& of) {
  return {of.position, rotation<Scalar>(of.orientation), {of.semi_axes, of.n1, of.n2}};
}

}  // namespace demeter::superquadric::reference
