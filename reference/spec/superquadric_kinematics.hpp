// Contract of superquadric_kinematics: velocities at the contact point of two superquadrics, the predicted contact
// point, and the radius of an equivalent sphere.
#pragma once

#include "reference/spec/family/superquadric_jet.hpp"

#include <optional>
#include <utility>

namespace demeter::superquadric_kinematics {

/// The curvature that limits the effective radius: the mean of the two principal curvatures, or the square root of
/// their product.
enum class Curvature { mean, gaussian };
constexpr std::array<std::string_view, 2> labels(Curvature) { return {"mean", "gaussian"}; }

/// A `Superquadric` with velocity and spin.
template <class Scalar>
struct Body {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Vector3<Scalar> semi_axes;
  Scalar n1, n2;
  Vector3<Scalar> velocity, spin;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("position", &Body::position, unit::metre, Kind::position, "centre, global frame"),
            field("orientation", &Body::orientation, unit::none, Kind::quaternion,
                  "quaternion w, x, y, z that turns the body's frame into the global one; of any length but 0"),
            field("semi_axes", &Body::semi_axes, unit::metre, "a, b, c along the body's own x, y, z, each > 0"),
            field("n1", &Body::n1, unit::none, "exponent between z and the x, y plane, 2 to 200"),
            field("n2", &Body::n2, unit::none, "exponent in the x, y plane, 2 to 200"),
        },
        std::tuple{
            field("velocity", &Body::velocity, unit::velocity, Kind::vector, "of the centre, global frame"),
            field("spin", &Body::spin, unit::spin, Kind::axial, "angular velocity, global frame"),
        });
  }
};

/// Two moving superquadrics and their contact, in the global frame. Domain: the domain of superquadric_box_test with
/// these limits: semi-axes of 1e-75 to 1e75; ratios of semi-axes, and of the point's distances from the centres to
/// semi-axes, of at most 1e6; normal not zero; curvature_limit >= 0.
template <class Scalar>
struct Input {
  Body<Scalar> i, j;
  Vector3<Scalar> point, normal;
  Scalar overlap, dt, curvature_limit;
  Curvature curvature;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Input::i, unit::none, "one body"),
        field("j", &Input::j, unit::none, "the other"),
        field("point", &Input::point, unit::metre, Kind::position, "contact point, global frame; not a centre"),
        field("normal", &Input::normal, unit::none, Kind::vector,
              "from j to i, global frame; of any length but 0, by which it is divided"),
        field("overlap", &Input::overlap, unit::metre, "> 0 where the bodies overlap; no right answer depends on it"),
        field("dt", &Input::dt, unit::second, "time step of the prediction; < 0 goes back in time"),
        field("curvature_limit", &Input::curvature_limit, unit::none, "kappa, >= 0; 0 is no limit"),
        field("curvature", &Input::curvature, unit::none, "which curvature limits the effective radius"),
    };
  }
};

/// Velocity of i relative to j at the point in m/s, the predicted point, and the effective radius in m.
template <class Scalar>
struct Output {
  Scalar normal_velocity;
  Vector3<Scalar> tangential_velocity, predicted_point;
  Scalar effective_radius;

  static constexpr auto fields() {
    return std::tuple{
        field("normal_velocity", &Output::normal_velocity, unit::velocity,
              "velocity of i relative to j at the point, along the normal: < 0 is approach"),
        field("tangential_velocity", &Output::tangential_velocity, unit::velocity, Kind::vector,
              "the rest of that velocity"),
        field("predicted_point", &Output::predicted_point, unit::metre, Kind::position,
              "the point moved for dt along the tangent of the path of the contact point"),
        field("effective_radius", &Output::effective_radius, unit::metre,
              "of the volume-equivalent spheres, or if less and limited the inverse of the sum of the curvatures"),
    };
  }
};

