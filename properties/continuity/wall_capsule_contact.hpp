// Continuity search for wall_capsule_contact: the wall is at rest, and the capsule moves rigidly.
//
// Natural units with the radius r and stiffness k = 1: lengths in r, forces in k r, energies in k r^2, torques in k r^2
// about the projection of the origin on the wall.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "kernels/motion.hpp"
#include "properties/core/generators.hpp"
#include "properties/family/capsule_laboratory.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <fmt/format.h>

namespace demeter::wall_capsule_contact::continuity {

/// A capsule and its motion. If `across` is zero, the path runs along s in [-1, 1]. Otherwise the path is a closed loop
/// around the rectangle [-1, 1]^2 of the motions `motion` and `across`.
template <class Scalar>
struct Path {
  Scalar wall, axis, sense;
  Vector3<Scalar> centre, half;
  Scalar radius;
  Motion<Scalar> motion, across;

  static constexpr auto fields() {
    return std::tuple{
        field("wall", &Path::wall, unit::metre, "coordinate of the wall along its axis; it rests"),
        field("axis", &Path::axis, unit::none, "the wall's axis: 0, 1 or 2"),
        field("sense", &Path::sense, unit::none, "the free side: 1 or -1"),
        field("centre", &Path::centre, unit::metre, "centre of the capsule at the middle of its motion"),
        field("half", &Path::half, unit::metre, "its half-shaft vector there"),
        field("radius", &Path::radius, unit::metre, "its radius"),
        field("motion", &Path::motion, "", "the motion at s = 1; s = 2 t - 1"),
        field("across", &Path::across, "", "a second motion; if it is not zero the path is a closed loop"),
    };
  }
};

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  Moved<Scalar> const now = moved(path.motion, path.across, t);
  return {path.wall, path.axis, path.sense, path.centre + now.shift, turned(now.turn, path.half), path.radius};
}

