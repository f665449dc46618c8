// The laboratory of the box test: one body rests, the other moves rigidly. sigma_box has no unit; motions are measured
// in the radius of the ball inside the sum of the boxes.
//
// The facets that two edges span appear and vanish where these become parallel, and the deciding axis changes along
// edges of the sum: sigma_box is continuous across both.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "kernels/motion.hpp"
#include "properties/superquadric_box_test.hpp"

namespace demeter::superquadric_box_test::continuity {

using namespace without_contacts;

/// A pair and the motion of j: along s in [-1, 1] if `across` is zero, otherwise round the rectangle [-1, 1]^2 of the
/// two motions together, back to where it began.
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

/// The quaternion of a Gibbs vector g is (1, g), of the length that it has.
template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  Moved<Scalar> const now = moved(path.motion, path.across, t);
  Input<Scalar> in{path.i, path.j};
  Quaternion<Scalar> const& q = path.j.orientation;
  Vector3<Scalar> const v(q[1], q[2], q[3]), g = now.turn;
  Vector3<Scalar> const turned = q[0] * g + v + g.cross(v);
  in.j.orientation = {Scalar(q[0] - g.dot(v)), turned[0], turned[1], turned[2]};
  in.j.position = path.j.position + now.shift;
  return in;
}

/// The axes as the definition has them; which one decides, and what it says.
template <class Scalar>
struct Decision {
  std::uint32_t axis = 0;
  Scalar sigma = Scalar(0);
};
template <class Scalar>
Decision<Scalar> decision(Input<Scalar> const& in) {
  std::array<Vector3<Scalar>, 6> edges;
  for (std::size_t m = 0; m < 6; ++m) edges[m] = properties::half_edge<Scalar>(m < 3 ? in.i : in.j, m % 3);
  Vector3<Scalar> const d = in.j.position - in.i.position;
  Scalar const zero(0);
  auto const size = [&](Scalar const& x) { return x < zero ? Scalar(-x) : x; };
  Decision<Scalar> result;
  std::uint32_t number = 0;
  for (std::size_t g = 0; g < 6; ++g)
    for (std::size_t h = g + 1; h < 6; ++h) {
      ++number;
      Vector3<Scalar> const normal = edges[g].cross(edges[h]);
      Scalar reach = zero;
      for (std::size_t m = 0; m < 6; ++m)
        if (m != g && m != h) reach += size(normal.dot(edges[m]));
      Scalar const along = size(normal.dot(d));
      if (zero < reach && result.sigma * reach < along) result = {number, Scalar(along / reach)};
    }
  return result;
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 1> quantities{{{"sigma_box", "", 0, 1}}};
inline constexpr std::string_view excluded = "the label jumps where sigma_box passes 1, as it is meant to";

template <class Scalar>
Observation<Scalar, 1, 1> observe(Input<Scalar> const&, Output<Scalar> const& out) {
  Observation<Scalar, 1, 1> result;
  result.numbers[0] = out.sigma_box;
  result.counts = {out.sigma_box == out.sigma_box};
  return result;
}

// --------------------------------------------------------------------------------------------------------- geometry

/// The deciding axis, and whether the boxes are separated.
inline std::uint32_t state(Input<double> const& in) {
  auto const found = decision(in);
  return found.axis | (found.sigma > 1 ? 16u : 0u);
}

/// What the contract allows rounding to move.
inline std::array<double, 1> rounding(Input<double> const& in) {
  return {Contract::budgets[0].units * unit_roundoff * decision(in).sigma};
}

/// The motion of the centre, and of the ends of j's edges as far as d is out, over the radius of the ball inside the
/// sum: sigma_box changes by no more.
inline double motion(Input<double> const& a, Input<double> const& b) {
  double edges = 0;
  for (std::size_t k = 0; k < 3; ++k)
    edges += (properties::half_edge<double>(b.j, k) - properties::half_edge<double>(a.j, k)).norm();
  double const centre = (b.j.position - a.j.position).norm();
  return (centre + decision(a).sigma * edges) / static_cast<double>(properties::inner_radius(a));
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  auto const name = [](std::uint32_t axis) {
    return axis == 0 ? "none" : "the normal of facet " + std::to_string(axis);
  };
  std::uint32_t const before = decision(a).axis, after = decision(b).axis;
  return before == after ? "" : name(before) + " to " + name(after);
}

// -------------------------------------------------------------------------------------------------------------- paths

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

namespace detail {

using Vector = Vector3<double>;

/// A pair of about unit size, j near contact, in any unit of length.
inline Path<double> path_of(Random& random, Input<double> const& pair, Motion<double> const& motion,
                            Motion<double> const& across) {
  double const size = random.chance(0.5) ? 1 : std::ldexp(1.0, static_cast<int>(random.integer(-14, 6)));
  Path<double> path{pair.i, pair.j, motion, across};
  return scaled_by(path, size);
}

inline Motion<double> nothing() { return {Vector::Zero(), Vector::Zero()}; }
inline Motion<double> any_motion(Random& random, double low, double high) {
  double const way = random.log_uniform(low, high), angle = random.log_uniform(low, high);
  Vector const shift = way * unit_direction(random), turn = angle * unit_direction(random);
  return {shift, turn};
}

inline Path<double> drift(Random& random) {
  Input<double> const pair = properties::draw_typical(random);
  double const way = random.log_uniform(-2, 0.3);
  Vector const shift = way * unit_direction(random);
  return path_of(random, properties::placed(pair, random, 1), {shift, Vector::Zero()}, nothing());
}
inline Path<double> rolling(Random& random) {
  Input<double> const pair = properties::draw_typical(random);
  Motion<double> const motion = any_motion(random, -2, -0.1);
  return path_of(random, properties::placed(pair, random, 1), motion, nothing());
}
/// Edges are parallel at s = 0, or nearly so.
inline Path<double> through_parallel(Random& random) {
  Quaternion<double> const relative = properties::parallel_turn(random);
  Input<double> const pair = properties::pair_with_turn(random, relative, -1.5);
  double const angle = random.log_uniform(-9, -0.5);
  Vector const turn = angle * unit_direction(random);
  return path_of(random, properties::placed(pair, random, 1), {Vector::Zero(), turn}, nothing());
}
inline Path<double> round_trip(Random& random) {
  Quaternion<double> const relative = properties::parallel_turn(random);
  Input<double> const pair = properties::pair_with_turn(random, relative, -1.5);
  Motion<double> const motion = any_motion(random, -3, -0.5), across = any_motion(random, -3, -0.5);
  return path_of(random, properties::placed(pair, random, 1), motion, across);
}

}  // namespace detail

inline std::span<Family<Path<double>> const> families() {
  static Family<Path<double>> const list[] = {
      {"drift", "j moves along a line near contact", detail::drift},
      {"rolling", "j moves and turns", detail::rolling},
      {"through_parallel", "j turns through edges that are parallel to those of i", detail::through_parallel},
      {"round_trip", "two motions of j round a rectangle, near parallel edges", detail::round_trip, true},
  };
  return list;
}

/// Both near the origin; i along the axes of the frame; no second motion.
inline std::vector<Path<double>> simpler(Path<double> const& path) {
  std::vector<Path<double>> candidates(2, path);
  candidates[0].j.position -= path.i.position;
  candidates[0].i.position.setZero();
  candidates[1].i.n1 = candidates[1].i.n2 = candidates[1].j.n1 = candidates[1].j.n2 = 2;
  return candidates;
}

}  // namespace demeter::superquadric_box_test::continuity
