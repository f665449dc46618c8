// Contract of disc_disc_contact: gap and normal of two discs in the plane, and whether the gap is below an alert
// distance.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/nonsmooth.hpp"

namespace demeter::disc_disc_contact {

using demeter::Vector2;

/// Says whether the gap is less than the alert distance.
enum class Present { no, yes };
constexpr std::array<std::string_view, 2> labels(Present) { return {"no", "yes"}; }

/// Two discs in the plane. Domain: magnitudes of 1e-100 to 1e100, or 0 except for radius_i.
template <class Scalar>
struct Input {
  Vector2<Scalar> centre_i;
  Scalar radius_i;
  Vector2<Scalar> centre_j;
  Scalar radius_j, alert;

  static constexpr auto fields() {
    return std::tuple{
        field("centre_i", &Input::centre_i, unit::metre, Kind::position, "centre of disc i"),
        field("radius_i", &Input::radius_i, unit::metre, "its radius, > 0"),
        field("centre_j", &Input::centre_j, unit::metre, Kind::position, "centre of disc j"),
        field("radius_j", &Input::radius_j, unit::metre, "its radius; 0: a point, the end of a boundary"),
        field("alert", &Input::alert, unit::metre, "alert distance of the surfaces, >= 0"),
    };
  }
};

/// Gap in m (< 0: overlap), unit normal from j to i (null if the centres are equal), and whether the gap is below the
/// alert distance.
template <class Scalar>
struct Output {
  Scalar gap;
  std::optional<Vector2<Scalar>> normal;
  Present present;

  static constexpr auto fields() {
    return std::tuple{
        field("gap", &Output::gap, unit::metre, "distance of the surfaces; < 0: overlap"),
        field("normal", &Output::normal, unit::none, Kind::vector, "unit vector from j to i; null of equal centres"),
        field("present", &Output::present, unit::none, "whether the gap is less than the alert distance"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = disc_disc_contact::Input<Scalar>;
  template <class Scalar>
  using Output = disc_disc_contact::Output<Scalar>;

  static constexpr std::string_view name = "disc_disc_contact";
  static constexpr std::string_view summary =
      "gap and normal of two discs, and whether the gap is below an alert distance";
  static constexpr std::string_view conventions =
      "In the plane. gap = |x_i - x_j| - r_i - r_j, so that an overlap is negative; the normal points from j to i and "
      "is "
      "null where the centres are equal. present is gap < alert, which touching discs with an alert distance of 0 are "
      "not.";
  static constexpr std::string_view source =
      "Jean 1999, The non-smooth contact dynamics method; docs/mathematics/nonsmooth.md#disc_disc_contact";
  static constexpr Certainty certainty = bounded;
  /// Range of magnitudes: their squares are within the range of a double.
  static constexpr double least = 1e-100, largest = 1e100;
  // The difference of two coordinates has one rounding. The only cancellation is the distance of the centres minus the
  // radii, and the scale of the gap includes these terms. The gap has 2.5 roundings for the distance (differences,
  // squares, root) and 2 for the sums. A normal component has 4 roundings, relative to 1.
  static constexpr std::array budgets{
      Budget{"gap", Measure::scale, 5},
      Budget{"normal", Measure::scale, 5},
      Budget{"present", Measure::optimality, 5},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    for (Index k = 0; k < 2; ++k) {
      std::string const place = "[" + std::to_string(k) + "]";
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.centre_i[k]))
        return DomainError{"centre_i" + place, "0, or of a magnitude of 1e-100 to 1e100"};
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.centre_j[k]))
        return DomainError{"centre_j" + place, "0, or of a magnitude of 1e-100 to 1e100"};
    }
    if (!nonsmooth::is_ordinary<Contract>(in.radius_i)) return DomainError{"radius_i", "1e-100 to 1e100"};
    if (!nonsmooth::is_ordinary<Contract>(in.radius_j) && !nonsmooth::is_zero(in.radius_j))
      return DomainError{"radius_j", "0, or 1e-100 to 1e100"};
    if (!nonsmooth::is_ordinary<Contract>(in.alert) && !nonsmooth::is_zero(in.alert))
      return DomainError{"alert", "0, or 1e-100 to 1e100"};
    return std::nullopt;
  }

  /// Returns the sum of the terms of the gap (distance of the centres plus both radii), and 1 for the normal. The label
  /// has no scale of its own: the judgement of the label uses the scale of the gap.
  static Output<long double> scale(Input<double> const& in) {
    using Real = long double;
    Real const x = static_cast<Real>(in.centre_i[0]) - in.centre_j[0],
               y = static_cast<Real>(in.centre_i[1]) - in.centre_j[1];
    return {std::hypot(x, y) + in.radius_i + in.radius_j, Vector2<Real>(1, 1), Present::no};
  }
};

}  // namespace demeter::disc_disc_contact
