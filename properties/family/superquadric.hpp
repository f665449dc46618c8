// Draws pairs of superquadrics, for the regimes of superquadric_contact and superquadric_depth. A pair is any record
// with the members i and j.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/family/superquadric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace demeter::superquadric::pairs {

using Body = Superquadric<double>;
using Point = Vector3<double>;

/// Returns an exponent. In one case of ten it is 2, otherwise log-uniform between 2 and 10^`largest_log`. The
/// logarithms of 2, 20 and 200 are constants, so that no function of the mathematical library is called.
inline double draw_exponent(Random& random, double largest_log) {
  constexpr double log_2 = 0.3010299956639812;
  if (random.chance(0.1)) return 2;
  double const n = random.log_uniform(log_2, largest_log);
  return std::min(std::max(n, 2.0), 200.0);
}
constexpr double log_20 = 1.3010299956639813, log_200 = 2.3010299956639813;

/// Returns a body with any orientation. Its semi-axes are log-uniform from 10^-`aspect_log` to 1, its exponents from 2
/// to 10^`largest_log`.
inline Body draw_body(Random& random, double largest_log, double aspect_log) {
  Body body;
  body.position = Point::Zero();
  body.orientation = unit_quaternion(random);
  for (double& axis : body.semi_axes) axis = random.log_uniform(-aspect_log, 0);
  body.n1 = draw_exponent(random, largest_log);
  body.n2 = draw_exponent(random, largest_log);
  return body;
}

/// Returns half of edge k of the box of a body, as a vector.
template <class Scalar, class Of>
Vector3<Scalar> half_edge(Of const& of, std::size_t k) {
  Scalar const w = of.orientation[0], x = of.orientation[1], y = of.orientation[2], z = of.orientation[3];
  Scalar const square = w * w + x * x + y * y + z * z, two(2);
  Scalar const half = of.semi_axes[static_cast<Index>(k)], factor = half / square, twice = two * factor;
  if (k == 0) return {(w * w + x * x - y * y - z * z) * factor, (x * y + w * z) * twice, (x * z - w * y) * twice};
  if (k == 1) return {(x * y - w * z) * twice, (w * w - x * x + y * y - z * z) * factor, (y * z + w * x) * twice};
  return {(x * z + w * y) * twice, (y * z - w * x) * twice, (w * w - x * x - y * y + z * z) * factor};
}

/// Returns an upper bound of the distance from the centre to any point of the body.
inline double reach(Body const& body) { return body.semi_axes.norm(); }
inline double least_axis(Body const& body) { return body.semi_axes.minCoeff(); }

/// Places j beside i in a random direction. The distance is between 0.1 times the sum of the smallest semi-axes and 1.2
/// times the sum of the reaches, so that all statuses occur.
template <class Case>
void put_beside(Case& in, Random& random) {
  double const far = 1.2 * (reach(in.i) + reach(in.j)), near = 0.1 * (least_axis(in.i) + least_axis(in.j));
  Point const direction = unit_direction(random);
  double const distance = random.uniform(near, far);
  in.j.position = distance * direction;
}

/// Enlarges the smaller body if the ratio of the sizes is outside the domain.
template <class Case>
void even_out(Case& in) {
  double const most = 0.9 * most_unequal_superquadrics, i = in.i.semi_axes.maxCoeff(), j = in.j.semi_axes.maxCoeff();
  if (most * j < i) in.j.semi_axes *= i / (most * j);
  if (most * i < j) in.i.semi_axes *= j / (most * i);
}

template <class Case>
Case draw_pair(Random& random, double largest_log, double aspect_log) {
  Case in;
  in.i = draw_body(random, largest_log, aspect_log);
  in.j = draw_body(random, largest_log, aspect_log);
  even_out(in);
  put_beside(in, random);
  return in;
}

constexpr double aspect_5 = 0.69, aspect_50 = 1.69;

