// Regimes and laws of the ends of a capsule.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/capsule_endpoints.hpp"

#include <array>

namespace demeter::capsule_endpoints::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Turn = Quaternion<double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns a capsule with its middle at the origin. The larger of radius and shaft is 1.
inline Case unit_capsule(Random& random, Turn const& orientation) {
  double const ratio = random.log_uniform(-1, 1.5), radius = 1 / std::max(1.0, ratio);
  return {Point::Zero(), orientation, radius, ratio * radius};
}
inline Case capsule(Random& random, Turn const& orientation) {
  Case const unit = unit_capsule(random, orientation);
  return sized(unit, random);
}

inline Case draw_typical(Random& random) { return capsule(random, unit_quaternion(random)); }

inline Case draw_nearly_unit(Random& random) {
  double const off = signed_log_uniform(random, -16, -3);
  return capsule(random, (1 + off) * unit_quaternion(random));
}

/// Draws quaternions of length 0.01 to 100. The rounding errors of their components differ from those of unit
/// quaternions.
inline Case draw_far_from_unit(Random& random) {
  double const length = random.log_uniform(-2, 2);
  return capsule(random, length * unit_quaternion(random));
}

inline Case draw_range_of_quaternion(Random& random) {
  auto const exponent = static_cast<int>(random.integer(-1060, 1022));
  Turn q = unit_quaternion(random);
  for (double& each : q) each = std::ldexp(each, exponent);
  if (q.isZero()) q[0] = 0x1p-1074;
  return capsule(random, q);
}

inline Case draw_axis_aligned(Random& random) { return capsule(random, of_length_1(axis_rotation(random))); }

inline Case draw_nearly_aligned(Random& random) {
  Turn q = axis_rotation(random);
  double const tilt = random.log_uniform(-17, -1);
  q += tilt * unit_quaternion(random);
  return capsule(random, of_length_1(q));
}

inline Case draw_half_turn(Random& random) {
  Point const about = unit_direction(random);
  double const w = random.chance(0.5) ? 0 : signed_log_uniform(random, -17, -3);
  return capsule(random, of_length_1(Turn{w, about[0], about[1], about[2]}));
}

inline Case draw_mixed_scale(Random& random) {
  Turn q;
  for (double& each : q) each = random.chance(0.2) ? 0 : signed_log_uniform(random, -20, 20);
  if (q.isZero()) q[3] = 1;
  Case in = capsule(random, q);
  for (double& each : in.position) each = signed_log_uniform(random, -140, 140);
  in.radius = random.log_uniform(-140, 140);
  in.shaft = random.log_uniform(-140, 140);
  return in;
}

inline Case draw_sphere(Random& random) {
  Case in = unit_capsule(random, unit_quaternion(random));
  in.radius = 1;
  in.shaft = 0;
  return sized(in, random);
}

template <class Change>
Case each_length(Case in, Change&& change) {
  for (double& each : in.position) each = change(each);
  in.radius = change(in.radius);
  in.shaft = change(in.shaft);
  return in;
}

/// Returns a capsule of this size. The magnitude of each coordinate of its position is at most ten times the size.
inline Case capsule_of_size(Random& random, double size) {
  Case in = unit_capsule(random, unit_quaternion(random));
  in.position = 10 * cube_point(random);
  return each_length(in, [size](double x) { return size * x; });
}

inline Case draw_tiny(Random& random) { return capsule_of_size(random, random.log_uniform(-15, -5)); }

inline Case draw_global_scale(Random& random) {
  // Lengths are below 2^8 before they are multiplied by this factor, and below 2^1022 after that: no result overflows.
  // With the smallest factors, some lengths become subnormal.
  auto const exponent = static_cast<int>(random.integer(-1060, 1014));
  Case in = capsule_of_size(random, random.log_uniform(-3, 1));
  in = each_length(in, [exponent](double x) { return std::ldexp(x, exponent); });
  if (!(in.radius > 0)) in.radius = 0x1p-1074;
  return in;
}

