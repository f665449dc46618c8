// Double-double arithmetic (twice the digits of a double) and exact scaling by powers of two, for the fast mass
// properties.
#pragma once

#include <algorithm>
#include <cmath>

namespace demeter::fast_core {

/// A number as the unevaluated sum of two doubles. `low` is at most about one ulp of `high`.
struct Double2 {
  double high = 0, low = 0;

  // Adds x with Knuth's two-sum: the rounding error of high + x is added to `low`. The addition to `low` rounds too,
  // but its error is of second order.
  void add(double x) {
    double const sum = high + x, x_seen = sum - high;
    low += (high - (sum - x_seen)) + (x - x_seen);
    high = sum;
  }
  double rounded() const { return high + low; }
};

/// Returns x + y exactly: the rounded sum and its rounding error (Knuth).
inline Double2 exact_sum(double x, double y) {
  double const sum = x + y, y_seen = sum - x;
  return {sum, (x - (sum - y_seen)) + (y - y_seen)};
}

/// Returns x - y exactly: the rounded difference and its rounding error.
inline Double2 exact_difference(double x, double y) { return exact_sum(x, -y); }

/// Returns x y exactly, as the rounded product and its rounding error (Dekker). The factors must be far from overflow
/// and underflow.
inline Double2 exact_product(double x, double y) {
  auto const upper = [](double a) {
    double const big = 0x1.0000002p27 * a;
    return big - (big - a);
  };
  double const p = x * y, xh = upper(x), yh = upper(y), xl = x - xh, yl = y - yh;
  return {p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl};
}

/// Returns high + low exactly, as the rounded sum and its rounding error. Requires |low| <= |high|.
inline Double2 normalised(double high, double low) {
  double const sum = high + low;
  return {sum, low - (sum - high)};
}

// The error of each operator is a few 2^-106 times the magnitudes of the operands.
inline Double2 operator-(Double2 const& x) { return {-x.high, -x.low}; }
inline Double2 operator+(Double2 const& x, Double2 const& y) {
  Double2 const high = exact_sum(x.high, y.high), low = exact_sum(x.low, y.low);
  Double2 const first = normalised(high.high, high.low + low.high);
  return normalised(first.high, first.low + low.low);
}
inline Double2 operator-(Double2 const& x, Double2 const& y) { return x + -y; }
inline Double2 operator*(Double2 const& x, Double2 const& y) {
  Double2 const p = exact_product(x.high, y.high);
  return normalised(p.high, p.low + (x.high * y.low + x.low * y.high));
}
inline Double2 operator*(double x, Double2 const& y) { return Double2{x} * y; }
inline Double2 operator/(Double2 const& x, Double2 const& y) {
  double const first = x.high / y.high;
  Double2 const rest = x - first * y;
  double const second = rest.high / y.high;
  return normalised(first, second + (rest - second * y).high / y.high);
}
/// Returns x / y with a relative error of a few u^2. Needs a third of the operations of operator/.
inline Double2 quotient(Double2 const& x, Double2 const& y) {
  double const first = x.rounded() / y.high;
  Double2 const back = exact_product(first, y.high);
  double const rest = ((x.high - back.high) + (x.low - back.low)) - first * y.low;
  double const correction = rest / y.high, high = first + correction;
  return {high, (first - high) + correction};
}
inline bool operator<(Double2 const& x, Double2 const& y) {
  return x.high < y.high || (x.high == y.high && x.low < y.low);
}
inline Double2& operator+=(Double2& x, Double2 const& y) { return x = x + y; }

/// Returns the exponent e with |x| in [2^e, 2^(e+1)), and 0 for x = 0. For a subnormal x the result may be up to 52 too
/// large.
inline int exponent_of(double x) {
  if (x == 0) return 0;
  return std::max(std::ilogb(x), -1022);
}

/// Returns 2^e for |e| <= 1000. Larger |e| are clamped to 1000.
inline double power_of_two(int e) { return std::ldexp(1.0, std::clamp(e, -1000, 1000)); }

/// Multiplies by 2^e without a call of std::ldexp for every number. |e| is limited to 2000, because the scaled number
/// is otherwise 0 or negligible.
struct Factor {
  double first, second;

  explicit Factor(int e) : first(power_of_two(e / 2)), second(power_of_two(e - e / 2)) {}
  double operator()(double x) const { return x * first * second; }
};

}  // namespace demeter::fast_core
