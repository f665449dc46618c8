#include "fast/nscd_contact_update.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/nscd_contact_update.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::nscd_contact_update::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a vector of doubles, or one double. See fast/core/lanes.hpp for the words.

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
  // Masses are 1e-60 to 1e60, or infinite: their inverses neither overflow nor vanish, and that of a wall is 0 without
  // a branch. One division fewer than of the other mass over both, for each body, as 1/(1 + m/m').
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

constexpr std::size_t columns_in = 10, columns_out = 6;

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  auto const solve = [](double const* const* from, double* const* to, std::size_t j)
                         HWY_ATTR { store_columns(update(load_columns<Register, Contact>(from, j)), to, j); };
  for_each_vector<columns_in, columns_out>(n, in, out, solve);
}

#endif

#if HWY_ONCE

HWY_INLINE void answer_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) store_columns(update(load_columns<double, Contact>(in, i)), out, i);
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<answer_rows>(n, in, out);
}

#endif

}  // namespace demeter::nscd_contact_update::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::nscd_contact_update::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  Output<double> out;
  double const* const from[] = {
      &in.mass_i,        &in.mass_j,    &in.velocity_i[0], &in.velocity_i[1], &in.velocity_j[0],
      &in.velocity_j[1], &in.normal[0], &in.normal[1],     &in.gap,           &in.dt};
  double* const to[] = {&out.normal_velocity, &out.correction,    &out.velocity_i[0],
                        &out.velocity_i[1],   &out.velocity_j[0], &out.velocity_j[1]};
  HWY_NAMESPACE::evaluate_rows(1, from, to);
  return out;
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::nscd_contact_update::fast

#endif
