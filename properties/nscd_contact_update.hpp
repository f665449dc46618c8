// Regimes and laws of one update of a contact without friction and restitution.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/nonsmooth.hpp"
#include "reference/spec/nscd_contact_update.hpp"

namespace demeter::nscd_contact_update::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Direction = Vector2<double>;
using Wide = Vector2<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Draws two masses from 0.1 to 10 kg and velocities with components from -1 to 1 m/s. The gap is -0.2 to 1.5 times the
/// distance that a body with 1 m/s moves in one step.
inline Case draw_pair(Random& random) {
  Case in;
  in.mass_i = random.log_uniform(-1, 1);
  in.mass_j = random.log_uniform(-1, 1);
  in.velocity_i = square_point(random);
  in.velocity_j = square_point(random);
  in.normal = unit_direction_in_plane(random);
  in.dt = random.log_uniform(-4, -2);
  in.gap = random.uniform(-0.2, 1.5) * in.dt;
  return in;
}
inline Case draw_typical(Random& random) { return draw_pair(random); }

/// Draws pairs in which one body has infinite mass. In a third of the cases, this body moves.
inline Case draw_wall(Random& random) {
  Case in = draw_pair(random);
  bool const first = random.chance(0.5), still = random.chance(0.67);
  (first ? in.mass_i : in.mass_j) = wall;
  if (still) (first ? in.velocity_i : in.velocity_j).setZero();
  return in;
}
/// Draws pairs in which the mass of one body is multiplied by 1e6 to 1e12.
inline Case draw_heavy(Random& random) {
  Case in = draw_pair(random);
  double const heavier = random.log_uniform(6, 12);
  (random.chance(0.5) ? in.mass_i : in.mass_j) *= heavier;
  return in;
}
inline Case draw_touching(Random& random) {
  Case in = random.chance(0.5) ? draw_pair(random) : draw_wall(random);
  in.gap = off_a_threshold(random) * in.dt;
  return in;
}
inline Case draw_overlapping(Random& random) {
  Case in = random.chance(0.5) ? draw_pair(random) : draw_wall(random);
  in.gap = -random.log_uniform(-8, 0);
  return in;
}
inline double normal_velocity_of(Case const& in) {
  return (in.velocity_i[0] - in.velocity_j[0]) * in.normal[0] + (in.velocity_i[1] - in.velocity_j[1]) * in.normal[1];
}
/// Draws gaps that are equal or nearly equal to the distance by which the bodies approach in one step.
inline Case draw_just_meeting(Random& random) {
  Case in = random.chance(0.5) ? draw_pair(random) : draw_wall(random);
  double const speed = normal_velocity_of(in);
  if (speed > 0) in.normal = -in.normal;
  double const off = off_a_threshold(random);
  in.gap = random.nudge(std::fabs(speed) * in.dt * (1 + off), 4);
  return in;
}
/// Draws motion along the surface. The slip is 0.01 to 1 m/s. The magnitude of the normal velocity is 1e-17 to 1e-3
/// m/s, so that it may consist of rounding errors.
inline Case draw_grazing(Random& random) {
  Case in = random.chance(0.5) ? draw_pair(random) : draw_wall(random);
  double const slip = signed_log_uniform(random, -2, 0), off = signed_log_uniform(random, -17, -3);
  in.velocity_i = in.velocity_j + slip * Direction(-in.normal[1], in.normal[0]) + off * in.normal;
  in.gap = random.chance(0.5) ? 0 : random.log_uniform(-18, -3) * in.dt;
  return in;
}
/// Draws pairs with a fast common motion. In comparison, the bodies approach slowly.
inline Case draw_together(Random& random) {
  Case in = draw_pair(random);
  double const speed = random.log_uniform(2, 6);
  Direction const common = speed * unit_direction_in_plane(random);
  in.velocity_i += common;
  in.velocity_j += common;
  return in;
}
/// Draws cases of small whole numbers. Normals are along an axis, or have the components 0.6 and 0.8 up to rounding.
inline Case draw_lattice(Random& random) {
  auto const whole = [&](std::int64_t low, std::int64_t high) {
    return static_cast<double>(random.integer(low, high));
  };
  Case in;
  in.mass_i = random.chance(0.2) ? wall : whole(1, 3);
  in.mass_j = whole(1, 3);
  if (in.mass_i < wall && random.chance(0.2)) in.mass_j = wall;
  double const ix = whole(-3, 3), iy = whole(-3, 3), jx = whole(-3, 3), jy = whole(-3, 3);
  in.velocity_i = {ix, iy};
  in.velocity_j = {jx, jy};
  double const sense = random.sign(), other = random.sign();
  bool const swapped = random.chance(0.5);
  Direction const along = random.chance(0.5) ? Direction(sense, 0) : Direction(sense * 0.6, other * 0.8);
  in.normal = swapped ? Direction(along[1], along[0]) : along;
  in.gap = whole(-2, 4) / 2;
  in.dt = 0.5;
  return in;
}
inline Case draw_global_scale(Random& random) {
  Case const in = random.chance(0.5) ? draw_pair(random) : draw_wall(random);
  auto const power = [&] { return std::ldexp(1.0, static_cast<int>(random.integer(-60, 60))); };
  double const metre = power(), kilogram = power(), second = power();
  return scaled_by(in, metre, kilogram, second);
}
/// Draws cases in which each mass, each velocity, the gap and the time step has its own magnitude.
inline Case draw_mixed_scale(Random& random) {
  Case in = draw_lattice(random);
  auto const factor = [&] { return random.log_uniform(-55, 55); };
  if (in.mass_i < wall) in.mass_i *= factor();
  if (in.mass_j < wall) in.mass_j *= factor();
  in.velocity_i *= factor();
  in.velocity_j *= factor();
  in.gap *= factor();
  in.dt *= factor();
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "two grains, most of them approaching, with a gap of up to 1.5 times the approach per step; sizes of 10 um to "
       "10 m",
       of_everyday_size<draw_typical>},
      {"wall", Profile::everyday, "one body has infinite mass, at rest or moving", of_everyday_size<draw_wall>},
      {"heavy", Profile::everyday, "one grain is 1e6 to 1e12 times as heavy as the other",
       of_everyday_size<draw_heavy>},
      {"overlapping", Profile::everyday, "the gap is -1e-8 to -1 sizes", of_everyday_size<draw_overlapping>},
      {"touching", Profile::degenerate, "the gap is 0, or plus or minus 1e-15 to 1e-3 of the approach per step",
       of_everyday_size<draw_touching>},
      {"just_meeting", Profile::degenerate, "the gap equals the approach per step, up to some ulps or 1e-15 to 1e-3",
       of_everyday_size<draw_just_meeting>},
      {"grazing", Profile::degenerate, "the normal velocity is 1e-17 to 1e-3 of the slip velocity",
       of_everyday_size<draw_grazing>},
      {"together", Profile::degenerate, "both bodies move with 100 to 1e6 times their approach velocity",
       of_everyday_size<draw_together>},
      {"lattice", Profile::degenerate, "small integers and exact normals: all kinds of ties and zeros",
       of_everyday_size<draw_lattice, true>},
      {"global_scale", Profile::extreme, "metre, kilogram and second times 2^-60 to 2^60", draw_global_scale},
      {"mixed_scale", Profile::extreme, "each quantity has its own magnitude, 1e-55 to 1e55", draw_mixed_scale},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, of_everyday_size<draw_lattice, true>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Inputs = std::span<Case const>;
