// Building blocks for regimes and laws of several kernels: directions, numbers with few bits, rotations, scalings
// without rounding, and functions that measure the violation of a law.
#pragma once

#include "kernels/random.hpp"
#include "oracles/core/tolerance.hpp"
#include "reference/spec/core/contract.hpp"
#include "reference/spec/core/quantities.hpp"
#include "reference/spec/core/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace demeter {

// ---------------------------------------------------------------------------------------------------------- drawing

// A case must be the same on every machine and with every compiler. Therefore code that draws a case does not call
// std::pow, std::sin or similar functions. It draws only once per expression, because the order of evaluation is
// unspecified.

/// Returns x / |x|. For a zero vector, it returns NaN, but `normalized()` returns the zero vector.
template <class Vector>
Vector of_length_1(Vector const& x) {
  return x / x.norm();
}

/// Returns a number of random sign. Its magnitude is log-uniform from 10^low_exponent to 10^high_exponent. Unlike a
/// number of `uniform`, it has a full mantissa.
inline double signed_log_uniform(Random& random, double low_exponent, double high_exponent) {
  double const sign = random.sign();
  return sign * random.log_uniform(low_exponent, high_exponent);
}

/// Returns a uniform point in the cube [-1, 1]^3.
inline Vector3<double> cube_point(Random& random) {
  double const x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

/// Returns a uniform point on the unit sphere, by rejection.
inline Vector3<double> unit_direction(Random& random) {
  for (;;) {
    Vector3<double> const point = cube_point(random);
    double const square = point.dot(point);
    if (square <= 1 && square > 0.01) return point / std::sqrt(square);
  }
}

/// Returns a vector with a uniform direction. Its length is log-uniform from 10^low_exponent to 10^high_exponent.
inline Vector3<double> any_vector(Random& random, double low_exponent, double high_exponent) {
  double const length = random.log_uniform(low_exponent, high_exponent);
  return length * unit_direction(random);
}

/// Returns a unit vector perpendicular to the unit vector `axis`, up to rounding.
inline Vector3<double> unit_perpendicular(Vector3<double> const& axis, Random& random) {
  for (;;) {
    Vector3<double> const point = cube_point(random);
    Vector3<double> const normal = point - axis * axis.dot(point);
    double const square = normal.dot(normal);
    if (square > 0.01) return normal / std::sqrt(square);
  }
}

/// Returns a uniformly random rotation matrix, orthogonal up to a few roundings.
template <class Scalar>
Matrix3<Scalar> rotation_in(Random& random) {
  for (;;) {
    Scalar const w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1),
                 z = random.uniform(-1, 1);
    Scalar const square = w * w + x * x + y * y + z * z;
    if (square > 1 || square < Scalar(0.01)) continue;
    Scalar const f = 2 / square;
    return {1 - f * (y * y + z * z), f * (x * y - w * z),     f * (x * z + w * y),
            f * (x * y + w * z),     1 - f * (x * x + z * z), f * (y * z - w * x),
            f * (x * z - w * y),     f * (y * z + w * x),     1 - f * (x * x + y * y)};
  }
}
/// Returns a random rotation in long double, for laws.
inline Matrix3<long double> rotation(Random& random) { return rotation_in<long double>(random); }

/// Returns a random length for a quaternion: nearly 1, as integrators produce it, or 0.01 to 100. It is for kernels
/// whose domain contains quaternions of any length.
inline double quaternion_length(Random& random) {
  double const off = signed_log_uniform(random, -16, -3), any = random.log_uniform(-2, 2);
  return random.chance(0.5) ? 1 + off : any;
}

/// Returns a uniformly random orientation: a quaternion of length 1 up to rounding.
inline Quaternion<double> unit_quaternion(Random& random) {
  for (;;) {
    double const w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1),
                 z = random.uniform(-1, 1);
    double const square = w * w + x * x + y * y + z * z;
    if (square > 1 || square < 0.01) continue;
    double const length = std::sqrt(square);
    return {w / length, x / length, y / length, z / length};
  }
}

/// Returns whether |q| is about 1, as in scenes, in everyday regimes and in most degenerate regimes. Laws do not derive
/// cases with another length from such a quaternion.
inline bool about_length_1(Quaternion<double> const& q) { return std::fabs(q.norm() - 1) < 0.01; }

/// Returns one of the 24 rotations that map the axes onto each other. The components of the quaternion are -1, 0 and 1.
inline Quaternion<double> axis_rotation(Random& random) {
  for (;;) {
    Quaternion<double> q;
    for (double& each : q) each = static_cast<double>(random.integer(-1, 1));
    if (q.squaredNorm() != 3 && q.squaredNorm() != 0) return q;
  }
}

