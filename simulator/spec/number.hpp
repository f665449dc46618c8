// A number of a scene: exactly the value of its text, in every arithmetic.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <limits>
#include <string>

namespace demeter::simulator {

/// A double, or a text in quotes: a decimal ("0.1"), a ratio ("3/5"), or either times pi ("-pi/8", "0.85pi"). The value
/// is rounded once, to the arithmetic that uses it.
struct Number {
  std::string text;  ///< empty: exactly `value`
  double value = 0;  ///< the nearest double

  Number() = default;
  Number(double x) : value(x) {}  // NOLINT: a double is a number
  Number(std::string written, double nearest) : text(std::move(written)), value(nearest) {}
};

}  // namespace demeter::simulator

namespace demeter {

template <>
struct ScalarCast<double, simulator::Number> {
  static double apply(simulator::Number const& x) { return x.value; }
};

}  // namespace demeter