inline Case draw_offset(Random& random) {
  double const size = random.size(), distance = size * random.log_uniform(4, 10);
  Case in = capsule_of_size(random, size);
  in.position = distance * unit_direction(random);
  return in;
}

inline Case draw_lattice(Random& random) {
  Case in;
  for (double& each : in.position) each = static_cast<double>(random.integer(-3, 3));
  do {
    for (double& each : in.orientation) each = static_cast<double>(random.integer(-3, 3));
  } while (in.orientation.isZero());
  in.radius = static_cast<double>(random.integer(1, 3));
  in.shaft = static_cast<double>(random.integer(0, 4));
  return in;
}

/// Draws needles and nearly spherical capsules of everyday size.
inline Case draw_ratios(Random& random) {
  Case in = unit_capsule(random, unit_quaternion(random));
  double const large = random.log_uniform(3, 12), small = about_a_threshold(random);
  in.radius = 1;
  in.shaft = random.chance(0.5) ? large : small;
  return sized(in, random);
}
/// Draws spheres and capsules along the axes, with some numbers replaced by -0.
inline Case draw_signed_zeros(Random& random) {
  Case const in = random.chance(0.5) ? draw_sphere(random) : draw_axis_aligned(random);
  return with_negative_zeros<Contract>(in, random);
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "any orientation, unit quaternions up to rounding; sizes of 10 um to 10 m, up to 1e3 sizes from the origin",
       draw_typical},
      {"nearly_unit", Profile::degenerate,
       "quaternions whose length differs from 1 by 1e-16 to 1e-3, as after integration", draw_nearly_unit},
      {"far_from_unit", Profile::degenerate, "quaternions with lengths of 0.01 to 100", draw_far_from_unit},
      {"range_of_quaternion", Profile::extreme, "quaternions times 2^-1060 to 2^1022, subnormal ones included",
       draw_range_of_quaternion},
      {"axis_aligned", Profile::degenerate, "rotations that map axes to axes, unit quaternions up to rounding",
       draw_axis_aligned},
      {"nearly_aligned", Profile::degenerate, "as axis_aligned, with a deviation of 1e-17 to 0.1", draw_nearly_aligned},
      {"half_turn", Profile::degenerate, "unit quaternions up to rounding, w is 0 or 1e-17 to 1e-3", draw_half_turn},
      {"mixed_scale", Profile::extreme, "each component and length has its own magnitude", draw_mixed_scale},
      {"sphere", Profile::degenerate, "the shaft is 0", draw_sphere},
      {"tiny", Profile::extreme, "grains of 1e-15 to 1e-5 m", draw_tiny},
      {"global_scale", Profile::extreme, "lengths times 2^-1060 to 2^1014: any unit of length", draw_global_scale},
      {"offset", Profile::extreme, "1e4 to 1e10 sizes from the origin", draw_offset},
      {"lattice", Profile::extreme, "small integers, including quaternions whose length is not 1", draw_lattice},
      {"ratios", Profile::degenerate, "shafts of 1e3 to 1e12 radii or of 1e-12 to 1e-6 radii", draw_ratios},
      {"signed_zeros", Profile::degenerate, "some numbers are -0", draw_signed_zeros},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers", with_subnormals<Contract, draw_lattice>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Wide = Vector3<long double>;
using Size = Output<long double>;

/// Returns how laws judge answers that are not finite. NaN is always wrong. Infinity is wrong unless a result can
/// overflow.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  bool overflow = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Answer const& out = outputs[i];
    bool const fits = 2 * Contract::scale(inputs[i]).box_low.maxCoeff() < largest_double;
    for (Point const* vector : {&out.half, &out.end0, &out.end1, &out.box_low, &out.box_high})
      for (double const x : *vector) {
        if (is_not_computed(x)) continue;
        if (std::isnan(x) || (std::isinf(x) && fits)) return {true, infinite};
        overflow = overflow || std::isinf(x);
      }
    if (is_not_computed(out.bounding_radius)) continue;
    if (std::isnan(out.bounding_radius) || (std::isinf(out.bounding_radius) && fits)) return {true, infinite};
    overflow = overflow || std::isinf(out.bounding_radius);
  }
  return {overflow, std::nullopt};
}

