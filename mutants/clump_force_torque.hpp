// Wrong resultants of a clump's members, each one change away from `right()`.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/clump_force_torque.hpp"
#include "mutants/core/batches.hpp"
#include "mutants/core/lengths.hpp"

namespace demeter::clump_force_torque::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Point = Vector3<Real>;

enum class Defect {
  none,
  moment_forgotten,
  member_torque_forgotten,
  member_torque_sign,
  member_torque_halved,
  cross_product_swapped,
  cross_product_term_missing,
  cross_product_sign,
  cross_product_y_twice,
  axes_exchanged,
  arm_from_origin,
  arm_from_mean,
  arm_from_first,
  arm_in_float,
  arm_normalised,
  transferred_at_the_end,
  force_sign,
  force_z_forgotten,
  torque_in_force,
  force_in_float,
  torque_in_float,
  force_in_double,
  torque_in_double,
  last_skipped,
  first_twice,
  only_even_count,
  tail_of_four_dropped,
  buffer_of_512,
  mean,
  single_without_arm,
  single_is_not_a_number,
  small_force_skipped,
  small_force_relative,
  large_force_limited,
  same_place_skipped,
  opposite_pair_skipped,
  given_twice_skipped,
  cancelled_is_zero,
  subnormal_is_zero,
  just_over_the_budget,
};

/// The two sums in long double: its 11 bits more than the double's keep a thousand terms within the budget.
inline Answer evaluate(Case const& in, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  std::size_t count = in.members.size();
  auto const wide = [](Vector3<double> const& x) -> Point { return x.template cast<Real>(); };
  auto const as_float = [](Point const& x) -> Point { return x.template cast<float>().template cast<Real>(); };
  auto const as_double = [](Point const& x) -> Point { return x.template cast<double>().template cast<Real>(); };

  Point centre = wide(in.centre);
  if (with(arm_from_origin) || with(transferred_at_the_end)) centre.setZero();
  if (with(arm_from_first)) centre = wide(in.members.front().position);
  if (with(arm_from_mean)) {
    centre.setZero();
    for (auto const& member : in.members) centre += wide(member.position) / static_cast<Real>(count);
  }

  Point force = Point::Zero(), torque = Point::Zero(), force_size = Point::Zero(), torque_size = Point::Zero();
  if (with(last_skipped)) count = count - 1;
  if (with(only_even_count)) count = count / 2 * 2;
  if (with(tail_of_four_dropped)) count = count < 4 ? count : count / 4 * 4;
  if (with(buffer_of_512)) count = std::min<std::size_t>(count, 512);
  for (std::size_t i = 0; i < count; ++i) {
    auto const& member = in.members[i];
    Point arm = wide(member.position) - centre, F = wide(member.force), T = wide(member.torque);
    if (with(arm_in_float)) arm = as_float(arm);
    if (with(arm_normalised)) arm = arm / (arm.norm() > 0 ? arm.norm() : 1);
    if (with(force_in_float)) F = as_float(F);
    if (with(small_force_skipped) && F.norm() < 1e-3L) continue;
    if (with(small_force_relative) && F.norm() < 1e-12L * force.norm()) continue;
    if (with(large_force_limited)) F = F.unaryExpr([](Real each) { return std::clamp(each, -1e30L, 1e30L); });
    if (with(same_place_skipped) && i > 0 && member.position == in.members[i - 1].position) continue;
    if (with(given_twice_skipped) && i > 0 && member.position == in.members[i - 1].position &&
        member.force == in.members[i - 1].force && member.torque == in.members[i - 1].torque)
      continue;
    if (with(opposite_pair_skipped) && i > 0 && member.force == -in.members[i - 1].force) {
      force -= wide(in.members[i - 1].force);
      continue;
    }
    if (with(single_without_arm) && count == 1) arm.setZero();

    Point moment = arm.cross(F);
    if (with(cross_product_swapped)) moment = F.cross(arm);
    if (with(cross_product_term_missing)) moment[1] = arm[2] * F[0];
    if (with(cross_product_sign)) moment[2] = arm[0] * F[1] + arm[1] * F[0];
    if (with(cross_product_y_twice)) moment[0] = arm[1] * F[2] - arm[1] * F[1];
    if (with(axes_exchanged)) std::swap(moment[0], moment[1]);
    if (with(moment_forgotten)) moment.setZero();
    if (with(member_torque_forgotten)) T.setZero();
    if (with(member_torque_sign)) T = -T;
    if (with(member_torque_halved)) T = T / 2;

    force += with(torque_in_force) ? (F + T) : F;
    torque += T + moment;
    if (with(first_twice) && i == 0) force += F, torque += T + moment;
    if (with(force_in_double)) force = as_double(force);
    if (with(torque_in_double)) torque = as_double(torque);
    force_size += F.cwiseAbs();
    torque_size += moment.cwiseAbs() + T.cwiseAbs();
  }
  if (with(transferred_at_the_end)) torque = as_double(torque) - as_double(wide(in.centre).cross(force));
  if (with(torque_in_float)) torque = as_float(torque);
  if (with(mean)) force = force / static_cast<Real>(count), torque = torque / static_cast<Real>(count);
  if (with(force_sign)) force = -force;
  if (with(force_z_forgotten)) force[2] = 0;
  if (with(single_is_not_a_number) && count == 1) torque = torque * (0.0L / static_cast<Real>(count - 1));
  for (int k = 0; k < 3; ++k) {
    if (with(cancelled_is_zero) && std::fabs(torque[k]) < 1e-12L * torque_size[k]) torque[k] = 0;
    if (with(subnormal_is_zero) && std::fabs(torque[k]) < 0x1p-1022L) torque[k] = 0;
    if (with(just_over_the_budget)) force[k] = force[k] + 9 * 0x1p-53L * force_size[k];
  }
  return {force.cast<double>(), torque.cast<double>()};
}