/// Returns a multiple of 2^exponent with at most `bits` significant bits and either sign. Sums and products of a few
/// such numbers are exact. Regimes build exactly degenerate cases from them.
inline double few_bits(Random& random, int bits, int exponent) {
  std::int64_t const limit = (std::int64_t{1} << bits) - 1;
  return std::ldexp(static_cast<double>(random.integer(-limit, limit)), exponent);
}
inline Vector3<double> few_bits_vector(Random& random, int bits, int exponent) {
  double const x = few_bits(random, bits, exponent), y = few_bits(random, bits, exponent),
               z = few_bits(random, bits, exponent);
  return {x, y, z};
}

/// Returns the point with each coordinate moved by up to `k` ulps.
inline Vector3<double> nudge(Vector3<double> const& point, Random& random, int k) {
  double const x = random.nudge(point[0], k), y = random.nudge(point[1], k), z = random.nudge(point[2], k);
  return {x, y, z};
}

/// Returns a random element of a non-empty list.
template <class Member>
Member& any_of(std::vector<Member>& list, Random& random) {
  return list[static_cast<std::size_t>(random.bits() % list.size())];
}
template <class Member>
Member const& any_of(std::vector<Member> const& list, Random& random) {
  return list[static_cast<std::size_t>(random.bits() % list.size())];
}

/// Inserts `member` at a random place of a list.
template <class Member>
void insert_anywhere(std::vector<Member>& list, Random& random, Member const& member) {
  auto const place = static_cast<std::ptrdiff_t>(random.bits() % static_cast<std::uint64_t>(list.size() + 1));
  list.insert(list.begin() + place, member);
}

template <class Member>
void shuffle(std::vector<Member>& list, Random& random) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[static_cast<std::size_t>(random.bits() % i)]);
}

/// Returns a length for the list of a case, at most `most`. Of 140 consecutive cases, 130 have the lengths 1 to 130,
/// once each. Nine cases have the lengths 255 to 257, 511 to 513 and 1,023 to 1,025. One case has a length between
/// 1,500 and 4,200. A length above `most` is replaced by a random length up to `most`.
inline std::int64_t list_length(Random& random, std::int64_t most = 4200) {
  constexpr std::int64_t beside_powers[] = {255, 256, 257, 511, 512, 513, 1023, 1024, 1025};
  constexpr std::uint64_t round = 140, stride = 89;  // coprime, so that long and short lists alternate
  auto const place = static_cast<std::int64_t>(random.index() % round * stride % round);
  std::int64_t const length = place < 130   ? place + 1
                              : place < 139 ? beside_powers[place - 130]
                                            : random.integer(1500, 4200);
  return length <= most ? length : random.integer(1, most);
}

/// Copies a random member over another member, one to three times. The overwritten member is the next member or a
/// random member.
template <class Member>
void give_some_twice(std::vector<Member>& list, Random& random) {
  for (std::int64_t count = random.integer(1, 3); count > 0 && list.size() > 1; --count) {
    std::size_t const from = static_cast<std::size_t>(random.bits() % list.size());
    std::size_t const next = (from + 1) % list.size();
    std::size_t const any = static_cast<std::size_t>(random.bits() % list.size());
    Member const again = list[from];
    list[random.chance(0.5) ? next : any] = again;
  }
}

/// Returns a number near a power of ten from 1e-12 to 1e-6, below or above it. Codes often use such powers as
/// thresholds.
inline double about_a_threshold(Random& random) {
  double const power = power_of_ten(static_cast<double>(random.integer(-12, -6)));
  double const near = random.chance(0.5) ? signed_log_uniform(random, -4, -1) : random.uniform(-0.5, 1);
  return power * (1 + near);
}

/// Returns a random relative distance from a threshold. It is 0 with probability 0.2, otherwise log-uniform from 1e-15
/// to 1e-3 with either sign. Every regime of cases near a threshold draws its distance with this function. The list of
/// thresholds is in tests/core/thresholds.cpp.
inline double off_a_threshold(Random& random) {
  double const off = signed_log_uniform(random, -15, -3);
  return random.chance(0.2) ? 0 : off;
}

/// Returns a subnormal double of either sign. Every exponent is equally likely.
inline double any_subnormal(Random& random) {
  auto const digits = static_cast<int>(random.integer(1, 52));
  std::uint64_t const pattern = (random.bits() >> (64 - digits)) | (std::uint64_t{1} << (digits - 1));
  double const sign = random.sign();
  return sign * std::ldexp(static_cast<double>(pattern), -1074);
}

