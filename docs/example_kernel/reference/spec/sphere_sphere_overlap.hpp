// Contract of the overlap of two spheres, the simplest contact: the example that `./run new-kernel` copies.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::sphere_sphere_overlap {

enum class Status { separate, touching, overlapping };
constexpr std::array<std::string_view, 3> labels(Status) { return {"separate", "touching", "overlapping"}; }

template <class Scalar>
struct Sphere {
  Vector3<Scalar> centre;
  Scalar radius;

  static constexpr auto fields() {
    return std::tuple{
        field("centre", &Sphere::centre, unit::metre, Kind::position, "centre, global frame"),
        field("radius", &Sphere::radius, unit::metre, "radius, > 0"),
    };
  }
};

template <class Scalar>
struct Input {
  Sphere<Scalar> a, b;

  static constexpr auto fields() {
    return std::tuple{
        field("a", &Input::a, unit::none, "one sphere"),
        field("b", &Input::b, unit::none, "the other"),
    };
  }
};

template <class Scalar>
struct Output {
  Scalar overlap;
  Status status;

  static constexpr auto fields() {
    return std::tuple{
        field("overlap", &Output::overlap, unit::metre,
              "sum of the radii less the distance of the centres; < 0: a gap"),
        field("status", &Output::status, unit::none, "the sign of the overlap"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = sphere_sphere_overlap::Input<Scalar>;
  template <class Scalar>
  using Output = sphere_sphere_overlap::Output<Scalar>;

  static constexpr std::string_view name = "sphere_sphere_overlap";
  static constexpr std::string_view summary = "overlap of two spheres, and whether they touch";
  static constexpr std::string_view conventions = "The overlap is positive where the spheres intersect.";
  static constexpr std::string_view source =
      "Elementary geometry; docs/mathematics/sphere_sphere_overlap.md#sphere_sphere_overlap";
  static constexpr Certainty certainty = bounded;
  // The budget covers the roundings of the distance and of the difference, each relative to at most 2 S. The status has
  // no budget: a law compares it with the answered overlap.
  static constexpr std::array budgets{Budget{"overlap", Measure::scale, 4}};

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!(in.a.radius > Scalar(0))) return DomainError{"a.radius", "> 0"};
    if (!(in.b.radius > Scalar(0))) return DomainError{"b.radius", "> 0"};
    return std::nullopt;
  }

  /// Returns S: the sum of both radii and of the largest coordinate of each centre, which bounds the subtracted terms.
  static Output<long double> scale(Input<double> const& in) {
    auto const largest = [](Vector3<double> const& point) -> long double { return point.cwiseAbs().maxCoeff(); };
    long double const radii = static_cast<long double>(in.a.radius) + in.b.radius;
    return {radii + largest(in.a.centre) + largest(in.b.centre), Status::separate};
  }
};

}  // namespace demeter::sphere_sphere_overlap
