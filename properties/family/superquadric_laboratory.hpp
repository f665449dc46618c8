// Common code of the continuity searches for two superquadrics: one body is at rest, and the other moves rigidly.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "kernels/motion.hpp"
#include "properties/family/superquadric.hpp"

#include <cmath>
#include <utility>

namespace demeter::superquadric::laboratory {

/// A pair and the motion of j. If `across` is zero, the path runs along s in [-1, 1]. Otherwise the path is a closed
/// loop around the rectangle [-1, 1]^2 of the motions `motion` and `across`.
template <class Scalar>
struct Path {
  Superquadric<Scalar> i, j;
  Motion<Scalar> motion, across;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Path::i, "", "the first body, which rests"),
        field("j", &Path::j, "", "the second body at the middle of its motion"),
        field("motion", &Path::motion, "", "the motion of j at s = 1; s = 2 t - 1"),
        field("across", &Path::across, "", "a second motion; if it is not zero the path is a closed loop"),
    };
  }
};

/// Returns j at parameter t of the path. A rotation by the Gibbs vector g has the quaternion (1, g), whose length is
/// not 1.
template <class Scalar>
Superquadric<Scalar> moved_body(Path<Scalar> const& path, Scalar const& t) {
  Moved<Scalar> const now = moved(path.motion, path.across, t);
  Quaternion<Scalar> const& q = path.j.orientation;
  Vector3<Scalar> const v(q[1], q[2], q[3]), g = now.turn;
  Vector3<Scalar> const turned = q[0] * g + v + g.cross(v);
  Superquadric<Scalar> j = path.j;
  j.orientation = {Scalar(q[0] - g.dot(v)), turned[0], turned[1], turned[2]};
  j.position = path.j.position + now.shift;
  return j;
}

/// Returns whether the sizes, aspect ratios and motions of a path are in the ranges from which the families draw.
inline bool within_search(Path<double> const& path) {
  for (auto const* of : {&path.i, &path.j}) {
    double const largest = of->semi_axes.maxCoeff(), least = of->semi_axes.minCoeff();
    if (!(least > 0.005 * largest) || !about_length_1(of->orientation)) return false;
  }
  double const one = path.i.semi_axes.maxCoeff(), other = path.j.semi_axes.maxCoeff();
  double const size = std::max(one, other);
  if (!(std::min(one, other) > 0.05 * size)) return false;
  for (auto const* motion : {&path.motion, &path.across})
    if (!(motion->translation.norm() <= 4 * size) || !(motion->turn.norm() <= 1)) return false;
  return (path.j.position - path.i.position).norm() <= 8 * size;
}

/// Returns the path of a pair of about unit size, with a random unit of length. `Pair` is any record with the members i
/// and j.
template <class Pair>
Path<double> path_of(Random& random, Pair const& pair, Motion<double> const& motion, Motion<double> const& across) {
  double const size = random.chance(0.5) ? 1 : std::ldexp(1.0, static_cast<int>(random.integer(-14, 6)));
  Path<double> path{pair.i, pair.j, motion, across};
  return scaled_by(path, size);
}

inline Motion<double> nothing() { return {Vector3<double>::Zero(), Vector3<double>::Zero()}; }
inline Motion<double> shifted(Vector3<double> const& shift) { return {shift, Vector3<double>::Zero()}; }
inline Motion<double> turned_only(Vector3<double> const& turn) { return {Vector3<double>::Zero(), turn}; }
inline Motion<double> any_motion(Random& random, double low, double high) {
  double const way = random.log_uniform(low, high), angle = random.log_uniform(low, high);
  Vector3<double> const shift = way * unit_direction(random), turn = angle * unit_direction(random);
  return {shift, turn};
}

/// Returns two simpler paths: one with body i at the origin, one with all exponents equal to 2.
inline std::vector<Path<double>> simpler(Path<double> const& path) {
  std::vector<Path<double>> candidates(2, path);
  candidates[0].j.position -= path.i.position;
  candidates[0].i.position.setZero();
  candidates[1].i.n1 = candidates[1].i.n2 = candidates[1].j.n1 = candidates[1].j.n2 = 2;
  return candidates;
}

