// Contract of wall_capsule_contact: contact of a capsule with an axis-aligned wall (also boxes and hoppers made of
// planes).
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::wall_capsule_contact {

/// Number of ends of the axis whose distance from the wall is less than the radius, or that are behind the wall. An end
/// that touches exactly does not count.
enum class Status { separated, one_end, both_ends };
constexpr std::array<std::string_view, 3> labels(Status) { return {"separated", "one_end", "both_ends"}; }

/// An axis-aligned wall and a capsule in the global frame. Domain: axis 0, 1 or 2; sense -1 or 1; radius > 0.
template <class Scalar>
struct Input {
  Scalar wall, axis, sense;
  Vector3<Scalar> centre, half;
  Scalar radius;

  static constexpr auto fields() {
    return std::tuple{
        field("wall", &Input::wall, unit::metre, Kind::position, "coordinate of the wall's plane along its axis"),
        field("axis", &Input::axis, unit::none, "the axis the wall is perpendicular to: 0, 1 or 2 for x, y or z"),
        field("sense", &Input::sense, unit::none, "the free side of the wall: 1 above it, -1 below"),
        field("centre", &Input::centre, unit::metre, Kind::position, "centre of the capsule, global frame"),
        field("half", &Input::half, unit::metre, Kind::vector,
              "half-shaft vector: the ends of the axis are centre -+ half, end 0 is centre - half; zero for a sphere"),
        field("radius", &Input::radius, unit::metre, "radius of the capsule, > 0"),
    };
  }
};

/// Overlap (uN < 0) or gap in m, unit normal from the wall to the capsule, contact point, and number of ends.
template <class Scalar>
struct Output {
  Scalar uN;
  Vector3<Scalar> normal, point;
  Status status;

  static constexpr auto fields() {
    return std::tuple{
        field("uN", &Output::uN, unit::metre, "normal displacement: the least gap of an end; < 0: overlap"),
        field("normal", &Output::normal, unit::none, Kind::vector,
              "unit normal, from the wall to the capsule: sense along the axis"),
        field("point", &Output::point, unit::metre, Kind::position,
              "contact point, on the shaft's shadow, midway from wall to capsule"),
        field("status", &Output::status, unit::none, "how many ends overlap the wall"),
    };
  }
};

/// Returns the wall's axis as an index 0, 1 or 2. The input must be in the domain.
template <class Scalar>
Index axis_of(Input<Scalar> const& in) {
  return in.axis < Scalar(1) ? 0 : in.axis < Scalar(2) ? 1 : 2;
}

struct Contract {
  template <class Scalar>
  using Input = wall_capsule_contact::Input<Scalar>;
  template <class Scalar>
  using Output = wall_capsule_contact::Output<Scalar>;

  static constexpr std::string_view name = "wall_capsule_contact";
  static constexpr std::string_view summary = "contact of a capsule with an axis-aligned wall: overlap, point, status";
  static constexpr std::string_view conventions =
      "The gap of an end is its distance from the wall on the free side less the radius; an end behind the wall has a "
      "negative distance. uN is the least gap, so the overlap is -uN. The normal points from the wall to the capsule. "
      "The contact point is on the axis at lambda in [-1, 1] from the centre along half, lambda = (a1 - a0)/(a0 + a1) "
      "with the ends' overlaps a; of a capsule that is apart it is the nearer end, or the centre if both are equally "
      "near. Its coordinate along the wall's axis is replaced by wall + sense uN/2: midway between the wall and the "
      "deepest (or nearest) point of the capsule. half is the half-shaft vector, not a unit vector or a whole shaft.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Capsule, Wall-capsule contact (what is printed); the monotone "
      "form: docs/mathematics/capsules.md#wall_capsule_contact";
  static constexpr Certainty certainty = bounded;
  // uN is a sum of four numbers whose magnitudes have the sum S: three roundings, and one for the end. lambda is a
  // ratio. Its denominator, the depth of the centre, is a difference with cancellation. If the rounding errors of the
  // sums are added back, lambda has two roundings. The point has two more, of |half| each: four. (Demeter's form, with
  // an fma, reaches 2.5 for the point and 1.0 for uN in a search.)
  // The error of a wrong status is the change of the gaps that would make it right.
  static constexpr std::array budgets{
      Budget{"uN", Measure::scale, 4},
      Budget{"normal", Measure::scale, 0},
      Budget{"point", Measure::scale, 4},
      Budget{"status", Measure::optimality, 4},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    auto const is = [](Scalar const& x, int wanted) { return !(x < Scalar(wanted)) && !(Scalar(wanted) < x); };
    if (!is(in.axis, 0) && !is(in.axis, 1) && !is(in.axis, 2)) return DomainError{"axis", "0, 1 or 2"};
    if (!is(in.sense, -1) && !is(in.sense, 1))
      return DomainError{"sense", "-1 or 1 (a wall of Woo's sense 0 remembers its side: no function of the input)"};
    if (!(Scalar(0) < in.radius)) return DomainError{"radius", "> 0"};
    return std::nullopt;
  }

  /// Returns, along the axis of the wall, S: the sum of the magnitudes of the terms of a gap. Along the other axes,
  /// returns the sum of the magnitudes of the coordinate of the centre and of the half-shaft vector.
  static Output<long double> scale(Input<double> const& in) {
    Index const axis = axis_of(in);
    auto const magnitude = [](double x) -> long double { return std::fabs(x); };
    long double const S = magnitude(in.wall) + magnitude(in.centre[axis]) + magnitude(in.half[axis]) + in.radius;
    Vector3<long double> point;
    for (Index i = 0; i < 3; ++i) point[i] = i == axis ? S : magnitude(in.centre[i]) + magnitude(in.half[i]);
    return {S, {1, 1, 1}, point, static_cast<Status>(0)};
  }
};

}  // namespace demeter::wall_capsule_contact
