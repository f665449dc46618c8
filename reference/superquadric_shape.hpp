// Reference: gauge, derivatives and curvatures of a superquadric.
// Source: docs/mathematics/superquadrics.md#superquadric_shape.
#pragma once

#include "reference/core/binary128.hpp"
#include "reference/family/superquadric/gauge.hpp"
#include "reference/spec/superquadric_shape.hpp"

namespace demeter::superquadric_shape::reference {

namespace family = superquadric::reference;

template <class Scalar>
Tensor<Scalar> entries(Matrix3<Scalar> const& H) {
  return {H(0, 0), H(1, 1), H(2, 2), H(0, 1), H(0, 2), H(1, 2)};
}

/// Returns the mean curvature of a level surface with gradient g and Hessian H: (|g|^2 tr H - g.Hg) / (2 |g|^3).
template <real_scalar Scalar>
Scalar mean_curvature(Vector3<Scalar> const& g, Matrix3<Scalar> const& H) {
  using std::sqrt;
  Scalar const square = g.dot(g), length = sqrt(square);
  Scalar const along = g.dot(Vector3<Scalar>(H * g));
  return (square * Scalar(H.trace()) - along) / (Scalar(2) * square * length);
}

/// Returns the Gaussian curvature of a level surface: g.adj(H) g / |g|^4.
template <field_scalar Scalar>
Scalar gaussian_curvature(Vector3<Scalar> const& g, Matrix3<Scalar> const& H) {
  Scalar sum(0);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      Index const i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      sum += g[i] * g[j] * (H(i1, j1) * H(i2, j2) - H(i1, j2) * H(i2, j1));
    }
  Scalar const square = g.dot(g);
  return sum / (square * square);
}

template <power_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::pow;
  family::Shape<Scalar> const shape{in.semi_axes, in.n1, in.n2};
  family::Gauge<Scalar> const at = family::gauge<Scalar>(shape, in.point);
  Output<Scalar> out;
  out.value = pow(at.N, in.n1) - Scalar(1);
  out.gauge = at.N;
  out.gradient = family::gradient<Scalar>(shape, at, in.point);
  if (auto const H = family::hessian<Scalar>(shape, at, in.point)) {
    // N is homogeneous. At point / N, the gradient is the same as at the point, and the Hessian is N times the Hessian
    // at the point.
    Matrix3<Scalar> const on_surface = at.N * *H;
    out.hessian = entries<Scalar>(*H);
    out.mean_curvature = mean_curvature<Scalar>(out.gradient, on_surface);
    out.gaussian_curvature = gaussian_curvature<Scalar>(out.gradient, on_surface);
  }
  return out;
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<float> evaluate(Input<float> const&);
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
extern template Output<Binary128> evaluate(Input<Binary128> const&);

}  // namespace demeter::superquadric_shape::reference
