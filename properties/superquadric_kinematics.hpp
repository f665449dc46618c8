// Regimes and laws of the kinematics at the contact point of two superquadrics.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

#include <array>

namespace demeter::superquadric_kinematics::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Part = Body<double>;
using Point = Vector3<double>;
using Turn = Quaternion<double>;
using Wide = Vector3<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

inline double exponent(Random& random, double most) {
  std::int64_t const kind = random.integer(0, 3);
  return kind == 0 ? 2 : kind == 1 ? static_cast<double>(random.integer(2, 8)) : random.uniform(2, most);
}

/// Returns a body at the origin with semi-axes from 10^low to 1 and exponents from 2 to `most`.
inline Part part(Random& random, Turn const& orientation, double low, double most) {
  double const a = random.log_uniform(low, 0), b = random.log_uniform(low, 0), c = random.log_uniform(low, 0);
  double const n1 = exponent(random, most), n2 = exponent(random, most);
  Point const velocity = cube_point(random), spin = random.chance(0.2) ? Point(Point::Zero()) : cube_point(random);
  return {Point::Zero(), orientation, {a, b, c}, n1, n2, velocity, spin};
}

/// Returns two bodies on nearly opposite sides of a point at the origin. The distance of each centre from the point is
/// 0.3 to 1.1 times the smallest semi-axis of the body. The point is then inside the body or just outside. The normal
/// is from j to i. Its length is 1 in 70 % of the cases.
inline Case about_point(Random& random, Part i, Part j) {
  Point const towards_i = unit_direction(random);
  Point const astray = cube_point(random);
  double const skew = random.chance(0.5) ? 0.1 : 1;
  Point const towards_j = of_length_1(Point(skew * astray - towards_i));
  double const reach_i = random.uniform(0.3, 1.1) * i.semi_axes.minCoeff(),
               reach_j = random.uniform(0.3, 1.1) * j.semi_axes.minCoeff();
  i.position = reach_i * towards_i;
  j.position = reach_j * towards_j;
  double const length = random.chance(0.7) ? 1 : random.log_uniform(-3, 3);
  Point const normal = length * of_length_1(Point(towards_i - towards_j));
  double const overlap = random.log_uniform(-4, -1), dt = random.log_uniform(-6, -2),
               limit = random.chance(0.2) ? 0 : random.log_uniform(-1, 2);
  return {i, j, Point::Zero(), normal, overlap, dt, limit, random.chance(0.5) ? Curvature::mean : Curvature::gaussian};
}

inline Case pair(Random& random, double low, double most) {
  Turn const p = unit_quaternion(random), q = unit_quaternion(random);
  Part const i = part(random, p, low, most), j = part(random, q, low, most);
  return about_point(random, i, j);
}
inline Case draw_typical(Random& random) { return pair(random, -0.7, 8); }
inline Case draw_blocky(Random& random) { return pair(random, -0.7, 20); }
inline Case draw_edged(Random& random) { return pair(random, -1.7, 50); }
inline Case draw_boxes(Random& random) { return pair(random, -0.7, 200); }
inline Case draw_elongated(Random& random) { return pair(random, -1.7, 8); }

inline Case draw_spheres(Random& random) {
  Case in = pair(random, -0.7, 8);
  for (Part* of : {&in.i, &in.j}) {
    of->semi_axes.setConstant(of->semi_axes[0]);
    of->n1 = of->n2 = 2;
  }
  in = about_point(random, in.i, in.j);
  // Places the point on or near both surfaces in some cases. In some cases, sets the curvature limit to 1 or nearly 1,
  // where curvatures begin to matter. Half of the time steps are negative.
  for (Part* of : {&in.i, &in.j}) {
    double const off = off_a_threshold(random);
    if (random.chance(0.3)) of->position *= (1 + off) * of->semi_axes[0] / of->position.norm();
  }
  double const off = off_a_threshold(random);
  if (random.chance(0.3)) in.curvature_limit = 1 + off;
  in.dt *= random.sign();
  return in;
}
/// Draws quaternions of any length in the domain.
inline Case draw_long_quaternions(Random& random) {
  Case in = draw_typical(random);
  for (Part* of : {&in.i, &in.j}) of->orientation *= quaternion_length(random);
  return in;
}

