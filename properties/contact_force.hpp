// Laws of one step of a force law at one contact.
#pragma once

#include "properties/core/allowance.hpp"
#include "properties/core/invariance.hpp"
#include "properties/regimes/contact_force.hpp"

namespace demeter::contact_force::properties {

using Answer = Output<double>;
using Wide = Vector3<long double>;
using Size = Output<long double>;

// ------------------------------------------------------------------------------------------------------------ laws

using Inputs = std::span<Case const>;
using Outputs = std::span<Answer const>;

inline Unusable unusable(Inputs, Outputs outputs) {
  for (Answer const& out : outputs)
    for (double const x : {out.force[0], out.force[1], out.force[2], out.spring[0], out.spring[1], out.spring[2],
                           out.stored, out.dissipated})
      if (!is_not_computed(x) && !std::isfinite(x)) return {true, infinite};
  return {false, std::nullopt};
}

inline Wide unit_of(Direction const& v) { return wide(v).normalized(); }
inline bool is_hertz(Case const& in) { return in.law == ForceLaw::hertz; }
/// Returns the factor by which the overlap multiplies both stiffnesses: sqrt(overlap / radius) for Hertz's law,
/// otherwise 1. Returns 0 if there is no overlap.
inline long double stiffer(Case const& in, double uN) {
  if (!(uN < 0)) return 0;
  return is_hertz(in) ? std::sqrt(-static_cast<long double>(uN) / in.radius) : 1;
}
/// Returns the spring at the beginning of the step, without its component along the previous normal.
inline Wide spring_before(Case const& in) {
  if (!(in.uN_before < 0)) return Wide::Zero();
  Wide const b = unit_of(in.normal_before), s = wide(in.spring);
  return s - s.dot(b) * b;
}
inline long double energy_before(Case const& in) {
  return in.tangential_stiffness * stiffer(in, in.uN_before) * spring_before(in).squaredNorm() / 2;
}

/// Components of the force along and across the normal.
struct Parts {
  long double along, across;
};
inline Parts parts(Case const& in, Answer const& out) {
  Wide const n = unit_of(in.normal), f = wide(out.force);
  long double const along = f.dot(n);
  return {along, (f - along * n).norm()};
}

inline std::optional<double> within_coulomb(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Parts const of = parts(in[0], out[0]);
  long double const may = allowance<Contract>(held, in[0], out[0]).force[0];
  return in_tolerances(of.across - in[0].friction * std::fabs(of.along), 2 * (1 + in[0].friction) * may);
}

inline std::optional<double> does_not_pull(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (in[0].tension == Tension::allowed) return std::nullopt;
  return in_tolerances(parts(in[0], out[0]).along, 2 * allowance<Contract>(held, in[0], out[0]).force[0]);
}

inline std::optional<double> is_across(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(std::fabs(wide(out[0].spring).dot(unit_of(in[0].normal))),
                       2 * allowance<Contract>(held, in[0], out[0]).spring[0]);
}

inline std::optional<double> gains_nothing(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(-static_cast<long double>(out[0].dissipated),
                       allowance<Contract>(held, in[0], out[0]).dissipated);
}

inline std::optional<double> tells_the_bound(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if ((out[0].status == Status::apart) != !(in[0].uN < 0)) return infinite;
  if (out[0].status != Status::slide || in[0].law != ForceLaw::linear) return 0;
  Parts const of = parts(in[0], out[0]);
  return in_tolerances(std::fabs(of.across - in[0].friction * std::fabs(of.along)),
                       2 * (1 + in[0].friction) * allowance<Contract>(held, in[0], out[0]).force[0]);
}

/// Returns the spring s after the shortest rotation from b to n.
inline Wide bent(Wide const& s, Wide const& b, Wide const& n) {
  Wide const axis = b.cross(n);
  return b.dot(n) * s + axis.cross(s) + axis.dot(s) / (1 + b.dot(n)) * axis;
}
inline Wide twisted(Wide const& s, Wide const& n, long double angle) {
  return std::cos(angle) * s + std::sin(angle) * n.cross(s);
}
/// Keeps only the last case and answer. Laws that examine only the derived case use this.
inline void last_of(Inputs& in, Outputs& out) { in = in.last(1), out = out.last(1); }

inline void derive_apart(Case const& in, Random&, std::vector<Case>& inputs) {
  Case apart = in;
  apart.uN = std::fabs(in.uN);
  inputs.push_back(apart);
}
inline std::optional<double> lets_go(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  for (Index k = 0; k < 3; ++k)
    if ((is_computed(out[0].force) && out[0].force[k] != 0) || (is_computed(out[0].spring) && out[0].spring[k] != 0))
      return infinite;
  if (is_computed(out[0].stored) && out[0].stored != 0) return infinite;
  if (!is_computed(out[0].dissipated)) return 0;
  return in_tolerances(std::fabs(out[0].dissipated - energy_before(in[0])),
                       allowance<Contract>(held, in[0], out[0]).dissipated);
}

/// Returns the case without damping and with a friction of 1e10. The contact then sticks unless the overlap is tiny.
inline Case rough(Case in) {
  in.friction = 1e10;
  in.normal_damping = in.tangential_damping = 0;
  return in;
}
inline Case resting(Case in) {
  in.velocity.setZero();
  in.uN_before = in.uN;
  return in;
}
/// Returns whether the contact is far from sliding: after the step, the force of the spring is below half of Coulomb's
/// bound.
inline bool holds(Case const& in) {
  long double const s = stiffer(in, in.uN);
  return in.uN < 0 && in.uN_before < 0 &&
         in.tangential_stiffness * (wide(in.spring).norm() + in.dt * wide(in.velocity).norm()) * s <
             0.5L * in.friction * in.normal_stiffness * s * -static_cast<long double>(in.uN);
}

inline void derive_carried(Case const& in, Random&, std::vector<Case>& inputs) {
  Case const carried = resting(rough(in));
  if (holds(carried)) inputs.push_back(carried);
}
inline std::optional<double> keeps_its_length(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(std::fabs(wide(out[0].spring).norm() - spring_before(in[0]).norm()),
                       2 * allowance<Contract>(held, in[0], out[0]).spring[0]);
}

inline void derive_twisted(Case const& in, Random&, std::vector<Case>& inputs) {
  Case twisted = resting(rough(in));
  twisted.normal_before = in.normal;
  if (holds(twisted)) inputs.push_back(twisted);
}
inline std::optional<double> turns_by_the_twist(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const expected =
      twisted(spring_before(in[0]), unit_of(in[0].normal), static_cast<long double>(in[0].dt) * in[0].twist);
  return worst_component(Wide(wide(out[0].spring) - expected), allowance<Contract>(held, in[0], out[0]).spring);
}

inline void derive_bent(Case const& in, Random&, std::vector<Case>& inputs) {
  Case bent = resting(rough(in));
  bent.twist = 0;
  if (holds(bent)) inputs.push_back(bent);
}
inline std::optional<double> turns_with_the_normal(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const expected = bent(spring_before(in[0]), unit_of(in[0].normal_before), unit_of(in[0].normal));
  return worst_component(Wide(wide(out[0].spring) - expected), allowance<Contract>(held, in[0], out[0]).spring);
}

inline void derive_first_step(Case const& in, Random&, std::vector<Case>& inputs) {
  Case first = rough(in);
  first.uN_before = in.uN;
  first.normal_before = in.normal;
  first.spring.setZero();
  if (holds(first)) inputs.push_back(first);
}
inline std::optional<double> follows_the_velocity(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const n = unit_of(in[0].normal), v = wide(in[0].velocity);
  Wide const expected = static_cast<long double>(in[0].dt) * (v - v.dot(n) * n);
  return worst_component(Wide(wide(out[0].spring) - expected), allowance<Contract>(held, in[0], out[0]).spring);
}

inline void derive_loaded(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case loaded = rough(in);
  loaded.velocity.setZero();
  loaded.twist = 0;
  loaded.normal_before = in.normal;
  loaded.uN_before = in.uN * random.uniform(0.25, 4);
  if (holds(loaded)) inputs.push_back(loaded);
}
/// Checks that a motion along the normal adds no energy to the tangential spring, whether the stiffness increases or
/// decreases.
inline std::optional<double> stores_no_more(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const depth = in[0].uN;
  long double const normal =
      (is_hertz(in[0]) ? 0.4L : 0.5L) * in[0].normal_stiffness * stiffer(in[0], in[0].uN) * depth * depth;
  // The scale of `dissipated` includes the energy before the step. Therefore the budget of `dissipated` covers the
  // error of this energy.
  Size const may = allowance<Contract>(held, in[0], out[0]);
  return in_tolerances(out[0].stored - normal - energy_before(in[0]), may.stored + may.dissipated);
}

inline void derive_pressed(Case const& in, Random&, std::vector<Case>& inputs) {
  if (!(in.uN < 0)) return;
  Case pressed = in;
  pressed.velocity.setZero();
  inputs.push_back(pressed);
}
inline std::optional<double> is_elastic(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const elastic = in[0].normal_stiffness * stiffer(in[0], in[0].uN) * static_cast<long double>(in[0].uN);
  return in_tolerances(std::fabs(parts(in[0], out[0]).along - elastic),
                       2 * allowance<Contract>(held, in[0], out[0]).force[0]);
}

/// The step, computed in long double: the normal velocity vn, the slip velocity w, and `trial`, the spring before
/// Coulomb's bound shortens it.
struct Motion {
  long double vn;
  Wide w, trial;
};
inline Motion motion(Case const& in) {
  Wide const n = unit_of(in.normal), b = unit_of(in.normal_before), m = (n + b).normalized(), v = wide(in.velocity);
  Motion of;
  of.vn = v.dot(m);
  of.w = v - of.vn * m;
  of.w -= of.w.dot(n) * n;
  long double const before = stiffer(in, in.uN_before), now = stiffer(in, in.uN), dt = in.dt;
  of.trial = (before < now ? before / now : 1) * twisted(bent(spring_before(in), b, n), n, dt * in.twist) + dt * of.w;
  return of;
}
/// Returns a damping coefficient multiplied by its factor for the present overlap.
inline long double softer(Case const& in, double damping) {
  return in.law == ForceLaw::linear ? 0 : damping * std::sqrt(stiffer(in, in.uN));
}
inline long double pushed(Case const& in) {
  return in.normal_stiffness * stiffer(in, in.uN) * static_cast<long double>(in.uN);
}

inline void derive_rough(Case const& in, Random&, std::vector<Case>& inputs) {
  Case held = in;
  held.friction = 1e10;
  held.normal_damping = held.tangential_damping = 0;
  if (in.uN < 0 && (!(in.uN_before < 0) || holds(held))) inputs.push_back(held);
}
inline std::optional<double> is_moved(Inputs in, Outputs out, Tolerance const& held) {
  last_of(in, out);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Size const may = allowance<Contract>(held, in[0], out[0]);
  // A new contact may slide in its first step, even with this friction.
  if (out[0].status == Status::slide) return std::nullopt;
  return worst_component(Wide(wide(out[0].spring) - motion(in[0]).trial), may.spring);
}

inline std::optional<double> is_damped(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!(in[0].uN < 0)) return std::nullopt;
  long double expected = pushed(in[0]) + softer(in[0], in[0].normal_damping) * motion(in[0]).vn;
  if (in[0].tension == Tension::cut) expected = std::min(expected, 0.0L);
  return in_tolerances(std::fabs(parts(in[0], out[0]).along - expected),
                       2 * allowance<Contract>(held, in[0], out[0]).force[0]);
}

