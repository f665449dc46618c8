// Contract of clump_mass_properties: mass, centroid, inertia (parallel-axis theorem) and principal axes of a rigid
// clump.
#pragma once

#include "reference/spec/core/contract.hpp"
#include "reference/spec/family/clump.hpp"

namespace demeter::clump_mass_properties {

using demeter::cluster_step;
using demeter::Quaternion;
using demeter::Tensor;

/// One rigid member: centroid and orientation in the global frame, mass, and principal moments in its own frame.
template <class Scalar>
struct Member {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Scalar mass;
  Vector3<Scalar> inertia;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Member::position, unit::metre, Kind::position, "the member's centroid, global frame"),
        field("orientation", &Member::orientation, unit::none, Kind::quaternion,
              "quaternion w, x, y, z that turns the member's frame into the global one; of any length but 0"),
        field("mass", &Member::mass, unit::kilogram, "mass, > 0"),
        field("inertia", &Member::inertia, unit::inertia, Kind::own_axes,
              "moments about the axes of the member's frame, which are principal, each >= 0"),
    };
  }
};

/// The members. Domain: finite numbers, quaternions not zero, masses > 0, moments >= 0, at least one member.
template <class Scalar>
struct Input {
  std::vector<Member<Scalar>> members;

  static constexpr auto fields() {
    return std::tuple{field("members", &Input::members, unit::none, "the members, at least one")};
  }
};

/// Mass, centroid, inertia tensor about the centroid in global axes, ascending principal moments, and their axes.
template <class Scalar>
struct Output {
  Scalar mass;
  Vector3<Scalar> centroid;
  Tensor<Scalar> inertia;
  Vector3<Scalar> principal;
  Quaternion<Scalar> orientation;

  static constexpr auto fields() {
    return std::tuple{
        field("mass", &Output::mass, unit::kilogram, "sum of the masses"),
        field("centroid", &Output::centroid, unit::metre, Kind::position, "centre of mass, global frame"),
        field("inertia", &Output::inertia, unit::inertia, Kind::tensor,
              "tensor about the centroid, global axes: xx, yy, zz, xy, xz, yz with xy = -sum of m x y"),
        field("principal", &Output::principal, unit::inertia, "principal moments about the centroid, ascending"),
        field(
            "orientation", &Output::orientation, unit::none, Kind::quaternion,
            "unit quaternion w, x, y, z that turns the frame of the principal axes, in the order of the moments, into "
            "the global one; not unique"),
    };
  }
};

struct Contract {
  template <class Scalar>
  using Input = clump_mass_properties::Input<Scalar>;
  template <class Scalar>
  using Output = clump_mass_properties::Output<Scalar>;

  static constexpr std::string_view name = "clump_mass_properties";
  static constexpr std::string_view summary = "mass, centroid, inertia and principal axes of a clump of bodies";
  static constexpr std::string_view conventions =
      "A member is given by its own centroid, orientation, mass and principal moments. A sphere of radius r and "
      "density "
      "rho is the member of mass 4/3 pi r^3 rho and moments 2/5 m r^2, whatever its orientation. Overlaps count as "
      "often "
      "as members overlap: this is the sum, not the union. The quaternions are w, x, y, z (Eigen and others store "
      "x, y, z, w), turn local into global vectors and, of members, need not have length 1. The inertia is about the "
      "centroid in the global axes, and its xy is that of the tensor, -sum of m x y, not the product of inertia. The "
      "moments ascend, and the orientation is right-handed. Signs of the axes, and which axes are taken where moments "
      "agree to 2^-40 of the largest, are a matter of choice: any are right. Compare inertias in the global axes, or "
      "axes by the projectors on their clusters, never quaternions.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Clumps, Dynamic properties, Analytic; Smith 1961, Eigenvalues "
      "of a symmetric 3x3 matrix (the truth's moments); docs/mathematics/clumps.md#clump_mass_properties";
  static constexpr Certainty certainty = bounded;
  // Roundings that a correct code may have. Mass: a sum of positive numbers. Centroid: each component is a weighted
  // mean. Both have one or two roundings if the sums are compensated or short. If the sums S and m are rounded first,
  // both have the same number of roundings again.
  // Inertia: the scale is the sum of the members' own and transferred moments. One term has the roundings of q_i q_j
  // (2), of the sum for an axis component (2), and of |q|^2 and the quotient (4). Each of these occurs twice. With the
  // two products, these are at most 18 roundings. The products d_i d_j and the sums make 24.
  // Principal moments: the diagonalisation adds six rotations of two roundings each, which rarely all have the same
  // sign. Axes: the same amount again. The roundings of the quaternion also rotate the axes by 2 u to 3 u times the
  // difference of two moments.
  static constexpr std::array budgets{
      Budget{"mass", Measure::relative, 2},           Budget{"centroid", Measure::scale, 4},
      Budget{"inertia", Measure::scale, 24},          Budget{"principal", Measure::scale, 32},
      Budget{"orientation", Measure::optimality, 64},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    if (in.members.empty()) return DomainError{"members", "at least one member"};
    Scalar const zero(0);
    for (std::size_t i = 0; i < in.members.size(); ++i) {
      Member<Scalar> const& member = in.members[i];
      std::string const path = "members[" + std::to_string(i) + "].";
      bool turns = false;
      for (Index k = 0; k < 4; ++k) turns = turns || member.orientation[k] < zero || zero < member.orientation[k];
      if (!turns) return DomainError{path + "orientation", "a quaternion that is not zero"};
      if (!(zero < member.mass)) return DomainError{path + "mass", "> 0"};
      for (Index k = 0; k < 3; ++k)
        if (member.inertia[k] < zero) return DomainError{path + "inertia[" + std::to_string(k) + "]", ">= 0"};
    }
    return std::nullopt;
  }

  /// Returns the scales. Mass: the total mass. Centroid: for each coordinate, the mass-weighted mean of the magnitudes.
  /// Inertia, moments and axes: the sum over the members of the largest moment and of m |x - c|^2. Computed in long
  /// double, whose exponent range contains every product. Positions are relative to the heaviest member, so that
  /// distances are accurate far from the origin.
  static Output<long double> scale(Input<double> const& in) {
    using Wide = long double;
    using Vector = Vector3<Wide>;
    Wide mass = 0, inertia = 0;
    std::size_t heaviest = 0;
    for (std::size_t i = 0; i < in.members.size(); ++i) {
      mass += in.members[i].mass;
      if (in.members[i].mass > in.members[heaviest].mass) heaviest = i;
    }
    Vector const origin = in.members[heaviest].position.cast<Wide>();
    Vector size = Vector::Zero(), middle = Vector::Zero();
    for (auto const& member : in.members) {
      Wide const share = member.mass / mass;
      size += share * member.position.cwiseAbs().cast<Wide>();
      middle += share * (member.position.cast<Wide>() - origin);
    }
    for (auto const& member : in.members) {
      Vector const arm = (member.position.cast<Wide>() - origin) - middle;
      inertia += member.inertia.maxCoeff() + member.mass * arm.squaredNorm();
    }
    return {mass, size, Tensor<Wide>::Constant(inertia), Vector::Constant(inertia),
            Quaternion<Wide>::Constant(inertia)};
  }
};

}  // namespace demeter::clump_mass_properties
