// Regimes and laws of the shape of a superquadric at a point.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/superquadric_shape.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace demeter::superquadric_shape::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Wide = long double;
using WideVector = Vector3<Wide>;
using WideTensor = Tensor<Wide>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns an exponent. It is log-uniform from 10^low to 10^high and at least 2.
inline double exponent(Random& random, double low, double high) { return std::max(2.0, random.log_uniform(low, high)); }
inline Point axes(Random& random, double decades) {
  double const a = random.log_uniform(-decades, 0), b = random.log_uniform(-decades, 0),
               c = random.log_uniform(-decades, 0);
  return {a, b, c};
}
/// Returns a random point of the ellipsoid with these semi-axes, multiplied by 0.1 to 2.
inline Point place(Random& random, Point const& semi_axes) {
  double const out = random.log_uniform(-1, 0.3);
  return out * semi_axes.cwiseProduct(unit_direction(random));
}
inline Case body(Random& random, double decades, double low, double high) {
  Case in;
  in.semi_axes = axes(random, decades);
  in.n1 = exponent(random, low, high);
  in.n2 = exponent(random, low, high);
  in.point = place(random, in.semi_axes);
  return in;
}
/// Multiplies a coordinate by `factor`. If the result is below 1e-70, sets it to 0, so that it stays in the domain.
inline void shrink(double& x, double factor) {
  x *= factor;
  if (std::fabs(x) < 1e-70) x = 0;
}

inline Case draw_typical(Random& random) { return body(random, 0.7, 0.3, 1.3); }
inline Case draw_blocky(Random& random) { return body(random, 1, 1.3, 2.301029995663981); }
inline Case draw_any_exponents(Random& random) { return body(random, 1, 0.3, 2.301029995663981); }

/// Draws the exponents 2, 4, 8 and 16, because the gauge then needs only roots. The point is on the surface up to
/// rounding, or differs from it by a relative 1e-16 to 1e-3.
inline Case draw_surface(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  auto const doublings1 = random.integer(1, 4), doublings2 = random.integer(1, 4);
  in.n1 = std::ldexp(1.0, static_cast<int>(doublings1));
  in.n2 = std::ldexp(1.0, static_cast<int>(doublings2));
  auto const norm = [](double x, double y, std::int64_t doublings) {
    double const large = std::max(x, y);
    double a = x / large, b = y / large;
    for (std::int64_t i = 0; i < doublings; ++i) a *= a, b *= b;
    double sum = a + b;
    for (std::int64_t i = 0; i < doublings; ++i) sum = std::sqrt(sum);
    return large * sum;
  };
  double const rho =
      norm(std::fabs(in.point[0]) / in.semi_axes[0], std::fabs(in.point[1]) / in.semi_axes[1], doublings2);
  double const gauge = norm(rho, std::fabs(in.point[2]) / in.semi_axes[2], doublings1);
  double const off = random.chance(0.5) ? 0 : signed_log_uniform(random, -16, -3);
  in.point *= (1 + off) / gauge;
  return in;
}

/// Draws exponents that are 2 or slightly larger.
inline Case draw_ellipsoid(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  auto const near_2 = [&] {
    double const off = random.log_uniform(-15, -2);
    return random.chance(0.5) ? 2 : 2 + off;
  };
  in.n1 = near_2();
  in.n2 = near_2();
  if (random.chance(0.2)) in.semi_axes.setConstant(in.semi_axes[0]);
  return in;
}
inline Case draw_cylinder(Random& random) {
  Case in = body(random, 1, 0.7, 2.3);
  (random.chance(0.7) ? in.n2 : in.n1) = 2;
  return in;
}