using Outputs = std::span<Answer const>;

inline Unusable unusable(Inputs in, Outputs out) {
  return unusable_unless(in, out, [](Case const&) { return false; });
}

inline long double along(Wide const& v, Case const& in) { return v[0] * in.normal[0] + v[1] * in.normal[1]; }
inline Wide relative(Answer const& out) { return wide(out.velocity_i) - wide(out.velocity_j); }
inline long double meeting(Case const& in) { return std::max(static_cast<long double>(in.gap), 0.0L) / in.dt; }
/// Returns the sum of the allowed errors of all velocity components of both bodies.
inline long double both(Case const& in, Answer const& out, Tolerance const& held) {
  auto const may = allowance<Contract>(held, in, out);
  return may.velocity_i[0] + may.velocity_i[1] + may.velocity_j[0] + may.velocity_j[1];
}

inline std::optional<double> keeps_momentum(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Case const& of = in[0];
  if (is_infinite(of.mass_i) || is_infinite(of.mass_j)) return std::nullopt;
  auto const may = allowance<Contract>(held, of, out[0]);
  double worst = 0;
  for (Index k = 0; k < 2; ++k) {
    long double const change = of.mass_i * (static_cast<long double>(out[0].velocity_i[k]) - of.velocity_i[k]) +
                               of.mass_j * (static_cast<long double>(out[0].velocity_j[k]) - of.velocity_j[k]);
    worst = std::max(worst,
                     in_tolerances(std::fabs(change), of.mass_i * may.velocity_i[k] + of.mass_j * may.velocity_j[k]));
  }
  return worst;
}

