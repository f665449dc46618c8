// Continuity search for clump_union_mass_properties: balls move along lines and grow. The natural units are the clump's
// size L and the density.
//
// Volume, surface, centroid and inertia are continuous when balls move, touch or swallow each other, and when spheres
// pass through a common circle or point. The principal axes are not continuous where two moments are equal.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "properties/core/generators.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::clump_union_mass_properties::continuity {

using namespace without_contacts;

/// A ball and its motion. `centre` and `radius` are the values at the middle of the motion.
template <class Scalar>
struct Moving {
  Vector3<Scalar> centre;
  Scalar radius;
  Vector3<Scalar> shift;
  Scalar growth;

  static constexpr auto fields() {
    return std::tuple{
        field("centre", &Moving::centre, unit::metre, "centre at s = 0"),
        field("radius", &Moving::radius, unit::metre, "radius at s = 0"),
        field("shift", &Moving::shift, unit::metre, "shift of the centre at s = 1"),
        field("growth", &Moving::growth, unit::metre, "growth of the radius at s = 1"),
    };
  }
};

/// A path: the motion of several balls along s = 2 t - 1 from -1 to 1.
template <class Scalar>
struct Path {
  Scalar density;
  std::vector<Moving<Scalar>> balls;

  static constexpr auto fields() {
    return std::tuple{
        field("density", &Path::density, unit::density, "mass per volume"),
        field("balls", &Path::balls, unit::none, "the balls, each with its motion along s = 2 t - 1"),
    };
  }
};

template <class Scalar>
Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
  Scalar const s = Scalar(2) * t - Scalar(1);
  Input<Scalar> in{path.density, {}};
  for (auto const& ball : path.balls) {
    Vector3<Scalar> const centre = ball.centre + s * ball.shift;
    in.balls.push_back({centre, Scalar(ball.radius + s * ball.growth)});
  }
  return in;
}

/// Returns L, the largest distance along a coordinate axis from the centre of the first ball to a point of any ball. L
/// does not change faster than the balls move. A small ball that shrinks inside others does not change L.
template <class Scalar>
Scalar size_of(Input<Scalar> const& in) {
  Scalar size(0);
  for (auto const& ball : in.balls)
    for (Index axis = 0; axis < 3; ++axis) {
      Scalar const along = ball.centre[axis] - in.balls.front().centre[axis];
      Scalar const reach = (along < Scalar(0) ? Scalar(-along) : along) + ball.radius;
      if (size < reach) size = reach;
    }
  return size;
}

// -------------------------------------------------------------------------------------------------------- observation

inline constexpr std::array<Quantity, 5> quantities{{
    {"volume", "L^3", 0, 1},
    {"centroid", "L", 1, 3},
    {"inertia", "rho L^5", 4, 6},
    {"surface_area", "L^2", 10, 1},
    {"principal", "rho L^5", 11, 3, false, true},
}};
inline constexpr std::string_view excluded =
    "L is how far the balls reach from the first one's centre, from which the centroid is taken; the orientation of "
    "the axes is not compared: it jumps where moments "
    "agree";

template <class Scalar>
Observation<Scalar, 14, 5> observe(Input<Scalar> const& in, Output<Scalar> const& out) {
  Observation<Scalar, 14, 5> result;
  Scalar const L = size_of(in), square = L * L, fifth = in.density * square * square * L;
  result.numbers[0] = out.volume / (square * L);
  for (std::size_t i = 0; i < 3; ++i) {
    auto const axis = static_cast<Index>(i);
    result.numbers[1 + i] = (out.centroid[axis] - in.balls.front().centre[axis]) / L;
    result.numbers[11 + i] = out.principal[axis] / fifth;
  }
  for (std::size_t i = 0; i < 6; ++i) result.numbers[4 + i] = out.inertia[static_cast<Index>(i)] / fifth;
  result.numbers[10] = out.surface_area / square;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    bool& counts = result.counts[k] = true;
    for (std::size_t i = quantities[k].first; i < quantities[k].first + quantities[k].count; ++i)
      counts = counts && result.numbers[i] == result.numbers[i];
  }
  return result;
}

// --------------------------------------------------------------------------------------------------------- geometry

/// Returns the relation of two balls: 0 apart, 1 overlapping, 2 one inside the other.
template <class Scalar>
int relation(Ball<Scalar> const& a, Ball<Scalar> const& b) {
  Vector3<Scalar> const between = b.centre - a.centre;
  Scalar const square = between.dot(between), sum = a.radius + b.radius, step = a.radius - b.radius;
  if (!(square < sum * sum)) return 0;
  return square < step * step ? 2 : 1;
}

