// 2D vectors, infinite masses and number ranges: shared by the contracts of non-smooth contacts.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

namespace unit {
inline constexpr std::string_view impulse = "N s";
}

template <class Scalar>
using Vector2 = Vector<Scalar, 2>;

/// Returns whether a mass means that no contact can move this body. The largest finite mass of the domain is 1e60. A
/// mass above 1e100 counts as infinite. In float, 1e100 rounds to infinity: then only infinity counts as infinite.
template <class Scalar>
bool is_infinite(Scalar const& mass) {
  return Scalar(1e100) < mass || (Scalar(0) < mass && !(mass < mass + mass));
}

/// Checks of numbers for the domains of these contracts. Each contract defines its own `least` and `largest` magnitude.
namespace nonsmooth {

template <class Scalar>
Scalar magnitude(Scalar const& x) {
  return x < Scalar(0) ? Scalar(-x) : x;
}
template <class Contract, class Scalar>
bool is_ordinary(Scalar const& x) {
  return x >= Scalar(Contract::least) && x <= Scalar(Contract::largest);
}
template <class Scalar>
bool is_zero(Scalar const& x) {
  return !(x < Scalar(0)) && !(Scalar(0) < x);
}
/// Returns whether x is 0 or has a magnitude in the range. x may have either sign.
template <class Contract, class Scalar>
bool is_ordinary_or_zero(Scalar const& x) {
  return is_ordinary<Contract>(magnitude(x)) || is_zero(x);
}
/// Returns whether |n|^2 is within 2^-48 of 1.
template <class Scalar>
bool is_unit(Vector2<Scalar> const& n) {
  return magnitude(Scalar(n[0] * n[0] + n[1] * n[1] - Scalar(1))) <= Scalar(0x1p-48);
}

}  // namespace nonsmooth

}  // namespace demeter
