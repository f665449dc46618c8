// Computes the overlap of two spheres from exact integers, on a grid that contains all input numbers.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

namespace demeter::sphere_sphere_overlap::oracle {

/// The overlap: the exact sum of the radii minus the root of the exact squared distance.
struct Exact {
  BigInteger radii, squared;
  int exponent;
  Status status;
};

inline Exact exact(Input<double> const& in) {
  CommonGrid grid;
  for (auto const* sphere : {&in.a, &in.b}) {
    grid.add(sphere->radius);
    for (double const coordinate : sphere->centre) grid.add(coordinate);
  }
  auto const integer = [&](double x) { return on_grid<BigInteger>(x, grid.exponent()); };
  BigInteger squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    BigInteger const step = integer(in.b.centre[axis]) - integer(in.a.centre[axis]);
    squared += step * step;
  }
  BigInteger const radii = integer(in.a.radius) + integer(in.b.radius), square = radii * radii;
  return {radii, squared, grid.exponent(),
          squared < square   ? Status::overlapping
          : square < squared ? Status::separate
                             : Status::touching};
}

/// Returns the enclosed truth. The sum of the radii is exact; the root has a relative radius of 2^-122.
inline Output<Enclosure> truth(Input<double> const& in) {
  Exact const x = exact(in);
  return {difference(enclose(x.radii, x.exponent), root_of_ratio(x.squared, BigInteger(1), x.exponent)), x.status};
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  Exact const x = exact(in);
  AtPrecision const at{bits};
  return {at.number(x.radii, x.exponent) - at.root_of_ratio(x.squared, BigInteger(1), x.exponent), x.status};
}

inline constexpr OracleHooks<Contract> hooks{};

}  // namespace demeter::sphere_sphere_overlap::oracle
