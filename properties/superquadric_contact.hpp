// Regimes and laws of the contact of two superquadrics.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/superquadric.hpp"
#include "reference/spec/family/symmetric_equations.hpp"
#include "reference/spec/superquadric_contact.hpp"

#include <array>
#include <functional>

namespace demeter::superquadric_contact::properties {

using Case = Input<double>;
using Answer = Output<double>;
using namespace superquadric::pairs;
using Wide = Vector3<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Draws cases with a previous point, from which a solver may start. This point is near the contact or anywhere.
inline Case draw_warm(Random& random) {
  Case in = draw_typical<Case>(random);
  double const off = random.chance(0.5) ? 0.01 : 1;
  Point const aside = off * cube_point(random);
  Point start;
  double const share = least_axis(in.i) / (least_axis(in.i) + least_axis(in.j));
  for (Index k = 0; k < 3; ++k) start[k] = share * in.j.position[k] + aside[k];
  in.previous = start;
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static auto const list = regimes_with<Contract>(
      {{"warm", Profile::everyday, "with a previous point, near the contact or far from it", sized<draw_warm>}}, {});
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

/// Returns the conditioning at the answered point. It is computed from the case and the answer, without the truth.
/// Returns nothing if laws do not apply: there is no normal, or the condition is above 1e4.
inline std::optional<Conditioning> conditioned(Case const& in, Answer const& out) {
  if (!out.normal || !out.point.allFinite()) return std::nullopt;
  Conditioning const of = conditioning(in, wide(out.point));
  if (!(of.condition <= 1e4L)) return std::nullopt;
  return of;
}
/// Returns the tolerances of the outputs of an answer: the contract's budgets times the oracle's scales at the answered
/// point.
inline Output<long double> tolerances(Tolerance const& held, Answer const& out, Conditioning const& of) {
  long double const sigma = out.sigma, coordinate = wide(out.point).cwiseAbs().maxCoeff();
  Output<long double> size;
  size.sigma = allowance<Contract>(held, "sigma", sigma);
  long double const point = allowance<Contract>(held, "point", of.curvature + of.reach * (1 + of.mixing) + coordinate),
                    normal = allowance<Contract>(held, "normal", 1 + of.condition + of.turning),
                    overlap = (1 + sigma) * (of.height_i + of.height_j) +
                              std::fabs(1 - sigma) / sigma * of.reach * (1 + of.turning);
  size.point = Wide::Constant(point);
  size.normal = Wide::Constant(normal);
  size.overlap_b = allowance<Contract>(held, "overlap_b", overlap);
  size.overlap_n = allowance<Contract>(held, "overlap_n", overlap);
  size.overlap_phi = allowance<Contract>(held, "overlap_phi", overlap);
  size.status = Status::far;
  return size;
}

/// Returns the difference of two values of sigma, divided by the sum of both budgets.
inline double sigmas_apart(Tolerance const& held, double a, double b) {
  return in_tolerances(std::fabs(static_cast<long double>(a) - b),
                       allowance<Contract>(held, "sigma", a) + allowance<Contract>(held, "sigma", b));
}

inline bool finite_numbers(Answer const& out) { return std::isfinite(out.sigma) && out.point.allFinite(); }

/// The gauges of both bodies at one point, in long double.
struct Gauges {
  detail::WideGauge i, j;
};
inline Gauges gauges(Case const& in, Wide const& x) {
  return {detail::wide_gauge(in.i, x), detail::wide_gauge(in.j, x)};
}

/// Returns the allowed error of a gauge. It has two parts: one from the budget of the point and the rounding of its
/// coordinates, one from the budget of sigma.
inline long double gauge_slack(Tolerance const& held, Answer const& out, detail::WideGauge const& of) {
  long double const coordinate = wide(out.point).cwiseAbs().maxCoeff();
  return of.g.norm() * allowance<Contract>(held, "point", of.reach + coordinate) +
         allowance<Contract>(held, "sigma", of.N);
}

inline std::optional<double> attained(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!finite_numbers(out)) return infinite;
  if (in.i.position == in.j.position) return std::nullopt;
  Gauges const at = gauges(in, wide(out.point));
  return std::max(in_tolerances(std::fabs(at.i.N - out.sigma), gauge_slack(held, out, at.i)),
                  in_tolerances(std::fabs(at.j.N - out.sigma), gauge_slack(held, out, at.j)));
}

/// Checks that both gradients are along the normal, with opposite directions.
inline std::optional<double> opposite(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!finite_numbers(out)) return infinite;
  auto const of = conditioned(in, out);
  if (!of) return std::nullopt;
  Gauges const at = gauges(in, wide(out.point));
  Wide const n = wide(*out.normal);
  Output<long double> const may = tolerances(held, out, *of);
  // An error of the point rotates each gradient, in proportion to the curvature of its body.
  auto const off = [&](detail::WideGauge const& body, long double sign) {
    Wide const g = body.g / body.g.norm();
    long double const bent = body.H.norm() / body.g.norm() * may.point[0];
    long double const allowed = (*may.normal)[0] + bent;
    return in_tolerances((g - sign * n).norm(), allowed);
  };
  return std::max(off(at.i, -1), off(at.j, 1));
}

