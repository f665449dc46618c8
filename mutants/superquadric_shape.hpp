// Mutants of superquadric_shape. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/superquadric_shape.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace demeter::superquadric_shape::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"small_base", "a power of a base below 1e-12 counts as 0", "observed in LIGGGHTS"},
    {"exponent_rounded", "exponents within .01 of an integer are rounded",
     "observed in LIGGGHTS: n = 2.991 gives -.118 instead of -.11557"},
    {"nearly_equal_exponents", "exponents within 1 % of each other are treated as equal", "observed in LIGGGHTS"},
    {"exponents_exchanged", "n1 and n2 are exchanged", "another convention"},
    {"exponents_inverted", "4/n instead of n: the exponents of computer graphics", "another convention"},
    {"one_exponent", "n1 for both exponents", "equation (1) of Open DEM Japan's note"},
    {"powers_not_factored", "x^n and y^n are added without scaling, in double", "powers that overflow and underflow"},
    {"power_in_double", "x^n is exp(n log x) in double", "a power function that loses digits for large exponents",
     "|n ln x| u is below 1024 u"},
    {"axis_of_x", "the axis of n1 is x", "another convention"},
    {"axes_are_diameters", "whole axes instead of semi-axes", "another convention"},
    {"plane_below_epsilon", "coordinates below 1e-9 m are treated as 0", "absolute thresholds"},
    {"guarded_division", "1e-12 is added to |x/a|", "an epsilon against a power of 0"},
    {"value_of_gauge", "N - 1 instead of N^n1 - 1", "another convention"},
    {"value_scaled", "F is multiplied by 2^(2 - max(n1, n2))", "LIGGGHTS's convention"},
    {"value_unrooted", "rho^n2 instead of rho^n1", "the branch for equal exponents"},
    {"gauge_of_ellipsoid", "both exponents are replaced by 2", "an ellipsoid instead of a superquadric"},
    {"gradient_of_value", "the gradient of F instead of N", "another convention"},
    {"gradient_not_scaled", "the gradient lacks 1/a", "a missing factor of the chain rule"},
    {"gradient_of_length_1", "the gradient is normalised", "another convention"},
    {"gradient_without_signs", "the gradient of the first octant is used everywhere", "missing signs"},
    {"gradient_twice_scaled", "the gradient is divided by a twice", "a factor applied in two places"},
    {"hessian_of_value", "the Hessian of F instead of N", "another convention"},
    {"hessian_on_surface", "the Hessian at y / N instead of y", "another convention"},
    {"hessian_exponent", "n2 instead of n2 - 1", "a wrong factor of a derivative"},
    {"hessian_without_mixed", "mixed derivatives are 0", "the diagonal alone"},
    {"hessian_sign", "xz has the wrong sign", "sign of a mixed derivative"},
    {"hessian_order", "the order is xx, xy, xz, yy, yz, zz", "another order of a symmetric tensor"},
    {"hessian_without_across", "rho is treated as linear in x and y", "a missing term of the chain rule"},
    {"mean_is_trace", "the sum of the principal curvatures instead of their mean", "another convention"},
    {"mean_at_point", "the mean curvature of the level surface through the point",
     "a curvature computed at the contact point"},
    {"mean_without_within", "the mean curvature lacks the bending in the x, y plane", "a missing term"},
    {"mean_nearly_zero", "mean curvatures below 1e-3/m count as 0", "absolute thresholds"},
    {"gaussian_at_point", "the Gaussian curvature of the level surface through the point",
     "a curvature computed at the contact point"},
    {"gaussian_root", "the square root of the Gaussian curvature", "LIGGGHTS's curvature coefficient"},
    {"gaussian_of_scaled_body", "the Gaussian curvature of the body in scaled coordinates",
     "a missing factor of the chain rule"},
    {"pole_is_finite", "the formula of the Hessian is used at the poles", "a limit that does not exist"},
    {"pole_within_tolerance", "every point within 1e-10 of a pole is treated as a pole",
     "a threshold instead of an exact decision"},
    {"pole_of_balls", "the poles of balls have no Hessian", ">= instead of >"},
    {"pole_of_any_exponent", "no pole has a Hessian", "a missing condition"},
};
using Chosen = Choice<defects>;

struct Parts {
  Real value, x2, x1, x0, y2, y1, y0;  ///< value: norm of (x, y); x2, x1, x0: powers n - 2, n - 1, n of x / norm; y2,
                                       ///< y1, y0: the same powers of y / norm
};

