// Mass properties of superquadrics as other sources print them, or as their equations imply.
// Source: docs/mathematics/superquadrics.md#superquadric_mass_properties-formulas-as-printed.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"
#include "reference/superquadric_mass_properties.hpp"

namespace demeter::superquadric_mass_properties::printed {

/// The body of equation (1), rho + |z/c|^n1 <= 1. At height z, the superellipse is scaled by 1 - |z/c|^n1. The
/// integrals of powers of this factor over z have closed forms.
template <power_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  auto const G = [](Scalar const& x) { return reference::gamma<Scalar>(x); };
  Scalar const one(1), two(2), three(3), four(4), n1 = in.n1, e2 = one / in.n2;
  Scalar const a = in.semi_axes[0], b = in.semi_axes[1], c = in.semi_axes[2], box = a * b * c;
  Scalar const area = four * G(one + e2) * G(one + e2) / G(one + two * e2);
  Scalar const second = four * e2 * e2 * G(three * e2) * G(e2) / G(one + four * e2);
  auto const at = [&](int k) { return Scalar(Scalar(k) * n1 + one); };
  Scalar const squares = two * two * n1 * n1 / (at(1) * at(2));
  Scalar const fourths = two * Scalar(24) * n1 * n1 * n1 * n1 / (at(1) * at(2) * at(3) * at(4));
  Scalar const heights = two * (one / three - two / (n1 + three) + one / (two * n1 + three));
  Scalar const X = box * a * a * second * fourths, Y = box * b * b * second * fourths, Z = box * c * c * area * heights;
  Output<Scalar> out;
  out.volume = box * area * squares;
  out.mass = in.density * out.volume;
  out.inertia = in.density * Vector3<Scalar>(Y + Z, X + Z, X + Y);
  out.bounding_radius = Scalar(0);
  return out;
}

/// The formula with beta functions and epsilon = 2/n (Jaklič, Leonardis, Solina).
template <power_scalar Scalar>
Output<Scalar> with_beta(Input<Scalar> const& in) {
  auto const B = [](Scalar const& x, Scalar const& y) {
    return Scalar(reference::gamma<Scalar>(x) * reference::gamma<Scalar>(y) / reference::gamma<Scalar>(Scalar(x + y)));
  };
  Scalar const one(1), two(2), three(3), half = one / two, e1 = two / in.n1, e2 = two / in.n2;
  Scalar const a = in.semi_axes[0], b = in.semi_axes[1], c = in.semi_axes[2], box = a * b * c * e1 * e2;
  Scalar const across = B(Scalar(three * half * e2), Scalar(half * e2)) * B(Scalar(half * e1), Scalar(two * e1 + one));
  Scalar const along =
      two * two * B(Scalar(half * e2), Scalar(half * e2 + one)) * B(Scalar(three * half * e1), Scalar(e1 + one));
  Output<Scalar> out;
  out.volume = two * box * B(Scalar(half * e1 + one), e1) * B(Scalar(half * e2), Scalar(half * e2));
  out.mass = in.density * out.volume;
  out.inertia =
      in.density * half * box *
      Vector3<Scalar>(b * b * across + c * c * along, a * a * across + c * c * along, (a * a + b * b) * across);
  out.bounding_radius = Scalar(0);
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented",
              "the body of Open DEM Japan's equation (1), rho + |z/c|^n1 <= 1",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return documented<Scalar>(in); },
              {"bounding_radius"}},
      Formula{"beta",
              "beta functions of the exponents 2/n (Jaklič, Leonardis, Solina)",
              FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return with_beta<Scalar>(in); },
              {"bounding_radius"}},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "(1)",
          .documented = "the body is the set rho + |z/c|^(2/n) <= 1 of equation (1)",
          .implemented = "the body is the set k (N^n1 - 1) <= 0",
          .codes = {published::liggghts_superquadrics},
          .recommended = "the body is the set N <= 1",
          .figures =
              {{.what =
                    "n = 1 and unit semi-axes: the printed equation gives 16 pi/15, but the body is a ball with 4 pi/3",
                .input = R"({"semi_axes":[1,1,1],"n1":2,"n2":2,"density":1})",
                .column = "volume",
                .values = {{"documented", "3.351"}, {"reference", "4.189"}}}}},
  };
}

}  // namespace demeter::superquadric_mass_properties::printed
