// Comparison routines for the timings of superquadric_shape.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::superquadric_shape::bench {
namespace {

/// The pow() of the C library. It is used only in this timing, and never to draw cases.
double power(double x, double n) {
  constexpr double (*of_the_library)(double, double) = &std::pow;
  return of_the_library(x, n);
}

/// Plain code: computes value, gauge and gradient of one point after the other. Divides by the larger argument and uses
/// the C library's pow().
void pow_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  auto const norm = [](double x, double y, double m) {
    double const large = std::max(x, y), small = std::min(x, y);
    return large > 0 ? large * power(1 + power(small / large, m), 1 / m) : 0;
  };
  for (std::size_t i = 0; i < n; ++i) {
    double const n1 = in[3][i], n2 = in[4][i];
    double const x = std::fabs(in[5][i]) / in[0][i], y = std::fabs(in[6][i]) / in[1][i],
                 z = std::fabs(in[7][i]) / in[2][i];
    double const rho = norm(x, y, n2), N = norm(rho, z, n1), r = power(rho / N, n1 - 1);
    if (out[0] != nullptr) out[0][i] = power(N, n1) - 1;
    if (out[1] != nullptr) out[1][i] = N;
    double const g[3] = {rho > 0 ? r * power(x / rho, n2 - 1) : 0, rho > 0 ? r * power(y / rho, n2 - 1) : 0,
                         power(z / N, n1 - 1)};
    for (std::size_t k = 0; k < 3; ++k)
      if (out[2 + k] != nullptr) out[2 + k][i] = std::copysign(g[k], in[5 + k][i]) / in[k][i];
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "pow_by_rows",
     .level = "scalar",
     .doc = "value, gauge and gradient with the C library's pow(), one point after the other",
     .run = pow_by_rows,
     .outputs = "value,gauge,gradient",
     .judged_as = "reference@double"},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::superquadric_shape::bench
