// Regimes and laws of the mass properties of a union of balls.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/clump.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>
#include <utility>

namespace demeter::clump_union_mass_properties::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Part = Ball<double>;
using Wide = long double;
using Sizing = Output<Wide>;

// --------------------------------------------------------------------------------------------------------- regimes

inline Part ball(double x, double y, double z, double radius) { return {{x, y, z}, radius}; }

/// Returns the figure with an everyday size at an everyday place. One figure of ten is placed without rounding. Most
/// others are rotated at random: a degenerate figure is then degenerate only up to rounding.
inline Case placed(Random& random, std::vector<Part> figure) {
  Case in{random.log_uniform(2, 4), std::move(figure)};
  if (random.chance(0.1)) return sized_exactly(in, random);
  Matrix3<double> const R = rotation_in<double>(random);
  if (random.chance(0.9))
    for (Part& part : in.balls) part.centre = R * part.centre;
  return sized(in, random);
}

/// Returns balls of radius 0.3 to 1 with centres in a cube of half edge `spread`.
inline std::vector<Part> cloud(Random& random, std::int64_t count, double spread) {
  std::vector<Part> figure;
  for (; count > 0; --count) {
    Part part;
    part.centre = spread * cube_point(random);
    part.radius = random.uniform(0.3, 1);
    figure.push_back(part);
  }
  return figure;
}

