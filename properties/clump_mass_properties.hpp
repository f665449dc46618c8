// Regimes and laws of the mass properties of a clump.
#pragma once

#include "properties/core/generators.hpp"
#include "properties/core/law.hpp"
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

// --------------------------------------------------------------------------------------------------------- regimes

// The order in which a compiler evaluates operands and arguments is open, so no expression below draws twice: a case
// must not depend on the compiler.

/// A uniformly random rotation, of length 1 to rounding.
inline Turn unit_quaternion(Random& random) {
  for (;;) {
    double const w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1),
                 z = random.uniform(-1, 1);
    double const square = w * w + x * x + y * y + z * z;
    if (square > 1 || square < 0.01) continue;
    double const length = std::sqrt(square);
    return {w / length, x / length, y / length, z / length};
  }
}

/// The moments of a box of mass 1 with edges up to `size`, which satisfy the triangle inequality.
inline Point box_moments(Random& random, double size) {
  double const a = size * random.uniform(0.1, 1), b = size * random.uniform(0.1, 1), c = size * random.uniform(0.1, 1);
  return {(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12};
}

/// A body of mass up to `mass` and of a size comparable to the clump's.
inline Part body(Random& random, double size, double mass) {
  Part part;
  part.position = size * cube_point(random);
  part.orientation = unit_quaternion(random);
  part.mass = mass * random.uniform(0.1, 1);
  part.inertia = part.mass * box_moments(random, size);
  return part;
}

inline Case bodies(Random& random, std::int64_t count) {
  double const size = random.log_uniform(-3, 1), mass = random.log_uniform(-6, 4);
  Case in;
  in.members.reserve(static_cast<std::size_t>(count));
  for (; count > 0; --count) in.members.push_back(body(random, size, mass));
  return in;
}

inline Case draw_typical(Random& random) { return bodies(random, random.integer(2, 12)); }
inline Case draw_single(Random& random) { return bodies(random, 1); }
inline Case draw_many(Random& random) { return bodies(random, random.integer(60, 150)); }

/// As a code makes them from centres, radii and a density.
inline Case draw_spheres(Random& random) {
  Case in = bodies(random, random.integer(2, 12));
  double const density = random.log_uniform(2, 4), largest = random.log_uniform(-3, 0);
  for (Part& part : in.members) {
    double const radius = largest * random.uniform(0.3, 1);
    part.position = 3 * largest * cube_point(random);
    if (random.chance(0.5)) part.orientation = {1, 0, 0, 0};
    part.mass = 4.1887902047863905 * radius * radius * radius * density;
    part.inertia.setConstant(0.4 * part.mass * radius * radius);
  }
  return in;
}

inline Case draw_far(Random& random) {
  Case in = bodies(random, random.integer(1, 12));
  double const distance = random.log_uniform(3, 9);
  Point const shift = distance * unit_direction(random);
  for (Part& part : in.members) part.position += shift;
  return in;
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

/// No moments of their own: what two-pass codes leave when all are in one place is nothing.
inline Case draw_point_masses(Random& random) {
  Case in = bodies(random, random.integer(1, 8));
  bool const together = random.chance(0.2);
  for (Part& part : in.members) {
    part.inertia.setZero();
    if (together) part.position = in.members.front().position;
  }
  return in;
}

/// Point masses or rods along one line: the least moment is small or 0, and the other two agree.
inline Case draw_line(Random& random) {
  Case in = bodies(random, random.integer(2, 8));
  bool const exact = random.chance(0.5), rods = random.chance(0.5);
  Point const direction = exact ? few_bits_vector(random, 8, -4) : unit_direction(random);
  for (Part& part : in.members) {
    double const along = exact ? few_bits(random, 10, -5) : random.uniform(-1, 1);
    part.position = along * direction;
    part.inertia.setZero();
    // The shortest turn of x to the direction.
    Turn const q{direction.norm() + direction[0], 0, -direction[2], direction[1]};
    double const moment = part.mass * random.uniform(0, 1);
    if (rods && !q.isZero(0)) part.orientation = q, part.inertia = Point(0, moment, moment);
  }
  return in;
}

/// One of the 24 rotations that map the axes on each other: components -1, 0 and 1.
inline Turn axis_rotation(Random& random) {
  for (;;) {
    Turn q;
    for (double& each : q) each = static_cast<double>(random.integer(-1, 1));
    if (q.squaredNorm() != 3 && q.squaredNorm() != 0) return q;
  }
}

/// Integers, and rotations of the axes on each other: everything is exact but the division by the mass.
inline Case draw_lattice(Random& random) {
  Case in;
  in.members.resize(static_cast<std::size_t>(random.integer(1, 8)));
  for (Part& part : in.members) {
    for (double& x : part.position) x = static_cast<double>(random.integer(-5, 5));
    part.orientation = axis_rotation(random);
    part.mass = static_cast<double>(random.integer(1, 8));
    for (double& x : part.inertia) x = static_cast<double>(random.integer(0, 8));
  }
  return in;
}

/// Corners of a regular figure with equal members, its axis along z: two or three equal moments.
inline Case regular(Random& random) {
  Case in;
  std::int64_t const figure = random.integer(0, 3);
  auto const put = [&in](double x, double y, double z) {
    Part part;
    part.position = {x, y, z};
    part.orientation = {1, 0, 0, 0};
    part.mass = 1;
    part.inertia = {0.25, 0.25, 0.25};
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
inline void place(Case& in, Random& random) {
  double const size = random.log_uniform(-3, 1);
  bool const turned = random.chance(0.7);
  Eigen::Matrix<double, 3, 3> const R = rotation(random).cast<double>();
  for (Part& part : in.members) {
    if (turned) part.position = R * part.position;
    part.position *= size;
    part.inertia *= size * size;
  }
}
inline Case draw_symmetric(Random& random) {
  Case in = regular(random);
  place(in, random);
  return in;
}
/// The same with one member moved or made heavier, down to the last digits: the steps of the moments are about what
/// rounding leaves, or what the canonical choice calls a cluster, or a few digits.
inline Case draw_nearly_symmetric(Random& random) {
  Case in = regular(random);
  double const off = random.log_uniform(-17, -4);
  Part& part = in.members[static_cast<std::size_t>(random.bits() % in.members.size())];
  if (random.chance(0.5))
    part.position += off * cube_point(random);
  else
    part.mass *= 1 + off;
  place(in, random);
  return in;
}

/// Quaternions of any length, as integrators and callers leave them.
inline Case draw_not_unit(Random& random) {
  Case in = bodies(random, random.integer(1, 8));
  for (Part& part : in.members) {
    std::int64_t const kind = random.integer(0, 2);
    double const off = random.log_uniform(-16, -3), sign = random.sign();
    double const length = kind == 0   ? 1 + sign * off
                          : kind == 1 ? random.log_uniform(-2, 2)
                                      : random.log_uniform(-200, 200);
    part.orientation *= length;
  }
  return in;
}

/// Needles and plates: one moment far below the others, or far above one of them.
inline Case draw_disparate(Random& random) {
  Case in = bodies(random, random.integer(1, 6));
  for (Part& part : in.members) {
    double const factor = random.log_uniform(-12, 0);
    part.inertia[static_cast<Eigen::Index>(random.integer(0, 2))] *= factor;
    part.position *= factor;
  }
  return in;
}

/// An ordinary clump with lengths times 2^length and masses times 2^mass.
inline Case scaled_clump(Random& random, int length, int mass) {
  Case in = bodies(random, random.integer(1, 8));
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

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", "2 to 12 boxes of a millimetre to ten metres", draw_typical},
      {"single", "one member", draw_single},
      {"many", "60 to 150 members", draw_many},
      {"spheres", "2 to 12 spheres of one density", draw_spheres},
      {"far", "1e3 to 1e9 m from the origin", draw_far},
      {"heavy_light", "masses that differ by up to 1e24", draw_heavy_light},
      {"point_masses", "no moments of their own, some all in one place", draw_point_masses},
      {"line", "point masses or rods on a line", draw_line},
      {"lattice", "integers, and rotations that map the axes on each other", draw_lattice},
      {"symmetric", "regular figures: two or three moments agree", draw_symmetric},
      {"nearly_symmetric", "regular figures, one member off by 1e-17 to 1e-4", draw_nearly_symmetric},
      {"not_unit", "quaternions of any length", draw_not_unit},
      {"disparate", "needles and plates", draw_disparate},
      {"extreme_scale", "lengths times 2^-200 to 2^200, masses times 2^-300 to 2^300", draw_extreme_scale},
      {"subnormal", "moments about and below the least normal double", draw_subnormal},
      {"huge", "moments of 2^900 to 2^1010", draw_huge},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Wide = long double;
using WideVector = Vector3<Wide>;
using WideTensor = Tensor<Wide>;
using Sizing = Output<Wide>;

inline constexpr Wide u_wide = unit_roundoff;

/// The error the contract allows; of the orientation, what its axes may leave beside the diagonal.
inline Sizing allowed(Case const& in) {
  Sizing size = Contract::scale(in);
  size.mass = 2 * u_wide * size.mass + half_least;
  size.centroid = 4 * u_wide * size.centroid + WideVector::Constant(half_least);
  size.inertia = 24 * u_wide * size.inertia + WideTensor::Constant(half_least);
  size.principal = 32 * u_wide * size.principal + WideVector::Constant(half_least);
  size.orientation = 64 * u_wide * size.orientation + Quaternion<Wide>::Constant(half_least);
  return size;
}
inline Sizing operator+(Sizing const& a, Sizing const& b) {
  return {a.mass + b.mass, a.centroid + b.centroid, a.inertia + b.inertia, a.principal + b.principal,
          a.orientation + b.orientation};
}

template <class Error, class Tolerance>
double worst_component(Error const& error, Tolerance const& tolerance) {
  double worst = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i)
    worst = std::max(worst, in_tolerances(std::fabs(error[i]), tolerance[i]));
  return worst;
}

/// What numbers that are not finite say: they are wrong, unless the clump's own may overflow.
struct Unusable {
  bool decided = false;
  std::optional<double> verdict;
};
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  Unusable found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Answer const& out = outputs[i];
    if (std::isfinite(out.mass) && out.centroid.allFinite() && out.inertia.allFinite() && out.principal.allFinite() &&
        out.orientation.allFinite())
      continue;
    Sizing const size = Contract::scale(inputs[i]);
    if (2 * std::max({size.mass, size.centroid.maxCoeff(), size.inertia[0]}) <= largest_double) return {true, infinite};
    found = {true, std::nullopt};
  }
  return found;
}

inline void derive_nothing(Case const&, Random&, std::vector<Case>&) {}

/// The same mass, inertia and moments, and the centroids `shift` apart, within both budgets.
inline std::optional<double> same_but_for(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          WideVector const& shift) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowed(inputs[0]) + allowed(inputs[1]);
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  return std::max({in_tolerances(std::fabs(b.mass - a.mass), tolerance.mass),
                   worst_component(WideVector(b.centroid - a.centroid - shift), tolerance.centroid),
                   worst_component(WideTensor(b.inertia - a.inertia), tolerance.inertia),
                   worst_component(WideVector(b.principal - a.principal), tolerance.principal)});
}
inline std::optional<double> same(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return same_but_for(inputs, outputs, WideVector::Zero());
}

inline void derive_permutation(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (in.members.size() < 2) return;
  Case permuted = in;
  for (std::size_t i = permuted.members.size(); i > 1; --i)
    std::swap(permuted.members[i - 1], permuted.members[static_cast<std::size_t>(random.bits() % i)]);
  inputs.push_back(std::move(permuted));
}

/// Positions rounded to 30 bits of the largest, and the same moved by what adds to them exactly.
inline void derive_translation(Case const& in, Random& random, std::vector<Case>& inputs) {
  double largest = 0;
  for (Part const& part : in.members) largest = std::max(largest, part.position.cwiseAbs().maxCoeff());
  if (!(largest > 0x1p-900 && largest < 0x1p900)) return;
  double const grid = std::ldexp(1.0, std::ilogb(largest) - 30);
  Case rounded = in, moved;
  for (Part& part : rounded.members)
    for (double& x : part.position) x = grid * std::round(x / grid);
  int const reach = static_cast<int>(random.integer(10, 51));
  Point const shift = grid * few_bits_vector(random, reach, 0);
  moved = rounded;
  for (Part& part : moved.members) part.position += shift;
  inputs.push_back(std::move(rounded));
  inputs.push_back(std::move(moved));
}
inline std::optional<double> translated(std::span<Case const> inputs, std::span<Answer const> outputs) {
  WideVector const shift =
      (inputs[2].members.front().position - inputs[1].members.front().position).cast<Wide>();  // exact
  return same_but_for(inputs.subspan(1), outputs.subspan(1), shift);
}

/// The axes relabelled, x to y to z to x: the tensor of a member turns with them if its quaternion and its moments do.
inline Point relabelled(Point const& x) { return {x[2], x[0], x[1]}; }
inline void derive_relabelling(Case const& in, Random&, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    Turn const q = part.orientation;
    part.position = relabelled(part.position);
    part.inertia = relabelled(part.inertia);
    part.orientation << q[0], q[3], q[1], q[2];
  }
  inputs.push_back(std::move(turned));
}
inline Answer relabelled(Answer out) {
  Tensor<double> const I = out.inertia;
  out.centroid = relabelled(out.centroid);
  out.inertia << I[2], I[0], I[1], I[4], I[5], I[3];
  return out;
}
inline std::optional<double> turned_with_the_labels(std::span<Case const> inputs, std::span<Answer const> outputs) {
  std::array<Answer, 2> const both{relabelled(outputs[0]), outputs[1]};
  std::array<Case, 2> const cases{inputs[1], inputs[1]};
  return same(cases, both);
}

