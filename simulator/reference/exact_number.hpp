// Converts numbers of a scene to every arithmetic. Converts numbers of a state to text and back, without a change of
// the number.
#pragma once

#include "reference/core/exact.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/core/scalars.hpp"
#include "simulator/spec/number.hpp"
#include "simulator/spec/simulation.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter::simulator {

/// Reads "0.1", "3/5", "-pi/8", "0.85pi", "2pi/3" or, if `may_be_infinite`, "inf". Returns nothing for any other text.
std::optional<Number> parse_number(std::string_view text, bool may_be_infinite = false);

/// Returns the exact number, or nothing if it contains pi or is infinite.
std::optional<Rational> exact_ratio(Number const& number);

/// Returns the number, rounded to the digits of the innermost `Precision` object.
Multiprecision exactly(Number const& number);

/// Return the number as text. Reading this text in the same arithmetic gives the same number.
std::string exact_text(double x);
std::string exact_text(long double x);
std::string exact_text(Multiprecision const& x);
/// Return false if the text is not a number of this arithmetic.
bool read_exact_text(std::string_view text, double& x);
bool read_exact_text(std::string_view text, long double& x);
bool read_exact_text(std::string_view text, Multiprecision& x);

}  // namespace demeter::simulator

namespace demeter {

template <>
struct ScalarCast<Multiprecision, simulator::Number> {
  static Multiprecision apply(simulator::Number const& x) { return simulator::exactly(x); }
};
template <>
struct ScalarCast<long double, simulator::Number> {
  static long double apply(simulator::Number const& x) {
    if (x.text.empty()) return x.value;
    return with_digits(60, [&] { return static_cast<long double>(simulator::exactly(x)); });
  }
};

/// Converts a number to text. A double has at most 17 digits, a long double 21 digits, and a Multiprecision number all
/// its computed digits.
template <class Scalar>
struct ScalarCast<simulator::Text, Scalar> {
  static simulator::Text apply(Scalar const& x) {
    if constexpr (std::is_same_v<Scalar, Multiprecision>) {
      return {decimal(x.get(), Precision::digits()), static_cast<double>(x)};
    } else {
      return {simulator::exact_text(x), static_cast<double>(x)};
    }
  }
};

}  // namespace demeter