inline Case draw_single(Random& random) { return placed(random, cloud(random, 1, 1)); }
inline Case draw_pair(Random& random) {
  double const spread = random.uniform(0.1, 1);
  std::vector<Part> figure = cloud(random, 2, spread);
  figure[1].radius *= random.log_uniform(-2, 0);
  return placed(random, std::move(figure));
}
inline Case draw_typical(Random& random) {
  std::int64_t const count = random.chance(0.05) ? random.integer(5, 8) : random.integer(3, 4);
  return placed(random, cloud(random, count, 0.9));
}
/// Returns a chain of overlapping balls. The direction of the chain changes gradually.
inline std::vector<Part> chain(Random& random, std::int64_t count, Point direction) {
  std::vector<Part> figure;
  Point place(0, 0, 0);
  for (; count > 0; --count) {
    Part part{place, random.uniform(0.6, 1)};
    figure.push_back(part);
    direction += 0.5 * cube_point(random);
    direction = of_length_1(direction);
    double const step = part.radius * random.uniform(0.6, 1.4);
    place += step * direction;
  }
  return figure;
}
inline Case draw_chain(Random& random) {
  Point const first = unit_direction(random);
  std::int64_t const count = random.integer(3, 6);
  return placed(random, chain(random, count, first));
}
/// Draws balls at the corners of cubes, squares and bars, in numbers of few bits. With some radii, the balls meet on
/// edges, on faces or in the middle of the figure.
inline Case draw_lattice(Random& random) {
  // A cube is rare: its truth takes twenty times as long as the truth of a bar.
  std::array<std::int64_t, 3> n{2, random.integer(1, 2), 1};
  if (random.chance(0.1)) n[1] = n[2] = 2;
  std::int64_t const kind = random.integer(0, 4);
  double const radius = kind == 0   ? std::sqrt(0.5)
                        : kind == 1 ? std::sqrt(0.75)
                        : kind == 2 ? 0.625
                        : kind == 3 ? 1
                                    : 0.5;
  std::vector<Part> figure;
  for (std::int64_t x = 0; x < n[0]; ++x)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t z = 0; z < n[2]; ++z)
        figure.push_back(ball(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z), radius));
  return placed(random, std::move(figure));
}
/// Draws repeated balls and balls inside others. Some of the inner balls touch the outer ball from inside.
inline Case draw_nested(Random& random) {
  std::int64_t const count = random.integer(1, 3);
  std::vector<Part> figure = cloud(random, count, 0.9);
  for (std::int64_t more = random.integer(1, 3); more > 0; --more) {
    Part const& from = any_of(figure, random);
    double const share = random.chance(0.3) ? 1 : random.chance(0.5) ? 0.5 : random.uniform(0.01, 1);
    double const room = random.chance(0.3) ? 1 : random.uniform(0, 1);
    Point const off = (room * (1 - share) * from.radius) * unit_direction(random);
    Part const inner{from.centre + off, share * from.radius};
    figure.push_back(inner);
  }
  shuffle(figure, random);
  return placed(random, std::move(figure));
}
/// Draws two balls of which one touches the other from inside or repeats the other, exactly or nearly. In 30 % of the
/// cases there is a third ball.
inline Case draw_nearly_inside(Random& random) {
  std::vector<Part> figure = cloud(random, 1, 0.9);
  double const share = random.chance(0.2) ? 1 : random.uniform(0.05, 0.95), off = off_a_threshold(random);
  double const between = (1 - share + off) * figure[0].radius;
  figure.push_back({figure[0].centre + between * unit_direction(random), share * figure[0].radius});
  if (random.chance(0.3)) figure.push_back(cloud(random, 1, 0.9)[0]);
  shuffle(figure, random);
  return placed(random, std::move(figure));
}
/// Draws balls with their centres on one line.
inline Case draw_line(Random& random) {
  std::vector<Part> figure;
  bool const even = random.chance(0.5);
  std::int64_t const count = random.integer(2, 5);
  for (std::int64_t i = 0; i < count; ++i) {
    double const place = even ? static_cast<double>(i) : random.uniform(0, 3);
    double const radius = even ? 1 : random.uniform(0.3, 1);
    figure.push_back(ball(0, 0, place, radius));
  }
  return placed(random, std::move(figure));
}
/// Draws three or four spheres through a common circle. The circle may be the equator of one of them.
inline Case draw_common_circle(Random& random) {
  std::vector<Part> figure;
  double const rho = random.uniform(0.3, 1);
  bool const equator = random.chance(0.4), pythagorean = random.chance(0.2);
  std::int64_t const count = random.integer(3, 4);
  for (std::int64_t i = 0; i < count; ++i) {
    double const place = i == 0 && equator ? 0 : random.uniform(-1, 1);
    figure.push_back(ball(0, 0, place, std::sqrt(rho * rho + place * place)));
  }
  if (pythagorean) figure = {ball(0, 0, -0.75, 1.25), ball(0, 0, 0.75, 1.25), ball(0, 0, 0, 1)};
  return placed(random, std::move(figure));
}
/// Draws four or five spheres through one point, in random directions or along the axes.
inline Case draw_through_point(Random& random) {
  std::vector<Part> figure;
  bool const along_axes = random.chance(0.4);
  std::int64_t const count = random.chance(0.2) ? 5 : 4;
  for (std::int64_t i = 0; i < count; ++i) {
    double const radius = along_axes ? 1 : random.uniform(0.5, 1);
    Point direction = unit_direction(random);
    if (along_axes) {
      direction.setZero();
      direction[i % 3] = i < 3 ? 1 : -1;
    }
    Part const part{radius * direction, radius};
    figure.push_back(part);
  }
  return placed(random, std::move(figure));
}
/// Returns balls that touch each other from outside or inside, or balls that cut touching caps from one sphere.
inline std::vector<Part> touching(Random& random) {
  double const h = std::sqrt(0.5);
  switch (random.integer(0, 4)) {
    case 0:
      return {ball(0, 0, 0, 1), ball(1.5, 0, 0, 0.5), ball(0, 1.75, 0, 0.75)};
    case 1:
      return {ball(0, 0, 0, 1), ball(0.5, 0, 0, 0.5), ball(0, 0.25, 0, 0.75)};
    case 2:
      return {ball(0, 0, 0, h), ball(1, 0, 0, h), ball(0, 1, 0, h)};
    case 3:
      return {ball(0, 0, 0, h), ball(1, 0, 0, h), ball(0, 1, 0, h), ball(1, 1, 0, h)};
    default:
      return {ball(0, 0, 0, 1), ball(1.2, 0, 0, 0.8), ball(-0.72, 0.96, 0, 0.8), ball(0, 0, 1.5, 0.5)};
  }
}
inline Case draw_touching(Random& random) { return placed(random, touching(random)); }
/// Draws touching balls, then changes one ball: its radius by a relative 1e-17 to 1e-3, or its centre by 1e-17 to 1e-3.
inline Case draw_nearly_touching(Random& random) {
  std::vector<Part> figure = touching(random);
  Part& part = any_of(figure, random);
  double const off = random.log_uniform(-17, -3), sign = random.sign();
  if (random.chance(0.5))
    part.radius *= 1 + sign * off;
  else
    part.centre += off * cube_point(random);
  return placed(random, std::move(figure));
}
inline Case draw_sizes(Random& random) {
  std::int64_t const count = random.integer(2, 4);
  std::vector<Part> figure = cloud(random, count, 0.9);
  // Small balls on the surface of the first ball.
  for (std::size_t i = 1; i < figure.size(); ++i) {
    double const factor = random.log_uniform(-6, 0), depth = random.uniform(-1, 1);
    figure[i].radius *= factor;
    figure[i].centre = figure[0].centre + (figure[0].radius + depth * figure[i].radius) * unit_direction(random);
  }
  return placed(random, std::move(figure));
}
inline Case draw_far_from_origin(Random& random) {
  std::int64_t const count = random.integer(1, 4);
  std::vector<Part> figure = cloud(random, count, 0.9);
  double const distance = random.log_uniform(6, 8), size = distance * random.log_uniform(-14, -6);
  Point const shift = distance * unit_direction(random);
  Case in{random.log_uniform(2, 4), std::move(figure)};
  for (Part& part : in.balls) {
    part.centre = size * part.centre + shift;
    part.radius *= size;
  }
  return in;
}
inline Case draw_mixed_scale(Random& random) {
  std::int64_t const count = random.integer(1, 4);
  Case in{1, cloud(random, count, 0.9)};
  auto const length = static_cast<int>(random.integer(-150, 150)),
             density = static_cast<int>(random.integer(-200, 200));
  in.density = std::ldexp(random.uniform(1, 2), density);
  for (Part& part : in.balls) {
    for (double& x : part.centre) x = std::ldexp(x, length);
    part.radius = std::ldexp(part.radius, length);
  }
  return in;
}
/// Draws two or three groups of one or two balls. The groups do not touch. Their distance is up to 250 times the
/// largest radius.
inline Case draw_apart(Random& random) {
  std::vector<Part> figure;
  double const distance = random.chance(0.5) ? 4 : random.log_uniform(1, 1.7);
  for (std::int64_t group = random.integer(2, 3); group > 0; --group) {
    Point const place = static_cast<double>(group) * distance * unit_direction(random);
    std::vector<Part> const part = cloud(random, random.integer(1, 2), 0.5);
    for (Part each : part) {
      each.centre += place;
      figure.push_back(each);
    }
  }
  return placed(random, std::move(figure));
}
/// Draws eight balls, or twenty in 5 % of the cases, packed as loosely as in a heap.
inline Case draw_twenty(Random& random) {
  std::int64_t const count = random.chance(0.05) ? 20 : 8;
  return placed(random, cloud(random, count, count == 20 ? 2 : 1.6));
}

