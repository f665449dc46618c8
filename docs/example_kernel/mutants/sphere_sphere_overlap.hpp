// Wrong versions of the overlap of two spheres. Each differs from `right()` by one change.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

namespace demeter::sphere_sphere_overlap::mutants {

using Case = Input<double>;
using Answer = Output<double>;

inline constexpr Defect defects[] = {
    {"gap", "the gap instead of the overlap", "sign of a result"},
    {"second_radius_forgotten", "only one of the two radii", "a missing term"},
    {"y_twice", "y^2 + y^2 instead of y^2 + z^2", "godot#47284"},
    {"expanded_square", "|a|^2 - 2 a.b + |b|^2 instead of |b - a|^2", "cancellation far from the origin"},
    {"squared", "the square of the distance", "a missing root"},
    {"float_distance", "the distance is rounded to float", "sqrtf instead of sqrt"},
    {"touching_tolerance", "a gap below a millimetre is treated as touching", "absolute thresholds"},
    {"no_touching", "touching spheres are reported as separate", "> instead of >="},
};
using Chosen = Choice<defects>;

inline Answer evaluate(Case const& in, Chosen const with) {
  Vector3<long double> const between = in.b.centre.cast<long double>() - in.a.centre.cast<long double>();
  long double radii = static_cast<long double>(in.a.radius) + in.b.radius;
  if (with("second_radius_forgotten")) radii = in.a.radius;
  long double square = between.dot(between);
  if (with("y_twice")) square = square - between[2] * between[2] + between[1] * between[1];
  if (with("expanded_square"))
    square = in.a.centre.squaredNorm() - 2 * in.a.centre.dot(in.b.centre) + in.b.centre.squaredNorm();
  long double distance = with("squared") ? square : std::sqrt(square);
  if (with("float_distance")) distance = static_cast<float>(distance);
  auto overlap = static_cast<double>(with("gap") ? distance - radii : radii - distance);
  double const tolerance = with("touching_tolerance") ? 1e-3 : 0;
  if (with("no_touching") && overlap == 0) return {overlap, Status::separate};
  return {overlap, overlap > tolerance    ? Status::overlapping
                   : overlap < -tolerance ? Status::separate
                                          : Status::touching};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

/// Answers a batch in pairs of rows. Leaves out the last row of an odd number of rows.
inline void in_pairs(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = i + 1 == in.size() && i % 2 == 0 ? Answer{0, Status::touching} : right(in[i]);
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"in_pairs", "the last case of an odd number is zero", "a SIMD loop without its tail", in_pairs},
  };
  Distortions const distortions{.read_as_float = "a.centre", .doubled = "overlap"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::sphere_sphere_overlap::mutants
