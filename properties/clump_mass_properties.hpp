// Regimes and laws of the mass properties of a clump.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/clump.hpp"
#include "reference/spec/clump_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace demeter::clump_mass_properties::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Part = Member<double>;
using Turn = Quaternion<double>;
using Wide = long double;
using Sizing = Output<Wide>;

// --------------------------------------------------------------------------------------------------------- regimes

inline double ordinary_density(Random& random) { return random.log_uniform(2, 4); }

/// Returns boxes with edges of 0.1 to 1. The coordinates of their centres are from -1 to 1.
inline Case unit_bodies(Random& random, std::int64_t count) {
  double const density = ordinary_density(random);
  Case in;
  in.members.reserve(static_cast<std::size_t>(count));
  for (; count > 0; --count) {
    double const a = random.uniform(0.1, 1), b = random.uniform(0.1, 1), c = random.uniform(0.1, 1);
    Part part;
    part.position = cube_point(random);
    part.orientation = unit_quaternion(random);
    part.mass = density * (a * b * c);
    part.inertia = part.mass / 12 * Point(b * b + c * c, a * a + c * c, a * a + b * b);
    in.members.push_back(part);
  }
  return in;
}
inline Case bodies(Random& random, std::int64_t count) {
  Case const unit = unit_bodies(random, count);
  return sized(unit, random);
}

inline Case draw_typical(Random& random) { return bodies(random, random.integer(2, 12)); }
inline Case draw_single(Random& random) { return bodies(random, 1); }
inline Case draw_many(Random& random) { return bodies(random, random.integer(60, 150)); }

/// Draws spheres. Their masses and moments are computed in double from radii and a density, as in codes.
inline Case draw_spheres(Random& random) {
  Case in = unit_bodies(random, random.integer(2, 12));
  double const density = ordinary_density(random);
  for (Part& part : in.members) {
    double const radius = random.uniform(0.1, 1);
    if (random.chance(0.5)) part.orientation = {1, 0, 0, 0};
    part.mass = 4.1887902047863905 * radius * radius * radius * density;
    part.inertia.setConstant(0.4 * part.mass * radius * radius);
  }
  return sized(in, random);
}

inline Case draw_far(Random& random) {
  Case const in = bodies(random, random.integer(1, 12));
  double const distance = size_of_case(in) * random.log_uniform(4, 10);
  return moved_by(in, distance * unit_direction(random));
}

inline Case draw_heavy_light(Random& random) {
  Case in = bodies(random, random.integer(2, 12));
  for (Part& part : in.members) {
    double const factor = random.log_uniform(-12, 12);
    part.mass *= factor;
    part.inertia *= factor;
  }
  return in;
}

/// Draws point masses. In one case of five, all masses are at one place and the inertia is zero.
inline Case draw_point_masses(Random& random) {
  Case in = bodies(random, random.integer(1, 8));
  bool const together = random.chance(0.2);
  for (Part& part : in.members) {
    part.inertia.setZero();
    if (together) part.position = in.members.front().position;
  }
  return in;
}

/// Draws point masses or rods along one line. The smallest moment of the clump is small or 0, and the other two moments
/// are equal.
inline Case draw_line(Random& random) {
  Case in = unit_bodies(random, random.integer(2, 8));
  bool const exact = random.chance(0.5), rods = random.chance(0.5);
  Point const direction = exact ? few_bits_vector(random, 8, -8) : unit_direction(random);
  for (Part& part : in.members) {
    double const along = exact ? few_bits(random, 10, -10) : random.uniform(-1, 1);
    part.position = along * direction;
    part.inertia.setZero();
    // The shortest rotation from the x axis to the direction.
    double const length = direction.norm();
    Turn const q{length + direction[0], 0, -direction[2], direction[1]};
    double const moment = part.mass * random.uniform(0, 1);
    if (rods && !q.isZero()) part.orientation = of_length_1(q), part.inertia = Point(0, moment, moment);
  }
  return exact ? sized_exactly(in, random) : sized(in, random);
}

/// Returns one of the 12 rotations whose unit quaternions have the components 0, 1/2 and 1: the identity, half turns
/// and thirds of a turn.
inline Turn exact_unit_quaternion(Random& random) {
  for (;;) {
    Turn const q = axis_rotation(random);
    double const square = q.dot(q);
    if (square == 1) return q;
    if (square == 4) return q / 2;
  }
}

