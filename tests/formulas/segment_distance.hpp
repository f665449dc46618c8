// Distances of two segments in plain double, written independently of the printed formulas. They can have a planted
// mistake.
#pragma once

#include "tests/formulas/capsule_contact.hpp"

#include "reference/spec/segment_distance.hpp"

namespace demeter::formulas_test::segments {

using Case = segment_distance::Input<double>;
using Answer = segment_distance::Output<double>;
using capsules::clamp1;
using capsules::cross;
using capsules::dot;
using capsules::from;
using capsules::length;
using capsules::Vec;
using capsules::operator+;
using capsules::operator-;
using capsules::operator*;

enum class Mistake {
  none,
  offset_turned,      ///< the offset is p0 - q0 instead of q0 - p0
  t_not_clamped,      ///< t may leave [0, 1]
  s_found_once,       ///< s is not recomputed after t was clamped
  s_and_t_exchanged,  ///< s and t are exchanged in the answer
  coordinate_index,   ///< y instead of z in one product
  epsilon_1e10,       ///< segments count as parallel if |a x b|^2 < 1e-10 m^4
  squares_of_length,  ///< the answer is the square of the distance
  end_in_float,       ///< one coordinate of p1 is converted to float
  ends_exchanged,     ///< t is measured from q1 instead of q0
  point_below_1e5,    ///< a segment shorter than 1e-5 m counts as a point
};

inline double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// Returns the closest pair by the textbook's formula. Uses cross products, because nearly parallel segments need them.
inline Answer textbook(Case const& in, Mistake mistake) {
  Vec const p0 = from(in.p0), q0 = from(in.q0);
  Vec a = from(in.p1) - p0, b = from(in.q1) - q0, w = q0 - p0;
  if (mistake == Mistake::offset_turned) w = p0 - q0;
  if (mistake == Mistake::end_in_float) a.x = static_cast<float>(in.p1[0]) - p0.x;
  if (mistake == Mistake::point_below_1e5 && length(a) < 1e-5) a = {};
  double const aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), wa = dot(w, a), wb = dot(w, b);
  Vec n = cross(a, b);
  if (mistake == Mistake::coordinate_index) n.y = a.z * b.x - a.x * b.y;
  double const nn = dot(n, n);
  double s = nn > (mistake == Mistake::epsilon_1e10 ? 1e-10 : 0) ? clamp01(dot(cross(w, b), n) / nn) : 0;
  double t = bb > 0 ? (s * ab - wb) / bb : 0;
  if (mistake != Mistake::t_not_clamped) t = clamp01(t);
  if (mistake != Mistake::s_found_once) s = aa > 0 ? clamp01((t * ab + wa) / aa) : 0;
  Vec const v = w + t * b - s * a;
  double const d = mistake == Mistake::squares_of_length ? dot(v, v) : length(v);
  if (mistake == Mistake::s_and_t_exchanged) return {d, t, s};
  if (mistake == Mistake::ends_exchanged) return {d, s, 1 - t};
  return {d, s, t};
}

}  // namespace demeter::formulas_test::segments
