#include "oracles/superquadric_kinematics.hpp"

#include "oracles/family/superquadric/placed.hpp"
#include "oracles/family/superquadric/ratios.hpp"

#include <array>
#include <optional>

namespace demeter::superquadric_kinematics::oracle {

using namespace superquadric::oracle;

/// A body with the contact point as the origin. w is the velocity of the material of the body at this point. `slope`
/// has the gauge, gradient and Hessian there.
struct AtPoint {
  Placed body;
  IntervalVector w, spin, origin;
  Slope slope;

  AtPoint(Body<double> const& of, Vector3<double> const& point, mpfr_prec_t bits)
      : body(of, point, bits), spin(exactly(of.spin, bits)), origin(exactly(Vector3<double>::Zero(), bits)) {
    w = exactly(of.velocity, bits) + cross(spin, origin - body.centre);
    slope = superquadric::oracle::slope(body, origin, Second::with);
  }
};

/// Returns the mean curvature of the surface, or the square root of the Gaussian curvature, at the point where a ray
/// from the body's centre leaves the body. `at` is the gauge with its derivatives at any point of the ray.
Interval curvature(Slope const& at, Curvature which) {
  IntervalVector const& g = at.g;
  IntervalMatrix const& H = at.H;
  Interval const gg = square(g[0]) + square(g[1]) + square(g[2]), zero = Interval::exactly(0, gg.precision());
  if (which == Curvature::mean) {
    Interval const twice = at.N * (gg * (H[0][0] + H[1][1] + H[2][2]) - dot(g, H * g)) / (gg * square_root(gg));
    return scaled(maximum(zero, twice), -1);
  }
  auto const minor = [&](std::size_t k, std::size_t l, std::size_t m, std::size_t n) {
    return H[k][m] * H[l][n] - H[k][n] * H[l][m];
  };
  Interval const product =
      square(g[0]) * minor(1, 2, 1, 2) + square(g[1]) * minor(2, 0, 2, 0) + square(g[2]) * minor(0, 1, 0, 1) +
      scaled(g[0] * g[1] * minor(1, 2, 2, 0) + g[0] * g[2] * minor(1, 2, 0, 1) + g[1] * g[2] * minor(2, 0, 0, 1), 1);
  return at.N * square_root(maximum(zero, product)) / gg;
}

/// Returns the parameter at which the ray from the origin along a unit vector leaves the body. N < 1 at the origin is
/// required. Newton's steps start beyond the exit, first in long double, then at point intervals. The sign of N - 1 on
/// both sides proves the result: N is convex and below 1 at 0. Therefore its sign changes only once.
Interval exit_parameter(AtPoint const& of, Body<double> const& body, Vector3<double> const& point,
                        IntervalVector const& direction) {
  namespace own = superquadric::conditioning;
  mpfr_prec_t const bits = direction[0].precision();
  Interval const one = Interval::exactly(1, bits);
  own::WideVector u;
  for (std::size_t k = 0; k < 3; ++k) u[static_cast<Index>(k)] = mpfr_get_ld(middle(direction[k]).low(), MPFR_RNDN);
  own::WideMatrix const R = own::rotation(body.orientation);
  own::WideVector const y = R.transpose() * (point.cast<long double>() - body.position.cast<long double>());
  Interval s = Interval::exactly(conditioning::exit_parameter(body, y, own::WideVector(R.transpose() * u)), bits);
  // Each step doubles the number of correct digits. The limit of 12 steps is more than enough. The loop ends when a
  // step is negligible.
  Interval const least = scaled(s, 24 - static_cast<int>(bits));
  for (int step = 0; step < 12; ++step) {
    Slope const at = superquadric::oracle::slope(of.body, s * direction, Second::without);
    Interval const change = middle((at.N - one) / dot(at.g, direction));
    s = middle(s - change);
    if (!certainly_less(least, magnitude(change))) break;
  }
  for (int reach = 40 - static_cast<int>(bits);; reach += 16) {
    if (reach > -40) return Interval::anything();
    Interval const off = scaled(magnitude(s), reach), low = middle(s - off), high = middle(s + off);
    auto const N = [&](Interval const& at) {
      return superquadric::oracle::slope(of.body, at * direction, Second::without).N;
    };
    if (certainly_less(N(low), one) && certainly_less(one, N(high))) return hull(low, high);
  }
}

Interval exit_curvature(AtPoint const& of, Body<double> const& body, Vector3<double> const& point,
                        IntervalVector const& direction, Curvature which) {
  Interval const one = Interval::exactly(1, direction[0].precision());
  if (certainly_at_most(one, of.slope.N)) return curvature(of.slope, which);
  if (!certainly_less(of.slope.N, one)) return Interval::anything();
  Interval const s = exit_parameter(of, body, point, direction);
  if (s.is_anything()) return s;
  return curvature(superquadric::oracle::slope(of.body, s * direction, Second::with), which);
}

/// Returns (3V / 4 pi)^(1/3) with the volume V = 8 a b c R_1(1/n2) R_2(1/n1). ratios.hpp defines R_q.
Interval volume_radius(Shape const& shape) {
  mpfr_prec_t const bits = shape.n1.precision();
  Interval const one = Interval::exactly(1, bits);
  Interval pi(bits);
  mpfi_const_pi(pi.get());
  Interval cube = Interval::exactly(6, bits) * shape.semi_axes[0] * shape.semi_axes[1] * shape.semi_axes[2] *
                  Ratios(one / shape.n2, 1)(1) * Ratios(one / shape.n1, 2)(2) / pi;
  mpfi_cbrt(cube.get(), cube.get());
  return cube;
}

/// Solves A x = b by elimination and returns x_0, x_1, x_2. b is the fifth column of the argument. Returns nullopt if a
/// pivot may be 0.
std::optional<IntervalVector> solved(std::array<std::array<Interval, 5>, 4> A) {
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

/// Returns the velocity of the point at which the gradients stay opposite and the gauges stay equal. Returns nullopt if
/// the equations may be singular.
std::optional<IntervalVector> contact_velocity(AtPoint const& i, AtPoint const& j) {
  IntervalVector const &gi = i.slope.g, &gj = j.slope.g;
  Interval const mu = length(gi) / length(gj);
  IntervalVector const e = gi - gj,
                       right = i.slope.H * i.w - cross(i.spin, gi) + mu * (j.slope.H * j.w - cross(j.spin, gj));
  std::array<std::array<Interval, 5>, 4> A;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t col = 0; col < 3; ++col) A[row][col] = i.slope.H[row][col] + mu * j.slope.H[row][col];
    A[row][3] = gj[row];
    A[row][4] = right[row];
    A[3][row] = e[row];
  }
  A[3][3] = Interval::exactly(0, mu.precision());
  A[3][4] = dot(gi, i.w) - dot(gj, j.w);
  return solved(A);
}

Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  Interval const one = Interval::exactly(1, bits);
  AtPoint const i(in.i, in.point, bits), j(in.j, in.point, bits);
  IntervalVector const given = exactly(in.normal, bits), n = (one / length(given)) * given, relative = i.w - j.w,
                       x = exactly(in.point, bits);
  Output<Interval> out;
  out.normal_velocity = dot(relative, n);
  auto const velocity = contact_velocity(i, j);
  Interval const dt = Interval::exactly(in.dt, bits);
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<Index>(k);
    out.tangential_velocity[at] = relative[k] - out.normal_velocity * n[k];
    out.predicted_point[at] = velocity ? x[k] + dt * (*velocity)[k] : Interval::anything();
  }
  Interval const Ri = volume_radius(i.body.shape), Rj = volume_radius(j.body.shape);
  out.effective_radius = Ri * Rj / (Ri + Rj);
  if (in.curvature_limit > 0) {
    IntervalVector const back{-n[0], -n[1], -n[2]};
    Interval const K =
        exit_curvature(i, in.i, in.point, back, in.curvature) + exit_curvature(j, in.j, in.point, n, in.curvature);
    Interval const most = Interval::exactly(in.curvature_limit, bits) * out.effective_radius;
    // min(most, 1 / K) is computed as most / max(1, most K), because K may be 0.
    out.effective_radius = K.is_anything() ? K : most / maximum(one, most * K);
  }
  return out;
}