/// Returns the case with some numbers x replaced by other(x): one random number, or each number with probability 0.3.
/// The result is in the domain and satisfies `fits(case)`. If 16 attempts fail, returns the case unchanged.
template <class Contract, class Case, class Other, class Fits>
Case with_some_replaced(Case const& in, Random& random, Other const& other, Fits const& fits) {
  std::int64_t count = 0;
  for_each_quantity(in,
                    [&](auto const& quantity, auto const&) { for_each_number(quantity, [&](double) { ++count; }); });
  for (int attempt = 0; attempt < 16; ++attempt) {
    bool const several = random.chance(0.5);
    std::int64_t const one = random.integer(0, count - 1);
    std::int64_t at = 0;
    Case changed = in;
    for_each_quantity(changed, [&](auto& quantity, auto const&) {
      for_each_number(quantity, [&](double& x) {
        if (several ? random.chance(0.3) : at == one) x = other(x);
        ++at;
      });
    });
    if (!Contract::domain_error(changed) && fits(changed)) return changed;
  }
  return in;
}
/// Returns the case with some numbers replaced by -0. It is for everyday and degenerate cases: the size of the case
/// does not change.
template <class Contract, class Case>
Case with_negative_zeros(Case const& in, Random& random) {
  double const size = size_of_case(in);
  return with_some_replaced<Contract>(
      in, random, [](double) { return -0.0; },
      [size](Case const& changed) { return std::isnan(size) || size_of_case(changed) == size; });
}
/// Returns the case with some numbers replaced by subnormal numbers.
template <class Contract, class Case>
Case with_subnormals(Case const& in, Random& random) {
  return with_some_replaced<Contract>(
      in, random, [&random](double) { return any_subnormal(random); }, [](Case const&) { return true; });
}
/// Draw a case with `draw`, then replace some of its numbers. Lists of regimes use these functions.
template <class Contract, auto draw>
auto with_negative_zeros(Random& random) {
  return with_negative_zeros<Contract>(draw(random), random);
}
template <class Contract, auto draw>
auto with_subnormals(Random& random) {
  return with_subnormals<Contract>(draw(random), random);
}

/// Returns whether a + b is exactly a double: no rounding and no overflow.
inline bool adds_exactly(double a, double b) {
  double const sum = a + b;
  if (!std::isfinite(sum)) return false;
  double const part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}

// ------------------------------------------------------------------------------------------- everyday sizes and places

// Regimes first build a case of about unit size. `sized(unit, random)` scales the case to a size of `Random::size()`
// and moves it away from the origin by up to a thousand sizes. This rounds each number. `sized_exactly` does not round:
// it is for regimes with a structure that rounding would destroy. Densities do not change, so that masses grow with the
// cube of the size. Kernels with other needs call the functions for size and place separately.

/// Returns the displacement of an everyday case. It is zero for one case of four, otherwise 0.1 to 1000 times the size
/// of the case.
inline Vector3<double> everyday_place(Random& random, double size) {
  if (random.chance(0.25)) return Vector3<double>::Zero();
  double const distance = size * random.log_uniform(-1, 3);
  return distance * unit_direction(random);
}
/// Returns the displacement of an everyday case in numbers of 6 bits. Such numbers can often be added to other numbers
/// of few bits without rounding.
inline Vector3<double> everyday_place_of_few_bits(Random& random, double size) {
  if (random.chance(0.25)) return Vector3<double>::Zero();
  return few_bits_vector(random, 6, std::ilogb(size) + static_cast<int>(random.integer(-6, 3)));
}

/// Returns the factor of all lengths that gives the case this size.
template <record Record>
double factor_to_size(Record const& unit, double size) {
  double const now = size_of_case(unit);
  return now > 0 ? size / now : size;
}
/// Returns factor_to_size(unit, size) rounded down to a power of two: the size of the case becomes size/2 to size. If
/// this is below the user's range of sizes, the factor is doubled.
template <record Record>
double exact_factor_to_size(Record const& unit, double size, Sizes const& sizes) {
  double const factor = std::ldexp(1.0, std::ilogb(factor_to_size(unit, size)));
  double const becomes = size_of_case(unit) * factor;
  bool const twice = becomes < power_of_ten(sizes.low_exponent) && 2 * becomes <= power_of_ten(sizes.high_exponent);
  return twice ? 2 * factor : factor;
}

