// Values that other codes use as the penetration depth of two superquadrics.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/superquadric_depth.hpp"

namespace demeter::superquadric_depth::printed {

using namespace superquadric::reference;
using reference::Pair;

/// Returns NaN for all outputs, because equal centres do not define a direction.
template <class Scalar>
Output<Scalar> no_answer() {
  Scalar const none = Scalar(0) / Scalar(0);
  return {none, {none, none, none}};
}
template <class Scalar>
bool concentric(Pair<Scalar> const& pair) {
  return !(Scalar(0) < pair.d.dot(pair.d));
}

template <power_scalar Scalar>
Output<Scalar> along_centres(Input<Scalar> const& in) {
  Pair<Scalar> const pair(in);
  if (concentric(pair)) return no_answer<Scalar>();
  Vector3<Scalar> const u = pair.d / pair.d.norm();
  return {pair.unit * pair.psi(u), u};
}

/// Returns psi along the contact normal: the sum over both bodies of (1 - N) / |grad N| at the contact point. This is
/// never less than the depth.
template <power_scalar Scalar>
Output<Scalar> along_normal(Input<Scalar> const& in) {
  Pair<Scalar> const pair(in);
  if (concentric(pair)) return no_answer<Scalar>();
  Body<Scalar> j = pair.j;
  j.centre = pair.d;
  Vector3<Scalar> const u = -touch<Scalar>(pair.i, j, between<Scalar>(pair.i, j)).normal();
  return {pair.unit * pair.psi(u), u};
}

template <power_scalar Scalar>
Output<Scalar> local_search(Input<Scalar> const& in) {
  Pair<Scalar> const pair(in);
  if (concentric(pair)) return no_answer<Scalar>();
  Vector3<Scalar> const u = reference::foot<Scalar>(pair, pair.d, std::nullopt).u;
  return {pair.unit * pair.psi(u), u};
}

inline auto formulas() {
  return std::tuple{
      Formula{"along_centres", "h_i + h_j - u.d along the line of the centres, as for spheres", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return along_centres<Scalar>(in); }},
      Formula{"along_normal",
              "the same along the normal at the contact point: the sum of (1 - N) / |grad N| there (overlap_n of "
              "superquadric_contact)",
              FormulaKind::searched_model,
              []<class Scalar>(Input<Scalar> const& in) { return along_normal<Scalar>(in); }},
      Formula{"local_search",
              "the least that is reached downhill from the normal at the contact point, as by codes that refine a "
              "contact normal",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return local_search<Scalar>(in); }},
  };
}

inline std::vector<Erratum> errata() { return {}; }

}  // namespace demeter::superquadric_depth::printed
