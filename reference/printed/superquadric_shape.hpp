// The shape function of superquadrics by formulas of other sources and codes.
// Source: docs/mathematics/superquadrics.md#superquadric_shape-formulas-as-printed.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/family/superquadric/gauge.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/superquadric_shape.hpp"
#include "reference/superquadric_shape.hpp"

namespace demeter::superquadric_shape::printed {

namespace family = superquadric::reference;

template <class Scalar>
Vector3<Scalar> scaled(Input<Scalar> const& in) {
  Vector3<Scalar> result;
  for (Index k = 0; k < 3; ++k) result[k] = family::magnitude<Scalar>(in.point[k] / in.semi_axes[k]);
  return result;
}

/// Equation (1) with the exponents n1 and n2 instead of 2/n: the value rho + |z/c|^n1 - 1 and its gradient. On the z
/// axis, the gradient in x and y does not exist and is set to 0.
template <power_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  using std::pow;
  Scalar const zero(0), one(1);
  Vector3<Scalar> const xi = scaled<Scalar>(in);
  Scalar const sum = pow(xi[0], in.n2) + pow(xi[1], in.n2), rho = pow(sum, Scalar(one / in.n2));
  Output<Scalar> out;
  out.value = rho + pow(xi[2], in.n1) - one;
  out.gauge = zero;
  for (Index k = 0; k < 2; ++k)
    out.gradient[k] = zero < rho ? Scalar(family::sign<Scalar>(in.point[k]) *
                                          pow(Scalar(xi[k] / rho), Scalar(in.n2 - one)) / in.semi_axes[k])
                                 : zero;
  out.gradient[2] = family::sign<Scalar>(in.point[2]) * in.n1 * pow(xi[2], Scalar(in.n1 - one)) / in.semi_axes[2];
  return out;
}

/// Returns Phi = k ((|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 - 1) with a factor k, its gradient and its Hessian.
template <power_scalar Scalar>
Output<Scalar> with_factor(Input<Scalar> const& in, Scalar const& k) {
  using std::pow;
  Scalar const one(1), n1 = in.n1;
  Vector3<Scalar> const xi = scaled<Scalar>(in);
  family::Shape<Scalar> const shape{in.semi_axes, n1, in.n2};
  family::Gauge<Scalar> const at = family::gauge<Scalar>(shape, in.point);
  Vector3<Scalar> const g = family::gradient<Scalar>(shape, at, in.point);
  Output<Scalar> out;
  Scalar const flat = pow(xi[0], in.n2) + pow(xi[1], in.n2);
  out.value = k * (pow(flat, Scalar(n1 / in.n2)) + pow(xi[2], n1) - one);
  out.gauge = Scalar(0);
  Scalar const first = k * n1 * pow(at.N, Scalar(n1 - one));
  out.gradient = first * g;
  if (auto const H = family::hessian<Scalar>(shape, at, in.point)) {
    Scalar const second = k * n1 * (n1 - one) * pow(at.N, Scalar(n1 - Scalar(2)));
    Matrix3<Scalar> const of_phi = first * *H + second * g * g.transpose();
    out.hessian = reference::entries<Scalar>(of_phi);
  }
  return out;
}

/// Returns LIGGGHTS's factor, 2^(2 - max(n1, n2)).
template <power_scalar Scalar>
Scalar factor_of(Input<Scalar> const& in) {
  using std::pow;
  return pow(Scalar(2), Scalar(Scalar(2) - (in.n1 < in.n2 ? in.n2 : in.n1)));
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented",
              "equation (1) of Open DEM Japan's note: rho + |z/c|^n1 - 1, not convex at the poles, and its gradient",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return documented<Scalar>(in); },
              {"gauge", "hessian", "mean_curvature", "gaussian_curvature"}},
      Formula{"liggghts",
              "the shape function as LIGGGHTS implements it, k (N^n1 - 1) with k = 2^(2 - max(n1, n2)), and its "
              "derivatives",
              FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return with_factor<Scalar>(in, factor_of<Scalar>(in)); },
              {"gauge", "mean_curvature", "gaussian_curvature"}},
      Formula{"unscaled",
              "N^n1 - 1 and its derivatives",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return with_factor<Scalar>(in, Scalar(1)); },
              {"gauge", "mean_curvature", "gaussian_curvature"}},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "(1)",
              .documented = "rho + |z/c|^(2/n) - 1: one n > 0, and both exponents are 2/n",
              .implemented =
                  "k [(|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 - 1] with k = 2^(2 - max(n1, n2)) and n1, n2 >= 2",
              .codes = {published::liggghts_superquadrics},
              .recommended = "N^n1 - 1 with the gauge N = (rho^n1 + |z/c|^n1)^(1/n1)",
              .figures = {{.what = "a unit ball, at the point (0.5, 0, 0)",
                           .input = R"({"semi_axes":[1,1,1],"n1":2,"n2":2,"point":[0.5,0,0]})",
                           .column = "value",
                           .values = {{"documented", "-0.5"}, {"liggghts", "-0.75"}, {"reference", "-0.75"}}},
                          {.what = "n1 = n2 = 4 and unit semi-axes, at the point (0.5, 0, 0)",
                           .input = R"({"semi_axes":[1,1,1],"n1":4,"n2":4,"point":[0.5,0,0]})",
                           .column = "value",
                           .values = {{"documented", "-0.5"}, {"liggghts", "-0.234"}, {"reference", "-0.9375"}}}}},
  };
}

}  // namespace demeter::superquadric_shape::printed