/// Draws points in coordinate planes and on axes.
inline Case draw_planes(Random& random) {
  Case in = body(random, 1, 0.3, 2.3);
  if (random.chance(0.4)) in.n1 = 2;
  if (random.chance(0.4)) in.n2 = 2;
  auto const kept = random.integer(0, 2);
  for (Index k = 0; k < 3; ++k)
    if (k != kept && random.chance(0.7)) in.point[k] = 0;
  return in;
}
inline Case draw_near_planes(Random& random) {
  Case in = draw_planes(random);
  auto const kept = random.integer(0, 2);
  Point const other = place(random, in.semi_axes);
  for (Index k = 0; k < 3; ++k) {
    in.point[k] = other[k];
    double const factor = random.log_uniform(-30, -1);
    if (k != kept) shrink(in.point[k], factor);
  }
  return in;
}
/// Draws points on or near the z axis, where the Hessian does not exist if n1 = 2 < n2.
inline Case draw_poles(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  auto const kind = random.integer(0, 4);
  double const off = random.log_uniform(-15, -1);
  if (kind != 0) in.n1 = kind == 1 ? 2 + off : 2;
  if (kind > 2) in.n2 = kind == 3 ? 2 + off : 2;
  double const near = random.log_uniform(-30, -5);
  for (Index k = 0; k < 2; ++k) shrink(in.point[k], random.chance(0.6) ? 0 : near);
  return in;
}
/// Draws points with |x/a| = |y/b|, or with rho = |z/c|, up to a few ulps. rho is the norm of x/a and y/b. One
/// coordinate may then be changed by a relative 1e-15 to 1e-3.
inline Case draw_edges(Random& random) {
  Case in = body(random, 1, 0.3, 2.3);
  auto const ratio = std::ldexp(1.0, static_cast<int>(random.integer(-3, 3)));
  bool const across = random.chance(0.5);
  in.semi_axes[1] = in.semi_axes[0] * ratio;
  if (across) in.point[1] = in.point[0] * ratio;
  if (!across) {
    in.point[1] = 0;
    in.semi_axes[2] = in.semi_axes[0] * ratio;
    in.point[2] = in.point[0] * ratio;
  }
  for (double& x : in.point) x = x == 0 ? 0 : random.nudge(x, 3);
  auto const moved = static_cast<Index>(random.integer(0, 2));
  in.point[moved] *= 1 + off_a_threshold(random);
  return in;
}
/// Draws exponents that are nearly whole numbers, or nearly equal.
inline Case draw_near_integers(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  auto const near_integer = [&] {
    auto const integer = static_cast<double>(random.integer(2, 20));
    double const off = signed_log_uniform(random, -12, -1.7);
    return std::max(2.0, integer + off);
  };
  in.n1 = near_integer();
  in.n2 = near_integer();
  double const apart = signed_log_uniform(random, -12, -1.7);
  if (random.chance(0.5)) in.n2 = std::max(2.0, in.n1 * (1 + apart));
  return in;
}
inline Case draw_inside_and_far(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  in.point *= random.log_uniform(-4, 3);
  return in;
}
inline Case draw_needles(Random& random) { return body(random, 6, 0.3, 1.3); }
inline Case draw_wide(Random& random) {
  Case in = body(random, 1, 0.3, 1.3);
  double const length = random.log_uniform(-70, 70), away = random.log_uniform(-4, 4);
  in.semi_axes *= length;
  in.point *= length;
  in.point *= away;
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "sizes of 10 um to 10 m, semi-axes within a factor of 5, exponents 2 to 20",
       sized<draw_typical>},
      {"blocky", Profile::everyday, "exponents 20 to 200", sized<draw_blocky>},
      {"any_exponents", Profile::everyday, "exponents 2 to 200, independent of each other", sized<draw_any_exponents>},
      {"surface", Profile::everyday, "exponents 2, 4, 8, 16; points on the surface up to a few digits",
       sized<draw_surface>},
      {"ellipsoid", Profile::degenerate, "both exponents 2, exactly or up to 1e-15 to 1e-2; also balls",
       sized<draw_ellipsoid>},
      {"cylinder", Profile::degenerate, "one exponent 2, the other up to 200", sized<draw_cylinder>},
      {"planes", Profile::degenerate, "points on coordinate planes and axes", sized<draw_planes>},
      {"near_planes", Profile::degenerate, "coordinates down to 1e-30 of the size of the body",
       sized<draw_near_planes>},
      {"poles", Profile::degenerate, "points on or near the z axis, exponents 2 or nearly 2", sized<draw_poles>},
      {"edges", Profile::degenerate, "two scaled coordinates are equal, up to a few ulps or 1e-15 to 1e-3",
       sized_exactly<draw_edges>},
      {"near_integers", Profile::degenerate, "exponents nearly integer, and nearly equal to each other",
       sized<draw_near_integers>},
      {"inside_and_far", Profile::degenerate, "points at 1e-5 to 1e3 times the size of the body",
       sized<draw_inside_and_far>},
      {"needles", Profile::extreme, "semi-axes within a factor of 1e6", sized<draw_needles>},
      {"wide", Profile::extreme, "lengths of 1e-70 to 1e70", draw_wide},
      {"signed_zeros", Profile::degenerate, "some coordinates of the point are -0",
       with_negative_zeros<Contract, sized<draw_planes>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers", with_subnormals<Contract, draw_typical>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

/// Returns how laws judge answers that are not finite. They are wrong, except that `value` may be infinite.
inline Unusable unusable(std::span<Case const>, std::span<Answer const> outputs) {
  Unusable found;
  for (Answer const& out : outputs) {
    bool wrong = false, infinite_value = false;
    for_each_quantity(out, [&](auto const& quantity, auto const& field) {
      for_each_number(quantity, [&](double x) {
        if (std::isfinite(x) || is_not_computed(x)) return;
        (field.name == "value" && x > 0 ? infinite_value : wrong) = true;
      });
    });
    if (wrong) return {true, infinite};
    if (infinite_value) found = {true, std::nullopt};
  }
  return found;
}

/// Returns the allowed errors of an answer. They are relative to the answer, in the measures of the contract.
inline Output<Wide> allowed(Tolerance const& held, Case const& in, Answer const& out) {
  Wide const n = static_cast<Wide>(in.n1) + in.n2, part = Contract::least_part;
  WideVector const a = wide(in.semi_axes);
  Wide const most = a.maxCoeff(), least = a.minCoeff(), middle = a.prod() / most / least;
  auto const of = [&](std::string_view output, Wide size) { return allowance<Contract>(held, output, size); };
  Output<Wide> result;
  result.value = of("value", 1 + in.n1 * std::fabs(static_cast<Wide>(out.value) + 1));
  result.gauge = of("gauge", out.gauge);
  for (Index k = 0; k < 3; ++k)
    result.gradient[k] = of("gradient", n * (std::fabs(static_cast<Wide>(out.gradient[k])) + part / a[k]));
  if (out.hessian) {
    static constexpr Index axes_of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    Wide const gauge = is_not_computed(out.gauge) ? (wide(in.point).cwiseQuotient(a)).norm() : out.gauge;
    result.hessian.emplace();
    for (Index k = 0; k < 6; ++k) {
      Index const i = axes_of[k][0], j = axes_of[k][1];
      Wide const product = std::fabs(static_cast<Wide>((*out.hessian)[i]) * (*out.hessian)[j]);
      (*result.hessian)[k] = of("hessian", n * (std::sqrt(product) + part / (gauge * a[i] * a[j])));
    }
  }
  Wide const ratio = most / least;
  if (out.mean_curvature)
    result.mean_curvature = of("mean_curvature", n * (std::fabs(static_cast<Wide>(*out.mean_curvature)) +
                                                      part * ratio * ratio * ratio / least));
  if (out.gaussian_curvature)
    result.gaussian_curvature =
        of("gaussian_curvature", n * (std::fabs(static_cast<Wide>(*out.gaussian_curvature)) +
                                      part * (most / middle) * (most / middle) / (least * least)));
  return result;
}

struct Scaling {
  using Contract = superquadric_shape::Contract;
  static std::vector<std::string_view> outputs() {
    return {"value", "gauge", "gradient", "hessian", "mean_curvature", "gaussian_curvature"};
  }
  static constexpr auto unusable = properties::unusable;
};

/// Returns the largest difference between an answer and the expected fields, divided by its tolerance. Compares only
/// fields that the answer contains. Returns infinity if exactly one of two fields is null.
inline double worst_difference(Output<Wide> const& should, Answer const& out, Output<Wide> const& tolerance) {
  Output<Wide> const is = cast<Output<Wide>>(out);
  double worst = 0;
  for_each_answered<Output<Wide>>(std::span<Answer const>(&out, 1), [&](auto const& field, bool there) {
    if (!there) return;
    auto const &a = is.*field.member, &b = should.*field.member;
    using Value = std::remove_cvref_t<decltype(a)>;
    if constexpr (nullable<Value>)
      if (a.has_value() != b.has_value()) worst = infinite;
    if_present(
        [&](auto const& x, auto const& y, auto const& may) {
          if constexpr (fixed_vector<std::remove_cvref_t<decltype(x)>>)
            worst = std::max(worst, worst_component(std::remove_cvref_t<decltype(x)>(x - y), may));
          else
            worst = std::max(worst, in_tolerances(std::fabs(x - y), may));
        },
        a, b, tolerance.*field.member);
  });
  return worst;
}

/// Checks the answer to the second case. It must be the first answer, transformed by `change`.
template <auto change>
std::optional<double> follows(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Answer first = outputs[0], second = outputs[1];
  for_each_answered<Answer>(outputs, [&](auto const& field, bool there) {
    if (!there) fill_not_computed(first.*field.member), fill_not_computed(second.*field.member);
  });
  Output<Wide> expected = cast<Output<Wide>>(first), tolerance = allowed(held, inputs[0], first);
  Output<Wide> const more = allowed(held, inputs[1], second);
  change(inputs[0], expected, Signs::kept);
  change(inputs[0], tolerance, Signs::dropped);
  for_each_field<Output<Wide>>([&](auto const& field) {
    if_present([](auto& to, auto const& other) { add_size(to, other); }, tolerance.*field.member, more.*field.member);
  });
  return worst_difference(expected, second, tolerance);
}

/// Returns the sign by which a mirror multiplies each coordinate. At least one sign is negative.
inline std::array<double, 3> mirrors(Case const& in) {
  auto const bits = static_cast<unsigned>(chosen_by(in).integer(1, 7));
  auto const sign = [bits](unsigned k) { return (bits >> k & 1) != 0 ? -1.0 : 1.0; };
  return {sign(0), sign(1), sign(2)};
}
inline void derive_mirrored(Case const& in, Random&, std::vector<Case>& inputs) {
  Case mirrored = in;
  auto const sign = mirrors(in);
  for (std::size_t k = 0; k < 3; ++k) mirrored.point[static_cast<Index>(k)] *= sign[k];
  inputs.push_back(mirrored);
}
inline void mirror(Case const& in, Output<Wide>& out, Signs signs) {
  if (signs == Signs::dropped) return;
  auto const sign = mirrors(in);
  for (std::size_t k = 0; k < 3; ++k) out.gradient[static_cast<Index>(k)] *= sign[k];
  if (!out.hessian) return;
  (*out.hessian)[3] *= sign[0] * sign[1];
  (*out.hessian)[4] *= sign[0] * sign[2];
  (*out.hessian)[5] *= sign[1] * sign[2];
}

inline void derive_exchanged(Case const& in, Random&, std::vector<Case>& inputs) {
  Case exchanged = in;
  std::swap(exchanged.semi_axes[0], exchanged.semi_axes[1]);
  std::swap(exchanged.point[0], exchanged.point[1]);
  inputs.push_back(exchanged);
}
inline void exchange(Case const&, Output<Wide>& out, Signs) {
  std::swap(out.gradient[0], out.gradient[1]);
  if (!out.hessian) return;
  std::swap((*out.hessian)[0], (*out.hessian)[1]);
  std::swap((*out.hessian)[4], (*out.hessian)[5]);
}

/// Returns 3 or -3. The point is multiplied by 2 to the power of this number.
inline int steps_out(Case const& in) { return static_cast<int>(2 * chosen_by(in).integer(0, 1) - 1) * 3; }
inline void derive_along_the_ray(Case const& in, Random&, std::vector<Case>& inputs) {
  Case moved = in;
  for (double& x : moved.point) x = std::ldexp(x, steps_out(in));
  if (!Contract::domain_error(moved)) inputs.push_back(moved);
}
inline void move_out(Case const& in, Output<Wide>& out, Signs) {
  out.gauge = std::ldexp(out.gauge, steps_out(in));
  if (out.hessian)
    for (Wide& each : *out.hessian) each = std::ldexp(each, -steps_out(in));
}

using Violation = std::optional<double>;

inline Violation euler(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  Output<Wide> const may = allowed(held, inputs[0], outputs[0]);
  WideVector const y = wide(inputs[0].point);
  Wide const sum = wide(outputs[0].gradient).dot(y);
  return in_tolerances(std::fabs(sum - outputs[0].gauge), may.gradient.dot(y.cwiseAbs()) + may.gauge);
}

/// The support function h(u) and its gradient, which is the support point, in long double. The exponents q of h satisfy
/// q - 1 = 1/(n - 1).
struct Supported {
  Wide h;
  WideVector point;
};
inline Supported supported(Case const& in, WideVector const& u) {
  WideVector const a = wide(in.semi_axes);
  WideVector const w = a.cwiseProduct(u).cwiseAbs();
  auto const norm = [](Wide x, Wide y, Wide q) {
    Wide const large = std::max(x, y), small = std::min(x, y);
    return large > 0 ? large * std::pow(1 + std::pow(small / large, q), 1 / q) : 0;
  };
  Wide const m1 = 1 / (static_cast<Wide>(in.n1) - 1), m2 = 1 / (static_cast<Wide>(in.n2) - 1);
  Wide const across = norm(w[0], w[1], 1 + m2), h = norm(across, w[2], 1 + m1);
  auto const ratio = [](Wide x, Wide y, Wide m) { return y > 0 ? std::pow(x / y, m) : 0; };
  Wide const out = ratio(across, h, m1);
  WideVector point(out * ratio(w[0], across, m2), out * ratio(w[1], across, m2), ratio(w[2], h, m1));
  for (Index k = 0; k < 3; ++k) point[k] *= std::copysign(a[k], u[k]);
  return {h, point};
}

inline Wide largest_relative(Case const& in, Tolerance const& held) {
  return budget_of<Contract>(held, "gradient").units * held.format.roundoff * (static_cast<Wide>(in.n1) + in.n2);
}

inline Violation polar(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  // h increases with every component and is homogeneous. Its relative error is therefore at most the largest relative
  // error of a component. One rounding covers the powers in long double.
  Wide const relative = largest_relative(inputs[0], held) + roundings(1);
  return in_tolerances(std::fabs(supported(inputs[0], wide(outputs[0].gradient)).h - 1), relative);
}

/// Checks the support point. Its coordinates contain ratios raised to powers of 1/(n - 1) <= 1. Their relative errors
/// are therefore at most three times the relative errors of the gradient.
inline Violation support_point(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  Case const& in = inputs[0];
  Supported const at = supported(in, wide(outputs[0].gradient));
  // One rounding covers the powers in long double.
  Wide const of_powers = roundings(1), of_gauge = budget_of<Contract>(held, "gauge").units * held.format.roundoff;
  Wide const relative = of_powers + 3 * largest_relative(in, held) + of_gauge;
  double worst = 0;
  for (Index k = 0; k < 3; ++k) {
    // A component that is zero or has lost digits does not determine the coordinate.
    if (std::fabs(static_cast<Wide>(outputs[0].gradient[k])) * in.semi_axes[k] < 2 * Contract::least_part) continue;
    Wide const y = static_cast<Wide>(in.point[k]) / outputs[0].gauge;
    worst = std::max(worst, in_tolerances(std::fabs(at.point[k] - y), relative * std::fabs(y)));
  }
  return worst;
}

inline Violation value_of_gauge(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Wide const n1 = inputs[0].n1, power = std::pow(static_cast<Wide>(outputs[0].gauge), n1);
  Output<Wide> const may = allowed(held, inputs[0], outputs[0]);
  // The error of the n1-th power if the gauge is wrong by a few u. It is the slope times the error of the gauge, with
  // 0.1 % for the next order, plus one rounding.
  Wide const rounding = roundings(1) * power, of_power = n1 * power / outputs[0].gauge * may.gauge * 1.001L;
  return in_tolerances(std::fabs(outputs[0].value - (power - 1)), may.value + of_power + rounding);
}

using WideMatrix = Matrix3<Wide>;
inline WideMatrix matrix(WideTensor const& H) { return {H[0], H[3], H[4], H[3], H[1], H[5], H[4], H[5], H[2]}; }

inline Violation flat_along_the_ray(std::span<Case const> inputs, std::span<Answer const> outputs,
                                    Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  if (!outputs[0].hessian) return std::nullopt;
  WideVector const y = wide(inputs[0].point);
  WideMatrix const H = matrix(outputs[0].hessian->cast<Wide>()),
                   may = matrix(*allowed(held, inputs[0], outputs[0]).hessian);
  return worst_component(WideVector(H * y), WideVector(may * y.cwiseAbs()));
}

/// Checks the curvatures against the textbook formulas with the gradient and the Hessian at the point. The factors N
/// and N^2 convert the curvatures to those of the surface. sqrt(H_ii H_jj) bounds each term, even if terms cancel.
inline Violation curvatures_of_derivatives(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (!out.hessian || !out.mean_curvature || !out.gaussian_curvature) return std::nullopt;
  Output<Wide> const may = allowed(held, in, out);
  Wide const n = static_cast<Wide>(in.n1) + in.n2, u = held.format.roundoff;
  auto const units = [&](std::string_view output) { return budget_of<Contract>(held, output).units * u; };
  WideVector const g = wide(out.gradient);
  WideMatrix const H = matrix(out.hessian->cast<Wide>());
  Wide const N = out.gauge, square = g.squaredNorm(), length = std::sqrt(square);
  Wide const mean = N * (square * H.trace() - g.dot(H * g)) / (2 * square * length);
  WideVector bound;
  Wide gaussian = 0, along = 0;
  for (Index i = 0; i < 3; ++i) {
    along += std::fabs(g[i]) * std::sqrt(std::fabs(H(i, i)));
    Index const i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    bound[i] = std::fabs(g[i]) * std::sqrt(std::fabs(H(i1, i1) * H(i2, i2)));
    for (Index j = 0; j < 3; ++j) {
      Index const j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      gaussian += g[i] * g[j] * (H(i1, j1) * H(i2, j2) - H(i1, j2) * H(i2, j1));
    }
  }
  gaussian *= N * N / (square * square);
  // One rounding covers cancellation in long double.
  Wide const of_H = n * units("hessian") + roundings(1), of_g = n * units("gradient"), of_N = units("gauge");
  Wide const mean_terms = N * (square * std::fabs(H.trace()) + along * along) / (2 * square * length);
  Wide const gaussian_terms = 2 * N * N * bound.sum() * bound.sum() / (square * square);
  // A component of the gradient below the least part of its natural size may have lost all digits. A term of the
  // curvatures is then wrong too. This error is negligible beside the least parts of the curvatures, except for
  // needles, which are skipped.
  if (in.semi_axes.maxCoeff() > 1e3 * in.semi_axes.minCoeff()) return std::nullopt;
  return std::max(
      in_tolerances(std::fabs(mean - *out.mean_curvature), *may.mean_curvature + mean_terms * (of_H + 5 * of_g + of_N)),
      in_tolerances(std::fabs(gaussian - *out.gaussian_curvature),
                    *may.gaussian_curvature + gaussian_terms * (2 * of_H + 6 * of_g + 2 * of_N)));
}

/// Checks that the Gaussian curvature is at most the square of the mean curvature. The reason: a product of two numbers
/// is at most the square of their mean.
inline Violation mean_above_gaussian(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  Answer const& out = outputs[0];
  if (!out.mean_curvature || !out.gaussian_curvature) return std::nullopt;
  Output<Wide> const may = allowed(held, inputs[0], out);
  Wide const mean = *out.mean_curvature, gaussian = *out.gaussian_curvature;
  if (mean < 0 || gaussian < 0) return infinite;
  return in_tolerances(gaussian - mean * mean, *may.gaussian_curvature + 2 * mean * *may.mean_curvature +
                                                   *may.mean_curvature * *may.mean_curvature);
}

/// Checks that Hessian and curvatures are null if and only if they do not exist.
inline Violation null_at_poles(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const&) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  bool const none = in.point[0] == 0 && in.point[1] == 0 && in.n1 == 2 && in.n2 > 2;
  bool right = true;
  auto const look = [&](auto const& value) {
    if (is_computed(value) && value.has_value() == none) right = false;
  };
  look(out.hessian);
  look(out.mean_curvature);
  look(out.gaussian_curvature);
  if (!right) return infinite;
  return none ? std::nullopt : std::optional(0.0);
}