/// Returns whether the three spheres pass through two common points. In the plane of the centres, one point has equal
/// power (squared distance minus squared radius) to all three spheres. The spheres have two common points if this point
/// is inside them.
template <class Scalar>
bool meet(Ball<Scalar> const& a, Ball<Scalar> const& b, Ball<Scalar> const& c) {
  Vector3<Scalar> const e = b.centre - a.centre, f = c.centre - a.centre;
  Scalar const ee = e.dot(e), ff = f.dot(f), ef = e.dot(f), gram = ee * ff - ef * ef;
  // The point of equal power is x = (s e + t f) / gram relative to the centre of a, with e.x = p and f.x = q.
  Scalar const p = (ee + (a.radius - b.radius) * (a.radius + b.radius)) / Scalar(2);
  Scalar const q = (ff + (a.radius - c.radius) * (a.radius + c.radius)) / Scalar(2);
  Scalar const s = p * ff - q * ef, t = q * ee - p * ef;
  return s * p + t * q < a.radius * a.radius * gram;
}

/// Returns a hash of the relations of all pairs and triples of balls. The hash changes when a relation changes.
inline std::uint32_t state(Input<double> const& in) {
  std::uint32_t mixed = 2166136261u;  // FNV-1a
  auto const mix = [&](int value) { mixed = (mixed ^ static_cast<std::uint32_t>(value)) * 16777619u; };
  auto const& balls = in.balls;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      mix(relation(balls[j], balls[i]));
      for (std::size_t k = 0; k < j; ++k) mix(meet(balls[k], balls[j], balls[i]) ? 1 : 0);
    }
  return mixed;
}

/// Returns, for each quantity, the change that the contract's budgets allow as rounding, in natural units.
inline std::array<double, 5> rounding(Input<double> const& in) {
  auto const scale = Contract::scale(in);
  long double const L = size_of(in), u = unit_roundoff;
  auto const of = [&](std::size_t budget, long double size) {
    return static_cast<double>(Contract::budgets[budget].units * u * size);
  };
  long double const square = L * L, fifth = in.density * square * square * L;
  return {of(0, scale.volume / (square * L)), of(3, scale.centroid.maxCoeff() / L), of(4, scale.inertia[0] / fifth),
          of(1, scale.surface_area / square), of(5, scale.principal[0] / fifth)};
}

/// Returns the sum of the motions and the growths of all balls, divided by L.
inline double motion(Input<double> const& a, Input<double> const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.balls.size(); ++i)
    sum += (b.balls[i].centre - a.balls[i].centre).norm() + std::fabs(b.balls[i].radius - a.balls[i].radius);
  return sum / size_of(a);
}

template <class Scalar>
std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
  std::size_t const count = a.balls.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      int const before = relation(a.balls[j], a.balls[i]), after = relation(b.balls[j], b.balls[i]);
      if (before == after) continue;
      return std::min(before, after) == 0 ? "two touch" : "one swallows another";
    }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (meet(a.balls[k], a.balls[j], a.balls[i]) != meet(b.balls[k], b.balls[j], b.balls[i])) return "three meet";
  return "";
}

// -------------------------------------------------------------------------------------------------------------- paths

inline bool within_search(Path<double> const& path) {
  double largest = 0;
  for (auto const& ball : path.balls) largest = std::max(largest, ball.radius);
  if (!(path.density > 0) || path.balls.empty() || path.balls.size() > 6) return false;
  return std::all_of(path.balls.begin(), path.balls.end(), [&](Moving<double> const& ball) {
    return std::fabs(ball.growth) < 0.99 * ball.radius && ball.radius >= 1e-3 * largest &&
           ball.shift.norm() <= 8 * largest && (ball.centre - path.balls.front().centre).norm() <= 16 * largest;
  });
}