template <class Case>
Case draw_typical(Random& random) {
  return draw_pair<Case>(random, log_20, aspect_5);
}

template <class Case>
Case draw_ellipsoids(Random& random) {
  Case in = draw_typical<Case>(random);
  in.i.n1 = in.i.n2 = in.j.n1 = in.j.n2 = 2;
  return in;
}

/// Draws bodies whose faces lie on each other along z. The faces are exactly parallel or tilted by 1e-14 to 1e-2.
template <class Case>
Case draw_faces(Random& random) {
  Case in = draw_pair<Case>(random, log_20, aspect_5);
  in.i.orientation = {1, 0, 0, 0};
  double const tilt = random.chance(0.3) ? 0 : random.log_uniform(-14, -2);
  Point const turn = tilt * cube_point(random);
  in.j.orientation = {1, turn[0], turn[1], turn[2]};
  double const sigma = random.uniform(0.5, 1.1), height = in.i.semi_axes[2] + in.j.semi_axes[2];
  double const x = random.uniform(-0.2, 0.2), y = random.uniform(-0.2, 0.2);
  in.j.position = {x * in.i.semi_axes[0], y * in.i.semi_axes[1], sigma * height};
  return in;
}

/// Draws bodies whose own axes are along the axes of the frame: edges, corners and faces meet. The centre of j is often
/// in a coordinate plane or on an axis.
template <class Case>
Case draw_lattice(Random& random) {
  Case in = draw_pair<Case>(random, log_20, aspect_5);
  in.i.orientation = axis_rotation(random);
  in.j.orientation = axis_rotation(random);
  Point place = cube_point(random);
  for (double& x : place)
    if (random.chance(0.3)) x = 0;
  if (place.isZero()) place[0] = 1;
  in.j.position = 1.5 * place;
  return in;
}

/// Draws pairs in which the centre of j is on an axis of i.
template <class Case>
Case draw_coaxial(Random& random) {
  Case in = draw_typical<Case>(random);
  in.i.orientation = {1, 0, 0, 0};
  Point place = Point::Zero();
  std::int64_t const axis = random.integer(0, 2);
  place[axis] = random.uniform(0.2, 2.5);
  in.j.position = place;
  if (random.chance(0.5)) in.j.orientation = {1, 0, 0, 0};
  return in;
}

/// Returns the point of an ellipsoid that is farthest along a direction. The point is relative to the centre.
inline Point farthest(Body const& of, Point const& along) {
  Point sum = Point::Zero();
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    Point const edge = half_edge<double>(of, k);
    double const share = edge.dot(along);
    sum += share * edge;
    square += share * share;
  }
  return sum / std::sqrt(square);
}
/// Draws two ellipsoids that touch up to rounding, or nearly touch.
template <class Case>
Case draw_just_separated(Random& random) {
  Case in = draw_ellipsoids<Case>(random);
  Point const normal = unit_direction(random);
  double const off = off_a_threshold(random);
  in.j.position = (1 + off) * (farthest(in.i, normal) + farthest(in.j, normal));
  return in;
}

/// Draws two bodies that touch or nearly touch along an axis: spheres, or rounded cubes with exponents 3 to 20. Their
/// numbers have few bits.
template <class Case>
Case draw_touching(Random& random) {
  Case in;
  auto const size = [&] { return std::ldexp(static_cast<double>(random.integer(1, 31)), -5); };
  for (Body* body : {&in.i, &in.j}) {
    double const radius = size();
    body->semi_axes = {radius, radius, radius};
    body->position = Point::Zero();
    body->orientation = {1, 0, 0, 0};
    double const n = random.chance(0.5) ? 2 : static_cast<double>(random.integer(3, 20));
    body->n1 = body->n2 = n;
  }
  std::int64_t const axis = random.integer(0, 2);
  double const distance = random.sign() * (in.i.semi_axes[0] + in.j.semi_axes[0]);
  in.j.position[axis] = distance;
  double const off = off_a_threshold(random);
  in.j.position[axis] = random.chance(0.25) ? random.nudge(distance, 3) : distance * (1 + off);
  return in;
}

