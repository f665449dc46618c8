// Draws pairs of segments, for the regimes of segment_distance and of capsule_contact.
#pragma once

#include "properties/core/generators.hpp"
#include "reference/spec/segment_distance.hpp"

#include <array>
#include <utility>

namespace demeter::capsule::segments {

using Segments = segment_distance::Input<double>;
using Point = Vector3<double>;
using Wide = Vector3<long double>;

/// Returns the ends of a segment in random order. Computes them from the centre and the half-axis, because capsules are
/// stored in this form.
inline std::pair<Point, Point> about(Point const& centre, double half, Point const& direction, Random& random) {
  Point const axis = (half * random.sign()) * direction;
  return {centre - axis, centre + axis};
}

inline Segments assemble(std::pair<Point, Point> const& p, std::pair<Point, Point> const& q, Random& random) {
  if (random.chance(0.5)) return {q.first, q.second, p.first, p.second};
  return {p.first, p.second, q.first, q.second};
}

template <class Change>
Segments each_point(Segments const& in, Change&& change) {
  Segments out;
  out.p0 = change(in.p0);
  out.p1 = change(in.p1);
  out.q0 = change(in.q0);
  out.q1 = change(in.q1);
  return out;
}

/// Returns `along`, tilted to a random side. The tangent of the angle is log-uniform from 10^low_exponent to
/// 10^high_exponent.
inline Point tilted(Random& random, Point const& along, double low_exponent, double high_exponent) {
  double const tilt = random.log_uniform(low_exponent, high_exponent);
  Point const other = along + tilt * unit_perpendicular(along, random);
  return of_length_1(other);
}

/// Returns segments on two lines. The common perpendicular of the lines has the length `gap`. Its feet are inside both
/// segments. With `at_ends`, the feet are often at or near ends. `tangent` is the tangent of half the angle between the
/// lines.
inline Segments crossing(Random& random, double tangent, double gap, bool at_ends = false) {
  auto const place = [&] {
    if (!at_ends || random.chance(0.3)) return random.uniform(-0.95, 0.95);
    double const off = off_a_threshold(random), end = random.sign();
    return end * (1 + off);
  };
  Point const along = unit_direction(random), across = unit_perpendicular(along, random);
  Point const normal = along.cross(across);
  Point const turned = (1 - tangent * tangent) * along + (2 * tangent) * across, other = of_length_1(turned);
  Point const foot = cube_point(random);
  double const half_p = random.uniform(0.1, 1), half_q = random.uniform(0.1, 1);
  Point const centre_p = foot + (half_p * place()) * along;
  Point const centre_q = foot + gap * normal + (half_q * place()) * other;
  auto const p = about(centre_p, half_p, along, random);
  auto const q = about(centre_q, half_q, other, random);
  return assemble(p, q, random);
}

/// Draws a crossing at a large angle. The gap is 0.01 to 1, for segments with lengths of 0.2 to 2.
inline Segments draw_crossing(Random& random) {
  double const tangent = random.uniform(0.25, 1), gap = random.log_uniform(-2, 0);
  return crossing(random, tangent, gap);
}

inline Segments draw_feet_at_ends(Random& random) {
  double const tangent = random.uniform(0.25, 1), gap = random.log_uniform(-2, 0);
  return crossing(random, tangent, gap, true);
}

inline Segments draw_typical(Random& random) {
  Point const p0 = cube_point(random), p1 = cube_point(random), q0 = cube_point(random), q1 = cube_point(random);
  return {p0, p1, q0, q1};
}

inline Segments draw_near_parallel(Random& random) {
  Point const along = unit_direction(random), other = tilted(random, along, -16, 0);
  Point const centre_p = cube_point(random), centre_q = cube_point(random);
  auto const p = about(centre_p, random.uniform(0.1, 1), along, random);
  auto const q = about(centre_q, random.uniform(0.1, 1), other, random);
  return assemble(p, q, random);
}

inline Segments draw_near_parallel_gap(Random& random) {
  double const tilt = random.log_uniform(-12, -1), gap = random.log_uniform(-9, -3);
  return crossing(random, tilt / 2, gap);
}

inline Segments draw_near_parallel_crossing(Random& random) {
  double const tilt = random.log_uniform(-16, 0);
  std::int64_t const kind = random.integer(0, 2);
  double const gap = kind == 0 ? 0 : kind == 1 ? random.log_uniform(-17, -9) : random.unit();
  return crossing(random, tilt / 2, gap);
}

/// Returns a direction with few bits: along an axis, in a coordinate plane, or anywhere.
inline Point few_bits_direction(Random& random) {
  for (;;) {
    Point direction = few_bits_vector(random, 8, -4);
    std::int64_t const kind = random.integer(0, 5), axis = random.integer(0, 2);
    if (kind <= 1)
      for (int k = 0; k < 3; ++k)
        if (k != axis) direction[k] = 0;
    if (kind == 2) direction[axis] = 0;
    if (!direction.isZero()) return direction;
  }
}

/// Draws exactly parallel segments. Directions have 8 bits, multipliers 6 bits and points 12 bits, so that every
/// operation is exact.
inline Segments draw_parallel(Random& random) {
  Point const direction = few_bits_direction(random), start = few_bits_vector(random, 12, -6);
  Point const offset = few_bits_vector(random, static_cast<int>(random.integer(1, 12)), -7);
  auto const multiplier = [&] { return few_bits(random, 6, -4); };
  Point const p1 = start + multiplier() * direction;
  Point const q0 = start + offset + multiplier() * direction;
  Point const q1 = q0 + multiplier() * direction;
  return assemble({start, p1}, {q0, q1}, random);
}

inline Segments draw_parallel_rounded(Random& random) {
  Point const direction = unit_direction(random), across = unit_perpendicular(direction, random);
  double const half_p = random.uniform(0.05, 1), half_q = random.uniform(0.05, 1);
  Point const centre_p = cube_point(random);
  double const gap = random.log_uniform(-3, 0.3), slide = random.uniform(-1.5, 1.5) * (half_p + half_q);
  Point const centre_q = centre_p + gap * across + slide * direction;
  auto const p = about(centre_p, half_p, direction, random);
  auto const q = about(centre_q, half_q, direction, random);
  return assemble(p, q, random);
}

inline Segments collinear(Random& random, bool exact) {
  bool const touching = random.chance(0.25);
  Point const direction = exact ? few_bits_direction(random) : unit_direction(random);
  Point const start = exact ? few_bits_vector(random, 12, -6) : cube_point(random);
  std::array<double, 4> along;
  for (double& position : along) position = exact ? few_bits(random, 6, -4) : random.uniform(-2, 2);
  if (touching) along[2] = along[1];
  Segments const in{start + along[0] * direction, start + along[1] * direction, start + along[2] * direction,
                    start + along[3] * direction};
  if (!random.chance(0.2)) return in;
  return each_point(in, [&](Point const& point) { return nudge(point, random, 2); });
}
inline Segments draw_collinear_exact(Random& random) { return collinear(random, true); }
inline Segments draw_collinear_rounded(Random& random) { return collinear(random, false); }

inline Segments degenerate(Random& random, bool exact) {
  auto const point = [&]() -> Point { return exact ? few_bits_vector(random, 8, -5) : cube_point(random); };
  Segments in{point(), point(), point(), point()};
  std::int64_t const which = random.integer(0, 2);
  if (which != 0) in.p1 = in.p0;
  if (which != 1) in.q1 = in.q0;
  // In half of the cases, the point is on the other segment or coincides with the other point, up to rounding.
  if (random.chance(0.5)) {
    double const part = exact ? std::ldexp(static_cast<double>(random.integer(0, 8)), -3) : random.unit();
    if (which == 0) in.q0 = in.q1 = in.p0 + part * (in.p1 - in.p0);
    if (which != 0) in.p0 = in.p1 = in.q0 + part * (in.q1 - in.q0);
  }
  // For code that divides by the length of a segment, a segment of a few ulps is as difficult as a point. If all ends
  // coincide, they are not moved: the size of the case would be only a few ulps.
  bool const all_one_point = in.p0 == in.p1 && in.q0 == in.q1 && in.p0 == in.q0;
  if (!all_one_point && random.chance(0.25))
    in = each_point(in, [&](Point const& end) { return nudge(end, random, 2); });
  return in;
}
inline Segments draw_degenerate_exact(Random& random) { return degenerate(random, true); }
inline Segments draw_degenerate_rounded(Random& random) { return degenerate(random, false); }

inline Segments draw_touching_exact(Random& random) {
  Point const direction_p = few_bits_direction(random), direction_q = few_bits_direction(random);
  Point const foot = few_bits_vector(random, 12, -6);
  // If a multiplier is zero, the common point is an end.
  auto const multiplier = [&] { return std::ldexp(static_cast<double>(random.integer(0, 31)), -4); };
  std::pair<Point, Point> p, q;
  p.first = foot - multiplier() * direction_p;
  p.second = foot + multiplier() * direction_p;
  q.first = foot - multiplier() * direction_q;
  q.second = foot + multiplier() * direction_q;
  Segments const in = assemble(p, q, random);
  if (random.chance(0.5)) return in;
  return each_point(in, [&](Point const& end) { return nudge(end, random, 3); });
}
inline Segments draw_touching_rounded(Random& random) {
  double const tangent = random.uniform(0.025, 1);
  return crossing(random, tangent, 0);
}

inline Segments draw_lattice(Random& random) {
  auto const point = [&]() -> Point {
    auto const coordinate = [&] { return static_cast<double>(random.integer(-3, 3)); };
    double const x = coordinate(), y = coordinate(), z = coordinate();
    return {x, y, z};
  };
  return {point(), point(), point(), point()};
}

inline Segments draw_end_on(Random& random) {
  Point const direction = unit_direction(random), across = unit_perpendicular(direction, random);
  double const half_p = random.uniform(0.1, 1), half_q = random.uniform(0.1, 1);
  double const gap = signed_log_uniform(random, -12, 0);
  double const aside = random.chance(0.3) ? 0 : random.log_uniform(-12, -1);
  Point const other = random.chance(0.3) ? direction : tilted(random, direction, -12, -1);
  Point const centre = cube_point(random);
  auto const p = about(centre, half_p, direction, random);
  auto const q = about(centre + (half_p + half_q + gap) * direction + aside * across, half_q, other, random);
  return assemble(p, q, random);
}

inline Segments draw_mixed_scale(Random& random) {
  auto const point = [&]() -> Point {
    auto const coordinate = [&] { return signed_log_uniform(random, -140, 140); };
    double const x = coordinate(), y = coordinate(), z = coordinate();
    return {x, y, z};
  };
  return {point(), point(), point(), point()};
}

inline Segments unit_scale_mixture(Random& random) {
  switch (random.integer(0, 3)) {
    case 0:
      return draw_near_parallel(random);
    case 1:
      return draw_near_parallel_gap(random);
    case 2:
      return draw_crossing(random);
    default:
      return draw_typical(random);
  }
}

inline Segments draw_offset(Random& random) {
  double const distance = random.log_uniform(0, 8);
  Point const shift = distance * cube_point(random);
  return each_point(unit_scale_mixture(random), [&](Point const& point) -> Point { return point + shift; });
}

inline Segments draw_global_scale(Random& random) {
  // Coordinates are below 2^2 before they are multiplied by this factor, and below 2^1017 after that: no distance
  // overflows. With the smallest factors, some coordinates become subnormal.
  auto const exponent = static_cast<int>(random.integer(-1040, 1015));
  return each_point(unit_scale_mixture(random), [&](Point const& point) -> Point {
    return {std::ldexp(point[0], exponent), std::ldexp(point[1], exponent), std::ldexp(point[2], exponent)};
  });
}

inline Segments draw_micro(Random& random) {
  double const scale = random.log_uniform(-8, -5);
  Segments const in = random.chance(0.5) ? draw_crossing(random) : unit_scale_mixture(random);
  return each_point(in, [&](Point const& point) -> Point { return scale * point; });
}

inline Segments draw_long_thin(Random& random) {
  double const half_p = random.uniform(300, 700), half_q = random.uniform(300, 700);
  Point const along = unit_direction(random), across = unit_perpendicular(along, random);
  Point const other = tilted(random, along, -9, -4);
  double const gap = random.uniform(0.002, 0.03), slide = random.uniform(-1, 1) * (half_p + half_q);
  Point const centre = cube_point(random);
  auto const p = about(centre, half_p, along, random);
  auto const q = about(centre + slide * along + gap * across, half_q, other, random);
  return assemble(p, q, random);
}

/// Returns segments of the lengths 2 and 2 `ratio`. Either of them may be the first.
inline Segments unequal(Random& random, double ratio) {
  Point const along = unit_direction(random);
  Point const other = random.chance(0.5) ? unit_direction(random) : tilted(random, along, -12, 0);
  Point const centre = cube_point(random), away = unit_direction(random);
  // The distance is between 0.01 of the short segment's half-length and about the long segment's half-length.
  double const near = ratio * random.log_uniform(-2, 0);
  double const distance = random.chance(0.5) ? near : near + random.log_uniform(-7, 0);
  double const slide = random.uniform(-1.1, 1.1);
  auto const p = about(centre, 1, along, random);
  auto const q = about(centre + slide * along + distance * away, ratio, other, random);
  return assemble(p, q, random);
}
/// Draws cases near the thresholds of codes. The sine or the cosine of the angle between the axes, or the ratio of the
/// lengths, is near a power of ten from 1e-12 to 1e-6. For sines and cosines, the axes cross inside both segments, with
/// or without a gap.
inline Segments draw_thresholds(Random& random) {
  double const small = about_a_threshold(random);
  std::int64_t const kind = random.integer(0, 4);
  if (kind == 0) return unequal(random, small);
  double const sign = random.sign();
  // The tangent of half the angle: x / 2 for nearly parallel axes, 1 - x for nearly perpendicular axes.
  double const tangent = kind <= 2 ? sign * small / 2 : 1 - sign * small;
  double const gap = random.chance(0.3) ? 0 : random.chance(0.5) ? random.log_uniform(-14, -6) : random.unit();
  return crossing(random, tangent, gap);
}
/// Returns the distance of `point` from the segment from a to b. Its error is below 2^-60 times the coordinates. The
/// rounding of the parameter changes the distance only by its square or, near distance zero, by 2^-62 of the
/// coordinates.
inline long double point_segment(Wide const& point, Wide const& a, Wide const& b) {
  Wide const to_a = a - point, to_b = b - point, along = b - a;
  long double const before = -to_a.dot(along), after = to_b.dot(along), square = along.squaredNorm();
  if (!(before > 0) || !(square > 0)) return to_a.norm();
  if (!(after > 0)) return to_b.norm();
  if (before <= after) return (to_a + (before / square) * along).norm();
  return (to_b - (after / square) * along).norm();
}

}  // namespace demeter::capsule::segments
