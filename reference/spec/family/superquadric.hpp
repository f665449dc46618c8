// A superquadric body: record and domain, shared by the contracts of superquadrics.
// Source: docs/mathematics/superquadrics.md#bodies.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter {

/// Range of the exponents. Below 2, the Hessian is unbounded. Above 200, the body is practically a box.
inline constexpr int least_exponent = 2, largest_exponent = 200;

/// A superquadric in space. In the body's own frame, (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 = 1 on the surface.
template <class Scalar>
struct Superquadric {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Vector3<Scalar> semi_axes;
  Scalar n1, n2;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Superquadric::position, unit::metre, Kind::position, "centre, global frame"),
        field("orientation", &Superquadric::orientation, unit::none, Kind::quaternion,
              "quaternion w, x, y, z that turns the body's frame into the global one; of any length but 0"),
        field("semi_axes", &Superquadric::semi_axes, unit::metre, "a, b, c along the body's own x, y, z, each > 0"),
        field("n1", &Superquadric::n1, unit::none, "exponent between z and the x, y plane, 2 to 200"),
        field("n2", &Superquadric::n2, unit::none, "exponent in the x, y plane, 2 to 200"),
    };
  }
};

/// Returns the first error in semi-axes and exponents, with field names that start with `path` ("i."), or nullopt. NaN
/// is an error.
template <class Scalar>
std::optional<DomainError> superquadric_shape_error(std::string const& path, Vector3<Scalar> const& semi_axes,
                                                    Scalar const& n1, Scalar const& n2, int least = least_exponent) {
  for (Index k = 0; k < 3; ++k)
    if (!(semi_axes[k] > Scalar(0))) return DomainError{path + "semi_axes[" + std::to_string(k) + "]", "> 0"};
  auto const inside = [&](Scalar const& n) { return n >= Scalar(least) && n <= Scalar(largest_exponent); };
  auto const expected = [&] { return std::to_string(least) + " to " + std::to_string(largest_exponent); };
  if (!inside(n1)) return DomainError{path + "n1", expected()};
  if (!inside(n2)) return DomainError{path + "n2", expected()};
  return std::nullopt;
}

template <class Scalar>
std::optional<DomainError> superquadric_orientation_error(std::string const& path, Quaternion<Scalar> const& q) {
  for (Index k = 0; k < 4; ++k)
    if (q[k] < Scalar(0) || Scalar(0) < q[k]) return std::nullopt;
  return DomainError{path + "orientation", "a quaternion that is not zero"};
}

/// Returns the first error in orientation, semi-axes or exponents. `Body` has the members of a `Superquadric`.
template <class Body>
std::optional<DomainError> superquadric_error(std::string const& path, Body const& body) {
  if (auto wrong = superquadric_orientation_error(path, body.orientation)) return wrong;
  return superquadric_shape_error(path, body.semi_axes, body.n1, body.n2);
}

/// Largest allowed ratio of the largest semi-axes of two bodies in contact, for example grains of 0.1 mm and boulders
/// of 1 m.
inline constexpr double most_unequal_superquadrics = 10000;

/// Returns the first error in two bodies that may be in contact, or nullopt.
template <class Body>
std::optional<DomainError> superquadrics_error(Body const& of_i, Body const& of_j) {
  if (auto wrong = superquadric_error("i.", of_i)) return wrong;
  if (auto wrong = superquadric_error("j.", of_j)) return wrong;
  using Scalar = typename std::remove_cvref_t<decltype(of_i.semi_axes)>::Scalar;
  Scalar const i = of_i.semi_axes.maxCoeff(), j = of_j.semi_axes.maxCoeff(), most(most_unequal_superquadrics);
  if (most * i < j || most * j < i)
    return DomainError{"j.semi_axes", "the largest at most 10000 times that of i, and at least a 10000th"};
  return std::nullopt;
}

}  // namespace demeter
