// Oracle of clump_force_torque: exact sums.
#pragma once

#include "oracles/core/accumulator.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/clump_force_torque.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_force_torque::oracle {

struct Resultant {
  std::array<ExactSum, 3> force, torque;
};

/// Returns F = sum F_i and T = sum T_i + (x_i - c) x F_i, exactly.
inline Resultant resultant(Input<double> const& in) {
  Resultant sums;
  auto& [force, torque] = sums;
  auto const split3 = [](Vector3<double> const& x) { return std::array{split(x[0]), split(x[1]), split(x[2])}; };
  auto const c = split3(in.centre);
  for (auto const& member : in.members) {
    auto const x = split3(member.position), F = split3(member.force), T = split3(member.torque);
    for (std::size_t i = 0; i < 3; ++i) {
      force[i].add(F[i]);
      torque[i].add(T[i]);
      // Component i of (x - c) x F is (x_j - c_j) F_k - (x_k - c_k) F_j. The four products are added one by one. The
      // sums are exact, so their cancellation loses no digits.
      std::size_t const j = (i + 1) % 3, k = (i + 2) % 3;
      torque[i].add_product(x[j], F[k]);
      torque[i].subtract_product(c[j], F[k]);
      torque[i].subtract_product(x[k], F[j]);
      torque[i].add_product(c[k], F[j]);
    }
  }
  return sums;
}

/// Returns the certified resultant F = sum F_i and T = sum T_i + (x_i - c) x F_i. A sum of at most 128 bits is exact.
/// Other sums have a relative radius of 2^-127, also after cancellation. The input may be any finite doubles.
/// Source: docs/mathematics/clumps.md#clump_force_torque-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  auto [force, torque] = resultant(in);
  return {{force[0].enclosed(), force[1].enclosed(), force[2].enclosed()},
          {torque[0].enclosed(), torque[1].enclosed(), torque[2].enclosed()}};
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  auto [force, torque] = resultant(in);
  AtPrecision const at{bits};
  return {{force[0].enclosed(at), force[1].enclosed(at), force[2].enclosed(at)},
          {torque[0].enclosed(at), torque[1].enclosed(at), torque[2].enclosed(at)}};
}

inline constexpr OracleHooks<Contract> hooks{};

}  // namespace demeter::clump_force_torque::oracle