/// Returns the component of the force across the normal.
inline Wide friction_of(Case const& in, Answer const& out) {
  Wide const n = unit_of(in.normal), f = wide(out.force);
  return f - f.dot(n) * n;
}
inline std::optional<double> is_sum(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (out[0].status != Status::stick) return std::nullopt;
  Size const may = allowance<Contract>(held, in[0], out[0]);
  long double const kt = in[0].tangential_stiffness * stiffer(in[0], in[0].uN);
  Wide const expected = kt * wide(out[0].spring) + softer(in[0], in[0].tangential_damping) * motion(in[0]).w;
  return in_tolerances((friction_of(in[0], out[0]) - expected).cwiseAbs().maxCoeff(),
                       4 * may.force[0] + 2 * kt * may.spring[0]);
}

inline std::optional<double> is_of_springs(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!(in[0].uN < 0)) return std::nullopt;
  long double const kt = in[0].tangential_stiffness * stiffer(in[0], in[0].uN), t = wide(out[0].spring).norm();
  long double const expected = (is_hertz(in[0]) ? 0.4L : 0.5L) * pushed(in[0]) * in[0].uN + kt * t * t / 2;
  Size const may = allowance<Contract>(held, in[0], out[0]);
  return in_tolerances(std::fabs(out[0].stored - expected), may.stored + 2 * kt * (t + may.spring[0]) * may.spring[0]);
}

