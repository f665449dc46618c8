// Regimes and laws of the resultant force and torque of a clump's members.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/clump_force_torque.hpp"

#include <utility>

namespace demeter::clump_force_torque::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Part = Member<double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns members whose coordinates relative to the centre are from -1 to 1. The largest force component is 1 to 1000
/// times the weight of a cube of edge 1, as at contacts.
inline Case unit_clump(Random& random, std::int64_t count) {
  double const density = random.log_uniform(2, 4), force = 9.81 * density * random.log_uniform(0, 3);
  Case in;
  in.centre.setZero();
  in.members.reserve(static_cast<std::size_t>(count));
  for (; count > 0; --count) {
    Part part;
    part.position = cube_point(random);
    part.force = force * cube_point(random);
    part.torque = force * cube_point(random);
    in.members.push_back(part);
  }
  return in;
}
/// Returns the clump with an everyday size at an everyday place. The forces are multiplied by the cube of the factor of
/// the lengths, like weights.
inline Case everyday(Case const& unit, Random& random) {
  double const size = random.size(), factor = factor_to_size(unit, size);
  return moved_by(scaled_by(unit, factor, factor * factor), everyday_place(random, size));
}
/// Returns the clump with an everyday size at an everyday place, without rounding. The factor of the lengths is a power
/// of two.
inline Case exactly_everyday(Case const& unit, Random& random) {
  double const size = random.size(), factor = exact_factor_to_size(unit, size, random.sizes());
  Case const in = scaled_by(unit, factor, factor * factor);
  return moved_by(in, exact_part(in, everyday_place_of_few_bits(random, size)));
}
inline Case clump(Random& random, std::int64_t count) {
  Case const unit = unit_clump(random, count);
  return everyday(unit, random);
}
inline double largest_force(Case const& in) {
  double largest = 0;
  for (Part const& part : in.members) largest = std::max(largest, part.force.cwiseAbs().maxCoeff());
  return largest;
}
inline double largest_arm(Case const& in) {
  double largest = 0;
  for (Part const& part : in.members) largest = std::max(largest, (part.position - in.centre).cwiseAbs().maxCoeff());
  return largest;
}

inline Case draw_typical(Random& random) { return clump(random, random.integer(2, 20)); }
inline Case draw_single(Random& random) { return clump(random, 1); }
inline Case draw_many(Random& random) { return clump(random, random.integer(200, 1000)); }

/// Draws forces that cancel. They cancel exactly (numbers of few bits), up to the rounding of the last force, or in
/// pairs that form couples.
inline Case draw_cancelling(Random& random) {
  Case in = clump(random, random.integer(2, 20));
  std::int64_t const kind = random.integer(0, 2);
  if (kind == 2) {
    if (in.members.size() % 2 != 0) in.members.pop_back();
    for (std::size_t i = 0; i < in.members.size(); i += 2) in.members[i + 1].force = -in.members[i].force;
    shuffle(in.members, random);
    return in;
  }
  int const exponent = std::ilogb(largest_force(in)) - 12;
  if (kind == 0)
    for (Part& part : in.members) part.force = few_bits_vector(random, 12, exponent);
  Point sum = Point::Zero();
  for (std::size_t i = 0; i + 1 < in.members.size(); ++i) sum += in.members[i].force;
  in.members.back().force = -sum;
  return in;
}

inline Case draw_far(Random& random) {
  Case const in = clump(random, random.integer(1, 20));
  double const distance = largest_arm(in) * random.log_uniform(4, 9);
  return moved_by(in, distance * unit_direction(random));
}

inline Case draw_heavy_light(Random& random) {
  Case in = clump(random, random.integer(2, 20));
  for (Part& part : in.members) {
    double const factor = random.log_uniform(-12, 12);
    part.force *= factor;
    part.torque *= factor;
  }
  return in;
}

