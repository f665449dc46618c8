// Ends of a capsule as other codes compute them, from a quaternion that they assume to have length 1.
#pragma once

#include "reference/spec/capsule_endpoints.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::capsule_endpoints::printed {

/// Returns ends, box and sphere of a capsule. `axis` is the direction of the local x axis in the global frame.
template <class Scalar>
Output<Scalar> along(Input<Scalar> const& in, Vector3<Scalar> const& axis) {
  Scalar const zero(0);
  Output<Scalar> out;
  out.half = axis * (in.shaft / 2);
  out.end0 = in.position - out.half;
  out.end1 = in.position + out.half;
  for (Index i = 0; i < 3; ++i) {
    Scalar const reach = (out.half[i] < zero ? Scalar(-out.half[i]) : out.half[i]) + in.radius;
    out.box_low[i] = in.position[i] - reach;
    out.box_high[i] = in.position[i] + reach;
  }
  out.bounding_radius = in.radius + in.shaft / 2;
  return out;
}

/// Returns the image of (1, 0, 0) by Eigen's formula for a quaternion and a vector v: v + w t + r x t with r = (x, y,
/// z) and t = 2 r x v. If the length of the quaternion is not 1, the length and the direction of the shaft are wrong.
template <real_scalar Scalar>
Vector3<Scalar> transformed_x(Quaternion<Scalar> const& q) {
  Vector3<Scalar> const local(Scalar(1), Scalar(0), Scalar(0)), r(q[1], q[2], q[3]);
  Vector3<Scalar> const cross = r.cross(local), t = cross + cross, w_t = q[0] * t, r_t = r.cross(t);
  return local + w_t + r_t;
}

template <real_scalar Scalar>
Output<Scalar> eigen(Input<Scalar> const& in) {
  return along<Scalar>(in, transformed_x<Scalar>(in.orientation));
}

/// Uses the matrix of the textbook without the division by |q|^2: w^2 + x^2 - y^2 - z^2, 2(xy + wz), 2(xz - wy). If the
/// length of the quaternion is not 1, the direction is correct and the shaft is multiplied by |q|^2.
template <real_scalar Scalar>
Output<Scalar> matrix(Input<Scalar> const& in) {
  Scalar const w = in.orientation[0], x = in.orientation[1], y = in.orientation[2], z = in.orientation[3];
  return along<Scalar>(in, Vector3<Scalar>(w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)));
}

/// Divides the quaternion by its length first, which is correct. The squares may overflow and underflow.
template <real_scalar Scalar>
Output<Scalar> normalised(Input<Scalar> const& in) {
  using std::sqrt;
  Quaternion<Scalar> const q = in.orientation;
  Scalar const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], length = sqrt(square);
  return along<Scalar>(in, transformed_x<Scalar>(Quaternion<Scalar>(q / length)));
}

inline auto formulas() {
  return std::tuple{
      Formula{"eigen", "Eigen's quaternion times vector, the quaternion as it is (FCL#567)", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return eigen(in); }},
      Formula{"matrix", "the textbook's rotation matrix, the quaternion as it is", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return matrix(in); }},
      Formula{"normalised", "Eigen's quaternion times vector, the quaternion divided by its length", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return normalised(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "length of the quaternion",
              .documented = "a normal of length 1",
              .implemented = "not normalised: the shaft is |q|^2 times too long or has another direction",
              .codes = {published::fcl_issue},
              .recommended = "divide the rotation by |q|^2",
              .figures = {{.what = "q = (1, 0, 0, 1) and a shaft of 2: component along y",
                           .input = R"({"position":[0,0,0],"orientation":[1,0,0,1],"radius":1,"shaft":2})",
                           .column = "half[1]",
                           .values = {{"matrix", "2"}, {"eigen", "2"}, {"reference", "1"}}},
                          {.what = "the same capsule: component along x",
                           .input = R"({"position":[0,0,0],"orientation":[1,0,0,1],"radius":1,"shaft":2})",
                           .column = "half[0]",
                           .values = {{"matrix", "0"}, {"eigen", "-1"}, {"reference", "0"}}}}},
  };
}

}  // namespace demeter::capsule_endpoints::printed