/// Draws 1 to 130 balls. For longer lists, the truth would take too long. The balls are packed loosely: most of them
/// have a part of the surface of the union.
inline Case draw_lengths(Random& random) {
  std::int64_t const count = list_length(random, 130);
  double side = 1;
  while (side * side * side < static_cast<double>(count)) side += 1;
  std::vector<Part> figure = cloud(random, count, 0.9 * side);
  if (random.chance(0.25)) give_some_twice(figure, random);
  return placed(random, std::move(figure));
}
/// Draws a ball with 1 to 20 other balls on its surface. They form a ring of overlapping neighbours, or are anywhere on
/// the surface.
inline Case draw_rings(Random& random) {
  auto const count = static_cast<std::int64_t>(random.index() * 13 % 20 + 1);
  bool const ring = random.chance(0.5);
  double const step = 2 * std::numbers::pi / static_cast<double>(count);
  std::vector<Part> figure{ball(0, 0, 0, 1)};
  // An approximate rotation by one step: a rotation by step / 256, doubled eight times.
  std::complex<double> turn(1 - step * step / 131072, step / 256), place(1, 0);
  for (int doubling = 0; doubling < 8; ++doubling) {
    double const x = turn.real(), y = turn.imag();
    turn = {x * x - y * y, 2 * x * y};
  }
  for (std::int64_t i = 0; i < count; ++i) {
    double const x = place.real() * turn.real() - place.imag() * turn.imag(),
                 y = place.real() * turn.imag() + place.imag() * turn.real(), length = std::sqrt(x * x + y * y);
    place = {x / length, y / length};
    Point const direction = ring ? Point(place.real(), place.imag(), 0) : unit_direction(random);
    double const distance = random.uniform(0.95, 1.05), radius = std::min(0.6 * step, 0.7) * random.uniform(1, 1.1);
    figure.push_back({distance * direction, radius});
  }
  shuffle(figure, random);
  return placed(random, std::move(figure));
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "3 to 8 overlapping balls of 10 um to 10 m, up to 1e3 sizes from the origin",
       draw_typical},
      {"single", Profile::everyday, "one ball", draw_single},
      {"pair", Profile::everyday,
       "two balls with radii that differ by a factor of up to 300: overlapping, nested or separated", draw_pair},
      {"chain", Profile::everyday, "3 to 6 balls, consecutive balls overlap", draw_chain},
      {"lattice", Profile::degenerate,
       "balls at the corners of bars, squares and cubes; some meet on edges, on faces or in the middle", draw_lattice},
      {"nested", Profile::degenerate, "balls inside others, touching from inside, or duplicates", draw_nested},
      {"line", Profile::degenerate, "centres on one line", draw_line},
      {"common_circle", Profile::degenerate, "3 or 4 spheres through one circle", draw_common_circle},
      {"through_point", Profile::degenerate, "4 or 5 spheres through one point", draw_through_point},
      {"touching", Profile::degenerate, "balls that touch, caps that touch", draw_touching},
      {"nearly_touching", Profile::degenerate, "as touching, with one ball moved by 1e-17 to 1e-3",
       draw_nearly_touching},
      {"sizes", Profile::extreme, "small balls on the surface of a ball up to 1e6 times as large", draw_sizes},
      {"far_from_origin", Profile::extreme, "1e6 to 1e8 m from the origin, radii 1e-14 to 1e-6 of the distance",
       draw_far_from_origin},
      {"mixed_scale", Profile::extreme, "lengths times 2^-150 to 2^150, densities of 2^-200 to 2^200",
       draw_mixed_scale},
      {"apart", Profile::everyday, "separate groups, up to 250 radii apart", draw_apart},
      {"twenty", Profile::everyday, "8 or 20 balls, packed loosely", draw_twenty},
      {"lengths", Profile::everyday, "1 to 130 balls, packed loosely; some are duplicates", draw_lengths},
      {"rings", Profile::everyday, "a ball and 1 to 20 balls on its surface, in a ring or anywhere", draw_rings},
      {"nearly_inside", Profile::degenerate,
       "a ball that touches another from inside, or a duplicate, exactly or up to 1e-15 to 1e-3 radii",
       draw_nearly_inside},
  };
  return list;
}

