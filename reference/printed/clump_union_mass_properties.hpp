// Mass properties of a union of balls by formulas of other sources and codes. Grid sampling is a separate kernel,
// clump_grid_mass_properties.
#pragma once

#include "reference/clump_union_mass_properties.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::clump_union_mass_properties::printed {

/// Returns the integrals of one whole ball.
template <real_scalar Scalar>
reference::Integrals<Scalar> whole(Ball<Scalar> const& ball) {
  Scalar const four_pi = Scalar(4) * pi<Scalar>(), r_2 = ball.radius * ball.radius;
  Scalar const volume = four_pi * r_2 * ball.radius / Scalar(3);
  Matrix3<Scalar> second = volume * reference::outer<Scalar>(ball.centre, ball.centre);
  for (Index k = 0; k < 3; ++k) second(k, k) += volume * r_2 / Scalar(5);
  return {volume, four_pi * r_2, volume * ball.centre, second};
}
template <real_scalar Scalar>
void add(reference::Integrals<Scalar> const& term, Scalar const& factor, reference::Integrals<Scalar>& sum) {
  sum.volume += factor * term.volume;
  sum.area += factor * term.area;
  sum.first += factor * term.first;
  sum.second += factor * term.second;
}
template <real_scalar Scalar>
reference::Integrals<Scalar> sum_of_balls(std::vector<Ball<Scalar>> const& balls) {
  Scalar const zero(0);
  reference::Integrals<Scalar> sum{zero, zero, Vector3<Scalar>::Zero(), Matrix3<Scalar>::Zero()};
  for (Ball<Scalar> const& ball : balls) add<Scalar>(whole<Scalar>(ball), Scalar(1), sum);
  return sum;
}

/// The sum over the balls: a region that k balls cover counts k times. Woo and LIGGGHTS do this for clumps if they use
/// no grid.
template <real_scalar Scalar>
Output<Scalar> additive(Input<Scalar> const& in) {
  Vector3<Scalar> const origin = in.balls.front().centre;
  return reference::described<Scalar>(in.density, origin,
                                      sum_of_balls<Scalar>(reference::moved<Scalar>(in.balls, origin)));
}

/// Inclusion-exclusion up to pairs: the sum of the balls minus the lenses of all pairs. The result is correct unless
/// three balls overlap. With many triple overlaps, even the volume may be negative.
template <real_scalar Scalar>
Output<Scalar> pairs(Input<Scalar> const& in) {
  Vector3<Scalar> const origin = in.balls.front().centre;
  std::vector<Ball<Scalar>> const balls = reference::moved<Scalar>(in.balls, origin);
  auto sum = sum_of_balls<Scalar>(balls);
  Scalar const one(1);
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      std::vector<Ball<Scalar>> const pair{balls[i], balls[j]};
      // The lens is the sum of both balls minus their union.
      add<Scalar>(*reference::integrals<Scalar>(pair, true), one, sum);
      add<Scalar>(sum_of_balls<Scalar>(pair), -one, sum);
    }
  return reference::described<Scalar>(in.density, origin, sum);
}

inline auto formulas() {
  return std::tuple{
      Formula{"additive", "sum over the balls: overlaps count as often as balls overlap", FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return additive<Scalar>(in); }},
      Formula{"pairs", "sum over the balls less the lenses of pairs: inclusion and exclusion that ends there",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return pairs<Scalar>(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "overlaps",
          .documented = "“volumes are computed twice”",
          .recommended = "A sum over balls counts a region k times if it is inside k balls. The union counts it once.",
          .figures = {{.what = "two unit balls with a distance of 1 between their centres",
                       .input =
                           R"({"density":1,"balls":[{"centre":[0,0,0],"radius":1},{"centre":[1,0,0],"radius":1}]})",
                       .column = "mass",
                       .values = {{"additive", "8.378"}, {"pairs", "7.069"}, {"reference", "7.069"}}}}},
  };
}

}  // namespace demeter::clump_union_mass_properties::printed
