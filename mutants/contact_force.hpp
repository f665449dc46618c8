// Mutants of contact_force. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/contact_force.hpp"

#include <cmath>
#include <span>

namespace demeter::contact_force::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Vector = Vector3<Real>;

inline constexpr Defect defects[] = {
    {"normal_reversed", "the normal points from 2 to 1", "another convention"},
    {"normal_not_divided", "the normal is not normalised", "a length that was 1 in all tests"},
    {"overlap_always", "separated bodies attract each other", "a missing test"},
    {"touching_overlaps", "uN = 0 is treated as a contact that sticks", "<= instead of <"},
    {"hertz_is_linear", "hertz: the stiffness is constant", "a missing branch"},
    {"hertz_cubed", "(overlap / radius)^(3/2) instead of the root", "the power of the force instead of the stiffness"},
    {"hertz_by_diameter", "the diameter instead of the radius", "half and whole exchanged"},
    {"hertz_friction_stiffness_constant", "the tangential stiffness does not grow with the overlap",
     "a missing factor"},
    {"tangential_is_normal_stiffness", "the normal stiffness is used for both directions", "copy and paste"},
    {"dashpot_undamped", "dashpot: no damping", "a missing branch"},
    {"linear_damped", "linear: damping as in dashpot", "a wrong branch"},
    {"damping_reversed", "normal damping has the wrong sign", "sign of a term"},
    {"damping_not_softened", "hertz: damping does not depend on the overlap", "a missing factor"},
    {"damping_softened_as_stiffness", "hertz: damping is proportional to the stiffness", "another model"},
    {"normal_damping_for_both", "tangential damping uses the normal coefficient", "copy and paste"},
    {"damping_by_speed", "the whole speed instead of its normal part", "a missing projection"},
    {"tension_always", "tension is never cut", "an option ignored"},
    {"tension_never", "tension is always cut", "an option ignored"},
    {"tension_cut_before_damping", "tension is cut from the elastic force, not from the sum", "order of operations"},
    {"friction_of_elastic", "Coulomb's bound uses only the elastic force", "another model"},
    {"friction_signed", "no friction where the normal force is tensile", "a missing absolute value in a bound"},
    {"friction_squared", "friction is applied twice", "a factor applied twice"},
    {"friction_each_component", "the bound is applied to each component", "a square instead of a disc"},
    {"bound_without_damping", "damping is added beyond the bound", "order of operations"},
    {"spring_not_cut", "the spring keeps growing while it slides", "history is not limited"},
    {"spring_cut_not_force", "the force of the step comes from the spring before the cut", "order of operations"},
    {"spring_takes_damping", "the spring is cut to the bound minus damping", "LAMMPS, gran/hooke/history"},
    {"spring_reset_on_sliding", "sliding sets the spring to 0", "history is lost"},
    {"spring_not_turned", "the spring stays in the global frame", "a missing rotation"},
    {"spring_projected", "the spring is projected, not rotated", "LAMMPS, gran/hooke/history"},
    {"spring_by_cross_products", "the spring is rotated only to first order", "YADE"},
    {"spring_twisted_backwards", "the twist about the normal has the wrong sign", "sign of a rotation"},
    {"spring_twisted_half", "only half of the twist", "a mean taken twice"},
    {"spring_twisted_twice", "the sum of both spins instead of their mean", "a missing factor"},
    {"spring_twist_before_bend", "the spring is twisted about the mean normal", "order of rotations"},
    {"spring_turned_backwards", "the rotation with the normal has the wrong sign", "sign of a rotation"},
    {"spring_of_new_contact_kept", "a new contact keeps an old spring", "history is not cleared"},
    {"spring_kept_apart", "separated bodies keep their spring", "history is not cleared"},
    {"spring_without_dt", "the velocity instead of the displacement", "a missing factor"},
    {"spring_reversed", "the spring moves against the velocity", "sign of a term"},
    {"spring_with_normal_velocity", "the spring uses the whole velocity", "a missing projection"},
    {"spring_moved_first", "the spring is moved before it is rotated", "order of operations"},
    {"velocity_by_end_normal", "velocities use the normal at the end of the step", "YADE, LAMMPS"},
    {"velocity_by_old_normal", "velocities use the normal of the step before", "data of the step before"},
    {"small_slip_ignored", "slip below 1e-6 m/s counts as 0", "absolute thresholds"},
    {"mean_normal_not_divided", "the mean of the normals is treated as a unit vector", "a missing length"},
    {"total", "hertz: the whole spring is multiplied by the present stiffness", "loading creates energy"},
    {"increment", "hertz: the tangential force is kept when the stiffness changes", "unloading creates energy"},
    {"rescaled_on_unloading", "hertz: the spring shrinks when the contact softens", "an inverted ratio"},
    {"stored_without_tangential", "only the energy of the normal spring", "a missing term"},
    {"stored_hertz_half", "hertz: the energy is k overlap^2 / 2", "the formula of a linear spring"},
    {"stored_before_sliding", "the energy of the spring before it is cut", "order of operations"},
    {"dissipated_without_sliding", "sliding dissipates nothing", "a missing term"},
    {"dissipated_without_damping", "damping dissipates nothing", "a missing term"},
    {"dissipated_of_whole_slide", "sliding dissipates the energy of the whole trial spring", "a missing difference"},
    {"dissipated_without_release", "the energy of a released spring is not in the ledger", "a missing term"},
    {"dissipated_without_rescale", "the energy lost by a change of stiffness is not in the ledger", "a missing term"},
    {"dissipated_absolute", "normal damping is counted twice", "a factor applied twice"},
    {"status_by_friction_zero", "friction below .2 always slides", "a wrong threshold"},
    {"status_ignores_damping", "a contact slides only if its spring does", "a missing case"},
    {"nearly_apart", "an overlap below 1e-9 of the previous overlap counts as 0", "a tolerance around a threshold"},
    {"nearly_new", "a previous overlap below 1e-9 of the present overlap counts as 0",
     "a tolerance around a threshold"},
    {"nearly_pulling", "tension below 1e-10 of the elastic force is not cut", "a tolerance around a threshold"},
    {"nearly_sliding", "a force within 1e-9 of the bound slides", "a tolerance around a threshold"},
    {"nearly_sticking", "a force beyond the bound by less than 1e-9 of it sticks", "a tolerance around a threshold"},
    {"nearly_undamped", "a damping force below 1e-8 of the elastic force counts as 0",
     "a tolerance around a threshold"},
    {"nearly_same_normal", "a rotation of less than 1e-9 counts as 0", "a tolerance around a threshold"},
};
using Chosen = Choice<defects>;