inline Case draw_twenty_loose(Random& random) { return placed(random, cloud(random, 20, 1.6)); }
inline Case draw_twenty_dense(Random& random) { return placed(random, cloud(random, 20, 1)); }
inline Case draw_hundred(Random& random) { return placed(random, cloud(random, 100, 2.9)); }
inline Case draw_long_chain(Random& random) { return placed(random, chain(random, 1000, unit_direction(random))); }

/// Returns the regimes that are timed and not judged.
inline std::span<Regime<Case> const> workloads() {
  static Regime<Case> const list[] = {
      {"twenty_loose", Profile::everyday, "20 balls, each overlapping four others on average", draw_twenty_loose},
      {"twenty_dense", Profile::everyday, "20 balls, each overlapping nine others on average", draw_twenty_dense},
      {"hundred", Profile::everyday, "100 balls, each overlapping four others on average", draw_hundred},
      {"chain_of_1000", Profile::degenerate, "1,000 balls, each overlapping the next ball and some also the one after",
       draw_long_chain},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return unusable_unless_large<Contract>(inputs, outputs, 2);
}

inline std::vector<std::string_view> sums() {
  return {"volume", "surface_area", "mass", "centroid", "inertia", "principal"};
}
inline std::vector<std::string_view> all() {
  return {"volume", "surface_area", "mass", "centroid", "inertia", "principal", "orientation"};
}

struct Body {
  using Contract = clump_union_mass_properties::Contract;
  static constexpr auto parts = &Case::balls;
  static constexpr auto place = &Part::centre;
  static std::vector<std::string_view> outputs() { return sums(); }  // without the axes, which are not unique
  static constexpr auto unusable = properties::unusable;
};
using Shared = TensorLaws<Body>;
using Alike = Invariances<Body>;

/// Bounds for the changes of volume and moments if every point of every sphere moves by at most `share` times (radius +
/// distance of the centre from the origin). The volume changes by at most the surfaces of the spheres times this
/// motion. A moment changes for two reasons: this volume is added at a distance of up to `far`, and the arms change.
struct Wobble {
  Wide volume, moment;
};
inline Wobble wobble(Case const& in, Wide share) {
  WideVector const origin = in.balls.front().centre.cast<Wide>();
  Wide far = 0, volume = 0, most = 0;
  for (Part const& part : in.balls) {
    Wide const r = part.radius, off = share * (part.centre.cast<Wide>().norm() + r);
    far = std::max(far, (part.centre.cast<Wide>() - origin).norm() + r);
    most = std::max(most, off);
    volume += 4 * pi_wide * r * r * off;
  }
  Sizing const scale = Contract::scale(in);
  // The moments are about the centroid. Its distance from any point of the union is at most twice `far`.
  return {2 * volume, 8 * in.density * far * (volume * far + scale.volume * most)};
}

/// Derives the case rotated about the origin. Each coordinate of a centre is rounded once.
inline void derive_rotation(Case const& in, Random& random, std::vector<Case>& inputs) {
  Matrix3<Wide> const R = rotation(random);
  Case turned = in;
  for (Part& part : turned.balls) part.centre = WideVector(R * part.centre.cast<Wide>()).cast<double>();
  inputs.push_back(std::move(turned));
}
inline std::optional<double> rotated(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowance<Contract>(held, inputs, outputs);
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  // Each coordinate is rounded once; two roundings are a safe bound.
  Wobble const off = wobble(inputs[0], roundings(2));
  return worst_answered({{answered(outputs, &Answer::volume),
                          in_tolerances(std::fabs(b.volume - a.volume), tolerance.volume + off.volume)},
                         {answered(outputs, &Answer::principal),
                          worst_component(WideVector(b.principal - a.principal),
                                          WideVector(tolerance.principal + WideVector::Constant(off.moment)))}});
}

/// Derives two cases: the case with all lengths multiplied by a factor of 20 bits, and a unit ball. The density of the
/// unit ball is this factor, so that `resized` can read the factor.
inline void derive_resizing(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const factor = static_cast<double>(random.integer(1 << 18, 1 << 20)) * 0x1p-19;
  Case other = in;
  for (Part& part : other.balls) {
    if (std::fabs(part.centre.cwiseAbs().maxCoeff()) > 0x1p1000 || part.radius < 0x1p-1000) return;
    part.centre *= factor;
    part.radius *= factor;
  }
  Case unit{factor, {ball(0, 0, 0, 1)}};
  inputs.push_back(std::move(other));
  inputs.push_back(std::move(unit));
}
inline std::optional<double> resized(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Wide const s = inputs[2].density, s3 = s * s * s, s5 = s3 * s * s;
  Sizing const own = allowance<Contract>(held, inputs[0], outputs[0]),
               tolerance = allowance<Contract>(held, inputs[1], outputs[1]);
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  // Each coordinate and radius is rounded once; two roundings are a safe bound.
  Wobble const off = wobble(inputs[1], roundings(2));
  outputs = outputs.first(2);
  return worst_answered(
      {{answered(outputs, &Answer::volume),
        in_tolerances(std::fabs(b.volume - s3 * a.volume), tolerance.volume + s3 * own.volume + off.volume)},
       {answered(outputs, &Answer::inertia),
        worst_component(WideTensor(b.inertia - s5 * a.inertia),
                        WideTensor(tolerance.inertia + s5 * own.inertia + WideTensor::Constant(off.moment)))}});
}

/// Derives the case with another density. Only mass and inertia change.
inline void derive_density(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  other.density *= random.uniform(0.5, 2);
  inputs.push_back(std::move(other));
}
inline std::optional<double> in_proportion(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const a = cast<Sizing>(outputs[0]), b = cast<Sizing>(outputs[1]);
  Sizing const own = allowance<Contract>(held, inputs[0], outputs[0]),
               tolerance = allowance<Contract>(held, inputs[1], outputs[1]);
  Wide const factor = static_cast<Wide>(inputs[1].density) / inputs[0].density;
  Wide const mass = inputs[0].density * a.volume;
  return worst_answered(
      {{answered(outputs, &Answer::volume),
        in_tolerances(std::fabs(b.volume - a.volume), own.volume + tolerance.volume)},
       {answered(outputs, &Answer::surface_area),
        in_tolerances(std::fabs(b.surface_area - a.surface_area), own.surface_area + tolerance.surface_area)},
       {answered(outputs.first(1), &Answer::mass, &Answer::volume),
        in_tolerances(std::fabs(a.mass - mass), own.mass + inputs[0].density * own.volume)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(b.centroid - a.centroid), WideVector(own.centroid + tolerance.centroid))},
       {answered(outputs, &Answer::inertia), worst_component(WideTensor(b.inertia - factor * a.inertia),
                                                             WideTensor(factor * own.inertia + tolerance.inertia))}});
}