/// Returns the mean and the Gaussian curvature. `length` is the length of the gradient.
inline std::pair<Real, Real> curvatures(Real const (&a)[3], Real n1, Real n2, Parts const& flat, Parts const& whole,
                                        Real length, Chosen const with) {
  // Every term of the mean curvature is positive, and the Gaussian curvature is a product. Therefore nothing cancels.
  Real const m1 = n1 - 1, c = n2 - 1, N = whole.value;
  auto const beside = [&](Real w1, Real w2, Real other0) {
    return m1 * whole.y2 * w1 * w1 + c * w2 * other0 * whole.y1 * whole.y1;
  };
  Real const within = c * whole.x1 * whole.x1 * flat.x2 * flat.y2 / (a[0] * a[0] * a[1] * a[1]);
  Real const out_of =
      (beside(flat.x1, flat.x2, flat.y0) / (a[0] * a[0]) + beside(flat.y1, flat.y2, flat.x0) / (a[1] * a[1])) /
      (a[2] * a[2]);
  Real mean = whole.x2 * ((with("mean_without_within") ? 0 : within) + out_of) / (2 * length * length * length);
  Real const volume = a[0] * a[1] * a[2], square = length * length;
  Real gaussian = m1 * c * whole.x2 * whole.x2 * whole.y2 * flat.x2 * flat.y2 / (volume * volume * square * square);
  if (with("mean_is_trace")) mean *= 2;
  if (with("mean_at_point")) mean /= N;
  if (with("mean_nearly_zero") && mean < 1e-3L) mean = 0;
  if (with("gaussian_at_point")) gaussian /= N * N;
  if (with("gaussian_root")) gaussian = std::sqrt(gaussian);
  if (with("gaussian_of_scaled_body")) gaussian *= volume * volume * square * square;
  return {mean, gaussian};
}