inline Answer right(Case const& in) { return evaluate(in, Defect::none); }

// ------------------------------------------------------------------------------------------------------ of batches

/// The sums of the clump before are left where a clump has one member.
inline void sums_not_cleared(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i)
    if (in[i].members.size() == 1) out[i].torque += out[i - 1].torque;
}
inline void tail_left_alone(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = in.size() / 8 * 8; i < in.size(); ++i)
    out[i] = {Vector3<double>::Zero(), Vector3<double>::Zero()};
}

inline std::span<Mutant<Defect, Case, Answer> const> mutants() {
  using enum Defect;
  static Mutant<Defect, Case, Answer> const list[] = {
      {"moment_forgotten", "(x - c) x F is left out", "a term forgotten", moment_forgotten},
      {"member_torque_forgotten", "the members' own torques are left out", "a term forgotten", member_torque_forgotten},
      {"member_torque_sign", "the members' own torques are subtracted", "sign of a torque", member_torque_sign},
      {"member_torque_halved", "the members' own torques count half", "shared by two bodies", member_torque_halved},
      {"cross_product_swapped", "F x (x - c)", "a swapped cross product", cross_product_swapped},
      {"cross_product_term_missing", "y of the moment lacks a product", "a missing term", cross_product_term_missing},
      {"cross_product_sign", "z of the moment has a plus for a minus", "sign of a term", cross_product_sign},
      {"cross_product_y_twice", "y Fy for z Fy in the moment", "copy and paste (godot#47284)", cross_product_y_twice},
      {"axes_exchanged", "x and y of the moment are exchanged", "newton-physics#486, #505", axes_exchanged},
      {"arm_from_origin", "the torque is about the origin", "torque about the wrong point", arm_from_origin},
      {"arm_from_mean", "the torque is about the members' mean position", "torque about the wrong point",
       arm_from_mean},
      {"arm_from_first", "the torque is about the first member", "torque about the wrong point", arm_from_first},
      {"arm_in_float", "arms are rounded to float", "single precision on the way", arm_in_float},
      {"arm_normalised", "arms are made unit vectors", "a direction taken for a vector", arm_normalised},
      {"transferred_at_the_end", "the torque about the origin is moved to the centre in double",
       "right on paper, cancels far from the origin", transferred_at_the_end},
      {"force_sign", "the reaction for the action", "sign of a force", force_sign},
      {"force_z_forgotten", "z of the force is zero", "a plane code used in space", force_z_forgotten},
      {"torque_in_force", "torques are added to the force too", "copy and paste", torque_in_force},
      {"force_in_float", "forces are rounded to float", "single precision input", force_in_float},
      {"torque_in_float", "the torque is rounded to float", "single precision storage", torque_in_float},
      {"force_in_double", "forces are summed plainly in double", "a naive sum of many terms", force_in_double, nullptr,
       "a plain sum of up to 1,000 forces keeps to 999 u of their sizes"},
      {"torque_in_double", "torques are summed plainly in double", "a naive sum of many terms", torque_in_double},
      {"last_skipped", "the last member is skipped", "off by one", last_skipped},
      {"first_twice", "the first member counts twice", "a loop begun after the first was put in", first_twice},
      {"only_even_count", "the last member of an odd number is dropped", "a loop unrolled by two", only_even_count},
      {"tail_of_four_dropped", "of more than four members the last n modulo 4 are dropped",
       "a SIMD loop without its tail", tail_of_four_dropped},
      {"buffer_of_512", "members beyond the 512th are dropped", "a buffer of fixed size", buffer_of_512},
      {"mean", "means for sums", "an average per member", mean},
      {"single_without_arm", "a single member is taken to sit at the centre", "a shortcut for one member",
       single_without_arm},
      {"single_is_not_a_number", "NaN for one member", "a division by n - 1", single_is_not_a_number},
      {"small_force_skipped", "forces below 1e-3 N are skipped", "absolute thresholds", small_force_skipped},
      {"small_force_relative", "forces below 1e-12 of the sum so far are skipped", "a threshold wider than the budget",
       small_force_relative},
      {"large_force_limited", "forces end at 1e30 N", "\"infinity\" as a large number", large_force_limited},
      {"same_place_skipped", "a member where the one before is is skipped", "contacts told apart by position",
       same_place_skipped},
      {"opposite_pair_skipped", "opposite forces in a row are dropped, torques and all", "couples taken for nothing",
       opposite_pair_skipped},
      {"given_twice_skipped", "a member that is the one before once more is skipped", "duplicates removed",
       given_twice_skipped},
      {"cancelled_is_zero", "torques below 1e-12 of their terms are zero", "a tolerance wider than the budget",
       cancelled_is_zero},
      {"subnormal_is_zero", "torques below the normal range are zero", "flush to zero", subnormal_is_zero},
      {"just_over_the_budget", "the force is 9 u S too large", "the least that the budget of 8 u S forbids",
       just_over_the_budget, nullptr, "9 u are less than 1024"},
      {"one_of_the_next", "the first member of the next clump counts too", "offsets of lists read inclusively", none,
       one_of_the_next<right, &Case::members>},
      {"centre_of_the_first", "four clumps share the centre of the first", "a broadcast for a load", none,
       field_of_the_first<right, &Case::centre>},
      {"sums_not_cleared", "a clump of one member keeps the torque of the clump before", "an accumulator not cleared",
       none, sums_not_cleared},
      {"tail_left_alone", "the last n modulo 8 clumps of a batch are zeros", "a SIMD loop without its tail", none,
       tail_left_alone},
  };
  return with_lengths<right, &Case::members>(list);
}

}  // namespace demeter::clump_force_torque::mutants
