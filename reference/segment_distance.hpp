// Reference: distance of two segments; Lumelsky (1985), Eberly (1999).
// Source: docs/mathematics/capsules.md#segment_distance.
#pragma once

#include "reference/spec/segment_distance.hpp"

namespace demeter::segment_distance::reference {

/// A pair of points on the two segments and the square of their distance.
template <class Scalar>
struct Pair {
  Scalar squared, s, t;
};

/// Returns the squared distance of p from the segment from q to q + B, and the parameter of the closest point. With w =
/// q - p, the product k = -w.B is the projection of p on B, times |B|.
template <field_scalar Scalar>
std::pair<Scalar, Scalar> point_segment(Vector3<Scalar> const& p, Vector3<Scalar> const& q, Vector3<Scalar> const& B) {
  Vector3<Scalar> const w = q - p;
  Scalar const BB = B.dot(B), k = -w.dot(B), zero(0), one(1);
  if (!(k > zero)) return {w.dot(w), zero};
  if (!(k < BB)) {
    Vector3<Scalar> const end = w + B;
    return {end.dot(end), one};
  }
  Vector3<Scalar> const cross = w.cross(B);
  return {cross.dot(cross) / BB, k / BB};  // |w x B|^2 / B.B = |w|^2 - k^2 / B.B without cancellation
}

/// Returns the closest pair. The result is exact for exact scalars: the squared distance and all decisions are rational
/// functions of the end points.
template <field_scalar Scalar>
Pair<Scalar> closest_pair(Input<Scalar> const& in) {
  Vector3<Scalar> const A = in.p1 - in.p0, B = in.q1 - in.q0, w = in.q0 - in.p0;
  Vector3<Scalar> const N = A.cross(B);
  Scalar const NN = N.dot(N), zero(0), one(1);
  if (NN > zero) {
    Scalar const s = w.cross(B).dot(N) / NN, t = w.cross(A).dot(N) / NN;
    if (!(s < zero) && !(one < s) && !(t < zero) && !(one < t)) {
      Scalar const height = w.dot(N);
      return {height * height / NN, s, t};
    }
  }
  // The closest pair contains an end point of one segment. The code compares the four end points.
  auto const [p0, t0] = point_segment<Scalar>(in.p0, in.q0, B);
  auto const [p1, t1] = point_segment<Scalar>(in.p1, in.q0, B);
  auto const [q0, s0] = point_segment<Scalar>(in.q0, in.p0, A);
  auto const [q1, s1] = point_segment<Scalar>(in.q1, in.p0, A);
  Pair<Scalar> best{p0, zero, t0};
  if (p1 < best.squared) best = {p1, one, t1};
  if (q0 < best.squared) best = {q0, s0, zero};
  if (q1 < best.squared) best = {q1, s1, one};
  return best;
}

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  Pair<Scalar> const closest = closest_pair(in);
  return {sqrt(closest.squared), closest.s, closest.t};
}

}  // namespace demeter::segment_distance::reference
