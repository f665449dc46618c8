// Contract of contact_force: force, tangential spring and energies of one contact after one time step.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/contact_force_choices.hpp"

namespace demeter::contact_force {

/// The force law. linear: springs only. dashpot: springs and constant dampers. hertz: springs and dampers that become
/// stronger with the overlap, by Hertz's law.
enum class ForceLaw { linear, dashpot, hertz };
constexpr std::array<std::string_view, 3> labels(ForceLaw) { return {"linear", "dashpot", "hertz"}; }

/// Says whether the normal force may pull the bodies together while overlapping bodies separate.
enum class Tension { cut, allowed };
constexpr std::array<std::string_view, 2> labels(Tension) { return {"cut", "allowed"}; }

/// apart: no contact. stick: Coulomb's limit does not shorten the tangential force. slide: Coulomb's limit shortens it.
enum class Status { apart, stick, slide };
constexpr std::array<std::string_view, 3> labels(Status) { return {"apart", "stick", "slide"}; }

/// One contact at the end of a time step, with its history, in the global frame. Domain: finite numbers, magnitudes of
/// 1e-60 to 1e60 or 0 where allowed, normals less than a right angle apart, at most 1 rad of twist per step.
template <class Scalar>
struct Input {
  ForceLaw law;
  Scalar normal_stiffness, tangential_stiffness, normal_damping, tangential_damping, friction;
  Tension tension;
  Scalar radius, dt, uN, uN_before;
  Vector3<Scalar> normal, normal_before, velocity;
  Scalar twist;
  Vector3<Scalar> spring;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("law", &Input::law, unit::none, "the force law"),
            field("normal_stiffness", &Input::normal_stiffness, stiffness,
                  "> 0; hertz: that of an overlap as large as the radius, 4/3 E* radius"),
            field("tangential_stiffness", &Input::tangential_stiffness, stiffness,
                  ">= 0; hertz: that of an overlap as large as the radius, 8 G* radius"),
            field("normal_damping", &Input::normal_damping, damping, ">= 0; linear: not used; hertz: as the stiffness"),
            field("tangential_damping", &Input::tangential_damping, damping, "the same, of the tangential velocity"),
            field("friction", &Input::friction, unit::none, "Coulomb's coefficient, >= 0"),
            field("tension", &Input::tension, unit::none, "whether damping may make the bodies attract each other"),
        },
        std::tuple{
            field("radius", &Input::radius, unit::metre, "effective radius R*, > 0; used by hertz alone"),
            field("dt", &Input::dt, unit::second, "time step, > 0"),
            field("uN", &Input::uN, unit::metre, "normal displacement at the end of the step; < 0: overlap"),
            field("uN_before", &Input::uN_before, unit::metre, "the same a step ago; >= 0: the contact is new"),
            field("normal", &Input::normal, unit::none, Kind::vector,
                  "from body 1 to body 2 at the end of the step; of any length but 0, by which it is divided"),
            field("normal_before", &Input::normal_before, unit::none, Kind::vector,
                  "the same a step ago, less than a right angle away; of a new contact the normal"),
            field("velocity", &Input::velocity, unit::velocity, Kind::vector,
                  "of body 2 relative to body 1 at the contact point, half a step ago"),
            field("twist", &Input::twist, unit::spin,
                  "mean spin of both bodies about the mean normal, half a step ago; for a law that twists the spring "
                  "about the old normal: about this normal; at most 1 rad per step"),
            field("spring", &Input::spring, unit::metre, Kind::vector,
                  "tangential spring a step ago, global frame; what it has along normal_before does not count"),
        });
  }

 private:
  static constexpr std::string_view stiffness = "N/m", damping = "kg/s";
};

/// Force on body 1 in N, the new tangential spring in m, and energies in J, in the global frame.
template <class Scalar>
struct Output {
  Vector3<Scalar> force, spring;
  Scalar stored, dissipated;
  Status status;

  static constexpr auto fields() {
    return std::tuple{
        field("force", &Output::force, unit::newton, Kind::vector, "on body 1; body 2 feels its opposite"),
        field("spring", &Output::spring, unit::metre, Kind::vector, "tangential spring at the end of the step"),
        field("stored", &Output::stored, unit::newton_metre, "elastic energy of both springs at the end of the step"),
        field("dissipated", &Output::dissipated, unit::newton_metre, "energy that the contact has lost in the step"),
        field("status", &Output::status, unit::none, "apart, or whether Coulomb's bound limits the tangential force"),
    };
  }
};

