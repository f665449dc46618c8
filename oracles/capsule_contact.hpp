// Oracle of capsule_contact, with exact integers and intervals. It finds the minimum of the recommended formula by
// trying the interior and the four edges of the parameter square.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/capsule/segments.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <boost/multiprecision/gmp.hpp>

#include <optional>

namespace demeter::capsule_contact::oracle {

namespace exact {

using namespace capsule::oracle;
using Vector3Interval = std::array<Interval, 3>;

inline CommonGrid coordinate_grid(Input<double> const& in) {
  CommonGrid grid;
  for (auto const* point : {&in.centre1, &in.half1, &in.centre2, &in.half2}) {
    for (double const coordinate : *point) grid.add(coordinate);
  }
  return grid;
}

/// Returns the distance of the axes. This is the result of `root(n, d, exponent)`, where n / d is the squared distance
/// in units of (2^exponent)^2. The ends of the axes need one bit more than the coordinates.
template <class Integer, class Root>
auto axis_distance(Input<double> const& in, int exponent, Root const& root) {
  IntegerVector<Integer> const C1 = vector_on_grid<Integer>(in.centre1, exponent),
                               A1 = vector_on_grid<Integer>(in.half1, exponent);
  IntegerVector<Integer> const C2 = vector_on_grid<Integer>(in.centre2, exponent),
                               A2 = vector_on_grid<Integer>(in.half2, exponent);
  auto const plus = [](IntegerVector<Integer> const& x, IntegerVector<Integer> const& y) {
    return IntegerVector<Integer>{x[0] + y[0], x[1] + y[1], x[2] + y[2]};
  };
  return distance<Integer>(std::array<IntegerVector<Integer>, 4>{C1 - A1, plus(C1, A1), C2 - A2, plus(C2, A2)},
                           exponent, root);
}

/// Calls `evaluate.operator()<Integer>()` with the smallest integer type in which the segment formulas fit.
template <class Evaluate>
auto in_integers(CommonGrid const& grid, Evaluate const& evaluate) {
  if (grid.bits() <= 60) return evaluate.template operator()<WideInteger<1>>();
  if (grid.bits() <= 124) return evaluate.template operator()<WideInteger<2>>();
  return evaluate.template operator()<BigInteger>();
}

/// The products of the two half-shafts and of the vector w between the centres. They are computed in integers and
/// converted to intervals.
struct Products {
  Interval A1A1, A2A2, A1A2, wA1, wA2, ww, NN;
  Vector3Interval w, A1, A2, N;   ///< N = A1 x A2 or its negative, such that N.w >= 0
  bool point1, point2, parallel;  ///< A1 = 0, A2 = 0, A1 x A2 = 0
  bool first_is_shorter;
  std::optional<int> least_aligned;  ///< coordinate axis that is farthest from parallel to A1 (or to A2 if A1 = 0)
};

template <class Integer>
Products products(Input<double> const& in, int exponent, AtPrecision const& at) {
  IntegerVector<Integer> const A1 = vector_on_grid<Integer>(in.half1, exponent),
                               A2 = vector_on_grid<Integer>(in.half2, exponent);
  IntegerVector<Integer> const w =
      vector_on_grid<Integer>(in.centre2, exponent) - vector_on_grid<Integer>(in.centre1, exponent);
  auto const N = cross(A1, A2);
  auto const number = [&](auto const& x, int degree) { return at.number(x, degree * exponent); };
  auto const vector = [&](auto const& x, int degree) {
    return Vector3Interval{number(x[0], degree), number(x[1], degree), number(x[2], degree)};
  };
  bool const turned = is_negative(dot(N, w));
  Products of{
      number(dot(A1, A1), 2),
      number(dot(A2, A2), 2),
      number(dot(A1, A2), 2),
      number(dot(w, A1), 2),
      number(dot(w, A2), 2),
      number(dot(w, w), 2),
      number(dot(N, N), 4),
      vector(w, 1),
      vector(A1, 1),
      vector(A2, 1),
      turned ? vector(IntegerVector<std::remove_cvref_t<decltype(N[0])>>{-N[0], -N[1], -N[2]}, 2) : vector(N, 2),
      is_zero_vector(A1),
      is_zero_vector(A2),
      is_zero_vector(N),
      dot(A1, A1) < dot(A2, A2),
      std::nullopt};
  if (of.point1 && of.point2) return of;
  auto const& along = of.point1 ? A2 : A1;
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (along[i] * along[i] < along[least] * along[least]) least = i;
  of.least_aligned = static_cast<int>(least);
  return of;
}

/// The function to minimise. A change of the unit of length multiplies it by a constant.
struct Objective {
  Products const& of;
  Interval a, b;    ///< 8 h^2 and omega, which are proportional to a and b of the recommended formula
  Interval Xm, Ym;  ///< xm, ym of the formula, in units of the half-shafts: middles of the overlaps of each shaft with
                    ///< the projection of the other shaft
  Interval one;