/// Half a turn of the frame about x: the quaternion i q has the components of q, so nothing rounds.
inline void derive_half_turn(Case const& in, Random&, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    Turn const q = part.orientation;
    part.position << part.position[0], -part.position[1], -part.position[2];
    part.orientation << -q[1], q[0], -q[3], q[2];
  }
  inputs.push_back(std::move(turned));
}
inline std::optional<double> turned_by_half(std::span<Case const> inputs, std::span<Answer const> outputs) {
  std::array<Answer, 2> both{outputs[0], outputs[1]};
  for (Eigen::Index const i : {1, 2}) both[0].centroid[i] = -both[0].centroid[i];
  for (Eigen::Index const i : {3, 4}) both[0].inertia[i] = -both[0].inertia[i];
  return same(inputs, both);
}

/// Half a turn of members about a principal axis of their own, q i, q j or q k.
inline void derive_own_half_turn(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    Turn const q = part.orientation;
    std::int64_t const axis = random.integer(0, 3);
    if (axis == 1) part.orientation << -q[1], q[0], q[3], -q[2];
    if (axis == 2) part.orientation << -q[2], -q[3], q[0], q[1];
    if (axis == 3) part.orientation << -q[3], q[2], -q[1], q[0];
  }
  inputs.push_back(std::move(turned));
}

