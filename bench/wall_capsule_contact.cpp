// Comparison routines for the timings of wall_capsule_contact.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace demeter::wall_capsule_contact::bench {
namespace {

/// Plain code: one capsule after the other, with branches.
template <class Weights>
void one_by_one(std::size_t n, double const* const in[], double* const out[], Weights const& weights) {
  for (std::size_t i = 0; i < n; ++i) {
    auto const axis = static_cast<std::size_t>(in[1][i]);
    double const wall = in[0][i], sense = in[2][i], radius = in[9][i];
    double const centre = in[3 + axis][i], half = in[6 + axis][i];
    double const g0 = sense * (centre - half - wall) - radius, g1 = sense * (centre + half - wall) - radius;
    double uN, lambda;
    weights(g0, g1, uN, lambda);
    out[0][i] = uN;
    for (std::size_t k = 0; k < 3; ++k) {
      out[1 + k][i] = k == axis ? sense : 0;
      out[4 + k][i] = k == axis ? wall + sense * uN / 2 : in[3 + k][i] + lambda * in[6 + k][i];
    }
    out[7][i] = (g0 < 0 ? 1 : 0) + (g1 < 0 ? 1 : 0);
  }
}

/// Uses Woo's weights (docs/mathematics/capsules.md#wall_capsule_contact-formulas-as-printed).
void woo_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  one_by_one(n, in, out, [](double g0, double g1, double& uN, double& lambda) {
    double w0, w1;
    if (g0 * g1 < 0) {
      w0 = g0 < 0 ? 1 : 0;
      w1 = 1 - w0;
    } else {
      w0 = g0 / (g0 + g1);
      w1 = g1 / (g0 + g1);
      if (g0 > 0) std::swap(w0, w1);
    }
    uN = w0 * g0 + w1 * g1;
    lambda = w1 - w0;
  });
}

/// Uses the recommended formula as it is defined, without care for rounding errors.
void monotone_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  one_by_one(n, in, out, [](double g0, double g1, double& uN, double& lambda) {
    double const a0 = std::max(0.0, -g0), a1 = std::max(0.0, -g1);
    uN = std::min(g0, g1);
    lambda = a0 + a1 > 0 ? (a1 - a0) / (a0 + a1) : g0 < g1 ? -1 : g1 < g0 ? 1 : 0;
  });
}

/// Reads every input and writes every output. Its time is a lower bound.
void copy_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  double const *const a = in[0], *const b = in[1], *const c = in[2], *const d = in[3], *const e = in[4];
  double const *const f = in[5], *const g = in[6], *const h = in[7], *const k = in[8], *const l = in[9];
  for (std::size_t i = 0; i < n; ++i) {
    double const values[] = {a[i] + b[i], c[i] + d[i], e[i], f[i], g[i], h[i], k[i], l[i]};
    for (std::size_t j = 0; j < 8; ++j) out[j][i] = values[j];
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "woo_by_rows",
       .level = "scalar",
       .doc = "Woo's weights in plain double, one capsule after the other",
       .run = &woo_by_rows,
       .judged_as = "woo@double"},
      {.name = "monotone_by_rows",
       .level = "scalar",
       .doc = "the recommended form as its definition reads, in plain double",
       .run = &monotone_by_rows,
       .judged_as = "reference@double"},
      {.name = "copy_by_rows",
       .level = "scalar",
       .doc = "10 columns read, 8 written, one row after the other",
       .run = &copy_by_rows,
       .leaves_out = "it computes nothing"},
  };
  return list;
}

}  // namespace demeter::wall_capsule_contact::bench
