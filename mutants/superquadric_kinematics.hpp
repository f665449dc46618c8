// Mutants of superquadric_kinematics. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

#include <cmath>
#include <span>

namespace demeter::superquadric_kinematics::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Part = Body<double>;
using conditioning::Jet;
using conditioning::Real;
using conditioning::WideMatrix;
using conditioning::WideVector;

inline constexpr Defect defects[] = {
    {"scalar_last", "the quaternion is read as x, y, z, w", "order of a quaternion"},
    {"conjugate", "the inverse rotation is used", "direction of a rotation"},
    {"semi_axes_are_axes", "semi-axes are treated as diameters", "half and whole exchanged"},
    {"exponents_exchanged", "n1 and n2 are exchanged", "exponents exchanged"},
    {"relative_reversed", "the velocity is that of j relative to i", "bodies exchanged"},
    {"velocities_of_centres", "velocities do not include spins", "a missing cross product"},
    {"velocities_of_radii", "arms are along the normal, with length radius minus half of the overlap",
     "equations (3), (4): spheres instead of the bodies"},
    {"spin_reversed", "x cross spin instead of spin cross x", "order of a cross product"},
    {"spin_of_i_for_both", "the spin of i is used for both bodies", "copy and paste"},
    {"small_spin_ignored", "spins below 1e-6 count as 0", "absolute thresholds"},
    {"normal_not_divided", "the normal is not normalised", "a length that is assumed to be 1"},
    {"normal_reversed", "the normal points from i to j", "direction of the normal"},
    {"tangential_is_relative", "the normal part is not subtracted", "a missing projection"},
    {"tangential_by_speed", "the tangential velocity is too long by 1e-9", "a root of a difference of squares"},
    {"point_stays", "the point is not moved", "a missing prediction"},
    {"point_forward_half", "only half of the time step is used", "another integrator"},
    {"point_without_dt", "the time step is treated as 1", "a velocity instead of a distance"},
    {"point_with_centres", "the mean of the velocities of the centres, weighted by radii", "equation (6)"},
    {"point_by_masses", "the mean of both velocities at the point, weighted by masses", "LIGGGHTS"},
    {"point_by_gradients", "the mean of both velocities at the point, weighted by the gradients",
     "spheres instead of the bodies"},
    {"point_by_halves", "the unweighted mean of both velocities at the point", "right only for spheres of one size"},
    {"point_of_i", "the point is fixed to i", "only one body used"},
    {"equations_without_turning", "gradients do not rotate with the bodies", "a missing term of a derivative"},
    {"equations_of_one_gradient", "the gauge of j does not move", "only one body used"},
    {"equations_without_mu", "the gradients are assumed to have the same length", "right only for spheres of one size"},
    {"equations_of_levels", "implicit functions are used instead of gauges", "another contact point"},
    {"equations_of_projection", "the point stays in the tangent plane of i", "missing curvature"},
    {"dt_of_its_size", "a negative time step is treated as positive", "|dt| instead of dt"},
    {"quaternion_as_it_is", "quaternions are not normalised", "a length that is assumed to be 1"},
    {"slow_points_stay", "a displacement below a nanometre counts as 0", "absolute thresholds"},
    {"radius_of_axes", "the radius is the cube root of the product of the semi-axes",
     "equation (8): the volume of an ellipsoid"},
    {"radius_of_largest", "the largest semi-axis is used", "a bounding sphere instead of the body"},
    {"radius_sum", "R_i + R_j instead of R_i R_j / (R_i + R_j)", "another mean"},
    {"radius_of_volume_ratio", "volume over the square of the semi-axes", "another equivalent sphere"},
    {"limit_added", "1/R + kappa K instead of its inverse", "equation (9) as printed"},
    {"limit_always", "1/K for every limit", "a missing minimum"},
    {"limit_capped", "a limit above 1 is treated as 1", "a limit treated as a cap"},
    {"limit_of_zero", "a limit of 0 gives a radius of 0", "a missing special value"},
    {"limit_without_curvature", "kappa R for any curvature", "a missing minimum"},
    {"curvature_at_point", "curvatures of the level surfaces through the point", "missing exit points"},
    {"curvature_of_other_side", "exit points on the far side", "direction of the normal"},
    {"curvature_of_one_body", "only the curvature of i", "only one body used"},
    {"curvature_is_sum", "the sum of the principal curvatures instead of their mean", "half and whole exchanged"},
    {"curvature_not_rooted", "the Gaussian curvature without the root", "a missing root"},
    {"curvatures_exchanged", "mean and Gaussian curvature are exchanged", "an inverted switch"},
    {"curvature_of_level", "curvatures of the level surface through the point", "another surface"},
    {"velocity_just_over", "the normal velocity has an error of 1e-13 of the speed", "an error just above the budget",
     "1e-13 is 900 u"},
    {"tangential_just_over", "the tangential velocity has an error of 1e-13 of the speed",
     "an error just above the budget", "1e-13 is 900 u"},
    {"point_just_over", "the point has a relative error of 40 u", "an error just above the budget"},
    {"radius_just_over", "the radius has a relative error of 1e-12", "an error just above the budget"},
};
using Chosen = Choice<defects>;

