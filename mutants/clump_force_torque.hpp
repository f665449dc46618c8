// Mutants of clump_force_torque. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/lengths.hpp"
#include "reference/spec/clump_force_torque.hpp"

namespace demeter::clump_force_torque::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Point = Vector3<Real>;

inline constexpr Defect defects[] = {
    {"moment_forgotten", "(x - c) x F is left out", "a missing term"},
    {"member_torque_forgotten", "the torques of the members are left out", "a missing term"},
    {"member_torque_sign", "the torques of the members are subtracted", "sign of a torque"},
    {"member_torque_halved", "the torques of the members are halved", "a torque shared by two bodies"},
    {"cross_product_swapped", "F x (x - c)", "a swapped cross product"},
    {"cross_product_term_missing", "y of the moment lacks a product", "a missing term"},
    {"cross_product_sign", "z of the moment has a plus instead of a minus", "sign of a term"},
    {"cross_product_y_twice", "y Fy instead of z Fy in the moment", "copy and paste (godot#47284)"},
    {"axes_exchanged", "x and y of the moment are exchanged", "newton-physics#486, #505"},
    {"arm_from_origin", "the torque is about the origin", "torque about the wrong point"},
    {"arm_from_mean", "the torque is about the mean position of the members", "torque about the wrong point"},
    {"arm_from_first", "the torque is about the first member", "torque about the wrong point"},
    {"arm_in_float", "arms are rounded to float", "single precision in between"},
    {"arm_normalised", "arms are normalised", "a direction instead of a vector"},
    {"transferred_at_the_end", "the torque about the origin is moved to the centre in double",
     "correct in exact arithmetic, but cancels far from the origin"},
    {"force_z_forgotten", "z of the force is zero", "a 2D code used in 3D"},
    {"torque_in_force", "torques are added to the force too", "copy and paste"},
    {"force_in_double", "forces are summed in plain double", "a naive sum of many terms",
     "a plain sum of up to 1,000 forces is within 999 u of the sum of their magnitudes"},
    {"torque_in_double", "torques are summed in plain double", "a naive sum of many terms"},
    {"last_skipped", "the last member is skipped", "off by one"},
    {"first_twice", "the first member counts twice", "the first is added before the loop and again in the loop"},
    {"only_even_count", "the last member is dropped if their number is odd", "a loop unrolled by two"},
    {"tail_of_four_dropped", "the last n modulo 4 members are dropped if n > 4", "a SIMD loop without its tail"},
    {"buffer_of_512", "members beyond the 512th are dropped", "a buffer of fixed size"},
    {"mean", "means instead of sums", "an average per member"},
    {"single_without_arm", "a single member is assumed to be at the centre", "a shortcut for one member"},
    {"single_is_not_a_number", "NaN for one member", "a division by n - 1"},
    {"small_force_skipped", "forces below 1e-3 N are skipped", "absolute thresholds"},
    {"small_force_relative", "forces below 1e-12 of the sum so far are skipped", "a threshold wider than the budget"},
    {"large_force_limited", "forces are limited to 1e30 N", "\"infinity\" stored as a large number"},
    {"same_place_skipped", "a member at the same position as the one before is skipped",
     "contacts identified by position"},
    {"opposite_pair_skipped", "two consecutive opposite forces are dropped, with their torques",
     "couples treated as zero"},
    {"given_twice_skipped", "a member equal to the one before is skipped", "duplicates removed"},
    {"cancelled_is_zero", "torques below 1e-12 of their terms are zero", "a tolerance wider than the budget"},
    {"subnormal_is_zero", "torques below the normal range are zero", "flush to zero"},
};
using Chosen = Choice<defects>;

