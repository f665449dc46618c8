// Contract of segment_distance: least distance of two segments. Every capsule contact is based on it.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::segment_distance {

/// Two segments given by their end points, in one frame. A segment may have no length. Domain: finite numbers.
template <class Scalar>
struct Input {
  Vector3<Scalar> p0, p1, q0, q1;

  static constexpr auto fields() {
    return std::tuple{
        field("p0", &Input::p0, unit::metre, Kind::position, "first end of segment p, global frame"),
        field("p1", &Input::p1, unit::metre, Kind::position, "second end of segment p (may equal p0)"),
        field("q0", &Input::q0, unit::metre, Kind::position, "first end of segment q"),
        field("q1", &Input::q1, unit::metre, Kind::position, "second end of segment q (may equal q0)"),
    };
  }
};

/// Distance in m, and the parameters in [0, 1] of a pair of closest points (not always unique).
template <class Scalar>
struct Output {
  Scalar distance, s, t;

  static constexpr auto fields() {
    return std::tuple{
        field("distance", &Output::distance, unit::metre, "least distance of a point of p from a point of q, >= 0"),
        field("s", &Output::s, unit::none, "closest point on p is p0 + s (p1 - p0), 0 <= s <= 1; not always unique"),
        field("t", &Output::t, unit::none, "closest point on q is q0 + t (q1 - q0), 0 <= t <= 1; not always unique"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = segment_distance::Input<Scalar>;
  template <class Scalar>
  using Output = segment_distance::Output<Scalar>;

  static constexpr std::string_view name = "segment_distance";
  static constexpr std::string_view summary = "least distance of two segments and a pair of closest points";
  static constexpr std::string_view conventions =
      "Segments are given by their end points, not by centre and half-length; the distance is between the axes, no "
      "radii are subtracted. Any optimal (s, t) is right: parallel segments have many.";
  static constexpr std::string_view source =
      "Lumelsky 1985, On fast computation of distance between line segments; Eberly 1999, Distance between two line "
      "segments in 3D; docs/mathematics/capsules.md#segment_distance";
  static constexpr Certainty certainty = bounded;
  // s and t are judged together: by the exact distance of the two points that they define. Rounding s and t moves these
  // points by up to u/2 (|p1-p0| + |q1-q0|) <= 3.5 u S. The sum with the 8 u S of the distance, rounded up, is 12.
  static constexpr std::array budgets{
      Budget{"distance", Measure::scale, 8},
      Budget{"s", Measure::optimality, 12},
      Budget{"t", Measure::optimality, 12},
  };

  /// Every finite input is in the domain. A check for all kernels rejects infinities and NaN.
  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const&) {
    return std::nullopt;
  }

  /// Returns S = max |coordinate|, in metres.
  static Output<long double> scale(Input<double> const& in) {
    double const largest = std::max(std::max(in.p0.cwiseAbs().maxCoeff(), in.p1.cwiseAbs().maxCoeff()),
                                    std::max(in.q0.cwiseAbs().maxCoeff(), in.q1.cwiseAbs().maxCoeff()));
    return {largest, largest, largest};
  }
};

}  // namespace demeter::segment_distance
