// Wrong updates of a contact, each one change away from `right()`.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/nscd_contact_update.hpp"
#include "mutants/core/batches.hpp"

namespace demeter::nscd_contact_update::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

enum class Defect {
  none,
  normal_from_i,
  x_alone,
  j_at_rest,
  velocities_added,
  no_clamp,
  clamp_at_approach,
  overlap_repaired,
  gap_ignored,
  gap_without_step,
  gap_times_step,
  gap_halved,
  gap_of_its_size,
  sign_of_gap,
  own_mass_share,
  equal_shares,
  whole_to_both,
  reduced_mass,
  masses_added_in_float,
  infinite_is_1e30,
  infinite_i_forgotten,
  infinite_j_forgotten,
  wall_stops,
  i_alone,
  j_alone,
  j_pushed_too,
  normal_of_correction,
  rebound,
  restitution_of_half,
  whole_velocity_stopped,
  correction_signed,
  normal_velocity_after,
  correction_of_i,
  slow_is_rest,
  small_gap_is_none,
  near_gap_is_none,
  float_velocities,
  float_normal,
  float_correction,
  unit_by_first_component,
  velocity_just_over,
  correction_just_over,
  normal_velocity_just_over,
};

inline Answer evaluate(Case const& in, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  auto const narrowed = [](Real x) { return static_cast<Real>(static_cast<float>(x)); };
  Real ix = in.velocity_i[0], iy = in.velocity_i[1], jx = in.velocity_j[0], jy = in.velocity_j[1];
  Real nx = in.normal[0], ny = in.normal[1], gap = in.gap;
  Real const dt = in.dt;
  if (with(normal_from_i)) nx = -nx, ny = -ny;
  if (with(float_velocities)) ix = narrowed(ix), iy = narrowed(iy);
  if (with(float_normal)) nx = narrowed(nx), ny = narrowed(ny);
  if (with(unit_by_first_component)) ny = std::copysign(std::sqrt(std::max(1 - nx * nx, Real(0))), ny);
  if (with(j_at_rest)) jx = jy = 0;
  Real vn = (ix - jx) * nx + (iy - jy) * ny;
  if (with(x_alone)) vn = (ix - jx) * nx;
  if (with(velocities_added)) vn = (ix + jx) * nx + (iy + jy) * ny;
  if (with(j_at_rest)) jx = in.velocity_j[0], jy = in.velocity_j[1];
  if (with(slow_is_rest) && std::fabs(vn) < 1e-9L) vn = 0;
  if (with(small_gap_is_none) && gap < 1e-9L) gap = 0;
  if (with(near_gap_is_none) && gap < 1e-12L) gap = 0;
  Real b = gap > 0 ? gap / dt : 0;
  if (with(overlap_repaired)) b = gap / dt;
  if (with(gap_ignored)) b = 0;
  if (with(gap_without_step)) b = std::max(gap, Real(0));
  if (with(gap_times_step)) b = std::max(gap, Real(0)) * dt;
  if (with(gap_halved)) b /= 2;
  if (with(gap_of_its_size)) b = std::fabs(gap) / dt;
  if (with(sign_of_gap)) b = -b;
  Real D = std::max(-vn - b, Real(0));
  if (with(no_clamp)) D = -vn - b;
  if (with(clamp_at_approach)) D = vn < 0 ? -vn - b : 0;
  if (with(rebound)) D *= 2;
  if (with(restitution_of_half)) D *= 1.5L;
  if (with(whole_velocity_stopped)) D = vn < 0 ? -vn : 0;
  if (with(float_correction)) D = narrowed(D);
  bool const wall_i = is_infinite(in.mass_i) && !with(infinite_i_forgotten),
             wall_j = is_infinite(in.mass_j) && !with(infinite_j_forgotten);
  Real mi = in.mass_i, mj = in.mass_j;
  if (is_infinite(in.mass_i) && with(infinite_i_forgotten)) mi = mj;
  if (is_infinite(in.mass_j) && with(infinite_j_forgotten)) mj = mi;
  Real share_i = wall_i ? 0 : wall_j ? 1 : mj / (mi + mj), share_j = wall_j ? 0 : wall_i ? 1 : mi / (mi + mj);
  if (with(infinite_is_1e30)) {
    if (wall_i) mi = 1e30L;
    if (wall_j) mj = 1e30L;
    share_i = mj / (mi + mj);
    share_j = mi / (mi + mj);
  }
  if (with(own_mass_share) && !wall_i && !wall_j) std::swap(share_i, share_j);
  if (with(equal_shares) && !wall_i && !wall_j) share_i = share_j = 0.5L;
  if (with(whole_to_both)) share_i = wall_i ? 0 : 1, share_j = wall_j ? 0 : 1;
  if (with(reduced_mass) && !wall_i && !wall_j)
    share_i = mi * mj / (mi + mj) / mi / mi, share_j = mi * mj / (mi + mj) / mj / mj;
  if (with(masses_added_in_float) && !wall_i && !wall_j) {
    Real const both = narrowed(mi + mj);
    share_i = mj / both;
    share_j = mi / both;
  }
  if (with(i_alone)) share_j = 0;
  if (with(j_alone)) share_i = 0;
  if (with(j_pushed_too)) share_j = -share_j;
  Real const shown = with(correction_signed) ? -D : with(correction_of_i) ? D * share_i : D;
  if (with(normal_of_correction)) {
    Real const swapped = nx;
    nx = ny;
    ny = swapped;
  }
  Real oix = ix + D * share_i * nx, oiy = iy + D * share_i * ny, ojx = jx - D * share_j * nx,
       ojy = jy - D * share_j * ny;
  if (with(wall_stops)) {
    if (wall_i && D > 0) oix = oiy = 0;
    if (wall_j && D > 0) ojx = ojy = 0;
  }
  Answer out{static_cast<double>(vn),
             static_cast<double>(shown),
             {static_cast<double>(oix), static_cast<double>(oiy)},
             {static_cast<double>(ojx), static_cast<double>(ojy)}};
  if (with(normal_velocity_after)) out.normal_velocity = static_cast<double>(vn + D);
  auto const scale = Contract::scale(in);
  Real const over = 24 * static_cast<Real>(unit_roundoff);
  if (with(velocity_just_over)) out.velocity_i[0] = static_cast<double>(out.velocity_i[0] + over * scale.velocity_i[0]);
  if (with(correction_just_over) && D > 0)
    out.correction = static_cast<double>(out.correction + over * scale.correction);
  if (with(normal_velocity_just_over))
    out.normal_velocity = static_cast<double>(out.normal_velocity + over * scale.normal_velocity);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, Defect::none); }