/// Draws whole numbers times powers of two. All operations of the kernel are then exact except the division by the
/// mass.
inline Case draw_lattice(Random& random) {
  Case in;
  in.members.resize(static_cast<std::size_t>(random.integer(1, 8)));
  double const mass = std::ldexp(1.0, static_cast<int>(random.integer(7, 13)));
  for (Part& part : in.members) {
    for (double& x : part.position) x = static_cast<double>(random.integer(-5, 5));
    part.orientation = exact_unit_quaternion(random);
    part.mass = mass * static_cast<double>(random.integer(1, 8));
    for (double& x : part.inertia) x = mass * static_cast<double>(random.integer(0, 8));
  }
  return sized_exactly(in, random);
}

/// Returns equal members at the corners of a regular figure. The axis of the figure is along z, so that two or three
/// moments are equal.
inline Case regular(Random& random) {
  Case in;
  std::int64_t const figure = random.integer(0, 3);
  auto const put = [&in](double x, double y, double z) {
    Part part;
    part.position = {x, y, z};
    part.orientation = {1, 0, 0, 0};
    part.mass = 1024;
    part.inertia = {256, 256, 256};
    in.members.push_back(part);
  };
  double const tall = figure == 0 ? 1 : few_bits(random, 4, -2);
  if (figure <= 1)  // a cube, or a square prism
    for (int corner = 0; corner < 8; ++corner)
      put((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? tall : -tall);
  if (figure == 2)  // a tetrahedron
    put(1, 1, 1), put(1, -1, -1), put(-1, 1, -1), put(-1, -1, 1);
  if (figure == 3)  // a square and a mass above it
    put(1, 0, 0), put(-1, 0, 0), put(0, 1, 0), put(0, -1, 0), put(0, 0, tall);
  return in;
}
/// Returns the figure with an everyday size at an everyday place. In 70 % of the cases, it is also rotated at random,
/// which rounds the positions.
inline Case placed(Case in, Random& random) {
  if (random.chance(0.3)) return sized_exactly(in, random);
  Matrix3<double> const R = rotation_in<double>(random);
  for (Part& part : in.members) part.position = R * part.position;
  return sized(in, random);
}
inline Case draw_symmetric(Random& random) { return placed(regular(random), random); }
/// Draws a regular figure in which one member is moved or made heavier by a relative 1e-17 to 1e-3. The differences of
/// the moments are then about as large as rounding errors, as the limit `cluster_step` for equal moments, or larger.
inline Case draw_nearly_symmetric(Random& random) {
  Case in = regular(random);
  double const off = random.log_uniform(-17, -3);
  Part& part = any_of(in.members, random);
  if (random.chance(0.5))
    part.position += off * cube_point(random);
  else
    part.mass *= 1 + off;
  return placed(std::move(in), random);
}

/// Draws quaternions of any length, as integrators and callers produce them.
inline Case draw_not_unit(Random& random) {
  Case in = bodies(random, random.integer(1, 8));
  for (Part& part : in.members) part.orientation *= quaternion_length(random);
  return in;
}
inline Case draw_range_of_quaternion(Random& random) {
  Case in = bodies(random, random.integer(1, 8));
  for (Part& part : in.members) part.orientation *= random.log_uniform(-200, 200);
  return in;
}

/// Draws a point mass at the origin and members with down to 1e-40 of its mass. Only the light members contribute to
/// the inertia. The regime is extreme, because the large mass must be at the origin: elsewhere, rounding would move it
/// and change the inertia by more than the light members contribute.
inline Case draw_mixed_masses(Random& random) {
  Case in = unit_bodies(random, random.integer(2, 8));
  double const all = random.log_uniform(-30, 0);
  for (Part& part : in.members) {
    double const lighter = all * random.log_uniform(-10, 0);
    part.mass *= lighter;
    part.inertia *= lighter;
  }
  Part& heavy = any_of(in.members, random);
  heavy.position.setZero();
  heavy.inertia.setZero();
  heavy.mass = ordinary_density(random);
  double const factor = factor_to_size(in, random.size());
  return scaled_by(in, factor, factor * factor * factor);
}

/// Draws members with one moment multiplied by a factor from 1e-12 to 1. The position of the member is multiplied by
/// the same factor.
inline Case draw_disparate(Random& random) {
  Case in = unit_bodies(random, random.integer(1, 6));
  for (Part& part : in.members) {
    double const factor = random.log_uniform(-12, 0);
    part.inertia[static_cast<Index>(random.integer(0, 2))] *= factor;
    part.position *= factor;
  }
  return sized(in, random);
}

/// Returns a clump whose lengths are multiplied by 2^length and whose masses are multiplied by 2^mass.
inline Case scaled_clump(Random& random, int length, int mass) {
  Case in = unit_bodies(random, random.integer(1, 8));
  for (Part& part : in.members) {
    for (double& x : part.position) x = std::ldexp(x, length);
    part.mass = std::ldexp(part.mass, mass);
    for (double& x : part.inertia) x = std::ldexp(x, mass + 2 * length);
    if (part.mass == 0) part.mass = 0x1p-1074;
  }
  return in;
}
inline Case draw_extreme_scale(Random& random) {
  auto const length = static_cast<int>(random.integer(-200, 200)), mass = static_cast<int>(random.integer(-300, 300));
  return scaled_clump(random, length, mass);
}
inline Case draw_subnormal(Random& random) {
  auto const moment = static_cast<int>(random.integer(-1085, -1000));
  int const length = random.chance(0.5) ? 0 : -static_cast<int>(random.integer(200, 600));
  return scaled_clump(random, length, moment - 2 * length);
}
inline Case draw_huge(Random& random) {
  auto const moment = static_cast<int>(random.integer(900, 980));
  int const length = random.chance(0.5) ? 0 : static_cast<int>(random.integer(200, 600));
  return scaled_clump(random, length, moment - 2 * length);
}

/// Draws lists of every length. In one case of four, some members are repeated.
inline Case draw_lengths(Random& random) {
  Case in = unit_bodies(random, list_length(random));
  if (random.chance(0.25)) give_some_twice(in.members, random);
  return sized(in, random);
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "2 to 12 boxes with sizes of 10 um to 10 m, up to 1e3 sizes from the origin",
       draw_typical},
      {"single", Profile::everyday, "one member", draw_single},
      {"many", Profile::everyday, "60 to 150 members", draw_many},
      {"spheres", Profile::everyday, "2 to 12 spheres of one density", draw_spheres},
      {"far", Profile::extreme, "1e4 to 1e10 sizes from the origin", draw_far},
      {"heavy_light", Profile::extreme, "masses differ by a factor of up to 1e24", draw_heavy_light},
      {"point_masses", Profile::degenerate, "members without moments of inertia, in some cases all at one point",
       draw_point_masses},
      {"line", Profile::degenerate, "point masses or rods on a line", draw_line},
      {"lattice", Profile::degenerate, "integers times powers of two, and rotations that map axes to axes",
       draw_lattice},
      {"symmetric", Profile::degenerate, "regular arrangements: two or three moments are equal", draw_symmetric},
      {"nearly_symmetric", Profile::degenerate, "regular arrangements with one member moved by 1e-17 to 1e-3",
       draw_nearly_symmetric},
      {"not_unit", Profile::degenerate, "quaternions with lengths of 0.01 to 100, or nearly 1", draw_not_unit},
      {"disparate", Profile::degenerate, "members with one moment multiplied by 1e-12 to 1: needles and plates",
       draw_disparate},
      {"extreme_scale", Profile::extreme, "lengths times 2^-200 to 2^200, masses times 2^-300 to 2^300",
       draw_extreme_scale},
      {"subnormal", Profile::extreme, "moments near and below the smallest normal double", draw_subnormal},
      {"huge", Profile::extreme, "moments from 2^900 to 2^1010", draw_huge},
      {"lengths", Profile::everyday,
       "1 to 130 members, numbers next to powers of two up to 1,025, and thousands; some members are duplicates",
       draw_lengths},
      {"range_of_quaternion", Profile::extreme, "quaternions with lengths of 1e-200 to 1e200",
       draw_range_of_quaternion},
      {"mixed_masses", Profile::extreme, "a point mass at the origin and members with 1e-40 to 1 times its mass",
       draw_mixed_masses},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return unusable_unless_large<Contract>(inputs, outputs, 2);
}