inline void derive_ellipsoid(Case const& in, Random&, std::vector<Case>& inputs) {
  Case other = in;
  other.n1 = other.n2 = 2;
  inputs.push_back(other);
}
/// Checks an ellipsoid: N^2 = sum (y_k/a_k)^2, g_k = y_k/(a_k^2 N), H = (diag(1/a_k^2) - g g^T)/N.
inline Violation ellipsoid(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  Case const& in = inputs[1];
  WideVector const a = wide(in.semi_axes), y = wide(in.point);
  Wide const N = y.cwiseQuotient(a).norm();
  Output<Wide> truth;
  truth.value = N * N - 1;
  truth.gauge = N;
  truth.gradient = y.cwiseQuotient(a).cwiseQuotient(a) / N;
  WideMatrix H = -truth.gradient * truth.gradient.transpose();
  H += WideMatrix(a.cwiseProduct(a).cwiseInverse().asDiagonal());
  // Computes the diagonal from the coordinates along the other two axes, because 1 - g_k^2 a_k^2 would cancel.
  for (Index k = 0; k < 3; ++k) {
    Index const i = (k + 1) % 3, j = (k + 2) % 3;
    H(k, k) = (y[i] * y[i] / (a[i] * a[i]) + y[j] * y[j] / (a[j] * a[j])) / (N * N * a[k] * a[k]);
  }
  truth.hessian.emplace(H(0, 0), H(1, 1), H(2, 2), H(0, 1), H(0, 2), H(1, 2));
  *truth.hessian /= N;
  WideVector const g = truth.gradient;
  Wide const square = g.squaredNorm(), length = std::sqrt(square);
  Wide const volume = a.prod();
  truth.gaussian_curvature = 1 / (volume * volume * square * square);
  Wide sum = 0;
  for (Index k = 0; k < 3; ++k) {
    Index const i = (k + 1) % 3, j = (k + 2) % 3;
    sum += g[k] * g[k] * (1 / (a[i] * a[i]) + 1 / (a[j] * a[j]));
  }
  truth.mean_curvature = sum / (2 * square * length);
  Answer second = outputs[1];
  for_each_answered<Answer>(outputs, [&](auto const& field, bool there) {
    if (!there) fill_not_computed(second.*field.member);
  });
  return worst_difference(truth, second, allowed(held, in, second));
}

