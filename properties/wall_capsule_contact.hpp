// Regimes and laws of the contact of a capsule with a wall.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <array>

namespace demeter::wall_capsule_contact::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns a wall across a random axis with a random sense, and a capsule. The capsule's centre is on the free side of
/// the wall, at the distance `height` from the wall. `rise` is the component of the half-shaft away from the wall.
/// `along` is its component along the wall.
inline Case facing(Random& random, double wall, double height, double rise, double along, double radius) {
  Case in;
  std::int64_t const axis = random.integer(0, 2);
  in.axis = static_cast<double>(axis);
  in.sense = random.sign();
  in.wall = wall;
  in.radius = radius;
  in.centre = radius * cube_point(random);
  in.centre[axis] = wall + in.sense * height;
  // A random direction along the wall. Draws points in a square until one is in the unit disc, then normalises this
  // point.
  double a = 0, b = 0, square = 0;
  while (square < 0.01 || square > 1) {
    a = random.uniform(-1, 1);
    b = random.uniform(-1, 1);
    square = a * a + b * b;
  }
  double const length = std::sqrt(square);
  in.half[axis] = in.sense * rise;
  in.half[(axis + 1) % 3] = along * (a / length);
  in.half[(axis + 2) % 3] = along * (b / length);
  return in;
}

/// Draws slender and stout capsules at any inclination. Neither end, one end or both ends overlap.
inline Case draw_typical(Random& random) {
  double const radius = random.uniform(0.1, 1), half = random.uniform(0.02, 2);
  double const sine = random.uniform(-1, 1), rise = half * sine, along = half * std::sqrt(1 - sine * sine);
  double const reach = std::fabs(rise), wall = random.uniform(-1, 1);
  double height = radius;
  switch (random.integer(0, 2)) {
    case 0:  // both ends overlap
      height += -reach - radius * random.uniform(0, 0.5);
      break;
    case 1:  // one end overlaps
      height += reach * random.uniform(-1, 1);
      break;
    default:
      height += reach + radius * random.uniform(-0.2, 0.3);
  }
  return facing(random, wall, height, rise, along, radius);
}

inline Case draw_flat(Random& random) {
  double const radius = random.log_uniform(-1, 0), along = random.uniform(0.1, 5);
  double const wall = signed_log_uniform(random, -3, 0);
  double const tilt = random.log_uniform(-18, -1), sign = random.sign();
  double const rise = random.chance(0.3) ? 0 : sign * along * tilt;
  double const depth = random.log_uniform(-9, -0.5), side = random.chance(0.25) ? -1 : 1;
  return facing(random, wall, radius - side * depth * radius, rise, along, radius);
}

/// Draws capsules whose rise is about as large as their overlap. The position lambda of the contact point along the
/// axis may then have any value. The depth of the centre is a small difference of large numbers.
inline Case draw_level_onset(Random& random) {
  double const radius = random.log_uniform(-1, 0), along = random.uniform(0.1, 5);
  double const wall = signed_log_uniform(random, -3, 0);
  double const depth = radius * random.log_uniform(-16, -3), ratio = random.uniform(-1.5, 1.5);
  double const side = random.chance(0.25) ? -1 : 1;
  Case in = facing(random, wall, radius, depth * ratio, along, radius);
  // The depth is added to the radius and not to the height, because the ulps of the height may be larger than the
  // depth.
  in.radius += side * depth;
  return in;
}

