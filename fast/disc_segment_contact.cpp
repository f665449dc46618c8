#include "fast/disc_segment_contact.hpp"

#include "fast/core/exact_sum.hpp"
#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/disc_segment_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

namespace demeter::disc_segment_contact::fast {

/// Returns t x (c - p0) for t = p1 - p0, with a relative error of 2^-52. The sign of the result is the side of the line
/// on which c lies. The result is 0 only if c is on the line.
double exact_area(double cx, double cy, double p0x, double p0y, double p1x, double p1y);

}  // namespace demeter::disc_segment_contact::fast

HWY_BEFORE_NAMESPACE();
namespace demeter::disc_segment_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp.

template <class Number>
struct Pair {
  Number centre_x, centre_y, radius, p0x, p0y, p1x, p1y, alert;
};

template <class Number>
struct Answer {
  Number gap, has_normal, normal_x, normal_y, feature, present;
};

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

HWY_NOINLINE Register exact_areas(Pair<Register> const& in) {
  HWY_ALIGN double columns[6][width], areas[width];
  store(in.centre_x, columns[0]);
  store(in.centre_y, columns[1]);
  store(in.p0x, columns[2]);
  store(in.p0y, columns[3]);
  store(in.p1x, columns[4]);
  store(in.p1y, columns[5]);
  for (std::size_t i = 0; i < width; ++i)
    areas[i] = exact_area(columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i], columns[5][i]);
  return load(areas);
}

#endif

#if HWY_ONCE

HWY_NOINLINE double exact_areas(Pair<double> const& in) {
  return exact_area(in.centre_x, in.centre_y, in.p0x, in.p0y, in.p1x, in.p1y);
}

#endif

template <class Number>
HWY_INLINE Answer<Number> contact(Pair<Number> const& in) {
  auto const zero = set<Number>(0.0), one = set<Number>(1.0);
  auto const tx = in.p1x - in.p0x, ty = in.p1y - in.p0y;
  auto const sx = in.centre_x - in.p0x, sy = in.centre_y - in.p0y;
  auto const qx = in.centre_x - in.p1x, qy = in.centre_y - in.p1y;
  auto const after0 = 0.0 < fma(sy, ty, sx * tx);
  auto const before1 = fma(qy, ty, qx * tx) < 0.0;
  auto const inside = both(after0, before1);

  // w is the vector from the nearer end of the segment to the centre. From this end its rounding error is smaller,
  // because the error of a coordinate difference is proportional to its size.
  auto const ss = fma(sy, sy, sx * sx), qq = fma(qy, qy, qx * qx);
  auto const second = both(after0, select(before1, qq, set<Number>(-1.0)) < ss);
  auto const wx = blend(second, qx, sx), wy = blend(second, qy, sy), ww = blend(second, qq, ss);

  // The factors are rounded differences, which changes each of the two products by 2 u of itself. product_difference()
  // adds 1.5 u of the area. If the side of the centre is in doubt, the area is computed exactly.
  auto area = product_difference(tx, wy, ty, wx);
  auto const doubt = select(inside, 0x1p-51 * (abs(tx * wy) + abs(ty * wx)), set<Number>(-1.0));
  auto const sure = doubt < abs(area);
  if (HWY_UNLIKELY(!all(sure))) area = select(sure, area, exact_areas(in));

  auto const size = abs(area);
  auto const length = sqrt(select(inside, fma(ty, ty, tx * tx), ww));
  auto const there = 0.0 < select(inside, size, ww);
  // If the centre is on an end, there is no normal, and its columns must contain 0. Here 0/1 gives 0.
  auto const over = one / select(0.0 < length, length, one);
  auto const turned = zero_unless(there, blend(both(inside, area < 0.0), zero - over, over));
  Answer<Number> out;
  out.gap = select(inside, size * over, length) - in.radius;
  out.has_normal = zero_unless(there, one);
  out.normal_x = select(inside, zero - ty, wx) * turned;
  out.normal_y = select(inside, tx, wy) * turned;
  out.feature = select(after0, select(before1, zero, set<Number>(2.0)), one);
  out.present = keep(out.gap < in.alert, one);
  return out;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Pair, contact<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Pair, contact<double>>>(n, in, out);
}

#endif

}  // namespace demeter::disc_segment_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::disc_segment_contact::fast {

double exact_area(double cx, double cy, double p0x, double p0y, double p1x, double p1y) {
  // (p1x - p0x)(cy - p0y) - (p1y - p0y)(cx - p0x); the terms p0x p0y cancel.
  fast_core::ExactSum area;
  area.add(1, p1x, cy);
  area.add(-1, p1x, p0y);
  area.add(-1, p0x, cy);
  area.add(-1, p1y, cx);
  area.add(1, p1y, p0x);
  area.add(1, p0y, cx);
  return area.value();
}

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::disc_segment_contact::fast

#endif
