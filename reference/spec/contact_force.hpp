// Contract of contact_force: force, tangential spring and energies of one contact after one time step.
#pragma once

#include "reference/spec/core/contract.hpp"

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
                  "mean spin of both bodies about the mean normal, half a step ago; at most 1 rad a step"),
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

inline Sizes sizes(Input<double> const& in) {
  Sizes is;
  auto const unit_vector = [](Vector3<double> const& v) { return Vector(v.cast<Real>().normalized()); };
  Vector const n = unit_vector(in.normal), b = unit_vector(in.normal_before), m = (n + b).normalized(),
               v = in.velocity.cast<Real>();
  bool const is_new = !(in.uN_before < 0), hertz = in.law == ForceLaw::hertz;
  Real const delta = -static_cast<Real>(in.uN), dt = in.dt, radius = in.radius;
  auto const softened = [&](Real depth) { return hertz ? std::sqrt(depth / radius) : Real(1); };
  Real const before = is_new ? Real(0) : softened(-static_cast<Real>(in.uN_before));
  Vector const given = is_new ? Vector(Vector::Zero()) : Vector(in.spring.cast<Real>());
  Real const of_kept = in.tangential_stiffness * before * given.squaredNorm();
  is.of_dissipated = of_kept;
  if (!(in.uN < 0)) return is;
  Real const now = softened(delta), root = std::sqrt(now), kn = in.normal_stiffness * now,
             kt = in.tangential_stiffness * now, cn = in.law == ForceLaw::linear ? 0 : in.normal_damping * root,
             ct = in.law == ForceLaw::linear ? 0 : in.tangential_damping * root, vn = v.dot(m);
  is.normal = -kn * delta + cn * vn;
  if (in.tension == Tension::cut) is.normal = std::min(is.normal, Real(0));
  is.of_normal = kn * delta + cn * v.norm();
  is.limit = in.friction * std::fabs(is.normal);
  Real const of_limit = in.friction * is.of_normal;

  Vector t = given - given.dot(b) * b;
  t -= t.dot(n) / (1 + n.dot(b)) * (n + b);
  Real const angle = dt * static_cast<Real>(in.twist);
  t = std::cos(angle) * t + std::sin(angle) * n.cross(t);
  Real const kept = before < now && now > 0 ? before / now : Real(1);
  Vector w = v - vn * m;
  w -= w.dot(n) * n;
  t = kept * t + dt * w;
  is.of_spring = kept * given.norm() + dt * v.norm();
  is.elastic = kt * t.norm();
  Real of_slip = 0;
  // Near Coulomb's limit, rounding may decide between stick and slide, and both are right. The limit may be a small
  // difference of larger forces, so it is lowered by 2^-42 of their sum.
  Real const least_limit = is.limit - 0x1p-42L * of_limit;
  if (is.elastic > least_limit && is.elastic > 0) {
    Real const share = std::min(is.limit / is.elastic, Real(1));
    of_slip = of_limit / kt * (is.elastic + is.limit) + is.limit * is.of_spring;
    t *= share;
    is.of_spring = std::max(share, 0x1p-60L) * is.of_spring + of_limit / kt;
  }
  Vector const T = kt * t + ct * w;
  is.trial = T.norm();
  is.of_tangential = kt * is.of_spring + ct * v.norm();
  Real of_friction = is.of_tangential;
  if (is.trial > least_limit && is.trial > 0)
    of_friction = of_limit + std::min(is.limit / is.trial, Real(1)) * is.of_tangential;
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

  static constexpr std::string_view name = "contact_force";
  static constexpr std::string_view summary = "force, spring and energy of one step of a force law at one contact";
  static constexpr std::string_view conventions =
      "The normal points from 1 to 2, uN < 0 is overlap, and the force acts on 1: of a repulsion it is against the "
      "normal. Velocities are lagged: half a step before the end of the step, those of 2 less those of 1. linear: "
      "normal "
      "force k uN, tangential force k_t times the spring. dashpot: both plus their damping times velocity. hertz: the "
      "same with stiffnesses times (overlap / radius)^(1/2) and dampings times (overlap / radius)^(1/4). The spring is "
      "turned with the normal, then about it by dt twist, then moved by dt times the tangential velocity, and "
      "shortened "
      "to Coulomb's bound where its force exceeds that; what damping adds is cut to the bound and not stored. Where "
      "the "
      "tangential stiffness grows within a contact the spring is shortened so that its force stays; where it falls the "
      "spring stays. A spring that is let go is dissipated.";
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
  static Output<long double> scale(Input<double> const& in) {
    auto const is = conditioning::sizes(in);
    long double const force = is.of_normal + is.of_tangential;
    using Vector = conditioning::Vector;
    return {Vector::Constant(force), Vector::Constant(is.of_spring), is.of_stored, is.of_dissipated, Status{}};
  }
};

}  // namespace demeter::contact_force