Output<Enclosure> truth(Input<double> const& in) {
  auto const enclosed = [&](mpfr_prec_t bits) {
    Output<Interval> const intervals = refined_truth(in, bits);
    Output<Enclosure> out;
    out.normal_velocity = enclosure_of(intervals.normal_velocity);
    out.effective_radius = enclosure_of(intervals.effective_radius);
    for (Index k = 0; k < 3; ++k) {
      out.tangential_velocity[k] = enclosure_of(intervals.tangential_velocity[k]);
      out.predicted_point[k] = enclosure_of(intervals.predicted_point[k]);
    }
    return out;
  };
  Output<Enclosure> const out = enclosed(192);
  bool const open = std::isinf(out.effective_radius.radius) || std::isinf(out.predicted_point[0].radius);
  return open ? enclosed(512) : out;
}

Output<long double> scale(Input<double> const& in, Output<Enclosure> const&) {
  Output<long double> size = Contract::scale(in);
  long double const nan = std::numeric_limits<long double>::quiet_NaN();
  for (Index k = 0; k < 3; ++k)
    if (std::isinf(size.predicted_point[k])) size.predicted_point[k] = nan;
  if (std::isinf(size.effective_radius)) size.effective_radius = nan;
  return size;
}

}  // namespace demeter::superquadric_kinematics::oracle