inline std::optional<double> unit_normal(std::span<Case const>, std::span<Answer const> outputs,
                                         Tolerance const& held) {
  if (!outputs[0].normal) return std::nullopt;
  // The tolerance covers the roundings of three squares, their sum, a root and a quotient.
  return in_tolerances(std::fabs(wide(*outputs[0].normal).norm() - 1), roundings_or_held<Contract>(held, "normal", 4));
}

/// Checks that normal and overlaps are null if and only if the centres are equal. If the centres are equal, sigma must
/// be 0 and the point must be the centre.
inline std::optional<double> null_if_concentric(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                Tolerance const&) {
  bool const equal = inputs[0].i.position == inputs[0].j.position;
  Answer const& out = outputs[0];
  auto const wrong = [&](auto const& output) { return output.has_value() == equal; };
  if (wrong(out.normal) || wrong(out.overlap_b) || wrong(out.overlap_n) || wrong(out.overlap_phi)) return infinite;
  if (equal && (out.sigma != 0 || out.point != inputs[0].i.position)) return infinite;
  return equal == (out.sigma == 0) ? 0 : infinite;
}

/// Checks the status: `concentric` if and only if the centres are equal, otherwise `intersect` if sigma < 1, otherwise
/// `close` or `far`.
inline std::optional<double> status_and_sigma(std::span<Case const> inputs, std::span<Answer const> outputs,
                                              Tolerance const& held) {
  Answer const& out = outputs[0];
  if (std::isnan(out.sigma)) return infinite;
  bool const equal = inputs[0].i.position == inputs[0].j.position;
  if ((out.status == Status::concentric) != equal) return infinite;
  if (out.status == Status::degenerate) return infinite;
  if (equal) return 0;
  bool const inside = out.sigma < 1;
  if (!held.to_the_bit && std::fabs(out.sigma - 1) <= allowance<Contract>(held, "sigma", 1)) return 0;
  return (out.status == Status::intersect) == inside ? 0 : infinite;
}

/// Checks that 0 <= b <= c_N <= c_Phi, and that b is 0 if the bodies are separated.
inline std::optional<double> ordered_overlaps(std::span<Case const> inputs, std::span<Answer const> outputs,
                                              Tolerance const& held) {
  Answer const& out = outputs[0];
  if (!out.overlap_b || !out.overlap_n || !out.overlap_phi) return std::nullopt;
  Gauges const at = gauges(inputs[0], wide(out.point));
  long double const heights = 1 / at.i.g.norm() + 1 / at.j.g.norm();
  long double const of_b = allowance<Contract>(held, "overlap_b", 2 * heights);
  double const below = in_tolerances(-static_cast<long double>(*out.overlap_b), of_b);
  if (out.sigma >= 1) return std::max(below, in_tolerances(static_cast<long double>(*out.overlap_b), of_b));
  if (std::isinf(*out.overlap_phi)) return below;
  long double const allowed = of_b + allowance<Contract>(held, "overlap_n", 2 * heights) +
                              allowance<Contract>(held, "overlap_phi", 2 * heights + std::fabs(*out.overlap_phi));
  return std::max({below, in_tolerances(static_cast<long double>(*out.overlap_b) - *out.overlap_n, allowed),
                   in_tolerances(static_cast<long double>(*out.overlap_n) - *out.overlap_phi, allowed)});
}