/// Returns v without its component along n.
inline Vector across(Vector const& v, Vector const& n) { return v - v.dot(n) * n; }

/// Returns the spring after two rotations: from the old normal b to the new normal n, and then about n by the angle
/// `twisted_by`. The vector m is the mean normal.
inline Vector turned(Vector const& t, Vector const& b, Vector const& n, Vector const& m, Real twisted_by,
                     Chosen const with) {
  Vector const axis = with("spring_turned_backwards") ? Vector(n.cross(b)) : Vector(b.cross(n));
  Real const angle = (with("spring_twisted_backwards") ? -1
                      : with("spring_twisted_half")    ? .5L
                      : with("spring_twisted_twice")   ? 2
                                                       : 1) *
                     twisted_by;
  Real const c = b.dot(n);
  auto const bend = [&](Vector const& s) { return Vector(c * s + axis.cross(s) + axis.dot(s) / (1 + c) * axis); };
  auto const twist = [&](Vector const& s, Vector const& about) {
    return Vector(std::cos(angle) * s + std::sin(angle) * about.cross(s) +
                  (1 - std::cos(angle)) * about.dot(s) * about);
  };
  if (with("spring_projected")) return across(t, n);
  if (with("spring_by_cross_products")) {
    Vector const bent = t - t.cross(axis);
    return bent - bent.cross(Vector(angle * n));
  }
  return twist(bend(t), with("spring_twist_before_bend") ? m : n);
}