/// The quantities that determine the errors in binary64, in long double.
namespace conditioning {

using namespace superquadric::conditioning;

/// Returns a curvature of the surface in 1/m: the mean curvature, or the square root of the Gaussian curvature. `at`
/// has the gauge N and its derivatives at a point y. The result is the curvature at the surface point y / N.
inline Real curvature(Jet const& at, Curvature which) {
  Real const gg = at.g.squaredNorm();
  if (which == Curvature::mean) return at.N * (gg * at.H.trace() - at.g.dot(at.H * at.g)) / (2 * gg * std::sqrt(gg));
  WideMatrix cofactors;
  for (Index k = 0; k < 3; ++k) cofactors.col(k) = at.H.col((k + 1) % 3).cross(at.H.col((k + 2) % 3));
  return at.N * std::sqrt(std::max<Real>(at.g.dot(cofactors.transpose() * at.g), 0)) / gg;
}

/// Calls use(y') for the six points y' that differ from y by +-`step` along one axis.
template <class Use>
void nearby(WideVector const& y, Real step, Use const& use) {
  for (Index k = 0; k < 3; ++k)
    for (Real const sign : {-1, 1}) {
      WideVector moved = y;
      moved[k] += sign * step;
      use(moved);
    }
}

/// Rounding error of a point in the frame of a body, divided by the distance of the point from the centre.
inline constexpr Real steps = 8 * unit_roundoff;

/// Returns the parameter at which a ray from a point y inside leaves the body. Newton's method starts beyond the exit.
/// N is convex, so the parameter decreases until rounding stops it.
inline Real exit_parameter(Body<double> const& of, WideVector const& y, WideVector const& direction) {
  Real s = (1 + own_jet(of, y).N) / own_jet(of, direction).N;
  for (int step = 0; step < 500; ++step) {
    Jet const at = own_jet(of, y + s * direction);
    Real const next = s - (at.N - 1) / at.g.dot(direction);
    if (!(next < s)) break;
    s = next;
  }
  return s;
}

/// A curvature and its rounding error, in units of u.
struct Limit {
  Real K, error;
};
/// Returns the curvature at the point where the ray from y leaves the body, and its error. If y is not inside, returns
/// the curvature for y itself.
inline Limit limit(Body<double> const& of, WideVector const& y, WideVector const& direction, Curvature which) {
  WideVector exit = y;
  Real slope = 1;  // cosine of the angle between ray and normal
  if (own_jet(of, y).N < 1) {
    exit = y + exit_parameter(of, y, direction) * direction;
    Jet const at = own_jet(of, exit);
    slope = at.g.dot(direction) / at.g.norm();
  }
  Jet const at = own_jet(of, exit);
  Limit result{curvature(at, which), 0};
  result.error = (of.n1 + of.n2) * result.K;
  Real const step = steps * (y.norm() + exit.norm()) * (1 + 1 / slope);
  nearby(exit, step, [&](WideVector const& moved) {
    result.error += std::fabs(curvature(own_jet(of, moved), which) - result.K) / static_cast<Real>(unit_roundoff);
  });
  if (of.n1 <= 2 && of.n2 > 2 && at.rho < 0x1p-20L) result.error = std::numeric_limits<Real>::infinity();
  return result;
}

/// The equations of the prediction, scaled so that |grad N_i| = 1. The matrix is (H, column; row^T, 0), the unknowns
/// are (x', mu'), and the right-hand side is (right, last).
struct Equations {
  WideMatrix H;
  WideVector column, row, right;
  Real last;

  Matrix<Real, 4, 4> A() const {
    Matrix<Real, 4, 4> result;
    for (Index k = 0; k < 3; ++k) {
      for (Index l = 0; l < 3; ++l) result(k, l) = H(k, l);
      result(k, 3) = column[k], result(3, k) = row[k];
    }
    result(3, 3) = 0;
    return result;
  }
  Vector<Real, 4> b() const { return {right[0], right[1], right[2], last}; }
};
/// Returns the inverse by Gauss-Jordan elimination, or nullopt if a pivot is 0.
inline std::optional<Matrix<Real, 4, 4>> inverse(Matrix<Real, 4, 4> A) {
  Matrix<Real, 4, 4> result = Matrix<Real, 4, 4>::Identity();
  for (Index k = 0; k < 4; ++k) {
    Index pivot = k;
    for (Index row = k + 1; row < 4; ++row)
      if (std::fabs(A(row, k)) > std::fabs(A(pivot, k))) pivot = row;
    Real const by = A(pivot, k);
    if (!(std::fabs(by) > 0)) return std::nullopt;
    for (Index column = 0; column < 4; ++column) {
      std::swap(A(k, column), A(pivot, column)), std::swap(result(k, column), result(pivot, column));
      A(k, column) /= by, result(k, column) /= by;
    }
    for (Index row = 0; row < 4; ++row) {
      Real const factor = A(row, k);
      for (Index column = 0; row != k && column < 4; ++column)
        A(row, column) -= factor * A(k, column), result(row, column) -= factor * result(k, column);
    }
  }
  return result;
}
struct Moving {
  WideMatrix R;
  WideVector w, spin;
};
inline Equations equations(Jet const& i, Moving const& of_i, Jet const& j, Moving const& of_j, Real unit) {
  Real const mu = i.g.norm() / j.g.norm();
  WideVector const gi = unit * (of_i.R * i.g), gj = unit * (of_j.R * j.g);
  WideMatrix const Hi = unit * unit * (of_i.R * i.H * of_i.R.transpose()),
                   Hj = unit * unit * (of_j.R * j.H * of_j.R.transpose());
  return {Hi + mu * Hj, mu * gj, gi - gj,
          Hi * of_i.w - unit * of_i.spin.cross(gi) + mu * (Hj * of_j.w - unit * of_j.spin.cross(gj)),
          gi.dot(of_i.w) - gj.dot(of_j.w)};
}

/// The quantities of both bodies at the contact point, in long double.
struct Meeting {
  WideVector y[2], arm[2];
  Moving of[2];
  Jet at[2];
  Real unit;  ///< 1 / |grad N_i|