/// Returns `shift`. If a component cannot be added to all positions of the case without rounding, it is set to 0.
template <record Record>
Vector3<double> exact_part(Record const& in, Vector3<double> shift) {
  for_each_position(in, [&](Vector3<double> const& point) {
    for (Index i = 0; i < 3; ++i)
      if (!adds_exactly(point[i], shift[i])) shift[i] = 0;
  });
  return shift;
}

template <record Record>
Record sized(Record const& unit, Random& random, double size) {
  double const factor = factor_to_size(unit, size);
  return moved_by(scaled_by(unit, factor, factor * factor * factor), everyday_place(random, size));
}
template <record Record>
Record sized(Record const& unit, Random& random) {
  double const size = random.size();
  return sized(unit, random, size);
}
template <record Record>
Record sized_exactly(Record const& unit, Random& random) {
  double const size = random.size(), factor = exact_factor_to_size(unit, size, random.sizes());
  Record const in = scaled_by(unit, factor, factor * factor * factor);
  return moved_by(in, exact_part(in, everyday_place_of_few_bits(random, size)));
}
/// Draw a case with `draw`, then scale and move it. Lists of regimes use these functions.
template <auto draw>
auto sized(Random& random) {
  return sized(draw(random), random);
}
template <auto draw>
auto sized_exactly(Random& random) {
  return sized_exactly(draw(random), random);
}
/// Returns the result of one of two drawing functions. Both are equally likely.
template <auto one, auto other>
auto either(Random& random) {
  return random.chance(0.5) ? one(random) : other(random);
}

// ------------------------------------------------------------------------------------------------- exact operations

inline bool all_finite(Vector3<double> const& point) { return point.allFinite(); }

/// The exponents k of the powers 2^k by which a case may be multiplied. The range is empty if low > high.
struct ExponentRange {
  int low = -4000, high = 4000;

  /// Limits k so that x 2^k is exact and below 2^1020. If x is zero, there is no limit.
  void keep_exact(double x) {
    if (x == 0 || std::isinf(x)) return;
    int exponent;
    double const mantissa = std::frexp(x, &exponent);
    auto const digits = static_cast<std::uint64_t>(std::ldexp(std::fabs(mantissa), 53));
    low = std::max(low, -1074 - (exponent - 53 + __builtin_ctzll(digits)));
    high = std::min(high, 1020 - exponent);
  }
  /// Limits k so that |x| 2^(degree k) is in [2^lowest, 2^1020], with degree >= 1. If x is zero, there is no limit.
  void keep_within(long double x, int degree, int lowest) {
    if (!(std::fabs(x) > 0)) return;
    int const exponent = std::ilogb(x);
    low = std::max(low, ceiling_quotient(lowest - exponent, degree));
    high = std::min(high, -ceiling_quotient(exponent + 1 - 1020, degree));
  }
  /// Limits k so that factor k is in [lowest, highest]. If the factor is zero, there is no limit.
  void keep_multiple(int factor, int lowest, int highest) {
    if (factor == 0) return;
    low = std::max(low, factor > 0 ? ceiling_quotient(lowest, factor) : ceiling_quotient(-highest, -factor));
    high = std::min(high, factor > 0 ? -ceiling_quotient(-highest, factor) : -ceiling_quotient(lowest, -factor));
  }
  /// Returns a non-zero exponent in the range, or 0 if there is none. Half of the draws are from -40 to 40, as in
  /// ordinary changes of unit.
  int draw(Random& random) const {
    if (low > high) return 0;
    int const near_low = std::max(low, -40), near_high = std::min(high, 40);
    bool const near = random.chance(0.5) && near_low <= near_high;
    return static_cast<int>(near ? random.integer(near_low, near_high) : random.integer(low, high));
  }

 private:
  static int ceiling_quotient(int numerator, int denominator) {
    int const quotient = numerator / denominator;
    return quotient * denominator < numerator ? quotient + 1 : quotient;
  }
};

/// Returns 2^k q for a random k: the same orientation. Returns nothing if |q| is about 1, as in scenes. If the largest
/// component is 0.004 to 101, as in degenerate cases, k is from -6 to 6.
inline std::optional<Quaternion<double>> lengthened(Quaternion<double> const& q, Random& random) {
  if (about_length_1(q)) return std::nullopt;
  ExponentRange range;
  double const greatest = q.cwiseAbs().maxCoeff();
  for (double const each : q) {
    range.keep_exact(each);
    // Products with so small a component may underflow before or after the change of length.
    if (each != 0 && std::fabs(each) < greatest * 0x1p-900) return std::nullopt;
  }
  if (greatest > 0.004 && greatest < 101) range.low = std::max(range.low, -6), range.high = std::min(range.high, 6);
  int const exponent = range.draw(random);
  if (exponent == 0) return std::nullopt;
  Quaternion<double> longer = q;
  for (double& each : longer) each = std::ldexp(each, exponent);
  return longer;
}