/// Checks the length of the half-shaft vector. The error of the length may be sqrt(3) times the allowed error of a
/// component.
inline std::optional<double> half_has_its_length(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                 Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Wide const half = outputs[0].half.cast<long double>();
  long double const largest = half.cwiseAbs().maxCoeff();
  // The division by `largest` is only a precaution: squares of subnormal doubles are in the range of long double.
  long double const length = largest > 0 ? largest * (half / largest).norm() : 0;
  return in_tolerances(std::fabs(length - inputs[0].shaft / 2.0L),
                       std::sqrt(3.0L) * allowance<Contract>(held, inputs[0], outputs[0]).half[0]);
}

/// Calls `check(in, out, may, axis)` for each of the three axes and returns the largest violation. `may` contains the
/// allowed errors of the outputs.
template <class Check>
std::optional<double> worst_over_axes(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held, Check const& check) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Size const may = allowance<Contract>(held, inputs[0], outputs[0]);
  double worst = 0;
  for (Index i = 0; i < 3; ++i) worst = std::max(worst, check(inputs[0], outputs[0], may, i));
  return worst;
}

inline std::optional<double> ends_are_apart_by_the_shaft(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                         Tolerance const& held) {
  return worst_over_axes(inputs, outputs, held, [&](Case const& in, Answer const& out, Size const& may, Index i) {
    long double const position = in.position[i], half = out.half[i];
    long double const tolerance = may.end0[i] + may.half[i];
    return worst_answered(
        {{answered(outputs, &Answer::end0), in_tolerances(std::fabs(out.end0[i] - (position - half)), tolerance)},
         {answered(outputs, &Answer::end1), in_tolerances(std::fabs(out.end1[i] - (position + half)), tolerance)}});
  });
}

inline std::optional<double> box_holds_the_ends_tightly(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                        Tolerance const& held) {
  return worst_over_axes(inputs, outputs, held, [&](Case const& in, Answer const& out, Size const& may, Index i) {
    long double const radius = in.radius, tolerance = may.box_low[i] + may.end0[i];
    long double const low = std::min(out.end0[i], out.end1[i]) - radius,
                      high = std::max(out.end0[i], out.end1[i]) + radius;
    return worst_answered(
        {{answered(outputs, &Answer::box_low), in_tolerances(std::fabs(out.box_low[i] - low), tolerance)},
         {answered(outputs, &Answer::box_high), in_tolerances(std::fabs(out.box_high[i] - high), tolerance)}});
  });
}

inline std::optional<double> sphere_holds_the_ends_tightly(std::span<Case const> inputs,
                                                           std::span<Answer const> outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  long double const radius = inputs[0].radius + inputs[0].shaft / 2.0L;
  return in_tolerances(std::fabs(outputs[0].bounding_radius - radius),
                       allowance<Contract>(held, "bounding_radius", radius));
}

inline void derive_negative(Case const& in, Random&, std::vector<Case>& inputs) {
  Case negative = in;
  negative.orientation = -in.orientation;
  inputs.push_back(negative);
}

inline void derive_quaternion_scaling(Case const& in, Random& random, std::vector<Case>& inputs) {
  auto const longer = lengthened(in.orientation, random);
  if (!longer) return;
  inputs.push_back(in);
  inputs.back().orientation = *longer;
}

/// Returns the largest difference between `expected` and the half-shaft of the second case, divided by the tolerance.
/// The tolerance includes an angle: the rounding of the quaternion may rotate the half-shaft by up to `angle`.
inline double turned_half(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held,
                          Wide const& expected, long double angle) {
  long double const tolerance =
      2 * allowance<Contract>(held, inputs[0], outputs[0]).half[0] + angle * inputs[0].shaft / 2;
  double worst = 0;
  for (Index i = 0; i < 3; ++i)
    worst = std::max(worst, in_tolerances(std::fabs(expected[i] - outputs[1].half[i]), tolerance));
  return worst;
}

