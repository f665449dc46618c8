// Mutants of nscd_contact_update. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/nscd_contact_update.hpp"

namespace demeter::nscd_contact_update::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"normal_from_i", "the normal points from i to j", "a direction that is not documented"},
    {"x_alone", "the normal velocity is the velocity along x", "a missing term"},
    {"j_at_rest", "body j is treated as resting", "right only for walls"},
    {"velocities_added", "v_i + v_j instead of v_i - v_j", "a wrong sign"},
    {"no_clamp", "separating bodies are pulled together", "missing max(0, ...)"},
    {"clamp_at_approach", "an approach that does not close the gap is accelerated", "the wrong test"},
    {"overlap_repaired", "an overlap is removed", "missing max(0, d)"},
    {"gap_ignored", "the gap is ignored", "a missing term"},
    {"gap_without_step", "d instead of d/dt", "a missing factor"},
    {"gap_times_step", "d dt instead of d/dt", "an inverted factor"},
    {"gap_halved", "the gap is halved", "a wrong factor"},
    {"gap_of_its_size", "an overlap is treated as a gap", "|d| instead of max(0, d)"},
    {"sign_of_gap", "the gap has the wrong sign", "a wrong sign"},
    {"own_mass_share", "the share of a body is its own mass over the sum", "exchanged masses"},
    {"equal_shares", "each body gets half of the correction", "right only for equal masses"},
    {"whole_to_both", "each body gets the whole correction", "a missing W"},
    {"reduced_mass", "W m^2 instead of W m", "a factor applied twice"},
    {"masses_added_in_float", "the sum of the masses is rounded to float", "single precision storage"},
    {"infinite_is_1e30", "a wall has a mass of 1e30 kg", "\"infinity\" stored as a large number"},
    {"infinite_i_forgotten", "a wall that is body i has the mass of j", "a missing case"},
    {"infinite_j_forgotten", "a wall that is body j has the mass of i", "a missing case"},
    {"wall_stops", "a wall in contact stops", "right only for walls at rest"},
    {"i_alone", "body j keeps its velocity", "only one of two bodies used"},
    {"j_alone", "body i keeps its velocity", "only one of two bodies used"},
    {"j_pushed_too", "body j is pushed in the direction of i", "a wrong sign"},
    {"normal_of_correction", "x and y of the normal are exchanged", "exchanged indices"},
    {"rebound", "the contact is elastic", "restitution"},
    {"restitution_of_half", "the contact has a restitution of 1/2", "restitution"},
    {"whole_velocity_stopped", "the whole approach is stopped for any gap", "a missing term"},
    {"normal_velocity_after", "the normal velocity after the update is returned", "values before and after exchanged"},
    {"correction_of_i", "the correction is the change of body i only", "a wrong factor"},
    {"slow_is_rest", "normal velocities below 1 nm/s count as 0", "absolute thresholds"},
    {"small_gap_is_none", "gaps below 1 nm count as 0", "absolute thresholds"},
    {"near_gap_is_none", "gaps below 1 pm count as 0", "absolute thresholds"},
    {"nearly_meeting", "a correction below 1e-9 of the approach counts as 0", "a tolerance around a threshold"},
    {"nearly_touching", "a gap below 1e-10 of the approach per step counts as 0", "a tolerance around a threshold"},
    {"nearly_touching_overlaps", "an overlap below 1e-9 of the approach per step is treated as a gap",
     "a tolerance around a threshold"},
    {"nearly_grazing", "a normal velocity below 1e-9 of the relative velocity counts as 0",
     "a tolerance around a threshold"},
    {"unit_by_first_component", "n_y is computed from n_x", "a normal that is changed before use"},
};
using Chosen = Choice<defects>;

