#include "fast/disc_disc_contact.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/disc_disc_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::disc_disc_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp.

template <class Number>
struct Pair {
  Number centre_ix, centre_iy, radius_i, centre_jx, centre_jy, radius_j, alert;
};

template <class Number>
struct Answer {
  Number gap, has_normal, normal_x, normal_y, present;
};

template <class Number>
HWY_INLINE Answer<Number> contact(Pair<Number> const& in) {
  auto const one = set<Number>(1.0);
  auto const x = in.centre_ix - in.centre_jx;
  auto const y = in.centre_iy - in.centre_jy;
  auto const distance = sqrt(fma(y, y, x * x));
  Answer<Number> out;
  out.gap = distance - (in.radius_i + in.radius_j);
  auto const apart = 0.0 < distance;
  // If the centres are equal, there is no normal, and its columns must contain 0. Here 0/1 gives 0.
  auto const over = one / blend(apart, distance, one);
  out.has_normal = keep(apart, one);
  out.normal_x = x * over;
  out.normal_y = y * over;
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

}  // namespace demeter::disc_disc_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::disc_disc_contact::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::disc_disc_contact::fast

#endif
