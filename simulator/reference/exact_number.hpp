// Numbers of a scene in every arithmetic, and numbers of a state as texts that read back as the same number.
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

/// "0.1", "3/5", "-pi/8", "0.85pi", "2pi/3", or, where it may be, "inf"; nothing if the text is none of these.
std::optional<Number> parse_number(std::string_view text, bool may_be_infinite = false);

/// The number itself, unless pi or infinity is in it.
std::optional<Rational> exact_ratio(Number const& number);

/// With the digits of the innermost `Precision`.
Multiprecision exactly(Number const& number);

/// Texts that read back as the same number, in the arithmetic they came from.
std::string exact_text(double x);
std::string exact_text(long double x);
std::string exact_text(Multiprecision const& x);
/// False if the text is no number of that arithmetic.
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

/// In 17 digits at most of a double, 21 of a long double, and as many as are computed of any other.
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