/// A body at the contact point, in the global frame.
struct Placed {
  Part body;
  WideMatrix R;
  WideVector arm, w, spin, g;
  WideMatrix H;
  Jet own;
};

inline Placed placed(Part const& of, WideVector const& point, Chosen const with) {
  Placed at;
  at.body = of;
  auto& q = at.body.orientation;
  if (with("scalar_last")) q = Quaternion<double>(q[3], q[0], q[1], q[2]);
  if (with("conjugate")) q = Quaternion<double>(q[0], -q[1], -q[2], -q[3]);
  if (with("semi_axes_are_axes")) at.body.semi_axes *= .5;
  if (with("exponents_exchanged")) std::swap(at.body.n1, at.body.n2);
  at.R = conditioning::rotation(q);
  if (with("quaternion_as_it_is")) at.R *= static_cast<Real>(q.squaredNorm());
  at.arm = point - of.position.cast<Real>();
  at.spin = of.spin.cast<Real>();
  if (with("small_spin_ignored") && at.spin.norm() < 1e-6L) at.spin.setZero();
  WideVector const turning =
      with("spin_reversed") ? WideVector(at.arm.cross(at.spin)) : WideVector(at.spin.cross(at.arm));
  at.w = of.velocity.cast<Real>();
  if (!with("velocities_of_centres")) at.w += turning;
  at.own = conditioning::own_jet(at.body, WideVector(at.R.transpose() * at.arm));
  at.g = at.R * at.own.g;
  at.H = at.R * at.own.H * at.R.transpose();
  return at;
}

/// Returns (3V / 4 pi)^(1/3): the radius of a ball with the volume V of the body.
inline Real volume_radius(Part const& of) {
  Real const e1 = 1 / static_cast<Real>(of.n1), e2 = 1 / static_cast<Real>(of.n2), pi = 3.14159265358979323846264338L;
  auto const G = [](Real x) { return std::tgamma(1 + x); };
  Real const share = G(e2) * G(e2) / G(2 * e2) * G(e1) * G(2 * e1) / G(3 * e1);
  Real size = std::cbrt(6 * share / pi);
  for (double const a : of.semi_axes) size *= std::cbrt(static_cast<Real>(a));
  return size;
}

inline WideVector contact_velocity(Placed const& i, Placed const& j, Chosen const with) {
  Real const wi = i.g.norm(), wj = j.g.norm(), share = wj / (wi + wj);
  WideVector const by_gradients = share * i.w + (1 - share) * j.w;
  if (with("point_by_gradients")) return by_gradients;
  if (with("point_by_halves")) return (i.w + j.w) / 2;
  if (with("point_of_i")) return i.w;
  if (with("point_by_masses")) {
    Real const mi = std::pow(volume_radius(i.body), 3), mj = std::pow(volume_radius(j.body), 3);
    return (mi * i.w + mj * j.w) / (mi + mj);
  }
  if (with("point_with_centres")) {
    Real const Ri = std::cbrt(i.body.semi_axes.cast<Real>().prod()),
               Rj = std::cbrt(j.body.semi_axes.cast<Real>().prod());
    return (Rj * i.body.velocity.cast<Real>() + Ri * j.body.velocity.cast<Real>()) / (Ri + Rj);
  }
  // The equations are divided by |grad N_i|, so that their rows have similar magnitudes.
  Real const unit = 1 / wi, mu = with("equations_without_mu") ? 1 : wi / wj;
  WideVector gi = unit * i.g, gj = unit * j.g;
  WideMatrix Hi = unit * unit * i.H, Hj = unit * unit * j.H;
  if (with("equations_of_levels")) {
    // The equations of the implicit functions N^n1 - 1 instead of the gauges.
    Real const ni = i.body.n1, nj = j.body.n1, Ni = i.own.N, Nj = j.own.N;
    Hi = ni * std::pow(Ni, ni - 2) * (Ni * Hi + (ni - 1) * gi * gi.transpose());
    Hj = nj * std::pow(Nj, nj - 2) * (Nj * Hj + (nj - 1) * gj * gj.transpose());
    gi *= ni * std::pow(Ni, ni - 1);
    gj *= nj * std::pow(Nj, nj - 1);
  }
  WideVector const turn_i = unit * i.spin.cross(gi), turn_j = unit * j.spin.cross(gj);
  WideVector right = Hi * i.w + mu * Hj * j.w;
  if (!with("equations_without_turning")) right -= turn_i + mu * turn_j;
  Real const last = with("equations_of_one_gradient") ? gi.dot(i.w) : gi.dot(i.w) - gj.dot(j.w);
  if (with("equations_of_projection")) return i.w - (i.w - j.w).dot(gi) / gi.squaredNorm() * gi * (1 - share);
  conditioning::Equations const of{Hi + mu * Hj, mu * gj, gi - gj, right, last};
  auto const inverted = conditioning::inverse(of.A());
  return inverted ? (*inverted * of.b()).head<3>() : by_gradients;
}