/// Checks overlap_n (c_N) against sigma and the gradients at the answered point.
inline std::optional<double> overlaps_of_gradients(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                   Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!out.overlap_n || !finite_numbers(out) || !(out.sigma > 0)) return std::nullopt;
  auto const of = conditioned(in, out);
  if (!of) return std::nullopt;
  Output<long double> const may = tolerances(held, out, *of);
  long double const expected = (1 - static_cast<long double>(out.sigma)) * (of->height_i + of->height_j);
  Gauges const at = gauges(in, wide(out.point));
  long double const moved =
      (at.i.H.norm() * of->height_i * of->height_i + at.j.H.norm() * of->height_j * of->height_j) *
      std::fabs(1 - static_cast<long double>(out.sigma)) * may.point[0];
  return in_tolerances(std::fabs(expected - *out.overlap_n), *may.overlap_n + moved);
}

/// Checks overlap_phi (c_Phi) against sigma and the gradients at the answered point.
inline std::optional<double> phi_of_gradients(std::span<Case const> inputs, std::span<Answer const> outputs,
                                              Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!out.overlap_phi || !finite_numbers(out) || !(out.sigma > 0) || std::isinf(*out.overlap_phi)) return std::nullopt;
  auto const of = conditioned(in, out);
  if (!of) return std::nullopt;
  Gauges const at = gauges(in, wide(out.point));
  long double const sigma = out.sigma, point = tolerances(held, out, *of).point[0];
  long double expected = 0, size = 0, moved = 0;
  auto const add = [&](double n, long double height, detail::WideGauge const& body) {
    long double const less = std::pow(sigma, 1 - static_cast<long double>(n)), part = (less - sigma) / n;
    expected += part * height;
    size += ((n - 1) * less + sigma) / n * height + std::fabs(part) * of->reach / sigma * (1 + of->turning);
    moved += std::fabs(part) * body.H.norm() * height * height * point;
  };
  add(in.i.n1, of->height_i, at.i);
  add(in.j.n1, of->height_j, at.j);
  return in_tolerances(std::fabs(expected - *out.overlap_phi), allowance<Contract>(held, "overlap_phi", size) + moved);
}

/// Checks that the status is `far` if and only if the boxes are separated. Examines the 15 separating axes in long
/// double. Cross products of nearly parallel axes lose digits. Therefore boxes within 1e-4 of touching are not judged.
inline std::optional<double> far_by_boxes(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          Tolerance const&) {
  using Matrix = Matrix3<long double>;
  Case const& in = inputs[0];
  if (in.i.position == in.j.position) return std::nullopt;
  auto const axes = [](Body const& body) -> Matrix {
    Quaternion<long double> q = body.orientation.cast<long double>();
    q /= q.cwiseAbs().maxCoeff();
    return matrix_of(q) / q.squaredNorm();
  };
  Matrix const I = axes(in.i), J = axes(in.j);
  Wide const d = wide(in.j.position) - wide(in.i.position);
  long double growth = 0;
  auto const consider = [&](Wide const& axis) {
    long double reach_ = 0;
    for (Index k = 0; k < 3; ++k)
      reach_ += in.i.semi_axes[k] * std::fabs(axis.dot(I.col(k))) + in.j.semi_axes[k] * std::fabs(axis.dot(J.col(k)));
    if (reach_ > 0) growth = std::max(growth, std::fabs(axis.dot(d)) / reach_);
  };
  for (Index k = 0; k < 3; ++k) {
    consider(I.col(k));
    consider(J.col(k));
    for (Index l = 0; l < 3; ++l) consider(Wide(I.col(k)).cross(Wide(J.col(l))));
  }
  if (std::fabs(growth - 1) < 1e-4L) return std::nullopt;
  return (outputs[0].status == Status::far) == (growth > 1) ? 0 : infinite;
}

