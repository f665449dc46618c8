#include "fast/superquadric_kinematics.hpp"

#include <cstddef>

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_kinematics.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/superquadric/gauge.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric_kinematics::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;
namespace body = demeter::superquadric::fast::HWY_NAMESPACE;
using body::Shape;
using body::Symmetric;

template <class Number>
struct Matrix {
  Triple<Number> x, y, z;  ///< rows
};
template <class Number>
HWY_INLINE Triple<Number> apply(Matrix<Number> const& R, Triple<Number> const& v) {
  return {dot(R.x, v), dot(R.y, v), dot(R.z, v)};
}
template <class Number>
HWY_INLINE Triple<Number> transposed(Matrix<Number> const& R, Triple<Number> const& v) {
  return fma(v.z, R.z, fma(v.y, R.y, v.x * R.x));
}
template <class Number>
HWY_INLINE Triple<Number> apply(Symmetric<Number> const& H, Triple<Number> const& v) {
  return {fma(H.xz, v.z, fma(H.xy, v.y, H.xx * v.x)), fma(H.yz, v.z, fma(H.yy, v.y, H.xy * v.x)),
          fma(H.zz, v.z, fma(H.yz, v.y, H.xz * v.x))};
}

template <class Number>
HWY_INLINE Matrix<Number> rotation(Number w0, Number x0, Number y0, Number z0) {
  auto const greatest = maximum(maximum(abs(w0), abs(x0)), maximum(abs(y0), abs(z0)));
  auto const factor = twice_inverse(power_of_two(greatest));
  auto const w = w0 * factor;
  auto const x = x0 * factor;
  auto const y = y0 * factor;
  auto const z = z0 * factor;
  auto const a = fma(w, w, x * x);
  auto const b = fma(y, y, z * z);
  auto const c = fma(w, w, y * y);
  auto const d = fma(x, x, z * z);
  auto const e = fma(w, w, z * z);
  auto const f = fma(x, x, y * y);
  auto const inverse = 1.0 / (a + b);
  auto const twice = inverse + inverse;
  return {{(a - b) * inverse, multiply_subtract(x, y, w * z) * twice, fma(x, z, w * y) * twice},
          {fma(x, y, w * z) * twice, (c - d) * inverse, multiply_subtract(y, z, w * x) * twice},
          {multiply_subtract(x, z, w * y) * twice, fma(y, z, w * x) * twice, (e - f) * inverse}};
}

template <class Number>
struct Body {
  Triple<Number> position;
  Number w, x, y, z;
  Triple<Number> semi_axes;
  Number n1, n2;
  Triple<Number> velocity, spin;
};

/// A body at the contact point. Lengths are in the pair's unit.
template <class Number>
struct Placed {
  Shape<Number> shape;
  Matrix<Number> R;
  Triple<Number> local, w, spin;
};

template <class Number>
HWY_INLINE Placed<Number> placed(Body<Number> const& of, Triple<Number> const& point, Number factor, Number unit) {
  Placed<Number> result;
  result.shape = {factor * of.semi_axes, of.n1, of.n2};
  result.R = rotation(of.w, of.x, of.y, of.z);
  auto const arm = factor * (point - of.position);
  result.local = transposed(result.R, arm);
  result.spin = unit * of.spin;
  result.w = of.velocity + plain_cross(result.spin, arm);
  return result;
}

/// Returns the point where the ray from the contact point leaves the body, in the body's own frame. Newton's method
/// starts beyond the exit and approaches it from outside until rounding stops the decrease. A lane that has stopped
/// keeps its result while other lanes continue.
template <class Number>
HWY_INLINE Triple<Number> exit_point(Placed<Number> const& of, Triple<Number> const& direction) {
  auto const u = transposed(of.R, direction);
  auto const N = body::gauge_value(of.shape, of.local);
  auto active = N < 1.0;
  auto s = zero_unless(active, (1.0 + N) / body::gauge_value(of.shape, u));
  for (int step = 0; step < 400 && !none(active); ++step) {
    auto const z = fma(s, u, of.local);
    auto const at = body::gauge(of.shape, z);
    auto const next = s - (at.N - 1.0) / dot(body::gradient(of.shape, at, z), u);
    active = both(active, next < s);
    s = select(active, next, s);
  }
  return fma(s, u, of.local);
}