inline Vector mean_normal(Vector const& n, Vector const& b, Chosen const with) {
  if (with("velocity_by_old_normal")) return b;
  if (with("velocity_by_end_normal")) return n;
  return with("mean_normal_not_divided") ? Vector((n + b) / 2) : Vector((n + b).normalized());
}

/// Shortens the spring to the friction limit and returns the work of sliding.
inline Real slide(Vector& t, Real limit, Real trial, Real kt, Chosen const with) {
  Real const longest = limit / kt;
  if (with("friction_each_component")) {
    for (Index k = 0; k < 3; ++k) t[k] = std::clamp<Real>(t[k], -longest, longest);
  } else if (with("spring_reset_on_sliding")) {
    t.setZero();
  } else {
    t *= limit / trial;
  }
  if (with("dissipated_without_sliding")) return 0;
  return longest * (with("dissipated_of_whole_slide") ? trial : trial - limit);
}

/// Returns whether the status is `slide`. `trial` is the force of the spring before it is shortened. `size` is the
/// tangential force with damping. `limited` states whether friction shortened this force.
inline bool is_sliding(Case const& in, Real trial, Real size, Real limit, bool limited, Chosen const with) {
  if (with("status_ignores_damping")) return limit < trial;
  if (with("status_by_friction_zero") && in.friction < 0.2) return true;
  if (with("nearly_sliding")) return std::max(trial, size) > (1 - 1e-9L) * limit;
  if (with("nearly_sticking")) return std::max(trial, size) > (1 + 1e-9L) * limit;
  return limit < trial || limited;
}