/// Draws cases with numbers of few bits, so that every gap is exact. One end of the capsule touches exactly, or both
/// ends if the capsule is level. Some cases are then changed by ulps, others by a relative 1e-15 to 1e-3.
inline Case draw_touching(Random& random) {
  auto const positive = [&] { return std::ldexp(static_cast<double>(random.integer(1, 255)), -6); };
  double const radius = positive(), wall = few_bits(random, 10, -6), size = positive();
  double const rise = random.chance(0.2) ? 0 : random.sign() * size;
  // Either the deeper end touches, or the shallower end touches and the other end overlaps.
  bool const deeper = random.chance(0.6);
  double const height = deeper ? radius + std::fabs(rise) : radius - std::fabs(rise);
  Case in = facing(random, wall, height, rise, 0, radius);
  auto const axis = static_cast<Index>(in.axis);
  for (Index i = 0; i < 3; ++i)
    if (i != axis) in.half[i] = few_bits(random, 8, -6);
  std::int64_t const kind = random.integer(0, 3);
  if (kind == 3) in.radius *= 1 + off_a_threshold(random);
  if (kind == 2) {
    in.wall = random.nudge(in.wall, 2);
    in.radius = random.nudge(in.radius, 2);
    in.centre[axis] = random.nudge(in.centre[axis], 2);
  }
  return in;
}

inline Case draw_sphere(Random& random) {
  Case in = draw_typical(random);
  in.half = Point::Zero();
  auto const axis = static_cast<Index>(in.axis);
  double const off = off_a_threshold(random),
               height = in.radius * (random.chance(0.5) ? 1 + off : random.uniform(-0.5, 1.5));
  in.centre[axis] = in.wall + in.sense * height;
  return in;
}

template <class Change>
Case each_length(Case in, Change&& change) {
  in.wall = change(in.wall);
  in.radius = change(in.radius);
  for (Index i = 0; i < 3; ++i) {
    in.centre[i] = change(in.centre[i]);
    in.half[i] = change(in.half[i]);
  }
  return in;
}

inline Case draw_tiny(Random& random) {
  Case const in = draw_typical(random);
  double const size = random.log_uniform(-12, -5);
  return each_length(in, [size](double x) { return size * x; });
}

/// Returns a case of unit size from one of four regimes.
inline Case unit_scale_mixture(Random& random) {
  switch (random.integer(0, 3)) {
    case 0:
      return draw_flat(random);
    case 1:
      return draw_touching(random);
    case 2:
      return draw_level_onset(random);
    default:
      return draw_typical(random);
  }
}

inline Case draw_offset(Random& random) {
  Case in = unit_scale_mixture(random);
  auto const axis = static_cast<Index>(in.axis);
  double const far = signed_log_uniform(random, 2, 8);
  Point const beside = far * cube_point(random);
  for (Index i = 0; i < 3; ++i) in.centre[i] += i == axis ? far : beside[i];
  in.wall += far;
  return in;
}

inline Case draw_global_scale(Random& random) {
  // Lengths are below 2^4 before they are multiplied by this factor, and below 2^1022 after that: no result overflows.
  // With the smallest factors, some lengths become subnormal.
  auto const exponent = static_cast<int>(random.integer(-1040, 1018));
  Case in = each_length(unit_scale_mixture(random), [&](double x) { return std::ldexp(x, exponent); });
  if (!(in.radius > 0)) in.radius = 0x1p-1074;
  return in;
}

inline Case draw_lattice(Random& random) {
  auto const coordinate = [&] { return static_cast<double>(random.integer(-3, 3)); };
  Case in;
  in.wall = coordinate();
  in.axis = static_cast<double>(random.integer(0, 2));
  in.sense = random.sign();
  for (double& x : in.centre) x = coordinate();
  for (double& x : in.half) x = coordinate();
  in.radius = static_cast<double>(random.integer(1, 4));
  return in;
}

inline Case draw_steep(Random& random) {
  double const radius = random.uniform(0.1, 1), half = random.uniform(0.05, 2), wall = random.uniform(-1, 1);
  double const sign = random.sign(), tilt = random.chance(0.4) ? 0 : random.log_uniform(-17, -1);
  double const height = radius + half + radius * random.uniform(-0.4, 0.1);
  return facing(random, wall, height, sign * half, half * tilt, radius);
}

inline Case draw_crossing(Random& random) {
  double const radius = random.uniform(0.05, 1), wall = random.uniform(-1, 1), along = random.uniform(0, 2);
  double const sign = random.sign(), reach = random.uniform(0.1, 3);
  double const height = reach * random.uniform(-1.2, 1);
  return facing(random, wall, height, sign * reach, along, radius);
}