inline Answer evaluate(Case const& in, Chosen const with) {
  auto const narrowed = [](Real x) { return static_cast<Real>(static_cast<float>(x)); };
  Real ix = in.velocity_i[0], iy = in.velocity_i[1], jx = in.velocity_j[0], jy = in.velocity_j[1];
  Real nx = in.normal[0], ny = in.normal[1], gap = in.gap;
  Real const dt = in.dt;
  if (with("normal_from_i")) nx = -nx, ny = -ny;
  if (with("unit_by_first_component")) ny = std::copysign(std::sqrt(std::max(1 - nx * nx, Real(0))), ny);
  if (with("j_at_rest")) jx = jy = 0;
  Real vn = (ix - jx) * nx + (iy - jy) * ny;
  if (with("x_alone")) vn = (ix - jx) * nx;
  if (with("velocities_added")) vn = (ix + jx) * nx + (iy + jy) * ny;
  if (with("j_at_rest")) jx = in.velocity_j[0], jy = in.velocity_j[1];
  if (with("slow_is_rest") && std::fabs(vn) < 1e-9L) vn = 0;
  if (with("small_gap_is_none") && gap < 1e-9L) gap = 0;
  if (with("near_gap_is_none") && gap < 1e-12L) gap = 0;
  Real const slip = std::hypot(ix - jx, iy - jy);
  if (with("nearly_grazing") && std::fabs(vn) < 1e-9L * slip) vn = 0;
  if (with("nearly_touching") && std::fabs(gap) < 1e-10L * slip * dt) gap = 0;
  if (with("nearly_touching_overlaps") && std::fabs(gap) < 1e-9L * slip * dt) gap = std::fabs(gap);
  Real b = gap > 0 ? gap / dt : 0;
  if (with("overlap_repaired")) b = gap / dt;
  if (with("gap_ignored")) b = 0;
  if (with("gap_without_step")) b = std::max(gap, Real(0));
  if (with("gap_times_step")) b = std::max(gap, Real(0)) * dt;
  if (with("gap_halved")) b /= 2;
  if (with("gap_of_its_size")) b = std::fabs(gap) / dt;
  if (with("sign_of_gap")) b = -b;
  Real D = std::max(-vn - b, Real(0));
  if (with("nearly_meeting") && D < 1e-9L * std::fabs(vn)) D = 0;
  if (with("no_clamp")) D = -vn - b;
  if (with("clamp_at_approach")) D = vn < 0 ? -vn - b : 0;
  if (with("rebound")) D *= 2;
  if (with("restitution_of_half")) D *= 1.5L;
  if (with("whole_velocity_stopped")) D = vn < 0 ? -vn : 0;
  bool const wall_i = is_infinite(in.mass_i) && !with("infinite_i_forgotten"),
             wall_j = is_infinite(in.mass_j) && !with("infinite_j_forgotten");
  Real mi = in.mass_i, mj = in.mass_j;
  if (is_infinite(in.mass_i) && with("infinite_i_forgotten")) mi = mj;
  if (is_infinite(in.mass_j) && with("infinite_j_forgotten")) mj = mi;
  Real share_i = wall_i ? 0 : wall_j ? 1 : mj / (mi + mj), share_j = wall_j ? 0 : wall_i ? 1 : mi / (mi + mj);
  if (with("infinite_is_1e30")) {
    if (wall_i) mi = 1e30L;
    if (wall_j) mj = 1e30L;
    share_i = mj / (mi + mj);
    share_j = mi / (mi + mj);
  }
  if (with("own_mass_share") && !wall_i && !wall_j) std::swap(share_i, share_j);
  if (with("equal_shares") && !wall_i && !wall_j) share_i = share_j = 0.5L;
  if (with("whole_to_both")) share_i = wall_i ? 0 : 1, share_j = wall_j ? 0 : 1;
  if (with("reduced_mass") && !wall_i && !wall_j)
    share_i = mi * mj / (mi + mj) / mi / mi, share_j = mi * mj / (mi + mj) / mj / mj;
  if (with("masses_added_in_float") && !wall_i && !wall_j) {
    Real const both = narrowed(mi + mj);
    share_i = mj / both;
    share_j = mi / both;
  }
  if (with("i_alone")) share_j = 0;
  if (with("j_alone")) share_i = 0;
  if (with("j_pushed_too")) share_j = -share_j;
  Real const shown = with("correction_of_i") ? D * share_i : D;
  if (with("normal_of_correction")) {
    Real const swapped = nx;
    nx = ny;
    ny = swapped;
  }
  Real oix = ix + D * share_i * nx, oiy = iy + D * share_i * ny, ojx = jx - D * share_j * nx,
       ojy = jy - D * share_j * ny;
  if (with("wall_stops")) {
    if (wall_i && D > 0) oix = oiy = 0;
    if (wall_j && D > 0) ojx = ojy = 0;
  }
  Answer out{static_cast<double>(vn),
             static_cast<double>(shown),
             {static_cast<double>(oix), static_cast<double>(oiy)},
             {static_cast<double>(ojx), static_cast<double>(ojy)}};
  if (with("normal_velocity_after")) out.normal_velocity = static_cast<double>(vn + D);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "velocity_i normal",
                                .shared_by_four = "dt",
                                .as_float = "correction",
                                .negated = "correction",
                                .just_over = "normal_velocity correction velocity_i"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::nscd_contact_update::mutants