/// Computes both sums in long double. It has 11 bits more than double, which keep the error of a thousand terms within
/// the budget.
inline Answer evaluate(Case const& in, Chosen const with) {
  std::size_t count = in.members.size();
  auto const wide = [](Vector3<double> const& x) -> Point { return x.template cast<Real>(); };
  auto const as_float = [](Point const& x) -> Point { return x.template cast<float>().template cast<Real>(); };
  auto const as_double = [](Point const& x) -> Point { return x.template cast<double>().template cast<Real>(); };

  Point centre = wide(in.centre);
  if (with("arm_from_origin") || with("transferred_at_the_end")) centre.setZero();
  if (with("arm_from_first")) centre = wide(in.members.front().position);
  if (with("arm_from_mean")) {
    centre.setZero();
    for (auto const& member : in.members) centre += wide(member.position) / static_cast<Real>(count);
  }

  Point force = Point::Zero(), torque = Point::Zero(), force_size = Point::Zero(), torque_size = Point::Zero();
  if (with("last_skipped")) count = count - 1;
  if (with("only_even_count")) count = count / 2 * 2;
  if (with("tail_of_four_dropped")) count = count < 4 ? count : count / 4 * 4;
  if (with("buffer_of_512")) count = std::min<std::size_t>(count, 512);
  for (std::size_t i = 0; i < count; ++i) {
    auto const& member = in.members[i];
    Point arm = wide(member.position) - centre, F = wide(member.force), T = wide(member.torque);
    if (with("arm_in_float")) arm = as_float(arm);
    if (with("arm_normalised")) arm = arm / (arm.norm() > 0 ? arm.norm() : 1);
    if (with("small_force_skipped") && F.norm() < 1e-3L) continue;
    if (with("small_force_relative") && F.norm() < 1e-12L * force.norm()) continue;
    if (with("large_force_limited")) F = F.unaryExpr([](Real each) { return std::clamp(each, -1e30L, 1e30L); });
    if (with("same_place_skipped") && i > 0 && member.position == in.members[i - 1].position) continue;
    if (with("given_twice_skipped") && i > 0 && member.position == in.members[i - 1].position &&
        member.force == in.members[i - 1].force && member.torque == in.members[i - 1].torque)
      continue;
    if (with("opposite_pair_skipped") && i > 0 && member.force == -in.members[i - 1].force) {
      force -= wide(in.members[i - 1].force);
      continue;
    }
    if (with("single_without_arm") && count == 1) arm.setZero();

    Point moment = arm.cross(F);
    if (with("cross_product_swapped")) moment = F.cross(arm);
    if (with("cross_product_term_missing")) moment[1] = arm[2] * F[0];
    if (with("cross_product_sign")) moment[2] = arm[0] * F[1] + arm[1] * F[0];
    if (with("cross_product_y_twice")) moment[0] = arm[1] * F[2] - arm[1] * F[1];
    if (with("axes_exchanged")) std::swap(moment[0], moment[1]);
    if (with("moment_forgotten")) moment.setZero();
    if (with("member_torque_forgotten")) T.setZero();
    if (with("member_torque_sign")) T = -T;
    if (with("member_torque_halved")) T = T / 2;

    force += with("torque_in_force") ? (F + T) : F;
    torque += T + moment;
    if (with("first_twice") && i == 0) force += F, torque += T + moment;
    if (with("force_in_double")) force = as_double(force);
    if (with("torque_in_double")) torque = as_double(torque);
    force_size += F.cwiseAbs();
    torque_size += moment.cwiseAbs() + T.cwiseAbs();
  }
  if (with("transferred_at_the_end")) torque = as_double(torque) - as_double(wide(in.centre).cross(force));
  if (with("mean")) force = force / static_cast<Real>(count), torque = torque / static_cast<Real>(count);
  if (with("force_z_forgotten")) force[2] = 0;
  if (with("single_is_not_a_number") && count == 1) torque = torque * (0.0L / static_cast<Real>(count - 1));
  for (int k = 0; k < 3; ++k) {
    if (with("cancelled_is_zero") && std::fabs(torque[k]) < 1e-12L * torque_size[k]) torque[k] = 0;
    if (with("subnormal_is_zero") && std::fabs(torque[k]) < 0x1p-1022L) torque[k] = 0;
  }
  return {force.cast<double>(), torque.cast<double>()};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

/// Adds the torque of the previous clump if a clump has one member, as if the sums were not cleared.
inline void sums_not_cleared(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i)
    if (in[i].members.size() == 1) out[i].torque += out[i - 1].torque;
}
inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"one_of_the_next", "the first member of the next clump is included", "offsets of lists read inclusively",
       one_of_the_next<right, &Case::members>},
      {"sums_not_cleared", "a clump of one member keeps the torque of the clump before it",
       "an accumulator not cleared", sums_not_cleared},
  };
  Distortions const distortions{.read_as_float = "members.force",
                                .shared_by_four = "centre",
                                .as_float = "torque",
                                .negated = "force",
                                .just_over = "force"};
  return make_mutants<Contract>(evaluate, distortions, batches, dropped_at_lengths<right, &Case::members>(right));
}

}  // namespace demeter::clump_force_torque::mutants