/// Checks that `dissipated` is the sum of three losses: by the change of stiffness, by sliding and by damping. The
/// losses are computed from the force and the spring of the answer.
inline std::optional<double> closes(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!(in[0].uN < 0)) return std::nullopt;
  Size const may = allowance<Contract>(held, in[0], out[0]);
  Motion const of = motion(in[0]);
  long double const before = stiffer(in[0], in[0].uN_before), now = stiffer(in[0], in[0].uN), dt = in[0].dt,
                    kt = in[0].tangential_stiffness * now, kept = before < now ? before / now : 1,
                    normal = parts(in[0], out[0]).along, of_normal = 2 * may.force[0], of_spring = 2 * may.spring[0];
  long double const limit = in[0].friction * std::fabs(normal), trial = kt * of.trial.norm();
  long double expected =
      in[0].tangential_stiffness * spring_before(in[0]).squaredNorm() * (before - now * kept * kept) / 2;
  long double tolerance = may.dissipated;
  if (kt > 0) {
    expected += limit / kt * std::max(trial - limit, 0.0L);
    tolerance += in[0].friction * of_normal / kt * (trial + limit) + (limit + kt * of_spring) * of_spring;
  }
  expected +=
      dt * ((friction_of(in[0], out[0]) - kt * wide(out[0].spring)).dot(of.w) + (normal - pushed(in[0])) * of.vn);
  tolerance += dt * (of.w.norm() + std::fabs(of.vn)) * (2 * of_normal + kt * of_spring);
  return in_tolerances(std::fabs(out[0].dissipated - expected), tolerance);
}