/// Returns a curvature of the surface at the point y / N, in the inverse unit of length. If `gaussian`: the square root
/// of the Gaussian curvature. Otherwise: the mean curvature.
template <class Number>
HWY_INLINE Number curvature(Shape<Number> const& shape, Triple<Number> const& y, Mask<Number> gaussian) {
  auto const at = body::gauge(shape, y);
  auto const g = body::gradient(shape, at, y);
  auto const H = body::hessian(shape, at, y);
  auto const gg = dot(g, g);
  auto const trace = (H.xx + H.yy) + H.zz;
  auto const mean = 0.5 * (gg * trace - dot(g, apply(H, g))) / (gg * sqrt(gg));
  Symmetric<Number> adjugate;
  adjugate.xx = product_difference(H.yy, H.zz, H.yz, H.yz);
  adjugate.yy = product_difference(H.xx, H.zz, H.xz, H.xz);
  adjugate.zz = product_difference(H.xx, H.yy, H.xy, H.xy);
  adjugate.xy = product_difference(H.xz, H.yz, H.xy, H.zz);
  adjugate.xz = product_difference(H.xy, H.yz, H.xz, H.yy);
  adjugate.yz = product_difference(H.xy, H.xz, H.yz, H.xx);
  auto const product = dot(g, apply(adjugate, g));
  auto const root = sqrt(maximum(product, 0.0)) / gg;
  return at.N * maximum(select(gaussian, root, mean), 0.0);
}

// Coefficients of two polynomials in z = (e - 101/400) / (99/400), for 1/200 <= e <= 1/2. They approximate G(1+e)^2 /
// G(1+2e) and G(1+e) G(1+2e) / G(1+3e).
constexpr std::size_t coefficients = 23;
constexpr double flat_ratio[coefficients] = {
    0x1.da03e0cc6febp-1,    -0x1.f29770533c7e3p-4, -0x1.e8f39d6c7b6aep-6,  0x1.c5073ad9f4342p-7,
    -0x1.a042430d371e5p-9,  0x1.3a5b9ef2ada04p-11, -0x1.c9a8b7dca4d67p-14, 0x1.53d2f06ec898bp-16,
    -0x1.03088aa0ddbc7p-18, 0x1.91d5206860977p-21, -0x1.3a971a2c72ec2p-23, 0x1.eee048ccabbb5p-26,
    -0x1.862638160915ep-28, 0x1.33f4634d6b3f9p-30, -0x1.e675c53ac1873p-33, 0x1.805405f90ada7p-35,
    -0x1.2fb61e60f8d5fp-37, 0x1.e0cb2b170b4f6p-40, -0x1.7c008c43210eep-42, 0x1.241819053742p-44,
    -0x1.cdbe5564495a7p-47, 0x1.d6a25c70ff414p-49, -0x1.73ff07f5cb2fbp-51};
constexpr double tall_ratio[coefficients] = {
    0x1.be7e2bcbb60d8p-1,   -0x1.8e95ce76f9ffdp-3, -0x1.e57823b4d40cdp-6,  0x1.a228c122b6572p-6,
    -0x1.1565d65a39aeep-7,  0x1.2b2d2cb60bf2cp-9,  -0x1.3fc6f43abe40ap-11, 0x1.6a37be1760663p-13,
    -0x1.b2aa566fb3f0fp-15, 0x1.0f00e66e59cp-16,   -0x1.5998f7c9d8bb8p-18, 0x1.be6b4bece834ep-20,
    -0x1.227cc02dc595cp-21, 0x1.7bd17fd7469dp-23,  -0x1.f1c408ae6d6ebp-25, 0x1.451d099e73144p-26,
    -0x1.ab20b4d3fb613p-28, 0x1.26b559aa3fd2ap-29, -0x1.8389789920a95p-31, 0x1.60c88f40a3e2fp-33,
    -0x1.d003b3a71648ap-35, 0x1.93aa2b9a72ceep-35, -0x1.0985b45fe50ecp-36};

