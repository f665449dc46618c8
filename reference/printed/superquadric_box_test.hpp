// The box test as other codes implement it, on the entries of the relative rotation.
// Source: docs/mathematics/superquadrics.md#superquadric_box_test-formulas-as-printed.
#pragma once

#include "reference/family/superquadric/gauge.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/superquadric_box_test.hpp"

namespace demeter::superquadric_box_test::printed {

using superquadric::reference::magnitude;
using superquadric::reference::rotation;

/// The quantities that both formulas below use: the vector t between the centres in the frame of i, the semi-axes a and
/// b, the relative rotation R, and the magnitudes Q of its entries.
template <class Scalar>
struct Relative {
  Vector3<Scalar> t, a, b;
  Matrix3<Scalar> R, Q;
  Scalar faces;  ///< the largest ratio over the six face axes of the boxes
};

template <field_scalar Scalar>
Relative<Scalar> relative(Input<Scalar> const& in) {
  auto const of_i = rotation<Scalar>(in.i.orientation), of_j = rotation<Scalar>(in.j.orientation);
  Relative<Scalar> of;
  of.t = of_i.transpose() * Vector3<Scalar>(in.j.position - in.i.position);
  of.R = of_i.transpose() * of_j;
  of.a = in.i.semi_axes;
  of.b = in.j.semi_axes;
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l) of.Q(k, l) = magnitude<Scalar>(of.R(k, l));
  of.faces = Scalar(0);
  auto const consider = [&of](Scalar const& along, Scalar const& reach) {
    Scalar const ratio = magnitude<Scalar>(along) / reach;
    if (of.faces < ratio) of.faces = ratio;
  };
  for (Index k = 0; k < 3; ++k) {
    consider(of.t[k], of.a[k] + of.Q(k, 0) * of.b[0] + of.Q(k, 1) * of.b[1] + of.Q(k, 2) * of.b[2]);
    consider(of.R(0, k) * of.t[0] + of.R(1, k) * of.t[1] + of.R(2, k) * of.t[2],
             of.b[k] + of.Q(0, k) * of.a[0] + of.Q(1, k) * of.a[1] + of.Q(2, k) * of.a[2]);
  }
  return of;
}

template <field_scalar Scalar>
Output<Scalar> decided(Scalar const& sigma) {
  return {sigma, Scalar(1) < sigma ? Separated::yes : Separated::no};
}

/// The formula of ODE and Bullet. It adds 1e-5 to each |R_kl| before the nine cross products of axes. Parallel edges
/// then cause no division by zero and need no branch.
template <field_scalar Scalar>
Output<Scalar> padded(Input<Scalar> const& in) {
  Relative<Scalar> of = relative(in);
  Scalar const padding = Scalar(1) / Scalar(100'000);
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l) of.Q(k, l) += padding;
  Scalar sigma = of.faces;
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l) {
      Index const k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
      Scalar const along = magnitude<Scalar>(of.t[k2] * of.R(k1, l) - of.t[k1] * of.R(k2, l));
      Scalar const ratio =
          along / (of.a[k1] * of.Q(k2, l) + of.a[k2] * of.Q(k1, l) + of.b[l1] * of.Q(k, l2) + of.b[l2] * of.Q(k, l1));
      if (sigma < ratio) sigma = ratio;
    }
  return decided<Scalar>(sigma);
}

/// Uses a cross product of two unit axes only if it is longer than 1e-9.
template <field_scalar Scalar>
Output<Scalar> threshold(Input<Scalar> const& in) {
  Relative<Scalar> const of = relative(in);
  Scalar const least = Scalar(1) / Scalar(1'000'000'000);
  Scalar sigma = of.faces;
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l) {
      Vector3<Scalar> L = Vector3<Scalar>::Zero();
      L[(k + 1) % 3] = -of.R((k + 2) % 3, l);
      L[(k + 2) % 3] = of.R((k + 1) % 3, l);
      if (L.dot(L) < least * least) continue;
      Scalar reach(0);
      for (Index m = 0; m < 3; ++m)
        reach += of.a[m] * magnitude<Scalar>(L[m]) + of.b[m] * magnitude<Scalar>(L.dot(of.R.col(m)));
      Scalar const ratio = magnitude<Scalar>(L.dot(of.t)) / reach;
      if (sigma < ratio) sigma = ratio;
    }
  return decided<Scalar>(sigma);
}

inline auto formulas() {
  return std::tuple{
      Formula{"padded", "ODE and Bullet: 1e-5 added to the entries of the rotation for the nine products of axes",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return padded(in); }},
      Formula{"threshold", "products of axes that are shorter than 1e-9 are skipped", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return threshold(in); }},
  };
}

inline std::vector<Erratum> errata() { return {}; }

}  // namespace demeter::superquadric_box_test::printed