/// Draws needles and nearly spherical capsules in contact. Their inclination is arbitrary, nearly level or nearly
/// vertical.
inline Case draw_ratios(Random& random) {
  double const half = random.chance(0.5) ? random.log_uniform(3, 10) : about_a_threshold(random);
  double const kind = random.unit(), small = about_a_threshold(random), any = random.uniform(0, 1);
  double const sine = kind < 0.3 ? small : kind < 0.6 ? std::sqrt(1 - small * small) : any;
  bool const steep = kind >= 0.3 && kind < 0.6;
  double const rise = random.sign() * half * sine, along = half * (steep ? small : std::sqrt(1 - sine * sine));
  double const wall = random.uniform(-1, 1), end = random.uniform(-1, 1), depth = random.uniform(-0.1, 0.3);
  double const height = 1 + std::fabs(rise) * end - depth;
  return facing(random, wall, height, rise, along, 1);
}

/// Draws cases in which every length has its own magnitude.
inline Case draw_mixed_scale(Random& random) {
  Case in = draw_lattice(random);
  in.radius = 1;
  return each_length(in, [&](double x) {
    double const size = signed_log_uniform(random, -140, 140);
    return x == 1 ? std::fabs(size) : size;
  });
}

// The list of regimes. Everyday and degenerate cases are `at_a_wall`. They are `exactly_at_a_wall` if a rounded motion
// would destroy the property for which they are built. The wall moves with the capsule. A wall is one coordinate along
// an axis, and the case contains both.

inline Case moved_with_wall(Case in, Point const& shift) {
  for (Index i = 0; i < 3; ++i) in.centre[i] += shift[i];
  in.wall += shift[static_cast<Index>(in.axis)];
  return in;
}
template <Case (*draw)(Random&)>
Case at_a_wall(Random& random) {
  Case const unit = draw(random);
  double const size = random.size();
  return moved_with_wall(scaled_by(unit, factor_to_size(unit, size)), everyday_place(random, size));
}
template <Case (*draw)(Random&)>
Case exactly_at_a_wall(Random& random) {
  Case const unit = draw(random);
  double const size = random.size();
  Case const in = scaled_by(unit, exact_factor_to_size(unit, size, random.sizes()));
  Point shift = exact_part(in, everyday_place_of_few_bits(random, size));
  auto const axis = static_cast<Index>(in.axis);
  if (!adds_exactly(in.wall, shift[axis])) shift[axis] = 0;
  return moved_with_wall(in, shift);
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "any inclination: no end, one end or both ends overlap; sizes of 10 um to 10 m",
       at_a_wall<draw_typical>},
      {"flat", Profile::degenerate,
       "level, exactly or up to 1e-18 to 0.1, with an overlap or a gap of 1e-9 to 0.3 radii", at_a_wall<draw_flat>},
      {"level_onset", Profile::degenerate, "inclination and overlap of the same size, both 1e-16 to 1e-3 radii",
       exactly_at_a_wall<draw_level_onset>},
      {"touching", Profile::degenerate,
       "one end touches, exactly or up to ulps or 1e-15 to 1e-3 radii; the other overlaps, is separated or touches too",
       exactly_at_a_wall<draw_touching>},
      {"sphere", Profile::degenerate, "the half-shaft is 0, half of them just touching", at_a_wall<draw_sphere>},
      {"tiny", Profile::extreme, "grains of 1e-12 to 1e-5 m", draw_tiny},
      {"offset", Profile::extreme, "unit geometry at a wall up to 1e8 away from the origin", draw_offset},
      {"global_scale", Profile::extreme, "unit geometry times 2^-1040 to 2^1018: any unit of length",
       draw_global_scale},
      {"lattice", Profile::degenerate, "integers from -3 to 3: all kinds of ties and zero gaps",
       exactly_at_a_wall<draw_lattice>},
      {"steep", Profile::degenerate, "perpendicular to the wall, exactly or nearly", at_a_wall<draw_steep>},
      {"crossing", Profile::degenerate, "the axis crosses the wall or is behind it", at_a_wall<draw_crossing>},
      {"mixed_scale", Profile::extreme, "each length has its own magnitude from 1e-140 to 1e140", draw_mixed_scale},
      {"ratios", Profile::extreme, "half-shafts of 1e3 to 1e10 radii or of 1e-12 to 1e-6 radii",
       at_a_wall<draw_ratios>},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, exactly_at_a_wall<draw_lattice>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers",
       with_subnormals<Contract, either<draw_typical, draw_lattice>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Wide = Vector3<long double>;