// ------------------------------------------------------------------------------------------------- two cases and more

/// Compares the last two answers. `point` and `normal` are functions. They return the point and the normal that are
/// expected in the second answer from those of the first answer.
inline std::optional<double> compared(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held, auto&& point, auto&& normal) {
  inputs = inputs.last(2), outputs = outputs.last(2);
  Answer const &a = outputs[0], &b = outputs[1];
  if (!finite_numbers(a) || !finite_numbers(b)) return infinite;
  if (a.normal.has_value() != b.normal.has_value()) return infinite;
  double worst = sigmas_apart(held, a.sigma, b.sigma);
  auto const of_a = conditioned(inputs[0], a), of_b = conditioned(inputs[1], b);
  if (!of_a || !of_b) return worst;
  Output<long double> const may_a = tolerances(held, a, *of_a), may_b = tolerances(held, b, *of_b);
  worst = std::max(worst, worst_component(Wide(point(wide(a.point)) - wide(b.point)), Wide(may_a.point + may_b.point)));
  worst = std::max(
      worst, worst_component(Wide(normal(wide(*a.normal)) - wide(*b.normal)), Wide(*may_a.normal + *may_b.normal)));
  auto const overlap = [&](std::optional<double> const& x, std::optional<double> const& y,
                           std::optional<long double> const& p, std::optional<long double> const& q) {
    if (x && y && std::isfinite(*x) && std::isfinite(*y))
      worst = std::max(worst, in_tolerances(std::fabs(static_cast<long double>(*x) - *y), *p + *q));
  };
  overlap(a.overlap_b, b.overlap_b, may_a.overlap_b, may_b.overlap_b);
  overlap(a.overlap_n, b.overlap_n, may_a.overlap_n, may_b.overlap_n);
  return worst;
}
inline std::optional<double> swapped(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  return compared(inputs, outputs, held, std::identity(), [](Wide const& normal) { return Wide(-normal); });
}

/// Derives the case with another start point of the solver: none, a centre, a point behind a body, or any point nearby.
inline void derive_start(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  Point const from = in.i.position;
  double const size = in.i.semi_axes.maxCoeff(), share = random.unit();
  Point const aside = size * cube_point(random);
  Point start;
  for (Index k = 0; k < 3; ++k) {
    double const between = share * (in.j.position[k] - from[k]);
    start[k] = from[k] + between + aside[k];
  }
  other.previous = start;
  switch (random.integer(0, 3)) {
    case 0:
      other.previous.reset();
      if (!in.previous) other.previous = in.i.position;
      break;
    case 1:
      other.previous = in.j.position;
      break;
    case 2:
      // A point on the line of the centres, behind i. If an own axis of each body is along this line, the gradients at
      // this point have equal directions instead of opposite directions.
      for (Index k = 0; k < 3; ++k) start[k] = from[k] - share * (in.j.position[k] - from[k]);
      other.previous = start;
      break;
    default:
      break;
  }
  inputs.push_back(other);
}
inline std::optional<double> same(std::span<Case const> inputs, std::span<Answer const> outputs,
                                  Tolerance const& held) {
  return compared(inputs, outputs, held, std::identity(), std::identity());
}

/// Derives two cases: the case with i at the origin, and this case with the distance doubled. Doubling does not round,
/// and sigma(s d) = s sigma(d).
inline void derive_farther(Case const& in, Random&, std::vector<Case>& inputs) {
  Case near = in, far = in;
  near.previous.reset();
  far.previous.reset();
  near.i.position = far.i.position = Point::Zero();
  near.j.position = in.j.position - in.i.position;
  far.j.position = 2 * near.j.position;
  if (near.j.position.isZero()) return;
  inputs.push_back(near);
  inputs.push_back(far);
}
inline std::optional<double> linear(std::span<Case const>, std::span<Answer const> outputs, Tolerance const& held) {
  return sigmas_apart(held, 2 * outputs[1].sigma, outputs[2].sigma);
}

