// Oracle of clump_mass_properties: exact sums about the origin, and the eigenvalues in closed form.
//
// The masses are integers on one common grid, and the positions are integers on another. m, S = sum m x and P = sum m x
// x^T are then integers. The second moments about the centroid are (m P - S S^T) / m. Hamilton's product gives the
// images of the axes, so a member's own tensor is a ratio of integers. Only these quotients and their sums are rounded.
// The principal moments are the trigonometric roots of the characteristic polynomial (Smith 1961) in intervals. A
// double root loses half the bits, so the intervals have more than twice the bits.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/clump/principal_axes.hpp"
#include "reference/spec/clump_mass_properties.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace demeter::clump_mass_properties::oracle {

namespace exact {

using clump::oracle::Intervals;
using clump::oracle::places;
using clump::oracle::Turn;

/// Adds the tensor of one member about its own centroid, in the global axes.
inline void add_own(Member<double> const& member, AtPrecision const& at, Intervals& tensor) {
  if (member.inertia.isZero()) return;
  CommonGrid grid;
  for (Index i = 0; i < 3; ++i) grid.add(member.inertia[i]);
  std::array<BigInteger, 3> moments;
  for (std::size_t i = 0; i < 3; ++i)
    moments[i] = on_grid<BigInteger>(member.inertia[static_cast<Index>(i)], grid.exponent());
  Turn const R = clump::oracle::turn(member.orientation);
  Interval const square = at.number(BigInteger(R.square * R.square), 0);
  for (std::size_t k = 0; k < 6; ++k) {
    auto const [i, j] = places[k];
    BigInteger sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) sum += R.axes[i][axis] * moments[axis] * R.axes[j][axis];
    if (!sum.is_zero()) tensor[k] = tensor[k] + at.number(sum, grid.exponent()) / square;
  }
}

}  // namespace exact

/// Returns all outputs except the orientation, which is not unique. The widths of the intervals are about 2^-bits of
/// the scales.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  mpfr_prec_t const working = 2 * bits + 128;
  AtPrecision const at{working};
  CommonGrid masses, positions;
  for (auto const& member : in.members) {
    masses.add(member.mass);
    for (Index i = 0; i < 3; ++i) positions.add(member.position[i]);
  }
  BigInteger mass = 0;
  std::array<BigInteger, 3> first{};
  std::array<BigInteger, 6> second{};
  clump::oracle::Intervals tensor;
  tensor.fill(Interval::exactly(0, working));
  for (auto const& member : in.members) {
    BigInteger const m = on_grid<BigInteger>(member.mass, masses.exponent());
    std::array<BigInteger, 3> x;
    for (std::size_t i = 0; i < 3; ++i)
      x[i] = on_grid<BigInteger>(member.position[static_cast<Index>(i)], positions.exponent());
    mass += m;
    for (std::size_t i = 0; i < 3; ++i) first[i] += m * x[i];
    for (std::size_t k = 0; k < 6; ++k)
      second[k] += m * x[clump::oracle::places[k][0]] * x[clump::oracle::places[k][1]];
    exact::add_own(member, at, tensor);
  }
  Interval const divisor = at.number(mass, 0);
  for (std::size_t k = 0; k < 6; ++k)
    second[k] = mass * second[k] - first[clump::oracle::places[k][0]] * first[clump::oracle::places[k][1]];
  int const exponent = masses.exponent() + 2 * positions.exponent();
  auto const add = [&](std::size_t k, BigInteger const& x) {
    if (!x.is_zero()) tensor[k] = tensor[k] + at.number(x, exponent) / divisor;
  };
  for (std::size_t k = 0; k < 3; ++k) add(k, second[(k + 1) % 3] + second[(k + 2) % 3]);
  for (std::size_t k = 3; k < 6; ++k) add(k, -second[k]);

  Output<Interval> out;
  out.mass = at.number(mass, masses.exponent());
  for (std::size_t i = 0; i < 3; ++i)
    out.centroid[static_cast<Index>(i)] = at.number(first[i], positions.exponent()) / divisor;
  for (std::size_t k = 0; k < 6; ++k) out.inertia[static_cast<Index>(k)] = tensor[k];
  auto const principal = clump::oracle::moments(tensor, working);
  for (std::size_t i = 0; i < 3; ++i) out.principal[static_cast<Index>(i)] = principal[i];
  for (Index i = 0; i < 4; ++i) out.orientation[i] = Interval::anything();
  return out;
}

/// Returns the certified mass properties. The radius of each enclosure is at most 2^-116 of the value, or 2^-128 of the
/// scale if the output has cancellation.
inline Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const found = refined_truth(in, 128);
  Output<Enclosure> out;
  out.mass = clump::oracle::enclosed(found.mass);
  for (Index i = 0; i < 3; ++i) out.centroid[i] = clump::oracle::enclosed(found.centroid[i]);
  for (Index k = 0; k < 6; ++k) out.inertia[k] = clump::oracle::enclosed(found.inertia[k]);
  for (Index i = 0; i < 3; ++i) out.principal[i] = clump::oracle::enclosed(found.principal[i]);
  for (Index i = 0; i < 4; ++i) out.orientation[i] = {0, 0, std::numeric_limits<long double>::infinity()};
  return out;
}

/// Returns the error of the answer's axes, compared with principal axes. The answer's moments are not used.
inline Interval refined_excess(Input<double> const&, Output<Interval> const& truth, Output<double> const& answer) {
  return clump::oracle::axes_excess(truth, answer.orientation, truth.mass.precision());
}
inline Enclosure excess(Input<double> const&, Output<Enclosure> const& truth, Output<double> const& answer) {
  return clump::oracle::enclosed_axes_excess(truth, answer.orientation, 256);
}

/// One truth takes 90 us. `case_divisor` therefore reduces the number of cases of a survey.
inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess, .case_divisor = 4};

}  // namespace demeter::clump_mass_properties::oracle