using Size = Output<long double>;

/// The rounded sum a + b and its rounding error.
struct Sum {
  long double high, low;
};
inline Sum two_sum(long double a, long double b) {
  long double const sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// Returns the depth of the centre: the radius minus the height above the wall. The sums in long double include their
/// rounding errors, so that the relative error is about 2^-62.
inline long double depth(Case const& in) {
  Sum const from_wall = two_sum(in.centre[axis_of(in)], -static_cast<long double>(in.wall));
  Sum const depth = two_sum(in.radius, -in.sense * from_wall.high);
  return depth.high + (depth.low - in.sense * from_wall.low);
}
/// Returns the height of end 1 above the centre.
inline long double rise(Case const& in) { return static_cast<long double>(in.sense) * in.half[axis_of(in)]; }
/// Returns the gap of end 0 or 1. Its error is a few times 2^-64 S.
inline long double gap(Case const& in, int end) { return -depth(in) + (end == 0 ? -rise(in) : rise(in)); }

/// Returns how laws judge answers that are not finite. NaN is always wrong. Infinity is wrong unless a result can
/// overflow.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  bool overflow = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Size const size = Contract::scale(inputs[i]);
    for (double const x : {outputs[i].uN, outputs[i].point[0], outputs[i].point[1], outputs[i].point[2]}) {
      if (is_not_computed(x)) continue;
      if (std::isnan(x)) return {true, infinite};
      if (!std::isinf(x)) continue;
      if (2 * std::max(size.uN, size.point.maxCoeff()) < largest_double) return {true, infinite};
      overflow = true;
    }
  }
  return {overflow, std::nullopt};
}

/// Returns whether a case has everyday size and a shaft that is neither short nor level. Some laws remove the shaft or
/// make it level. They skip such a case, because the everyday case would become degenerate.
inline bool is_generic(Case const& in, Sizes const& sizes = {}) {
  return has_everyday_size(in, sizes) && std::fabs(rise(in)) > 1e-3L * size_of_case(in);
}

inline double change_in_tolerances(double x, double y, long double tolerance) {
  return in_tolerances(std::fabs(static_cast<long double>(x) - y), tolerance);
}

/// Checks that the last answer is the transformed answer to the case before it, within both budgets. Axis i of the last
/// case is axis from[i] of the case before it, mirrored if sign[i] is -1 and then moved by shift[i].
inline std::optional<double> transformed(std::span<Case const> inputs, std::span<Answer const> outputs,
                                         Tolerance const& held, std::array<Index, 3> const& from, Wide const& sign,
                                         Wide const& shift) {
  inputs = inputs.last(2), outputs = outputs.last(2);
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Size const first = allowance<Contract>(held, inputs[0], outputs[0]),
             second = allowance<Contract>(held, inputs[1], outputs[1]);
  bool const has_normal = answered(outputs, &Answer::normal), has_point = answered(outputs, &Answer::point);
  double worst = worst_answered(
      {{answered(outputs, &Answer::uN), change_in_tolerances(outputs[0].uN, outputs[1].uN, first.uN + second.uN)}});
  for (std::size_t j = 0; j < 3; ++j) {
    auto const i = static_cast<Index>(j);
    Index const k = from[j];
    long double const turned = sign[i] * outputs[0].normal[k];
    if (has_normal && outputs[1].normal[i] != turned) {
      if (held.to_the_bit) return infinite;
      worst =
          std::max(worst, in_tolerances(std::fabs(outputs[1].normal[i] - turned), first.normal[k] + second.normal[i]));
    }
    if (!has_point) continue;
    // The sum of point and shift has a relative rounding error of 2^-64. This is 2^10 times smaller than the tolerance,
    // because the tolerance is relative to the moved point.
    long double const moved = sign[i] * outputs[0].point[k] + shift[i];
    worst = std::max(worst, in_tolerances(std::fabs(moved - outputs[1].point[i]), first.point[k] + second.point[i]));
  }
  return worst;
}

