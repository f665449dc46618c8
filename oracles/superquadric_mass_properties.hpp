// Oracle of superquadric_mass_properties: four ratios of MPFR's gamma function, rounded both ways.
// Source: docs/mathematics/superquadrics.md#superquadric_mass_properties-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "oracles/family/superquadric/gauge.hpp"
#include "oracles/family/superquadric/ratios.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

namespace demeter::superquadric_mass_properties::oracle {

/// Returns (x^p + y^p)^(1/p) with p = 2n/(n - 2), or the larger of x and y for n <= 2.
inline Interval farthest(Interval const& x, Interval const& y, double n) {
  if (n <= 2) return maximum(x, y);
  Interval const exact = Interval::exactly(n, x.precision()), two = Interval::exactly(2, x.precision());
  return superquadric::oracle::norm_value(x, y, two * exact / (exact - two));
}

/// Returns the truth in intervals of `bits` bits. R_q and S_q are the ratios of ratios.hpp at 1/n1 and at 1/n2. The
/// volume is 8abc S_1 R_2. The integrals of x^2 and z^2 are 8/3 a^3 bc S_3 R_4 and 8/3 abc^3 S_1 R_3 R_4 / R_1.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  auto const number = [bits](double x) { return Interval::exactly(x, bits); };
  Interval const a = number(in.semi_axes[0]), b = number(in.semi_axes[1]), c = number(in.semi_axes[2]);
  superquadric::oracle::Ratios const R(number(1) / number(in.n1)), S(number(1) / number(in.n2));
  Interval const density = number(in.density), box = a * b * c, third = box * number(8) / number(3);
  Interval const across = third * S(3) * R(4);
  Interval const X = square(a) * across, Y = square(b) * across;
  Interval const Z = third * square(c) * S(1) * R(3) * R(4) / R(1);
  Output<Interval> out;
  out.volume = number(8) * box * S(1) * R(2);
  out.mass = density * out.volume;
  out.inertia[0] = density * (Y + Z);
  out.inertia[1] = density * (X + Z);
  out.inertia[2] = density * (X + Y);
  out.bounding_radius = farthest(farthest(a, b, in.n2), c, in.n1);
  return out;
}

inline Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const of = refined_truth(in, 128);
  Output<Enclosure> out;
  out.volume = enclosure_of(of.volume);
  out.mass = enclosure_of(of.mass);
  for (Index k = 0; k < 3; ++k) out.inertia[k] = enclosure_of(of.inertia[k]);
  out.bounding_radius = enclosure_of(of.bounding_radius);
  return out;
}

inline constexpr OracleHooks<Contract> hooks{.case_divisor = 25};

}  // namespace demeter::superquadric_mass_properties::oracle
