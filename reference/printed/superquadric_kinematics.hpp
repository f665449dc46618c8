// Kinematics of superquadrics by formulas of other sources and codes.
// Source: docs/mathematics/superquadrics.md#superquadric_kinematics-formulas-as-printed.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/superquadric_kinematics.hpp"

namespace demeter::superquadric_kinematics::printed {

namespace recommended = superquadric_kinematics::reference;

/// Equations (3), (4) and (6) to (9) of the source. The radii follow from the products of the semi-axes. The point
/// moves with the centres. The arms are R_k - overlap / 2 along the normal. The curvatures at the contact point are
/// added to 1 / R.
template <power_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  using std::exp, std::log, std::sqrt;
  Scalar const zero(0), one(1), two(2), three(3);
  auto const radius = [&](Body<Scalar> const& of) {
    Scalar R = one;
    for (Index k = 0; k < 3; ++k) R *= exp(Scalar(log(of.semi_axes[k]) / three));
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

/// The recommended formula except for the predicted point. Here it moves with the weighted mean of the velocities of
/// both bodies at the point. The weights are the masses of the bodies at equal density.
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
      Formula{"documented", "the surface model as documented, equations (3), (4), (6) to (9)", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return documented(in); }},
      Formula{"liggghts", "LIGGGHTS: the prediction by the mean velocity, weighted by the masses", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return liggghts(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "(3), (6)",
          .documented = "R = (a b c)^(1/3)",
          .implemented = "(a b c)^(1/3) only for the first guess; R_eff is computed from the volume",
          .codes = {published::liggghts_superquadrics},
          .recommended = "R = (3 V/4 pi)^(1/3)",
          .figures =
              {{.what = "R_eff of two equal rounded cubes with semi-axes 2 and n = 4",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":4,"n2":4,"velocity":[0,0,0],"spin":[0,0,0]},"j":{"position":[3,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":4,"n2":4,"velocity":[0,0,0],"spin":[0,0,0]},"point":[1.5,0,0],"normal":[-1,0,0],"overlap":0.5,"dt":0,"curvature_limit":0,"curvature":"mean"})",
                .column = "effective_radius",
                .values = {{"documented", "1"}, {"reference", "1.1567"}}},
               {.what = "R_eff of two equal rounded cubes with semi-axes 2 and n = 8",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":8,"n2":8,"velocity":[0,0,0],"spin":[0,0,0]},"j":{"position":[3,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":8,"n2":8,"velocity":[0,0,0],"spin":[0,0,0]},"point":[1.5,0,0],"normal":[-1,0,0],"overlap":0.5,"dt":0,"curvature_limit":0,"curvature":"mean"})",
                .column = "effective_radius",
                .values = {{"documented", "1"}, {"reference", "1.2152"}}},
               {.what = "R_eff of two equal rounded cubes with semi-axes 2 and n = 20",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":20,"n2":20,"velocity":[0,0,0],"spin":[0,0,0]},"j":{"position":[3,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":20,"n2":20,"velocity":[0,0,0],"spin":[0,0,0]},"point":[1.5,0,0],"normal":[-1,0,0],"overlap":0.5,"dt":0,"curvature_limit":0,"curvature":"mean"})",
                .column = "effective_radius",
                .values = {{"documented", "1"}, {"reference", "1.2361"}}}}},
      Erratum{
          .where = "(4)",
          .documented = "the point moves with (1 - rho) v_i + rho v_j",
          .implemented =
              "the point moves with the mean of the velocities of both bodies at the point, weighted by their masses",
          .codes = {published::liggghts_superquadrics},
          .recommended =
              "the point moves along the tangent of its path, which follows from the derivatives of both gauges"},
      Erratum{
          .where = "(7)",
          .documented = "1/R' = 1/R + kappa (K_i + K_j)",
          .implemented = "R' = min(kappa R, 1/(K_i + K_j)) for kappa > 0, and R' = R for kappa = 0",
          .codes = {published::liggghts_superquadrics},
          .recommended = "as implemented; R' jumps between kappa = 0 and kappa > 0 by convention",
          .figures =
              {{.what = "equal unit spheres, kappa = 1",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"j":{"position":[1.9,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"point":[0.95,0,0],"normal":[-1,0,0],"overlap":0.1,"dt":0,"curvature_limit":1,"curvature":"mean"})",
                .column = "effective_radius",
                .values = {{"documented", "0.25"}, {"liggghts", "0.5"}, {"reference", "0.5"}}},
               {.what = "equal unit spheres, kappa = 10",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"j":{"position":[1.9,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"point":[0.95,0,0],"normal":[-1,0,0],"overlap":0.1,"dt":0,"curvature_limit":10,"curvature":"mean"})",
                .column = "effective_radius",
                .values = {{"documented", "0.0455"}, {"liggghts", "0.5"}, {"reference", "0.5"}}}}},
      Erratum{
          .where = "(8)",
          .documented = "(v_i - v_j) . n",
          .implemented = "(v_i - v_j) . n with the term w x (c - x) in both velocities",
          .codes = {published::liggghts_superquadrics},
          .recommended = "as implemented",
          .figures =
              {{.what =
                    "a body that spins about z; the contact point is (1, 0.5, 0) from its centre, and n = (-1, 0, 0)",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,1]},"j":{"position":[3,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"point":[1,0.5,0],"normal":[-1,0,0],"overlap":0,"dt":0,"curvature_limit":0,"curvature":"mean"})",
                .column = "normal_velocity",
                .values = {{"documented", "0"}, {"liggghts", "0.5"}, {"reference", "0.5"}}}}},
      Erratum{
          .where = "(9)",
          .documented = "lever arms of length R_k - delta/2 along the normal",
          .implemented = "lever arms from the centres to the contact point",
          .codes = {published::liggghts_superquadrics},
          .recommended = "as implemented",
          .figures =
              {{.what = "spheres of radius 2 and 1 with delta = 0.1; the larger one spins about z with 1/s",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,1]},"j":{"position":[2.9,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2,"velocity":[0,0,0],"spin":[0,0,0]},"point":[1.9333333333333333,0,0],"normal":[-1,0,0],"overlap":0.1,"dt":0,"curvature_limit":0,"curvature":"mean"})",
                .column = "tangential_velocity[1]",
                .values = {{"documented", "1.95"}, {"liggghts", "1.9333"}, {"reference", "1.9333"}}}}},
  };
}

}  // namespace demeter::superquadric_kinematics::printed