inline Answer evaluate(Case const& in, Chosen const with) {
  auto const read = [](Vector3<double> const& v) -> Vector { return v.cast<Real>(); };
  bool const hertz = in.law == ForceLaw::hertz && !with("hertz_is_linear");
  bool damped = in.law != ForceLaw::linear || with("linear_damped");
  if (with("dashpot_undamped") && in.law == ForceLaw::dashpot) damped = false;
  Vector n = read(in.normal).normalized();
  Vector b = read(in.normal_before).normalized();
  if (with("normal_not_divided")) n = read(in.normal);
  if (with("normal_reversed")) n = -n;
  if (with("nearly_same_normal") && (n - b).norm() < 1e-9L) b = n;
  Vector const m = mean_normal(n, b, with);
  Real const radius = with("hertz_by_diameter") ? 2 * in.radius : in.radius, uN = in.uN, dt = in.dt;
  auto const stiffer = [&](double at) -> Real {
    if (!hertz) return 1;
    Real const depth = std::fabs(at);
    return with("hertz_cubed") ? depth / radius * std::sqrt(depth / radius) : std::sqrt(depth / radius);
  };
  bool const nearly_new = with("nearly_new") && in.uN_before > 1e-9 * in.uN;
  bool const is_new = (!(in.uN_before < 0) && !with("spring_of_new_contact_kept")) || nearly_new;
  Real const before = is_new ? 0 : stiffer(in.uN_before);
  Vector const given = is_new ? Vector(Vector::Zero()) : read(in.spring);
  Vector const had = across(given, b);
  Real const kt_1 = with("tangential_is_normal_stiffness") ? in.normal_stiffness : in.tangential_stiffness;
  Answer out;
  out.force.setZero();
  out.spring.setZero();
  out.stored = 0;
  out.status = Status::apart;
  Real dissipated = kt_1 * before * had.squaredNorm() / 2;
  if (with("dissipated_without_release")) dissipated = 0;
  bool const overlaps = with("overlap_always") || in.uN < 0 || (with("touching_overlaps") && in.uN == 0);
  if (!overlaps || (with("nearly_apart") && in.uN > 1e-9 * in.uN_before)) {
    out.dissipated = static_cast<double>(dissipated);
    if (with("spring_kept_apart")) out.spring = had.cast<double>();
    return out;
  }
  dissipated = kt_1 * before * had.squaredNorm() / 2;
  Real const now = stiffer(in.uN), root = std::sqrt(now), kn = in.normal_stiffness * now;
  Real const kt = with("hertz_friction_stiffness_constant") ? kt_1 : kt_1 * now;
  Real const soft = with("damping_not_softened") ? 1 : with("damping_softened_as_stiffness") ? now : root;
  Real cn = damped ? (with("damping_reversed") ? -1 : 1) * in.normal_damping * soft : 0;
  Real const ct = damped ? (with("normal_damping_for_both") ? in.normal_damping : in.tangential_damping) * soft : 0;
  Vector const v = read(in.velocity);
  Real const vn = v.dot(m), elastic = kn * uN;
  if (with("nearly_undamped") && std::fabs(cn * vn) < 1e-8L * std::fabs(elastic)) cn = 0;
  Real pull = elastic + cn * (with("damping_by_speed") ? std::copysign(v.norm(), vn) : vn);
  bool const cut = (in.tension == Tension::cut && !with("tension_always")) || with("tension_never");
  bool const hardly = with("nearly_pulling") && pull < 1e-10L * std::fabs(elastic);
  if (cut && pull > 0 && !with("tension_cut_before_damping") && !hardly) pull = 0;
  Real limit = in.friction * std::fabs(with("friction_of_elastic") ? elastic : pull);
  if (with("friction_signed")) limit = in.friction * std::max<Real>(-pull, 0);
  if (with("friction_squared")) limit *= in.friction;

  Vector w = across(across(v, m), n);
  if (with("spring_with_normal_velocity")) w = v;
  if (with("spring_reversed")) w = -w;
  if (with("small_slip_ignored") && w.norm() < 1e-6L) w.setZero();
  Vector t = had;
  if (with("spring_moved_first")) t += dt * w;
  t = with("spring_not_turned") ? given : turned(t, b, n, m, dt * static_cast<Real>(in.twist), with);
  Real kept = hertz && before < now ? before / now : 1;
  if (is_new) kept = 0;
  if (with("total")) kept = 1;
  if (with("increment") && hertz) kept = before / now;
  if (with("rescaled_on_unloading") && hertz && before > now) kept = now / before;
  t *= kept;
  if (!with("dissipated_without_rescale"))
    dissipated -= kt * t.squaredNorm() / 2;
  else
    dissipated = 0;
  if (!with("spring_moved_first")) t += (with("spring_without_dt") ? 1 : dt) * w;
  Real const trial = kt * t.norm();
  Real const stored_before_slide = kt * t.squaredNorm() / 2;
  Vector uncut = t;
  if (limit < trial) dissipated += slide(t, limit, trial, kt, with);
  Vector const of_spring = kt * t;
  Vector friction = of_spring + ct * w;
  if (with("spring_reset_on_sliding") && limit < trial) friction = limit / trial * kt * uncut;
  Real const size = friction.norm();
  bool const limited = ct > 0 && limit < size && !with("bound_without_damping");
  if (limited) friction *= limit / size;
  if (with("spring_takes_damping") && limited && kt > 0) t = (friction - ct * w) / kt;
  if (with("spring_not_cut")) t = uncut;
  if (with("spring_cut_not_force")) friction = kt * uncut + ct * w;
  if (with("tension_cut_before_damping") && cut) pull = std::min<Real>(elastic, 0) + cn * vn;
  Vector force = pull * n + friction;
  Real normal_energy = (hertz && !with("stored_hertz_half") ? .4L : .5L) * kn * uN * uN;
  Real stored = normal_energy + (with("stored_before_sliding") ? stored_before_slide : kt * t.squaredNorm() / 2);
  if (with("stored_without_tangential")) stored = normal_energy;
  if (!with("dissipated_without_damping")) dissipated += dt * ((friction - of_spring).dot(w) + (pull - elastic) * vn);
  if (with("dissipated_absolute")) dissipated = std::fabs(dissipated) + dt * std::fabs(cn * vn * vn);
  bool const slides = is_sliding(in, trial, size, limit, limited, with);
  out.force = force.cast<double>();
  out.spring = t.cast<double>();
  out.stored = static_cast<double>(stored);
  out.dissipated = static_cast<double>(dissipated);
  out.status = slides ? Status::slide : Status::stick;
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "uN velocity spring",
                                .shared_by_four = "law",
                                .negated = "force",
                                .just_over = "force spring stored dissipated"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::contact_force::mutants
