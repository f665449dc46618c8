// Comparison routines for the timings of nscd_solve.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace demeter::nscd_solve::bench {
namespace {

/// Plain sweeps over the contacts with accumulated impulses. Stops when a sweep changes the speed at every contact by
/// at most 1e-10 of the largest speed, or after 1,000 sweeps.
void plain_sweeps(std::size_t count, double const* const in[], double* const out[]) {
  std::vector<double> inverse, x, y, p;
  for (std::size_t row = 0; row < count; ++row) {
    auto const at = [&](std::size_t k) { return static_cast<std::size_t>(in[k][row]); };
    auto const size = [&](std::size_t k) { return static_cast<std::size_t>(in[k][row + 1]) - at(k); };
    std::size_t const bodies = size(0), contacts = size(5);
    inverse.assign(bodies, 0);
    x.assign(in[3] + at(2), in[3] + at(2) + bodies);
    y.assign(in[4] + at(2), in[4] + at(2) + bodies);
    p.assign(contacts, 0);
    double speed = 0;
    for (std::size_t a = 0; a < bodies; ++a) {
      inverse[a] = 1 / in[1][at(0) + a];
      speed = std::max({speed, std::fabs(x[a]), std::fabs(y[a])});
    }
    for (int sweep = 0; sweep < 1000; ++sweep) {
      double off = 0;
      for (std::size_t k = at(5); k < at(5) + contacts; ++k) {
        auto const i = static_cast<std::size_t>(in[6][k]), j = static_cast<std::size_t>(in[7][k]);
        double const nx = in[8][k], ny = in[9][k], W = inverse[i] + inverse[j];
        double const w = (x[i] - x[j]) * nx + (y[i] - y[j]) * ny + std::max(in[10][k], 0.0) / in[11][row];
        double& own = p[k - at(5)];
        double const now = std::max(own - w / W, 0.0), change = now - own;
        off = std::max(off, std::fabs(change) * W);
        own = now;
        x[i] += change * inverse[i] * nx;
        y[i] += change * inverse[i] * ny;
        x[j] -= change * inverse[j] * nx;
        y[j] -= change * inverse[j] * ny;
      }
      if (off <= 1e-10 * speed) break;
    }
    if (out[1] != nullptr) std::copy(x.begin(), x.end(), out[1] + at(0));
    if (out[2] != nullptr) std::copy(y.begin(), y.end(), out[2] + at(0));
    if (out[4] != nullptr) std::copy(p.begin(), p.end(), out[4] + at(5));
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "plain_sweeps",
       .level = "scalar",
       .doc = "plain code: accumulated Gauss-Seidel to 1e-10 of the largest speed",
       .run = &plain_sweeps,
       .leaves_out = "to ten digits, no further"},
  };
  return list;
}

}  // namespace demeter::nscd_solve::bench
