// Comparison routines for the timings of superquadric_mass_properties.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::superquadric_mass_properties::bench {
namespace {

// Functions of the C library. They are used only in this timing, and never to draw cases.
double log_gamma(double x) {
  constexpr double (*of_the_library)(double) = &std::lgamma;
  return of_the_library(x);
}
double exponential(double x) {
  constexpr double (*of_the_library)(double) = &std::exp;
  return of_the_library(x);
}

/// Plain code: one body after the other, with gamma functions from the C library.
void gamma_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) {
    double const a = in[0][i], b = in[1][i], c = in[2][i], e1 = 1 / in[3][i], e2 = 1 / in[4][i], density = in[5][i];
    auto const ratio = [](double x, double y) {
      return exponential(log_gamma(1 + x) + log_gamma(1 + y) - log_gamma(1 + (x + y)));
    };
    double const area = 4 * ratio(e2, e2), second = 4 / 3. * ratio(e2, 3 * e2), squares = 2 * ratio(e1, 2 * e1);
    double const fourths = 2 * ratio(e1, 4 * e1), heights = 2 / 3. * ratio(2 * e1, 3 * e1), box = a * b * c;
    double const x = box * a * a * second * fourths, y = box * b * b * second * fourths,
                 z = box * c * c * area * heights;
    double const row[] = {box * area * squares, density * box * area * squares, density * (y + z), density * (x + z),
                          density * (x + y)};
    for (std::size_t k = 0; k < 5; ++k)
      if (out[k] != nullptr) out[k][i] = row[k];
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "gamma_by_rows",
     .level = "scalar",
     .doc = "gamma functions by the C library, one body after the other; no bounding radius",
     .run = gamma_by_rows,
     .outputs = "volume,mass,inertia",
     .judged_as = "reference@double"},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::superquadric_mass_properties::bench