inline void derive_undamped(Case const& in, Random&, std::vector<Case>& inputs) {
  if (in.law == ForceLaw::linear) return;
  Case other = in;
  other.tangential_damping = in.tangential_damping == 0 ? in.normal_stiffness * in.dt : 0;
  if (!Contract::domain_error(other)) inputs.push_back(other);
}
inline std::optional<double> same_spring(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (held.to_the_bit) return out[0].spring == out[1].spring ? 0 : infinite;
  return worst_component(Wide(wide(out[1].spring) - wide(out[0].spring)), allowance<Contract>(held, in, out).spring);
}

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) {
  Case other = in;
  other.normal = -in.normal;
  other.normal_before = -in.normal_before;
  // Velocity, spring and twist change their signs, like the normal.
  other.velocity = -in.velocity;
  other.twist = -in.twist;
  other.spring = -in.spring;
  inputs.push_back(other);
}
inline std::optional<double> opposite(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Size const may = allowance<Contract>(held, in, out);
  auto const differ = [](double a, double b, long double tolerance) {
    return in_tolerances(std::fabs(static_cast<long double>(a) - b), tolerance);
  };
  return worst_answered(
      {{answered(out, &Answer::force), worst_component(Wide(wide(out[0].force) + wide(out[1].force)), may.force)},
       {answered(out, &Answer::spring), worst_component(Wide(wide(out[0].spring) + wide(out[1].spring)), may.spring)},
       {answered(out, &Answer::stored), differ(out[0].stored, out[1].stored, may.stored)},
       {answered(out, &Answer::dissipated), differ(out[0].dissipated, out[1].dissipated, may.dissipated)}});
}