/// The last of an odd number is left as it was.
inline void in_pairs(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = i + 1 == in.size() && i % 2 == 0 ? Answer{0, 0, in[i].velocity_i, in[i].velocity_j} : right(in[i]);
}

inline std::span<Mutant<Defect, Case, Answer> const> mutants() {
  using enum Defect;
  static Mutant<Defect, Case, Answer> const list[] = {
      {"normal_from_i", "the normal is taken from i to j", "an unstated direction", normal_from_i},
      {"x_alone", "the normal velocity is that along x", "a term left out", x_alone},
      {"j_at_rest", "body j counts as at rest", "walls alone", j_at_rest},
      {"velocities_added", "v_i + v_j for v_i - v_j", "a sign", velocities_added},
      {"no_clamp", "bodies that separate are pulled together", "max(0, ...) left out", no_clamp},
      {"clamp_at_approach", "an approach that does not close the gap is sped up", "the wrong test", clamp_at_approach},
      {"overlap_repaired", "an overlap is pushed apart", "max(0, d) left out", overlap_repaired},
      {"gap_ignored", "the gap does not count", "a term left out", gap_ignored},
      {"gap_without_step", "d for d/dt", "a factor left out", gap_without_step},
      {"gap_times_step", "d dt for d/dt", "a factor inverted", gap_times_step},
      {"gap_halved", "half of the gap", "a factor", gap_halved},
      {"gap_of_its_size", "an overlap counts as a gap", "|d| for max(0, d)", gap_of_its_size},
      {"sign_of_gap", "a gap brings contacts nearer", "a sign", sign_of_gap},
      {"own_mass_share", "a body's share is its own mass over both", "masses exchanged", own_mass_share},
      {"equal_shares", "both bodies get half", "equal masses alone", equal_shares},
      {"whole_to_both", "either body gets all of it", "W left out", whole_to_both},
      {"reduced_mass", "W m^2 for W m", "a factor twice", reduced_mass},
      {"masses_added_in_float", "the sum of the masses is rounded to float", "single precision storage",
       masses_added_in_float},
      {"infinite_is_1e30", "a wall weighs 1e30 kg", "\"infinity\" as a large number", infinite_is_1e30},
      {"infinite_i_forgotten", "a wall that is body i weighs as much as j", "a case left out", infinite_i_forgotten},
      {"infinite_j_forgotten", "a wall that is body j weighs as much as i", "a case left out", infinite_j_forgotten},
      {"wall_stops", "a wall that was met is at rest", "walls at rest alone", wall_stops},
      {"i_alone", "body j keeps its velocity", "one of two forgotten", i_alone},
      {"j_alone", "body i keeps its velocity", "one of two forgotten", j_alone},
      {"j_pushed_too", "body j is pushed as i is", "a sign", j_pushed_too},
      {"normal_of_correction", "x and y of the normal exchanged", "indices", normal_of_correction},
      {"rebound", "the contact is elastic", "restitution", rebound},
      {"restitution_of_half", "half of the approach comes back", "restitution", restitution_of_half},
      {"whole_velocity_stopped", "the whole approach is stopped, whatever the gap", "a term left out",
       whole_velocity_stopped},
      {"correction_signed", "the correction is negative", "sign of a result", correction_signed},
      {"normal_velocity_after", "the normal velocity after the update is shown", "before and after",
       normal_velocity_after},
      {"correction_of_i", "the correction is that of body i alone", "a factor", correction_of_i},
      {"slow_is_rest", "normal velocities below 1 nm/s are none", "absolute thresholds", slow_is_rest},
      {"small_gap_is_none", "gaps below 1 nm are none", "absolute thresholds", small_gap_is_none},
      {"near_gap_is_none", "gaps below 1 pm are none", "absolute thresholds", near_gap_is_none},
      {"float_velocities", "the velocity of body i is rounded to float", "single precision storage", float_velocities},
      {"float_normal", "the normal is rounded to float", "single precision storage", float_normal},
      {"float_correction", "the correction is rounded to float", "single precision storage", float_correction},
      {"unit_by_first_component", "n_y is made of n_x", "a normal that is not used as it is", unit_by_first_component},
      {"velocity_just_over", "a velocity is off by 24 u of its scale", "a budget without teeth", velocity_just_over,
       nullptr, "24 u are less than 1024"},
      {"correction_just_over", "the correction is off by 24 u of its scale", "a budget without teeth",
       correction_just_over, nullptr, "24 u are less than 1024"},
      {"normal_velocity_just_over", "the normal velocity is off by 24 u of its scale", "a budget without teeth",
       normal_velocity_just_over, nullptr, "24 u are less than 1024"},
      {"step_of_the_vector", "four contacts share the step of the first", "a uniform in SIMD", none,
       field_of_the_first<right, &Case::dt>},
      {"in_pairs", "the last of an odd number is left as it was", "a SIMD loop without its tail", none, in_pairs},
  };
  return list;
}

}  // namespace demeter::nscd_contact_update::mutants