template <class Scalar>
std::array<Scalar, 2> end_gaps(Input<Scalar> const& in) {
  Index const k = axis_of(in);
  return {in.sense * (in.centre[k] - in.half[k] - in.wall) - in.radius,
          in.sense * (in.centre[k] + in.half[k] - in.wall) - in.radius};
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 5> quantities{{
    {"point", "r", 0, 3},
    {"normal", "rad", 3, 3, true},
    {"overlap", "r", 6, 1},
    {"force", "k r", 7, 3, false, true},
    {"torque", "k r^2", 10, 3, false, true},
}};
inline constexpr std::size_t overlap = 2;
inline constexpr std::string_view energy_unit = "k r^2";
inline constexpr std::string_view excluded =
    "point and normal are compared where there is contact on both sides of a step; the force is the overlap that the "
    "formula answers times its normal";

/// Returns the observed quantities. The force acts on the capsule. The torque is the moment of this force about the
/// projection of the origin on the wall.
template <class Scalar>
Observation<Scalar, 13, 5> observe(Input<Scalar> const& in, Output<Scalar> const& out) {
  Scalar const depth = out.uN < Scalar(0) ? Scalar(-out.uN / in.radius) : Scalar(0);
  Vector3<Scalar> place = out.point;
  place[axis_of(in)] -= in.wall;
  place /= in.radius;
  return capsule::continuity::observed<Scalar>({place, out.normal, out.uN, depth, true});
}

/// Returns the answer that stands for "no contact": no overlap and no force.
inline Output<double> no_contact() { return {0, Vector3<double>::Zero(), Vector3<double>::Zero(), Status::separated}; }

using capsule::continuity::stored;

/// Returns the power of the force on the capsule, which acts at the contact point.
inline double power(Path<double> const& path, double t, Input<double> const& in, Output<double> const& out) {
  if (!(out.uN < 0)) return out.uN >= 0 ? 0 : out.uN;
  Moved<double> const now = moved(path.motion, path.across, t);
  Vector3<double> const velocity =
      angular_velocity(now.turn, now.turn_rate).cross(out.point - in.centre) + now.shift_rate;
  return -out.uN / in.radius * out.normal.dot(velocity) / in.radius;
}

// --------------------------------------------------------------------------------------------------------- geometry

/// Returns bits that say which ends overlap, which ends are behind the wall, and which end is nearer.
inline std::uint32_t state(Input<double> const& in) {
  auto const [g0, g1] = end_gaps(in);
  return (g0 < 0 ? 1u : 0u) | (g1 < 0 ? 2u : 0u) | (g0 < -in.radius ? 4u : 0u) | (g1 < -in.radius ? 8u : 0u) |
         (g0 < g1 ? 16u : 0u);
}

/// Returns the gaps of the two ends, in radii. The capsule approaches the wall if neither gap grows.
inline std::array<double, 2> gaps(Input<double> const& in) {
  auto const [g0, g1] = end_gaps(in);
  return {g0 / in.radius, g1 / in.radius};
}

/// Returns, for each quantity, the change that the contract's budgets allow as rounding, in natural units. The position
/// lambda of the contact point along the axis is a ratio of overlaps. If an end overlaps only slightly, rounding
/// changes lambda by a rounding error divided by the overlap.
inline std::array<double, 5> rounding(Input<double> const& in) {
  auto const scale = Contract::scale(in);
  double const r = in.radius;
  double const gap = static_cast<double>(8 * unit_roundoff * scale.uN) / r;
  auto const [g0, g1] = end_gaps(in);
  double const depth = (std::max(0.0, -g0) + std::max(0.0, -g1)) / r;
  double const half = in.half.norm() / r;
  long double const largest = std::max(scale.point[0], std::max(scale.point[1], scale.point[2]));
  double const shift = static_cast<double>(8 * unit_roundoff * largest) / r +
                       (depth > 0 ? std::min(2 * half, 4 * half * gap / depth) : 2 * half);
  double const arm = in.centre.norm() / r + half;
  double const turning = 8 * half * gap;  // bounds the depth times the additional shift of the point
  return {shift, 0, gap, gap, arm * gap + depth * static_cast<double>(8 * unit_roundoff * largest) / r + turning};
}

/// Returns the size of the motion from a to b, as eta / r with eta = |dx| + h |du|.
inline double motion(Input<double> const& a, Input<double> const& b) {
  return ((b.centre - a.centre).norm() + (b.half - a.half).norm()) / a.radius;
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  auto const [a0, a1] = end_gaps(a);
  auto const [b0, b1] = end_gaps(b);
  Scalar const zero(0);
  int const before = (a0 < zero ? 1 : 0) + (a1 < zero ? 1 : 0), after = (b0 < zero ? 1 : 0) + (b1 < zero ? 1 : 0);
  if ((before > 0) != (after > 0)) return "onset or separation";
  if (before != after) return fmt::format("{}->{} ends", std::min(before, after), std::max(before, after));
  if ((a0 < zero) != (b0 < zero)) return "the other end";
  if ((a0 < a1) != (b0 < b1)) return "parallel to the wall";
  return "";
}

// -------------------------------------------------------------------------------------------------------------- paths

inline constexpr double longest_half = 5;  // in r

inline bool within_search(Path<double> const& path) {
  double const r = path.radius;
  auto const within = [&](Motion<double> const& motion) {
    return motion.translation.norm() <= 20 * r && motion.turn.norm() <= 2;
  };
  Index const k = path.axis < 1 ? 0 : path.axis < 2 ? 1 : 2;
  bool const wall = (path.axis == 0 || path.axis == 1 || path.axis == 2) && std::fabs(path.sense) == 1;
  return wall && r > 0 && path.half.norm() <= longest_half * r &&
         std::fabs(path.centre[k] - path.wall) <= (longest_half + 2) * r && within(path.motion) && within(path.across);
}

namespace detail {

using Vector = Vector3<double>;

/// Returns a capsule of radius 1 whose deeper end is `depth` inside the wall. `half` is its half-shaft vector.
inline Path<double> placed(Random& random, Vector half, double depth) {
  Path<double> path;
  for (Vector* each : {&path.motion.translation, &path.motion.turn, &path.across.translation, &path.across.turn})
    each->setZero();
  path.wall = 0;
  path.axis = 2;
  path.sense = 1;
  path.radius = 1;
  path.half = half;
  path.centre = {random.uniform(-1, 1), random.uniform(-1, 1), 1 - depth + std::fabs(half[2])};
  return path;
}
inline Vector any_half(Random& random) {
  double const h = random.uniform(0.1, longest_half);
  return h * unit_direction(random);
}
inline Vector flat_half(Random& random) {
  double const h = random.uniform(0.1, longest_half), tilt = signed_log_uniform(random, -5, -0.3);
  return {h, 0, h * tilt};
}

/// Returns the path at any of the six walls, in a random unit of length.
inline Path<double> anywhere(Path<double> path, Random& random) {
  if (random.chance(0.3)) return path;
  std::int64_t const rolled = random.integer(0, 2);
  double const sense = random.sign(), length = std::ldexp(1.0, static_cast<int>(random.integer(-14, 6)));
  auto const roll = [&](Vector& v) {
    for (std::int64_t i = 0; i < rolled; ++i) v = Vector(v[2], v[0], v[1]);
  };
  path.sense = sense;
  for (Vector* each : {&path.centre, &path.half, &path.motion.translation, &path.across.translation}) {
    (*each)[2] *= sense;
    roll(*each);
    *each *= length;
  }
  for (Vector* each : {&path.motion.turn, &path.across.turn}) {
    // The rotation is mirrored: its components parallel to the wall change sign.
    (*each)[0] *= sense, (*each)[1] *= sense;
    roll(*each);
  }
  path.axis = static_cast<double>((2 + rolled) % 3);
  path.radius *= length;
  path.wall = random.chance(0.5) ? 0 : random.uniform(-4, 4) * length;
  path.centre[static_cast<Index>(path.axis)] += path.wall;
  return path;
}

inline Path<double> translation(Random& random) {
  Vector const half = random.chance(0.5) ? any_half(random) : flat_half(random);
  double const depth = random.uniform(0, 1.2);
  Path<double> path = placed(random, half, depth);
  path.motion.translation = any_vector(random, -2, 0.5);
  return anywhere(path, random);
}
inline Path<double> turning(Random& random) {
  Vector const half = any_half(random);
  double const depth = random.uniform(0, 1.2);
  Path<double> path = placed(random, half, depth);
  path.motion.turn = any_vector(random, -3, 0);
  return anywhere(path, random);
}
inline Path<double> screw(Random& random) {
  Path<double> path = turning(random);
  path.motion.translation = path.radius * any_vector(random, -2, 0.3);
  return path;
}
/// Draws a path on which the axis passes through the position exactly parallel to the wall.
inline Path<double> rocking(Random& random) {
  double const h = random.uniform(0.1, longest_half);
  Path<double> path = placed(random, {h, 0, 0}, random.uniform(0.01, 1));
  path.motion.turn = {0, random.log_uniform(-6, -0.2), 0};
  if (random.chance(0.3)) path.motion.translation = {0, 0, random.uniform(-0.5, 0.5)};
  return anywhere(path, random);
}
/// Draws a path on which one end is in the wall and the other end comes in: the number of overlapping ends changes from
/// one to two.
inline Path<double> landing(Random& random) {
  double const h = random.uniform(0.1, longest_half), tilt = random.uniform(0.01, 0.3);
  double const depth = random.uniform(0.05, 1);
  Path<double> path = placed(random, {h, 0, h * tilt}, depth);
  path.motion.turn = {0, random.uniform(0.3, 1) * tilt, 0};
  return anywhere(path, random);
}
/// Draws a path on which the capsule rotates from no contact into contact and out again.
inline Path<double> swinging(Random& random) {
  double const h = random.uniform(0.5, longest_half);
  Vector half{h * random.uniform(-0.5, 0.5), 0, h};
  Path<double> path = placed(random, half, random.uniform(0.1, 0.8));
  double const turn = random.uniform(0.4, 0.9), aside = random.uniform(-0.3, 0.3);
  path.motion.turn = {turn * aside, turn, 0};
  return anywhere(path, random);
}
inline Path<double> loop(Random& random) {
  Vector const half = random.chance(0.5) ? any_half(random) : flat_half(random);
  double const depth = random.uniform(0.1, 1);
  Path<double> path = placed(random, half, depth);
  path.motion = capsule::continuity::small_motion(random, -0.3, 0);
  path.across = capsule::continuity::small_motion(random, -0.3, 0);
  return anywhere(path, random);
}

}  // namespace detail

inline std::span<Family<Path<double>> const> families() {
  static Family<Path<double>> const list[] = {
      {"translations", "any capsule in contact, shifted in any direction", detail::translation},
      {"rotations", "any capsule in contact, turned about any axis", detail::turning},
      {"screws", "rotated and shifted together", detail::screw},
      {"rocking", "tilted through the position exactly parallel to the wall", detail::rocking},
      {"landing", "one end in the wall, the other comes in", detail::landing},
      {"swings", "from no contact, in and out again", detail::swinging},
      {"loops", "small closed loops of shifts and rotations", detail::loop, true},
  };
  return list;
}

/// Returns simpler paths: one with unit radius, the wall at 0 and the centre above the origin, and one with sense 1.
inline std::vector<Path<double>> simpler(Path<double> const& path) {
  Path<double> plain = path;
  Index const k = path.axis < 1 ? 0 : path.axis < 2 ? 1 : 2;
  double const r = path.radius;
  for (Index i = 0; i < 3; ++i) plain.centre[i] = i == k ? (path.centre[i] - path.wall) / r : 0;
  plain.wall = 0;
  plain.radius = 1;
  for (auto* each : {&plain.half, &plain.motion.translation, &plain.across.translation}) *each /= r;
  Path<double> upright = path;
  upright.sense = 1;
  return {plain, upright};
}

}  // namespace demeter::wall_capsule_contact::continuity