  explicit Meeting(Input<double> const& in) {
    for (std::size_t k = 0; k < 2; ++k) {
      Body<double> const& body = k == 0 ? in.i : in.j;
      arm[k] = in.point.cast<Real>() - body.position.cast<Real>();
      of[k] = {rotation(body.orientation), WideVector::Zero(), body.spin.cast<Real>()};
      of[k].w = body.velocity.cast<Real>() + of[k].spin.cross(arm[k]);
      y[k] = of[k].R.transpose() * arm[k];
      at[k] = own_jet(body, y[k]);
    }
    unit = 1 / at[0].g.norm();
  }
  Equations equations() const { return conditioning::equations(at[0], of[0], at[1], of[1], unit); }
};

/// Returns the rounding error of the predicted velocity of the point, in units of u. Infinite if the condition of the
/// equations exceeds 1e8.
inline Real prediction(Input<double> const& in) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity(), u = unit_roundoff;
  Meeting const here(in);
  Body<double> const* const body[2] = {&in.i, &in.j};
  for (std::size_t k = 0; k < 2; ++k)
    if (body[k]->n1 <= 2 && body[k]->n2 > 2 && here.at[k].rho < 0x1p-20L) return infinity;
  Real const unit = here.unit, n = in.i.n1 + in.i.n2 + in.j.n1 + in.j.n2;
  Equations const exact = here.equations();
  auto const inverted = inverse(exact.A());
  if (!inverted || !(inverted->norm() * exact.A().norm() <= 1e8L)) return infinity;
  Vector<Real, 4> const solution = *inverted * exact.b();
  Real of_A = n * exact.A().norm(), of_b = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    Jet const& at = here.at[k];
    Real const mu = k == 0 ? 1 : here.at[0].g.norm() / here.at[1].g.norm(), turning = here.of[k].spin.norm(),
               speed = body[k]->velocity.cast<Real>().norm() + turning * here.arm[k].norm();
    of_b += n * mu * unit * ((unit * at.H.norm() + at.g.norm()) * speed + unit * turning * at.g.norm());
    nearby(here.y[k], steps * here.y[k].norm(), [&](WideVector const& moved) {
      Meeting other = here;
      other.at[k] = own_jet(*body[k], moved);
      Equations const off = other.equations();
      of_A += (off.A() - exact.A()).norm() / u;
      of_b += (off.b() - exact.b()).norm() / u;
    });
  }
  return inverted->norm() * (of_A * solution.norm() + of_b);
}

}  // namespace conditioning

struct Contract {
  template <class Scalar>
  using Input = superquadric_kinematics::Input<Scalar>;
  template <class Scalar>
  using Output = superquadric_kinematics::Output<Scalar>;