inline std::optional<double> is_least_gap(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  long double const least = std::min(gap(inputs[0], 0), gap(inputs[0], 1));
  return in_tolerances(std::fabs(outputs[0].uN - least), allowance<Contract>(held, inputs[0], outputs[0]).uN);
}

/// Returns the case with one end moved by `distance` along the axis of the wall.
inline Case end_moved(Case const& in, int end, double distance) {
  Case moved = in;
  Index const k = axis_of(in);
  double const step = distance / 2;
  moved.centre[k] += step;
  moved.half[k] += end == 0 ? -step : step;
  return moved;
}

inline void derive_deeper(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  if (Contract::scale(original).uN > 0x1p1000L) return;
  for (int end = 0; end < 2; ++end) {
    // A shallower end moves towards the depth of the other end, or a little farther. A deeper end moves by up to a
    // radius.
    auto const apart = static_cast<double>(gap(original, end) - gap(original, 1 - end));
    double const distance = apart > 0 ? apart * random.uniform(0, 1.2) : original.radius * random.log_uniform(-6, 0);
    inputs.push_back(end_moved(original, end, -original.sense * distance));
  }
}

/// Checks that uN does not increase when one end moves deeper. The tolerance includes the rounding of the moved input.
inline std::optional<double> no_less_overlap(std::span<Case const> inputs, std::span<Answer const> outputs,
                                             Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  double worst = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    long double const rounding = std::max({0.0L, gap(inputs[i], 0) - gap(inputs[0], 0),  //
                                           gap(inputs[i], 1) - gap(inputs[0], 1)});
    long double const rise = static_cast<long double>(outputs[i].uN) - outputs[0].uN;
    long double const tolerance = allowance<Contract>(held, inputs[0], outputs[0]).uN +
                                  allowance<Contract>(held, inputs[i], outputs[i]).uN + rounding;
    worst = std::max(worst, in_tolerances(rise, tolerance));
  }
  return worst;
}

inline void derive_motion(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  if (Contract::scale(original).uN > 0x1p1000L) return;
  Index const k = axis_of(original);
  auto const step = [&] { return original.radius * signed_log_uniform(random, -10, 0); };
  Case shifted = original;
  shifted.centre[k] += step();
  inputs.push_back(shifted);
  for (int end = 0; end < 2; ++end) inputs.push_back(end_moved(original, end, step()));
}

inline std::optional<double> no_steeper_than_one(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                 Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  double worst = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    long double const motion =
        std::max(std::fabs(gap(inputs[i], 0) - gap(inputs[0], 0)), std::fabs(gap(inputs[i], 1) - gap(inputs[0], 1)));
    worst = std::max(worst, change_in_tolerances(outputs[0].uN, outputs[i].uN,
                                                 motion + allowance<Contract>(held, inputs[0], outputs[0]).uN +
                                                     allowance<Contract>(held, inputs[i], outputs[i]).uN));
  }
  return worst;
}

inline std::optional<double> normal_is_exact(std::span<Case const> inputs, std::span<Answer const> outputs,
                                             Tolerance const& held) {
  double worst = 0;
  for (Index i = 0; i < 3; ++i) {
    double const expected = i == axis_of(inputs[0]) ? inputs[0].sense : 0, x = outputs[0].normal[i];
    if (x == expected) continue;
    if (held.to_the_bit) return infinite;
    worst =
        std::max(worst, change_in_tolerances(x, expected, allowance<Contract>(held, inputs[0], outputs[0]).normal[i]));
  }
  return worst;
}