inline Real curvature_of(Placed const& of, WideVector const& direction, Curvature which, Chosen const with) {
  WideVector y = of.R.transpose() * of.arm;
  WideVector const u = of.R.transpose() * (with("curvature_of_other_side") ? WideVector(-direction) : direction);
  if (of.own.N < 1 && !with("curvature_at_point")) y += conditioning::exit_parameter(of.body, y, u) * u;
  Jet at = conditioning::own_jet(of.body, y);
  if (with("curvatures_exchanged")) which = which == Curvature::mean ? Curvature::gaussian : Curvature::mean;
  Real K = conditioning::curvature(at, which);
  // The curvature of the level surface of the gauge through the point.
  if (with("curvature_of_level")) K /= at.N * (of.own.N < 1 ? of.own.N : 1);
  if (with("curvature_is_sum") && which == Curvature::mean) K *= 2;
  if (with("curvature_not_rooted") && which == Curvature::gaussian) K = K * K;
  return K;
}

/// Computes in long double. Its errors are far below the budgets.
inline Answer evaluate(Case const& in, Chosen const with) {
  WideVector const point = in.point.cast<Real>();
  Placed i = placed(in.i, point, with), j = placed(in.j, point, with);
  if (with("spin_of_i_for_both")) j.spin = i.spin, j.w = in.j.velocity.cast<Real>() + j.spin.cross(j.arm);
  WideVector n = in.normal.cast<Real>();
  if (!with("normal_not_divided")) n /= n.norm();
  if (with("normal_reversed")) n = -n;
  WideVector relative = i.w - j.w;
  if (with("relative_reversed")) relative = -relative;
  if (with("velocities_of_radii")) {
    Real const half = in.overlap / 2.0L;
    Real const Ri = std::cbrt(in.i.semi_axes.cast<Real>().prod()) - half,
               Rj = std::cbrt(in.j.semi_axes.cast<Real>().prod()) - half;
    relative = in.i.velocity.cast<Real>() - in.j.velocity.cast<Real>() - (Ri * i.spin + Rj * j.spin).cross(n);
  }
  Real vn = relative.dot(n);
  WideVector vt = relative - vn * n;
  if (with("tangential_is_relative")) vt = relative;
  if (with("tangential_by_speed") && vt.norm() > 0)
    vt *= std::sqrt(std::max(relative.squaredNorm() - vn * vn, Real(0))) / vt.norm() * (1 + 0x1p-30L);
  WideVector const velocity = contact_velocity(i, j, with);
  Real dt = in.dt;
  if (with("point_stays")) dt = 0;
  if (with("point_forward_half")) dt /= 2;
  if (with("point_without_dt")) dt = 1;
  if (with("dt_of_its_size")) dt = std::fabs(dt);
  WideVector moved = point + dt * velocity;
  if (with("slow_points_stay") && (dt * velocity).norm() < 1e-9L) moved = point;

  auto const radius_of = [&](Part const& of) {
    if (with("radius_of_axes")) return std::cbrt(of.semi_axes.cast<Real>().prod());
    if (with("radius_of_largest")) return static_cast<Real>(of.semi_axes.maxCoeff());
    Real const R = volume_radius(of);
    return with("radius_of_volume_ratio") ? R * R * R / (of.semi_axes.cast<Real>().squaredNorm() / 3) : R;
  };
  Real const Ri = radius_of(i.body), Rj = radius_of(j.body);
  Real radius = Ri * Rj / (Ri + Rj);
  if (with("radius_sum")) radius = Ri + Rj;
  Real const limit = in.curvature_limit;
  if (limit > 0 || with("limit_of_zero")) {
    Real K = curvature_of(i, -n, in.curvature, with);
    if (!with("curvature_of_one_body")) K += curvature_of(j, n, in.curvature, with);
    Real most = limit * radius;
    if (with("limit_capped")) most = std::min(limit, Real(1)) * radius;
    Real const unlimited = radius;
    radius = most * K > 1 ? 1 / K : most;
    if (with("limit_without_curvature")) radius = most;
    if (with("limit_always")) radius = 1 / K;
    if (with("limit_added")) radius = 1 / (1 / unlimited + limit * K);
  }
  if (with("velocity_just_over")) vn += 1e-13L * relative.norm();
  if (with("tangential_just_over")) vt += 1e-13L * relative.norm() * WideVector::Unit(0);
  if (with("point_just_over")) moved += 1e-13L * dt * velocity + 40 * 0x1p-53L * moved.cwiseAbs();
  if (with("radius_just_over")) radius *= 1 + 1e-12L;
  return {static_cast<double>(vn), vt.cast<double>(), moved.cast<double>(), static_cast<double>(radius)};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{
      .read_as_float = "i.position i.spin", .shared_by_four = "curvature", .doubled = "effective_radius"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::superquadric_kinematics::mutants
