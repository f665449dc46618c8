// The words a kernel's contract is written in: scalars, units, error measures and domain errors.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// Unit roundoff of binary64, u = 2^-53.
inline constexpr double unit_roundoff = 0x1p-53;

/// What decisions and squared quantities need: exact rationals satisfy it.
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

/// A `field_scalar` with roots; found unqualified after `using std::sqrt`.
template <class Scalar>
concept real_scalar = field_scalar<Scalar> && detail::has_square_root<Scalar>;

/// How the error of an output is measured. A column of a report never mixes them.
enum class Measure {
  relative,    ///< |x - truth| / (u |truth|)
  scale,       ///< |x - truth| / (u S), S the contract's scale of this output
  optimality,  ///< the answer is not unique: how much worse than the optimum it is, in units of u S
};
constexpr std::array<std::string_view, 3> labels(Measure) { return {"relative", "scale", "optimality"}; }

/// The error a double subject is allowed in one output (a dotted path): `units` of the measure, plus 2^-1075.
struct Budget {
  std::string_view output;
  Measure measure;
  double units;
};

/// What is known of the error of the truth that an oracle states: that its radius is proved to hold it, or that it is
/// estimated, and then why it is not bounded (one sentence, shown wherever a verdict is).
struct Certainty {
  std::string_view not_bounded_because;
  constexpr bool bounded() const { return not_bounded_because.empty(); }
};
inline constexpr Certainty bounded{};
constexpr Certainty estimated(std::string_view because) { return {because}; }

/// An input outside the contract's domain: which field, and what was expected ("> 0", "finite").
struct DomainError {
  std::string field;
  std::string expected;
};

namespace unit {
inline constexpr std::string_view none = "";
inline constexpr std::string_view metre = "m";
inline constexpr std::string_view kilogram = "kg";
inline constexpr std::string_view cubic_metre = "m^3";
inline constexpr std::string_view density = "kg/m^3";
inline constexpr std::string_view inertia = "kg m^2";
inline constexpr std::string_view newton = "N";
inline constexpr std::string_view newton_metre = "N m";
}  // namespace unit

}  // namespace demeter