inline std::optional<double> not_larger(std::span<Case const>, std::span<Answer const> outputs, Tolerance const& held) {
  long double const rise = static_cast<long double>(outputs[1].sigma) - outputs[0].sigma;
  return in_tolerances(rise, allowance<Contract>(held, "sigma", outputs[0].sigma) +
                                 allowance<Contract>(held, "sigma", outputs[1].sigma));
}

inline std::optional<double> continuous(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  long double const moved = (wide(inputs[1].j.position) - wide(inputs[0].j.position)).norm(),
                    least = static_cast<long double>(least_axis(inputs[0].i)) + least_axis(inputs[0].j);
  long double const change = std::fabs(static_cast<long double>(outputs[1].sigma) - outputs[0].sigma);
  return in_tolerances(change, moved / least + allowance<Contract>(held, "sigma", outputs[0].sigma) +
                                   allowance<Contract>(held, "sigma", outputs[1].sigma));
}

/// Checks ellipsoids by the formula of Perram and Wertheim: sigma^2 = max over l of l (1 - l) d^T (l S_j + (1 - l)
/// S_i)^-1 d. Finds the maximum by golden-section search in long double. An error of l changes the maximum only by its
/// square.
inline std::optional<double> perram_wertheim(std::span<Case const> inputs, std::span<Answer const> outputs,
                                             Tolerance const& held) {
  Case const& in = inputs[0];
  for (Body const* body : {&in.i, &in.j})
    if (body->n1 != 2 || body->n2 != 2) return std::nullopt;
  if (in.i.position == in.j.position) return std::nullopt;
  using Matrix = Matrix3<long double>;
  long double const unit = std::max(in.i.semi_axes.maxCoeff(), in.j.semi_axes.maxCoeff());
  auto const square = [&](Body const& body) -> Matrix {
    Quaternion<long double> q = body.orientation.cast<long double>();
    q /= q.norm();
    Matrix const R = matrix_of(q);
    Wide const a = body.semi_axes.cast<long double>() / unit;
    return R * a.cwiseProduct(a).asDiagonal() * R.transpose();
  };
  Matrix const Si = square(in.i), Sj = square(in.j);
  Wide const d = (wide(in.j.position) - wide(in.i.position)) / unit;
  auto const value = [&](long double l) {
    Matrix const S = l * Sj + (1 - l) * Si;
    return l * (1 - l) * d.dot(superquadric::SymmetricEquations<long double>(S).solve(d));
  };
  long double low = 0, high = 1;
  constexpr long double golden = 0.61803398874989484820L;
  for (int k = 0; k < 60; ++k) {
    long double const a = high - golden * (high - low), b = low + golden * (high - low);
    (value(a) < value(b) ? low : high) = value(a) < value(b) ? a : b;
  }
  long double const expected = std::sqrt(value((low + high) / 2));
  // The condition number of the matrices is the square of the aspect ratio.
  long double const aspect = unit / std::min(in.i.semi_axes.minCoeff(), in.j.semi_axes.minCoeff());
  if (!(aspect < 100)) return std::nullopt;
  // The error of long double is a few u: a condition number of at most 1e4, times 2^-64.
  long double const own = roundings(4) * expected;
  return in_tolerances(std::fabs(expected - outputs[0].sigma), allowance<Contract>(held, "sigma", expected) + own);
}

/// Selects the outputs for the laws of properties/core/invariance.hpp.
struct Invariant {
  using Contract = superquadric_contact::Contract;
  static std::vector<std::string_view> outputs() {
    return {"sigma", "point", "normal", "overlap_b", "overlap_n", "overlap_phi", "status"};
  }
  static Unusable unusable(std::span<Case const>, std::span<Answer const> outputs) {
    Unusable found;
    for (Answer out : outputs) {
      if (all_finite(out)) continue;
      // overlap_phi contains sigma^(1 - n), which overflows for a deep overlap.
      if (out.overlap_phi && std::isinf(*out.overlap_phi)) out.overlap_phi = 0;
      if (!all_finite(out)) return {true, infinite};
      found = {true, std::nullopt};
    }
    return found;
  }
  static bool stays_normal(Case const& in) { return superquadric::pairs::stays_normal(in); }
  static bool turns(Case const&, CubeMotion const& motion) { return superquadric::pairs::turns(motion); }
};
using Shared = Invariances<Invariant>;