/// Derives the case with a repeated ball, or with an additional smaller ball of the same centre. The union does not
/// change.
inline void derive_contained(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case more = in;
  Part part = any_of(in.balls, random);
  if (random.chance(0.5)) part.radius *= random.uniform(0.25, 1);
  insert_anywhere(more.balls, random, part);
  inputs.push_back(std::move(more));
}

/// Derives the case with one more ball. The volume must not decrease. It must increase by at most the volume of this
/// ball.
inline void derive_one_more(Case const& in, Random& random, std::vector<Case>& inputs) {
  Part part = any_of(in.balls, random);
  part.centre += part.radius * cube_point(random);
  part.radius *= random.uniform(0.25, 1.5);
  if (!(part.radius > 0) || !part.centre.allFinite()) return;
  Case more = in;
  more.balls.push_back(part);
  inputs.push_back(std::move(more));
}
inline std::optional<double> grows(std::span<Case const> inputs, std::span<Answer const> outputs,
                                   Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Wide const tolerance = allowance<Contract>(held, inputs, outputs).volume;
  Wide const r = inputs[1].balls.back().radius, own = 4 * pi_wide / 3 * r * r * r;
  Wide const gain = static_cast<Wide>(outputs[1].volume) - outputs[0].volume;
  return std::max(in_tolerances(-gain, tolerance), in_tolerances(gain - own, tolerance));
}