/// Draws forces whose lines of action pass through the centre. They pass exactly through it (numbers of few bits) or up
/// to rounding. Members have no torques, so that the torque about the centre is zero.
inline Case draw_concurrent(Random& random) {
  Case in = unit_clump(random, random.integer(2, 20));
  bool const exact = random.chance(0.5);
  if (exact)
    for (Part& part : in.members) part.position = few_bits_vector(random, 10, -10);
  in = exact ? exactly_everyday(in, random) : everyday(in, random);
  double const size = size_of_case(in), stiffness = largest_force(in) / (size > 0 ? size : 1);
  for (Part& part : in.members) {
    double const strength =
        exact ? few_bits(random, 10, std::ilogb(stiffness) - 10) : stiffness * random.uniform(-1, 1);
    part.force = strength * (part.position - in.centre);
    part.torque.setZero();
  }
  return in;
}

/// Draws contacts between members of the clump: action and reaction at one point.
inline Case draw_contact_pairs(Random& random) {
  Case in = unit_clump(random, 2 * random.integer(1, 10));
  for (std::size_t i = 0; i < in.members.size(); i += 2) {
    Part const& action = in.members[i];
    in.members[i + 1] = Part{action.position, -action.force, -action.torque};
  }
  if (random.chance(0.5)) in.members.push_back(in.members.front());  // a contact with another body
  shuffle(in.members, random);
  return everyday(in, random);
}

inline Case draw_lattice(Random& random) {
  auto const point = [&]() -> Point {
    auto const coordinate = [&] { return static_cast<double>(random.integer(-5, 5)); };
    double const x = coordinate(), y = coordinate(), z = coordinate();
    return {x, y, z};
  };
  Case in;
  in.centre = point();
  in.members.resize(static_cast<std::size_t>(random.integer(1, 12)));
  // About 0.1 to 1,000 times the weight of a cube of edge 1 and density 1e3, as a power of two.
  double const force = std::ldexp(1.0, static_cast<int>(random.integer(10, 23)));
  for (Part& part : in.members) part = Part{point(), force * point(), force * point()};
  return exactly_everyday(in, random);
}

inline Case draw_extreme_scale(Random& random) {
  Case in = unit_clump(random, random.integer(2, 20));
  double const length = std::ldexp(1.0, static_cast<int>(random.integer(-300, 300)));
  double const force = std::ldexp(1.0, static_cast<int>(random.integer(-300, 300)));
  in.centre *= length;
  for (Part& part : in.members) {
    part.position *= length;
    part.force *= force;
    part.torque *= length * force;
  }
  return in;
}

/// Draws pairs of action and reaction with a relative difference of 1e-15 to 1e-6. The resultant is small compared with
/// its terms but is not zero.
inline Case draw_nearly_cancelling(Random& random) {
  Case in = unit_clump(random, 2 * random.integer(1, 10));
  double const rest = random.log_uniform(-15, -6);
  for (std::size_t i = 0; i < in.members.size(); i += 2) {
    Part const& action = in.members[i];
    double const factor = -1 - rest * random.uniform(-1, 1);
    in.members[i + 1] = Part{action.position, factor * action.force, factor * action.torque};
  }
  shuffle(in.members, random);
  return everyday(in, random);
}

/// Draws one large load and 29 to 59 small loads. Each small load is below the last digit of the large load. Together
/// the small loads change some last digits of the sum, but a plain sum loses all of them.
inline Case draw_lost_addends(Random& random) {
  Case in = clump(random, random.integer(30, 60));
  Part const& load = in.members.front();
  for (std::size_t i = 1; i < in.members.size(); ++i) {
    double const share = 0x1p-54 * random.uniform(0.75, 1);
    in.members[i] = Part{load.position, share * load.force, share * load.torque};
  }
  return in;
}

