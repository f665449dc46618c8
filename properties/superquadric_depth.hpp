// Regimes and laws of the penetration depth of two superquadrics.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/superquadric.hpp"
#include "reference/spec/superquadric_depth.hpp"

#include <array>

namespace demeter::superquadric_depth::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Wide = Vector3<long double>;
using namespace superquadric::pairs;

// --------------------------------------------------------------------------------------------------------- regimes

/// Draws pairs in which each centre is inside the other body. The depth along many directions is then nearly as small
/// as the smallest depth.
inline Case draw_deep(Random& random) {
  Case in = draw_typical<Case>(random);
  double const least = least_axis(in.i) + least_axis(in.j), share = random.uniform(0, 0.5);
  Point const direction = unit_direction(random);
  in.j.position = (share * least) * direction;
  return in;
}

/// Draws bodies near contact. For spheres, the overlap or the gap is 1e-12 to 1e-1 of the contact distance.
inline Case draw_shallow(Random& random) {
  Case in;
  double const largest = random.chance(0.7) ? log_20 : log_200;
  in = draw_pair<Case>(random, largest, aspect_5);
  // The contact distance. For spheres it is exact. For other bodies it is a random number between the smallest and the
  // largest distance at which the bodies may touch.
  Point const direction = unit_direction(random);
  double const between = random.unit(), off = signed_log_uniform(random, -12, -1),
               least = least_axis(in.i) + least_axis(in.j),
               most = in.i.semi_axes.maxCoeff() + in.j.semi_axes.maxCoeff();
  double const distance = (least + between * (most - least)) * (1 + off);
  in.j.position = distance * direction;
  return in;
}

inline Case draw_distant(Random& random) {
  Case in = draw_typical<Case>(random);
  double const times = random.log_uniform(1, 9);
  in.j.position *= times;
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static auto const list = regimes_with<Contract>(
      {{"shallow", Profile::everyday, "bodies that almost touch, exponents up to 200", sized<draw_shallow>},
       {"deep", Profile::everyday, "each centre is inside the other body, or nearly", sized<draw_deep>}},
      {{"distant", Profile::extreme, "distances 10 to 1e9 times as large", sized<draw_distant>}});
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

/// Return, in long double and for a unit vector u: the support function h(u), and the depth along u, psi(u) = h_i(u) +
/// h_j(u) - u.d.
inline long double support(Body const& body, Wide const& u) {
  namespace own = superquadric::conditioning;
  Wide const along = own::rotation(body.orientation).transpose() * u, axes = body.semi_axes.cast<long double>();
  long double const n1 = body.n1, n2 = body.n2, q1 = n1 / (n1 - 1), q2 = n2 / (n2 - 1);
  long double const across = own::norm(std::fabs(along[0]) * axes[0], std::fabs(along[1]) * axes[1], q2);
  return own::norm(across, std::fabs(along[2]) * axes[2], q1);
}
inline long double psi(Case const& in, Wide const& u) {
  return support(in.i, u) + support(in.j, u) - u.dot(wide(in.j.position) - wide(in.i.position));
}

inline long double allowed(Tolerance const& held, Case const& in) {
  return allowance<Contract>(held, "depth", Contract::scale(in).depth);
}
/// Returns the sum of the allowed errors of several cases.
inline long double allowed(Tolerance const& held, std::span<Case const> inputs) {
  long double sum = 0;
  for (Case const& in : inputs) sum += allowed(held, in);
  return sum;
}

/// Checks that the answered depth is the depth along the answered direction.
inline std::optional<double> attained(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!std::isfinite(out.depth) || !out.direction.allFinite() || out.direction.isZero()) return infinite;
  long double const size = Contract::scale(in).depth,
                    apart = std::fabs(psi(in, wide(out.direction).normalized()) - out.depth);
  return in_tolerances(apart, allowed(held, in) + allowance<Contract>(held, "direction", size));
}