/// The quantities that determine the errors in binary64, in long double.
namespace conditioning {

using Real = long double;
using Vector = Vector3<Real>;

/// The magnitudes of the quantities in one step. A value `of_...` is the sum of the magnitudes of the terms of a
/// quantity.
struct Sizes {
  Real normal = 0, of_normal = 0;          ///< normal force, N
  Real limit = 0, elastic = 0, trial = 0;  ///< Coulomb's limit; spring force; spring force plus damping; all in N
  Real of_spring = 0, of_tangential = 0;
  Real of_stored = 0, of_dissipated = 0;
};

inline Vector across(Vector const& v, Vector const& n) { return v - v.dot(n) * n; }

/// The directions of a step: the normals now and a step ago, their mean, and the twist.
struct Directions {
  Vector n, b, m;
  Real angle;
};

inline Vector in_woos_axes(Directions const& of, Vector const& t) {
  Vector const r = of.b.cross(of.n) + of.angle * of.n;
  Real const cosine = std::sqrt(std::max(1 - r.squaredNorm(), Real(0)));
  return cosine * t + r.cross(t) + r.dot(t) / (1 + cosine) * r;
}

/// Returns the spring after the rotation of the contact.
inline Vector carried(Transport transport, Directions const& of, Vector const& given) {
  if (transport == Transport::none) return given;
  if (transport == Transport::project) return across(given, of.n);
  if (transport == Transport::restore) {
    Vector const flat = across(given, of.n);
    Real const length = flat.norm();
    return length > 0 ? Vector(given.norm() / length * flat) : flat;
  }
  if (transport == Transport::old_normal) {
    Vector const t = given - given.cross(of.b.cross(of.n));
    return t - of.angle * t.cross(of.b);
  }
  Vector t = across(given, of.b);
  if (transport == Transport::woo) return in_woos_axes(of, t);
  t -= t.dot(of.n) / (1 + of.n.dot(of.b)) * (of.n + of.b);
  return std::cos(of.angle) * t + std::sin(of.angle) * of.n.cross(t);
}

/// Returns the velocity with which the spring moves.
inline Vector slip_velocity(Slip slip, Directions const& of, Vector const& v) {
  if (slip == Slip::current) return across(v, of.n);
  if (slip == Slip::mean) return across(v, of.m);
  if (slip == Slip::both) return across(across(v, of.m), of.n);
  Vector const r = of.b.cross(of.n) + of.angle * of.n;
  return in_woos_axes(of, across(v + v.cross(r) / 2, of.b));
}

/// Returns the factor by which a change of stiffness from `before` to `now` multiplies the spring.
inline Real remembered(Memory memory, Real before, Real now) {
  if (memory == Memory::total || !(now > 0)) return 1;
  if (memory == Memory::increment) return before / now;
  if (memory == Memory::rescaled) return before < now ? before / now : Real(1);
  return before > now ? now / before : Real(1);
}

/// Returns the factor of the damping coefficients, where `now` is that of the stiffness.
inline Real damping_factor(Damping damping, Real now) {
  if (damping == Damping::constant) return 1;
  if (damping == Damping::viscoelastic) return now;
  return damping == Damping::overlap ? now * now : std::sqrt(now);
}

/// Returns the ratio in which Coulomb's limit shortens a force. Near the limit, rounding may decide between stick and
/// slide, and both are right. The limit may be a small difference of larger forces, so it is lowered by 2^-42 of their
/// sum.
inline std::optional<Real> shortened(Real force, Real limit, Real of_limit) {
  if (!(force > limit - 0x1p-42L * of_limit && force > 0)) return std::nullopt;
  return std::min(limit / force, Real(1));
}

inline Sizes sizes(Input<double> const& in, Choices const& by) {
  Sizes is;
  auto const unit_vector = [](Vector3<double> const& v) { return Vector(v.cast<Real>().normalized()); };
  Directions of{unit_vector(in.normal), unit_vector(in.normal_before), {}, static_cast<Real>(in.dt) * in.twist};
  of.m = (of.n + of.b).normalized();
  Vector const v = in.velocity.cast<Real>();
  bool const is_new = !(in.uN_before < 0), hertz = in.law == ForceLaw::hertz;
  Real const delta = -static_cast<Real>(in.uN), dt = in.dt, radius = in.radius;
  auto const softened = [&](Real depth) { return hertz ? std::sqrt(depth / radius) : Real(1); };
  Real const before = is_new ? Real(0) : softened(-static_cast<Real>(in.uN_before));
  Vector const given = is_new ? Vector(Vector::Zero()) : in.spring.cast<Real>();
  is.of_dissipated = in.tangential_stiffness * before * given.squaredNorm();
  if (!(in.uN < 0)) return is;
  Real const now = softened(delta), kn = in.normal_stiffness * now, kt = in.tangential_stiffness * now;
  Real const factor = in.law == ForceLaw::linear ? Real(0) : hertz ? damping_factor(by.damping, now) : Real(1);
  Real const cn = in.normal_damping * factor;
  Real const ct = !is_new || damps(by.first_step) ? in.tangential_damping * factor : Real(0);
  Real const vn = v.dot(by.normal_velocity == NormalVelocity::mean ? of.m : of.n);
  is.normal = -kn * delta + cn * vn;
  bool const cut = by.tension == Pull::given ? in.tension == Tension::cut : by.tension == Pull::cut;
  if (cut) is.normal = std::min(is.normal, Real(0));
  is.of_normal = kn * delta + cn * v.norm();
  is.limit = in.friction * std::fabs(is.normal);
  Real const of_limit = in.friction * is.of_normal;

  Real const kept = hertz && !is_new ? remembered(by.memory, before, now) : Real(1);
  Vector const w = slip_velocity(by.slip, of, v);
  Real const moved = !is_new || slips(by.first_step) ? dt : Real(0);
  Vector t = kept * carried(by.transport, of, given) + moved * w;
  // The direction of a spring that is nearly along the normal is a small difference. Restoring its length magnifies the
  // error.
  Real magnified = 1;
  if (by.transport == Transport::restore && !is_new) {
    Real const flat = across(given, of.n).norm(), whole = given.norm();
    if (whole > 0) magnified = flat > 0x1p-60L * whole ? whole / flat : 0x1p60L;
  }
  is.of_spring = kept * given.norm() * magnified + moved * v.norm();
  is.elastic = kt * t.norm();
  bool const of_sum = shortens_only_sum(by.limit);
  Real of_slip = 0;
  auto const spring_share = of_sum ? std::nullopt : shortened(is.elastic, is.limit, of_limit);
  if (spring_share) {
    of_slip = of_limit / kt * (is.elastic + is.limit) + is.limit * is.of_spring;
    t *= *spring_share;
    is.of_spring = std::max(*spring_share, 0x1p-60L) * is.of_spring + of_limit / kt;
  }
  Vector const T = kt * t + ct * w;
  is.trial = T.norm();
  is.of_tangential = kt * is.of_spring + (by.limit == Limit::spring ? Real(0) : ct * v.norm());
  Real of_friction = is.of_tangential;
  bool const limits_sum = of_sum || by.limit == Limit::spring_then_sum;
  if (auto const share = limits_sum ? shortened(is.trial, is.limit, of_limit) : std::nullopt) {
    of_friction = of_limit + *share * is.of_tangential;
    // The spring is then a difference of forces, or the whole force, divided by the stiffness.
    if (of_sum && kt > 0) {
      is.of_spring = std::max(is.of_spring, (of_friction + ct * v.norm()) / kt);
      t = Vector::Constant(is.of_spring);
    }
  }
  // The last term is the square of the error of the spring. It matters if the spring is 0 except for the error of the
  // limit.
  is.of_stored =
      kn * delta * delta + kt * t.norm() * (t.norm() + is.of_spring) + 0x1p-44L * kt * is.of_spring * is.of_spring;
  is.of_dissipated += of_slip + dt * v.norm() * (of_friction + is.of_normal + kt * is.of_spring);
  is.of_tangential = of_friction;
  return is;
}

}  // namespace conditioning

