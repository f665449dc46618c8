// Velocity update at one contact by formulas of other sources.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/nscd_contact_update.hpp"

namespace demeter::nscd_contact_update::printed {

/// Returns the update as printed, with W = (m_i + m_j)/(m_i m_j). W is NaN if a mass is infinite.
template <field_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  Scalar const zero(0);
  auto const dot = [](Vector2<Scalar> const& a, Vector2<Scalar> const& b) { return Scalar(a[0] * b[0] + a[1] * b[1]); };
  Vector2<Scalar> const relative = in.velocity_i - in.velocity_j;
  Scalar const vn = dot(relative, in.normal), positive = zero < in.gap ? in.gap : zero;
  Scalar const most = -vn - positive / in.dt, D = zero < most ? most : zero;
  Scalar const W = (in.mass_i + in.mass_j) / (in.mass_i * in.mass_j);
  Scalar const of_i = D / (W * in.mass_i), of_j = D / (W * in.mass_j);
  return {vn, D, in.velocity_i + of_i * in.normal, in.velocity_j - of_j * in.normal};
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "with W = (m_i + m_j)/(m_i m_j) as printed, which has no infinite masses",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return documented(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "a wall of infinite mass",
          .documented = "W = (m_i + m_j)/(m_i m_j)",
          .implemented = "W is not a number: infinity divided by infinity",
          .codes = {published::course},
          .recommended =
              "Each body has the share m_other/(m_i + m_j). It is 1 for a body at a wall, and 0 for the wall.",
          .figures =
              {{.what = "a grain hits a wall at 1 m/s",
                .input =
                    R"({"mass_i":1,"mass_j":"inf","velocity_i":[0,-1],"velocity_j":[0,0],"normal":[0,1],"gap":0,"dt":1})",
                .column = "velocity_i[1]",
                .values = {{"documented", "nan"}, {"reference", "0"}}}}},
      Erratum{.where = "direction of the normal",
              .documented = "not stated",
              .recommended = "the normal points from j to i"},
      Erratum{.where = "overlap",
              .documented = "max(0, d): overlapping bodies are treated like touching bodies",
              .implemented = "an overlap is never removed",
              .codes = {published::course},
              .recommended = "as documented, with time steps so small that no overlap arises"},
  };
}

}  // namespace demeter::nscd_contact_update::printed