/// A third of a turn of a member's own frame about its diagonal, q (1, 1, 1, 1), and its moments with it.
inline void derive_own_relabelling(Case const& in, Random&, std::vector<Case>& inputs) {
  Case turned = in;
  for (Part& part : turned.members) {
    Turn const q = part.orientation;
    Point const I = part.inertia;
    part.orientation << q[0] - q[1] - q[2] - q[3], q[0] + q[1] + q[2] - q[3], q[0] - q[1] + q[2] + q[3],
        q[0] + q[1] - q[2] + q[3];
    part.inertia << I[1], I[2], I[0];
  }
  inputs.push_back(std::move(turned));
}
/// Each component of the product errs by 3 u of the magnitudes of q's, at most twice |q|, which is half of its length:
/// 6 u in length, and 12 u in the angle, twice of which turns the tensor.
inline std::optional<double> same_in_another_frame(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing tolerance = allowed(inputs[0]) + allowed(inputs[1]);
  Wide const rounding = 24 * u_wide * Contract::scale(inputs[0]).inertia[0];
  tolerance.inertia += WideTensor::Constant(rounding);
  tolerance.principal += WideVector::Constant(rounding);
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  return std::max(worst_component(WideTensor(b.inertia - a.inertia), tolerance.inertia),
                  worst_component(WideVector(b.principal - a.principal), tolerance.principal));
}