/// Returns the octant of each centre in the frame of the other body. An octant changes where a centre passes through a
/// plane of symmetry.
template <class Scalar>
std::uint32_t octants(Superquadric<Scalar> const& i, Superquadric<Scalar> const& j) {
  Vector3<Scalar> const d = j.position - i.position;
  std::uint32_t state = 0;
  for (auto const* of : {&i, &j})
    for (std::size_t k = 0; k < 3; ++k)
      state = 2 * state + (pairs::half_edge<Scalar>(*of, k).dot(d) < Scalar(0) ? 1u : 0u);
  return state;
}

/// Returns the motion of j's centre plus the motions of the ends of j's half-edges, divided by `unit`.
inline double motion(Superquadric<double> const& before, Superquadric<double> const& after, double unit) {
  double way = (after.position - before.position).norm();
  for (std::size_t k = 0; k < 3; ++k)
    way += (pairs::half_edge<double>(after, k) - pairs::half_edge<double>(before, k)).norm();
  return way / unit;
}

// ------------------------------------------------------------------------ paths of pairs that are about to touch

/// A pair of bodies, for the functions that draw regimes.
struct Pair {
  Superquadric<double> i, j;
};

/// Draws a path on which j moves along the line of the centres. The centres do not meet.
inline Path<double> approach(Random& random) {
  Pair const pair = pairs::draw_typical<Pair>(random);
  double const share = random.uniform(0.05, 0.8);
  Vector3<double> const shift = share * pair.j.position;
  return path_of(random, pair, shifted(shift), nothing());
}
inline Path<double> drift(Random& random) {
  Pair const pair = pairs::draw_typical<Pair>(random);
  double const way = random.log_uniform(-2, 0.3);
  Vector3<double> const shift = way * unit_direction(random);
  return path_of(random, pair, shifted(shift), nothing());
}
inline Path<double> rolling(Random& random) {
  Pair const pair = pairs::draw_typical<Pair>(random);
  Motion<double> const motion = any_motion(random, -2, -0.1);
  return path_of(random, pair, motion, nothing());
}
/// Draws a path on which j rotates. At s = 0, faces of the bodies lie on each other, exactly or nearly.
inline Path<double> tilting(Random& random) {
  Pair const pair = pairs::draw_faces<Pair>(random);
  double const angle = random.log_uniform(-9, -0.5);
  Vector3<double> const turn = angle * unit_direction(random);
  return path_of(random, pair, turned_only(turn), nothing());
}
/// Draws a path on which j moves. At s = 0, the own axes of both bodies are along the axes of one frame: edges, corners
/// and faces meet.
inline Path<double> through_corners(Random& random) {
  Pair const pair = pairs::draw_lattice<Pair>(random);
  Motion<double> const motion = any_motion(random, -6, -0.5);
  return path_of(random, pair, motion, nothing());
}
inline Path<double> round_trip(Random& random) {
  Pair const pair = pairs::draw_typical<Pair>(random);
  Motion<double> const motion = any_motion(random, -3, -0.5), across = any_motion(random, -3, -0.5);
  return path_of(random, pair, motion, across);
}

/// Returns the families. Exponents are at most 20. With larger exponents, the contact point of a flat face jumps to the
/// other side of the face when the orientation differs from the aligned orientation by only 1e-80.
inline std::span<Family<Path<double>> const> families() {
  static Family<Path<double>> const list[] = {
      {"approach", "j moves along the line of the centres", approach},
      {"drift", "j moves along any line", drift},
      {"rolling", "j moves and turns", rolling},
      {"tilting", "j turns through faces that lie on each other", tilting},
      {"corners", "j moves through edges and corners along the axes of one frame", through_corners},
      {"round_trip", "two motions of j round a rectangle", round_trip, true},
  };
  return list;
}

template <class Scalar>
std::string transition(Superquadric<Scalar> const& i, Superquadric<Scalar> const& before,
                       Superquadric<Scalar> const& after) {
  return octants<Scalar>(i, before) == octants<Scalar>(i, after) ? "" : "through a plane of symmetry";
}

}  // namespace demeter::superquadric::laboratory
