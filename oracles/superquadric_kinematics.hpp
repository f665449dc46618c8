// Certified kinematics at the contact point of two superquadrics, in intervals: exact local points, exit points between
// two parameters at which N - 1 has opposite signs, elimination with intervals.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/superquadric/gauge.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

#include <array>
#include <optional>

namespace demeter::superquadric_kinematics::oracle {

namespace enclosing {

namespace gauge = superquadric::oracle;
using gauge::IntervalTensor;
using gauge::IntervalVector;
using Rows = std::array<IntervalVector, 3>;

inline Interval number(double x, mpfr_prec_t bits) { return Interval::exactly(x, bits); }
inline Interval dot(IntervalVector const& x, IntervalVector const& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
inline IntervalVector cross(IntervalVector const& x, IntervalVector const& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
inline IntervalVector operator+(IntervalVector const& x, IntervalVector const& y) {
  return {x[0] + y[0], x[1] + y[1], x[2] + y[2]};
}
inline IntervalVector operator-(IntervalVector const& x, IntervalVector const& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}
inline IntervalVector operator*(Interval const& k, IntervalVector const& x) { return {k * x[0], k * x[1], k * x[2]}; }
inline IntervalVector apply(Rows const& R, IntervalVector const& x) {
  return {dot(R[0], x), dot(R[1], x), dot(R[2], x)};
}
inline IntervalVector transposed(Rows const& R, IntervalVector const& x) {
  IntervalVector result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = R[0][k] * x[0] + R[1][k] * x[1] + R[2][k] * x[2];
  return result;
}
inline Interval middle(Interval const& x) {
  Interval result(x.precision());
  mpfi_mid(&result.get()->left, x.get());
  mpfr_set(&result.get()->right, &result.get()->left, MPFR_RNDN);
  return result;
}
inline double estimate(Interval const& x) { return mpfr_get_d(middle(x).low(), MPFR_RNDN); }

/// A body at the contact point. R times |q|^2 has products of doubles alone, which `bits` hold exactly: so coordinates
/// that are 0 are known to be.
struct Placed {
  gauge::Shape shape;
  Rows R;  ///< times `square`
  Interval square;
  IntervalVector local, w, spin;

  IntervalVector to_local(IntervalVector const& x) const {
    IntervalVector const y = transposed(R, x);
    return {y[0] / square, y[1] / square, y[2] / square};
  }
};

inline Placed placed(Body<double> const& of, IntervalVector const& point, mpfr_prec_t bits) {
  Interval const w = number(of.orientation[0], bits), x = number(of.orientation[1], bits),
                 y = number(of.orientation[2], bits), z = number(of.orientation[3], bits);
  Interval const ww = square(w), xx = square(x), yy = square(y), zz = square(z);
  auto const twice = [](Interval const& a) { return scaled(a, 1); };
  Placed result;
  result.shape = gauge::exactly(of.semi_axes, of.n1, of.n2, bits);
  result.R = {IntervalVector{ww + xx - yy - zz, twice(x * y - w * z), twice(x * z + w * y)},
              IntervalVector{twice(x * y + w * z), ww - xx + yy - zz, twice(y * z - w * x)},
              IntervalVector{twice(x * z - w * y), twice(y * z + w * x), ww - xx - yy + zz}};
  result.square = ww + xx + yy + zz;
  IntervalVector const arm = point - gauge::exactly(of.position, bits);
  result.local = result.to_local(arm);
  result.spin = gauge::exactly(of.spin, bits);
  result.w = gauge::exactly(of.velocity, bits) + cross(result.spin, arm);
  return result;
}

/// The parameter at which y + s direction leaves the body, for N(y) < 1: Newton's steps at points, and then the sign of
/// N - 1 on both sides. N is convex and below 1 at s = 0, so that there is one sign change.
inline Interval exit_parameter(gauge::Shape const& shape, IntervalVector const& y, IntervalVector const& direction) {
  mpfr_prec_t const bits = y[0].precision();
  Interval const one = number(1, bits);
  auto const at = [&](Interval const& s) { return y + s * direction; };
  Interval s = middle((one + gauge::gauge_value(shape, y)) / gauge::gauge_value(shape, direction));
  for (int step = 0; step < 400; ++step) {
    IntervalVector const z = at(s);
    auto const here = gauge::gauge(shape, z, gauge::Second::without);
    Interval const change = middle((here.N - one) / dot(gauge::gradient(shape, here, z), direction));
    s = middle(s - change);
    if (mpfr_zero_p(change.low()) != 0) break;
    if (mpfr_get_exp(change.low()) < mpfr_get_exp(s.low()) - static_cast<mpfr_exp_t>(bits) + 40) break;
  }
  for (int reach = 60 - static_cast<int>(bits);; reach += 16) {
    if (reach > 0) return Interval::anything();
    Interval const off = scaled(magnitude(s), reach), low = middle(s - off), high = middle(s + off);
    if (certainly_less(gauge::gauge_value(shape, at(low)), one) &&
        certainly_less(one, gauge::gauge_value(shape, at(high))))
      return hull(low, high);
  }
}

/// Mean curvature at y / N, or the root of the Gaussian one.
inline Interval curvature(gauge::Shape const& shape, IntervalVector const& y, Curvature which) {
  auto const at = gauge::gauge(shape, y);
  IntervalVector const g = gauge::gradient(shape, at, y);
  IntervalTensor const H = gauge::hessian(shape, at, y);
  auto const& [xx, yy, zz, xy, xz, yz] = H;
  Interval const gg = dot(g, g), zero = number(0, y[0].precision());
  if (which == Curvature::mean) {
    IntervalVector const Hg{xx * g[0] + xy * g[1] + xz * g[2], xy * g[0] + yy * g[1] + yz * g[2],
                            xz * g[0] + yz * g[1] + zz * g[2]};
    return scaled(maximum(zero, at.N * (gg * (xx + yy + zz) - dot(g, Hg)) / (gg * square_root(gg))), -1);
  }
  Interval const product =
      square(g[0]) * (yy * zz - square(yz)) + square(g[1]) * (xx * zz - square(xz)) +
      square(g[2]) * (xx * yy - square(xy)) +
      scaled(g[0] * g[1] * (xz * yz - xy * zz) + g[0] * g[2] * (xy * yz - xz * yy) + g[1] * g[2] * (xy * xz - yz * xx),
             1);
  return at.N * square_root(product) / gg;
}

inline Interval exit_curvature(Placed const& of, IntervalVector const& direction, Curvature which) {
  Interval const one = number(1, of.square.precision()), N = gauge::gauge_value(of.shape, of.local);
  if (certainly_at_most(one, N)) return curvature(of.shape, of.local, which);
  if (!certainly_less(N, one)) return Interval::anything();
  IntervalVector const u = of.to_local(direction);
  Interval const s = exit_parameter(of.shape, of.local, u);
  return s.is_anything() ? s : curvature(of.shape, of.local + s * u, which);
}

/// Gamma of 1 < x <= 5/2, which falls to 0.8856 at 1.46 and then grows.
inline Interval gamma(Interval const& x) {
  Interval result(x.precision());
  Interval low(x.precision()), high(x.precision());
  for (auto const& [end, at] : {std::pair{&low, x.low()}, std::pair{&high, x.high()}}) {
    mpfr_gamma(&end->get()->left, at, MPFR_RNDD);
    mpfr_gamma(&end->get()->right, at, MPFR_RNDU);
  }
  result = hull(low, high);
  if (mpfr_cmp_d(x.low(), 1.47) < 0 && mpfr_cmp_d(x.high(), 1.46) > 0) {
    Interval floor(x.precision());
    mpfi_set_d(floor.get(), 0.8856);
    if (mpfr_cmp_d(x.low(), 1.4616) < 0 && mpfr_cmp_d(x.high(), 1.4617) > 0) result = hull(result, floor);
  }
  return result;
}

/// (3V / 4 pi)^(1/3), V = 2 a b c A2 G(1+e1) G(1+2 e1) / G(1+3 e1), A2 = 4 G(1+e2)^2 / G(1+2 e2).
inline Interval volume_radius(gauge::Shape const& shape) {
  mpfr_prec_t const bits = shape.n1.precision();
  Interval const one = number(1, bits), two = number(2, bits), three = number(3, bits);
  Interval const e1 = one / shape.n1, e2 = one / shape.n2;
  Interval const flat = square(gamma(one + e2)) / gamma(one + two * e2);
  Interval const tall = gamma(one + e1) * gamma(one + two * e1) / gamma(one + three * e1);
  Interval pi(bits);
  mpfi_const_pi(pi.get());
  Interval const size = shape.semi_axes[0] * shape.semi_axes[1] * shape.semi_axes[2];
  Interval cube = number(6, bits) * size * flat * tall / pi;
  mpfi_cbrt(cube.get(), cube.get());
  return cube;
}

/// A x = b for x_0, x_1, x_2 by elimination; nothing if a pivot may be 0.
inline std::optional<IntervalVector> solved(std::array<std::array<Interval, 5>, 4> A) {
  for (std::size_t k = 0; k < 4; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < 4; ++row)
      if (mpfr_cmpabs(middle(A[row][k]).low(), middle(A[pivot][k]).low()) > 0) pivot = row;
    std::swap(A[k], A[pivot]);
    if (mpfi_has_zero(A[k][k].get()) != 0) return std::nullopt;
    for (std::size_t row = k + 1; row < 4; ++row) {
      Interval const factor = A[row][k] / A[k][k];
      for (std::size_t col = k; col < 5; ++col) A[row][col] = A[row][col] - factor * A[k][col];
    }
  }
  std::array<Interval, 4> x;
  for (std::size_t k = 4; k-- > 0;) {
    Interval sum = A[k][4];
    for (std::size_t col = k + 1; col < 4; ++col) sum = sum - A[k][col] * x[col];
    x[k] = sum / A[k][k];
  }
  return IntervalVector{x[0], x[1], x[2]};
}

/// The gradient, and what the Hessian makes of a vector, in the global frame.
struct Derivatives {
  IntervalVector g;
  Rows H;
};
inline Derivatives derivatives(Placed const& of) {
  auto const at = gauge::gauge(of.shape, of.local);
  auto const [xx, yy, zz, xy, xz, yz] = gauge::hessian(of.shape, at, of.local);
  Rows const H{IntervalVector{xx, xy, xz}, IntervalVector{xy, yy, yz}, IntervalVector{xz, yz, zz}};
  Derivatives result;
  auto const global = [&](IntervalVector const& x) {
    IntervalVector const turned = apply(of.R, x);
    return IntervalVector{turned[0] / of.square, turned[1] / of.square, turned[2] / of.square};
  };
  result.g = global(gauge::gradient(of.shape, at, of.local));
  // Row k of R H R^T is R (H (R^T e_k)).
  for (std::size_t k = 0; k < 3; ++k) {
    IntervalVector const own{of.R[k][0] / of.square, of.R[k][1] / of.square, of.R[k][2] / of.square};
    result.H[k] = global(apply(H, own));
  }
  return result;
}

inline Output<Interval> answer(Input<double> const& in, mpfr_prec_t bits) {
  Interval const one = number(1, bits), zero = number(0, bits);
  IntervalVector const x = gauge::exactly(in.point, bits);
  Placed const i = placed(in.i, x, bits), j = placed(in.j, x, bits);
  IntervalVector const given = gauge::exactly(in.normal, bits);
  IntervalVector const n = (one / square_root(dot(given, given))) * given, relative = i.w - j.w;
  Output<Interval> out;
  out.normal_velocity = dot(relative, n);
  Derivatives const of_i = derivatives(i), of_j = derivatives(j);
  Interval const mu = square_root(dot(of_i.g, of_i.g) / dot(of_j.g, of_j.g));
  IntervalVector const e = of_i.g - of_j.g;
  IntervalVector const right =
      apply(of_i.H, i.w) - cross(i.spin, of_i.g) + mu * (apply(of_j.H, j.w) - cross(j.spin, of_j.g));
  std::array<std::array<Interval, 5>, 4> A;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t col = 0; col < 3; ++col) A[row][col] = of_i.H[row][col] + mu * of_j.H[row][col];
    A[row][3] = of_j.g[row];
    A[row][4] = right[row];
    A[3][row] = e[row];
  }
  A[3][3] = zero;
  A[3][4] = dot(of_i.g, i.w) - dot(of_j.g, j.w);
  auto const velocity = solved(A);
  Interval const dt = number(in.dt, bits);
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<Eigen::Index>(k);
    out.tangential_velocity[at] = relative[k] - out.normal_velocity * n[k];
    out.predicted_point[at] = velocity ? x[k] + dt * (*velocity)[k] : Interval::anything();
  }
  Interval const Ri = volume_radius(i.shape), Rj = volume_radius(j.shape);
  out.effective_radius = Ri * Rj / (Ri + Rj);
  if (in.curvature_limit > 0) {
    IntervalVector const back{-n[0], -n[1], -n[2]};
    Interval const K = exit_curvature(i, back, in.curvature) + exit_curvature(j, n, in.curvature);
    Interval const most = number(in.curvature_limit, bits) * out.effective_radius;
    // min(most, 1 / K) = most / max(1, most K): K may be 0.
    out.effective_radius = K.is_anything() ? K : most / maximum(one, most * K);
  }
  return out;
}

}  // namespace enclosing

/// The certified answers: to a relative 2^-120 of their scales for nearly all inputs.
inline Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const intervals = enclosing::answer(in, 512);
  Output<Enclosure> out;
  out.normal_velocity = enclosure_of(intervals.normal_velocity);
  out.effective_radius = enclosure_of(intervals.effective_radius);
  for (Eigen::Index k = 0; k < 3; ++k) {
    out.tangential_velocity[k] = enclosure_of(intervals.tangential_velocity[k]);
    out.predicted_point[k] = enclosure_of(intervals.predicted_point[k]);
  }
  return out;
}

/// The same in intervals of `bits` bits, for what `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return enclosing::answer(in, std::max<mpfr_prec_t>(bits, 512));
}

inline constexpr OracleHooks<Contract> hooks{.case_divisor = 100};

}  // namespace demeter::superquadric_kinematics::oracle