inline std::optional<double> same_bits(std::span<Case const> inputs, std::span<Answer const> outputs) {
  Sizing const size = Contract::scale(inputs[0]), a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  double worst = in_units_if_different(a.mass - b.mass, size.mass);
  for (Eigen::Index i = 0; i < 3; ++i)
    worst = std::max({worst, in_units_if_different(a.centroid[i] - b.centroid[i], size.centroid[i]),
                      in_units_if_different(a.principal[i] - b.principal[i], size.principal[i])});
  for (Eigen::Index i = 0; i < 6; ++i)
    worst = std::max(worst, in_units_if_different(a.inertia[i] - b.inertia[i], size.inertia[i]));
  for (Eigen::Index i = 0; i < 4; ++i)
    worst = std::max(worst, in_units_if_different(a.orientation[i] - b.orientation[i], 1));
  return worst;
}

inline void derive_opposite_quaternions(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  other.members.front().orientation *= -1;
  for (Part& part : other.members)
    if (random.chance(0.5)) part.orientation *= -1;
  inputs.push_back(std::move(other));
}

/// Quaternions times powers of two, where their squares stay normal.
inline void derive_longer_quaternions(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  for (Part& part : other.members) {
    auto const exponent = static_cast<int>(random.integer(-60, 60));
    Turn const longer = std::ldexp(1.0, exponent) * part.orientation;
    bool normal = true;
    for (Turn const& q : {longer, part.orientation})
      for (double const each : q) normal = normal && (each == 0 || std::abs(std::ilogb(each)) < 400);
    if (normal) part.orientation = longer;
  }
  inputs.push_back(std::move(other));
}

