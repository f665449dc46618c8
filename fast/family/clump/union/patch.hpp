// The solid angle of what is left of a sphere: the area between its arcs and the great circles from the point opposite
// the largest cap.
#pragma once

#include "fast/family/clump/union/records.hpp"

#include <cmath>

namespace demeter::fast_union {

/// Multiplies in the complex number whose angle is half the area of the triangle of p, q and the point opposite the
/// largest cap's axis.
inline void turn_by(Body& body, double x, double y) {
  double const re = body.turn_x * x - body.turn_y * y, im = body.turn_x * y + body.turn_y * x;
  double const size = std::abs(re) + std::abs(im);
  body.turn_x = re / size;
  body.turn_y = im / size;
}
inline void add_chord(Body& body, Vec const& p, Vec const& q) {
  Vec const a = p - body.largest, b = q - body.largest;
  turn_by(body, dot(a, b), -dot(body.largest, cross(a, b)));
}
inline void add_piece(Body& body, double a, Vec const& p, Vec const& q, double cosine, double sine) {
  add_chord(body, p, q);
  turn_by(body, (1 + a) + (1 - a) * cosine, -((1 - a) * sine));
}

/// The solid angle of a ball's patch.
inline double solid_angle(Body const& body) {
  if (!body.cut) return 4 * pi;
  if (!body.exposed) return 0;
  double const sum = -(body.turning + 2 * std::atan2(body.turn_y, body.turn_x));
  double A = sum - 4 * pi * std::floor(sum / (4 * pi));
  // Within rounding of 0 or 4 pi: the caps cover all, or next to nothing.
  bool const much = body.caps > 2 * pi;
  if (much && A > 4 * pi - 1e-6) A -= 4 * pi;
  if (!much && A < 1e-6) A += 4 * pi;
  return A;
}

}  // namespace demeter::fast_union
