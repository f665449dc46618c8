// Contract of nscd_solve: the solution of all contacts of a time step at once, as a linear complementarity problem. The
// contacts are frictionless and perfectly inelastic.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/nonsmooth.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::nscd_solve {

using demeter::Vector2;

/// A contact of bodies i and j: unit normal from j to i, and gap in m. A negative gap is an overlap and counts as 0.
template <class Scalar>
struct Contact {
  Scalar i, j;
  Vector2<Scalar> normal;
  Scalar gap;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Contact::i, unit::none, "index of body i, from 0"),
        field("j", &Contact::j, unit::none, "index of body j, another one; one of both has a finite mass"),
        field("normal", &Contact::normal, unit::none, Kind::vector,
              "from j to i; a unit vector, |n|^2 within 2^-48 of 1, which is used as it is"),
        field("gap", &Contact::gap, unit::metre, "distance of the surfaces; < 0: overlap, which counts as 0"),
    };
  }
};

/// Bodies and contacts of one time step in the plane. Domain: the ranges of nscd_contact_update, and at least one body.
/// All walls have the same velocity. A contact does not join two walls or a body with itself.
template <class Scalar>
struct Input {
  std::vector<Scalar> masses;
  std::vector<Vector2<Scalar>> velocities;
  std::vector<Contact<Scalar>> contacts;
  Scalar dt;

  static constexpr auto fields() {
    return std::tuple{
        field("masses", &Input::masses, unit::kilogram,
              "of the bodies, > 0, or inf: a wall, which no contact moves; at least one", may_be_infinite),
        field("velocities", &Input::velocities, unit::velocity, Kind::vector,
              "of the bodies before contact; all walls have the same"),
        field("contacts", &Input::contacts, unit::none, "list of contacts; may be empty"),
        field("dt", &Input::dt, unit::second, "time step, > 0"),
    };
  }
};

/// Velocities after contact in m/s, one for each body, and impulses in N s, one for each contact. Impulses are >= 0 and
/// not unique.
template <class Scalar>
struct Output {
  std::vector<Vector2<Scalar>> velocities;
  std::vector<Scalar> impulses;

  static constexpr auto fields() {
    return std::tuple{
        field("velocities", &Output::velocities, unit::velocity, Kind::vector, "of the bodies after contact",
              as_long_as("masses")),
        field("impulses", &Output::impulses, unit::impulse,
              "of each contact along its normal, on i, and the opposite on j; >= 0; not unique: any that solve it",
              as_long_as("contacts")),
    };
  }
};

/// Returns max(0, gap)/dt in m/s: the largest speed of approach at which the surfaces do not meet within the step.
inline long double meeting_speed(Input<double> const& in, std::size_t contact) {
  return std::max(static_cast<long double>(in.contacts[contact].gap), 0.0L) / in.dt;
}

struct Contract {
  template <class Scalar>
  using Input = nscd_solve::Input<Scalar>;
  template <class Scalar>
  using Output = nscd_solve::Output<Scalar>;