inline std::vector<std::string_view> sums() { return {"mass", "centroid", "inertia", "principal"}; }
inline std::vector<std::string_view> all() { return {"mass", "centroid", "inertia", "principal", "orientation"}; }

struct Body {
  using Contract = clump_mass_properties::Contract;
  static constexpr auto parts = &Case::members;
  static constexpr auto place = &Part::position;
  static std::vector<std::string_view> outputs() { return sums(); }  // without the axes, which are not unique
  static constexpr auto unusable = properties::unusable;
};
using Shared = TensorLaws<Body>;
using Alike = Invariances<Body>;

/// Derives the case in which some members are rotated by half a turn about one of their own principal axes: q i, q j or
/// q k.
inline void derive_own_half_turn(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    Turn const q = part.orientation;
    std::int64_t const axis = random.integer(0, 3);
    if (axis == 1) part.orientation = {-q[1], q[0], q[3], -q[2]};
    if (axis == 2) part.orientation = {-q[2], -q[3], q[0], q[1]};
    if (axis == 3) part.orientation = {-q[3], q[2], -q[1], q[0]};
  }
  inputs.push_back(std::move(turned));
}

/// Rotates the own frame of each member by a third of a turn about the diagonal of its axes: q (1, 1, 1, 1) / 2. The
/// moments are permuted in the same way, so that the body does not change.
inline void derive_own_relabelling(Case const& in, Random&, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    if (part.orientation.cwiseAbs().maxCoeff() < 0x1p-900) return;  // halving may round
    Turn const q = 0.5 * part.orientation;
    Point const I = part.inertia;
    part.orientation = {q[0] - q[1] - q[2] - q[3], q[0] + q[1] + q[2] - q[3], q[0] - q[1] + q[2] + q[3],
                        q[0] + q[1] - q[2] + q[3]};
    part.inertia = {I[1], I[2], I[0]};
  }
  inputs.push_back(std::move(turned));
}
/// Checks that the inertia does not change. A component of the rotated quaternion has three roundings, each of at most
/// u times the length of the quaternion. The error of the quaternion is therefore at most six roundings of its length.
/// The error of the angle is at most twelve roundings, and the relative error of the tensor is at most twice this
/// angle.
inline std::optional<double> same_in_another_frame(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                   Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing tolerance = allowance<Contract>(held, inputs, outputs);
  // 24 is twice the angle of at most twelve roundings.
  Wide const rounding = roundings(24) * Contract::scale(inputs[0]).inertia[0];
  tolerance.inertia += WideTensor::Constant(rounding);
  tolerance.principal += WideVector::Constant(rounding);
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  return worst_answered(
      {{answered(outputs, &Answer::inertia), worst_component(WideTensor(b.inertia - a.inertia), tolerance.inertia)},
       {answered(outputs, &Answer::principal),
        worst_component(WideVector(b.principal - a.principal), tolerance.principal)}});
}

