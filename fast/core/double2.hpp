// Numbers of twice the digits, and exact scalings: what the fast mass properties share.
#pragma once

#include <algorithm>
#include <cmath>

namespace demeter::fast_core {

/// A number as the unevaluated sum of two doubles, the second at most about an ulp of the first.
struct Double2 {
  double high = 0, low = 0;

  // Knuth's two-sum; the error goes to low, whose own rounding is of second order.
  void add(double x) {
    double const sum = high + x, x_seen = sum - high;
    low += (high - (sum - x_seen)) + (x - x_seen);
    high = sum;
  }
  double rounded() const { return high + low; }
};

/// x y and its rounding error (Dekker), for factors far from overflow and underflow.
inline Double2 product(double x, double y) {
  auto const upper = [](double a) {
    double const big = 0x1.0000002p27 * a;
    return big - (big - a);
  };
  double const p = x * y, xh = upper(x), yh = upper(y), xl = x - xh, yl = y - yh;
  return {p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl};
}

/// x - y exactly.
inline Double2 difference(double x, double y) {
  double const d = x - y, y_seen = x - d;
  return {d, (x - (d + y_seen)) + (y_seen - y)};
}

/// x / y within a few u^2, for a y whose high part is its larger one.
inline Double2 quotient(Double2 const& x, Double2 const& y) {
  double const first = x.rounded() / y.high;
  Double2 const back = product(first, y.high);
  double const rest = ((x.high - back.high) + (x.low - back.low)) - first * y.low;
  double const correction = rest / y.high, high = first + correction;
  return {high, (first - high) + correction};
}

/// The exponent e with |x| in [2^e, 2^(e+1)), 0 for 0; of a subnormal it may be larger by up to 52.
inline int exponent_of(double x) {
  if (x == 0) return 0;
  return std::max(std::ilogb(x), -1022);
}

/// 2^e for |e| <= 1000.
inline double power_of_two(int e) { return std::ldexp(1.0, std::clamp(e, -1000, 1000)); }

/// x 2^e without std::ldexp's cost for every x. Beyond +-2000 what is scaled is either nothing or negligible.
struct Factor {
  double first, second;

  explicit Factor(int e) : first(power_of_two(e / 2)), second(power_of_two(e - e / 2)) {}
  double operator()(double x) const { return x * first * second; }
};

}  // namespace demeter::fast_core
