// Mass properties of a clump by formulas of other sources and codes.
#pragma once

#include "reference/family/clump/principal_axes.hpp"
#include "reference/spec/clump_mass_properties.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::clump_mass_properties::printed {

/// The sums m and S = sum m_i x_i, and the inertia about the global origin, I_g = sum R_i diag(I_i) R_i^T + m_i
/// (x_i.x_i 1 - x_i x_i^T).
template <class Scalar>
struct Sums {
  Scalar mass;
  Vector3<Scalar> moment;
  Matrix3<Scalar> inertia;
};
template <real_scalar Scalar>
Sums<Scalar> about_the_origin(Input<Scalar> const& in) {
  Scalar const zero(0);
  Sums<Scalar> sums{zero, {zero, zero, zero}, Matrix3<Scalar>::Zero()};
  for (auto const& member : in.members) {
    sums.mass += member.mass;
    sums.moment += member.mass * member.position;
    sums.inertia += reference::turned<Scalar>(member.inertia, reference::rotation<Scalar>(member.orientation));
    sums.inertia += reference::transferred<Scalar>(member.mass, member.position);
  }
  return sums;
}

/// Computes Woo's documented sums in one pass, then transfers the inertia to the centroid. The documentation omits the
/// transfer. Far from the origin, the squared distances cancel and digits are lost.
template <real_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  Sums<Scalar> const sums = about_the_origin<Scalar>(in);
  Vector3<Scalar> const centroid = sums.moment / sums.mass;
  Matrix3<Scalar> const inertia = sums.inertia - reference::transferred<Scalar>(sums.mass, centroid);
  return reference::described<Scalar>(sums.mass, centroid, inertia);
}

/// Returns Woo's sums exactly as documented. The inertia stays about the origin.
template <real_scalar Scalar>
Output<Scalar> about_origin(Input<Scalar> const& in) {
  Sums<Scalar> const sums = about_the_origin<Scalar>(in);
  return reference::described<Scalar>(sums.mass, Vector3<Scalar>(sums.moment / sums.mass), sums.inertia);
}

/// Uses two passes, but adds the members' moments as if the frames of all members were the global frame.
template <real_scalar Scalar>
Output<Scalar> unrotated(Input<Scalar> const& in) {
  Sums<Scalar> const sums = about_the_origin<Scalar>(in);
  Vector3<Scalar> const centroid = sums.moment / sums.mass;
  Matrix3<Scalar> inertia = Matrix3<Scalar>::Zero();
  for (auto const& member : in.members) {
    inertia += reference::transferred<Scalar>(member.mass, Vector3<Scalar>(member.position - centroid));
    for (Index k = 0; k < 3; ++k) inertia(k, k) += member.inertia[k];
  }
  return reference::described<Scalar>(sums.mass, centroid, inertia);
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "the documentation's sums about the origin (Woo), then transferred to the centroid",
              FormulaKind::equal, []<class Scalar>(Input<Scalar> const& in) { return documented<Scalar>(in); }},
      Formula{"about_origin", "the documentation's sums to the letter (Woo), not transferred", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return about_origin<Scalar>(in); }},
      Formula{"unrotated", "the members' orientations are left out (right for spheres)", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return unrotated<Scalar>(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "inertia",
          .documented = "sums about the origin, without the transfer to the centroid",
          .implemented = "sums about the origin, then transferred to the centroid",
          .codes = {published::woo_clumps},
          .recommended = "sums about the centroid, in two passes",
          .figures =
              {{.what = "one ball of mass 1 and radius 1 at (1, 0, 0)",
                .input =
                    R"({"members":[{"position":[1,0,0],"orientation":[1,0,0,0],"mass":1,"inertia":[0.4,0.4,0.4]}]})",
                .column = "inertia[1]",
                .values = {{"about_origin", "1.4"}, {"reference", "0.4"}}}}},
      Erratum{.where = "principal axes",
              .documented = "announced, but not given",
              .recommended = "the eigenvectors of the tensor, with the signs and the order that this kernel defines"},
  };
}

}  // namespace demeter::clump_mass_properties::printed
