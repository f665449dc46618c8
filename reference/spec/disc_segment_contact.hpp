// Contract of disc_segment_contact: gap and normal of a disc and a boundary segment in the plane, the nearest part of
// the segment, and whether the gap is below an alert distance.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/nonsmooth.hpp"

namespace demeter::disc_segment_contact {

using demeter::Vector2;

/// The part of the segment that contains the nearest point.
enum class Feature { interior, end0, end1 };
constexpr std::array<std::string_view, 3> labels(Feature) { return {"interior", "end0", "end1"}; }

/// Says whether the gap is less than the alert distance.
enum class Present { no, yes };
constexpr std::array<std::string_view, 2> labels(Present) { return {"no", "yes"}; }

/// A disc and a segment in the plane. Domain: magnitudes of 1e-100 to 1e100, or 0 except for the radius; p0 != p1.
template <class Scalar>
struct Input {
  Vector2<Scalar> centre;
  Scalar radius;
  Vector2<Scalar> p0, p1;
  Scalar alert;

  static constexpr auto fields() {
    return std::tuple{
        field("centre", &Input::centre, unit::metre, Kind::position, "centre of the disc"),
        field("radius", &Input::radius, unit::metre, "its radius, > 0"),
        field("p0", &Input::p0, unit::metre, Kind::position, "first end of the segment"),
        field("p1", &Input::p1, unit::metre, Kind::position, "second end of the segment, not p0"),
        field("alert", &Input::alert, unit::metre, "alert distance of the disc's surface and the segment, >= 0"),
    };
  }
};

/// Gap in m (< 0: overlap), unit normal from the segment to the centre (null if the centre is on the segment), and two
/// labels: the nearest part of the segment, and whether the gap is below the alert distance.
template <class Scalar>
struct Output {
  Scalar gap;
  std::optional<Vector2<Scalar>> normal;
  Feature feature;
  Present present;

  static constexpr auto fields() {
    return std::tuple{
        field("gap", &Output::gap, unit::metre, "distance of the disc's surface from the segment; < 0: overlap"),
        field("normal", &Output::normal, unit::none, Kind::vector,
              "unit vector from the segment to the centre; null of a centre on the segment"),
        field("feature", &Output::feature, unit::none, "where the point of the segment is that is nearest"),
        field("present", &Output::present, unit::none, "whether the gap is less than the alert distance"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = disc_segment_contact::Input<Scalar>;
  template <class Scalar>
  using Output = disc_segment_contact::Output<Scalar>;

  static constexpr std::string_view name = "disc_segment_contact";
  static constexpr std::string_view summary =
      "gap and normal of a disc and a boundary segment, the part that is nearest, and whether the gap is below an "
      "alert "
      "distance";
  static constexpr std::string_view conventions =
      "In the plane. The segment is closed and has two sides: gap is the distance of the centre from its nearest point "
      "less the radius, so that an overlap is negative, and the normal points from that point to the centre, whichever "
      "side it is on; it is null where the centre is on the segment. feature is where the nearest point is: an end, or "
      "strictly between them. present is gap < alert, beyond the ends as between them.";
  static constexpr std::string_view source =
      "Jean 1999, The non-smooth contact dynamics method; docs/mathematics/nonsmooth.md#disc_segment_contact";
  static constexpr Certainty certainty = bounded;
  /// Range of magnitudes: their squares are within the range of a double.
  static constexpr double least = 1e-100, largest = 1e100;
  // All positions are measured from the nearer end. Let e be the distance of the centre from this end, and a the
  // distance from this end to the foot of the perpendicular. Rounded differences move the disc by 1 u e and rotate the
  // line by 1 u a. The product, the length, the division and the last difference have 6.5 roundings of distance plus
  // radius. A normal component has 5 roundings, and 2.5 more if rounding puts the foot beyond the end. A label may be
  // wrong only if the gap or the foot is within its error of the limit.
  static constexpr std::array budgets{
      Budget{"gap", Measure::scale, 8},
      Budget{"normal", Measure::scale, 8},
      Budget{"feature", Measure::optimality, 8},
      Budget{"present", Measure::optimality, 8},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    for (Index k = 0; k < 2; ++k) {
      std::string const place = "[" + std::to_string(k) + "]";
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.centre[k]))
        return DomainError{"centre" + place, "0, or of a magnitude of 1e-100 to 1e100"};
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.p0[k]))
        return DomainError{"p0" + place, "0, or of a magnitude of 1e-100 to 1e100"};
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.p1[k]))
        return DomainError{"p1" + place, "0, or of a magnitude of 1e-100 to 1e100"};
    }
    if (!nonsmooth::is_ordinary<Contract>(in.radius)) return DomainError{"radius", "1e-100 to 1e100"};
    if (nonsmooth::is_zero(Scalar(in.p1[0] - in.p0[0])) && nonsmooth::is_zero(Scalar(in.p1[1] - in.p0[1])))
      return DomainError{"p1", "another point than p0; a point is a disc of radius 0"};
    if (!nonsmooth::is_ordinary<Contract>(in.alert) && !nonsmooth::is_zero(in.alert))
      return DomainError{"alert", "0, or 1e-100 to 1e100"};
    return std::nullopt;
  }

  /// Returns the radius plus the distance to the nearer end for the gap, and 1 for the normal. The nearer end is the
  /// best origin: beyond an end, this distance is the distance to the segment.
  static Output<long double> scale(Input<double> const& in) {
    using Real = long double;
    auto const from = [&](Vector2<double> const& end) {
      return std::hypot(static_cast<Real>(in.centre[0]) - end[0], static_cast<Real>(in.centre[1]) - end[1]);
    };
    return {std::min(from(in.p0), from(in.p1)) + in.radius, Vector2<Real>(1, 1), Feature::interior, Present::no};
  }
};

}  // namespace demeter::disc_segment_contact