struct Contract {
  template <class Scalar>
  using Input = contact_force::Input<Scalar>;
  template <class Scalar>
  using Output = contact_force::Output<Scalar>;
  using Choices = contact_force::Choices;

  static constexpr std::string_view name = "contact_force";
  static constexpr std::string_view summary = "force, spring and energy of one step of a force law at one contact";
  static constexpr std::string_view conventions =
      "The normal points from body 1 to body 2. uN < 0 is an overlap. The force acts on body 1: a repulsion acts "
      "against "
      "the normal. The velocity is that of body 2 minus that of body 1, half a step before the end of the step. "
      "Law linear: the normal force is k uN, the tangential force is kt times the spring. Law dashpot: each force also "
      "has its damping times its velocity. Law hertz: as dashpot, with stiffnesses times (overlap / radius)^(1/2) and "
      "dampings times (overlap / radius)^(1/4). The recommended law: the spring rotates with the normal, then about "
      "the "
      "normal by dt twist, then moves by dt times the tangential velocity. A spring whose force exceeds Coulomb's "
      "limit "
      "is shortened to the limit. Then the sum of spring and damping is shortened to the limit; damping is never "
      "stored. "
      "If the tangential stiffness grows within a contact, the spring becomes shorter and its force stays. If the "
      "stiffness falls, the spring stays. A spring that is let go is dissipated. Other laws make other choices: see "
      "--choices.";
  static constexpr std::string_view source =
      "Cundall, Strack 1979, A discrete numerical model for granular assemblies; Tsuji, Tanaka, Ishida 1992, "
      "Lagrangian "
      "numerical simulation of plug flow of cohesionless particles in a horizontal pipe; Thornton, Cummins, Cleary "
      "2013, "
      "An investigation of the comparative behaviour of alternative contact force models during inelastic collisions; "
      "docs/mathematics/forces.md#contact_force";
  static constexpr Certainty certainty = bounded;
  /// Range of magnitudes: a product of five of them is within the range of a double.
  static constexpr double least = 1e-60, largest = 1e60;
  static constexpr std::array budgets{
      Budget{"force", Measure::scale, 16},       Budget{"spring", Measure::scale, 16},
      Budget{"stored", Measure::scale, 16},      Budget{"dissipated", Measure::scale, 16},
      Budget{"status", Measure::optimality, 16},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    auto const size = [](Scalar const& x) { return x < Scalar(0) ? Scalar(-x) : x; };
    auto const ordinary = [&](Scalar const& x) { return x >= Scalar(least) && x <= Scalar(largest); };
    auto const zero = [](Scalar const& x) { return x >= Scalar(0) && x <= Scalar(0); };
    struct Number {
      char const* name;
      Scalar const& value;
    };
    for (Number const& each :
         {Number{"normal_stiffness", in.normal_stiffness}, Number{"radius", in.radius}, Number{"dt", in.dt}})
      if (!ordinary(each.value)) return DomainError{each.name, "1e-60 to 1e60"};
    for (Number const& each :
         {Number{"tangential_stiffness", in.tangential_stiffness}, Number{"normal_damping", in.normal_damping},
          Number{"tangential_damping", in.tangential_damping}, Number{"friction", in.friction}})
      if (!ordinary(each.value) && !zero(each.value)) return DomainError{each.name, "0, or 1e-60 to 1e60"};
    for (Number const& each : {Number{"uN", in.uN}, Number{"uN_before", in.uN_before}})
      if (!ordinary(size(each.value)) && !zero(each.value))
        return DomainError{each.name, "0, or of a magnitude of 1e-60 to 1e60"};
    struct Part {
      char const* name;
      Vector3<Scalar> const& value;
      bool may_be_zero;
    };
    for (Part const& each : {Part{"normal", in.normal, false}, Part{"normal_before", in.normal_before, false},
                             Part{"velocity", in.velocity, true}, Part{"spring", in.spring, true}}) {
      Scalar most(0);
      bool known = true;
      for (Index k = 0; k < 3; ++k) {
        Scalar const x = size(each.value[k]);
        known = known && x <= Scalar(largest);
        if (most < x) most = x;
      }
      if (!known || (!ordinary(most) && !(each.may_be_zero && zero(most))))
        return DomainError{each.name, each.may_be_zero ? "0, or a largest component of 1e-60 to 1e60"
                                                       : "a largest component of 1e-60 to 1e60"};
    }
    if (!(Scalar(0) < in.normal.dot(in.normal_before)))
      return DomainError{"normal_before", "less than a right angle from the normal"};
    if (!(size(Scalar(in.dt * in.twist)) <= Scalar(1))) return DomainError{"twist", "at most 1 rad in dt"};
    return std::nullopt;
  }

  /// Returns, for each output, the sum of the magnitudes of its terms. If Coulomb's limit shortens the spring or the
  /// force, the sum is reduced in the same ratio, but the error of the limit is kept.
  static Output<long double> scale(Input<double> const& in, Choices const& by = {}) {
    auto const is = conditioning::sizes(in, by);
    long double const force = is.of_normal + is.of_tangential;
    using Vector = conditioning::Vector;
    return {Vector::Constant(force), Vector::Constant(is.of_spring), is.of_stored, is.of_dissipated, Status{}};
  }
};

}  // namespace demeter::contact_force