/// Exponents of the units of length and of mass.
struct Units {
  int length, mass;
};
/// Whether everything that is multiplied stays far from the ends of the range.
inline bool stays_normal(Case const& in, Units const& units) {
  auto const fine = [](Wide x, int exponent) { return x == 0 || std::abs(std::ilogb(x) + exponent) < 400; };
  for (Part const& part : in.members) {
    if (!fine(part.mass, units.mass)) return false;
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (!fine(part.position[i], units.length)) return false;
      if (!fine(static_cast<Wide>(part.mass) * part.position[i] * part.position[i], units.mass + 2 * units.length))
        return false;
      if (!fine(part.inertia[i], units.mass + 2 * units.length)) return false;
    }
    for (double const each : part.orientation)
      if (!fine(each, 0)) return false;
  }
  return true;
}
inline void derive_scaling(Case const& in, Random& random, std::vector<Case>& inputs) {
  int const most = random.chance(0.5) ? 20 : 100;
  Units units;
  units.length = static_cast<int>(random.integer(-most, most));
  units.mass = static_cast<int>(random.integer(-most, most));
  if (!stays_normal(in, {0, 0}) || !stays_normal(in, units)) return;
  Case scaled = in;
  for (Part& part : scaled.members) {
    part.position *= std::ldexp(1.0, units.length);
    part.mass *= std::ldexp(1.0, units.mass);
    part.inertia *= std::ldexp(1.0, units.mass + 2 * units.length);
  }
  // The factor of the lengths is read from the third case: the positions may all be 0.
  Case unit{{in.members.front()}};
  unit.members.front().position.setConstant(std::ldexp(1.0, units.length));
  inputs.push_back(std::move(scaled));
  inputs.push_back(std::move(unit));
}
inline std::optional<double> scaled(std::span<Case const> inputs, std::span<Answer const> outputs) {
  Wide const length = inputs[2].members.front().position[0];
  Wide const mass = static_cast<Wide>(inputs[1].members.front().mass) / inputs[0].members.front().mass;
  Answer expected = outputs[0];
  expected.mass = static_cast<double>(mass * expected.mass);
  expected.centroid = (length * expected.centroid.cast<Wide>()).cast<double>();
  expected.inertia = (mass * length * length * expected.inertia.cast<Wide>()).cast<double>();
  expected.principal = (mass * length * length * expected.principal.cast<Wide>()).cast<double>();
  std::array<Answer, 2> const both{expected, outputs[1]};
  return same_bits(inputs.subspan(1, 1), both);
}

