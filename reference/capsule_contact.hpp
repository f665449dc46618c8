// Reference: contact of two capsules by centred, regularised closest points.
// Source: docs/mathematics/capsules.md#capsule_contact.
#pragma once

#include "reference/segment_distance.hpp"
#include "reference/spec/capsule_contact.hpp"

namespace demeter::capsule_contact::reference {

/// A capsule's axis: unit direction u (zero for a sphere) and half-length h.
template <class Scalar>
struct Axis {
  Vector3<Scalar> u;
  Scalar h;
};

template <real_scalar Scalar>
Axis<Scalar> axis(Vector3<Scalar> const& half) {
  using std::sqrt;
  Scalar const h = sqrt(half.dot(half));
  return {h > Scalar(0) ? Vector3<Scalar>(half / h) : half, h};
}

template <class Scalar>
Scalar clamp(Scalar const& x, Scalar const& low, Scalar const& high) {
  return x < low ? low : high < x ? high : x;
}

/// Returns the middle of the part of [-H, H] that lies in [p - |e|, p + |e|]. The second interval is the shadow: the
/// projection of the other axis on this axis. If the intervals do not intersect, returns the end of [-H, H] closest to
/// the shadow.
template <field_scalar Scalar>
Scalar middle(Scalar const& p, Scalar const& e, Scalar const& H) {
  Scalar const reach = e < Scalar(0) ? Scalar(-e) : e;
  Scalar const low = p - reach < -H ? Scalar(-H) : Scalar(p - reach);
  Scalar const high = H < p + reach ? H : Scalar(p + reach);
  return clamp<Scalar>((low + high) / Scalar(2), -H, H);
}

/// Returns x and y, the arc lengths from the centres to the points of the closest pair.
template <field_scalar Scalar>
std::pair<Scalar, Scalar> closest_points(segment_distance::reference::Pair<Scalar> const& closest, Scalar const& h1,
                                         Scalar const& h2) {
  return {(Scalar(2) * closest.s - Scalar(1)) * h1, (Scalar(2) * closest.t - Scalar(1)) * h2};
}

/// Returns the x, y that minimise a |v(x,y)|^2 + b ((x - xm)^2 + (y - ym)^2), a + b = 1, on the box |x| <= h1, |y| <=
/// h2. xm and ym are the middles of the mutual shadows. For b = 0 (first touch) the result is the closest pair. As b
/// grows, x and y move towards xm and ym.
template <real_scalar Scalar>
std::pair<Scalar, Scalar> centred_points(Vector3<Scalar> const& w, Axis<Scalar> const& one, Axis<Scalar> const& two,
                                         Scalar const& d, Scalar const& R) {
  Scalar const h = one.h < two.h ? one.h : two.h, cosine = one.u.dot(two.u);
  Vector3<Scalar> const N = one.u.cross(two.u);
  Scalar const omega = (R - d) * (R + d) * (cosine * cosine), whole = Scalar(8) * h * h + omega;
  Scalar const a = Scalar(8) * h * h / whole, b = omega / whole;
  Scalar const wu1 = w.dot(one.u), wu2 = w.dot(two.u);
  Scalar const xm = middle<Scalar>(wu1, two.h * cosine, one.h), ym = middle<Scalar>(-wu2, one.h * cosine, two.h);
  Scalar const gx = a * wu1 + b * xm, gy = b * ym - a * wu2;
  Scalar const determinant = b * (Scalar(1) + a) + a * a * N.dot(N);  // 1 - a^2 cos^2 without cancellation
  Scalar const free = (a * a * w.cross(two.u).dot(N) + a * b * wu1 + b * (xm + a * cosine * ym)) / determinant;
  Scalar x = clamp<Scalar>(free, -one.h, one.h);
  Scalar const y = clamp<Scalar>(gy + a * cosine * x, -two.h, two.h);
  x = clamp<Scalar>(gx + a * cosine * y, -one.h, one.h);  // one such correction gives the exact minimum of a quadratic
                                                          // of two variables in a box
  return {x, y};
}

/// Returns the normal that the contract defines for intersecting axes. It is along N with n.w >= 0, or perpendicular to
/// one of the axes.
template <real_scalar Scalar>
Vector3<Scalar> conventional_normal(Vector3<Scalar> const& w, Vector3<Scalar> const& half1,
                                    Vector3<Scalar> const& half2) {
  using std::sqrt;
  Vector3<Scalar> const N = half1.cross(half2);
  Scalar const zero(0), NN = N.dot(N);
  if (zero < NN) return N * ((N.dot(w) < zero ? Scalar(-1) : Scalar(1)) / sqrt(NN));
  Vector3<Scalar> const along = zero < half1.dot(half1) ? half1 : half2;
  Scalar const square = along.dot(along);
  Vector3<Scalar> normal(zero, zero, Scalar(1));
  if (!(zero < square)) return normal;
  Index least = 0;
  for (Index i = 1; i < 3; ++i)
    if (along[i] * along[i] < along[least] * along[least]) least = i;
  normal = along * (-along[least] / square);
  normal[least] += Scalar(1);
  return normal / sqrt(normal.dot(normal));
}

/// Returns the contact of the spheres about the axis points P1 and P2. The contact point is the middle of the overlap
/// of the spheres on the line of their centres.
template <real_scalar Scalar>
Output<Scalar> lens(Input<Scalar> const& in, Vector3<Scalar> const& P1, Vector3<Scalar> const& P2, Scalar const& uN,
                    Vector3<Scalar> const& normal, Status status) {
  Scalar const two(2);
  return {uN, normal, Vector3<Scalar>((P1 + P2) / two + normal * ((in.radius1 - in.radius2) / two)), status};
}

template <real_scalar Scalar>
segment_distance::reference::Pair<Scalar> closest_pair(Input<Scalar> const& in) {
  return segment_distance::reference::closest_pair<Scalar>(
      {in.centre1 - in.half1, in.centre1 + in.half1, in.centre2 - in.half2, in.centre2 + in.half2});
}

/// Returns whether the axes are so close that their direction is only rounding error: d <= 8 u S, with u of binary64.
template <real_scalar Scalar>
bool axes_intersect(Input<Scalar> const& in, Scalar const& d) {
  using std::sqrt;
  Vector3<Scalar> const w = in.centre2 - in.centre1;
  Scalar const S =
      sqrt(in.half1.dot(in.half1)) + sqrt(in.half2.dot(in.half2)) + in.radius1 + in.radius2 + sqrt(w.dot(w));
  return !(Scalar(Contract::intersecting * unit_roundoff) * S < d);
}

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  segment_distance::reference::Pair<Scalar> const closest = closest_pair(in);
  Scalar const zero(0), R = in.radius1 + in.radius2, d = sqrt(closest.squared), uN = d - R;
  Vector3<Scalar> const w = in.centre2 - in.centre1;
  Axis<Scalar> const one = axis(in.half1), two = axis(in.half2);

  bool const geometric = !(uN < zero) || !(zero < one.h) || !(zero < two.h);
  auto const [x, y] = geometric ? closest_points(closest, one.h, two.h) : centred_points(w, one, two, d, R);
  Vector3<Scalar> const P1 = in.centre1 + one.u * x, P2 = in.centre2 + two.u * y, v = w + two.u * y - one.u * x;

  if (axes_intersect(in, d))
    return lens<Scalar>(in, P1, P2, uN, conventional_normal(w, in.half1, in.half2), Status::axes_intersect);
  Vector3<Scalar> const normal = v / sqrt(v.dot(v));
  return lens<Scalar>(in, P1, P2, uN, normal, uN < zero ? Status::overlapping : Status::separated);
}

}  // namespace demeter::capsule_contact::reference