/// Checks the contact point. Along the wall, it is centre + lambda half for one lambda in [-1, 1]. Along the axis of
/// the wall, it is uN/2 from the wall on the free side.
inline std::optional<double> point_is_on_the_shadow(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                    Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  Index const k = axis_of(in), i = (k + 1) % 3, j = (k + 2) % 3;
  long double const height = static_cast<long double>(out.point[k]) - in.wall - in.sense * (out.uN / 2.0L);
  Size const may = allowance<Contract>(held, in, out);
  double worst =
      worst_answered({{answered(outputs, &Answer::uN), in_tolerances(std::fabs(height), may.point[k] + may.uN / 2)}});
  // lambda follows from the larger of the two components of half.
  long double const hi = in.half[i], hj = in.half[j];
  long double const away_i = static_cast<long double>(out.point[i]) - in.centre[i],
                    away_j = static_cast<long double>(out.point[j]) - in.centre[j];
  bool const by_i = std::fabs(hi) > std::fabs(hj);
  long double const larger = by_i ? hi : hj;
  long double lambda = larger == 0 ? 0 : (by_i ? away_i : away_j) / larger;
  lambda = std::clamp(lambda, -1.0L, 1.0L);
  // lambda has the error of the component from which it is computed. Therefore this error also affects the other
  // component.
  long double const error = larger == 0 ? 0 : may.point[by_i ? i : j] / std::fabs(larger);
  worst = std::max(worst, in_tolerances(std::fabs(away_i - lambda * hi), may.point[i] + error * std::fabs(hi)));
  return std::max(worst, in_tolerances(std::fabs(away_j - lambda * hj), may.point[j] + error * std::fabs(hj)));
}

/// Checks that the point is the mean of the ends, weighted by their overlaps. If only one end overlaps, the point must
/// be at this end. If no end overlaps, the point must be at the nearer end.
inline std::optional<double> weights_balance(std::span<Case const> inputs, std::span<Answer const> outputs,
                                             Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  long double const t = depth(in), h = rise(in), reach = std::fabs(h);
  long double lambda = h > 0 ? -1 : h < 0 ? 1 : 0;
  if (reach < t) lambda = -h / t;
  double worst = 0;
  Size const may = allowance<Contract>(held, in, outputs[0]);
  for (Index i = 0; i < 3; ++i) {
    if (i == axis_of(in)) continue;
    long double const away = static_cast<long double>(outputs[0].point[i]) - in.centre[i];
    worst = std::max(worst, in_tolerances(std::fabs(away - lambda * in.half[i]), may.point[i]));
  }
  return worst;
}

inline std::optional<double> status_counts_the_ends(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                    Tolerance const& held) {
  int const count = static_cast<int>(outputs[0].status);
  long double const tolerance = allowance<Contract>(held, inputs[0], outputs[0]).uN;
  double worst = 0;
  int certain = 0, possible = 0;
  for (int end = 0; end < 2; ++end) {
    long double const g = gap(inputs[0], end);
    if (g < -tolerance) ++certain;
    if (g < tolerance) ++possible;
  }
  if (count < certain || count > possible) worst = infinite;
  return worst;
}

inline void derive_reversal(Case const& in, Random&, std::vector<Case>& inputs) {
  Case reversed = in;
  reversed.half = -reversed.half;
  inputs.push_back(reversed);
}

inline std::optional<double> same_answer(std::span<Case const> inputs, std::span<Answer const> outputs,
                                         Tolerance const& held) {
  return transformed(inputs, outputs, held, {0, 1, 2}, Wide::Ones(), Wide::Zero());
}

/// Returns a symmetry of the cube that depends only on the case, so that `violation` can compute it again.
inline CubeMotion cube_motion_of(Case const& in) {
  return cube_motion(1 + mix_in(mix_in(mix_in(7, in.centre[0]), in.radius), in.wall) % 47);
}