/// A member cut into two halves that stay where it is.
inline void derive_halves(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case cut = in;
  Part& part = cut.members[static_cast<std::size_t>(random.bits() % in.members.size())];
  Part half = part;
  half.mass *= 0.5;
  half.inertia *= 0.5;
  if (2 * half.mass != part.mass || 2 * half.inertia != part.inertia) return;  // an odd subnormal
  part = half;
  auto const place = static_cast<std::ptrdiff_t>(random.bits() % static_cast<std::uint64_t>(in.members.size() + 1));
  cut.members.insert(cut.members.begin() + place, half);
  inputs.push_back(std::move(cut));
}

inline void derive_union(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case first, second;
  for (Part const& part : in.members) (random.chance(0.5) ? first : second).members.push_back(part);
  if (first.members.empty() || second.members.empty()) return;
  inputs.push_back(std::move(first));
  inputs.push_back(std::move(second));
}
/// m (d.d 1 - d d^T).
inline WideTensor transferred(Wide mass, WideVector const& d) {
  WideTensor tensor;
  tensor << d[1] * d[1] + d[2] * d[2], d[0] * d[0] + d[2] * d[2], d[0] * d[0] + d[1] * d[1], -d[0] * d[1], -d[0] * d[2],
      -d[1] * d[2];
  return mass * tensor;
}
/// Two parts of a clump: I = I_a + I_b + (m_a m_b / m) (d.d 1 - d d^T), d between their centroids.
inline std::optional<double> united(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const whole = cast<Sizing>(outputs[0]), a = cast<Sizing>(outputs[1]), b = cast<Sizing>(outputs[2]);
  Sizing const first = allowed(inputs[1]), second = allowed(inputs[2]);
  Sizing tolerance = allowed(inputs[0]) + (first + second);
  Wide const mass = a.mass + b.mass;
  if (!(a.mass > 0 && b.mass > 0)) return infinite;
  Wide const share_a = a.mass / mass, share_b = b.mass / mass, reduced = share_a * b.mass;
  WideVector const arm = b.centroid - a.centroid;
  WideTensor const expected = a.inertia + b.inertia + transferred(reduced, arm);
  // Half the least subnormal may be all there is of a mass: its relative error counts too.
  Wide const relative = (first.mass / a.mass + second.mass / b.mass) + 8 * u_wide;
  WideVector const off = first.centroid + second.centroid, reach = arm.cwiseAbs() + off;
  tolerance.inertia += WideTensor::Constant(reduced * (2 * off.sum() * reach.sum() + relative * reach.squaredNorm()));
  tolerance.centroid += relative * reach;
  WideVector const centroid = share_a * a.centroid + share_b * b.centroid;
  return std::max({in_tolerances(std::fabs(whole.mass - mass), tolerance.mass),
                   worst_component(WideVector(whole.centroid - centroid), tolerance.centroid),
                   worst_component(WideTensor(whole.inertia - expected), tolerance.inertia)});
}

inline void derive_single(Case const& in, Random& random, std::vector<Case>& inputs) {
  inputs.push_back(Case{{in.members[static_cast<std::size_t>(random.bits() % in.members.size())]}});
}
inline std::optional<double> returns_itself(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Part const& part = inputs[1].members.front();
  Sizing const tolerance = allowed(inputs[1]), out = cast<Sizing>(outputs[1]);
  std::array<double, 3> sorted{part.inertia[0], part.inertia[1], part.inertia[2]};
  std::sort(sorted.begin(), sorted.end());
  WideVector const moments(sorted[0], sorted[1], sorted[2]);
  return std::max({in_tolerances(std::fabs(out.mass - part.mass), tolerance.mass),
                   worst_component(WideVector(out.centroid - part.position.cast<Wide>()), tolerance.centroid),
                   worst_component(WideVector(out.principal - moments), tolerance.principal)});
}

