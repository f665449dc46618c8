// Continuity search for superquadric_box_test: one body is at rest, and the other moves rigidly. sigma_box has no unit.
// Motions are measured in the radius of the ball inscribed in the Minkowski sum of the boxes.
//
// Two edges can span a facet of the sum of the boxes. This facet appears or vanishes where the edges become parallel.
// The axis that decides sigma_box changes where the centre passes an edge of the sum. sigma_box is continuous in both
// events.
#pragma once

#include "properties/family/superquadric_laboratory.hpp"
#include "properties/superquadric_box_test.hpp"

namespace demeter::superquadric_box_test::continuity {

using namespace without_contacts;

using superquadric::laboratory::Path, superquadric::laboratory::simpler, superquadric::laboratory::within_search;

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  return {path.i, superquadric::laboratory::moved_body(path, t)};
}

/// The axis with the largest sigma, as a number, and this sigma. An axis is the normal of two edges. The largest sigma
/// is sigma_box.
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
inline constexpr std::string_view excluded = "the label jumps where sigma_box passes 1, as it should";

template <class Scalar>
Observation<Scalar, 1, 1> observe(Input<Scalar> const&, Output<Scalar> const& out) {
  Observation<Scalar, 1, 1> result;
  result.numbers[0] = out.sigma_box;
  result.counts = {out.sigma_box == out.sigma_box};
  return result;
}

// --------------------------------------------------------------------------------------------------------- geometry

/// Returns the axis that decides sigma_box, and whether the boxes are separated.
inline std::uint32_t state(Input<double> const& in) {
  auto const found = decision(in);
  return found.axis | (found.sigma > 1 ? 16u : 0u);
}

/// Returns the change of sigma_box that the contract's budgets allow as rounding.
inline std::array<double, 1> rounding(Input<double> const& in) {
  return {Contract::budgets[0].units * unit_roundoff * decision(in).sigma};
}

/// Returns a bound for the change of sigma_box: the motion of the centre of j, plus sigma times the motion of the ends
/// of j's edges. Both are divided by the radius of the ball inscribed in the sum of the boxes.
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

namespace detail {

using Vector = Vector3<double>;

using namespace superquadric::laboratory;

inline Path<double> drift(Random& random) {
  Input<double> const pair = properties::draw_typical(random);
  double const way = random.log_uniform(-2, 0.3);
  Vector const shift = way * unit_direction(random);
  return path_of(random, properties::placed(pair, random, 1), shifted(shift), nothing());
}
inline Path<double> rolling(Random& random) {
  Input<double> const pair = properties::draw_typical(random);
  Motion<double> const motion = any_motion(random, -2, -0.1);
  return path_of(random, properties::placed(pair, random, 1), motion, nothing());
}
/// Draws a path on which body j rotates. At s = 0, edges of the two boxes are parallel or nearly parallel.
inline Path<double> through_parallel(Random& random) {
  Quaternion<double> const relative = properties::parallel_turn(random);
  Input<double> const pair = properties::pair_with_turn(random, relative, -1.5);
  double const angle = random.log_uniform(-9, -0.5);
  Vector const turn = angle * unit_direction(random);
  return path_of(random, properties::placed(pair, random, 1), turned_only(turn), nothing());
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

}  // namespace demeter::superquadric_box_test::continuity
