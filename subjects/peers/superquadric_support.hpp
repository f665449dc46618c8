// The support function of a superquadric in plain double, as a user of a collision library for convex bodies writes it.
#pragma once

#include "reference/spec/family/superquadric.hpp"

#include <cmath>

namespace demeter::peers {

/// A superquadric for libraries that ask for the farthest point in a direction.
struct SupportedSuperquadric {
  Vector3<double> position, semi_axes;
  Matrix3<double> rotation;  ///< from the body's frame to the global frame
  double n1, n2;

  explicit SupportedSuperquadric(Superquadric<double> const& body)
      : position(body.position), semi_axes(body.semi_axes), n1(body.n1), n2(body.n2) {
    Quaternion<double> const q = (body.orientation / body.orientation.cwiseAbs().maxCoeff()).normalized();
    double const w = q[0], x = q[1], y = q[2], z = q[3];
    rotation = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  }

  /// Returns the farthest point in a direction, in the body's frame. This point is the gradient of the support
  /// function. The support function is a norm of the vector (semi_axes[k] * direction[k]), with exponents n / (n - 1).
  Vector3<double> support(Vector3<double> const& direction) const {
    Vector3<double> const u = semi_axes.cwiseProduct(direction.cwiseAbs());
    double const size = u.maxCoeff();
    if (!(size > 0)) return Vector3<double>(semi_axes[0], 0, 0);
    Vector3<double> const v = u / size;
    double const inner = norm(v[0], v[1], n2 / (n2 - 1)), outer = norm(inner, v[2], n1 / (n1 - 1));
    double const across = share(inner, outer, n1);
    Vector3<double> const shares(across * share(v[0], inner, n2), across * share(v[1], inner, n2),
                                 share(v[2], outer, n1));
    Vector3<double> result;
    for (Index k = 0; k < 3; ++k) result[k] = std::copysign(semi_axes[k] * shares[k], direction[k]);
    return result;
  }

 private:
  static double norm(double a, double b, double exponent) {
    return std::pow(std::pow(a, exponent) + std::pow(b, exponent), 1 / exponent);
  }
  /// Returns the derivative of a norm with respect to one part. The exponent is n / (n - 1) - 1 = 1 / (n - 1).
  static double share(double part, double whole, double n) {
    return part > 0 ? std::pow(part / whole, 1 / (n - 1)) : 0;
  }
};

}  // namespace demeter::peers
