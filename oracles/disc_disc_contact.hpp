// Oracle of disc_disc_contact: exact integers on a common grid of all inputs, and one square root.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/disc_disc_contact.hpp"

#include <array>

namespace demeter::disc_disc_contact::oracle {

struct Exact {
  std::array<BigInteger, 2> between;  ///< vector from j to i
  BigInteger squared, radii, reach;
  int exponent;
  Present present;
};

inline Exact exact(Input<double> const& in) {
  CommonGrid grid;
  for (Index k = 0; k < 2; ++k) {
    grid.add(in.centre_i[k]);
    grid.add(in.centre_j[k]);
  }
  for (double const x : {in.radius_i, in.radius_j, in.alert}) grid.add(x);
  auto const integer = [&](double x) { return on_grid<BigInteger>(x, grid.exponent()); };
  Exact is;
  is.exponent = grid.exponent();
  is.squared = 0;
  for (Index k = 0; k < 2; ++k) {
    BigInteger const step = integer(in.centre_i[k]) - integer(in.centre_j[k]);
    is.squared += step * step;
    is.between[static_cast<std::size_t>(k)] = step;
  }
  is.radii = integer(in.radius_i) + integer(in.radius_j);
  is.reach = is.radii + integer(in.alert);
  is.present = is.squared < is.reach * is.reach ? Present::yes : Present::no;
  return is;
}

inline Enclosure negated(Enclosure const& x) { return {-x.high, -x.low, x.radius}; }

/// Returns the truth. The distance and the components of the normal are roots of ratios of integers, with a relative
/// radius of 2^-122. The label is exact.
/// Source: docs/mathematics/nonsmooth.md#disc_disc_contact-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  Exact const is = exact(in);
  BigInteger const one(1);
  Output<Enclosure> out{difference(root_of_ratio(is.squared, one, is.exponent), enclose(is.radii, is.exponent)),
                        std::nullopt, is.present};
  if (is_zero(is.squared)) return out;
  out.normal.emplace();
  for (std::size_t k = 0; k < 2; ++k) {
    Enclosure const size = root_of_ratio(is.between[k] * is.between[k], is.squared, 0);
    (*out.normal)[static_cast<Index>(k)] = is_negative(is.between[k]) ? negated(size) : size;
  }
  return out;
}

inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  Exact const is = exact(in);
  AtPrecision const at{bits};
  BigInteger const one(1);
  Output<Interval> out{at.root_of_ratio(is.squared, one, is.exponent) - at.number(is.radii, is.exponent), std::nullopt,
                       is.present};
  if (is_zero(is.squared)) return out;
  out.normal.emplace();
  for (std::size_t k = 0; k < 2; ++k) {
    Interval const size = at.root_of_ratio(is.between[k] * is.between[k], is.squared, 0);
    (*out.normal)[static_cast<Index>(k)] = is_negative(is.between[k]) ? Interval::exactly(0, bits) - size : size;
  }
  return out;
}

/// Returns the difference between gap and alert distance if the label is wrong. Otherwise returns 0.
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  if (answer.present == truth.present) return {};
  Enclosure const beyond = difference(truth.gap, {static_cast<long double>(in.alert), 0, 0});
  return truth.present == Present::no ? beyond : negated(beyond);
}
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  mpfr_prec_t const bits = truth.gap.precision();
  if (answer.present == truth.present) return Interval::exactly(0, bits);
  return magnitude(truth.gap - Interval::exactly(in.alert, bits));
}

inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess};

}  // namespace demeter::disc_disc_contact::oracle