template <class Number>
HWY_INLINE Number gamma_ratio(double const (&of)[coefficients], Number n) {
  auto const z = (400.0 / n - 101.0) / 99.0;
  auto sum = set<Number>(of[coefficients - 1]);
  for (std::size_t k = coefficients - 1; k-- > 0;) sum = fma(sum, z, of[k]);
  return sum;
}
/// Returns the cube root. The error of power() increases with the logarithm of x. One Newton step corrects it.
template <class Number>
HWY_INLINE Number cube_root(Number x) {
  auto const y = power(x, set<Number>(1.0 / 3));
  return y - (y * y * y - x) / (3.0 * y * y);
}
/// Returns the radius of the ball with the same volume V as the body: (3V / 4 pi)^(1/3).
template <class Number>
HWY_INLINE Number volume_radius(Shape<Number> const& shape) {
  constexpr double six_over_pi = 0x1.e8ec8a4aeacc4p+0;
  auto const& a = shape.semi_axes;
  // Takes the root of each semi-axis separately, because the product of the semi-axes could underflow.
  auto const ratios = six_over_pi * gamma_ratio(flat_ratio, shape.n2) * gamma_ratio(tall_ratio, shape.n1);
  return cube_root(ratios) * (cube_root(a.x) * cube_root(a.y) * cube_root(a.z));
}

template <class Number>
struct Row {
  Number a, b, c, d, right;
};
template <class Number>
HWY_INLINE void swap_if(Mask<Number> mask, Row<Number>& x, Row<Number>& y) {
  auto const exchange = [&mask](Number& p, Number& q) HWY_ATTR {
    auto const first = select(mask, q, p);
    q = select(mask, p, q);
    p = first;
  };
  exchange(x.a, y.a);
  exchange(x.b, y.b);
  exchange(x.c, y.c);
  exchange(x.d, y.d);
  exchange(x.right, y.right);
}
/// Returns the first three unknowns of four linear equations, by elimination with pivoting.
template <class Number>
HWY_INLINE Triple<Number> solved(Row<Number> (&r)[4]) {
  for (int k = 1; k < 4; ++k) swap_if<Number>(abs(r[0].a) < abs(r[k].a), r[0], r[k]);
  for (int k = 1; k < 4; ++k) {
    auto const f = r[k].a / r[0].a;
    r[k].b = subtract_product(r[k].b, f, r[0].b);
    r[k].c = subtract_product(r[k].c, f, r[0].c);
    r[k].d = subtract_product(r[k].d, f, r[0].d);
    r[k].right = subtract_product(r[k].right, f, r[0].right);
  }
  for (int k = 2; k < 4; ++k) swap_if<Number>(abs(r[1].b) < abs(r[k].b), r[1], r[k]);
  for (int k = 2; k < 4; ++k) {
    auto const f = r[k].b / r[1].b;
    r[k].c = subtract_product(r[k].c, f, r[1].c);
    r[k].d = subtract_product(r[k].d, f, r[1].d);
    r[k].right = subtract_product(r[k].right, f, r[1].right);
  }
  swap_if<Number>(abs(r[2].c) < abs(r[3].c), r[2], r[3]);
  auto const f = r[3].c / r[2].c;
  r[3].d = subtract_product(r[3].d, f, r[2].d);
  r[3].right = subtract_product(r[3].right, f, r[2].right);
  auto const d = r[3].right / r[3].d;
  auto const c = subtract_product(r[2].right, r[2].d, d) / r[2].c;
  auto const b = subtract_product(subtract_product(r[1].right, r[1].d, d), r[1].c, c) / r[1].b;
  auto const a =
      subtract_product(subtract_product(subtract_product(r[0].right, r[0].d, d), r[0].c, c), r[0].b, b) / r[0].a;
  return {a, b, c};
}

template <class Number>
struct Derivatives {
  Triple<Number> g;
  Matrix<Number> H;
};
template <class Number>
HWY_INLINE Derivatives<Number> derivatives(Placed<Number> const& of) {
  auto const at = body::gauge(of.shape, of.local);
  auto const H = body::hessian(of.shape, at, of.local);
  Derivatives<Number> result;
  result.g = apply(of.R, body::gradient(of.shape, at, of.local));
  result.H = {apply(of.R, apply(H, of.R.x)), apply(of.R, apply(H, of.R.y)), apply(of.R, apply(H, of.R.z))};
  return result;
}