/// Returns a clump whose lengths are multiplied by 2^length and whose forces are multiplied by 2^force.
inline Case scaled_clump(Random& random, int length, int force) {
  Case in = unit_clump(random, random.integer(1, 20));
  auto const scale = [](Point& values, int exponent) {
    for (int axis = 0; axis < 3; ++axis) values[axis] = std::ldexp(values[axis], exponent);
  };
  scale(in.centre, length);
  for (Part& part : in.members) {
    scale(part.position, length);
    scale(part.force, force);
    scale(part.torque, length + force);
  }
  return in;
}
inline Case draw_subnormal(Random& random) {
  int const torque = static_cast<int>(random.integer(-1085, -1000));
  int const length = random.chance(0.5) ? 0 : static_cast<int>(random.integer(-600, -400));
  return scaled_clump(random, length, torque - length);
}
inline Case draw_huge(Random& random) {
  int const torque = static_cast<int>(random.integer(900, 990));
  int const length = random.chance(0.5) ? 0 : static_cast<int>(random.integer(300, 500));
  return scaled_clump(random, length, torque - length);
}

/// Draws lists of every length. In one case of four, some members are repeated.
inline Case draw_lengths(Random& random) {
  Case in = unit_clump(random, list_length(random));
  if (random.chance(0.25)) give_some_twice(in.members, random);
  return everyday(in, random);
}
inline Case draw_signed_zeros(Random& random) { return with_negative_zeros<Contract>(draw_lattice(random), random); }

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "2 to 20 members, arms of 10 um to 10 m, up to 1e3 arms from the origin",
       draw_typical},
      {"single", Profile::everyday, "one member", draw_single},
      {"many", Profile::everyday, "200 to 1000 members", draw_many},
      {"cancelling", Profile::degenerate, "forces that sum to zero, exactly or nearly, and couples", draw_cancelling},
      {"far", Profile::extreme, "1e4 to 1e9 arms away from the origin", draw_far},
      {"heavy_light", Profile::extreme, "forces of the members differ by a factor of up to 1e24", draw_heavy_light},
      {"concurrent", Profile::degenerate, "all forces act along lines through the centre", draw_concurrent},
      {"contact_pairs", Profile::degenerate, "action and reaction at common points", draw_contact_pairs},
      {"lattice", Profile::degenerate, "integers from -5 to 5 times powers of two: every operation is exact",
       draw_lattice},
      {"extreme_scale", Profile::extreme, "lengths and forces times 2^-300 to 2^300", draw_extreme_scale},
      {"nearly_cancelling", Profile::degenerate, "action and reaction with relative differences of 1e-15 to 1e-6",
       draw_nearly_cancelling},
      {"lost_addends", Profile::extreme,
       "one large load and 29 to 59 loads below its last digit, whose sum is not negligible", draw_lost_addends},
      {"subnormal", Profile::extreme, "torques (and sometimes forces) near and below the smallest normal double",
       draw_subnormal},
      {"huge", Profile::extreme, "torques (and sometimes forces) of 2^900 to 2^1010", draw_huge},
      {"lengths", Profile::everyday,
       "1 to 130 members, numbers next to powers of two up to 1,025, and thousands; some members are duplicates",
       draw_lengths},
      {"signed_zeros", Profile::degenerate, "some numbers are -0", draw_signed_zeros},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Wide = Vector3<long double>;
using Sizing = Output<long double>;

inline Wide magnitudes(Point const& point) { return wide(point).cwiseAbs(); }
/// Returns a bound for each component of a vector product. `a` and `b` contain the magnitudes of the components of its
/// factors. All terms are added with plus signs.
inline Wide cross_magnitudes(Wide const& a, Wide const& b) {
  return {a[1] * b[2] + a[2] * b[1], a[2] * b[0] + a[0] * b[2], a[0] * b[1] + a[1] * b[0]};
}

/// Returns how laws judge components that are not finite. They are wrong unless the sum of the magnitudes may overflow.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return unusable_unless(inputs, outputs, [](Case const& in) {
    Sizing const scale = Contract::scale(in);
    return 2 * std::max(scale.force.maxCoeff(), scale.torque.maxCoeff()) > largest_double;
  });
}