  Interval clamp(Interval const& x) const { return minimum(maximum(x, -one), one); }
  Interval squared_distance(Interval const& X, Interval const& Y) const {
    return of.ww + square(X) * of.A1A1 + square(Y) * of.A2A2 + scaled(Y * of.wA2 - X * of.wA1 - X * Y * of.A1A2, 1);
  }
  Interval value(Interval const& X, Interval const& Y) const {
    return a * squared_distance(X, Y) + b * (square(X - Xm) * of.A1A1 + square(Y - Ym) * of.A2A2);
  }
  Interval best_X(Interval const& Y) const {
    return clamp((a * (of.wA1 + Y * of.A1A2) + b * Xm * of.A1A1) / ((a + b) * of.A1A1));
  }
  Interval best_Y(Interval const& X) const {
    return clamp((a * (X * of.A1A2 - of.wA2) + b * Ym * of.A2A2) / ((a + b) * of.A2A2));
  }
};

struct Parameters {
  Interval X, Y;
};

/// Returns the point where a convex quadratic has its minimum on the square [-1,1]^2. If the zero of the gradient is
/// inside the square, it is this zero. Otherwise it is the best of the minima of the four edges. Candidates that cannot
/// be distinguished are enclosed together. The quadratic is strictly convex (mu > 0), so candidates of nearly equal
/// value are close together.
inline Parameters minimum_on_square(Objective const& of) {
  Products const& p = of.of;
  // The gradient's zero by Cramer's rule. The determinant is written as a sum of terms >= 0.
  Interval const whole = of.a + of.b, A1A1A2A2 = p.A1A1 * p.A2A2;
  Interval const determinant = of.b * (whole + of.a) * A1A1A2A2 + square(of.a) * p.NN;
  Interval const right1 = of.a * p.wA1 + of.b * of.Xm * p.A1A1, right2 = of.b * of.Ym * p.A2A2 - of.a * p.wA2;
  Interval const X = (whole * p.A2A2 * right1 + of.a * p.A1A2 * right2) / determinant;
  Interval const Y = (whole * p.A1A1 * right2 + of.a * p.A1A2 * right1) / determinant;
  auto const inside = [&](Interval const& x) { return certainly_at_most(-of.one, x) && certainly_at_most(x, of.one); };
  auto const outside = [&](Interval const& x) { return certainly_less(x, -of.one) || certainly_less(of.one, x); };
  if (inside(X) && inside(Y)) return {X, Y};

  Interval const minus = -of.one;
  std::array<Parameters, 4> const edges{Parameters{minus, of.best_Y(minus)}, Parameters{of.one, of.best_Y(of.one)},
                                        Parameters{of.best_X(minus), minus}, Parameters{of.best_X(of.one), of.one}};
  std::array<Interval, 4> values;
  for (std::size_t i = 0; i < 4; ++i) values[i] = of.value(edges[i].X, edges[i].Y);
  std::optional<Parameters> least;
  auto const include = [&least](Parameters const& more) {
    least = least ? Parameters{hull(least->X, more.X), hull(least->Y, more.Y)} : more;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    bool possible = true;
    for (std::size_t k = 0; k < 4; ++k) possible = possible && !certainly_less(values[k], values[i]);
    if (possible) include(edges[i]);
  }
  if (!outside(X) && !outside(Y)) include({of.clamp(X), of.clamp(Y)});
  return *least;
}

/// Returns the middle of the intersection of [-1, 1] and [p - |e|, p + |e|], or the nearest end of [-1, 1] if they do
/// not intersect.
inline Interval middle(Interval const& p, Interval const& e, Interval const& one) {
  Interval const reach = magnitude(e);
  Interval const sum = maximum(-one, p - reach) + minimum(one, p + reach);
  return minimum(maximum(scaled(sum, -1), -one), one);
}

/// Returns the truth in intervals of `bits` bits.
inline Output<Interval> contact(Input<double> const& in, mpfr_prec_t bits) {
  AtPrecision const at{bits};
  CommonGrid const grid = coordinate_grid(in);
  Interval const d = in_integers(grid, [&]<class Integer>() {
    return axis_distance<Integer>(
        in, grid.exponent(), [&at](auto const& numerator, auto const& denominator, int exponent) {
          return scaled(square_root(at.number(numerator, 0) / at.number(denominator, 0)), exponent);
        });
  });
  Products const p = in_integers(grid, [&]<class Integer>() { return products<Integer>(in, grid.exponent(), at); });
  Interval const zero = Interval::exactly(0, bits), one = Interval::exactly(1, bits),
                 R = at.sum(in.radius1, in.radius2);
  Interval const uN = d - R;
  Interval const S = square_root(p.A1A1) + square_root(p.A2A2) + R + square_root(p.ww);

  Output<Interval> out;
  out.uN = uN;
  bool const intersect = !certainly_less(Interval::exactly(Contract::intersecting * unit_roundoff, bits) * S, d);
  out.status = intersect ? Status::axes_intersect : certainly_less(uN, zero) ? Status::overlapping : Status::separated;

  Parameters at_least{zero, zero};
  if (!p.point1 && !p.point2) {
    Interval const cosine_squared = square(p.A1A2) / (p.A1A1 * p.A2A2);
    Objective const objective{p,
                              scaled(p.first_is_shorter ? p.A1A1 : p.A2A2, 3),
                              maximum(zero, (R - d) * (R + d)) * cosine_squared,
                              middle(p.wA1 / p.A1A1, p.A1A2 / p.A1A1, one),
                              middle(-p.wA2 / p.A2A2, p.A1A2 / p.A2A2, one),
                              one};
    at_least = minimum_on_square(objective);
  } else if (!p.point1) {
    at_least.X = minimum(maximum(p.wA1 / p.A1A1, -one), one);
  } else if (!p.point2) {
    at_least.Y = minimum(maximum(-p.wA2 / p.A2A2, -one), one);
  }

  Vector3Interval v;
  for (std::size_t i = 0; i < 3; ++i) v[i] = p.w[i] + at_least.Y * p.A2[i] - at_least.X * p.A1[i];
  Vector3Interval n;
  if (!intersect) {
    Interval const length = square_root(square(v[0]) + square(v[1]) + square(v[2]));
    for (std::size_t i = 0; i < 3; ++i) n[i] = v[i] / length;
  } else if (!p.parallel) {
    for (std::size_t i = 0; i < 3; ++i) n[i] = p.N[i] / square_root(p.NN);
  } else if (p.least_aligned) {
    // The normal is e - (e.A / A.A) A, divided by its length sqrt(1 - (e.A)^2 / A.A). e is the unit vector of axis k.
    auto const k = static_cast<std::size_t>(*p.least_aligned);
    Vector3Interval const& A = p.point1 ? p.A2 : p.A1;
    Interval const& AA = p.point1 ? p.A2A2 : p.A1A1;
    Interval const length = square_root(one - square(A[k]) / AA);
    for (std::size_t i = 0; i < 3; ++i) n[i] = ((i == k ? one : zero) - A[k] * A[i] / AA) / length;
  } else {
    n = {zero, zero, one};
  }
  Interval const unequal = at.sum(in.radius1, -in.radius2);
  for (std::size_t i = 0; i < 3; ++i) {
    auto const k = static_cast<Index>(i);
    Interval const centres = at.sum(in.centre1[k], in.centre2[k]);
    out.normal[k] = n[i];
    out.point[k] = scaled(centres + at_least.X * p.A1[i] + at_least.Y * p.A2[i] + unequal * n[i], -1);
  }
  return out;
}

/// Returns only the distance d of the axes.
inline Interval axis_distance(Input<double> const& in, mpfr_prec_t bits) {
  AtPrecision const at{bits};
  int const exponent = coordinate_grid(in).exponent();
  return axis_distance<BigInteger>(in, exponent, [&at](auto const& numerator, auto const& denominator, int shift) {
    return at.root_of_ratio(numerator, denominator, shift);
  });
}

/// Returns the distance, in metres, of this case from a case with the given status.
inline Interval excess_of(Input<double> const& in, Interval const& uN, Status status) {
  mpfr_prec_t const bits = uN.precision();
  Interval const zero = Interval::exactly(0, bits);
  if (status == Status::separated) return maximum(zero, -uN);
  Interval const d = axis_distance(in, bits);
  if (status == Status::axes_intersect) return d;
  // If the axes meet exactly, there is no normal: "overlapping" is wrong for all inputs nearby.
  if (mpfr_zero_p(d.high()) != 0) return Interval::exactly(std::numeric_limits<long double>::infinity(), bits);
  return maximum(zero, uN);
}

// The truth in rational numbers, for recorded test vectors. X and Y are rational in the half-shaft vectors. Every
// output is therefore p + q sqrt(t) with rational p, q and t, and an output that is zero is computed as exactly zero.

using Ratio = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

inline Ratio ratio(BigInteger const& above, BigInteger const& below) {
  Ratio result;
  mpz_set(mpq_numref(result.backend().data()), above.get());
  mpz_set(mpq_denref(result.backend().data()), below.get());
  mpq_canonicalize(result.backend().data());
  return result;
}
inline std::array<Ratio, 3> in_ratios(Vector3<double> const& x) { return {Ratio(x[0]), Ratio(x[1]), Ratio(x[2])}; }

/// Returns the square root if it is a rational number, otherwise nullopt.
inline std::optional<Ratio> rational_root(Ratio const& x) {
  BigInteger const above(mpq_numref(x.backend().data())), below(mpq_denref(x.backend().data()));
  BigInteger const root_above = sqrt(above), root_below = sqrt(below);
  if (root_above * root_above != above || root_below * root_below != below) return std::nullopt;
  return ratio(root_above, root_below);
}

/// Returns p + q sqrt(t) for t >= 0, with a relative radius of at most 2^-120.
inline Enclosure enclosed(Ratio const& p, Ratio const& q, Ratio const& t) {
  std::optional<Ratio> const root = rational_root(t);
  Ratio const whole = root ? Ratio(p + q * *root) : p;
  bool const irrational = !root && !q.is_zero();
  if (!irrational && whole.is_zero()) return {};
  for (mpfr_prec_t bits = 256;; bits *= 2) {
    auto const interval = [bits](Ratio const& x) {
      Interval result(bits);
      mpfi_set_q(result.get(), x.backend().data());
      return result;
    };
    Enclosure const sum =
        enclosure_of(irrational ? interval(whole) + interval(q) * square_root(interval(t)) : interval(whole));
    if (sum.radius <= std::fabs(sum.high) * 0x1p-120L || bits > 1 << 14) return sum;
  }
}

struct Closest {
  Ratio X, Y;
};

/// Returns the point that `minimum_on_square` encloses, with exact decisions. If b = 0 and the axes are parallel, the
/// minimum may not be unique. The result is then the first of the edge minima with the smallest value.
inline Closest exact_minimum(Ratio const& a, Ratio const& b, std::array<Ratio, 3> const& w,
                             std::array<Ratio, 3> const& A1, std::array<Ratio, 3> const& A2) {
  Ratio const A1A1 = dot(A1, A1), A2A2 = dot(A2, A2), A1A2 = dot(A1, A2), wA1 = dot(w, A1), wA2 = dot(w, A2);
  Ratio const one(1), two(2);
  auto const clamp = [&](Ratio const& x) { return x < -one ? Ratio(-one) : one < x ? one : x; };
  auto const middle_of = [&](Ratio const& p, Ratio const& e) {
    Ratio const reach = abs(e);
    return clamp((std::max(Ratio(-one), Ratio(p - reach)) + std::min(one, Ratio(p + reach))) / two);
  };
  Ratio const Xm = middle_of(wA1 / A1A1, A1A2 / A1A1), Ym = middle_of(-wA2 / A2A2, A1A2 / A2A2);
  Ratio const right1 = a * wA1 + b * Xm * A1A1, right2 = b * Ym * A2A2 - a * wA2, whole = a + b;
  Ratio const determinant = whole * whole * A1A1 * A2A2 - a * a * A1A2 * A1A2;
  if (!determinant.is_zero()) {
    Ratio const X = (whole * A2A2 * right1 + a * A1A2 * right2) / determinant;
    Ratio const Y = (whole * A1A1 * right2 + a * A1A2 * right1) / determinant;
    if (abs(X) <= one && abs(Y) <= one) return {X, Y};
  }
  auto const value = [&](Closest const& at) {
    Ratio squared(0);
    for (std::size_t i = 0; i < 3; ++i) {
      Ratio const v = w[i] + at.Y * A2[i] - at.X * A1[i];
      squared += v * v;
    }
    return Ratio(a * squared + b * ((at.X - Xm) * (at.X - Xm) * A1A1 + (at.Y - Ym) * (at.Y - Ym) * A2A2));
  };
  std::optional<Closest> best;
  for (Ratio const& end : {Ratio(-one), one}) {
    for (Closest const& edge : {Closest{end, clamp((a * A1A2 * end + right2) / (whole * A2A2))},
                                Closest{clamp((a * A1A2 * end + right1) / (whole * A1A1)), end}})
      if (!best || value(edge) < value(*best)) best = edge;
  }
  return *best;
}

inline Output<Enclosure> exact_contact(Input<double> const& in, Status status) {
  auto const w = in_ratios(in.centre2) - in_ratios(in.centre1);
  auto const A1 = in_ratios(in.half1), A2 = in_ratios(in.half2);
  Ratio const r1(in.radius1), r2(in.radius2), R = r1 + r2, one(1), zero(0);
  CommonGrid const grid = coordinate_grid(in);
  Ratio const dd =
      axis_distance<BigInteger>(in, grid.exponent(), [](auto const& above, auto const& below, int exponent) {
        BigInteger const unit = BigInteger(1) << 2 * std::abs(exponent);
        return exponent < 0 ? ratio(above, below * unit) : ratio(above * unit, below);
      });
  Ratio const A1A1 = dot(A1, A1), A2A2 = dot(A2, A2), A1A2 = dot(A1, A2);
  auto const clamp = [&](Ratio const& x) { return x < -one ? Ratio(-one) : one < x ? one : x; };
  Closest at{zero, zero};
  if (!A1A1.is_zero() && !A2A2.is_zero()) {
    Ratio const omega = std::max(zero, Ratio(R * R - dd)) * (A1A2 * A1A2 / (A1A1 * A2A2));
    at = exact_minimum(Ratio(8) * std::min(A1A1, A2A2), omega, w, A1, A2);
  } else if (!A1A1.is_zero()) {
    at.X = clamp(dot(w, A1) / A1A1);
  } else if (!A2A2.is_zero()) {
    at.Y = clamp(-dot(w, A2) / A2A2);
  }
  // v is the direction of the normal. It is divided by its length at the end.
  std::array<Ratio, 3> v = cross(A1, A2);
  if (status != Status::axes_intersect) {
    for (std::size_t i = 0; i < 3; ++i) v[i] = w[i] + at.Y * A2[i] - at.X * A1[i];
  } else if (!dot(v, v).is_zero()) {
    if (dot(v, w) < zero) v = {-v[0], -v[1], -v[2]};
  } else {
    auto const& along = A1A1.is_zero() ? A2 : A1;
    Ratio const square = dot(along, along);
    std::size_t least = 2;  // the z axis if both capsules are spheres
    for (std::size_t i = 3; !square.is_zero() && i-- > 0;)
      if (abs(along[i]) <= abs(along[least])) least = i;
    for (std::size_t i = 0; i < 3; ++i)
      v[i] = (i == least ? one : zero) - (square.is_zero() ? zero : along[least] * along[i] / square);
  }
  Ratio const inverse_square = one / dot(v, v), unequal = (r1 - r2) / Ratio(2);
  Output<Enclosure> out;
  out.uN = enclosed(-R, one, dd);
  out.status = status;
  for (std::size_t i = 0; i < 3; ++i) {
    auto const k = static_cast<Index>(i);
    Ratio const middle = (Ratio(in.centre1[k]) + Ratio(in.centre2[k]) + at.X * A1[i] + at.Y * A2[i]) / Ratio(2);
    out.normal[k] = enclosed(zero, v[i], inverse_square);
    out.point[k] = enclosed(middle, unequal * v[i], inverse_square);
  }
  return out;
}

}  // namespace exact

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) { return exact::contact(in, bits); }