inline void derive_opposite_quaternions(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  other.members.front().orientation *= -1;
  for (Part& part : other.members)
    if (random.chance(0.5)) part.orientation *= -1;
  inputs.push_back(std::move(other));
}

/// Derives quaternions that are multiplied by powers of two, if the squares of their components stay normal numbers.
/// Quaternions of length about 1, as in scenes, do not change.
inline void derive_longer_quaternions(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  bool changed = false;
  for (Part& part : other.members) {
    if (about_length_1(part.orientation)) continue;
    auto const exponent = static_cast<int>(random.integer(-60, 60));
    Turn const longer = std::ldexp(1.0, exponent) * part.orientation;
    bool normal = true;
    for (Turn const& q : {longer, part.orientation})
      for (double const each : q) normal = normal && (each == 0 || std::abs(std::ilogb(each)) < 400);
    if (!normal) continue;
    part.orientation = longer;
    changed = true;
  }
  if (changed) inputs.push_back(std::move(other));
}

/// Replaces a member by two halves at the same place.
inline void derive_halves(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case cut = in;
  Part& part = any_of(cut.members, random);
  Part half = part;
  half.mass *= 0.5;
  half.inertia *= 0.5;
  if (2 * half.mass != part.mass || 2 * half.inertia != part.inertia) return;  // halving rounded
  part = half;
  insert_anywhere(cut.members, random, half);
  inputs.push_back(std::move(cut));
}

inline void derive_union(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case first, second;
  for (Part const& part : in.members) (random.chance(0.5) ? first : second).members.push_back(part);
  if (first.members.empty() || second.members.empty()) return;
  inputs.push_back(std::move(first));
  inputs.push_back(std::move(second));
}
inline std::optional<double> united(std::span<Case const> inputs, std::span<Answer const> outputs,
                                    Tolerance const& held) {
  std::array<Case, 3> const cases{inputs[1], inputs[2], inputs[0]};
  std::array<Answer, 3> const answers{outputs[1], outputs[2], outputs[0]};
  return Shared::two_as_one(cases, answers, held);
}