inline bool finite_case(Case const& in) {
  if (!all_finite(in.centre)) return false;
  for (Part const& part : in.members)
    if (!all_finite(part.position) || !all_finite(part.force) || !all_finite(part.torque)) return false;
  return true;
}

/// Checks that both cases have the same resultant. The tolerance is the sum of both budgets.
inline std::optional<double> same_resultant(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowance<Contract>(held, inputs, outputs);
  return worst_answered({{answered(outputs, &Answer::force),
                          worst_component(wide(outputs[0].force) - wide(outputs[1].force), tolerance.force)},
                         {answered(outputs, &Answer::torque),
                          worst_component(wide(outputs[0].torque) - wide(outputs[1].torque), tolerance.torque)}});
}

inline void derive_permutation(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.members.size() < 2) return;
  Case permuted = in;
  if (random.chance(0.5))
    std::reverse(permuted.members.begin(), permuted.members.end());
  else
    shuffle(permuted.members, random);
  inputs.push_back(std::move(permuted));
}

/// Derives a case with another centre: the position of a member, the origin, or another point. The distance of this
/// point from the old centre is 0.001 to 1000 times the arm of a member. For everyday cases, it is at most the arm.
inline void derive_centre(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case moved = in;
  Part const& part = any_of(in.members, random);
  std::int64_t const kind = random.integer(0, 3);
  double const arm = (0.5 * part.position - 0.5 * in.centre).cwiseAbs().maxCoeff();
  double const distance = 2 * arm * random.log_uniform(-3, has_everyday_size(in, random.sizes()) ? 0 : 3);
  if (kind == 0) moved.centre = part.position;
  if (kind == 1) moved.centre.setZero();
  if (kind >= 2) moved.centre += distance * cube_point(random);
  if (!finite_case(moved) || moved.centre == in.centre) return;
  inputs.push_back(std::move(moved));
}

/// Checks T_b = T_a + (a - b) x F. In long double, the relative error of a - b is only 2^-64. Therefore only the errors
/// of the answers count.
inline std::optional<double> transferred(std::span<Case const> inputs, std::span<Answer const> outputs,
                                         Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const first = allowance<Contract>(held, inputs[0], outputs[0]),
               second = allowance<Contract>(held, inputs[1], outputs[1]);
  Wide const arm = wide(inputs[0].centre) - wide(inputs[1].centre), force = wide(outputs[0].force);
  Wide const expected = wide(outputs[0].torque) + arm.cross(force);
  Wide const tolerance =
      first.torque + second.torque + cross_magnitudes(arm.cwiseAbs(), first.force + 0x1p-60L * force.cwiseAbs());
  return worst_answered(
      {{answered(outputs, &Answer::torque), worst_component(wide(outputs[1].torque) - expected, tolerance)},
       {true, worst_component(wide(outputs[1].force) - force, first.force + second.force)}});
}

/// Checks that F . T does not change with the centre.
inline std::optional<double> same_invariant(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  long double invariant[2], tolerance = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    Sizing const error = allowance<Contract>(held, inputs[i], outputs[i]);
    Wide const force = wide(outputs[i].force), torque = wide(outputs[i].torque);
    invariant[i] = force.dot(torque);
    tolerance +=
        force.cwiseAbs().dot(error.torque) + error.force.dot(torque.cwiseAbs()) + error.force.dot(error.torque);
    tolerance += 0x1p-60L * force.cwiseAbs().dot(torque.cwiseAbs());
  }
  return in_tolerances(std::fabs(invariant[0] - invariant[1]), tolerance);
}

