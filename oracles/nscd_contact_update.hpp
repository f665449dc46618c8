// Oracle of nscd_contact_update, in exact integers.
#pragma once

#include "oracles/core/dyadic.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/nonsmooth.hpp"
#include "reference/spec/nscd_contact_update.hpp"

#include <array>

namespace demeter::nscd_contact_update::oracle {

using nonsmooth::oracle::enclosed;
using nonsmooth::oracle::Ratio;

/// The exact result. Speeds, components of the normal, the gap, the time step and the masses are integers, each kind on
/// its own grid. The correction is D = max(0, -v_n h - g)/h, with the gap g and the time step h.
struct Exact {
  Ratio normal_velocity, correction;
  std::array<Ratio, 2> velocity_i, velocity_j;
};

inline Exact exact(Input<double> const& in) {
  CommonGrid speed, direction, length, time, mass;
  for (Index k = 0; k < 2; ++k) {
    speed.add(in.velocity_i[k]);
    speed.add(in.velocity_j[k]);
    direction.add(in.normal[k]);
  }
  length.add(in.gap);
  time.add(in.dt);
  bool const wall_i = is_infinite(in.mass_i), wall_j = is_infinite(in.mass_j);
  if (!wall_i) mass.add(in.mass_i);
  if (!wall_j) mass.add(in.mass_j);
  auto const integer = [](double x, CommonGrid const& grid) { return on_grid<BigInteger>(x, grid.exponent()); };
  auto const component = [&](Vector2<double> const& v, Index k, CommonGrid const& grid) { return integer(v[k], grid); };

  // v_n is an integer times 2^(speed + direction).
  BigInteger vn = 0;
  for (Index k = 0; k < 2; ++k)
    vn +=
        (component(in.velocity_i, k, speed) - component(in.velocity_j, k, speed)) * component(in.normal, k, direction);
  int const fine = speed.exponent() + direction.exponent();

  // Computes -v_n - gap/dt, multiplied by dt. The result is on the finer one of the grids 2^(fine + time) and 2^length.
  BigInteger const step = integer(in.dt, time), gap = in.gap > 0 ? integer(in.gap, length) : BigInteger(0);
  int const of_product = fine + time.exponent(), of_gap = length.exponent();
  int const common = is_zero(gap) ? of_product : std::min(of_product, of_gap);
  BigInteger wanting = -(vn * step);
  if (of_product > common) wanting = wanting << (of_product - common);
  if (!is_zero(gap)) wanting = wanting - (of_gap > common ? gap << (of_gap - common) : gap);
  if (is_negative(wanting)) wanting = 0;
  // The correction is D = wanting / step 2^(common - time).
  int const of_D = common - time.exponent();

  BigInteger const one = 1, zero = 0;
  BigInteger const mass_i = wall_i ? one : integer(in.mass_i, mass), mass_j = wall_j ? one : integer(in.mass_j, mass);
  BigInteger const both = wall_i || wall_j ? one : mass_i + mass_j;
  BigInteger const share_i = wall_i ? zero : wall_j ? one : mass_j, share_j = wall_j ? zero : wall_i ? one : mass_i;

  // The velocity after the update is v +- D n share / both. Its denominator is step times both.
  auto const after = [&](Vector2<double> const& v, BigInteger const& share, bool opposite, Index k) {
    BigInteger own = component(v, k, speed) * step * both,
               change = wanting * share * component(in.normal, k, direction);
    if (opposite) change = -change;
    int const of_own = speed.exponent(), of_change = of_D + direction.exponent(), lowest = std::min(of_own, of_change);
    if (is_zero(change)) return Ratio{own, step * both, of_own};
    if (of_own > lowest) own = own << (of_own - lowest);
    if (of_change > lowest) change = change << (of_change - lowest);
    return Ratio{own + change, step * both, lowest};
  };
  return {{vn, one, fine},
          {wanting, step, of_D},
          {after(in.velocity_i, share_i, false, 0), after(in.velocity_i, share_i, false, 1)},
          {after(in.velocity_j, share_j, true, 0), after(in.velocity_j, share_j, true, 1)}};
}

template <class Bound, class Enclose>
Output<Bound> answered(Input<double> const& in, Enclose const& enclose_ratio) {
  Exact const is = exact(in);
  return {enclose_ratio(is.normal_velocity),
          enclose_ratio(is.correction),
          {enclose_ratio(is.velocity_i[0]), enclose_ratio(is.velocity_i[1])},
          {enclose_ratio(is.velocity_j[0]), enclose_ratio(is.velocity_j[1])}};
}

/// Returns the truth from exact ratios of integers. Only the division of each ratio is rounded.
/// Source: docs/mathematics/nonsmooth.md#nscd_contact_update-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  return answered<Enclosure>(in, [](Ratio const& x) { return enclosed(x); });
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return answered<Interval>(in, [bits](Ratio const& x) { return enclosed(x, bits); });
}

inline constexpr OracleHooks<Contract> hooks{};

}  // namespace demeter::nscd_contact_update::oracle