inline std::optional<double> leaves_walls(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  bool const first = is_infinite(in[0].mass_i);
  if (!first && !is_infinite(in[0].mass_j)) return std::nullopt;
  auto const may = allowance<Contract>(held, in[0], out[0]);
  Direction const &was = first ? in[0].velocity_i : in[0].velocity_j,
                  &is = first ? out[0].velocity_i : out[0].velocity_j;
  double worst = 0;
  for (Index k = 0; k < 2; ++k)
    worst =
        std::max(worst, in_tolerances_if_different(held, static_cast<long double>(is[k]) - was[k], std::fabs(was[k]),
                                                   first ? may.velocity_i[k] : may.velocity_j[k]));
  return worst;
}

inline std::optional<double> does_not_meet(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(-(along(relative(out[0]), in[0]) + meeting(in[0])),
                       both(in[0], out[0], held) + allowance<Contract>(held, in[0], out[0]).correction);
}

inline std::optional<double> is_complementary(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (out[0].correction < 0) return infinite;
  if (out[0].correction == 0) return 0;
  // After a correction, the surfaces touch exactly at the end of the step. |n|^2 may differ from 1 by 2^-48, which
  // changes the correction by a relative 2^-48.
  long double const left = along(relative(out[0]), in[0]) + meeting(in[0]);
  return in_tolerances(std::fabs(left), both(in[0], out[0], held) +
                                            allowance<Contract>(held, in[0], out[0]).correction +
                                            0x1p-48L * std::fabs(static_cast<long double>(out[0].correction)));
}

inline std::optional<double> tells_the_growth(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const before = wide(in[0].velocity_i) - wide(in[0].velocity_j);
  auto const may = allowance<Contract>(held, in[0], out[0]);
  double const shown = in_tolerances(std::fabs(along(before, in[0]) - out[0].normal_velocity), may.normal_velocity);
  long double const growth = along(relative(out[0]), in[0]) - along(before, in[0]) - out[0].correction;
  return std::max(
      shown, in_tolerances(std::fabs(growth), both(in[0], out[0], held) + may.correction +
                                                  0x1p-48L * std::fabs(static_cast<long double>(out[0].correction))));
}

inline std::optional<double> keeps_the_slip(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowance<Contract>(held, in[0], out[0]);
  auto const across = [&](Wide const& v) { return v[1] * in[0].normal[0] - v[0] * in[0].normal[1]; };
  double const of_i = in_tolerances(std::fabs(across(wide(out[0].velocity_i) - wide(in[0].velocity_i))),
                                    may.velocity_i[0] + may.velocity_i[1]);
  double const of_j = in_tolerances(std::fabs(across(wide(out[0].velocity_j) - wide(in[0].velocity_j))),
                                    may.velocity_j[0] + may.velocity_j[1]);
  return std::max(of_i, of_j);
}

/// Checks that the contact is perfectly inelastic. It may end an approach but must not reverse it. If the bodies
/// separate, it must not change the normal velocity.
inline std::optional<double> gains_no_energy(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  // If the bodies approach, the normal velocity must not decrease and must not become positive.
  long double const before = along(wide(in[0].velocity_i) - wide(in[0].velocity_j), in[0]),
                    after = along(relative(out[0]), in[0]);
  long double const may = both(in[0], out[0], held);
  if (before >= 0) return in_tolerances(std::fabs(after - before), may);
  return std::max(in_tolerances(before - after, may), in_tolerances(after, may));
}