struct Invariant {
  using Contract = clump_force_torque::Contract;
  static std::vector<std::string_view> outputs() { return {"force", "torque"}; }
  static constexpr auto unusable = properties::unusable;
  /// Returns whether all products of arms and forces are normal numbers even after division by 2^53 (for compensated
  /// code), and whether sums of a million such products cannot overflow.
  static bool stays_normal(Case const& in) {
    auto const normal = [](long double term) {
      return term == 0 || (std::ilogb(term) > -960 && std::ilogb(term) < 1000);
    };
    bool fine = true;
    for_each_quantity(in, [&](Point const& vector, auto const&) {
      for (double const x : vector) fine = fine && (x == 0 || (std::ilogb(x) > -1020 && std::ilogb(x) < 1000));
    });
    for (Part const& part : in.members) {
      Wide const arm = wide(part.position) - wide(in.centre);
      for (int axis = 0; axis < 3; ++axis) {
        fine = fine && normal(part.torque[axis]);
        for (int other = 0; other < 3; ++other)
          if (other != axis) fine = fine && normal(arm[axis] * part.force[other]);
      }
    }
    return fine;
  }
};
using Shared = Invariances<Invariant>;

inline void derive_pair(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case larger = in;
  Part const like = any_of(in.members, random);
  double const factor = random.log_uniform(-1, 2);
  Part const action{like.position, factor * like.force, factor * like.torque};
  Part const reaction{action.position, -action.force, -action.torque};
  insert_anywhere(larger.members, random, action);
  insert_anywhere(larger.members, random, reaction);
  if (!finite_case(larger)) return;
  inputs.push_back(std::move(larger));
}

inline void derive_split(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case split = in;
  Part& part = any_of(split.members, random);
  Part half = part;
  half.force *= 0.5;
  half.torque *= 0.5;
  if (2 * half.force != part.force || 2 * half.torque != part.torque) return;  // halving an odd subnormal number rounds
  part = half;
  insert_anywhere(split.members, random, half);
  inputs.push_back(std::move(split));
}

inline void derive_halves(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.members.size() < 2) return;
  Case first{in.centre, {}}, second{in.centre, {}};
  for (Part const& part : in.members) (random.chance(0.5) ? first : second).members.push_back(part);
  if (first.members.empty() || second.members.empty()) return;
  inputs.push_back(std::move(first));
  inputs.push_back(std::move(second));
}

inline std::optional<double> superposed(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowance<Contract>(held, inputs, outputs);
  return worst_answered(
      {{answered(outputs, &Answer::force),
        worst_component(wide(outputs[0].force) - wide(outputs[1].force) - wide(outputs[2].force), tolerance.force)},
       {answered(outputs, &Answer::torque),
        worst_component(wide(outputs[0].torque) - wide(outputs[1].torque) - wide(outputs[2].torque),
                        tolerance.torque)}});
}

inline void derive_single(Case const& in, Random& random, std::vector<Case>& inputs) {
  Part const part = any_of(in.members, random);
  inputs.push_back(Case{part.position, {part}});
}

inline std::optional<double> returns_itself(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Part const& part = inputs[1].members.front();
  Sizing const tolerance = allowance<Contract>(held, inputs[1], outputs[1]);
  outputs = outputs.subspan(1);
  return worst_answered(
      {{answered(outputs, &Answer::force), worst_component(wide(outputs[0].force) - wide(part.force), tolerance.force)},
       {answered(outputs, &Answer::torque),
        worst_component(wide(outputs[0].torque) - wide(part.torque), tolerance.torque)}});
}

