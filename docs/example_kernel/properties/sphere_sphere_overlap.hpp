// Regimes and laws of the overlap of two spheres.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

namespace demeter::sphere_sphere_overlap::properties {

using Case = Input<double>;
using Answer = Output<double>;

/// Draws a pair of about unit size; `sized` gives the pair an everyday size and place.
inline Case draw_typical(Random& random) {
  Vector3<double> const first = cube_point(random), second = cube_point(random);
  double const a = random.uniform(0.1, 1), b = random.uniform(0.1, 1);
  return {{first, a}, {second, b}};
}

/// Draws two spheres with integer coordinates that touch exactly, along an axis.
inline Case draw_touching(Random& random) {
  auto const a = static_cast<double>(random.integer(1, 1000)), b = static_cast<double>(random.integer(1, 1000));
  Vector3<double> const centre = few_bits_vector(random, 10, 0);
  Vector3<double> other = centre;
  std::int64_t const axis = random.integer(0, 2);
  other[axis] += random.sign() * (a + b);
  return {{centre, a}, {other, b}};
}

inline Case draw_far(Random& random) {
  Case in = draw_typical(random);
  double const distance = random.log_uniform(4, 8);
  Vector3<double> const shift = distance * unit_direction(random);
  in.a.centre += shift;
  in.b.centre += shift;
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "two spheres, with or without contact; sizes of 10 um to 10 m",
       sized<draw_typical>},
      {"touching", Profile::degenerate, "integers with an overlap of exactly 0", sized_exactly<draw_touching>},
      {"far", Profile::extreme, "typical pairs, 1e4 to 1e8 away from the origin", draw_far},
  };
  return list;
}

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) { inputs.push_back({in.b, in.a}); }

inline std::optional<double> same_overlap(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          Tolerance const& held) {
  long double const change = static_cast<long double>(outputs[0].overlap) - outputs[1].overlap;
  return in_tolerances(std::fabs(change), allowance<Contract>(held, inputs, outputs).overlap);
}

inline std::optional<double> status_is_the_sign(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                Tolerance const& held) {
  Answer const& out = outputs[0];
  // Unless the tolerance is exact, a subject may give any status to an overlap of about zero.
  if (!held.to_the_bit && std::fabs(out.overlap) <= allowance<Contract>(held, inputs[0], out).overlap) return 0;
  Status const sign = out.overlap > 0 ? Status::overlapping : out.overlap < 0 ? Status::separate : Status::touching;
  return out.status == sign ? 0 : infinite;
}

/// Defines the laws of scaling, axes and translation, which follow from the units and kinds of the fields.
struct Invariant {
  using Contract = sphere_sphere_overlap::Contract;
  static std::vector<std::string_view> outputs() { return {"overlap"}; }
  static Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!std::isfinite(outputs[i].overlap)) return {true, infinite};
    (void)inputs;
    return {};
  }
  /// Returns whether the squares of all numbers are in the normal range.
  static bool stays_normal(Case const& in) {
    bool fine = true;
    for_each_quantity(in, [&](auto const& quantity, auto const&) {
      for_each_number(quantity, [&](double x) { fine = fine && (x == 0 || std::abs(std::ilogb(x)) < 400); });
    });
    return fine;
  }
};
using Shared = Invariances<Invariant>;

inline std::span<Law<Case, Answer> const> laws() {
  static Law<Case, Answer> const list[] = {
      {.name = "swap",
       .doc = "an exchange of the spheres does not change the overlap",
       .tolerance = "both budgets",
       .uses = {"overlap"},
       .derive = derive_swap,
       .violation = same_overlap},
      {.name = "sign",
       .doc = "the status is the sign of the overlap",
       .tolerance = "0 with tolerance strict, otherwise its budget",
       .uses = {"overlap", "status"},
       .violation = status_is_the_sign},
      Shared::scaling(),
      Shared::axis_permutation(),
      Shared::translation(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::sphere_sphere_overlap::properties