/// Derives the union, a copy that does not touch it, and both as one case.
inline void derive_copy(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case rounded = in;
  auto const grid = Shared::to_grid(rounded);
  if (!grid) return;
  double reach = 0;
  for (Part const& part : rounded.balls) {
    Point const away = part.centre - rounded.balls.front().centre;
    double const far = away.norm() + part.radius;
    reach = std::max(reach, far);
  }
  Point shift(0, 0, 0);
  double const steps = std::ceil(2.5 * reach / *grid);
  if (!(steps < 0x1p50)) return;
  std::int64_t const axis = random.integer(0, 2);
  shift[axis] = random.sign() * steps * *grid;
  Case copy = rounded, both = rounded;
  Shared::move(copy, shift);
  both.balls.insert(both.balls.end(), copy.balls.begin(), copy.balls.end());
  inputs.push_back(std::move(rounded));
  inputs.push_back(std::move(copy));
  inputs.push_back(std::move(both));
}
inline std::optional<double> adds(std::span<Case const> inputs, std::span<Answer const> outputs,
                                  Tolerance const& held) {
  return Shared::two_as_one(inputs.subspan(1), outputs.subspan(1), held);
}

/// Derives two cases from a list of at least 64 balls: the list with rounded coordinates, and a row of copies of this
/// list. The row has more than 256 balls, or more than 1,024 if the list has 64 or 128 balls. No truth is computed for
/// such long lists.
inline void derive_row(Case const& in, Random&, std::vector<Case>& inputs) {
  if (in.balls.size() < 64) return;
  Case rounded = in;
  auto const grid = Shared::to_grid(rounded);
  if (!grid) return;
  double low = infinite, high = -infinite;
  for (Part const& part : rounded.balls)
    low = std::min(low, part.centre[0] - part.radius), high = std::max(high, part.centre[0] + part.radius);
  double const step = *grid * std::ceil(1.01 * (high - low) / *grid);
  Case row = rounded;
  std::size_t const most = rounded.balls.size() % 64 == 0 ? 1024 : 256;
  for (double copies = 1; row.balls.size() <= most; ++copies)
    for (Part part : rounded.balls) {
      part.centre[0] += copies * step;
      row.balls.push_back(part);
    }
  inputs.push_back(std::move(rounded));
  inputs.push_back(std::move(row));
}
/// Checks that a row of k bodies has k times the volume, surface and mass of one body. For axes across the row, the
/// moments have the additional term m s^2 k (k^2 - 1) / 12, where s is the distance of neighbours. The arms between the
/// bodies are exact.
inline std::optional<double> adds_in_a_row(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  inputs = inputs.subspan(1), outputs = outputs.subspan(1);
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const &one = inputs[0], &row = inputs[1];
  auto const k = static_cast<Wide>(row.balls.size() / one.balls.size());
  Wide const step = static_cast<Wide>(row.balls[one.balls.size()].centre[0]) - one.balls[0].centre[0];
  Sizing const a = cast<Sizing>(outputs[0]), all = cast<Sizing>(outputs[1]);
  Sizing const own = allowance<Contract>(held, one, outputs[0]);
  Sizing tolerance = allowance<Contract>(held, row, outputs[1]);
  WideVector const middle = WideVector((k - 1) / 2 * step, 0, 0);
  Wide const arms = step * step * k * (k * k - 1) / 12;
  WideTensor const inertia = k * a.inertia + transferred(a.mass * k * (k * k - 1) / 12, WideVector(step, 0, 0));
  tolerance.inertia += k * own.inertia + WideTensor::Constant(own.mass * arms);
  bool const has_inertia = answered(outputs, &Answer::mass, &Answer::inertia);
  return worst_answered(
      {{answered(outputs, &Answer::volume),
        in_tolerances(std::fabs(all.volume - k * a.volume), tolerance.volume + k * own.volume)},
       {answered(outputs, &Answer::surface_area),
        in_tolerances(std::fabs(all.surface_area - k * a.surface_area), tolerance.surface_area + k * own.surface_area)},
       {answered(outputs, &Answer::mass),
        in_tolerances(std::fabs(all.mass - k * a.mass), tolerance.mass + k * own.mass)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(all.centroid - a.centroid - middle), WideVector(tolerance.centroid + own.centroid))},
       {has_inertia, worst_component(WideTensor(all.inertia - inertia), tolerance.inertia)}});
}

inline void derive_single(Case const& in, Random& random, std::vector<Case>& inputs) {
  inputs.push_back(Case{in.density, {any_of(in.balls, random)}});
}
inline std::optional<double> is_that_ball(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Part const& part = inputs[1].balls.front();
  Sizing const tolerance = allowance<Contract>(held, inputs[1], outputs[1]), out = cast<Sizing>(outputs[1]);
  Wide const r = part.radius, volume = 4 * pi_wide / 3 * r * r * r, mass = inputs[1].density * volume;
  Wide const moment = 0.4L * mass * r * r;
  WideTensor const inertia(moment, moment, moment, 0, 0, 0);
  outputs = outputs.subspan(1);
  return worst_answered(
      {{answered(outputs, &Answer::volume), in_tolerances(std::fabs(out.volume - volume), tolerance.volume)},
       {answered(outputs, &Answer::surface_area),
        in_tolerances(std::fabs(out.surface_area - 4 * pi_wide * r * r), tolerance.surface_area)},
       {answered(outputs, &Answer::mass), in_tolerances(std::fabs(out.mass - mass), tolerance.mass)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(out.centroid - part.centre.cast<Wide>()), tolerance.centroid)},
       {answered(outputs, &Answer::inertia), worst_component(WideTensor(out.inertia - inertia), tolerance.inertia)}});
}