inline std::optional<double> unit_direction_law(std::span<Case const>, std::span<Answer const> outputs,
                                                Tolerance const& held) {
  // The tolerance covers the roundings of three squares, their sum, a root and a quotient.
  return in_tolerances(std::fabs(wide(outputs[0].direction).norm() - 1),
                       roundings_or_held<Contract>(held, "direction", 4));
}

/// Checks that the depth is at most the depth along fixed directions. These are the line of the centres, and directions
/// of the global frame and of the frames of the bodies.
inline std::optional<double> no_shorter_way(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  Case const& in = inputs[0];
  if (!std::isfinite(outputs[0].depth)) return infinite;
  long double least = infinite;
  Wide const d = wide(in.j.position) - wide(in.i.position);
  if (!d.isZero()) least = psi(in, d.normalized());
  std::array<Matrix3<long double>, 3> const frames{Matrix3<long double>::Identity(),
                                                   superquadric::conditioning::rotation(in.i.orientation),
                                                   superquadric::conditioning::rotation(in.j.orientation)};
  for (auto const& frame : frames)
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          least = std::min(least, psi(in, Wide(frame * Wide(x, y, z).normalized())));
        }
  return in_tolerances(outputs[0].depth - least, allowed(held, in));
}

/// Checks that the depth is at least the depth of the largest spheres inside the bodies.
inline std::optional<double> inner_spheres(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  Case const& in = inputs[0];
  long double const spheres = static_cast<long double>(least_axis(in.i)) + least_axis(in.j) -
                              (wide(in.j.position) - wide(in.i.position)).norm();
  if (std::isnan(outputs[0].depth)) return infinite;
  return in_tolerances(spheres - outputs[0].depth, allowed(held, in));
}

inline bool is_sphere(Body const& body) {
  return body.n1 == 2 && body.n2 == 2 && body.semi_axes.maxCoeff() == body.semi_axes.minCoeff();
}
/// Checks that spheres have the depth R_i + R_j - |d|.
inline std::optional<double> spheres(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  Case const& in = inputs[0];
  if (!is_sphere(in.i) || !is_sphere(in.j)) return std::nullopt;
  long double const expected = static_cast<long double>(in.i.semi_axes[0]) + in.j.semi_axes[0] -
                               (wide(in.j.position) - wide(in.i.position)).norm();
  return in_tolerances(std::fabs(expected - outputs[0].depth), allowed(held, in));
}

/// Checks that the last two cases have the same depth.
inline std::optional<double> same(std::span<Case const> inputs, std::span<Answer const> outputs,
                                  Tolerance const& held) {
  inputs = inputs.last(2), outputs = outputs.last(2);
  long double const apart = std::fabs(static_cast<long double>(outputs[1].depth) - outputs[0].depth);
  return std::isnan(apart) ? infinite : in_tolerances(apart, allowed(held, inputs));
}
/// Check that the last depth is not below (not_shallower) or not above (not_deeper) the depth before it.
inline std::optional<double> not_shallower(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  inputs = inputs.last(2), outputs = outputs.last(2);
  long double const loss = static_cast<long double>(outputs[0].depth) - outputs[1].depth;
  return std::isnan(loss) ? infinite : in_tolerances(loss, allowed(held, inputs));
}
inline std::optional<double> not_deeper(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  inputs = inputs.last(2), outputs = outputs.last(2);
  long double const rise = static_cast<long double>(outputs[1].depth) - outputs[0].depth;
  return std::isnan(rise) ? infinite : in_tolerances(rise, allowed(held, inputs));
}

/// Derives two cases with i at the origin: j at its place, and j on the opposite side of i. Their depths are equal,
/// because each body is symmetric about its centre.
inline void derive_reflection(Case const& in, Random&, std::vector<Case>& inputs) {
  Case near = in, other = in;
  near.i.position = other.i.position = Point::Zero();
  near.j.position = in.j.position - in.i.position;
  other.j.position = -near.j.position;
  inputs.push_back(near);
  inputs.push_back(other);
}