// ------------------------------------------------------------------------------------------------- laws' arithmetic

inline constexpr double infinite = std::numeric_limits<double>::infinity();
/// Half of the smallest subnormal double. Every budget contains this term: see `Budget`.
inline constexpr long double half_least = 0x1p-1075L;
inline constexpr long double largest_double = std::numeric_limits<double>::max();
inline constexpr long double u_wide = unit_roundoff;
/// Returns the size of `count` rounding errors of u each. This is the allowance for rounding in a law itself or in its
/// `derive`. The allowed error of an answer comes only from its budget (see properties/core/allowance.hpp). A comment
/// at each call gives the reason.
constexpr long double roundings(long double count) { return count * u_wide; }
inline constexpr long double pi_wide = 3.14159265358979323846264338327950288L;

inline Vector3<long double> wide(Vector3<double> const& point) { return point.cast<long double>(); }
/// Returns the length of a vector. The squared length may be outside the range of doubles.
inline double wide_length(Vector3<double> const& x) { return static_cast<double>(wide(x).norm()); }

/// Returns the matrix of a quaternion that is not normalised: a rotation times the squared length.
inline Matrix3<long double> matrix_of(Quaternion<long double> const& q) {
  long double const w = q[0], x = q[1], y = q[2], z = q[3];
  return {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
          2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
          2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
}

/// Returns error / tolerance, both >= 0. Returns infinity if the error is NaN.
inline double in_tolerances(long double error, long double tolerance) {
  if (std::isnan(error)) return infinite;
  if (!(error > 0)) return 0;
  return static_cast<double>(error / tolerance);
}

/// Returns the violation of a law without tolerance: 0 if the error is 0, otherwise 1 + |error| / (u scale). A law is
/// broken if its violation exceeds 1.
inline double in_units_if_different(long double error, long double scale) {
  if (error == 0) return 0;
  return std::max(std::nextafter(1.0, 2.0),
                  1 + in_tolerances(std::fabs(error), static_cast<long double>(unit_roundoff) * scale));
}

/// Returns the violation of a law that requires equal bits if `held.to_the_bit` is true. Otherwise the law allows the
/// error `allowed`.
inline double in_tolerances_if_different(Tolerance const& held, long double error, long double scale,
                                         long double allowed) {
  return held.to_the_bit ? in_units_if_different(error, scale) : in_tolerances(std::fabs(error), allowed);
}

/// Returns the largest ratio |error[i]| / tolerance[i].
template <class Error, class Sizes>
double worst_component(Error const& error, Sizes const& tolerance) {
  double worst = 0;
  for (Index i = 0; i < error.size(); ++i) worst = std::max(worst, in_tolerances(std::fabs(error[i]), tolerance[i]));
  return worst;
}

/// The judgement of answers that are not finite. If `decided` is true, the law returns `verdict`: infinity if the
/// answers are wrong, nullopt if they may be correct. If `decided` is false, the law is evaluated as usual.
struct Unusable {
  bool decided = false;
  std::optional<double> verdict;
};

/// Returns whether all computed numbers of a record without lists are finite. Numbers that are marked as not computed
/// do not count.
template <record Record>
bool all_finite(Record const& answer) {
  bool finite = true;
  auto const look = [&finite](double x) { finite = finite && (std::isfinite(x) || is_not_computed(x)); };
  for_each_quantity(answer, [&](auto const& quantity, auto const&) { for_each_number(quantity, look); });
  return finite;
}

/// Returns how laws judge answers that are not finite. Such an answer to the case `in` is wrong unless
/// `may_overflow(in)` is true.
template <class Case, class Answer, class MayOverflow>
Unusable unusable_unless(std::span<Case const> inputs, std::span<Answer const> outputs,
                         MayOverflow const& may_overflow) {
  Unusable found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (all_finite(outputs[i])) continue;
    if (!may_overflow(inputs[i])) return {true, infinite};
    found = {true, std::nullopt};
  }
  return found;
}

/// Returns a hash that depends on all bits of its arguments. `violation` has no random generator. Laws use the hash
/// there as a seed for arbitrary but reproducible choices.
inline std::uint64_t mix_in(std::uint64_t seed, double value) {
  std::uint64_t pattern;
  static_assert(sizeof pattern == sizeof value);
  __builtin_memcpy(&pattern, &value, sizeof pattern);
  return (seed ^ pattern) * 0x9e3779b97f4a7c15 + (seed >> 29);
}

}  // namespace demeter
