// Contract of clump_force_torque: resultant force and torque of a clump's members about a point.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::clump_force_torque {

/// Position, force and torque of one member, in the global frame. The torque is about the member's own position.
template <class Scalar>
struct Member {
  Vector3<Scalar> position, force, torque;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Member::position, unit::metre, Kind::position, "where the force acts, global frame"),
        field("force", &Member::force, unit::newton, Kind::vector, "force on the member"),
        field("torque", &Member::torque, unit::newton_metre, Kind::axial,
              "torque on the member about its own position"),
    };
  }
};

/// The reference point and the members, in the global frame. Domain: finite numbers, at least one member.
template <class Scalar>
struct Input {
  Vector3<Scalar> centre;
  std::vector<Member<Scalar>> members;

  static constexpr auto fields() {
    return std::tuple{
        field("centre", &Input::centre, unit::metre, Kind::position, "point the torque is taken about, global frame"),
        field("members", &Input::members, unit::none, "the members, at least one"),
    };
  }
};

/// Resultant force in N and torque in N m about the reference point, in the global frame.
template <class Scalar>
struct Output {
  Vector3<Scalar> force, torque;

  static constexpr auto fields() {
    return std::tuple{
        field("force", &Output::force, unit::newton, Kind::vector, "sum of the forces"),
        field("torque", &Output::torque, unit::newton_metre, Kind::axial,
              "sum of the torques and of (position - centre) x force"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = clump_force_torque::Input<Scalar>;
  template <class Scalar>
  using Output = clump_force_torque::Output<Scalar>;

  static constexpr std::string_view name = "clump_force_torque";
  static constexpr std::string_view summary = "resultant force and torque of a clump's members about a point";
  static constexpr std::string_view conventions =
      "All vectors in the global frame; torques are about the centre given, gravity on the clump is not included.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Clumps, Contact forces; "
      "docs/mathematics/clumps.md#clump_force_torque";
  static constexpr Certainty certainty = bounded;
  // The scale of a component is the sum of the magnitudes of its terms, so the budget does not grow with the number of
  // members. A compensated sum meets the budget. A plain sum of many members may exceed it.
  static constexpr std::array budgets{
      Budget{"force", Measure::scale, 8},
      Budget{"torque", Measure::scale, 8},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (in.members.empty()) return DomainError{"members", "at least one member"};
    return std::nullopt;
  }

  /// Returns the scale of each component. Force: the sum of |F_i|. Torque: the sum of |T_i| and of |x_i - c| x |F_i|, a
  /// cross product in which all terms have plus signs. Computed in long double, whose exponent range contains every
  /// product of two doubles.
  static Output<long double> scale(Input<double> const& in) {
    using Vector = Vector3<long double>;
    Vector force = Vector::Zero(), torque = Vector::Zero();
    for (auto const& member : in.members) {
      Vector const arm = (member.position.cast<long double>() - in.centre.cast<long double>()).cwiseAbs();
      Vector const pull = member.force.cast<long double>().cwiseAbs();
      force += pull;
      torque += member.torque.cast<long double>().cwiseAbs();
      torque[0] += arm[1] * pull[2] + arm[2] * pull[1];
      torque[1] += arm[2] * pull[0] + arm[0] * pull[2];
      torque[2] += arm[0] * pull[1] + arm[1] * pull[0];
    }
    return {force, torque};
  }
};

}  // namespace demeter::clump_force_torque
