// Contract of capsule_mass_properties. A capsule is a cylinder of radius r and length a (the shaft) with two
// hemispherical caps.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::capsule_mass_properties {

/// Size and density of a capsule. Domain: finite numbers, radius > 0, shaft >= 0, density > 0.
template <class Scalar>
struct Input {
  Scalar radius, shaft, density;

  static constexpr auto fields() {
    return std::tuple{
        field("radius", &Input::radius, unit::metre, "radius r of the shaft and of both caps, > 0"),
        field("shaft", &Input::shaft, unit::metre, "length a of the axis segment between the caps' centres, >= 0"),
        field("density", &Input::density, unit::density, "density rho, > 0"),
    };
  }
};

/// Volume, mass, moments about the centroid in kg m^2 (local x is the axis; izz = iyy), and the bounding radius.
template <class Scalar>
struct Output {
  Scalar volume, mass, ixx, iyy, bounding_radius;

  static constexpr auto fields() {
    return std::tuple{
        field("volume", &Output::volume, unit::cubic_metre, "volume"),
        field("mass", &Output::mass, unit::kilogram, "density times volume"),
        field("ixx", &Output::ixx, unit::inertia, "moment of inertia (not radius of gyration) about the axis, local x"),
        field("iyy", &Output::iyy, unit::inertia, "moment about any transverse axis through the centroid (= izz)"),
        field("bounding_radius", &Output::bounding_radius, unit::metre, "radius of the bounding sphere, r + a/2"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = capsule_mass_properties::Input<Scalar>;
  template <class Scalar>
  using Output = capsule_mass_properties::Output<Scalar>;

  static constexpr std::string_view name = "capsule_mass_properties";
  static constexpr std::string_view summary = "volume, mass, principal inertia and bounding sphere of a capsule";
  static constexpr std::string_view conventions =
      "The axis is local x; the shaft is the length of the axis segment, not of the whole capsule; inertia is about "
      "the centroid, with the mass in it.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Capsule, Properties; "
      "docs/mathematics/capsules.md#capsule_mass_properties";
  static constexpr Certainty certainty = bounded;
  static constexpr std::array budgets{
      Budget{"volume", Measure::relative, 8},
      Budget{"mass", Measure::relative, 8},
      Budget{"ixx", Measure::relative, 8},
      Budget{"iyy", Measure::relative, 8},
      Budget{"bounding_radius", Measure::relative, 8},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!(in.radius > Scalar(0))) return DomainError{"radius", "> 0"};
    if (!(in.shaft >= Scalar(0))) return DomainError{"shaft", ">= 0"};
    if (!(in.density > Scalar(0))) return DomainError{"density", "> 0"};
    return std::nullopt;
  }

  /// Not used: every output has a relative budget.
  static Output<long double> scale(Input<double> const&) { return {0, 0, 0, 0, 0}; }
};

}  // namespace demeter::capsule_mass_properties