/// Derives the mirror image. The twist is a spin about the normal: it changes its sign. The other quantities are
/// mirrored like vectors.
inline void derive_mirror(Case const& in, Random&, std::vector<Case>& inputs) {
  Case mirrored = in;
  for (Direction* each : {&mirrored.normal, &mirrored.normal_before, &mirrored.velocity, &mirrored.spring})
    (*each)[0] = -(*each)[0];
  mirrored.twist = -in.twist;
  inputs.push_back(mirrored);
}
inline std::optional<double> mirrored(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Size const may = allowance<Contract>(held, in, out);
  auto const worst = [](Direction const& a, Direction const& b, Wide const& tolerance) {
    Wide back = wide(b);
    back[0] = -back[0];
    return worst_component(Wide(wide(a) - back), tolerance);
  };
  return worst_answered({{answered(out, &Answer::force), worst(out[0].force, out[1].force, may.force)},
                         {answered(out, &Answer::spring), worst(out[0].spring, out[1].spring, may.spring)}});
}

inline void derive_normals(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  auto const one = static_cast<int>(random.integer(-20, 20)), two = static_cast<int>(random.integer(-20, 20));
  for (double& x : other.normal) x = std::ldexp(x, one);
  for (double& x : other.normal_before) x = std::ldexp(x, two);
  if (!Contract::domain_error(other)) inputs.push_back(other);
}

inline std::vector<std::string_view> all() { return {"force", "spring", "stored", "dissipated", "status"}; }

struct Invariant {
  using Contract = contact_force::Contract;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  static bool stays_normal(Case const& in) {
    Size const size = Contract::scale(in);
    return of_all_numbers(in, [](long double x) { return is_moderate(x, 190); }) &&
           of_all_numbers(size, [](long double x) { return is_moderate(x, 700); });
  }
  /// Returns whether the kernel has this symmetry. Mirrors are not symmetries here: the twist, a spin about the normal,
  /// would have to change its sign.
  static bool turns(Case const&, CubeMotion const& motion) { return motion.determinant > 0; }
};
using Shared = Invariances<Invariant>;
/// Like `Invariant`, but without the status. In other axes, forces are rounded differently. At Coulomb's bound, both
/// values of the status are then correct.
struct Turned : Invariant {
  static std::vector<std::string_view> outputs() { return {"force", "spring", "stored", "dissipated"}; }
};

using Rule = Law<Case, Answer>;

inline std::vector<Rule> about_the_force() {
  return {
      // Broken by woo, yade-2023.02.
      {.name = "coulomb",
       .doc = "the tangential force is at most friction times the normal force",
       .tolerance = "2 (1 + friction) times the budget of the force",
       .uses = {"force"},
       .violation = within_coulomb},
      // Broken by woo.
      {.name = "no_tension",
       .doc = "if tension is cut, the normal force is not tensile",
       .tolerance = "twice the budget of the force",
       .uses = {"force"},
       .violation = does_not_pull},
      // Broken by woo, yade-2023.02.
      {.name = "elastic",
       .doc = "without velocity, the normal force is the spring force",
       .tolerance = "twice the budget of the force",
       .uses = {"force"},
       .derive = derive_pressed,
       .violation = is_elastic},
      // Broken by woo, yade-2023.02.
      {.name = "damping",
       .doc = "the normal force is spring plus damping along the mean normal; tension is cut if requested",
       .tolerance = "twice the budget of the force",
       .uses = {"force"},
       .violation = is_damped},
      // Broken by woo, yade-2023.02, lammps-hooke-history.
      {.name = "stick",
       .doc = "the tangential force of a sticking contact is the sum of spring and damping",
       .tolerance = "four times the budget of the force, plus twice that of the spring",
       .uses = {"force", "spring", "status"},
       .violation = is_sum},
      // Broken by woo, yade-2023.02.
      {.name = "status",
       .doc = "the status is apart exactly if uN >= 0; a sliding linear contact is at Coulomb's bound",
       .tolerance = "2 (1 + friction) times the budget of the force",
       .uses = {"force", "status"},
       .violation = tells_the_bound},
      {.name = "apart",
       .doc = "without overlap, force and spring are 0 and the energy of the spring is dissipated",
       .tolerance = "0; the budget of the dissipated energy",
       .compares = {"force", "spring", "stored", "dissipated"},
       .derive = derive_apart,
       .violation = lets_go},
  };
}

