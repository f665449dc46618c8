// A long double as a `Number` for the templates. Used for the few pairs that double precision cannot decide, such as a
// face that nearly touches a pole where the curvature changes within 1e-8 of the size. The eleven additional bits
// improve the accuracy by a factor of two thousand. Included where the scalar form is compiled.
#pragma once

#include <cmath>
#include <concepts>

namespace demeter::superquadric::fast {

struct Wide {
  long double x = 0;

  Wide() = default;
  Wide(double value) : x(value) {}  // NOLINT: implicit conversion from double, as for any scalar
  explicit Wide(long double value) : x(value) {}

  friend Wide operator+(Wide a, Wide b) { return Wide(a.x + b.x); }
  friend Wide operator-(Wide a, Wide b) { return Wide(a.x - b.x); }
  friend Wide operator*(Wide a, Wide b) { return Wide(a.x * b.x); }
  friend Wide operator/(Wide a, Wide b) { return Wide(a.x / b.x); }
  friend bool operator<(Wide a, Wide b) { return a.x < b.x; }
  friend bool operator==(Wide a, Wide b) { return a.x == b.x; }

  friend Wide fma(Wide a, Wide b, Wide c) { return Wide(a.x * b.x + c.x); }
  friend Wide subtract_product(Wide c, Wide a, Wide b) { return Wide(c.x - a.x * b.x); }
  friend Wide minimum(Wide a, Wide b) { return a.x < b.x ? a : b; }
  friend Wide maximum(Wide a, Wide b) { return a.x > b.x ? a : b; }
  friend Wide abs(Wide a) { return Wide(std::fabs(a.x)); }
  friend Wide sqrt(Wide a) { return Wide(std::sqrt(a.x)); }
  friend Wide select(bool mask, Wide yes, Wide no) { return mask ? yes : no; }
  friend Wide zero_unless(bool mask, Wide a) { return mask ? a : Wide(); }
  friend Wide power(Wide a, Wide n) { return Wide(std::pow(a.x, n.x)); }
  friend Wide root_near_1(Wide a, Wide n) { return Wide(std::exp2(std::log2(a.x) / n.x)); }
};

}  // namespace demeter::superquadric::fast

namespace demeter {

/// An overload of set() in addition to those of fast/core/lanes.hpp.
template <std::same_as<superquadric::fast::Wide> Number>
Number set(double a) {
  return a;
}

}  // namespace demeter
