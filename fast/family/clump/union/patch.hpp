// The solid angle of the remaining part of a sphere. Great circles connect the ends of its arcs with one fixed point,
// which is opposite the largest cap. The solid angle is the area between the arcs and these great circles.
#pragma once

#include "fast/family/clump/union/records.hpp"

#include <cmath>

namespace demeter::fast_union {

/// Multiplies the body's complex number by x + iy. The angle of x + iy is half the area of a spherical triangle: its
/// corners are two points p, q and the point opposite the axis of the largest cap.
inline void turn_by(Body& body, double x, double y) {
  double const re = body.turn_x * x - body.turn_y * y, im = body.turn_x * y + body.turn_y * x;
  double const inverse = 1 / (std::abs(re) + std::abs(im));
  body.turn_x = re * inverse;
  body.turn_y = im * inverse;
}
inline void add_chord(Body& body, Vec const& p, Vec const& q) {
  Vec const a = p - body.largest, b = q - body.largest;
  turn_by(body, dot(a, b), -dot(body.largest, cross(a, b)));
}
inline void add_piece(Body& body, double a, Vec const& p, Vec const& q, double cosine, double sine) {
  Vec const from = p - body.largest, to = q - body.largest;
  double const x = dot(from, to), y = -dot(body.largest, cross(from, to));
  double const re = (1 + a) + (1 - a) * cosine, im = -((1 - a) * sine);
  turn_by(body, x * re - y * im, x * im + y * re);  // these two factors are multiplied first, because successive turns
                                                    // of a body depend on each other
}

/// Returns the solid angle of a ball's patch. `angle` is the angle of the complex number of the body.
inline double solid_angle(Body const& body, double angle) {
  if (!body.cut) return 4 * pi;
  if (!body.exposed) return 0;
  double const sum = -(body.turning + 2 * angle);
  double A = sum - 4 * pi * std::floor(sum / (4 * pi));
  // If A is within rounding of 0 or 4 pi, the total area of the caps decides between the two.
  bool const much = body.caps > 2 * pi;
  if (much && A > 4 * pi - 1e-6) A -= 4 * pi;
  if (!much && A < 1e-6) A += 4 * pi;
  return A;
}
inline double solid_angle(Body const& body) { return solid_angle(body, std::atan2(body.turn_y, body.turn_x)); }

}  // namespace demeter::fast_union
