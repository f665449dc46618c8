// Contract of nscd_contact_update: velocity update of two bodies at one frictionless, perfectly inelastic contact.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/nonsmooth.hpp"

namespace demeter::nscd_contact_update {

using demeter::Vector2;

/// Two bodies in the plane, their contact and the time step. Domain: magnitudes of 1e-60 to 1e60. Velocities and gap
/// may be 0. One mass may be infinite. |normal|^2 is within 2^-48 of 1.
template <class Scalar>
struct Input {
  Scalar mass_i, mass_j;
  Vector2<Scalar> velocity_i, velocity_j, normal;
  Scalar gap, dt;

  static constexpr auto fields() {
    return std::tuple{
        field("mass_i", &Input::mass_i, unit::kilogram, "> 0, or inf: a body that no contact moves", may_be_infinite),
        field("mass_j", &Input::mass_j, unit::kilogram, "the same of body j; one of both is finite", may_be_infinite),
        field("velocity_i", &Input::velocity_i, unit::velocity, Kind::vector, "before the update"),
        field("velocity_j", &Input::velocity_j, unit::velocity, Kind::vector, "the same of body j"),
        field("normal", &Input::normal, unit::none, Kind::vector,
              "from j to i; a unit vector, |n|^2 within 2^-48 of 1, which is used as it is"),
        field("gap", &Input::gap, unit::metre, "distance of the surfaces; < 0: overlap, which counts as 0"),
        field("dt", &Input::dt, unit::second, "time step, > 0"),
    };
  }
};

/// Relative normal velocity before the update (< 0: approach), the change of this velocity, and the velocities of both
/// bodies after the update, in m/s.
template <class Scalar>
struct Output {
  Scalar normal_velocity, correction;
  Vector2<Scalar> velocity_i, velocity_j;

  static constexpr auto fields() {
    return std::tuple{
        field("normal_velocity", &Output::normal_velocity, unit::velocity,
              "of i relative to j along the normal before the update; < 0: approach"),
        field("correction", &Output::correction, unit::velocity, "by how much it grows, >= 0"),
        field("velocity_i", &Output::velocity_i, unit::velocity, Kind::vector, "after the update"),
        field("velocity_j", &Output::velocity_j, unit::velocity, Kind::vector, "the same of body j"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = nscd_contact_update::Input<Scalar>;
  template <class Scalar>
  using Output = nscd_contact_update::Output<Scalar>;

  static constexpr std::string_view name = "nscd_contact_update";
  static constexpr std::string_view summary =
      "velocities of two bodies after one update of a frictionless, perfectly inelastic contact";
  static constexpr std::string_view conventions =
      "In the plane. The normal points from j to i and is used as it is. v_n = (v_i - v_j).n, D = max(0, -v_n - max(0, "
      "gap)/dt), v_i + D n m_j/(m_i + m_j), v_j - D n m_i/(m_i + m_j): after it the surfaces do not meet within dt. An "
      "overlap is not repaired. A wall has infinite mass, at rest or not. No friction, no restitution.";
  static constexpr std::string_view source =
      "Moreau 1994, Some numerical methods in multibody dynamics: application to granular materials; Jean 1999, The "
      "non-smooth contact dynamics method; docs/mathematics/nonsmooth.md#nscd_contact_update";
  static constexpr Certainty certainty = bounded;
  static constexpr bool has_size = false;  // the gap gives no information about the size of the bodies
  /// Range of magnitudes: a product of four of them is within the range of a double.
  static constexpr double least = 1e-60, largest = 1e60;
  // S = sum of |v||n|. v_n has two differences and two products: at most four roundings of S. gap/dt and its sum with
  // v_n add two roundings of S + gap/dt. If a correction is made, gap/dt <= S: the correction has an error of 6 u S.
  // The share of a body has three roundings. Its products and the sum with the old velocity have three more. The total
  // is 12.
  static constexpr std::array budgets{
      Budget{"normal_velocity", Measure::scale, 4},
      Budget{"correction", Measure::scale, 6},
      Budget{"velocity_i", Measure::scale, 12},
      Budget{"velocity_j", Measure::scale, 12},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (!nonsmooth::is_ordinary<Contract>(in.mass_i) && !is_infinite(in.mass_i))
      return DomainError{"mass_i", "1e-60 to 1e60, or inf"};
    if (!nonsmooth::is_ordinary<Contract>(in.mass_j) && !is_infinite(in.mass_j))
      return DomainError{"mass_j", "1e-60 to 1e60, or inf"};
    if (is_infinite(in.mass_i) && is_infinite(in.mass_j))
      return DomainError{"mass_j", "a finite mass beside an infinite one"};
    for (Index k = 0; k < 2; ++k) {
      std::string const place = "[" + std::to_string(k) + "]";
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.velocity_i[k]))
        return DomainError{"velocity_i" + place, "0, or of a magnitude of 1e-60 to 1e60"};
      if (!nonsmooth::is_ordinary_or_zero<Contract>(in.velocity_j[k]))
        return DomainError{"velocity_j" + place, "0, or of a magnitude of 1e-60 to 1e60"};
    }
    if (!nonsmooth::is_unit(in.normal)) return DomainError{"normal", "a unit vector, |n|^2 within 2^-48 of 1"};
    if (!nonsmooth::is_ordinary_or_zero<Contract>(in.gap))
      return DomainError{"gap", "0, or of a magnitude of 1e-60 to 1e60"};
    if (!nonsmooth::is_ordinary<Contract>(in.dt)) return DomainError{"dt", "1e-60 to 1e60"};
    return std::nullopt;
  }

  /// Returns, for each output, the sum of the magnitudes of its terms. The terms of a velocity are the old velocity of
  /// the body and its share of the correction.
  static Output<long double> scale(Input<double> const& in) {
    using Real = long double;
    auto const size = [](double x) { return std::fabs(static_cast<Real>(x)); };
    Real S = 0;
    for (Index k = 0; k < 2; ++k) S += (size(in.velocity_i[k]) + size(in.velocity_j[k])) * size(in.normal[k]);
    Real const D = S + std::max(static_cast<Real>(in.gap), Real(0)) / in.dt;
    Real const ratio = is_infinite(in.mass_i)   ? Real(0)
                       : is_infinite(in.mass_j) ? Real(1)
                                                : Real(in.mass_j) / (Real(in.mass_i) + in.mass_j);
    Real const other = is_infinite(in.mass_j)   ? Real(0)
                       : is_infinite(in.mass_i) ? Real(1)
                                                : Real(in.mass_i) / (Real(in.mass_i) + in.mass_j);
    Output<Real> is{S, D, {}, {}};
    // If a correction is made, gap/dt is at most S, so S bounds the correction.
    for (Index k = 0; k < 2; ++k) {
      is.velocity_i[k] = size(in.velocity_i[k]) + ratio * S * size(in.normal[k]);
      is.velocity_j[k] = size(in.velocity_j[k]) + other * S * size(in.normal[k]);
    }
    return is;
  }
};

}  // namespace demeter::nscd_contact_update