/// Draws bodies whose own axes are along the axes of the frame. Centres, point and normal are on one axis of the frame.
/// The point is therefore on an axis of each body.
inline Case draw_aligned(Random& random) {
  Case in = pair(random, -0.7, 8);
  for (Part* of : {&in.i, &in.j}) of->orientation = of_length_1(axis_rotation(random));
  auto const along = static_cast<Index>(random.integer(0, 2));
  double const reach_i = random.uniform(0.3, 0.95), reach_j = random.uniform(0.3, 0.95);
  in.i.position.setZero();
  in.j.position.setZero();
  in.normal.setZero();
  in.normal[along] = 1;
  in.i.position[along] = reach_i * in.i.semi_axes.minCoeff();
  in.j.position[along] = -reach_j * in.j.semi_axes.minCoeff();
  return in;
}

inline Case draw_global_scale(Random& random) {
  Case const in = draw_typical(random);
  int const metre = static_cast<int>(random.integer(-200, 200)), second = static_cast<int>(random.integer(-200, 200));
  return scaled_by(in, std::ldexp(1.0, metre), 1, std::ldexp(1.0, second));
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "exponents up to 8, aspect ratio up to 5, the point inside both bodies or just outside; sizes of 10 um to "
       "10 m",
       sized<draw_typical>},
      {"blocky", Profile::everyday, "exponents up to 20", sized<draw_blocky>},
      {"elongated", Profile::everyday, "aspect ratio up to 50", sized<draw_elongated>},
      {"spheres", Profile::degenerate,
       "two spheres, the point inside, outside or on a surface up to 1e-15 to 1e-3, positive and negative time steps",
       sized<draw_spheres>},
      {"aligned", Profile::degenerate, "bodies aligned with the frame, the point on the line of centres",
       sized<draw_aligned>},
      {"boxes", Profile::extreme, "exponents up to 200", draw_boxes},
      {"global_scale", Profile::extreme, "lengths and times times 2^-200 to 2^200", draw_global_scale},
      {"signed_zeros", Profile::degenerate, "some numbers are -0", with_negative_zeros<Contract, sized<draw_typical>>},
      {"edged", Profile::degenerate, "exponents up to 50, aspect ratio up to 50", sized<draw_edged>},
      {"long_quaternions", Profile::degenerate, "quaternions with lengths of 0.01 to 100, or nearly 1",
       sized<draw_long_quaternions>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return unusable_unless(inputs, outputs, [](Case const&) { return false; });
}
inline long double largest(Wide const& x) { return x.cwiseAbs().maxCoeff(); }

inline Wide velocity_at(Part const& of, Point const& point) {
  return wide(of.velocity) + wide(of.spin).cross(Wide(wide(point) - wide(of.position)));
}

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) {
  Case swapped = in;
  std::swap(swapped.i, swapped.j);
  for (double& each : swapped.normal) each = -each;
  inputs.push_back(swapped);
}
/// Checks the case with exchanged bodies. Does not compare the predicted point: its equations use the direction of grad
/// N_j for both gradients. Both gradients have this direction only at the contact point.
inline std::optional<double> swapped(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowance<Contract>(held, in, out);
  Wide const sum = wide(out[0].tangential_velocity) + wide(out[1].tangential_velocity);
  return worst_answered(
      {{answered(out, &Answer::normal_velocity),
        in_tolerances(std::fabs(static_cast<long double>(out[1].normal_velocity) - out[0].normal_velocity),
                      may.normal_velocity)},
       {answered(out, &Answer::tangential_velocity), in_tolerances(largest(sum), may.tangential_velocity[0])},
       {answered(out, &Answer::effective_radius),
        in_tolerances(std::fabs(static_cast<long double>(out[1].effective_radius) - out[0].effective_radius),
                      may.effective_radius)}});
}

