#include "fast/nscd_contact_update.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/nscd_contact_update.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::nscd_contact_update::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp.

template <class Number>
struct Contact {
  Number mass_i, mass_j, velocity_ix, velocity_iy, velocity_jx, velocity_jy, normal_x, normal_y, gap, dt;
};

template <class Number>
struct Answer {
  Number normal_velocity, correction, velocity_ix, velocity_iy, velocity_jx, velocity_jy;
};

template <class Number>
HWY_INLINE Answer<Number> update(Contact<Number> const& in) {
  auto const zero = set<Number>(0.0);
  auto const one = set<Number>(1.0);
  Answer<Number> out;
  out.normal_velocity =
      fma(in.velocity_iy - in.velocity_jy, in.normal_y, (in.velocity_ix - in.velocity_jx) * in.normal_x);
  auto const meeting = maximum(in.gap, zero) / in.dt;
  out.correction = maximum(zero - (out.normal_velocity + meeting), zero);
  // Masses are 1e-60 to 1e60, or infinite for a wall. The inverse of a finite mass neither overflows nor becomes 0. The
  // inverse for a wall is 0 without a branch. Computing the shares as 1/(1 + m/m') would take one more division per
  // body.
  auto const inverse_i = one / in.mass_i, inverse_j = one / in.mass_j;
  auto const impulse = out.correction / (inverse_i + inverse_j);
  auto const of_i = impulse * inverse_i, of_j = impulse * inverse_j;
  out.velocity_ix = fma(of_i, in.normal_x, in.velocity_ix);
  out.velocity_iy = fma(of_i, in.normal_y, in.velocity_iy);
  out.velocity_jx = fma(zero - of_j, in.normal_x, in.velocity_jx);
  out.velocity_jy = fma(zero - of_j, in.normal_y, in.velocity_jy);
  return out;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Contact, update<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Contact, update<double>>>(n, in, out);
}

#endif

}  // namespace demeter::nscd_contact_update::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::nscd_contact_update::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::nscd_contact_update::fast

#endif