/// Derives cases in which one exponent or one semi-axis is larger. The gauge must not increase.
inline void derive_larger(Case const& in, Random& random, std::vector<Case>& inputs) {
  for (int which = 0; which < 3; ++which) {
    Case larger = in;
    double const factor = 1 + random.log_uniform(-12, -0.3);
    double& grown = which == 0 ? larger.n1 : which == 1 ? larger.n2 : larger.semi_axes[random.integer(0, 2)];
    grown *= factor;
    if (!Contract::domain_error(larger)) inputs.push_back(larger);
  }
}
inline Violation shrinks(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  double worst = 0;
  for (std::size_t i = 1; i < outputs.size(); ++i)
    worst = std::max(
        worst, in_tolerances(static_cast<Wide>(outputs[i].gauge) - outputs[0].gauge,
                             allowed(held, inputs[0], outputs[0]).gauge + allowed(held, inputs[i], outputs[i]).gauge));
  return worst;
}

/// Checks that the gauge is between the gauge of the box and the gauge of the ellipsoid with these semi-axes.
inline Violation between_box_and_ellipsoid(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided && bad.verdict) return bad.verdict;
  WideVector const scaled = wide(inputs[0].point).cwiseQuotient(wide(inputs[0].semi_axes)).cwiseAbs();
  Wide const N = outputs[0].gauge, may = allowed(held, inputs[0], outputs[0]).gauge;
  return std::max(in_tolerances(scaled.maxCoeff() - N, may), in_tolerances(N - scaled.norm(), may));
}

