// Segment distance by formulas of other sources and codes.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/segment_distance.hpp"

namespace demeter::segment_distance::printed {

template <class Scalar>
Scalar clamp(Scalar const& x, Scalar const& low, Scalar const& high) {
  return x < low ? low : high < x ? high : x;
}

/// The routine of the textbook (Ericson, Real-Time Collision Detection, 2005, 5.1.9). It solves the 2x2 equations for
/// s, clamps s, computes t by projection, and computes s again by projection if t was clamped. It has no epsilon: only
/// exact zeros are special cases.
template <real_scalar Scalar>
Output<Scalar> textbook(Input<Scalar> const& in) {
  using std::sqrt;
  Vector3<Scalar> const A = in.p1 - in.p0, B = in.q1 - in.q0, r = in.p0 - in.q0;
  Scalar const zero(0), one(1), a = A.dot(A), e = B.dot(B), f = B.dot(r);
  Scalar s(0), t(0);
  if (!(zero < a) && !(zero < e)) {
    // both segments are points
  } else if (!(zero < a)) {
    t = clamp<Scalar>(f / e, zero, one);
  } else {
    Scalar const c = A.dot(r);
    if (!(zero < e)) {
      s = clamp<Scalar>(-c / a, zero, one);
    } else {
      Scalar const b = A.dot(B), determinant = a * e - b * b;
      if (determinant < zero || zero < determinant) s = clamp<Scalar>((b * f - c * e) / determinant, zero, one);
      t = (b * s + f) / e;
      if (t < zero) {
        t = zero;
        s = clamp<Scalar>(-c / a, zero, one);
      } else if (one < t) {
        t = one;
        s = clamp<Scalar>((b - c) / a, zero, one);
      }
    }
  }
  Vector3<Scalar> const v = r + s * A - t * B;
  return {sqrt(v.dot(v)), s, t};
}

/// The scheme of Wild Magic 5, which Woo uses. A segment is given by its centre, unit direction and half-length.
/// Segments count as parallel if the determinant 1 - cos^2 is below the absolute threshold 1e-8.
template <real_scalar Scalar>
Output<Scalar> threshold(Input<Scalar> const& in) {
  using std::sqrt;
  Scalar const zero(0), one(1), two(2);
  Vector3<Scalar> const A = in.p1 - in.p0, B = in.q1 - in.q0;
  Scalar const length1 = sqrt(A.dot(A)), length2 = sqrt(B.dot(B));
  Scalar const half1 = length1 / two, half2 = length2 / two;
  Vector3<Scalar> const nowhere(zero, zero, zero);
  Vector3<Scalar> const u1 = zero < length1 ? Vector3<Scalar>(A / length1) : nowhere;
  Vector3<Scalar> const u2 = zero < length2 ? Vector3<Scalar>(B / length2) : nowhere;
  Vector3<Scalar> const offset = (in.p0 + in.p1) / two - (in.q0 + in.q1) / two;
  Scalar const cosine = u1.dot(u2), b1 = offset.dot(u1), b2 = -offset.dot(u2);
  Scalar x, y;  // signed arc lengths from the centres
  Scalar const determinant = one - cosine * cosine;
  if (!(determinant < Scalar(1) / 100000000)) {
    x = clamp<Scalar>((-cosine * b2 - b1) / determinant, -half1, half1);
    y = clamp<Scalar>(cosine * x - b2, -half2, half2);
    x = clamp<Scalar>(cosine * y - b1, -half1, half1);
  } else {
    // Parallel segments: the offset of the centres along the common axis is divided in proportion to the half-lengths.
    Scalar const sign = zero < cosine ? one : -one;
    Scalar const sum = half1 + half2, along = clamp<Scalar>(-(b1 - sign * b2) / two, -sum, sum);
    y = zero < sum ? Scalar(-sign * along * half2 / sum) : zero;
    x = along + sign * y;
  }
  Scalar const squared = x * (x - two * cosine * y + two * b1) + y * (y + two * b2) + offset.dot(offset);
  Scalar const s = zero < length1 ? clamp<Scalar>(x / length1 + one / two, zero, one) : zero;
  Scalar const t = zero < length2 ? clamp<Scalar>(y / length2 + one / two, zero, one) : zero;
  return {sqrt(squared < zero ? Scalar(-squared) : squared), s, t};
}

inline auto formulas() {
  return std::tuple{
      Formula{"textbook", "Gram solve and clamps (Ericson 2005), no epsilon", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return textbook(in); }},
      Formula{"threshold", "centre and direction form, parallel if 1 - cos^2 < 1e-8 (Wild Magic 5, as Woo uses it)",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return threshold(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "parallel axes",
          .documented = "axes are parallel if 1 - cos^2 < 1e-8; then the offset along the axes is divided between them",
          .recommended = "axes are parallel if their cross product is 0",
          .figures = {{.what = "two axes of length 20 whose lines cross at a distance of 0.001 and with a sine of "
                               "9.999e-5, 5 from their centres",
                       .input =
                           R"({"p0":[-10,0,0],"p1":[10,0,0],"q0":[-10,-0.0004999,0.001],"q1":[10,0.0014999,0.001]})",
                       .column = "distance",
                       .values = {{"threshold", "0.00112"}, {"reference", "0.001"}}}}},
  };
}

}  // namespace demeter::segment_distance::printed