template <class Case>
Case draw_concentric(Random& random) {
  Case in = draw_typical<Case>(random);
  double const off = random.chance(0.3) ? 0 : std::fabs(off_a_threshold(random));
  in.j.position = in.i.position + (off * least_axis(in.i)) * unit_direction(random);
  return in;
}

template <class Case>
Case draw_sharp(Random& random) {
  return draw_pair<Case>(random, log_200, aspect_5);
}
template <class Case>
Case draw_slender(Random& random) {
  return draw_pair<Case>(random, log_200, aspect_50);
}

template <class Case>
Case draw_needles(Random& random) {
  Case in = draw_typical<Case>(random);
  for (Body* body : {&in.i, &in.j}) {
    double const length = random.log_uniform(1, 2);
    body->semi_axes[2] = length * body->semi_axes[2];
  }
  even_out(in);
  put_beside(in, random);
  return in;
}

/// Draws a body beside a body whose largest semi-axis is 3 to 8000 times as large.
template <class Case>
Case draw_unequal(Random& random) {
  Case in = draw_typical<Case>(random);
  double const ratio = random.log_uniform(0.5, 3.9), share = random.uniform(0.6, 1.2);
  in.j.semi_axes *= ratio * in.i.semi_axes.maxCoeff() / in.j.semi_axes.maxCoeff();
  Point const direction = unit_direction(random);
  double const distance = share * reach(in.j);
  in.j.position = distance * direction;
  return in;
}

template <class Case>
Case draw_far_sizes(Random& random) {
  Case const in = draw_typical<Case>(random);
  double const size = signed_log_uniform(random, -150, 150);
  return scaled_by(in, std::fabs(size));
}

template <class Case>
Case draw_long_quaternions(Random& random) {
  Case in = draw_typical<Case>(random);
  for (Body* body : {&in.i, &in.j}) body->orientation *= quaternion_length(random);
  return in;
}
template <class Case>
Case draw_range_of_quaternion(Random& random) {
  Case in = draw_typical<Case>(random);
  for (Body* body : {&in.i, &in.j}) body->orientation *= random.log_uniform(-100, 100);
  return in;
}

// ------------------------------------------------------------------------------------------------------ regimes

/// Returns one list of the regimes that superquadric_contact and superquadric_depth share and of the regimes of one of
/// them. `everyday` is inserted before the degenerate regimes, and `others` before the regimes at the limits of the
/// domain.
template <class Contract, class Case = typename Contract::template Input<double>>
std::vector<Regime<Case>> regimes_with(std::vector<Regime<Case>> const& everyday,
                                       std::vector<Regime<Case>> const& others) {
  std::vector<Regime<Case>> all{
      {"typical", Profile::everyday,
       "exponents 2 to 20, aspect ratio up to 5, any orientation, any distance; sizes of 10 um to 10 m",
       sized<draw_typical<Case>>},
      {"ellipsoids", Profile::everyday, "as typical, with all exponents 2", sized<draw_ellipsoids<Case>>}};
  auto const add = [&](std::vector<Regime<Case>> const& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(everyday);
  add({{"faces", Profile::degenerate, "faces in contact, aligned or tilted by 1e-14 to 1e-2", sized<draw_faces<Case>>},
       {"lattice", Profile::degenerate, "orientations that map axes to axes: edges, corners, faces",
        sized<draw_lattice<Case>>},
       {"coaxial", Profile::degenerate, "one centre on an axis of the other body", sized<draw_coaxial<Case>>},
       {"touching", Profile::degenerate,
        "bodies with numbers of few bits that touch, exactly or up to ulps or 1e-15 to 1e-3",
        sized_exactly<draw_touching<Case>>},
       {"concentric", Profile::degenerate, "equal centres, or 1e-15 to 1e-3 semi-axes apart",
        sized<draw_concentric<Case>>},
       {"sharp", Profile::degenerate, "exponents up to 200, aspect ratio up to 5", sized<draw_sharp<Case>>},
       {"slender", Profile::degenerate, "exponents up to 200, aspect ratio up to 50", sized<draw_slender<Case>>},
       {"needles", Profile::degenerate, "aspect ratios of 10 to 100 and more", sized<draw_needles<Case>>},
       {"unequal", Profile::extreme, "one body 3 to 8,000 times as large as the other", sized<draw_unequal<Case>>}});
  add(others);
  add({{"far_sizes", Profile::extreme, "typical pairs of 1e-150 to 1e150", draw_far_sizes<Case>},
       {"long_quaternions", Profile::degenerate, "quaternions with lengths of 0.01 to 100, or nearly 1",
        sized<draw_long_quaternions<Case>>},
       {"signed_zeros", Profile::degenerate, "some numbers are -0",
        with_negative_zeros<Contract, sized<draw_lattice<Case>>>},
       {"range_of_quaternion", Profile::extreme, "quaternions with lengths of 1e-100 to 1e100",
        sized<draw_range_of_quaternion<Case>>},
       {"just_separated", Profile::degenerate,
        "ellipsoids that touch, exactly or up to 1e-15 to 1e-3 of their distance", sized<draw_just_separated<Case>>}});
  return all;
}

// -------------------------------------------------------------------------------------------- two cases of a law

template <class Case>
void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) {
  Case other = in;
  std::swap(other.i, other.j);
  inputs.push_back(other);
}