inline void derive_overlap(Case const& in, Random& random, std::vector<Case>& inputs) {
  inputs.push_back(in);
  inputs.back().overlap *= random.uniform(-2, 2);
}

inline void derive_normal(Case const& in, Random& random, std::vector<Case>& inputs) {
  auto const power = static_cast<int>(random.integer(-20, 20));
  inputs.push_back(in);
  for (double& each : inputs.back().normal) each = std::ldexp(each, power);
}

/// Checks that vn n + vt is the relative velocity, and that vt is perpendicular to n.
inline std::optional<double> adds_up(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const n = wide(in[0].normal) / wide(in[0].normal).norm(),
             relative = velocity_at(in[0].i, in[0].point) - velocity_at(in[0].j, in[0].point),
             vt = wide(out[0].tangential_velocity);
  auto const may = allowance<Contract>(held, in[0], out[0]);
  long double const most = may.normal_velocity + 2 * may.tangential_velocity[0];
  return std::max(in_tolerances(largest(out[0].normal_velocity * n + vt - relative), most),
                  in_tolerances(std::fabs(vt.dot(n)), most));
}

/// Derives the case with a time step of zero. The point must not move.
inline void derive_no_time(Case const& in, Random&, std::vector<Case>& inputs) {
  inputs.push_back(in);
  inputs.back().dt = 0;
}
inline std::optional<double> stays(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(largest(wide(out[1].predicted_point) - wide(in[1].point)),
                       allowance<Contract>(held, in[1], out[1]).predicted_point[0]);
}

/// Derives the case in which both bodies move like one rigid body. The relative velocity is zero, and the point moves
/// with the bodies.
inline void derive_rigid(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const speed = in.i.velocity.norm();
  Case rigid = in;
  Point const spin = in.i.spin, velocity = speed * cube_point(random);
  for (Part* of : {&rigid.i, &rigid.j}) {
    of->spin = spin;
    of->velocity = velocity + spin.cross(Point(of->position - in.point));
  }
  inputs.push_back(rigid);
}
/// Checks that the relative velocity is zero. The velocity of each centre has three roundings.
inline std::optional<double> rigid_motion(std::span<Case const> in, std::span<Answer const> out,
                                          Tolerance const& held) {
  in = in.last(1), out = out.last(1);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowance<Contract>(held, in[0], out[0]);
  long double const rounded = roundings(6) * Contract::scale(in[0]).normal_velocity;  // three roundings for each
                                                                                      // velocity
  return std::max(in_tolerances(std::fabs(out[0].normal_velocity), may.normal_velocity + rounded),
                  in_tolerances(largest(wide(out[0].tangential_velocity)), may.tangential_velocity[0] + rounded));
}

/// Derives the case with a larger curvature limit. The effective radius must not decrease.
inline void derive_limit(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (!(in.curvature_limit > 0)) return;
  inputs.push_back(in);
  inputs.back().curvature_limit *= 1 + random.log_uniform(-3, 2);
}
inline std::optional<double> grows_with_limit(std::span<Case const> in, std::span<Answer const> out,
                                              Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(static_cast<long double>(out[0].effective_radius) - out[1].effective_radius,
                       allowance<Contract>(held, in, out).effective_radius);
}

/// Derives the case in which both bodies are spheres. Their radii determine the effective radius.
inline void derive_spheres(Case const& in, Random&, std::vector<Case>& inputs) {
  Case spheres = in;
  for (Part* of : {&spheres.i, &spheres.j}) {
    of->semi_axes.setConstant(of->semi_axes.maxCoeff());
    of->n1 = of->n2 = 2;
  }
  inputs.push_back(spheres);
}
inline std::optional<double> of_spheres(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  in = in.last(1), out = out.last(1);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const Ri = in[0].i.semi_axes[0], Rj = in[0].j.semi_axes[0], R = Ri * Rj / (Ri + Rj);
  long double const limit = in[0].curvature_limit, radius = limit > 0 ? std::min(limit, 1.0L) * R : R;
  return in_tolerances(std::fabs(out[0].effective_radius - radius),
                       allowance<Contract>(held, in[0], out[0]).effective_radius);
}