using Rule = Law<Case, Answer>;

inline std::span<Rule const> laws() {
  static OutputNames const all{"value", "gauge", "gradient", "hessian", "mean_curvature", "gaussian_curvature"};
  static std::vector<Rule> const list{
      Invariances<Scaling>::scaling(),
      {.name = "mirror",
       .doc = "a change of sign of coordinates changes the sign of the outputs that are odd in them",
       .tolerance = "both budgets",
       .compares = all,
       .derive = derive_mirrored,
       .violation = follows<mirror>},
      {.name = "exchange",
       .doc = "an exchange of x and y, with a and b, exchanges them in the answer",
       .tolerance = "both budgets",
       .compares = all,
       .derive = derive_exchanged,
       .violation = follows<exchange>},
      {.name = "homogeneity",
       .doc =
           "on the ray 8 times as far out, N is 8 times as large, the Hessian an eighth, gradient and curvatures the "
           "same",
       .tolerance = "both budgets",
       .compares = {"gauge", "gradient", "hessian", "mean_curvature", "gaussian_curvature"},
       .derive = derive_along_the_ray,
       .violation = follows<move_out>},
      {.name = "euler",
       .doc = "grad N . y = N",
       .tolerance = "both budgets",
       .uses = {"gauge", "gradient"},
       .violation = euler},
      {.name = "polar",
       .doc = "h(grad N) = 1, h the support function",
       .tolerance = "the budget of the gradient",
       .uses = {"gradient"},
       .violation = polar},
      {.name = "support_point",
       .doc = "the point of the surface whose normal is grad N is y / N",
       .tolerance = "three times the budget of the gradient, plus that of the gauge",
       .uses = {"gauge", "gradient"},
       .violation = support_point},
      {.name = "value_of_gauge",
       .doc = "F = N^n1 - 1",
       .tolerance = "both budgets",
       .uses = {"value", "gauge"},
       .violation = value_of_gauge},
      {.name = "flat_along_the_ray",
       .doc = "H y = 0",
       .tolerance = "the budget of the Hessian",
       .uses = {"gauge", "hessian"},
       .violation = flat_along_the_ray},
      {.name = "curvatures_of_derivatives",
       .doc = "the curvatures are (|g|^2 tr H - g.Hg)/(2|g|^3) and g.adj(H)g/|g|^4 at y / N",
       .tolerance = "all budgets, times the terms that cancel",
       .uses = {"gauge", "gradient", "hessian", "mean_curvature", "gaussian_curvature"},
       .violation = curvatures_of_derivatives},
      {.name = "mean_above_gaussian",
       .doc = "the square of the mean curvature is at least the Gaussian curvature, and neither is negative",
       .tolerance = "both budgets",
       .uses = {"mean_curvature", "gaussian_curvature"},
       .violation = mean_above_gaussian},
      {.name = "null_at_poles",
       .doc = "Hessian and curvatures are null exactly if x = y = 0 and n1 = 2 < n2",
       .tolerance = "0",
       .compares = {"hessian", "mean_curvature", "gaussian_curvature"},
       .violation = null_at_poles},
      {.name = "ellipsoid",
       .doc = "for exponents 2, the answers are those of an ellipsoid",
       .tolerance = "the budgets",
       .compares = all,
       .derive = derive_ellipsoid,
       .violation = ellipsoid},
      {.name = "monotone",
       .doc = "N does not increase if an exponent or a semi-axis grows",
       .tolerance = "both budgets",
       .uses = {"gauge"},
       .derive = derive_larger,
       .violation = shrinks},
      {.name = "between_box_and_ellipsoid",
       .doc = "N is at least that of the box, max |y_k/a_k|, and at most that of the ellipsoid",
       .tolerance = "its budget",
       .uses = {"gauge"},
       .violation = between_box_and_ellipsoid},
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_shape::properties
