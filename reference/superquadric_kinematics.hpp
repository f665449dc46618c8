// Reference: kinematics at the contact point of two superquadrics.
// Source: docs/mathematics/superquadrics.md#superquadric_kinematics.
#pragma once

#include "reference/core/binary128.hpp"
#include "reference/family/superquadric/touch.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

namespace demeter::superquadric_kinematics::reference {

namespace gauge = superquadric::reference;

/// Returns a curvature of the surface in 1/m: the mean curvature, or the square root of the Gaussian curvature. `at`
/// has the gauge N and its derivatives at a point y. The result is the curvature at the surface point y / N.
template <power_scalar Scalar>
Scalar curvature(gauge::Slope<Scalar> const& at, Curvature which) {
  using std::sqrt;
  Scalar const zero(0), two(2), gg = at.g.dot(at.g);
  Matrix3<Scalar> const& H = at.H;
  if (which == Curvature::mean) {
    Vector3<Scalar> const Hg = H * at.g;
    return at.N * (gg * H.trace() - at.g.dot(Hg)) / (two * gg * sqrt(gg));
  }
  Vector3<Scalar> const one = H.col(0), two_ = H.col(1), three = H.col(2);
  Matrix3<Scalar> cofactors;
  cofactors.col(0) = two_.cross(three);
  cofactors.col(1) = three.cross(one);
  cofactors.col(2) = one.cross(two_);
  Vector3<Scalar> const Ag = cofactors.transpose() * at.g;
  Scalar const product = at.g.dot(Ag);
  return zero < product ? Scalar(at.N * sqrt(product) / gg) : zero;
}

/// Returns the point where the ray from y leaves the body, or y if y is not inside. Newton's method starts beyond the
/// exit. N is convex, so the iteration decreases and stays beyond the exit.
template <power_scalar Scalar>
Vector3<Scalar> exit_point(gauge::Shape<Scalar> const& shape, Vector3<Scalar> const& y,
                           Vector3<Scalar> const& direction) {
  Scalar const one(1), N = gauge::gauge<Scalar>(shape, y).N;
  if (!(N < one)) return y;
  Scalar s = (one + N) / gauge::gauge<Scalar>(shape, direction).N;
  for (int step = 0; step < 2000; ++step) {
    Vector3<Scalar> const z = y + s * direction;
    auto const at = gauge::gauge<Scalar>(shape, z);
    Scalar const next = s - (at.N - one) / gauge::gradient<Scalar>(shape, at, z).dot(direction);
    if (!(next < s)) break;
    s = next;
  }
  return y + s * direction;
}

/// Returns (3V / 4 pi)^(1/3): the radius of a ball with the volume V of the body.
template <power_scalar Scalar>
Scalar volume_radius(gauge::Shape<Scalar> const& shape) {
  using std::exp, std::lgamma, std::log;
  Scalar const one(1), two(2), three(3), e1 = one / shape.n1, e2 = one / shape.n2;
  auto const G = [](Scalar const& x) { return Scalar(lgamma(x)); };
  Scalar const logarithm =
      two * G(one + e2) - G(one + two * e2) + G(one + e1) + G(one + two * e1) - G(one + three * e1);
  // V = 8 a b c exp(logarithm). For n1 = n2 = 2, the logarithm is `sphere`, because 4 pi / 3 = pi^(3/2) / G(5/2).
  Scalar const half = one / two;
  Scalar const sphere = two * G(one + half) - G(two) + G(one + half) + G(two) - G(one + three * half);
  Scalar size = one;
  for (Index k = 0; k < 3; ++k) size *= exp(Scalar(log(shape.semi_axes[k]) / three));
  return size * exp(Scalar((logarithm - sphere) / three));
}

/// A body at the contact point. w is its velocity there. g and H are the gradient and the Hessian of its gauge in the
/// global frame.
template <class Scalar>
struct AtPoint {
  Vector3<Scalar> w, g;
  Matrix3<Scalar> H;
};

template <power_scalar Scalar>
AtPoint<Scalar> at_point(Body<Scalar> const& of, Vector3<Scalar> const& point) {
  gauge::Slope<Scalar> const at = gauge::slope<Scalar>(gauge::body<Scalar, Body>(of), point);
  Vector3<Scalar> const arm = point - of.position;
  return {of.velocity + of.spin.cross(arm), at.g, at.H};
}

/// Returns the solution of A x = b by elimination with partial pivoting.
template <class Scalar>
Vector<Scalar, 4> solved(Matrix<Scalar, 4, 4> A, Vector<Scalar, 4> b) {
  for (Index k = 0; k < 4; ++k) {
    Index pivot = k;
    for (Index row = k + 1; row < 4; ++row)
      if (gauge::magnitude<Scalar>(A(pivot, k)) < gauge::magnitude<Scalar>(A(row, k))) pivot = row;
    for (Index col = 0; col < 4; ++col) std::swap(A(k, col), A(pivot, col));
    std::swap(b[k], b[pivot]);
    for (Index row = k + 1; row < 4; ++row) {
      Scalar const factor = A(row, k) / A(k, k);
      for (Index col = k; col < 4; ++col) A(row, col) -= factor * A(k, col);
      b[row] -= factor * b[k];
    }
  }
  for (Index k = 3; k >= 0; --k) {
    for (Index col = k + 1; col < 4; ++col) b[k] -= A(k, col) * b[col];
    b[k] /= A(k, k);
  }
  return b;
}

/// Returns the velocity of the point at which the gradients stay opposite (g_i + mu g_j = 0) and the gauges stay equal.
template <power_scalar Scalar>
Vector3<Scalar> contact_velocity(AtPoint<Scalar> const& i, AtPoint<Scalar> const& j, Body<Scalar> const& of_i,
                                 Body<Scalar> const& of_j) {
  using std::sqrt;
  Scalar const mu = sqrt(Scalar(i.g.dot(i.g) / j.g.dot(j.g)));
  Vector3<Scalar> const e = i.g - j.g;
  Matrix<Scalar, 4, 4> A;
  Vector<Scalar, 4> b;
  Vector3<Scalar> const Hi = i.H * i.w, Hj = j.H * j.w, Ti = of_i.spin.cross(i.g), Tj = of_j.spin.cross(j.g);
  for (Index row = 0; row < 3; ++row) {
    for (Index col = 0; col < 3; ++col) A(row, col) = i.H(row, col) + mu * j.H(row, col);
    A(row, 3) = mu * j.g[row];
    A(3, row) = e[row];
    b[row] = Hi[row] - Ti[row] + mu * (Hj[row] - Tj[row]);
  }
  A(3, 3) = Scalar(0);
  b[3] = i.g.dot(i.w) - j.g.dot(j.w);
  return solved<Scalar>(A, b).template head<3>();
}

template <power_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  Scalar const zero(0), one(1);
  AtPoint<Scalar> const i = at_point<Scalar>(in.i, in.point), j = at_point<Scalar>(in.j, in.point);
  Vector3<Scalar> const n = in.normal / sqrt(in.normal.dot(in.normal)), relative = i.w - j.w;
  Output<Scalar> out;
  out.normal_velocity = relative.dot(n);
  out.tangential_velocity = relative - out.normal_velocity * n;
  out.predicted_point = in.point + in.dt * contact_velocity<Scalar>(i, j, in.i, in.j);

  auto const body_i = gauge::body<Scalar, Body>(in.i), body_j = gauge::body<Scalar, Body>(in.j);
  Scalar const Ri = volume_radius<Scalar>(body_i.shape), Rj = volume_radius<Scalar>(body_j.shape);
  Scalar const R = Ri * Rj / (Ri + Rj);
  out.effective_radius = R;
  if (!(zero < in.curvature_limit)) return out;
  auto const curvature_of = [&](auto const& body, Vector3<Scalar> const& direction) {
    Vector3<Scalar> const u = body.R.transpose() * direction;
    Vector3<Scalar> const y = exit_point<Scalar>(body.shape, body.local(in.point), u);
    return curvature<Scalar>(gauge::own_slope<Scalar>(body.shape, y), in.curvature);
  };
  Scalar const K = curvature_of(body_i, -n) + curvature_of(body_j, n);
  out.effective_radius = in.curvature_limit * R;
  if (one < in.curvature_limit * R * K) out.effective_radius = one / K;
  return out;
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<float> evaluate(Input<float> const&);
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
extern template Output<Binary128> evaluate(Input<Binary128> const&);

}  // namespace demeter::superquadric_kinematics::reference