  static constexpr std::string_view name = "superquadric_kinematics";
  static constexpr std::string_view summary =
      "relative velocity at the contact of two superquadrics, its predicted place, and the pair's effective radius";
  static constexpr std::string_view conventions =
      "The normal points from j to i, and the relative velocity is that of i less that of j: approach is negative. "
      "Spins are in the global frame. Curvatures are those of the surfaces where the line through the point along the "
      "normal leaves each body (i against the normal, j along it), or, of a body that does not contain the point, "
      "where "
      "the ray from its centre through the point does; the Gaussian one counts by its root. overlap is asked for "
      "because a printed formula uses it.";
  static constexpr std::string_view source =
      "Open DEM Japan, 2025, Superquadric Surface Model, equations (3) to (9) (what is printed); "
      "docs/mathematics/superquadrics.md#superquadric_kinematics";
  static constexpr Certainty certainty = bounded;
  /// Largest allowed ratio of two lengths. At larger ratios, the derivatives no longer describe the conditioning of the
  /// prediction.
  static constexpr double largest_ratio = 1e6;
  static constexpr std::array budgets{
      Budget{"normal_velocity", Measure::scale, 16},
      Budget{"tangential_velocity", Measure::scale, 16},
      Budget{"predicted_point", Measure::scale, 16},
      Budget{"effective_radius", Measure::scale, 16},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    auto const size = [](Scalar const& x) { return x < Scalar(0) ? Scalar(-x) : x; };
    for (bool const first : {true, false}) {
      std::string const path = first ? "i." : "j.";
      Body<Scalar> const& body = first ? in.i : in.j;
      if (auto wrong = superquadric_error(path, body)) return wrong;
      for (Index k = 0; k < 3; ++k)
        if (!(body.semi_axes[k] >= Scalar(1e-75) && body.semi_axes[k] <= Scalar(1e75)))
          return DomainError{path + "semi_axes[" + std::to_string(k) + "]",
                             "1e-75 to 1e75: powers of it leave the range"};
    }
    Scalar least = in.i.semi_axes.minCoeff(), most = in.i.semi_axes.maxCoeff();
    if (in.j.semi_axes.minCoeff() < least) least = in.j.semi_axes.minCoeff();
    if (most < in.j.semi_axes.maxCoeff()) most = in.j.semi_axes.maxCoeff();
    Scalar const widest(largest_ratio);
    if (!(most <= widest * least))
      return DomainError{"j.semi_axes", "no semi-axis of either body more than 1e6 times another"};
    for (bool const first : {true, false}) {
      Body<Scalar> const& body = first ? in.i : in.j;
      Scalar far(0);
      for (Index k = 0; k < 3; ++k) {
        Scalar const x = size(in.point[k] - body.position[k]);
        if (far < x) far = x;
      }
      if (!(far * widest >= least && far <= widest * most))
        return DomainError{"point",
                           "from a millionth of the least to a million times the largest semi-axis from each "
                           "centre"};
    }
    Scalar longest(0);
    for (Index k = 0; k < 3; ++k)
      if (longest < size(in.normal[k])) longest = size(in.normal[k]);
    if (!(longest > Scalar(0))) return DomainError{"normal", "a vector that is not zero"};
    if (!(in.curvature_limit >= Scalar(0))) return DomainError{"curvature_limit", ">= 0"};
    return std::nullopt;
  }

  /// Returns the scales. Velocities: the sum of the magnitudes of the terms. Predicted point: its coordinates, and dt
  /// times the error of its velocity. Effective radius: the radius, and its change when the exit points are rounded.
  static Output<long double> scale(Input<double> const& in) {
    using namespace conditioning;
    WideVector const x = in.point.cast<Real>();
    Real speed = 0, K = 0, error = 0, radius = 0;
    WideVector const n = in.normal.cast<Real>() / in.normal.cast<Real>().norm();
    for (bool const first : {true, false}) {
      Body<double> const& body = first ? in.i : in.j;
      WideVector const arm = x - body.position.cast<Real>();
      speed += body.velocity.cast<Real>().norm() + body.spin.cast<Real>().norm() * arm.norm();
      if (!(in.curvature_limit > 0)) continue;
      WideMatrix const R = rotation(body.orientation);
      Limit const one = limit(body, R.transpose() * arm, R.transpose() * (first ? WideVector(-n) : n), in.curvature);
      K += one.K;
      error += one.error;
    }
    auto const cube_root = [](Vector3<double> const& a) { return std::cbrt(a.cast<Real>().prod()); };
    Real const Ri = cube_root(in.i.semi_axes), Rj = cube_root(in.j.semi_axes);
    radius = 1.25L * Ri * Rj / (Ri + Rj);  // volume-equivalent radii, correct to within a quarter
    if (in.curvature_limit > 0) {
      Real const most = in.curvature_limit * radius, step = 32 * static_cast<Real>(unit_roundoff) * error;
      auto const of = [&](Real k) { return most * k > 1 ? 1 / k : most; };
      radius = of(K) + (of(std::max<Real>(K - step, 0)) - of(K + step)) / (32 * static_cast<Real>(unit_roundoff));
    }
    Real const moved = x.cwiseAbs().maxCoeff() + std::fabs(static_cast<Real>(in.dt)) * prediction(in);
    return {speed, WideVector::Constant(speed), WideVector::Constant(moved), radius};
  }
};

}  // namespace demeter::superquadric_kinematics