inline std::optional<double> permuted(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  CubeMotion const motion = *Shared::motion_of(inputs[0]);
  auto const moved = [&](Wide x) {
    demeter::turn(x, Kind::vector, motion);
    return x;
  };
  return compared(inputs, outputs, held, moved, moved);
}
inline std::optional<double> translated(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  auto const last = inputs.last(2);
  Wide const shift = wide(last[1].i.position) - wide(last[0].i.position);
  return compared(
      inputs, outputs, held, [&](Wide const& point) { return Wide(point + shift); }, std::identity());
}

/// Derives the case after a cyclic exchange of the axes of the frame (x to y, y to z, z to x). The bodies' own axes
/// keep their names, and the quaternions change.
inline void derive_turn(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  other.previous.reset();
  std::int64_t const steps = random.integer(1, 2);
  for (std::int64_t k = 0; k < steps; ++k) {
    // The quaternion of this rotation is (1, 1, 1, 1) / 2. Only the sums round.
    for (Body* body : {&other.i, &other.j}) {
      Point const p = body->position;
      body->position = {p[2], p[0], p[1]};
      Quaternion<double> const q = body->orientation;
      body->orientation = {0.5 * (q[0] - q[1] - q[2] - q[3]), 0.5 * (q[1] + q[0] + q[3] - q[2]),
                           0.5 * (q[2] + q[0] + q[1] - q[3]), 0.5 * (q[3] + q[0] + q[2] - q[1])};
    }
  }
  if (other.i.orientation.isZero() || other.j.orientation.isZero()) return;
  inputs.push_back(other);
}
/// Checks only sigma. The sums of the quaternions' components are rounded. This moves the point and the normal by much
/// more, in proportion to their condition.
inline std::optional<double> same_sigma(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  if (!finite_numbers(outputs[0]) || !finite_numbers(outputs[1])) return infinite;
  long double aspect = 0;
  for (Body const* body : {&inputs[0].i, &inputs[0].j})
    aspect = std::max(aspect, static_cast<long double>(reach(*body)) / least_axis(*body));
  long double const reach_of_point = 1 + (wide(inputs[0].j.position) - wide(inputs[0].i.position)).norm() /
                                             std::min(least_axis(inputs[0].i), least_axis(inputs[0].j)) /
                                             outputs[0].sigma;
  if (inputs[0].i.position == inputs[0].j.position) return outputs[1].sigma == 0 ? 0 : infinite;
  // Three roundings per component rotate a body by a few u. The relative motion of the surface is then at most the
  // aspect ratio times this angle.
  long double const turned = roundings(16) * outputs[0].sigma * (aspect + reach_of_point);
  return in_tolerances(std::fabs(static_cast<long double>(outputs[0].sigma) - outputs[1].sigma),
                       allowance<Contract>(held, "sigma", outputs[0].sigma) +
                           allowance<Contract>(held, "sigma", outputs[1].sigma) + turned);
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> about_the_contact() {
  return {
      {.name = "attained",
       .doc = "both gauges at the point equal sigma",
       .tolerance = "the budget of the point across the surface, plus that of sigma",
       .uses = {"sigma", "point"},
       .violation = attained},
      {.name = "opposite",
       .doc = "the gradients at the point are parallel to the normal: that of j along it, that of i against it",
       .tolerance = "the budget of the normal, plus that of the point times the curvature",
       .uses = {"sigma", "point", "normal"},
       .violation = opposite},
      {.name = "unit_normal",
       .doc = "the normal has length 1",
       .tolerance = "the roundings of its length with tolerance strict, otherwise its budget",
       .uses = {"normal"},
       .violation = unit_normal},
      {.name = "null_if_concentric",
       .doc = "normal and overlaps are null, and sigma is 0, only for equal centres",
       .tolerance = "0",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n", "overlap_phi"},
       .violation = null_if_concentric},
      {.name = "status_and_sigma",
       .doc = "the status is intersect for sigma < 1, and concentric for equal centres",
       .tolerance = "0 with tolerance strict, otherwise the budget of sigma",
       .uses = {"sigma", "status"},
       .violation = status_and_sigma},
      {.name = "ordered_overlaps",
       .doc = "0 <= overlap_b <= overlap_n <= overlap_phi if the bodies intersect; otherwise overlap_b is 0",
       .tolerance = "all three budgets",
       .uses = {"sigma", "point", "overlap_b", "overlap_n", "overlap_phi"},
       .violation = ordered_overlaps},
      {.name = "overlap_of_gradients",
       .doc = "overlap_n is (1 - sigma) times the heights of both bodies along the normal",
       .tolerance = "its budget, plus that of the point times the curvature",
       .uses = {"sigma", "point", "normal", "overlap_n"},
       .violation = overlaps_of_gradients},
      {.name = "phi_of_gradients",
       .doc = "overlap_phi is (sigma^(1 - n1) - sigma) / n1 times the height, over both bodies",
       .tolerance = "its budget, plus that of the point times the curvature",
       .uses = {"sigma", "point", "normal", "overlap_phi"},
       .violation = phi_of_gradients},
      {.name = "far_by_boxes",
       .doc = "the status is far exactly if the boxes are separated",
       .tolerance = "0",
       .uses = {"status"},
       .violation = far_by_boxes},
  };
}

inline std::vector<Rule> symmetries() {
  return {
      {.name = "swap",
       .doc = "an exchange of the bodies reverses the normal and changes nothing else",
       .tolerance = "both budgets",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n"},
       .derive = derive_swap<Case>,
       .violation = swapped},
      {.name = "previous",
       .doc = "the start point of the solver does not change the answer",
       .tolerance = "both budgets",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n"},
       .derive = derive_start,
       .violation = same},
      {.name = "quaternion_length",
       .doc = "the length and sign of a quaternion do not change the answer",
       .tolerance = "both budgets",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n"},
       .derive = derive_quaternion<Case>,
       .violation = same},
  };
}

inline std::vector<Rule> about_sigma() {
  return {
      {.name = "linear",
       .doc = "a doubled distance of the centres doubles sigma",
       .tolerance = "both budgets",
       .uses = {"sigma"},
       .derive = derive_farther,
       .violation = linear},
      {.name = "larger_bodies",
       .doc = "sigma does not increase if a semi-axis or an exponent grows",
       .tolerance = "both budgets",
       .uses = {"sigma"},
       .derive = derive_larger<Case>,
       .violation = not_larger},
      {.name = "continuity",
       .doc = "sigma changes by at most the motion over the sum of the least semi-axes",
       .tolerance = "both budgets",
       .uses = {"sigma"},
       .derive = derive_step<Case>,
       .violation = continuous},
      {.name = "perram_wertheim",
       .doc = "for ellipsoids, sigma is the contact function of Perram and Wertheim",
       .tolerance = "its budget, plus the roundings of the law",
       .uses = {"sigma"},
       .violation = perram_wertheim},
  };
}

inline std::vector<Rule> motions() {
  return {
      {.name = "turned_frame",
       .doc = "an exchange of the axes of the frame does not change sigma",
       .tolerance = "both budgets, plus the rotation caused by rounding a quaternion",
       .uses = {"sigma", "point"},
       .derive = derive_turn,
       .violation = same_sigma},
      {.name = "axis_permutation",
       .doc = "a mirroring or half turn of the frame and the bodies does the same to the answer",
       .tolerance = "both budgets",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n"},
       .derive = Shared::derive_axis_permutation,
       .violation = permuted},
      {.name = "translation",
       .doc = "an exact translation moves the point and changes nothing else",
       .tolerance = "both budgets",
       .uses = {"sigma", "point", "normal", "overlap_b", "overlap_n"},
       .derive = Shared::derive_translation,
       .violation = translated},
      Shared::scaling(),
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({about_the_contact(), symmetries(), about_sigma(), motions()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_contact::properties