/// Checks that the predicted velocity satisfies its equations at the given point, in long double. The unknown mu'
/// multiplies grad N_j. Therefore the residual of the first three equations must be along grad N_j.
inline std::optional<double> keeps_touching(std::span<Case const> in, std::span<Answer const> out,
                                            Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  namespace of = conditioning;
  long double const dt = in[0].dt, may = allowance<Contract>(held, in[0], out[0]).predicted_point[0];
  if (dt == 0 || !std::isfinite(may)) return std::nullopt;
  of::Equations const exact = of::Meeting(in[0]).equations();
  Wide const velocity = (wide(out[0].predicted_point) - wide(in[0].point)) / dt, along = exact.column.normalized();
  Wide left = exact.H * velocity - exact.right;
  left -= left.dot(along) * along;
  long double const last = exact.row.dot(velocity) - exact.last, most = 2 * exact.A().norm() * may / std::fabs(dt);
  return std::max(in_tolerances(left.norm(), most), in_tolerances(std::fabs(last), most));
}

/// Derives the case without a curvature limit.
inline void derive_unlimited(Case const& in, Random&, std::vector<Case>& inputs) {
  inputs.push_back(in);
  inputs.back().curvature_limit = 0;
}
/// Checks the effective radius without a limit. It follows from the volumes V = 8abc G(1+e2)^2 / G(1+2 e2) G(1+e1)
/// G(1+2 e1) / G(1+3 e1). Computed in long double.
inline std::optional<double> of_volumes(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  in = in.last(1), out = out.last(1);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const radius = [](Part const& part) {
    long double const e1 = 1 / static_cast<long double>(part.n1), e2 = 1 / static_cast<long double>(part.n2);
    auto const G = [](long double x) { return std::tgamma(1 + x); };
    constexpr long double six_over_pi = 1.90985931710274402922660516047L;
    long double result = std::cbrt(six_over_pi * G(e2) * G(e2) / G(2 * e2) * G(e1) * G(2 * e1) / G(3 * e1));
    for (double const a : part.semi_axes) result *= std::cbrt(static_cast<long double>(a));
    return result;
  };
  long double const Ri = radius(in[0].i), Rj = radius(in[0].j);
  return in_tolerances(std::fabs(out[0].effective_radius - Ri * Rj / (Ri + Rj)),
                       allowance<Contract>(held, in[0], out[0]).effective_radius);
}
/// Checks that the effective radius is min(kappa R, 1 / K). R is the effective radius without a limit, and K is the sum
/// of the curvatures.
inline std::optional<double> of_curvatures(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const kappa = in[0].curvature_limit;
  if (!(kappa > 0)) return std::nullopt;
  namespace of = conditioning;
  Wide const n = wide(in[0].normal) / wide(in[0].normal).norm();
  long double K = 0;
  for (bool const first : {true, false}) {
    Part const& part = first ? in[0].i : in[0].j;
    of::WideMatrix const R = of::rotation(part.orientation);
    Wide const y = R.transpose() * (wide(in[0].point) - wide(part.position));
    of::Limit const one = of::limit(part, y, R.transpose() * (first ? Wide(-n) : n), in[0].curvature);
    if (!std::isfinite(one.error)) return std::nullopt;
    K += one.K;
  }
  long double const R = out[1].effective_radius, most = kappa * R, expected = most * K > 1 ? 1 / K : most;
  return in_tolerances(std::fabs(out[0].effective_radius - expected),
                       allowance<Contract>(held, in[0], out[0]).effective_radius +
                           kappa * allowance<Contract>(held, in[1], out[1]).effective_radius);
}

inline std::vector<std::string_view> all() {
  return {"normal_velocity", "tangential_velocity", "predicted_point", "effective_radius"};
}