inline void derive_single(Case const& in, Random& random, std::vector<Case>& inputs) {
  inputs.push_back(Case{{any_of(in.members, random)}});
}
inline std::optional<double> returns_itself(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Part const& part = inputs[1].members.front();
  Sizing const tolerance = allowance<Contract>(held, inputs[1], outputs[1]), out = cast<Sizing>(outputs[1]);
  std::array<double, 3> sorted{part.inertia[0], part.inertia[1], part.inertia[2]};
  std::sort(sorted.begin(), sorted.end());
  WideVector const moments(sorted[0], sorted[1], sorted[2]);
  outputs = outputs.subspan(1);
  return worst_answered(
      {{answered(outputs, &Answer::mass), in_tolerances(std::fabs(out.mass - part.mass), tolerance.mass)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(out.centroid - part.position.cast<Wide>()), tolerance.centroid)},
       {answered(outputs, &Answer::principal),
        worst_component(WideVector(out.principal - moments), tolerance.principal)}});
}

/// Checks that no moment exceeds the sum of the other two, if this is true for every member.
inline std::optional<double> triangle(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  for (Part const& part : inputs[0].members) {
    WideVector const I = part.inertia.cast<Wide>();
    if (2 * I.maxCoeff() > I.sum()) return std::nullopt;
  }
  WideVector const moments = outputs[0].principal.cast<Wide>();
  return in_tolerances(moments[2] - moments[1] - moments[0],
                       3 * allowance<Contract>(held, inputs[0], outputs[0]).principal[0]);
}

/// Selects the outputs for laws that also compare the principal axes. A change of units must not change the choice of
/// the axes.
struct ToTheBit {
  using Contract = clump_mass_properties::Contract;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  /// Returns whether every factor of a product is far from the ends of the range of doubles.
  static bool stays_normal(Case const& in) {
    auto const fine = [](Wide x) { return is_moderate(x, 400); };
    bool all_fine = of_all_numbers(in, fine);
    for (Part const& part : in.members)
      for (double const x : part.position) all_fine = all_fine && fine(static_cast<Wide>(part.mass) * x * x);
    return all_fine;
  }
};

using Rule = Law<Case, Answer>;

inline std::vector<Rule> motions() {
  return {
      Shared::permutation("the order of the members does not change the answer"),
      Alike::translation(),
      Alike::axis_permutation(),
  };
}

inline std::vector<Rule> about_the_quaternions() {
  return {
      {.name = "own_half_turn",
       .doc = "half a turn of a member about one of its principal axes changes nothing",
       .tolerance = "both budgets",
       .compares = sums(),
       .derive = derive_own_half_turn,
       .violation = Shared::same},
      {.name = "own_relabelling",
       .doc = "a permutation of the axes and moments of a member changes nothing",
       .tolerance = "both budgets + the rounding of the quaternion",
       .compares = {"inertia", "principal"},
       .derive = derive_own_relabelling,
       .violation = same_in_another_frame},
      {.name = "sign",
       .doc = "q and -q of a member give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_opposite_quaternions,
       .violation = Invariances<ToTheBit>::equal},
      {.name = "quaternion_scaling",
       .doc = "q and 2^k q of a member give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_longer_quaternions,
       .violation = Invariances<ToTheBit>::equal},
  };
}

inline std::vector<Rule> changes_of_unit() {
  return {
      Invariances<ToTheBit>::scaling(),
  };
}

inline std::vector<Rule> parts() {
  return {
      {.name = "halves",
       .doc = "a member can be replaced by two halves at the same place",
       .tolerance = "both budgets",
       .compares = sums(),
       .derive = derive_halves,
       .violation = Shared::same},
      {.name = "union",
       .doc = "two parts add by the parallel axis theorem about their common centroid",
       .tolerance = "all budgets, that of the centroids times the arm",
       .compares = {"mass", "centroid", "inertia"},
       .derive = derive_union,
       .violation = united},
      {.name = "single",
       .doc = "a clump of one member has the properties of the member",
       .tolerance = "its budgets",
       .compares = {"mass", "centroid", "principal"},
       .derive = derive_single,
       .violation = returns_itself},
  };
}

inline std::vector<Rule> about_the_moments() {
  return {
      Shared::composition(),
      {.name = "order",
       .doc = "the moments ascend and are not negative",
       .tolerance = "its budget; twice its budget between two moments",
       .uses = {"principal"},
       .violation = Shared::ascend},
      {.name = "triangle",
       .doc = "no moment exceeds the sum of the other two, if this holds for every member",
       .tolerance = "three budgets",
       .uses = {"principal"},
       .violation = triangle},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({motions(), about_the_quaternions(), changes_of_unit(), parts(), about_the_moments()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::clump_mass_properties::properties