/// Returns the volume that two balls share.
inline Wide lens(Part const& a, Part const& b) {
  Wide const d = (b.centre.cast<Wide>() - a.centre.cast<Wide>()).norm(), r = a.radius, s = b.radius, sum = r + s;
  if (!(d < sum)) return 0;
  if (d <= std::fabs(r - s)) return 4 * pi_wide / 3 * std::pow(std::min(r, s), 3);
  return pi_wide * (sum - d) * (sum - d) * (d * d + 2 * d * sum - 3 * (r - s) * (r - s)) / (12 * d);
}
/// Checks bounds. The volume is at least the volume of the largest ball, and at least the sum of the balls minus the
/// lenses of all pairs. It is at most the sum of the balls. The surface is at most the sum of the surfaces of the
/// balls, and at least the surface of a ball of the same volume.
inline std::optional<double> bounded(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  Sizing const scale = Contract::scale(in), tolerance = allowance<Contract>(held, in, outputs[0]);
  Wide largest = 0, lenses = 0;
  for (std::size_t i = 0; i < in.balls.size(); ++i) {
    Wide const r = in.balls[i].radius;
    largest = std::max(largest, 4 * pi_wide / 3 * r * r * r);
    for (std::size_t j = 0; j < i; ++j) lenses += lens(in.balls[i], in.balls[j]);
  }
  Wide const V = outputs[0].volume, S = outputs[0].surface_area;
  Wide const rounding = 0x1p-58L * (scale.volume + lenses);
  Wide const least = std::cbrt(36 * pi_wide * V * V), of_least = V > 0 ? 2 * least / (3 * V) * tolerance.volume : 0;
  bool const has_volume = answered(outputs, &Answer::volume), has_surface = answered(outputs, &Answer::surface_area);
  return worst_answered({{has_volume, in_tolerances(largest - V, tolerance.volume)},
                         {has_volume, in_tolerances(V - scale.volume, tolerance.volume)},
                         {has_volume, in_tolerances(scale.volume - lenses - V, tolerance.volume + rounding)},
                         {has_surface, in_tolerances(S - scale.surface_area, tolerance.surface_area)},
                         {has_volume && has_surface, in_tolerances(least - S, tolerance.surface_area + of_least)}});
}

/// Returns h, the amount by which all radii change: about 2^-20 of the smallest radius. The volume then changes by
/// about h times the surface.
inline double offset_of(Case const& in) {
  double least = in.balls.front().radius;
  for (Part const& part : in.balls) least = std::min(least, part.radius);
  return std::ldexp(1.0, std::ilogb(least) - 20);
}
inline void derive_offset(Case const& in, Random&, std::vector<Case>& inputs) {
  double const h = offset_of(in);
  if (!(h > 0x1p-1000)) return;
  Case larger = in, smaller = in;
  for (Part& part : larger.balls) part.radius += h;
  for (Part& part : smaller.balls) part.radius -= h;
  inputs.push_back(std::move(larger));
  inputs.push_back(std::move(smaller));
}
/// Checks that the surface is the derivative of the volume with respect to the radii. When the radii grow, the surface
/// changes at a rate of at most sum 4 pi r_i (2 + k_i), where k_i is the number of balls that overlap ball i, ball i
/// included. The reason: the circle in which two spheres intersect moves at most twice as fast as the radii.
inline std::optional<double> surface_is_the_derivative(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                       Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  Wide const h = offset_of(in);
  Wide rate = 0, rounding = 0;
  for (Part const& a : inputs[1].balls) {
    Wide const r = a.radius;
    int around = 0;
    for (Part const& b : inputs[1].balls)
      if ((b.centre.cast<Wide>() - a.centre.cast<Wide>()).norm() <= r + b.radius) ++around;
    rate += 4 * pi_wide * r * (2 + around);
    rounding += 4 * pi_wide * r * r * roundings(2) * r;  // rounding of r + h and r - h
  }
  Wide const tolerance = allowance<Contract>(held, inputs[1], outputs[1]).volume +
                         allowance<Contract>(held, inputs[2], outputs[2]).volume +
                         2 * h * allowance<Contract>(held, in, outputs[0]).surface_area + h * h * rate + rounding;
  Wide const change = static_cast<Wide>(outputs[1].volume) - outputs[2].volume;
  return in_tolerances(std::fabs(change - 2 * h * outputs[0].surface_area), tolerance);
}