/// Returns the velocity of the point at which the gradients stay opposite and the gauges stay equal. If the equations
/// are singular, returns the mean velocity of both bodies, weighted by the lengths of the gradients.
template <class Number>
HWY_INLINE Triple<Number> contact_velocity(Placed<Number> const& i, Placed<Number> const& j) {
  auto const of_i = derivatives(i);
  auto const of_j = derivatives(j);
  auto const gi = sqrt(dot(of_i.g, of_i.g));
  auto const gj = sqrt(dot(of_j.g, of_j.g));
  auto const mu = gi / gj;
  auto const right_i = apply(of_i.H, i.w) - plain_cross(i.spin, of_i.g);
  auto const right = fma(mu, apply(of_j.H, j.w) - plain_cross(j.spin, of_j.g), right_i);
  auto const e = of_i.g - of_j.g;
  auto const row = [&](Triple<Number> const& Hi, Triple<Number> const& Hj, Number g, Number rhs) HWY_ATTR {
    auto const W = fma(mu, Hj, Hi);
    return Row<Number>{W.x, W.y, W.z, g, rhs};
  };
  Row<Number> rows[4] = {row(of_i.H.x, of_j.H.x, of_j.g.x, right.x),
                         row(of_i.H.y, of_j.H.y, of_j.g.y, right.y),
                         row(of_i.H.z, of_j.H.z, of_j.g.z, right.z),
                         {e.x, e.y, e.z, set<Number>(0.0), dot(of_i.g, i.w) - dot(of_j.g, j.w)}};
  auto const x = solved(rows);
  auto const share = gj / (gi + gj);
  auto const mean = fma(share, i.w - j.w, j.w);
  // x - x is NaN if x is not finite.
  auto const finite = both(both(x.x - x.x == 0.0, x.y - x.y == 0.0), x.z - x.z == 0.0);
  return select(finite, x, mean);
}

constexpr std::size_t columns_of_body = 18;

template <class Number>
HWY_INLINE void kinematics(LoadColumn<Number> const& load, StoreColumn<Number> const& put) {
  auto const triple = [&](std::size_t k) HWY_ATTR { return Triple<Number>{load(k), load(k + 1), load(k + 2)}; };
  auto const body_at = [&](std::size_t k) HWY_ATTR {
    return Body<Number>{triple(k),     load(k + 3),  load(k + 4),  load(k + 5),    load(k + 6),
                        triple(k + 7), load(k + 10), load(k + 11), triple(k + 12), triple(k + 15)};
  };
  constexpr std::size_t rest = 2 * columns_of_body;
  auto const given_i = body_at(0);
  auto const given_j = body_at(columns_of_body);
  auto const point = triple(rest);
  auto const normal = triple(rest + 3);
  auto const dt = load(rest + 7);
  auto const limit = load(rest + 8);
  auto const gaussian = 0.5 < load(rest + 9);

  auto const unit = power_of_two(maximum(largest(given_i.semi_axes), largest(given_j.semi_axes)));
  auto const factor = inverse(unit);
  auto const i = placed(given_i, point, factor, unit);
  auto const j = placed(given_j, point, factor, unit);
  auto const m = twice_inverse(power_of_two(largest(normal))) * normal;
  auto const n = (1.0 / sqrt(dot(m, m))) * m;

  auto const relative = i.w - j.w;
  auto const vn = dot(relative, n);
  put(0, vn);
  auto const vt = subtract_product(relative, vn, n);
  put(1, vt.x);
  put(2, vt.y);
  put(3, vt.z);
  auto const moved = fma(dt, contact_velocity(i, j), point);
  put(4, moved.x);
  put(5, moved.y);
  put(6, moved.z);

  auto const Ri = volume_radius(i.shape);
  auto const Rj = volume_radius(j.shape);
  auto radius = Ri * Rj / (Ri + Rj);
  auto const limited = 0.0 < limit;
  if (!none(limited)) {
    auto const zero = set<Number>(0.0);
    Triple<Number> const back = {zero - n.x, zero - n.y, zero - n.z};
    auto const K = curvature(i.shape, exit_point(i, back), gaussian) + curvature(j.shape, exit_point(j, n), gaussian);
    auto const most = limit * radius;
    radius = select(limited, most / maximum(most * K, 1.0), radius);
  }
  put(7, unit * radius);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<2 * columns_of_body + 10, 8, kinematics<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<kinematics<double>>>(n, in, out);
}

#endif

}  // namespace demeter::superquadric_kinematics::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::superquadric_kinematics::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::superquadric_kinematics::fast

#endif
