// Comparison routines for the timings of contact_force.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::contact_force::bench {
namespace {

using Triple = std::array<double, 3>;

double dot(Triple const& a, Triple const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple added(Triple const& a, double k, Triple const& b) { return {a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]}; }
Triple cross(Triple const& a, Triple const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Plain code: one contact after the other, with branches. Uses the normals as unit vectors, rotates the spring by
/// cross products, and computes no energies. The law is that of YADE.
void plain_by_rows(std::size_t count, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < count; ++i) {
    auto const triple = [&](std::size_t k) { return Triple{in[k][i], in[k + 1][i], in[k + 2][i]}; };
    int const law = static_cast<int>(in[0][i]);
    double const friction = in[5][i], dt = in[8][i], uN = in[9][i];
    Triple force{}, spring{};
    double status = 0;
    if (uN < 0) {
      Triple const n = triple(11), before = triple(14), v = triple(17);
      double stiffer = 1, softer = 1, kept = 1;
      if (law == 2) {
        stiffer = std::sqrt(-uN / in[7][i]);
        softer = std::sqrt(stiffer);
        double const was = in[10][i] < 0 ? std::sqrt(-in[10][i] / in[7][i]) : 0;
        kept = was / stiffer;
      }
      double const kn = in[1][i] * stiffer, kt = in[2][i] * stiffer;
      double const cn = law == 0 ? 0 : in[3][i] * softer, ct = law == 0 ? 0 : in[4][i] * softer;
      double const vn = dot(v, n);
      double pull = kn * uN + cn * vn;
      if (pull > 0) pull = 0;
      Triple const w = added(v, -vn, n);
      if (in[10][i] < 0) {
        spring = triple(21);
        spring = added(spring, -1, cross(spring, cross(before, n)));
        spring = added(spring, -dt * in[20][i], cross(spring, before));
        for (double& x : spring) x *= kept;
      }
      spring = added(spring, dt, w);
      double const limit = friction * std::fabs(pull), elastic = kt * std::sqrt(dot(spring, spring));
      status = 1;
      force = {pull * n[0], pull * n[1], pull * n[2]};
      if (elastic > limit) {
        for (double& x : spring) x *= limit / elastic;
        status = 2;
      } else {
        force = added(force, ct, w);
      }
      force = added(force, kt, spring);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      out[k][i] = force[k];
      out[3 + k][i] = spring[k];
    }
    out[8][i] = status;
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "plain_by_rows",
       .level = "scalar",
       .doc = "plain code of a DEM loop: unit normals, cross products, no energies",
       .run = &plain_by_rows,
       .outputs = "force,spring,status",
       .judged_as = "yade-2023.02@double",
       .leaves_out = "without energies, and normals have to be unit vectors"},
  };
  return list;
}

}  // namespace demeter::contact_force::bench
