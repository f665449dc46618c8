#include "fast/wall_capsule_contact.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/wall_capsule_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::wall_capsule_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp. keep() and blend() avoid branches: the axis and the status of a capsule are random, and branches
// would often be mispredicted.

template <class Number>
struct Capsule {
  Number wall, axis, sense;
  Triple<Number> centre, half;
  Number radius;
};

template <class Number>
struct Contact {
  Number uN;
  Triple<Number> normal, point;
  Number status;
};

/// Returns the contact of a capsule with a wall.
///
/// Let t = radius - sense (centre - wall) be the depth of the centre, and h the component of half along the wall's
/// axis. The gaps of the ends are -t -+ sense h, and the smallest gap is -(t + |h|). Both ends overlap if |h| < t.
/// Parallel to the wall, the contact point is then at centre + lambda half. Here lambda = (a1 - a0)/(a0 + a1) is
/// -sense h/t, and a0 and a1 are the overlaps of the ends.
///
/// t includes the rounding errors of its two sums. Without them, a capsule that lies flat and barely touches would get
/// an arbitrary point along its axis.
template <class Number>
HWY_INLINE Contact<Number> contact(Capsule<Number> const& in) {
  auto const is_x = in.axis == 0.0;
  auto const is_y = in.axis == 1.0;
  auto const is_z = in.axis == 2.0;
  // On AVX2 a blend costs twice as much as an AND. This sum is exact too, because two of its three terms are 0.
  auto const along = [&](Triple<Number> const& a)
                         HWY_ATTR { return (keep(is_x, a.x) + keep(is_y, a.y)) + keep(is_z, a.z); };
  auto const half = along(in.half);

  // Numbers so large that their sums could overflow are multiplied by 1/4. Numbers that underflow by this factor are
  // below all rounding errors.
  auto const size = maximum(maximum(abs(in.wall), abs(along(in.centre))), maximum(abs(half), in.radius));
  auto const large = 0x1p1020 < size;
  auto const factor = blend(large, 0.25, 1.0);
  auto const unit = blend(large, 4.0, 1.0);
  auto const wall = in.wall * factor;
  auto const reach = abs(half) * factor;

  auto const from_wall = exact_sum(along(in.centre) * factor, 0.0 - wall);
  auto const sum = exact_sum(in.radius * factor, 0.0 - in.sense * from_wall.high);
  auto const depth = exact_sum(sum.high, sum.low - in.sense * from_wall.low);
  auto const deepest = exact_sum(depth.high, reach);
  auto const uN = 0.0 - (deepest.high + (deepest.low + depth.low));

  auto const both_ends = reach < depth.high;
  auto const overlapping = uN < 0.0;
  // The nearer end is chosen by the sign of `half` itself, because `half` times `factor` may be 0.
  auto const rise = in.sense * half;
  auto const share = blend(both_ends, reach / depth.high, 1.0);
  auto const lambda = keep(half != 0.0, with_opposite_sign(share, rise));

  auto const middle = fma(0.5 * in.sense, uN, wall);
  auto const height = middle * unit;
  auto const beside = [&](Number centre, Number half_) HWY_ATTR { return fma(lambda, half_, centre); };
  Contact<Number> result;
  result.uN = uN * unit;
  result.normal.x = keep(is_x, in.sense);
  result.normal.y = keep(is_y, in.sense);
  result.normal.z = keep(is_z, in.sense);
  result.point.x = blend(is_x, height, beside(in.centre.x, in.half.x));
  result.point.y = blend(is_y, height, beside(in.centre.y, in.half.y));
  result.point.z = blend(is_z, height, beside(in.centre.z, in.half.z));
  // 0: separated, 1: one end overlaps, 2: both ends overlap.
  result.status = keep(overlapping, set<Number>(1.0)) + keep(both_ends, set<Number>(1.0));
  return result;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Capsule, contact<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Capsule, contact<double>>>(n, in, out);
}

#endif

}  // namespace demeter::wall_capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::wall_capsule_contact::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::wall_capsule_contact::fast

#endif
