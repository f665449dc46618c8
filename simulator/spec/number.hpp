// A number of a scene. In every arithmetic it has the value of its text, rounded once.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <limits>
#include <string>

namespace demeter::simulator {

/// A double, or a text in quotes: a decimal ("0.1"), a ratio ("3/5"), or one of these times pi ("-pi/8", "0.85pi"). The
/// exact value is rounded once, to the arithmetic that uses it.
struct Number {
  std::string text;  ///< empty: the number is exactly `value`
  double value = 0;  ///< the double nearest to the number

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
