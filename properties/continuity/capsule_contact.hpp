// Continuity search for capsule_contact: capsule 1 is at rest, and capsule 2 moves past it rigidly.
//
// Natural units with R = radius1 + radius2 and stiffness k = 1: lengths in R, forces in k R, torques (about the centre
// of capsule 1) in k R^2, energies in k R^2.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "kernels/motion.hpp"
#include "properties/core/generators.hpp"
#include "properties/family/capsule_laboratory.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <fmt/format.h>

namespace demeter::capsule_contact::continuity {

/// Two capsules and the motion of capsule 2. If `across` is zero, the path runs along s in [-1, 1]. Otherwise the path
/// is a closed loop around the rectangle [-1, 1]^2 of the motions `motion` and `across`.
template <class Scalar>
struct Path {
  Vector3<Scalar> centre1, half1;
  Scalar radius1;
  Vector3<Scalar> centre2, half2;
  Scalar radius2;
  Vector3<Scalar> pivot;
  Motion<Scalar> motion, across;

  static constexpr auto fields() {
    return std::tuple{
        field("centre1", &Path::centre1, unit::metre, "centre of capsule 1, which rests"),
        field("half1", &Path::half1, unit::metre, "its half-shaft vector"),
        field("radius1", &Path::radius1, unit::metre, "its radius"),
        field("centre2", &Path::centre2, unit::metre, "centre of capsule 2 at the middle of its motion"),
        field("half2", &Path::half2, unit::metre, "its half-shaft vector there"),
        field("radius2", &Path::radius2, unit::metre, "its radius"),
        field("pivot", &Path::pivot, unit::metre,
              "centre of the rotation of capsule 2, which is rotated before it is shifted"),
        field("motion", &Path::motion, "", "the motion at s = 1; s = 2 t - 1"),
        field("across", &Path::across, "", "a second motion; if it is not zero the path is a closed loop"),
    };
  }
};

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  Vector3<Scalar> const arm = path.centre2 - path.pivot;
  Moved<Scalar> const now = moved(path.motion, path.across, t);
  Vector3<Scalar> const centre2 = path.pivot + turned(now.turn, arm) + now.shift;
  return {path.centre1, path.half1, path.radius1, centre2, turned(now.turn, path.half2), path.radius2};
}

// --------------------------------------------------------------------------------------------------------- geometry

template <class Scalar>
Scalar clamped(Scalar const& x) {
  return x < Scalar(-1) ? Scalar(-1) : Scalar(1) < x ? Scalar(1) : x;
}

/// The position of the two axes relative to each other. Distances are squared, so that decisions need no square roots.
template <class Scalar>
struct Geometry {
  bool interior = false;  ///< the closest points are inside both segments, and the axes are not parallel
  Scalar squared;         ///< squared distance of the axes
  unsigned ends = 0;      ///< ends closer than R to the other axis: bits 1, 2, 4, 8 for ends 1-, 1+, 2-, 2+
  Scalar side;            ///< w . (half1 x half2); changes its sign where crossing axes intersect
};

