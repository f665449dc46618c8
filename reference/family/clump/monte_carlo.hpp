// Mass properties of a union of balls by uniform points in its box, as estimated by LIGGGHTS (multisphere templates),
// LAMMPS and others. The result converges to the properties of the union like 1/sqrt(points). These properties are also
// the exact value of the method.
#pragma once

#include "reference/family/clump/sampling.hpp"

#include <cstdint>

namespace demeter::clump_grid_mass_properties::reference {

/// Returns number `index` of a stream: uniform in [0, 1), a multiple of 2^-53. Applies SplitMix64's finaliser to a
/// counter (Steele, Lea, Flood 2014), so that each point depends only on seed and index.
inline double uniform(std::uint64_t seed, std::uint64_t index) {
  auto const mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  return static_cast<double>(mix(mix(seed + 0x9e3779b97f4a7c15) + index * 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
}

/// Returns the estimate: each of `points` uniform points in the box has the weight (volume of the box) / points if it
/// lies in a ball.
template <real_scalar Scalar>
Output<Scalar> monte_carlo(Scalar const& density, std::vector<Ball<Scalar>> const& balls, std::uint64_t points,
                           std::uint64_t seed) {
  Box<Scalar> const box = box_of<Scalar>(balls);
  Vector3<Scalar> const edges = box.high - box.low;
  std::vector<Ball<Scalar>> from_low;
  for (auto const& ball : balls)
    from_low.push_back({Vector3<Scalar>(ball.centre - box.low), Scalar(ball.radius * ball.radius)});
  Moments<Scalar> sums = no_moments<Scalar>();
  for (std::uint64_t i = 0; i < points; ++i) {
    Vector3<Scalar> const x(edges[0] * Scalar(uniform(seed, 3 * i)), edges[1] * Scalar(uniform(seed, 3 * i + 1)),
                            edges[2] * Scalar(uniform(seed, 3 * i + 2)));
    for (auto const& ball : from_low) {
      Vector3<Scalar> const d = x - ball.centre;
      if (!(d.dot(d) < ball.radius)) continue;  // `radius` contains the squared radius here
      sums.volume += Scalar(1);
      sums.first += x;
      for (Index k = 0; k < 6; ++k) sums.second[k] += x[places[k][0]] * x[places[k][1]];
      break;
    }
  }
  Scalar const weight = edges[0] * edges[1] * edges[2] / number<Scalar>(static_cast<std::int64_t>(points));
  sums.volume *= weight;
  sums.first *= weight;
  sums.second *= weight;
  return described<Scalar>(density, box.low, sums);
}

}  // namespace demeter::clump_grid_mass_properties::reference