  static constexpr std::string_view name = "nscd_solve";
  static constexpr std::string_view summary =
      "velocities and impulses of all frictionless, perfectly inelastic contacts of a time step";
  static constexpr std::string_view conventions =
      "In the plane; indices count from 0. The normal of a contact points from j to i and is used as it is. With w_k = "
      "(v_i - v_j).n_k + max(0, gap_k)/dt after contact: 0 <= p_k, 0 <= w_k, p_k w_k = 0. The velocities are unique, "
      "the "
      "impulses need not be: any that solve the problem are right, judged by the natural residual max |min(W_kk p_k, "
      "w_k)|, W_kk = 1/m_i + 1/m_j, with w of the velocities that these impulses give. An overlap is not repaired. "
      "Walls have infinite mass and one velocity. No friction, no restitution.";
  static constexpr std::string_view source =
      "Moreau 1994, Some numerical methods in multibody dynamics: application to granular materials; Jean 1999, The "
      "non-smooth contact dynamics method; Cottle, Pang and Stone 1992, The linear complementarity problem; "
      "docs/mathematics/nonsmooth.md#nscd_solve";
  static constexpr Certainty certainty = bounded;
  static constexpr bool has_size = false;  // a gap gives no information about the size of the bodies
  /// Range of magnitudes: a product of four of them is within the range of a double.
  static constexpr double least = 1e-60, largest = 1e60;
  // Budgets in units of u S kappa. S is the largest speed. kappa is the largest factor by which errors of contact
  // velocities grow into errors of body velocities. A contact velocity is a sum of four products: at most six roundings
  // of S. It has twice as many if only rounding decides whether the contact is active. The sum over the contacts of a
  // body adds four roundings.
  static constexpr std::array budgets{
      Budget{"velocities", Measure::scale, 16},
      Budget{"impulses", Measure::optimality, 16},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    auto const place = [](std::string_view list, std::size_t at) {
      return std::string(list) + "[" + std::to_string(at) + "]";
    };
    std::size_t const bodies = in.masses.size();
    if (bodies == 0) return DomainError{"masses", "at least one body"};
    if (in.velocities.size() != bodies)
      return DomainError{"velocities", "as many as masses, " + std::to_string(bodies)};
    std::size_t wall = bodies;
    for (std::size_t a = 0; a < bodies; ++a) {
      if (!nonsmooth::is_ordinary<Contract>(in.masses[a]) && !is_infinite(in.masses[a]))
        return DomainError{place("masses", a), "1e-60 to 1e60, or inf"};
      for (Index c = 0; c < 2; ++c)
        if (!nonsmooth::is_ordinary_or_zero<Contract>(in.velocities[a][c]))
          return DomainError{place("velocities", a) + place("", static_cast<std::size_t>(c)),
                             "0, or of a magnitude of 1e-60 to 1e60"};
      if (!is_infinite(in.masses[a])) continue;
      if (wall == bodies) wall = a;
      for (Index c = 0; c < 2; ++c)
        if (in.velocities[a][c] < in.velocities[wall][c] || in.velocities[wall][c] < in.velocities[a][c])
          return DomainError{place("velocities", a), "that of the other bodies of infinite mass"};
    }
    for (std::size_t k = 0; k < in.contacts.size(); ++k) {
      Contact<Scalar> const& contact = in.contacts[k];
      std::string const at = place("contacts", k);
      auto const i = index_of(contact.i, bodies), j = index_of(contact.j, bodies);
      std::string const range = "an index of a body, 0 to " + std::to_string(bodies - 1);
      if (i == bodies) return DomainError{at + ".i", range};
      if (j == bodies) return DomainError{at + ".j", range};
      if (i == j) return DomainError{at + ".j", "another body than i"};
      if (is_infinite(in.masses[i]) && is_infinite(in.masses[j]))
        return DomainError{at + ".j", "a body of finite mass beside one of infinite mass"};
      if (!nonsmooth::is_unit(contact.normal))
        return DomainError{at + ".normal", "a unit vector, |n|^2 within 2^-48 of 1"};
      if (!nonsmooth::is_ordinary_or_zero<Contract>(contact.gap))
        return DomainError{at + ".gap", "0, or of a magnitude of 1e-60 to 1e60"};
    }
    if (!nonsmooth::is_ordinary<Contract>(in.dt)) return DomainError{"dt", "1e-60 to 1e60"};
    return std::nullopt;
  }

  /// Returns the index as a number of type `Scalar`.
  template <class Scalar>
  static Scalar counted(std::size_t index) {
    if constexpr (std::is_floating_point_v<Scalar>)
      return static_cast<Scalar>(index);
    else
      return Scalar(static_cast<double>(index));
  }
  /// Returns the index that a number represents, or `bodies` if it is not an integer from 0 to bodies - 1.
  template <class Scalar>
  static std::size_t index_of(Scalar const& number, std::size_t bodies) {
    // Bisection, because `field_scalar` has no conversion to an integer.
    std::size_t low = 0, high = bodies;
    while (high - low > 1) {
      std::size_t const middle = low + (high - low) / 2;
      (number < counted<Scalar>(middle) ? high : low) = middle;
    }
    Scalar const found = counted<Scalar>(low);
    return number < found || found < number || bodies == 0 ? bodies : low;
  }

  /// Returns the largest speed in m/s as the scale of every output. The scale of the oracle also includes the condition
  /// and the impulses.
  static Output<long double> scale(Input<double> const& in) {
    long double S = 0;
    for (auto const& velocity : in.velocities)
      for (Index c = 0; c < 2; ++c) S = std::max(S, std::fabs(static_cast<long double>(velocity[c])));
    Output<long double> is;
    is.velocities.assign(in.masses.size(), Vector2<long double>(S, S));
    is.impulses.assign(in.contacts.size(), S);
    return is;
  }
};

}  // namespace demeter::nscd_solve