/// Checks F . v_c + T . w = sum of F_i . v_i + T_i . w for a random rigid motion that depends only on the case. The
/// spin w is scaled so that rotation and translation contribute about the same amount.
inline std::optional<double> does_virtual_work(std::span<Case const> inputs, std::span<Answer const> outputs,
                                               Tolerance const& held) {
  if (auto const bad = unusable(inputs.first(1), outputs.first(1)); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  std::uint64_t seed = in.members.size();
  for (int axis = 0; axis < 3; ++axis) seed = mix_in(seed, in.centre[axis] + in.members.front().force[axis]);
  Random random(seed, 0, 0);
  Wide const velocity = wide(cube_point(random));
  long double arm = 0;
  for (Part const& part : in.members)
    arm = std::max(arm, (wide(part.position) - wide(in.centre)).cwiseAbs().maxCoeff());
  Wide const spin = wide(cube_point(random)) / (arm > 0 ? arm : 1);
  long double work = 0, size = 0;
  for (Part const& part : in.members) {
    Wide const reach = wide(part.position) - wide(in.centre), force = wide(part.force), torque = wide(part.torque);
    work += force.dot(velocity + spin.cross(reach)) + torque.dot(spin);
    size += force.cwiseAbs().dot(velocity.cwiseAbs() + cross_magnitudes(spin.cwiseAbs(), reach.cwiseAbs())) +
            torque.cwiseAbs().dot(spin.cwiseAbs());
  }
  long double const answered = wide(outputs[0].force).dot(velocity) + wide(outputs[0].torque).dot(spin);
  Sizing const error = allowance<Contract>(held, in, outputs[0]);
  // The last term bounds the rounding of `work`.
  long double const tolerance = error.force.dot(velocity.cwiseAbs()) + error.torque.dot(spin.cwiseAbs()) +
                                (static_cast<long double>(in.members.size()) + 16) * 0x1p-63L * size;
  return in_tolerances(std::fabs(work - answered), tolerance);
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> symmetries() {
  return {
      {.name = "permutation",
       .doc = "the order of the members does not change the answer",
       .tolerance = "both budgets",
       .compares = {"force", "torque"},
       .derive = derive_permutation,
       .violation = same_resultant},
      {.name = "transfer",
       .doc = "T_b = T_a + (a - b) x F, and the force does not depend on the centre",
       .tolerance = "both budgets, that of the force times the arm",
       .uses = {"force"},
       .compares = {"torque"},
       .derive = derive_centre,
       .violation = transferred},
      {.name = "invariant",
       .doc = "F . T does not depend on the centre",
       .tolerance = "both budgets: that of the force times T, that of the torque times F",
       .uses = {"force", "torque"},
       .derive = derive_centre,
       .violation = same_invariant},
  };
}

inline std::vector<Rule> changes_of_unit() {
  return {
      Shared::scaling<Dimension{0, 1, 0}>("force_scaling",
                                          "forces and torques times 2^k multiply both results by exactly 2^k"),
      // If the metre changes by 2^k, the kilogram must change by 2^-k to keep the newton.
      Shared::scaling<Dimension{1, -1, 0}>(
          "length_scaling",
          "positions and torques times 2^k multiply the torque by exactly 2^k and do not change the force"),
  };
}

inline std::vector<Rule> parts() {
  return {
      {.name = "pair",
       .doc = "a member and its exact opposite at the same point change nothing",
       .tolerance = "both budgets",
       .compares = {"force", "torque"},
       .derive = derive_pair,
       .violation = same_resultant},
      {.name = "split",
       .doc = "a member can be replaced by two members with half the load",
       .tolerance = "both budgets",
       .compares = {"force", "torque"},
       .derive = derive_split,
       .violation = same_resultant},
      {.name = "superposition",
       .doc = "the resultants of two groups add up to the resultant of all members",
       .tolerance = "all three budgets",
       .compares = {"force", "torque"},
       .derive = derive_halves,
       .violation = superposed},
  };
}

inline std::vector<Rule> resultants() {
  return {
      {.name = "virtual_work",
       .doc = "in a rigid motion the work of the resultant is the work of the members",
       .tolerance = "its budgets times the motion",
       .uses = {"force", "torque"},
       .violation = does_virtual_work},
      {.name = "single_at_centre",
       .doc = "one member at the centre returns its own force and torque",
       .tolerance = "its budgets",
       .compares = {"force", "torque"},
       .derive = derive_single,
       .violation = returns_itself},
      Shared::axis_permutation(),
      Shared::translation(),
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({symmetries(), changes_of_unit(), parts(), resultants()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::clump_force_torque::properties