template <class Scalar>
Geometry<Scalar> geometry(Input<Scalar> const& in) {
  Vector3<Scalar> const &A = in.half1, &B = in.half2;
  Vector3<Scalar> const w = in.centre2 - in.centre1;
  Scalar const AA = A.dot(A), BB = B.dot(B);
  Scalar const R = in.radius1 + in.radius2;
  Geometry<Scalar> result;
  result.squared = Scalar(-1);
  auto const end = [&](Vector3<Scalar> const& from, Vector3<Scalar> const& axis, Scalar const& square, unsigned bit) {
    // `from` runs from the axis' centre to the end point. The nearest axis point is the clamped projection.
    Scalar const place = Scalar(0) < square ? clamped(Scalar(from.dot(axis) / square)) : Scalar(0);
    Vector3<Scalar> const gap = from - place * axis;
    Scalar const squared = gap.dot(gap);
    if (squared < R * R) result.ends |= bit;
    if (result.squared < Scalar(0) || squared < result.squared) result.squared = squared;
  };
  end(Vector3<Scalar>(-w - A), B, BB, 1);
  end(Vector3<Scalar>(-w + A), B, BB, 2);
  end(Vector3<Scalar>(w - B), A, AA, 4);
  end(Vector3<Scalar>(w + B), A, AA, 8);
  Vector3<Scalar> const N = A.cross(B);
  Scalar const NN = N.dot(N);
  result.side = w.dot(N);
  if (Scalar(0) < NN) {
    Scalar const x = w.cross(B).dot(N) / NN, y = w.cross(A).dot(N) / NN;
    if (Scalar(-1) < x && x < Scalar(1) && Scalar(-1) < y && y < Scalar(1)) {
      // For nearly parallel axes, this distance and the distance of the nearest end are equal up to rounding.
      Scalar const squared = result.side * result.side / NN;
      result.interior = true;
      if (squared < result.squared) result.squared = squared;
    }
  }
  return result;
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 5> quantities{{
    {"point", "R", 0, 3},
    {"normal", "rad", 3, 3, true},
    {"overlap", "R", 6, 1},
    {"force", "k R", 7, 3, false, true},
    {"torque", "k R^2", 10, 3, false, true},
}};
inline constexpr std::size_t overlap = 2;
inline constexpr std::string_view energy_unit = "k R^2";
/// Smallest distance of the axes, in R, at which quantities are compared.
inline constexpr double least_distance = 0.05;
inline constexpr std::string_view excluded =
    "point, normal, force and torque are compared where the axes are at least R/20 apart: where they intersect no "
    "continuous normal exists (docs/mathematics/capsules.md#capsule_contact-recommended-formula, T1)";

/// Returns the observed quantities. The force acts on capsule 2. The torque is the moment of this force about the
/// centre of capsule 1.
template <class Scalar>
Observation<Scalar, 13, 5> observe(Input<Scalar> const& in, Output<Scalar> const& out) {
  Scalar const R = in.radius1 + in.radius2;
  Scalar const depth = out.uN < Scalar(0) ? Scalar(-out.uN / R) : Scalar(0);
  bool const apart = !(geometry(in).squared < R * R * Scalar(least_distance * least_distance));
  return capsule::continuity::observed<Scalar>({(out.point - in.centre1) / R, out.normal, out.uN, depth, apart});
}

/// Returns the answer that stands for "no contact": no overlap and no force.
inline Output<double> no_contact() { return {0, Vector3<double>::Zero(), Vector3<double>::Zero(), Status::separated}; }

using capsule::continuity::stored;

/// Returns the power of the force on capsule 2, which acts at the contact point. Capsule 1 is at rest.
inline double power(Path<double> const& path, double t, Input<double> const& in, Output<double> const& out) {
  if (!(out.uN < 0)) return out.uN >= 0 ? 0 : out.uN;
  double const R = in.radius1 + in.radius2;
  Moved<double> const now = moved(path.motion, path.across, t);
  Vector3<double> const velocity =
      angular_velocity(now.turn, now.turn_rate).cross(out.point - path.pivot - now.shift) + now.shift_rate;
  return -out.uN / R * out.normal.dot(velocity) / R;
}

inline constexpr unsigned interior_bit = 16, overlapping_bit = 32, side_bit = 64;

inline std::uint32_t state(Input<double> const& in) {
  Geometry<double> const of = geometry(in);
  double const R = in.radius1 + in.radius2;
  std::uint32_t bits = of.ends;
  if (of.interior) bits |= interior_bit;
  if (of.squared < R * R) bits |= overlapping_bit;
  if (of.interior && of.side > 0) bits |= side_bit;
  return bits;
}

inline std::array<double, 1> gaps(Input<double> const& in) {
  return {std::sqrt(geometry(in).squared) / (in.radius1 + in.radius2)};
}

/// Returns, for each quantity, the change that the contract's budgets allow as rounding, in natural units.
inline std::array<double, 5> rounding(Input<double> const& in) {
  auto const scale = Contract::scale(in);
  double const R = in.radius1 + in.radius2;
  auto const allowed = [&](std::size_t budget, long double size) {
    return static_cast<double>(Contract::budgets[budget].units * unit_roundoff * size);
  };
  double const gap = allowed(0, scale.uN) / R, turn = allowed(1, scale.normal[0]),
               shift = allowed(2, scale.point[0]) / R;
  double const depth = std::max(0.0, 1 - std::sqrt(geometry(in).squared) / R);
  double const force = gap + depth * turn;
  double const arm = (in.half1.norm() + R) / R;
  return {shift, turn, gap, force, arm * force + depth * shift};
}

/// Returns the size of the motion from a to b, as eta / R with eta = |dw| + h1 |du1| + h2 |du2|.
inline double motion(Input<double> const& a, Input<double> const& b) {
  double const R = a.radius1 + a.radius2;
  Vector3<double> const dw = (b.centre2 - b.centre1) - (a.centre2 - a.centre1);
  return (dw.norm() + (b.half1 - a.half1).norm() + (b.half2 - a.half2).norm()) / R;
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  Geometry<Scalar> const before = geometry(a), after = geometry(b);
  Scalar const R = a.radius1 + a.radius2;
  auto const count = [](unsigned ends) { return __builtin_popcount(ends); };
  Vector3<Scalar> const N1 = a.half1.cross(a.half2), N2 = b.half1.cross(b.half2);
  bool const through_parallel = !(Scalar(0) < N1.dot(N2));
  if (before.interior && after.interior && !through_parallel && (Scalar(0) < before.side) != (Scalar(0) < after.side))
    return "axes intersect";
  if ((before.squared < R * R) != (after.squared < R * R)) return "onset or separation";
  if (before.ends != after.ends) {
    int const low = std::min(count(before.ends), count(after.ends)),
              high = std::max(count(before.ends), count(after.ends));
    bool const crossing = before.interior || after.interior;
    if (low == 1 && high == 2) return crossing ? "1->2, crossing" : "1->2, no crossing";
    return low == high ? fmt::format("another {} of 4", low) : fmt::format("{}->{}", low, high);
  }
  Scalar const whole = a.half1.dot(a.half1) * a.half2.dot(a.half2);
  Scalar const sine_squared = Scalar(0) < whole ? Scalar(N1.dot(N1) / whole) : Scalar(1);
  if (through_parallel && sine_squared < Scalar(1) / 10000) return "through parallel";
  if (sine_squared < Scalar(1) / 2500) return "nearly parallel";
  if (before.interior != after.interior) return "closest pair reaches an end";
  if ((Scalar(0) < a.half1.dot(a.half2)) != (Scalar(0) < b.half1.dot(b.half2))) return "through perpendicular";
  return "";
}

// -------------------------------------------------------------------------------------------------------------- paths

inline constexpr double longest_half = 5;  // in R: shafts of up to 10 R

/// Returns whether the shapes and motions of a path are within the ranges from which the families draw, in any unit of
/// length.
inline bool within_search(Path<double> const& path) {
  double const R = path.radius1 + path.radius2;
  auto const within = [&](Motion<double> const& motion) {
    return motion.translation.norm() <= 20 * R && motion.turn.norm() <= 2;
  };
  return path.radius1 >= 0.1 * R && path.radius2 >= 0.1 * R && path.half1.norm() <= longest_half * R &&
         path.half2.norm() <= longest_half * R && (path.centre2 - path.centre1).norm() <= 12 * R &&
         (path.pivot - path.centre1).norm() <= 20 * R && within(path.motion) && within(path.across);
}

namespace detail {

using Vector = Vector3<double>;

inline Path<double> unmoved(Random& random) {
  Path<double> path;
  for (Vector* each : {&path.centre1, &path.half1, &path.centre2, &path.half2, &path.pivot, &path.motion.translation,
                       &path.motion.turn, &path.across.translation, &path.across.turn})
    each->setZero();
  path.radius1 = random.chance(0.4) ? 0.5 : random.uniform(0.15, 0.85);
  path.radius2 = 1 - path.radius1;
  return path;
}

inline double half_length(Random& random) {
  return random.chance(0.2) ? random.log_uniform(-2, 0) : random.uniform(0.2, longest_half);
}

/// Returns capsule 1 along x, and capsule 2 with the given direction. A point of axis 2 is above a point of axis 1. The
/// pivot is the middle between these two points.
inline Path<double> placed(Random& random, Vector const& direction2) {
  Path<double> path = unmoved(random);
  double const h1 = half_length(random), h2 = half_length(random);
  path.half1 = {h1, 0, 0};
  path.half2 = h2 * direction2;
  double const x = random.uniform(-h1, h1), y = random.uniform(-h2, h2), z = random.uniform(0.15, 0.97);
  path.centre2 = Vector(x, 0, z) - y * direction2;
  path.pivot = {x, 0, z / 2};
  return path;
}

/// Returns the path in a random frame and with a random unit of length, because quantities must be continuous in every
/// frame and unit.
inline Path<double> anywhere(Path<double> path, Random& random) {
  if (random.chance(0.3)) return path;
  Matrix3<double> const frame = rotation_in<double>(random);
  double const away = random.chance(0.5) ? 0 : 4;
  Vector const origin = away * cube_point(random);
  double const length = random.chance(0.5) ? 1.0 : std::ldexp(1.0, static_cast<int>(random.integer(-14, 6)));
  for (Vector* each : {&path.centre1, &path.centre2, &path.pivot}) *each = length * (origin + frame * *each);
  for (Vector* each : {&path.half1, &path.half2, &path.motion.translation, &path.across.translation})
    *each = length * (frame * *each);
  for (Vector* each : {&path.motion.turn, &path.across.turn}) *each = frame * *each;
  path.radius1 *= length;
  path.radius2 *= length;
  return path;
}

inline Path<double> translation(Random& random) {
  Path<double> path = placed(random, unit_direction(random));
  path.motion.translation = any_vector(random, -2, 0.7);
  return anywhere(path, random);
}
inline Path<double> turning(Random& random) {
  Path<double> path = placed(random, unit_direction(random));
  path.pivot += random.chance(0.5) ? Vector(0, 0, 0) : Vector(2 * cube_point(random));
  path.motion.turn = any_vector(random, -2, 0);
  return anywhere(path, random);
}
inline Path<double> screw(Random& random) {
  Path<double> path = turning(random);
  double const R = path.radius1 + path.radius2;
  path.motion.translation = R * any_vector(random, -2, 0.5);
  return path;
}

/// Draws a path on which the axes are exactly parallel at the middle of the motion. Their shadows (projections on the
/// common direction) may overlap or not.
inline Path<double> parallel(Random& random) {
  Path<double> path = placed(random, {random.sign(), 0, 0});
  if (random.chance(0.3)) path.centre2[1] = random.uniform(-0.5, 0.5);
  return path;
}
inline Path<double> tilting(Random& random) {
  Path<double> path = parallel(random);
  path.motion.turn = {0, random.log_uniform(-6, -0.3), 0};
  return path;
}
inline Path<double> twisting(Random& random) {
  Path<double> path = parallel(random);
  path.motion.turn = {0, 0, random.log_uniform(-6, -0.3)};
  return path;
}
inline Path<double> rolling(Random& random) {
  Path<double> path = parallel(random);
  Vector const turn = unit_direction(random);
  path.motion.turn = random.log_uniform(-5, -0.3) * turn;
  path.motion.translation = any_vector(random, -4, 0);
  return anywhere(path, random);
}
/// Draws a path on which the axes are parallel during the whole motion. Ends begin and cease to overlap in pairs.
inline Path<double> sliding(Random& random) {
  Path<double> path = parallel(random);
  path.motion.translation = {random.uniform(0.5, 5), 0, 0};
  return path;
}
/// Draws a path on which the axes are nearly parallel and capsule 2 slides along capsule 1.
inline Path<double> sliding_tilted(Random& random) {
  Path<double> path = parallel(random);
  Vector const tilt = any_vector(random, -4, -0.5);
  path.half2 = turned(tilt, path.half2);
  path.motion.translation = {random.uniform(0.5, 5), 0, 0};
  if (random.chance(0.5)) path.motion.turn = {0, 0, random.log_uniform(-3, -0.5)};
  return path;
}

/// Draws a path on which the axes cross, one above the other, at an angle from small to a right angle.
inline Path<double> crossed(Random& random) {
  double const tangent = random.chance(0.3) ? 1.0 : random.log_uniform(-1.5, 0);  // tangent of half the angle
  Vector const direction = turned(Vector(0, 0, tangent), Vector(1, 0, 0));
  return placed(random, direction);
}
inline Path<double> crossed_along(Random& random) {
  Path<double> path = crossed(random);
  Vector const direction = random.chance(0.5) ? of_length_1(path.half2) : Vector(1, 0, 0);
  path.motion.translation = random.uniform(0.2, 3) * direction;
  return path;
}
inline Path<double> crossed_turning(Random& random) {
  Path<double> path = crossed(random);
  path.motion.turn = {0, 0, random.log_uniform(-2, -0.2)};
  if (random.chance(0.3)) path.motion.turn += 0.3 * path.motion.turn.norm() * cube_point(random);
  return path;
}
/// Draws a path on which two equal capsules move like scissors. By symmetry, one end of each capsule comes close to the
/// other capsule at the same time.
inline Path<double> scissors(Random& random) {
  Path<double> path = unmoved(random);
  if (random.chance(0.5)) path.radius1 = path.radius2 = 0.5;
  double const h = random.uniform(0.5, longest_half), c = random.uniform(-1, 1) * h;
  path.half1 = path.half2 = {h, 0, 0};
  path.centre1 = {c, 0, 0};
  path.centre2 = {c, 0, random.uniform(0.15, 0.97)};
  path.motion.turn = {0, 0, random.log_uniform(-1.5, -0.1)};
  return path;
}
/// Draws a path on which the capsules are side by side and do not cross. Capsule 2 leans away from capsule 1, which is
/// longer.
inline Path<double> leaning(Random& random) {
  Path<double> path = unmoved(random);
  double const h1 = random.uniform(1, longest_half), h2 = random.uniform(0.1, 0.5) * h1;
  path.half1 = {h1, 0, 0};
  path.half2 = turned(Vector(0, -random.log_uniform(-2, -0.2), 0), Vector(h2, 0, 0));
  double const x = random.uniform(-1, 1) * (h1 - h2);
  path.centre2 = Vector(x, 0, random.uniform(0.2, 0.9)) + path.half2;
  path.pivot = path.centre2 - path.half2;
  path.motion.turn = {0, random.log_uniform(-2, -0.3), 0};
  if (random.chance(0.3)) path.motion.translation = {0, 0, random.uniform(-0.3, 0.3)};
  return path;
}

/// Draws a path on which capsule 2 comes into contact and separates again.
inline Path<double> passing(Random& random) {
  Path<double> path = placed(random, unit_direction(random));
  double const reach = path.half1.norm() + path.half2.norm() + 2.5;
  Vector const away = path.pivot - Vector(path.pivot[0], 0, 0);
  Vector const direction = unit_perpendicular(of_length_1(away), random);
  path.motion.translation = reach * direction;
  if (random.chance(0.7)) path.motion.turn = any_vector(random, -1.5, 0);
  return anywhere(path, random);
}
/// Draws a path on which capsule 2 swings about a far pivot, into contact and out again.
inline Path<double> swinging(Random& random) {
  Path<double> path = placed(random, random.chance(0.5) ? unit_direction(random) : Vector(random.sign(), 0, 0));
  path.pivot = {path.pivot[0], 0, random.uniform(3, 8)};
  double const turn = random.uniform(0.5, 1.5);
  path.motion.turn = turn * unit_perpendicular(Vector(0, 0, 1), random);
  return anywhere(path, random);
}

inline Path<double> loop(Random& random) {
  Path<double> path;
  switch (random.integer(0, 3)) {
    case 0:
      path = parallel(random);
      break;
    case 1:
      path = crossed(random);
      break;
    case 2:
      path = sliding_tilted(random);
      break;
    default:
      path = placed(random, unit_direction(random));
  }
  path.motion = capsule::continuity::small_motion(random, -0.5, 0.3);
  path.across = capsule::continuity::small_motion(random, -0.5, 0.3);
  return anywhere(path, random);
}

}  // namespace detail

inline std::span<Family<Path<double>> const> families() {
  static Family<Path<double>> const list[] = {
      {"translations", "any two capsules in contact, shifted in any direction", detail::translation},
      {"rotations", "any two capsules in contact, turned about any axis", detail::turning},
      {"screws", "rotated and shifted together", detail::screw},
      {"tilts_through_parallel", "tilted toward each other through exactly parallel axes", detail::tilting},
      {"twists_through_parallel", "twisted through exactly parallel axes", detail::twisting},
      {"through_parallel", "any small motion through exactly parallel axes, in any frame", detail::rolling},
      {"parallel_slides", "exactly parallel, shifted along: ends come and go", detail::sliding},
      {"tilted_slides", "nearly parallel, shifted along and twisted", detail::sliding_tilted},
      {"crossing_slides", "crossing axes, one shifted along an axis: ends come and go", detail::crossed_along},
      {"crossing_turns", "crossing axes, turned about the line between them", detail::crossed_turning},
      {"scissors", "two equal capsules that open and close like scissors", detail::scissors},
      {"leaning", "a short capsule that leans over a long one without crossing it", detail::leaning},
      {"passes", "from no contact through contact to no contact", detail::passing},
      {"swings", "from no contact, in and out again about a far pivot", detail::swinging},
      {"loops", "small closed loops of shifts and rotations", detail::loop, true},
  };
  return list;
}

/// Returns simpler paths: a path in the frame of capsule 1 (centre at the origin, axis along x, R = 1), a path with
/// equal radii, and paths with the pivot at one of the centres.
inline std::vector<Path<double>> simpler(Path<double> const& path) {
  std::vector<Path<double>> result;
  double const R = path.radius1 + path.radius2;
  if (path.half1.norm() > 0) {
    Matrix3<double> frame;
    Vector3<double> const x = path.half1.normalized();
    Vector3<double> const across = path.centre2 - path.centre1;
    Vector3<double> z = across - across.dot(x) * x;
    if (z.norm() < 1e-6 * R) z = x.cross(Vector3<double>::Unit(std::fabs(x[0]) < 0.5 ? 0 : 1)).normalized();
    frame.col(0) = x;
    frame.col(2) = z.normalized();
    frame.col(1) = frame.col(2).cross(x);
    Path<double> canonical = path;
    for (auto* each : {&canonical.centre1, &canonical.centre2, &canonical.pivot})
      *each = Vector3<double>(frame.transpose() * Vector3<double>(*each - path.centre1)) / R;
    for (auto* each :
         {&canonical.half1, &canonical.half2, &canonical.motion.translation, &canonical.across.translation})
      *each = Vector3<double>(frame.transpose() * *each) / R;
    for (auto* each : {&canonical.motion.turn, &canonical.across.turn}) *each = frame.transpose() * *each;
    canonical.half1[1] = canonical.half1[2] = 0;
    canonical.radius1 = path.radius1 / R;
    canonical.radius2 = 1 - canonical.radius1;
    result.push_back(canonical);
  }
  if (path.radius1 != path.radius2) {
    Path<double> equal = path;
    equal.radius1 = equal.radius2 = R / 2;
    result.push_back(equal);
  }
  Path<double> at_pivot = path;  // the simplest pivots are the two centres
  at_pivot.pivot = path.centre2;
  result.push_back(at_pivot);
  at_pivot.pivot = path.centre1;
  result.push_back(at_pivot);
  return result;
}

}  // namespace demeter::capsule_contact::continuity
