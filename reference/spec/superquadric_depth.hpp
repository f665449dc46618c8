// Contract of superquadric_depth: the shortest translation that separates two superquadrics.
#pragma once

#include "reference/spec/family/superquadric_jet.hpp"

namespace demeter::superquadric_depth {

/// Two superquadrics in the global frame. Domain: the domain of superquadric_contact. The centres may be equal.
template <class Scalar>
struct Input {
  Superquadric<Scalar> i, j;

  static constexpr auto fields() {
    return std::tuple{
        field("i", &Input::i, unit::none, "one body"),
        field("j", &Input::j, unit::none, "the other"),
    };
  }
};

/// Depth in m (< 0: the negative distance of the bodies), and the unit vector from i to j along which j must move by
/// the depth.
template <class Scalar>
struct Output {
  Scalar depth;
  Vector3<Scalar> direction;

  static constexpr auto fields() {
    return std::tuple{
        field("depth", &Output::depth, unit::metre,
              "the shortest translation of j after which the bodies just touch; < 0: minus the distance between them"),
        field("direction", &Output::direction, unit::none, Kind::vector,
              "unit vector from i to j along which j has to be moved by the depth; of several any is right"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = superquadric_depth::Input<Scalar>;
  template <class Scalar>
  using Output = superquadric_depth::Output<Scalar>;

  static constexpr std::string_view name = "superquadric_depth";
  static constexpr std::string_view summary = "penetration depth and its direction of two superquadrics";
  static constexpr std::string_view conventions =
      "A quaternion is w, x, y, z, turns the body's frame into the global one, and may have any length but 0; "
      "exponents are LIGGGHTS's n1 (z against the x, y plane) and n2, 2 to 200; semi-axes, not diameters. The depth is "
      "the least, over all unit vectors u, of h_i(u) + h_j(u) - u.d, where h is a body's support function and d points "
      "from the centre of i to that of j: j moved by depth times direction touches i. Where the bodies are apart it is "
      "minus their distance, and the direction is that of the shortest segment from i to j. The centres may be equal.";
  static constexpr std::string_view source =
      "Dobkin, Hershberger, Kirkpatrick, Suri 1993, Computing the intersection-depth of polyhedra; van den Bergen "
      "2001, "
      "Proximity queries and penetration depth computation on 3D game objects; "
      "docs/mathematics/superquadrics.md#superquadric_depth";
  static constexpr Certainty certainty = bounded;
  // Eight times the largest errors measured in binary64:
  // docs/mathematics/superquadrics.md#superquadric_depth-measured-figures.
  static constexpr std::array budgets{
      Budget{"depth", Measure::scale, 32},
      Budget{"direction", Measure::optimality, 32},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    return superquadrics_error(in.i, in.j);
  }

  /// Returns the sum of both largest semi-axes and the distance of the centres. A rounded rotation moves a surface by
  /// up to u times this sum.
  static Output<long double> scale(Input<double> const& in) {
    long double const lengths = static_cast<long double>(in.i.semi_axes.maxCoeff()) + in.j.semi_axes.maxCoeff() +
                                (in.j.position.cast<long double>() - in.i.position.cast<long double>()).norm();
    return {lengths, Vector3<long double>(lengths, lengths, lengths)};
  }
};

}  // namespace demeter::superquadric_depth