struct Invariant {
  using Contract = superquadric_kinematics::Contract;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  /// Returns the magnitudes of the outputs. If an output is not judged, the contract's scale is infinite. A typical
  /// magnitude then replaces this scale.
  static Output<long double> sizes(Case const& in) {
    Output<long double> size = Contract::scale(in);
    long double const moved =
        wide(in.point).cwiseAbs().maxCoeff() + std::fabs(static_cast<long double>(in.dt)) * size.normal_velocity;
    for (long double& each : size.predicted_point)
      if (std::isinf(each)) each = moved;
    if (std::isinf(size.effective_radius)) size.effective_radius = in.i.semi_axes.minCoeff();
    return size;
  }
  /// Returns whether all numbers except quaternions are 0 or between 2^-700 and 2^700.
  static bool stays_normal(Case const& in) {
    bool fine = true;
    for_each_quantity(in, [&](auto const& quantity, auto const& field) {
      if (field.kind == Kind::quaternion) return;
      for_each_number(quantity, [&](double x) { fine = fine && (x == 0 || std::abs(std::ilogb(x)) < 700); });
    });
    return fine;
  }
  /// Returns whether the kernel has this symmetry. Only mirrors and half turns are symmetries. A body's own axes must
  /// keep their order, because the exponents distinguish them.
  static bool turns(Case const&, CubeMotion const& motion) { return motion.from == std::array<Index, 3>{0, 1, 2}; }
};
using Shared = Invariances<Invariant>;

using Rule = Law<Case, Answer>;

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list{
      {.name = "swap",
       .doc = "exchanging the bodies and turning the normal round turns the tangential velocity round, and leaves the "
              "rest",
       .tolerance = "both budgets",
       .compares = {"normal_velocity", "tangential_velocity", "effective_radius"},
       .derive = derive_swap,
       .violation = swapped},
      {.name = "overlap",
       .doc = "the overlap does not change any bit of the answer",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_overlap,
       .violation = Shared::equal},
      {.name = "normal_scaling",
       .doc = "2^k times the normal gives the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_normal,
       .violation = Shared::equal},
      {.name = "sum",
       .doc = "the normal and tangential velocities add up to the velocity of i relative to j",
       .tolerance = "both budgets",
       .uses = {"normal_velocity", "tangential_velocity"},
       .violation = adds_up},
      {.name = "no_time",
       .doc = "if the time step is 0, the point does not move",
       .tolerance = "its budget",
       .uses = {"predicted_point"},
       .derive = derive_no_time,
       .violation = stays},
      {.name = "rigid",
       .doc = "if both bodies move as one rigid body, the velocities are 0",
       .tolerance = "both budgets + the rounding of the velocities",
       .uses = {"normal_velocity", "tangential_velocity"},
       .derive = derive_rigid,
       .violation = rigid_motion},
      {.name = "limit",
       .doc = "the effective radius does not decrease if the limit grows",
       .tolerance = "both budgets",
       .uses = {"effective_radius"},
       .derive = derive_limit,
       .violation = grows_with_limit},
      {.name = "spheres",
       .doc = "for two spheres, the effective radius is R_i R_j / (R_i + R_j), times the limit if the limit is less "
              "than 1",
       .tolerance = "its budget",
       .uses = {"effective_radius"},
       .derive = derive_spheres,
       .violation = of_spheres},
      {.name = "prediction",
       .doc = "with the predicted velocity, gradients stay opposite and gauges equal, to first order",
       .tolerance = "the budget of the point over dt, times the norm of the equations",
       .uses = {"predicted_point"},
       .violation = keeps_touching},
      {.name = "volumes",
       .doc = "without a limit, the effective radius is that of the volumes, by gamma functions",
       .tolerance = "its budget",
       .uses = {"effective_radius"},
       .derive = derive_unlimited,
       .violation = of_volumes},
      {.name = "curvatures",
       .doc = "with a limit kappa it is kappa times the one without, or the inverse of the curvatures' sum if that is "
              "less",
       .tolerance = "both budgets",
       .uses = {"effective_radius"},
       .derive = derive_unlimited,
       .violation = of_curvatures},
      Shared::translation(),
      Shared::axis_permutation(),
      Shared::scaling(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_kinematics::properties