inline Answer evaluate(Case const& in, Chosen const with) {
  Real a[3], p[3], n1 = in.n1, n2 = in.n2;
  for (int k = 0; k < 3; ++k) {
    a[k] = in.semi_axes[k];
    p[k] = in.point[k];
    if (with("axes_are_diameters")) a[k] /= 2;
    if (with("plane_below_epsilon") && std::fabs(p[k]) < 1e-9L) p[k] = 0;
  }
  auto const rounded = [](Real n) { return std::fabs(n - std::round(n)) < .01L ? std::round(n) : n; };
  if (with("exponent_rounded")) n1 = rounded(n1), n2 = rounded(n2);
  if (with("nearly_equal_exponents") && std::fabs(n1 / n2 - 1) < .01L) n1 = n2;
  if (with("exponents_exchanged")) std::swap(n1, n2);
  if (with("exponents_inverted")) n1 = std::max(2.0L, 4 / n1), n2 = std::max(2.0L, 4 / n2);
  if (with("one_exponent")) n2 = n1;
  if (with("gauge_of_ellipsoid")) n1 = n2 = 2;
  if (with("axis_of_x")) std::swap(a[0], a[2]), std::swap(p[0], p[2]);

  auto const power = [&](Real x, Real n) -> Real {
    if (with("small_base") && x < 1e-12L) return 0;
    if (x == 0) return n == 0 ? 1 : 0;
    if (with("power_in_double")) return std::exp(static_cast<double>(n) * std::log(static_cast<double>(x)));
    return std::pow(x, n);
  };
  auto const norm = [&](Real x, Real y, Real n) {
    bool const swapped = x < y;
    Real const large = swapped ? y : x, small = swapped ? x : y, k = large > 0 ? small / large : 0;
    Real const two = power(k, n - 2), one = with("small_base") ? power(k, n - 1) : two * k,
               whole = with("small_base") ? power(k, n) : one * k, sum = 1 + whole, root = std::pow(sum, 1 / n);
    Real const l0 = 1 / sum, l1 = root * l0, l2 = root * l1;
    Parts of{large * root, l2, l1, l0, two * l2, one * l1, whole * l0};
    if (swapped) std::swap(of.x2, of.y2), std::swap(of.x1, of.y1), std::swap(of.x0, of.y0);
    if (with("powers_not_factored")) {
      auto const plain = [](Real base, Real exponent) -> Real {
        return std::pow(static_cast<double>(base), static_cast<double>(exponent));
      };
      of.value = plain(plain(x, n) + plain(y, n), 1 / n);
    }
    return of;
  };
  auto const xi = [&](int k) { return std::fabs(p[k]) / a[k] + (with("guarded_division") ? 1e-12L : 0); };
  Parts const flat = norm(xi(0), xi(1), n2), whole = norm(flat.value, xi(2), n1);
  Real const N = whole.value, m1 = n1 - 1, m2 = with("hessian_exponent") ? n2 : n2 - 1;
  auto const sign = [&](int k) { return p[k] < 0 && !with("gradient_without_signs") ? -1.0L : 1.0L; };

  Answer out;
  Real value = std::pow(N, n1) - 1;
  if (with("value_of_gauge")) value = N - 1;
  if (with("value_scaled")) value *= std::exp2(2 - std::max(n1, n2));
  if (with("value_unrooted")) value = std::pow(flat.value, n2) + std::pow(xi(2), n1) - 1;
  out.value = static_cast<double>(value);
  Real gauge = N;
  out.gauge = static_cast<double>(gauge);

  Real g[3] = {sign(0) * whole.x1 * flat.x1 / a[0], sign(1) * whole.x1 * flat.y1 / a[1], sign(2) * whole.y1 / a[2]};
  Real const length = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  for (int k = 0; k < 3; ++k) {
    Real entry = g[k];
    if (with("gradient_of_value")) entry *= n1 * std::pow(N, n1 - 1);
    if (with("gradient_not_scaled")) entry *= a[k];
    if (with("gradient_twice_scaled")) entry /= a[k];
    if (with("gradient_of_length_1")) entry /= length;
    out.gradient[k] = static_cast<double>(entry);
  }

  bool null = in.point[0] == 0 && in.point[1] == 0 && in.n1 == 2 && in.n2 > 2;
  if (with("pole_is_finite")) null = false;
  if (with("pole_within_tolerance")) null = xi(0) < 1e-10L && xi(1) < 1e-10L && n1 < 2.0001L && n2 > 2;
  if (with("pole_of_balls")) null = in.point[0] == 0 && in.point[1] == 0 && in.n1 == 2;
  if (with("pole_of_any_exponent")) null = in.point[0] == 0 && in.point[1] == 0;
  if (null) return out;

  Real const rr = m1 / N * whole.x2 * whole.y0, zz = m1 / N * whole.y2 * whole.x0, rz = -m1 / N * whole.x1 * whole.y1,
             across = with("hessian_without_across") ? 0 : m2 / N * whole.x2;
  Real H[6] = {(rr * flat.x1 * flat.x1 + across * flat.x2 * flat.y0) / (a[0] * a[0]),
               (rr * flat.y1 * flat.y1 + across * flat.y2 * flat.x0) / (a[1] * a[1]),
               zz / (a[2] * a[2]),
               sign(0) * sign(1) * (rr - across) * flat.x1 * flat.y1 / (a[0] * a[1]),
               sign(0) * sign(2) * rz * flat.x1 / (a[0] * a[2]),
               sign(1) * sign(2) * rz * flat.y1 / (a[1] * a[2])};
  if (with("hessian_of_value")) {
    static constexpr int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k)
      H[k] = n1 * std::pow(N, n1 - 1) * H[k] + n1 * m1 * std::pow(N, n1 - 2) * g[of[k][0]] * g[of[k][1]];
  }
  for (Real& entry : H) entry *= with("hessian_on_surface") ? N : 1;
  if (with("hessian_without_mixed")) H[3] = H[4] = H[5] = 0;
  if (with("hessian_sign")) H[4] = -H[4];
  if (with("hessian_order")) {
    Real const other[6] = {H[0], H[3], H[4], H[1], H[5], H[2]};
    std::copy_n(other, 6, H);
  }
  out.hessian.emplace();
  for (int k = 0; k < 6; ++k) (*out.hessian)[k] = static_cast<double>(H[k]);

  auto const [mean, gaussian] = curvatures(a, n1, n2, flat, whole, length, with);
  out.mean_curvature = static_cast<double>(mean);
  out.gaussian_curvature = static_cast<double>(gaussian);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "semi_axes point",
                                .shared_by_four = "n2",
                                .as_float = "gauge",
                                .negated = "mean_curvature",
                                .just_over = "gauge"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::superquadric_shape::mutants