/// Selects the outputs for the laws of properties/core/invariance.hpp.
struct Invariant {
  using Contract = nscd_contact_update::Contract;
  static std::vector<std::string_view> outputs() {
    return {"normal_velocity", "correction", "velocity_i", "velocity_j"};
  }
  static Unusable unusable(Inputs inputs, Outputs outputs) { return properties::unusable(inputs, outputs); }
};
using Shared = Invariances<Invariant>;

inline void derive_swapped(Case const& in, Random&, std::vector<Case>& inputs) {
  inputs.push_back({in.mass_j, in.mass_i, in.velocity_j, in.velocity_i, -in.normal, in.gap, in.dt});
}
inline std::optional<double> is_exchanged(Inputs in, Outputs out, Tolerance const& held) {
  std::array const cases{in[0], in[0]};
  std::array answers{out[0], out[1]};
  std::swap(answers[1].velocity_i, answers[1].velocity_j);
  return Shared::equal(cases, answers, held);
}

/// Checks that an updated contact needs no further update, up to rounding.
inline std::optional<double> is_idempotent(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Case again = in[0];
  again.velocity_i = out[0].velocity_i;
  again.velocity_j = out[0].velocity_j;
  long double const wanting = -(along(relative(out[0]), again) + meeting(again));
  return in_tolerances(wanting, both(in[0], out[0], held) + allowance<Contract>(held, in[0], out[0]).correction);
}

/// Derives the case with another gap that is at most 0. The answer must not change.
inline void derive_deeper(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (!(in.gap <= 0)) return;
  Case other = in;
  double const depth = in.gap < 0 ? in.gap * random.uniform(0.5, 2) : -in.dt;
  other.gap = depth < 0 && -depth >= Contract::least && -depth <= Contract::largest ? depth : 0;
  inputs.push_back(other);
}

inline std::span<Law<Case, Answer> const> laws() {
  static Law<Case, Answer> const list[] = {
      {.name = "momentum",
       .doc = "the momentum of two grains does not change",
       .tolerance = "the budgets of both velocities",
       .uses = {"velocity_i", "velocity_j"},
       .violation = keeps_momentum},
      {.name = "walls_stay",
       .doc = "the velocity of a body with infinite mass does not change",
       .tolerance = "0 with tolerance strict, otherwise its budget",
       .uses = {"velocity_i", "velocity_j"},
       .violation = leaves_walls},
      {.name = "no_meeting",
       .doc = "after the update, the surfaces do not meet within the step",
       .tolerance = "the budgets",
       .uses = {"velocity_i", "velocity_j"},
       .violation = does_not_meet},
      {.name = "complementarity",
       .doc = "the correction is not negative; if it is positive, the surfaces just meet",
       .tolerance = "the budgets, plus 2^-48 of the correction (|n|^2 may differ from 1 by 2^-48)",
       .uses = {"correction", "velocity_i", "velocity_j"},
       .violation = is_complementary},
      {.name = "growth",
       .doc = "normal_velocity is that before the update; the update adds the correction to it",
       .tolerance = "the budgets, plus 2^-48 of the correction",
       .uses = {"normal_velocity", "correction", "velocity_i", "velocity_j"},
       .violation = tells_the_growth},
      {.name = "slip",
       .doc = "tangential velocities do not change",
       .tolerance = "the budgets",
       .uses = {"velocity_i", "velocity_j"},
       .violation = keeps_the_slip},
      {.name = "no_rebound",
       .doc = "the approach is not reversed, and separating bodies are not changed",
       .tolerance = "the budgets of both velocities",
       .uses = {"velocity_i", "velocity_j"},
       .violation = gains_no_energy},
      {.name = "idempotence",
       .doc = "a second update changes nothing",
       .tolerance = "the budgets",
       .uses = {"velocity_i", "velocity_j"},
       .violation = is_idempotent},
      {.name = "swap",
       .doc = "an exchange of i and j with a reversed normal exchanges the answers",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"normal_velocity", "correction", "velocity_i", "velocity_j"},
       .derive = derive_swapped,
       .violation = is_exchanged},
      {.name = "overlap",
       .doc = "the depth of an overlap does not change the answer",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"correction", "velocity_i", "velocity_j"},
       .derive = derive_deeper,
       .violation = Shared::equal},
      Shared::scaling(),
      Shared::axis_permutation(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::nscd_contact_update::properties
