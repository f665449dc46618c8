// The scalar concepts and the units that contracts use. The error measures are in budget.hpp.
#pragma once

#include "reference/spec/core/budget.hpp"
#include "reference/spec/core/fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// A scalar with + - * / and <, enough for decisions and squared quantities. Exact rationals satisfy this concept.
template <class Scalar>
concept field_scalar = requires(Scalar a, Scalar b) {
  Scalar(a + b);
  Scalar(a - b);
  Scalar(a * b);
  Scalar(a / b);
  { a < b } -> std::convertible_to<bool>;
};

namespace detail {
using std::sqrt;
template <class Scalar>
concept has_square_root = requires(Scalar a) {
  Scalar(sqrt(a));
};
}  // namespace detail

namespace detail {
using std::exp, std::lgamma, std::log, std::pow;
template <class Scalar>
concept has_powers = requires(Scalar a, Scalar b) {
  Scalar(exp(a));
  Scalar(log(a));
  Scalar(lgamma(a));
  Scalar(pow(a, b));
};
}  // namespace detail

namespace detail {
using std::cos, std::sin;
template <class Scalar>
concept has_angles = requires(Scalar a) {
  Scalar(cos(a));
  Scalar(sin(a));
};
}  // namespace detail

/// A `field_scalar` with sqrt, found unqualified after `using std::sqrt`.
template <class Scalar>
concept real_scalar = field_scalar<Scalar> && detail::has_square_root<Scalar>;

/// A `real_scalar` with exp, log, lgamma (of positive numbers) and pow, found in the same way as sqrt.
template <class Scalar>
concept power_scalar = real_scalar<Scalar> && detail::has_powers<Scalar>;

/// A `real_scalar` with sin and cos, found in the same way as sqrt.
template <class Scalar>
concept turning_scalar = real_scalar<Scalar> && detail::has_angles<Scalar>;

namespace unit {
inline constexpr std::string_view none = "";
inline constexpr std::string_view metre = "m";
inline constexpr std::string_view kilogram = "kg";
inline constexpr std::string_view cubic_metre = "m^3";
inline constexpr std::string_view density = "kg/m^3";
inline constexpr std::string_view inertia = "kg m^2";
inline constexpr std::string_view newton = "N";
inline constexpr std::string_view newton_metre = "N m";
inline constexpr std::string_view per_metre = "1/m";
inline constexpr std::string_view per_square_metre = "1/m^2";
inline constexpr std::string_view second = "s";
inline constexpr std::string_view velocity = "m/s";
inline constexpr std::string_view spin = "rad/s";
}  // namespace unit

}  // namespace demeter