inline void derive_axis_permutation(Case const& in, Random&, std::vector<Case>& inputs) {
  CubeMotion const motion = cube_motion_of(in);
  Case moved = in;
  for (std::size_t j = 0; j < 3; ++j) {
    auto const i = static_cast<Index>(j);
    moved.centre[i] = motion.sign[j] * in.centre[motion.from[j]];
    moved.half[i] = motion.sign[j] * in.half[motion.from[j]];
    if (motion.from[j] == axis_of(in)) {
      moved.axis = static_cast<double>(j);
      moved.wall = motion.sign[j] * in.wall;
      moved.sense = motion.sign[j] * in.sense;
    }
  }
  inputs.push_back(moved);
}

inline std::optional<double> permuted(std::span<Case const> inputs, std::span<Answer const> outputs,
                                      Tolerance const& held) {
  CubeMotion const motion = cube_motion_of(inputs[0]);
  return transformed(inputs, outputs, held, motion.from, Wide(motion.sign[0], motion.sign[1], motion.sign[2]),
                     Wide::Zero());
}

/// Derives two cases: the case with rounded numbers, and this case after a translation that rounds neither the wall nor
/// the centre. Numbers with full mantissas rarely allow such a translation. Therefore the numbers are first rounded to
/// multiples of 2^-40 of the largest length.
inline void derive_translation(Case const& in, Random& random, std::vector<Case>& inputs) {
  Size const size = Contract::scale(in);
  long double const largest = std::max(size.uN, size.point.maxCoeff());
  int const exponent = std::ilogb(largest);
  if (exponent > 1000 || exponent < -1000) return;
  Index const k = axis_of(in);
  Case cut =
      each_length(in, [&](double x) { return std::ldexp(std::round(std::ldexp(x, 40 - exponent)), exponent - 40); });
  if (!(cut.radius > 0)) return;
  int const near =
      has_everyday_size(in, random.sizes()) ? std::min(exponent, std::ilogb(size_of_case(in)) + 6) : exponent;
  Point const shift = few_bits_vector(random, 6, near - 4);
  Case moved = cut;
  moved.centre += shift;
  moved.wall += shift[k];
  inputs.push_back(cut);
  inputs.push_back(moved);
}

inline std::optional<double> translated(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  Case const &cut = inputs[1], &moved = inputs[2];
  Wide const shift = moved.centre.cast<long double>() - cut.centre.cast<long double>();
  return transformed(inputs, outputs, held, {0, 1, 2}, Wide::Ones(), shift);
}

/// Selects the outputs for the laws of properties/core/invariance.hpp. The wall is a coordinate along an axis that the
/// input selects, and no kind of field describes this. Therefore this file defines the laws of axes and of translation
/// itself.
struct Invariant {
  using Contract = wall_capsule_contact::Contract;
  static std::vector<std::string_view> outputs() { return {"uN", "normal", "point", "status"}; }
  static constexpr auto unusable = properties::unusable;
};
using Shared = Invariances<Invariant>;

inline void derive_sphere(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (is_generic(in, random.sizes())) return;
  Case sphere = in;
  sphere.half = Point::Zero();
  inputs.push_back(sphere);
}

/// Checks a capsule without a shaft. uN is the gap of a sphere, and the point is straight below its centre. The status
/// must count both ends or no end.
inline std::optional<double> sphere_at_the_wall(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                Tolerance const& held) {
  inputs = inputs.last(1), outputs = outputs.last(1);
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  Size const may = allowance<Contract>(held, in, out);
  double worst =
      worst_answered({{answered(outputs, &Answer::uN), in_tolerances(std::fabs(out.uN + depth(in)), may.uN)}});
  for (Index i = 0; i < 3 && answered(outputs, &Answer::point); ++i)
    if (i != axis_of(in)) worst = std::max(worst, change_in_tolerances(out.point[i], in.centre[i], may.point[i]));
  if (out.status == Status::one_end && std::fabs(depth(in)) > may.uN) return infinite;
  return worst;
}

inline void derive_level(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (is_generic(in, random.sizes())) return;
  Case level = in;
  level.half[axis_of(in)] = 0;
  inputs.push_back(level);
}