/// Checks that the moments are in ascending order, that none is negative, and that none exceeds the sum of the other
/// two.
inline std::optional<double> of_a_body(std::span<Case const> inputs, std::span<Answer const> outputs,
                                       Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  WideVector const moments = wide(outputs[0].principal);
  Wide const tolerance = allowance<Contract>(held, inputs[0], outputs[0]).principal[0];
  return std::max(Shared::ascend(inputs, outputs, held).value_or(0),
                  in_tolerances(moments[2] - moments[1] - moments[0], 3 * tolerance));
}

/// Selects the outputs for laws that also compare the principal axes. A change of units must not change the choice of
/// the axes.
struct ToTheBit {
  using Contract = clump_union_mass_properties::Contract;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  /// Returns whether every number is far from the ends of the range of doubles.
  static bool stays_normal(Case const& in) {
    auto const fine = [](Wide x) { return is_moderate(x, 900); };
    Sizing const size = Contract::scale(in);
    return fine(size.volume) && fine(size.mass) && fine(size.inertia[0]) && of_all_numbers(in, fine);
  }
};

using Rule = Law<Case, Answer>;

inline std::vector<Rule> motions() {
  return {
      Shared::permutation("the order of the balls does not change the answer"),
      Alike::translation(),
      Alike::axis_permutation(),
      {.name = "rotation",
       .doc = "a rotation does not change volume and moments",
       .tolerance = "both budgets + the surfaces of the balls times the rounding",
       .compares = {"volume", "principal"},
       .derive = derive_rotation,
       .violation = rotated},
  };
}

inline std::vector<Rule> changes_of_unit() {
  return {
      Invariances<ToTheBit>::scaling(),
      {.name = "resizing",
       .doc = "lengths times s multiply the volume by s^3 and the inertia by s^5",
       .tolerance = "both budgets + the surfaces of the balls times the rounding",
       .compares = {"volume", "inertia"},
       .derive = derive_resizing,
       .violation = resized},
      {.name = "density",
       .doc = "the mass is density times volume, and the inertia is proportional to the density",
       .tolerance = "both budgets",
       .compares = {"volume", "surface_area", "mass", "centroid", "inertia"},
       .derive = derive_density,
       .violation = in_proportion},
  };
}

inline std::vector<Rule> parts() {
  return {
      {.name = "contained",
       .doc = "a duplicate ball, or a ball inside another, changes nothing",
       .tolerance = "both budgets",
       .compares = sums(),
       .derive = derive_contained,
       .violation = Shared::same},
      {.name = "monotone",
       .doc = "one more ball increases the volume by at most its own volume",
       .tolerance = "both budgets",
       .uses = {"volume"},
       .derive = derive_one_more,
       .violation = grows},
      {.name = "disjoint",
       .doc = "unions that do not touch add by the parallel axis theorem",
       .tolerance = "all budgets, that of the centroids times the arm",
       .compares = {"volume", "surface_area", "mass", "centroid", "inertia"},
       .derive = derive_copy,
       .violation = adds},
      {.name = "row",
       .doc = "copies of a clump in a row (hundreds of balls or more than a thousand) add by the parallel axis theorem",
       .tolerance = "both budgets times the number of copies",
       .compares = {"volume", "surface_area", "mass", "centroid", "inertia"},
       .derive = derive_row,
       .violation = adds_in_a_row},
      {.name = "single",
       .doc = "a single ball has the properties of a ball",
       .tolerance = "its budgets",
       .compares = {"volume", "surface_area", "mass", "centroid", "inertia"},
       .derive = derive_single,
       .violation = is_that_ball},
  };
}

inline std::vector<Rule> bounds() {
  return {
      {.name = "bounds",
       .doc = "max V_i <= V <= sum V_i, V >= sum V_i - lenses; S <= sum S_i, S >= that of a ball of volume V",
       .tolerance = "its budgets",
       .compares = {"volume", "surface_area"},
       .violation = bounded},
      {.name = "offset",
       .doc = "the surface is the derivative of the volume with respect to an offset of the radii",
       .tolerance = "both budgets + h^2 sum 4 pi r (2 + neighbours)",
       .uses = {"volume", "surface_area"},
       .derive = derive_offset,
       .violation = surface_is_the_derivative},
      Shared::composition(),
      {.name = "body",
       .doc = "the moments ascend and are positive, and none exceeds the sum of the other two",
       .tolerance = "its budget; three times its budget for a sum",
       .uses = {"principal"},
       .violation = of_a_body},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({motions(), changes_of_unit(), parts(), bounds()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{.workloads = workloads};

}  // namespace demeter::clump_union_mass_properties::properties
