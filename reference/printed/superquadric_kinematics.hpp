// Kinematics of superquadrics as others print or implement them.
// docs/mathematics/superquadrics.md#superquadric_kinematics-formulas-as-printed.
#pragma once

#include "reference/spec/core/formula.hpp"
#include "reference/superquadric_kinematics.hpp"

namespace demeter::superquadric_kinematics::printed {

namespace recommended = superquadric_kinematics::reference;

/// Equations (3), (4), (6) to (9): radii from the product of the semi-axes, a point that moves with the centres, arms
/// of R_k - overlap / 2 along the normal, and curvatures at the contact point that are added to 1 / R.
template <power_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  using std::exp, std::log, std::sqrt;
  Scalar const zero(0), one(1), two(2), three(3);
  auto const radius = [&](Body<Scalar> const& of) {
    Scalar R = one;
    for (Eigen::Index k = 0; k < 3; ++k) R *= exp(Scalar(log(of.semi_axes[k]) / three));
    return R;
  };
  Scalar const Ri = radius(in.i), Rj = radius(in.j), share = Ri / (Ri + Rj);
  Vector3<Scalar> const n = in.normal / sqrt(in.normal.dot(in.normal)), relative = in.i.velocity - in.j.velocity;
  Output<Scalar> out;
  out.normal_velocity = relative.dot(n);
  Scalar const arm_i = Ri - in.overlap / two, arm_j = Rj - in.overlap / two;
  Vector3<Scalar> const turning = arm_i * in.i.spin + arm_j * in.j.spin;
  out.tangential_velocity = relative - out.normal_velocity * n - turning.cross(n);
  out.predicted_point = in.point + in.dt * ((one - share) * in.i.velocity + share * in.j.velocity);
  out.effective_radius = Ri * Rj / (Ri + Rj);
  if (!(zero < in.curvature_limit)) return out;
  auto const curvature = [&](Body<Scalar> const& of) {
    auto const body = recommended::gauge::body<Scalar, Body>(of);
    return recommended::curvature<Scalar>(recommended::gauge::slope<Scalar>(body, in.point), in.curvature);
  };
  out.effective_radius = one / (one / out.effective_radius + in.curvature_limit * (curvature(in.i) + curvature(in.j)));
  return out;
}

/// The recommended formula but for the prediction: the velocities of both bodies at the point, weighted by their
/// masses, of one density.
template <power_scalar Scalar>
Output<Scalar> liggghts(Input<Scalar> const& in) {
  Output<Scalar> out = recommended::evaluate(in);
  auto const mass = [](Body<Scalar> const& of) {
    Scalar const R = recommended::volume_radius<Scalar>({of.semi_axes, of.n1, of.n2});
    return Scalar(R * R * R);
  };
  auto const velocity = [&](Body<Scalar> const& of) {
    Vector3<Scalar> const arm = in.point - of.position;
    return Vector3<Scalar>(of.velocity + of.spin.cross(arm));
  };
  Scalar const mi = mass(in.i), mj = mass(in.j);
  out.predicted_point = in.point + in.dt * ((mi * velocity(in.i) + mj * velocity(in.j)) / (mi + mj));
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "the surface model as documented, equations (3), (4), (6) to (9)",
              []<class Scalar>(Input<Scalar> const& in) { return documented(in); }},
      Formula{"liggghts", "LIGGGHTS: the prediction by the mean velocity, weighted by the masses",
              []<class Scalar>(Input<Scalar> const& in) { return liggghts(in); }},
  };
}

}  // namespace demeter::superquadric_kinematics::printed