/// Returns the truth for test vectors (oracles/vectors/): every output to 30 digits, and zeros exactly.
inline Output<Enclosure> recorded_truth(Input<double> const& in) {
  return exact::exact_contact(in, exact::contact(in, 1 << 12).status);
}

/// Returns the certified contact by the recommended formula
/// (docs/mathematics/capsules.md#capsule_contact-recommended-formula). The radius of the enclosure is at most 2^-90 S
/// for uN, 2^-90 max(S, coordinates) for the point, and 2^-90 for the normal. For separated parallel axes the closest
/// points may not be unique. The result is then one of them, and its scale is infinite. The input may be any finite
/// doubles.
inline Output<Enclosure> truth(Input<double> const& in) {
  long double const S = Contract::scale(in).uN;
  long double const size =
      std::max<long double>(S, std::max(in.centre1.cwiseAbs().maxCoeff(), in.centre2.cwiseAbs().maxCoeff()));
  for (mpfr_prec_t const bits : {192, 576}) {
    Output<Interval> const intervals = exact::contact(in, bits);
    Output<Enclosure> out;
    out.uN = enclosure_of(intervals.uN);
    out.status = intervals.status;
    bool tight = out.uN.radius <= 0x1p-90L * S;
    for (Index i = 0; i < 3; ++i) {
      out.normal[i] = enclosure_of(intervals.normal[i]);
      out.point[i] = enclosure_of(intervals.point[i]);
      tight = tight && out.normal[i].radius <= 0x1p-90L && out.point[i].radius <= 0x1p-90L * size;
    }
    if (tight) return out;
  }
  // Either the scales are so different that more bits would not be cheaper than exact arithmetic, or the closest points
  // are not unique. Exact arithmetic then chooses one point.
  return recorded_truth(in);
}

/// Returns the distance, in metres, of this case from a case with the answer's status. Near the limit between two
/// labels this distance is negligible.
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  return exact::excess_of(in, truth.uN, answer.status);
}
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  if (answer.status == truth.status) return {};
  constexpr mpfr_prec_t bits = 192;
  Interval const uN = Interval::exactly(truth.uN.high, bits) + Interval::exactly(truth.uN.low, bits);
  Enclosure excess = enclosure_of(exact::excess_of(in, uN, answer.status));
  if (std::isinf(excess.radius)) return {std::numeric_limits<long double>::infinity(), 0, 0};
  excess.radius += truth.uN.radius;
  return excess;
}

inline constexpr OracleHooks<Contract> hooks{
    .excess = excess, .refined_excess = refined_excess, .recorded_truth = recorded_truth};

}  // namespace demeter::capsule_contact::oracle
