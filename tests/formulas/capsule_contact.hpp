// Contacts of two capsules in plain double, written independently of the printed formulas. Each formula exists in a
// correct form and in forms with one mistake.
#pragma once

#include "reference/spec/capsule_contact.hpp"

#include <cmath>

namespace demeter::formulas_test::capsules {

/// A planted mistake. Each mistake changes one line of the code below.
enum class Mistake {
  none,
  normal_turned,       ///< the normal points from capsule 2 to capsule 1
  end_not_clamped,     ///< the second parameter may leave its axis
  coordinate_index,    ///< z instead of y in one product
  whole_for_half,      ///< the second shaft is twice as long
  radii_swapped,       ///< the radii are exchanged in the formula of the point
  radius_forgotten,    ///< the second radius is missing from the overlap
  float_literal,       ///< a radius is converted to float
  epsilon_squared,     ///< if the axes are closer than 1e-5 m, the centres are taken as the closest points
  parallel_epsilon,    ///< axes count as parallel if |a x b|^2 < 1e-10 m^4
  point_on_surface,    ///< the point is on the surface of capsule 1
  sign_of_overlap,     ///< uN has the opposite sign
  only_one_clamp,      ///< the first parameter is not recomputed after the second was clamped
  wrong_end,           ///< one end of the interpolation is wrong
  weights_uniform,     ///< all weights of the interpolation are equal
  last_end_forgotten,  ///< the last end is missing from the interpolation
  half_of_a_half,      ///< in the recommended formula, the length of the shadows is halved
  weight_of_four,      ///< in the recommended formula, 4 h^2 instead of 8 h^2
  cosine_forgotten,    ///< in the recommended formula, omega has no factor cos^2
};

using Case = capsule_contact::Input<double>;
using Answer = capsule_contact::Output<double>;
using Status = capsule_contact::Status;

struct Vec {
  double x = 0, y = 0, z = 0;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(double k, Vec a) { return {k * a.x, k * a.y, k * a.z}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
inline double clamp1(double t) { return t < -1 ? -1 : t > 1 ? 1 : t; }
inline Vec from(Vector3<double> const& a) { return {a[0], a[1], a[2]}; }
inline Vector3<double> to(Vec a) { return {a.x, a.y, a.z}; }

/// Two capsules, with positions relative to the centre of the first one.
struct Capsules {
  Vec origin, w, a, b;  ///< origin: centre 1; w: vector from centre 1 to centre 2; a, b: half-shafts
  double r1, r2;
};

inline Capsules read(Case const& in, Mistake mistake) {
  Capsules c{from(in.centre1), from(in.centre2) - from(in.centre1), from(in.half1), from(in.half2), in.radius1,
             in.radius2};
  if (mistake == Mistake::whole_for_half) c.b = 2 * c.b;
  if (mistake == Mistake::radius_forgotten) c.r2 = 0;
  if (mistake == Mistake::float_literal) c.r1 = static_cast<float>(c.r1);
  return c;
}

/// The parameters of the closest points on both axes, from -1 to 1.
struct Parameters {
  double s, t;
};

inline Parameters closest(Capsules const& c, Mistake mistake) {
  double const aa = dot(c.a, c.a), bb = dot(c.b, c.b), ab = dot(c.a, c.b), wa = dot(c.w, c.a), wb = dot(c.w, c.b);
  Vec n = cross(c.a, c.b);
  if (mistake == Mistake::coordinate_index) n.z = c.a.x * c.b.z - c.a.y * c.b.x;
  double const nn = dot(n, n), least = mistake == Mistake::parallel_epsilon ? 1e-10 : 0;
  double s = nn > least ? clamp1(dot(cross(c.w, c.b), n) / nn) : 0;
  double t = bb > 0 ? (s * ab - wb) / bb : 0;
  if (mistake != Mistake::end_not_clamped) t = clamp1(t);
  if (mistake != Mistake::only_one_clamp) s = aa > 0 ? clamp1((t * ab + wa) / aa) : 0;
  return {s, t};
}

/// Two points p and q on the axes, with v = q - p and d = |v|.
struct Between {
  Vec p, q, v;
  double d;
};
inline Between between(Vec p, Vec q) { return {p, q, q - p, length(q - p)}; }

/// Returns the unit vector from p to q, or z if the points coincide (the formulas have no direction then).
inline Vec direction(Between const& pair) { return pair.d > 0 ? (1 / pair.d) * pair.v : Vec{0, 0, 1}; }

inline Vec lens(Between const& pair, double r1, double r2, Mistake mistake) {
  if (mistake == Mistake::radii_swapped) std::swap(r1, r2);
  Vec const n = direction(pair);
  if (mistake == Mistake::point_on_surface) return pair.p + r1 * n;
  return 0.5 * (pair.p + pair.q) + ((r1 - r2) / 2) * n;
}

inline Answer finished(Capsules const& c, double uN, Vec n, Vec point, Mistake mistake) {
  if (mistake == Mistake::normal_turned) n = -1.0 * n;
  Status const status = uN < 0 ? Status::overlapping : Status::separated;
  return {mistake == Mistake::sign_of_overlap ? -uN : uN, to(n), to(c.origin + point), status};
}

inline Between closest_pair(Capsules const& c, Mistake mistake) {
  Parameters const at = closest(c, mistake);
  Between pair = between(at.s * c.a, c.w + at.t * c.b);
  if (mistake == Mistake::epsilon_squared && pair.d < 1e-5) pair = between(Vec{}, c.w);
  return pair;
}

inline Answer geometric(Case const& in, Mistake mistake) {
  Capsules const c = read(in, mistake);
  Between const pair = closest_pair(c, mistake);
  return finished(c, pair.d - (c.r1 + c.r2), direction(pair), lens(pair, c.r1, c.r2, mistake), mistake);
}

/// The four ends of the axes (1-, 1+, 2-, 2+), each with the nearest point of the other axis.
struct Ends {
  Between pair[4];
};
inline Ends ends(Capsules const& c, Mistake mistake) {
  auto const on = [](Vec point, Vec middle, Vec half) {
    double const square = dot(half, half);
    return middle + (square > 0 ? clamp1(dot(point - middle, half) / square) : -1) * half;
  };
  Vec const none{}, e0 = -1.0 * c.a, e1 = c.a, f0 = c.w - c.b, f1 = c.w + c.b;
  Ends all{{between(e0, on(e0, c.w, c.b)), between(e1, on(e1, c.w, c.b)), between(on(f0, none, c.a), f0),
            between(on(f1, none, c.a), f1)}};
  if (mistake == Mistake::wrong_end) all.pair[3] = between(on(f0, none, c.a), f1);
  return all;
}

/// Returns the contact by Woo's documentation.
inline Answer documented(Case const& in, Mistake mistake) {
  Capsules const c = read(in, mistake);
  Between const pair = closest_pair(c, mistake);
  double const R = c.r1 + c.r2, uN = pair.d - R;
  Ends const all = ends(c, mistake);
  double sum = 0;
  Vec point, normal;
  int overlapping = 0;
  for (int i = 0; i < (mistake == Mistake::last_end_forgotten ? 3 : 4); ++i) {
    if (!(all.pair[i].d < R)) continue;
    double const weight = mistake == Mistake::weights_uniform ? R : R - all.pair[i].d;
    ++overlapping;
    sum += weight;
    point = point + weight * lens(all.pair[i], c.r1, c.r2, mistake);
    normal = normal + weight * direction(all.pair[i]);
  }
  if (overlapping < 2) return finished(c, uN, direction(pair), lens(pair, c.r1, c.r2, mistake), mistake);
  return finished(c, uN, (1 / length(normal)) * normal, (1 / sum) * point, mistake);
}

/// Returns the contact by Woo's code. If three ends overlap, the code uses only two of them: both ends of one capsule.
inline Answer woo(Case const& in, Mistake mistake) {
  Capsules const c = read(in, mistake);
  Between const pair = closest_pair(c, mistake);
  double const R = c.r1 + c.r2, uN = pair.d - R;
  Vec const normal = direction(pair);
  Ends const all = ends(c, mistake);
  bool in_contact[4];
  int overlapping = 0;
  for (int i = 0; i < 4; ++i) {
    in_contact[i] = all.pair[i].d < R;
    overlapping += in_contact[i];
  }
  if (overlapping == 3) {
    bool const both_of_1 = in_contact[0] && in_contact[1];
    in_contact[0] = in_contact[1] = both_of_1;
    in_contact[2] = in_contact[3] = !both_of_1;
  }
  Vec point = mistake == Mistake::point_on_surface ? pair.p + c.r1 * normal : pair.p + (c.r1 + uN / 2) * normal;
  if (overlapping >= 2) {
    double sum = 0;
    point = {};
    for (int i = 0; i < (mistake == Mistake::last_end_forgotten ? 3 : 4); ++i) {
      if (!in_contact[i]) continue;
      double const weight = mistake == Mistake::weights_uniform ? R : R - all.pair[i].d;
      double const share = (mistake == Mistake::radii_swapped ? c.r2 : c.r1) / R;
      sum += weight;
      point = point + weight * (all.pair[i].p + share * all.pair[i].v);
    }
    point = (1 / sum) * point;
  }
  return finished(c, uN, normal, point, mistake);
}

/// Returns the contact by the recommended formula. It interpolates between the closest pair and the middles of the
/// shadows. The shadow of an axis is its projection on the other axis.
inline Answer recommended(Case const& in, Mistake mistake) {
  Capsules const c = read(in, mistake);
  double const h1 = length(c.a), h2 = length(c.b), R = c.r1 + c.r2;
  Between const nearest = closest_pair(c, mistake);
  double const d = nearest.d, uN = d - R, S = h1 + h2 + R + length(c.w);
  Between pair = nearest;
  Vec const n12 = cross(c.a, c.b);
  if (uN < 0 && h1 > 0 && h2 > 0) {
    Vec const u = (1 / h1) * c.a, v = (1 / h2) * c.b, sine = (1 / h1 / h2) * n12;
    double const cosine = dot(u, v), h = h1 < h2 ? h1 : h2, wu = dot(c.w, u), wv = dot(c.w, v);
    double omega = (R - d) * (R + d);
    if (mistake != Mistake::cosine_forgotten) omega *= cosine * cosine;
    double const stiff = (mistake == Mistake::weight_of_four ? 4 : 8) * h * h, a = stiff / (stiff + omega),
                 b = omega / (stiff + omega);
    auto const bounded = [](double x, double H) { return x < -H ? -H : x > H ? H : x; };
    auto const shadow = [&](double p, double reach, double H) {
      if (mistake == Mistake::half_of_a_half) reach /= 2;
      double const low = p - reach < -H ? -H : p - reach, high = p + reach > H ? H : p + reach;
      return bounded((low + high) / 2, H);
    };
    double const xm = shadow(wu, h2 * std::fabs(cosine), h1), ym = shadow(-wv, h1 * std::fabs(cosine), h2);
    double const determinant = b * (1 + a) + a * a * dot(sine, sine);
    double const free = (a * a * dot(cross(c.w, v), sine) + a * b * wu + b * (xm + a * cosine * ym)) / determinant;
    double x = bounded(free, h1);
    double const y = bounded(b * ym - a * wv + a * cosine * x, h2);
    x = bounded(a * wu + b * xm + a * cosine * y, h1);
    pair = between(x * u, c.w + y * v);
  }
  Vec normal = direction(pair);
  Status status = uN < 0 ? Status::overlapping : Status::separated;
  if (!(d > 8 * 0x1p-53 * S)) {
    status = Status::axes_intersect;
    double const sine = length(n12);
    if (sine > 0) {
      normal = (dot(n12, c.w) < 0 ? -1 / sine : 1 / sine) * n12;
    } else if (h1 > 0 || h2 > 0) {
      Vec const along = h1 > 0 ? (1 / h1) * c.a : (1 / h2) * c.b;
      double const ax = std::fabs(along.x), ay = std::fabs(along.y), az = std::fabs(along.z);
      Vec const least = ay < ax ? (az < ay ? Vec{0, 0, 1} : Vec{0, 1, 0}) : az < ax ? Vec{0, 0, 1} : Vec{1, 0, 0};
      normal = least - dot(least, along) * along;
      normal = (1 / length(normal)) * normal;
    } else {
      normal = {0, 0, 1};
    }
  }
  double const unequal = mistake == Mistake::radii_swapped ? c.r2 - c.r1 : c.r1 - c.r2;
  Vec const point =
      mistake == Mistake::point_on_surface ? pair.p + c.r1 * normal : 0.5 * (pair.p + pair.q) + (unequal / 2) * normal;
  Answer answer = finished(c, uN, normal, point, mistake);
  answer.status = status;
  return answer;
}

}  // namespace demeter::formulas_test::capsules
