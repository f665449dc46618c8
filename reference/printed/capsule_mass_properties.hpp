// Capsule mass properties by formulas of other sources.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::capsule_mass_properties::printed {

/// The formulas of Woo's documentation, term by term: volumes V_c of both caps and V_a of the shaft, and the
/// parallel-axis theorem with the centroid of a hemisphere at 3/8 r.
template <real_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  using std::pow;
  Scalar const r = in.radius, a = in.shaft, rho = in.density;
  Scalar const caps = Scalar(4) / 3 * pi<Scalar>() * pow(r, 3), shaft = pi<Scalar>() * pow(r, 2) * a;
  Scalar const volume = caps + shaft;
  return {
      volume,
      rho * volume,
      rho * (Scalar(2) / 5 * caps * pow(r, 2) + Scalar(1) / 2 * shaft * pow(r, 2)),
      rho * (Scalar(83) / 320 * caps * pow(r, 2) + caps * pow(a / 2 + Scalar(3) / 8 * r, 2) +
             Scalar(1) / 12 * shaft * (3 * pow(r, 2) + pow(a, 2))),
      r + a / 2,
  };
}

/// Evaluates the polynomials of the reference in Horner form, as in manually optimised code.
template <real_scalar Scalar>
Output<Scalar> factored(Input<Scalar> const& in) {
  Scalar const r = in.radius, a = in.shaft, rho = in.density;
  Scalar const disc = pi<Scalar>() * r * r, volume = disc * (Scalar(4) / 3 * r + a);
  return {
      volume,
      rho * volume,
      rho * disc * r * r * (Scalar(8) / 15 * r + a / 2),
      rho * disc * (r * r * (Scalar(8) / 15 * r + Scalar(3) / 4 * a) + a * a * (r / 3 + a / 12)),
      r + a / 2,
  };
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "the documentation's text (Woo), term by term, with pow", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return documented(in); }},
      Formula{"factored", "the same polynomials in Horner form, without fused operations", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return factored(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "mass", .documented = "not stated", .recommended = "m = rho V"},
  };
}

}  // namespace demeter::capsule_mass_properties::printed