namespace detail {

using Vector = Vector3<double>;
using Part = Moving<double>;

inline Part resting(Vector const& centre, double radius) { return {centre, radius, Vector::Zero(), 0}; }

inline std::vector<Part> cloud(Random& random, std::int64_t count) {
  std::vector<Part> balls;
  double const spread = random.uniform(0.3, 1.2);
  for (; count > 0; --count) {
    Vector const centre = spread * cube_point(random);
    double const radius = random.uniform(0.3, 1);
    balls.push_back(resting(centre, radius));
  }
  return balls;
}

/// Returns the path in a random frame and with a random unit of length. The random density changes the unit of mass.
inline Path<double> anywhere(Random& random, std::vector<Part> balls) {
  Path<double> path{1, std::move(balls)};
  if (random.chance(0.3)) return path;
  Matrix3<double> const turn = rotation_in<double>(random);
  double const size = std::ldexp(1.0, static_cast<int>(random.integer(-14, 6)));
  Vector const shift = cube_point(random);
  path.density = random.log_uniform(2, 4);
  for (Part& ball : path.balls) {
    ball.centre = size * (turn * ball.centre + shift);
    ball.shift = size * (turn * ball.shift);
    ball.radius *= size;
    ball.growth *= size;
  }
  return path;
}

/// Draws a path on which every ball moves on a line of its own.
inline Path<double> drifting(Random& random) {
  std::int64_t const count = random.integer(2, 4);
  std::vector<Part> balls = cloud(random, count);
  for (Part& ball : balls) {
    double const way = random.log_uniform(-1, 0.3);
    ball.shift = way * unit_direction(random);
  }
  return anywhere(random, std::move(balls));
}
inline Path<double> growing(Random& random) {
  std::int64_t const count = random.integer(2, 4);
  std::vector<Part> balls = cloud(random, count);
  for (Part& ball : balls) ball.growth = random.uniform(-0.9, 0.9) * ball.radius;
  return anywhere(random, std::move(balls));
}
/// Draws a path on which two balls touch at s = 0, up to rounding. There may be other balls.
inline Path<double> touching(Random& random) {
  std::int64_t const others = random.integer(0, 2);
  std::vector<Part> balls = cloud(random, others);
  double const a = random.uniform(0.3, 1), b = random.uniform(0.3, 1), way = random.log_uniform(-2, 0);
  Vector const direction = unit_direction(random), middle = cube_point(random);
  Part one = resting(middle - a * direction, a), other = resting(middle + b * direction, b);
  other.shift = random.chance(0.5) ? Vector(way * direction) : Vector(way * unit_direction(random));
  balls.push_back(one);
  balls.push_back(other);
  return anywhere(random, std::move(balls));
}
/// Draws a path on which a ball moves into a larger ball, and perhaps out again. At s = 0, the ball touches the larger
/// ball from inside.
inline Path<double> swallowing(Random& random) {
  std::int64_t const others = random.integer(0, 2);
  std::vector<Part> balls = cloud(random, others);
  double const large = random.uniform(0.6, 1), small = random.uniform(0.05, 0.9) * large;
  Vector const direction = unit_direction(random);
  Part inner = resting((large - small) * direction, small);
  double const way = random.log_uniform(-2, 0.3);
  inner.shift = random.chance(0.5) ? Vector(way * direction) : Vector(way * unit_direction(random));
  if (random.chance(0.3)) inner.growth = random.uniform(-0.5, 0.5) * small;
  balls.push_back(resting(Vector::Zero(), large));
  balls.push_back(inner);
  return anywhere(random, std::move(balls));
}
/// Draws a path on which three or four spheres pass through one circle at s = 0. There, every decision about the arcs
/// of the circle changes.
inline Path<double> circle(Random& random) {
  std::int64_t const count = random.integer(3, 4);
  std::vector<Part> balls;
  for (std::int64_t i = 0; i < count; ++i) {
    double const z = random.uniform(-1, 1);
    Part ball = resting({0, 0, z}, std::sqrt(0.25 + z * z));
    double const way = random.log_uniform(-2, -0.3);
    if (i == 0 || random.chance(0.7))
      ball.shift = random.chance(0.5) ? Vector(0, 0, way) : Vector(way * unit_direction(random));
    balls.push_back(ball);
  }
  if (random.chance(0.4)) {
    Vector const centre = 0.6 * unit_direction(random);
    balls.push_back(resting(centre, random.uniform(0.2, 0.5)));
  }
  return anywhere(random, std::move(balls));
}
/// Draws a path on which three or four spheres pass through one point at s = 0.
inline Path<double> point(Random& random) {
  std::int64_t const count = random.integer(3, 4);
  std::vector<Part> balls;
  for (std::int64_t i = 0; i < count; ++i) {
    double const radius = random.uniform(0.3, 1), way = random.log_uniform(-2, -0.3);
    Part ball = resting(radius * unit_direction(random), radius);
    ball.shift = way * unit_direction(random);
    balls.push_back(ball);
  }
  return anywhere(random, std::move(balls));
}

}  // namespace detail

inline std::span<Family<Path<double>> const> families() {
  static Family<Path<double>> const list[] = {
      {"drifts", "two to four balls, each on a line", detail::drifting},
      {"growth", "two to four balls that grow or shrink", detail::growing},
      {"touch", "two balls that touch, among others", detail::touching},
      {"swallow", "one ball into another or out of it", detail::swallowing},
      {"circle", "three spheres or four through one circle", detail::circle},
      {"point", "three spheres or four through one point", detail::point},
  };
  return list;
}

/// Returns simpler paths. One path has the first ball at the origin, the radius 1 of this ball and the density 1. The
/// other paths have one ball less.
inline std::vector<Path<double>> simpler(Path<double> const& path) {
  std::vector<Path<double>> candidates;
  Path<double> plain = path;
  plain.density = 1;
  double const unit = path.balls.front().radius;
  for (auto& ball : plain.balls) {
    ball.centre = (ball.centre - path.balls.front().centre) / unit;
    for (double* each : {&ball.shift[0], &ball.shift[1], &ball.shift[2], &ball.radius, &ball.growth}) *each /= unit;
  }
  candidates.push_back(plain);
  for (std::size_t i = 0; path.balls.size() > 1 && i < path.balls.size(); ++i) {
    candidates.push_back(path);
    candidates.back().balls.erase(candidates.back().balls.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return candidates;
}

}  // namespace demeter::clump_union_mass_properties::continuity