inline std::vector<Rule> about_the_spring() {
  return {
      // Broken by woo, yade-2023.02, lammps-hooke-history.
      {.name = "tangent",
       .doc = "the spring is perpendicular to the normal",
       .tolerance = "twice its budget",
       .uses = {"spring"},
       .violation = is_across},
      // Broken by woo, yade-2023.02, lammps-hooke-history.
      {.name = "rigid",
       .doc = "a rotation of the contact does not change the length of the spring",
       .tolerance = "twice its budget",
       .uses = {"spring"},
       .derive = derive_carried,
       .violation = keeps_its_length},
      // Broken by woo, yade-2023.02, lammps-hooke-history.
      {.name = "twist",
       .doc = "a twist about the normal rotates the spring by dt times the twist",
       .tolerance = "its budget",
       .uses = {"spring"},
       .derive = derive_twisted,
       .violation = turns_by_the_twist},
      // Broken by yade-2023.02, lammps-hooke-history.
      {.name = "bend",
       .doc = "a rotation of the normal rotates the spring in the same way",
       .tolerance = "its budget",
       .uses = {"spring"},
       .derive = derive_bent,
       .violation = turns_with_the_normal},
      // Broken by woo.
      {.name = "first_step",
       .doc = "in the first step, the spring is dt times the tangential velocity",
       .tolerance = "its budget",
       .uses = {"spring"},
       .derive = derive_first_step,
       .violation = follows_the_velocity},
      // Broken by the choices of normal velocity, slip, transport and memory that are not the recommended ones.
      {.name = "moved",
       .doc =
           "if the contact sticks, the spring is the rotated and rescaled old spring plus dt times the slip velocity",
       .tolerance = "its budget",
       .uses = {"spring", "status"},
       .derive = derive_rough,
       .violation = is_moved},
      // Broken by lammps-hooke-history.
      {.name = "not_stored",
       .doc = "tangential damping does not change any bit of the spring",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"spring"},
       .derive = derive_undamped,
       .violation = same_spring},
  };
}

inline std::vector<Rule> about_energy() {
  return {
      {.name = "springs",
       .doc = "the stored energy is that of the overlap and of the returned spring",
       .tolerance = "its budget and that of the spring",
       .uses = {"stored", "spring"},
       .violation = is_of_springs},
      // Broken by memory=total, memory=increment and memory=shortened.
      {.name = "ledger",
       .doc = "the dissipated energy is the work of stiffness change, sliding and damping, from the returned force and "
              "spring",
       .tolerance = "its budget and those of force and spring",
       .uses = {"dissipated", "force", "spring"},
       .violation = closes},
      // Broken by memory=total, memory=increment and memory=shortened.
      {.name = "dissipation",
       .doc = "the dissipated energy is not negative",
       .tolerance = "its budget",
       .uses = {"dissipated"},
       .violation = gains_nothing},
      // Broken by memory=total, memory=increment and memory=shortened.
      {.name = "loading",
       .doc = "loading and unloading add no energy to the tangential spring",
       .tolerance = "the budgets of both energies",
       .uses = {"stored"},
       .derive = derive_loaded,
       .violation = stores_no_more},
  };
}

inline std::vector<Rule> symmetries() {
  return {
      {.name = "swap",
       .doc = "an exchange of the bodies reverses force and spring and does not change the energies",
       .tolerance = "both budgets",
       .compares = {"force", "spring", "stored", "dissipated"},
       .derive = derive_swap,
       .violation = opposite},
      {.name = "mirror",
       .doc = "mirroring the input (the twist changes its sign) mirrors force and spring",
       .tolerance = "both budgets",
       .compares = {"force", "spring"},
       .derive = derive_mirror,
       .violation = mirrored},
      {.name = "normal_scaling",
       .doc = "2^k times a normal gives the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = all(),
       .derive = derive_normals,
       .violation = Shared::equal},
      Invariances<Turned>::axis_permutation(),
      Shared::scaling(),
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({about_the_force(), about_the_spring(), about_energy(), symmetries()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::contact_force::properties
