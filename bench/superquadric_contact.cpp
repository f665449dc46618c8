// Comparison routines for the timings of superquadric_contact. "cold": the fast form without a previous point. "near":
// the fast form with the point of the previous step. "evaluation": value, gradient and Hessian of both bodies, once.
#include "fast/superquadric_contact.hpp"
#include "fast/superquadric_shape.hpp"
#include "kernels/baseline.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace demeter::superquadric_contact::bench {
namespace {

/// The input columns are twelve per body, one for the presence of a previous point, and three for the previous point.
constexpr std::size_t bodies = 24, body = 12, semi_axes = 7, columns_in = 28, columns_out = 15;

template <Level level>
void contacts(std::size_t n, double const* const in[], double* const out[]) {
  fast::evaluate(level, n, in, out);
}

void without_previous(std::size_t n, double* const in[]) { std::fill_n(in[bodies], n, 0.0); }

/// Sets the previous point to the point of the previous step. Since then, body j has moved by a thousandth of its
/// smallest semi-axis. (At this speed, an overlap of a hundredth of the semi-axis lasts some tens of steps.)
void from_a_step_before(std::size_t n, double* const in[]) {
  without_previous(n, in);
  std::array<double const*, columns_in> from;
  std::copy_n(in, columns_in, from.begin());
  std::vector<double> x(n);
  for (std::size_t row = 0; row < n; ++row)
    x[row] = in[body][row] + 0.001 * std::min({in[body + semi_axes][row], in[body + semi_axes + 1][row],
                                               in[body + semi_axes + 2][row]});
  from[body] = x.data();
  std::array<double*, columns_out> out{};
  for (std::size_t k = 0; k < 3; ++k) out[1 + k] = in[bodies + 1 + k];
  fast::evaluate(Level::scalar, n, from.data(), out.data());
  std::fill_n(in[bodies], n, 1.0);
}

/// Evaluates value, gradient and Hessian of both bodies once, each at the point (a, b, c)/2.
void evaluations(std::size_t n, double const* const in[], double* const[]) {
  constexpr std::size_t block = 64, outputs = 16;
  double point[3][block], answers[outputs][block];
  for (std::size_t first = 0; first < n; first += block) {
    std::size_t const rows = std::min(block, n - first);
    for (std::size_t of = 0; of < bodies; of += body) {
      std::array<double const*, 8> from;
      for (std::size_t k = 0; k < 5; ++k) from[k] = in[of + semi_axes + k] + first;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t row = 0; row < rows; ++row) point[k][row] = 0.5 * from[k][row];
        from[5 + k] = point[k];
      }
      std::array<double*, outputs> to{};
      for (std::size_t k = 0; k < 12; ++k) to[k] = answers[k];  // leaves out the curvatures
      superquadric_shape::fast::evaluate(Level::scalar, rows, from.data(), to.data());
    }
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr std::string_view cold = "the same pairs without a previous point",
                                    warm = "from the point of a step before",
                                    other_start = "the batch form itself, from another start";
  static constexpr demeter::bench::Baseline list[] = {
      {"cold", "scalar", cold, contacts<Level::scalar>, "", without_previous, "", other_start},
      {"cold", "avx2", cold, contacts<Level::avx2>, "", without_previous, "", other_start},
      {"cold", "avx512", cold, contacts<Level::avx512>, "", without_previous, "", other_start},
      {"near", "scalar", warm, contacts<Level::scalar>, "", from_a_step_before, "", other_start},
      {"near", "avx2", warm, contacts<Level::avx2>, "", from_a_step_before, "", other_start},
      {"near", "avx512", warm, contacts<Level::avx512>, "", from_a_step_before, "", other_start},
      {.name = "evaluation",
       .level = "scalar",
       .doc = "value, gradient and Hessian of both bodies, once",
       .run = evaluations,
       .leaves_out = "one evaluation of the dozen that a search takes"},
  };
  return list;
}

}  // namespace demeter::superquadric_contact::bench