/// R diag(moments) R^T, R of a quaternion that is used as it is.
inline WideTensor composed(WideVector const& moments, Quaternion<Wide> const& q) {
  Wide const w = q[0], x = q[1], y = q[2], z = q[3];
  Eigen::Matrix<Wide, 3, 3> R;
  R << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),  //
      2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),   //
      2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z;
  Eigen::Matrix<Wide, 3, 3> const I = R * moments.asDiagonal() * R.transpose();
  WideTensor tensor;
  tensor << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  return tensor;
}
/// The moments along the axes give the inertia back, but for what a cluster leaves open.
inline std::optional<double> composes_the_inertia(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const out = cast<Sizing>(outputs[0]), tolerance = allowed(inputs[0]);
  Wide open = 0;
  for (Eigen::Index k = 0; k < 2; ++k) {
    Wide const step = std::fabs(out.principal[k + 1] - out.principal[k]);
    if (step <= 2 * cluster_step * out.principal[2] + 2 * tolerance.principal[k]) open += step;
  }
  // An axis is a unit vector to 64 u twice, and an entry sums three of its products.
  WideTensor const size =
      tolerance.inertia + WideTensor::Constant(3 * tolerance.principal[0] + 6 * tolerance.orientation[0] + 2 * open);
  return worst_component(WideTensor(out.inertia - composed(out.principal, out.orientation)), size);
}
/// Ascending, and none negative.
inline std::optional<double> ascend(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  WideVector const moments = outputs[0].principal.cast<Wide>();
  Wide const tolerance = allowed(inputs[0]).principal[0];
  return std::max({in_tolerances(-moments[0], tolerance), in_tolerances(moments[0] - moments[1], 2 * tolerance),
                   in_tolerances(moments[1] - moments[2], 2 * tolerance)});
}
/// No moment is larger than the other two together, if that is so for every member.
inline std::optional<double> triangle(std::span<Case const> inputs, std::span<Answer const> outputs) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  for (Part const& part : inputs[0].members) {
    WideVector const I = part.inertia.cast<Wide>();
    if (2 * I.maxCoeff() > I.sum()) return std::nullopt;
  }
  WideVector const moments = outputs[0].principal.cast<Wide>();
  return in_tolerances(moments[2] - moments[1] - moments[0], 3 * allowed(inputs[0]).principal[0]);
}

inline std::span<Law<Case, Answer> const> laws() {
  static std::vector<std::string_view> const sums{"mass", "centroid", "inertia", "principal"};
  static std::vector<std::string_view> const all{"mass", "centroid", "inertia", "principal", "orientation"};
  static Law<Case, Answer> const list[] = {
      {"permutation", "the order of the members does not matter", "both budgets", sums, false, derive_permutation,
       same},
      {"translation", "a translation without rounding moves the centroid and nothing else", "both budgets", sums, false,
       derive_translation, translated},
      {"relabelling", "the axes relabelled x to y to z, members and all, relabel the answer", "both budgets", sums,
       false, derive_relabelling, turned_with_the_labels},
      {"half_turn", "half a turn of the frame about x changes the signs of y, z, xy and xz", "both budgets", sums,
       false, derive_half_turn, turned_by_half},
      {"own_half_turn", "half a turn of a member about a principal axis of its own changes nothing", "both budgets",
       sums, false, derive_own_half_turn, same},
      {"own_relabelling", "a member's own axes relabelled, moments and all, change nothing",
       "both budgets + the rounding of the quaternion", sums, false, derive_own_relabelling, same_in_another_frame},
      {"sign", "q and -q are the same orientation of a member, to the bit", "0", all, false,
       derive_opposite_quaternions, same_bits},
      {"quaternion_scaling", "2^k q is the same orientation of a member, to the bit", "0", all, false,
       derive_longer_quaternions, same_bits},
      {"scaling", "a change of the units by 2^k multiplies every output by its power of 2^k, to the bit", "0", all,
       false, derive_scaling, scaled},
      {"halves", "a member cut into two halves in its place is the same", "both budgets", sums, false, derive_halves,
       same},
      {"union", "two parts add by the parallel axes through their common centroid",
       "all budgets, of the centroids times the arm", sums, false, derive_union, united},
      {"single", "a single member is its own clump", "its budgets", sums, false, derive_single, returns_itself},
      {"composition", "moments along axes give the inertia back",
       "24 + 3 32 + 6 64 u S, and what a cluster leaves open", all, true, derive_nothing, composes_the_inertia},
      {"order", "the moments ascend and are not negative", "32 u S, twice for a step", sums, true, derive_nothing,
       ascend},
      {"triangle", "no moment exceeds the other two together, if none of a member does", "96 u S", sums, true,
       derive_nothing, triangle},
  };
  return list;
}

}  // namespace demeter::clump_mass_properties::properties