/// Checks that the contact point of a level capsule is straight below the centre. The ends have equal overlaps, so that
/// there is no torque.
inline std::optional<double> no_torque(std::span<Case const> inputs, std::span<Answer const> outputs,
                                       Tolerance const& held) {
  inputs = inputs.last(1), outputs = outputs.last(1);
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  double worst = 0;
  Size const may = allowance<Contract>(held, inputs[0], outputs[0]);
  for (Index i = 0; i < 3; ++i)
    if (i != axis_of(inputs[0]))
      worst = std::max(worst, change_in_tolerances(outputs[0].point[i], inputs[0].centre[i], may.point[i]));
  return worst;
}

// There is no law that the force is the gradient of a potential: only `conservative` would satisfy it
// (docs/mathematics/capsules.md#wall_capsule_contact).
using Rule = Law<Case, Answer>;

inline std::vector<Rule> about_the_overlap() {
  return {
      // Subjects that break this law: woo, conservative.
      {.name = "least_gap",
       .doc = "uN is the least gap of the two ends",
       .tolerance = "its budget",
       .uses = {"uN"},
       .violation = is_least_gap},
      // Subjects that break this law: woo.
      {.name = "overlap_monotone",
       .doc = "a deeper end does not decrease the overlap",
       .tolerance = "both budgets",
       .uses = {"uN"},
       .derive = derive_deeper,
       .violation = no_less_overlap},
      // Subjects that break this law: conservative, woo.
      {.name = "lipschitz",
       .doc = "uN changes by at most the motion of the ends along the axis of the wall",
       .tolerance = "both budgets",
       .uses = {"uN"},
       .derive = derive_motion,
       .violation = no_steeper_than_one},
  };
}

inline std::vector<Rule> about_the_contact() {
  return {
      {.name = "normal",
       .doc = "the normal is sense times the axis of the wall",
       .tolerance = "0 with tolerance strict, otherwise its budget",
       .uses = {"normal"},
       .violation = normal_is_exact},
      // Subjects that break this law: conservative, which defines uN differently.
      {.name = "on_shadow",
       .doc = "the point is on the projection of the shaft, uN/2 from the wall",
       .tolerance = "its budget for each coordinate",
       .uses = {"point"},
       .compares = {"uN"},
       .violation = point_is_on_the_shadow},
      // Subjects that break this law: woo (an end that touches, and two ends that do not overlap).
      {.name = "balance",
       .doc = "the point is the mean of the ends weighted by their overlaps; without overlap, it is at the nearer end",
       .tolerance = "its budget for each coordinate",
       .uses = {"point"},
       .violation = weights_balance},
      {.name = "status",
       .doc = "the status is the number of ends that overlap",
       .tolerance = "its budget",
       .uses = {"status"},
       .violation = status_counts_the_ends},
  };
}

inline std::vector<Rule> symmetries() {
  return {
      // Subjects that break this law: woo, if the first end touches.
      {.name = "reversal",
       .doc = "an exchange of the ends changes nothing",
       .tolerance = "both budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_reversal,
       .violation = same_answer},
      {.name = "axis_permutation",
       .doc = "a permutation or mirroring of the axes does the same to the answer",
       .tolerance = "both budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_axis_permutation,
       .violation = permuted},
      {.name = "translation",
       .doc = "an exact translation moves the point and does not change uN",
       .tolerance = "both budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_translation,
       .violation = translated},
      Shared::scaling(),
  };
}

inline std::vector<Rule> special_cases() {
  return {
      {.name = "sphere",
       .doc = "if the half-shaft is 0, the answer is that of a sphere at a wall",
       .tolerance = "both budgets",
       .compares = {"uN", "point", "status"},
       .derive = derive_sphere,
       .violation = sphere_at_the_wall},
      {.name = "level",
       .doc = "a level capsule has no torque: the point is below its centre",
       .tolerance = "its budget for each coordinate",
       .uses = {"point"},
       .derive = derive_level,
       .violation = no_torque},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({about_the_overlap(), about_the_contact(), symmetries(), special_cases()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::wall_capsule_contact::properties