/// Derives two cases: the case with i at the origin, and this case with the distance doubled. Doubling does not round.
inline void derive_farther(Case const& in, Random&, std::vector<Case>& inputs) {
  Case near = in, far = in;
  near.i.position = far.i.position = Point::Zero();
  near.j.position = in.j.position - in.i.position;
  far.j.position = 2 * near.j.position;
  inputs.push_back(near);
  inputs.push_back(far);
}

/// Checks that the depth changes by at most the motion of j.
inline std::optional<double> continuous(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  long double const moved = (wide(inputs[1].j.position) - wide(inputs[0].j.position)).norm(),
                    change = std::fabs(static_cast<long double>(outputs[1].depth) - outputs[0].depth);
  return std::isnan(change) ? infinite : in_tolerances(change - moved, allowed(held, inputs));
}

/// Selects the outputs for the laws of properties/core/invariance.hpp.
struct Invariant {
  using Contract = superquadric_depth::Contract;
  static std::vector<std::string_view> outputs() { return {"depth", "direction"}; }
  static Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
    return unusable_unless(inputs, outputs, [](Case const&) { return false; });
  }
  static bool stays_normal(Case const& in) { return superquadric::pairs::stays_normal(in); }
  static bool turns(Case const&, CubeMotion const& motion) { return superquadric::pairs::turns(motion); }
};
using Shared = Invariances<Invariant>;

inline std::span<Law<Case, Answer> const> laws() {
  static Law<Case, Answer> const list[] = {
      {.name = "attained",
       .doc = "the depth is h_i + h_j - u.d along the direction u",
       .tolerance = "both budgets",
       .uses = {"depth", "direction"},
       .violation = attained},
      {.name = "unit_direction",
       .doc = "the direction has length 1",
       .tolerance = "the roundings of its length with tolerance strict, otherwise its budget",
       .uses = {"direction"},
       .violation = unit_direction_law},
      {.name = "no_shorter_way",
       .doc = "none of 79 directions gives a smaller depth: that of the centres, and faces, edges and corners of three "
              "frames",
       .tolerance = "the budget",
       .uses = {"depth"},
       .violation = no_shorter_way},
      {.name = "inner_spheres",
       .doc = "the depth is at least that of the largest inscribed spheres",
       .tolerance = "the budget",
       .uses = {"depth"},
       .violation = inner_spheres},
      {.name = "spheres",
       .doc = "for spheres, the depth is the sum of the radii minus the distance of the centres",
       .tolerance = "the budget",
       .uses = {"depth"},
       .violation = spheres},
      {.name = "swap",
       .doc = "an exchange of the bodies does not change the depth",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_swap<Case>,
       .violation = same},
      {.name = "reflection",
       .doc = "the depth does not change if j moves to the other side of i",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_reflection,
       .violation = same},
      {.name = "quaternion_length",
       .doc = "the length and sign of a quaternion do not change the answer",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_quaternion<Case>,
       .violation = same},
      {.name = "farther",
       .doc = "a doubled distance of the centres does not increase the depth",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_farther,
       .violation = not_deeper},
      {.name = "larger_bodies",
       .doc = "the depth does not decrease if a semi-axis or an exponent grows",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_larger<Case>,
       .violation = not_shallower},
      {.name = "continuity",
       .doc = "the depth changes by at most the motion of a body",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = derive_step<Case>,
       .violation = continuous},
      {.name = "axis_permutation",
       .doc = "a mirroring or half turn of the frame and the bodies does not change the depth",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = Shared::derive_axis_permutation,
       .violation = same},
      {.name = "translation",
       .doc = "an exact translation does not change the depth",
       .tolerance = "both budgets",
       .uses = {"depth"},
       .derive = Shared::derive_translation,
       .violation = same},
      Shared::scaling(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_depth::properties
