#include "fast/superquadric_shape.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_shape.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/superquadric/gauge.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric_shape::fast::HWY_NAMESPACE {

using namespace demeter::superquadric::fast::HWY_NAMESPACE;

template <class Number>
struct Place {
  Triple<Number> semi_axes;
  Number n1, n2;
  Triple<Number> point;
};

template <class Number>
struct Bending {
  Number value, gauge;
  Triple<Number> gradient;
  Number has_hessian;
  Symmetric<Number> hessian;
  Number has_mean, mean, has_gaussian, gaussian;
};

/// Computes both curvatures in closed forms without subtraction, because the textbook formulas lose digits. In the mean
/// curvature, the term of N_rr in the x, y plane cancels exactly after the Hessian is written out. The other terms are
/// collected with s^n2 + t^n2 = 1 and r^n1 + z^n1 = 1. Lengths are in units of the smallest semi-axis. Products of six
/// lengths then stay in the range of doubles.
template <class Number>
HWY_INLINE void bend(Shape<Number> const& shape, Gauge<Number> const& g, Bending<Number>& result) {
  auto const &r = g.r, &z = g.z, &s = g.s, &t = g.t;
  auto const unit = minimum(minimum(shape.semi_axes.x, shape.semi_axes.y), shape.semi_axes.z);
  auto const a = unit / shape.semi_axes.x, b = unit / shape.semi_axes.y, c = unit / shape.semi_axes.z;
  auto const m1 = shape.n1 - 1.0, m2 = shape.n2 - 1.0;

  auto const g_x = r.one_less * s.one_less * a, g_y = r.one_less * t.one_less * b, g_z = z.one_less * c;
  auto const square = fma(g_z, g_z, fma(g_y, g_y, g_x * g_x));
  auto const beside = m1 * z.two_less, above = m2 * (z.one_less * z.one_less);
  auto const across_x = fma(beside * s.one_less, s.one_less, above * s.two_less * t.whole) * (a * a);
  auto const across_y = fma(beside * t.one_less, t.one_less, above * t.two_less * s.whole) * (b * b);
  auto const flat = s.two_less * t.two_less;
  auto const ab = a * b * r.one_less;
  auto const sum = r.two_less * fma(m2 * flat * ab, ab, (across_x + across_y) * (c * c));
  result.mean = nothing_if_tiny(0.5 * sum / (square * sqrt(square))) / unit;

  auto const share = a * b * c * r.two_less / square;
  result.gaussian = nothing_if_tiny((m1 * m2) * (z.two_less * flat) * share * share) / (unit * unit);
}

template <class Number>
HWY_INLINE Bending<Number> bending(Place<Number> const& in) {
  Shape<Number> shape;
  shape.semi_axes = in.semi_axes;
  shape.n1 = in.n1;
  shape.n2 = in.n2;
  Gauge<Number> const g = superquadric::fast::HWY_NAMESPACE::gauge(shape, in.point);
  Bending<Number> result;
  result.value = power(g.N, in.n1) - 1.0;
  result.gauge = g.N;
  result.gradient = gradient(shape, g, in.point);
  auto const none = has_no_hessian(shape, in.point);
  result.has_hessian = select(none, set<Number>(0.0), set<Number>(1.0));
  result.has_mean = result.has_hessian;
  result.has_gaussian = result.has_hessian;
  result.hessian = hessian(shape, g, in.point);
  bend(shape, g, result);
  auto const there = result.has_hessian == 1.0;
  for (Number* entry : {&result.hessian.xx, &result.hessian.yy, &result.hessian.zz, &result.hessian.xy,
                        &result.hessian.xz, &result.hessian.yz, &result.mean, &result.gaussian})
    *entry = zero_unless(there, *entry);
  return result;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Place, bending<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Place, bending<double>>>(n, in, out);
}

#endif

}  // namespace demeter::superquadric_shape::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::superquadric_shape::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::superquadric_shape::fast

#endif
