// Contract of capsule_endpoints: ends of the axis, bounding box and bounding sphere from position and orientation.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::capsule_endpoints {

/// A quaternion in the order w, x, y, z.
template <class Scalar>
using Quaternion = Vector<Scalar, 4>;

/// A capsule's pose and size; its axis is local x. Domain: finite numbers, quaternion not zero, radius > 0, shaft >= 0.
template <class Scalar>
struct Input {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Scalar radius, shaft;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Input::position, unit::metre, Kind::position, "centre of the capsule, global frame"),
        field("orientation", &Input::orientation, unit::none, Kind::quaternion,
              "quaternion w, x, y, z that turns local into global vectors; of any length but 0"),
        field("radius", &Input::radius, unit::metre, "radius, > 0"),
        field("shaft", &Input::shaft, unit::metre, "length of the axis segment between the caps' centres, >= 0"),
    };
  }
};

/// Ends of the axis, axis-aligned bounding box and bounding sphere, in the global frame, in m.
template <class Scalar>
struct Output {
  Vector3<Scalar> half, end0, end1, box_low, box_high;
  Scalar bounding_radius;

  static constexpr auto fields() {
    return std::tuple{
        field("half", &Output::half, unit::metre, Kind::vector,
              "half-shaft vector: shaft/2 along the image of local x"),
        field("end0", &Output::end0, unit::metre, Kind::position, "end of the axis at position - half"),
        field("end1", &Output::end1, unit::metre, Kind::position, "end of the axis at position + half"),
        field("box_low", &Output::box_low, unit::metre, Kind::position,
              "least coordinates of the axis-aligned bounding box"),
        field("box_high", &Output::box_high, unit::metre, Kind::position,
              "greatest coordinates of the axis-aligned bounding box"),
        field("bounding_radius", &Output::bounding_radius, unit::metre,
              "radius of the bounding sphere about position, radius + shaft/2"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = capsule_endpoints::Input<Scalar>;
  template <class Scalar>
  using Output = capsule_endpoints::Output<Scalar>;

  static constexpr std::string_view name = "capsule_endpoints";
  static constexpr std::string_view summary = "ends of a capsule's axis, bounding box and sphere from its pose";
  static constexpr std::string_view conventions =
      "The axis is local x; the shaft is the length of the axis segment, not of the whole capsule, and position is its "
      "middle. The quaternion is w, x, y, z (Eigen and others store x, y, z, w), turns local into global vectors (not "
      "the reverse), and need not have length 1: it stands for the rotation it has a direction for, and q and -q are "
      "the same. The box is that of the two end spheres, not of the bounding sphere.";
  static constexpr std::string_view source =
      "Euler 1771, Problema algebraicum ob affectiones prorsus singulares memorabile; Rodrigues 1840, Des lois "
      "géométriques qui régissent les déplacements d'un système solide dans l'espace; "
      "docs/mathematics/capsules.md#capsule_endpoints";
  static constexpr Certainty certainty = bounded;
  // Errors of correct formulas in double, in any order of operations. Half-shaft: the largest error found is 2.3 u
  // shaft for Demeter's form. It is 5.5 u shaft if the quaternion is normalised first, because that rounding counts
  // four times in 1 - 2(y^2 + z^2). Ends: the scale contains shaft/2 instead of shaft, so the budget is 2 * 8, plus 1
  // for one more rounding. Box: 2 * 8, plus 2 for two more roundings.
  static constexpr std::array budgets{
      Budget{"half", Measure::scale, 8},      Budget{"end0", Measure::scale, 17},
      Budget{"end1", Measure::scale, 17},     Budget{"box_low", Measure::scale, 18},
      Budget{"box_high", Measure::scale, 18}, Budget{"bounding_radius", Measure::relative, 1},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    Scalar const zero(0);
    bool turns = false;
    for (Index i = 0; i < 4; ++i) turns = turns || in.orientation[i] < zero || zero < in.orientation[i];
    if (!turns) return DomainError{"orientation", "a quaternion that is not zero"};
    if (!(zero < in.radius)) return DomainError{"radius", "> 0"};
    if (in.shaft < zero) return DomainError{"shaft", ">= 0"};
    return std::nullopt;
  }

  /// Returns the shaft for `half`. For each coordinate of another output, returns the sum of the magnitudes of its
  /// terms.
  static Output<long double> scale(Input<double> const& in) {
    Vector3<long double> const shaft = Vector3<long double>::Constant(in.shaft);
    Vector3<long double> const end = in.position.cwiseAbs().cast<long double>() + shaft / 2;
    Vector3<long double> const box = end + Vector3<long double>::Constant(in.radius);
    return {shaft, end, end, box, box, static_cast<long double>(in.radius) + in.shaft / 2.0L};
  }
};

}  // namespace demeter::capsule_endpoints
