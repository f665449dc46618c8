#include "fast/sphere_sphere_overlap.hpp"

#include <cmath>

namespace demeter::sphere_sphere_overlap::fast {

// The exponents of long double contain the squares of all doubles, so no scaling is needed.
Output<double> evaluate(Input<double> const& in) noexcept {
  Vector3<long double> const between = in.b.centre.cast<long double>() - in.a.centre.cast<long double>();
  long double const radii = static_cast<long double>(in.a.radius) + in.b.radius;
  auto const overlap = static_cast<double>(radii - std::sqrt(between.dot(between)));
  return {overlap, overlap > 0 ? Status::overlapping : overlap < 0 ? Status::separate : Status::touching};
}

// One plain loop: this example does not need to be fast (see `levels`).
void evaluate(Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    Output<double> const answer =
        evaluate(Input<double>{{{in[0][i], in[1][i], in[2][i]}, in[3][i]}, {{in[4][i], in[5][i], in[6][i]}, in[7][i]}});
    if (out[0] != nullptr) out[0][i] = answer.overlap;
    if (out[1] != nullptr) out[1][i] = static_cast<double>(answer.status);
  }
}

}  // namespace demeter::sphere_sphere_overlap::fast