/// Derives quaternions with another sign, or with a length multiplied by a power of two. They represent the same
/// orientations.
template <class Case>
void derive_quaternion(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  double const factor = random.sign() * std::ldexp(1.0, static_cast<int>(random.integer(-3, 3)));
  for (Body* body : {&other.i, &other.j})
    for (double& x : body->orientation) x *= factor;
  if (superquadric_error("", other.i) || superquadric_error("", other.j)) return;
  inputs.push_back(other);
}

/// Derives a case in which one semi-axis or exponent of one body is larger.
template <class Case>
void derive_larger(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  Body& body = random.chance(0.5) ? other.i : other.j;
  double const more = 1 + random.unit();
  std::int64_t const which = random.integer(0, 4);
  if (which < 3)
    body.semi_axes[which] *= more;
  else if (which == 3)
    body.n1 = std::min(200.0, more * body.n1);
  else
    body.n2 = std::min(200.0, more * body.n2);
  if (!superquadrics_error(other.i, other.j)) inputs.push_back(other);
}

/// Derives the case after a small translation of j.
template <class Case>
void derive_step(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  double const size = random.log_uniform(-12, -1) * least_axis(in.j);
  Point const step = size * unit_direction(random);
  for (Index k = 0; k < 3; ++k) other.j.position[k] += step[k];
  inputs.push_back(other);
}

/// Returns whether all numbers except quaternions are 0 or have magnitudes between 2^-900 and 2^900. The differences of
/// the positions must satisfy this too.
template <class Case>
bool stays_normal(Case const& in) {
  auto const is_normal = [](double x) { return x == 0 || std::abs(std::ilogb(x)) < 900; };
  bool fine = true;
  for_each_quantity(in, [&](auto const& quantity, auto const& field) {
    if (field.kind == Kind::quaternion) return;
    for_each_number(quantity, [&](double x) { fine = fine && is_normal(x); });
  });
  Point const d = in.j.position - in.i.position;
  for (double const x : d) fine = fine && is_normal(x);
  return fine;
}

/// Returns whether a kernel has this symmetry. Only mirrors and half turns are symmetries. The body's own axes must
/// keep their order, because the exponents distinguish them.
inline bool turns(CubeMotion const& motion) { return motion.from == std::array<Index, 3>{0, 1, 2}; }

}  // namespace demeter::superquadric::pairs