inline bool products_fit(Turn const& q) {
  double const greatest = q.cwiseAbs().maxCoeff();
  return greatest < 0x1p1000 && greatest > 0x1p-1000;
}

/// Returns the product of two quaternions with the components w, x, y, z.
inline Turn product(Turn const& p, Turn const& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// Derives the capsule after a quarter turn about its own axis. The new quaternion is q (1 +- i) / sqrt(2). Its
/// components are sums of two components of q, divided by sqrt(2).
inline void derive_spin(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case spun = in;
  if (!products_fit(in.orientation)) return;
  spun.orientation = product(in.orientation, Turn(1, random.sign(), 0, 0)) / std::sqrt(2.0);
  inputs.push_back(spun);
}

/// Checks that a quarter turn about the capsule's own axis does not change the half-shaft. Each component of the
/// quaternion is rounded twice. This changes q by at most two roundings of its length, which is an angle of at most
/// four roundings. The rounding of sqrt(2) changes only the length of q.
inline std::optional<double> spin_changes_nothing(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                  Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  // The error of the orientation is at most an angle of four roundings.
  return turned_half(inputs, outputs, held, outputs[0].half.cast<long double>(), roundings(4));
}

/// Returns a rotation of the frame that depends only on the case, so that `violation` can compute it again. The
/// components of the quaternion are -1, 0 and 1: the rotation maps axes onto axes.
inline Turn frame_of(Case const& in) {
  Random random(mix_in(mix_in(mix_in(7, in.position[0]), in.radius), in.orientation[0]), 0, 0);
  return axis_rotation(random);
}
/// Returns the image of the vector v under the rotation q. It is exact, because the matrix of an `axis_rotation` has
/// the entries -1, 0 and 1.
inline Wide image(Turn const& q, Wide const& v) {
  return matrix_of(q.cast<long double>()) / static_cast<long double>(q.squaredNorm()) * v;
}

inline void derive_frame(Case const& in, Random&, std::vector<Case>& inputs) {
  if (!products_fit(in.orientation)) return;
  Case turned = in;
  Turn const frame = frame_of(in);
  turned.orientation = product(frame, in.orientation) / frame.norm();
  turned.position = image(frame, in.position.cast<long double>()).cast<double>();
  inputs.push_back(turned);
}

/// Checks that half-shaft, end and box rotate with the frame. Each component of the rotated quaternion has up to three
/// roundings. Each rounding is at most u times the sum of all components of q, which is at most 2 |q|. Together these
/// roundings change the quaternion by at most 12 |q| roundings. The division adds one rounding. The angle is therefore
/// at most 26 roundings.
inline std::optional<double> frame_turns_everything(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                    Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Turn const frame = frame_of(inputs[0]);
  Wide const half = image(frame, outputs[0].half.cast<long double>());
  double worst = worst_answered(
      // The error of the orientation is at most an angle of 26 roundings.
      {{answered(outputs, &Answer::half), turned_half(inputs, outputs, held, half, roundings(26))}});
  long double const moved = roundings(13) * inputs[0].shaft;  // angle times half of the shaft: the motion of an end
  Size const may = allowance<Contract>(held, inputs[1], outputs[1]);
  Wide const low = image(frame, outputs[0].box_low.cast<long double>()),
             high = image(frame, outputs[0].box_high.cast<long double>());
  Wide const end = image(frame, outputs[0].end1.cast<long double>());
  for (Index i = 0; i < 3; ++i) {
    long double const box = 2 * may.box_low[i] + moved, ends = 2 * may.end1[i] + moved;
    bool const has_box = answered(outputs, &Answer::box_low, &Answer::box_high);
    worst = std::max(
        worst,
        worst_answered({{answered(outputs, &Answer::end1), in_tolerances(std::fabs(end[i] - outputs[1].end1[i]), ends)},
                        {has_box, in_tolerances(std::fabs(std::min(low[i], high[i]) - outputs[1].box_low[i]), box)},
                        {has_box, in_tolerances(std::fabs(std::max(low[i], high[i]) - outputs[1].box_high[i]), box)}}));
  }
  return worst;
}

inline std::vector<std::string_view> all() {
  return {"half", "end0", "end1", "box_low", "box_high", "bounding_radius"};
}

struct Invariant {
  using Contract = capsule_endpoints::Contract;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  /// Returns whether the half-shaft is a normal number. It is a product of the shaft and two components of the
  /// quaternion. In the subnormal range, the ends would be rounded differently.
  static bool stays_normal(Case const& in) {
    double const greatest = in.orientation.cwiseAbs().maxCoeff();
    for (double const each : in.orientation)
      if (each != 0 && std::fabs(each) < 0x1p-400 * greatest) return false;
    return in.shaft == 0 || in.shaft > 0x1p-180;
  }
  /// Returns whether the kernel has this symmetry. The shaft is along x of the capsule's own frame, and a box has a low
  /// and a high side. Therefore the only symmetry exchanges y and z without a mirror. The law `frame` tests all other
  /// rotations, with rounded quaternions.
  static bool turns(Case const&, CubeMotion const& motion) {
    return motion.from[0] == 0 && motion.sign == std::array{1.0, 1.0, 1.0};
  }
};
using Shared = Invariances<Invariant>;

using Rule = Law<Case, Answer>;

inline std::vector<Rule> between_outputs() {
  return {
      // Subjects that break this law: eigen, matrix.
      {.name = "length",
       .doc = "the length of the half-shaft vector is shaft/2",
       .tolerance = "its budget in each coordinate",
       .uses = {"half"},
       .violation = half_has_its_length},
      {.name = "symmetry",
       .doc = "the ends are the position plus and minus the half-shaft vector",
       .tolerance = "the budgets of an end and of the half-shaft",
       .uses = {"half"},
       .compares = {"end0", "end1"},
       .violation = ends_are_apart_by_the_shaft},
      {.name = "box",
       .doc = "the box is the smallest box around the spheres at both ends",
       .tolerance = "the budgets of the box and of an end",
       .uses = {"end0", "end1"},
       .compares = {"box_low", "box_high"},
       .violation = box_holds_the_ends_tightly},
      {.name = "sphere",
       .doc = "the bounding radius is radius + shaft/2",
       .tolerance = "its budget",
       .uses = {"bounding_radius"},
       .violation = sphere_holds_the_ends_tightly},
  };
}

inline std::vector<Rule> about_the_quaternion() {
  return {
      {.name = "sign",
       .doc = "q and -q give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_negative,
       .violation = Shared::equal},
      // Subjects that break this law: eigen, matrix, normalised.
      {.name = "quaternion_scaling",
       .doc = "q and 2^k q give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_quaternion_scaling,
       .violation = Shared::equal},
      // Subjects that break this law: eigen, matrix.
      {.name = "spin",
       .doc = "a rotation about the own axis changes nothing",
       .tolerance = "both budgets + the rounding of the quaternion",
       .uses = {"half"},
       .derive = derive_spin,
       .violation = spin_changes_nothing},
  };
}

inline std::vector<Rule> motions() {
  return {
      // Subjects that break this law: eigen, matrix.
      {.name = "frame",
       .doc = "a rotation that maps axes to axes rotates ends and box",
       .tolerance = "both budgets + the rounding of the quaternion",
       .compares = {"half", "end1", "box_low", "box_high"},
       .derive = derive_frame,
       .violation = frame_turns_everything},
      Shared::translation(),
      Shared::axis_permutation(),
      Shared::scaling(),
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({between_outputs(), about_the_quaternion(), motions()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::capsule_endpoints::properties
