// Independent implementations of wall_capsule_contact, each judged by the formula that it implements.
#include "tests/formulas/judged.hpp"

#include "reference/spec/wall_capsule_contact.hpp"

#include <cmath>

namespace demeter::formulas_test {
namespace walls {

using Case = wall_capsule_contact::Input<double>;
using Answer = wall_capsule_contact::Output<double>;
using Status = wall_capsule_contact::Status;

enum class Mistake {
  none,
  normal_turned,
  sense_forgotten,
  radius_forgotten,
  whole_for_half,
  next_axis,
  ends_exchanged,
  point_on_the_wall,
  shallower_end,
  overlap_in_float,
  middle_of_the_shaft,
  epsilon_1e10,
};

struct Gaps {
  double g0, g1;
};

Gaps gaps(Case const& in, Mistake mistake) {
  auto const k = static_cast<Index>(in.axis);
  double const sense = mistake == Mistake::sense_forgotten ? 1 : in.sense;
  double const half = mistake == Mistake::whole_for_half ? 2 * in.half[k] : in.half[k];
  double const radius = mistake == Mistake::radius_forgotten ? 0 : in.radius;
  double const above = in.centre[k] - in.wall;
  Gaps of{sense * (above - half) - radius, sense * (above + half) - radius};
  if (mistake == Mistake::epsilon_1e10 && std::fabs(of.g0 - of.g1) < 1e-5) of.g1 = of.g0;
  if (mistake == Mistake::ends_exchanged) std::swap(of.g0, of.g1);
  return of;
}

/// Returns the answer whose point is at lambda along the half-shaft from the centre, and at this height above the wall.
Answer placed(Case const& in, Gaps const& of, double uN, double lambda, double height, Mistake mistake) {
  auto const k = static_cast<Index>(in.axis);
  auto const along = mistake == Mistake::next_axis ? (k + 1) % 3 : k;
  if (mistake == Mistake::middle_of_the_shaft) lambda = 0;
  if (mistake == Mistake::overlap_in_float) uN = static_cast<float>(uN);
  Answer answer;
  answer.uN = uN;
  answer.normal = {0, 0, 0};
  answer.normal[along] = mistake == Mistake::normal_turned ? -in.sense : in.sense;
  for (Index i = 0; i < 3; ++i) answer.point[i] = in.centre[i] + lambda * in.half[i];
  answer.point[k] = in.wall + (mistake == Mistake::point_on_the_wall ? 0 : in.sense * height);
  int const in_contact = (of.g0 < 0) + (of.g1 < 0);
  answer.status = in_contact == 2 ? Status::both_ends : in_contact == 1 ? Status::one_end : Status::separated;
  return answer;
}

double least(Gaps const& of, Mistake mistake) {
  return (of.g0 < of.g1) == (mistake != Mistake::shallower_end) ? of.g0 : of.g1;
}

Answer recommended(Case const& in, Mistake mistake) {
  Gaps const of = gaps(in, mistake);
  double const a0 = of.g0 < 0 ? -of.g0 : 0, a1 = of.g1 < 0 ? -of.g1 : 0, uN = least(of, mistake);
  auto const rise = in.sense * in.half[static_cast<Index>(in.axis)];
  double lambda = rise > 0 ? -1 : rise < 0 ? 1 : 0;
  if (a0 + a1 > 0) lambda = (a1 - a0) / (a0 + a1);
  return placed(in, of, uN, lambda, uN / 2, mistake);
}

Answer conservative(Case const& in, Mistake mistake) {
  Gaps const of = gaps(in, mistake);
  double const a0 = of.g0 < 0 ? -of.g0 : 0, a1 = of.g1 < 0 ? -of.g1 : 0, deepest = least(of, mistake);
  if (a0 + a1 > 0) return placed(in, of, -(a0 + a1), (a1 - a0) / (a0 + a1), deepest / 2, mistake);
  return placed(in, of, deepest, of.g0 < of.g1 ? -1 : of.g1 < of.g0 ? 1 : 0, deepest / 2, mistake);
}

Answer woo(Case const& in, Mistake mistake) {
  Gaps const of = gaps(in, mistake);
  double const g0 = of.g0, g1 = of.g1;
  double weight1;
  // At a gap of exactly 0, the printed formula gives all the weight to the far end. At gaps just above or below 0, it
  // does not. Gaps of a few ulps round to 0, so this code treats a gap of 0 as overlap.
  if (g0 <= 0 && g1 > 0) {
    weight1 = 0;
  } else if (g0 > 0 && g1 <= 0) {
    weight1 = 1;
  } else {
    weight1 = (g0 > 0 ? g0 : g1) / (g0 + g1);
  }
  if (mistake == Mistake::shallower_end) weight1 = 1 - weight1;
  double const uN = (1 - weight1) * g0 + weight1 * g1;
  return placed(in, of, uN, 2 * weight1 - 1, uN / 2, mistake);
}

using Implementation = Answer(Case const&, Mistake);

class WallContactBy : public testing::TestWithParam<std::pair<char const*, Implementation*>> {
 protected:
  Kernel const& kernel = *find_kernel("wall_capsule_contact");
  Subject with(Mistake mistake) const {
    return implementing<wall_capsule_contact::Contract>(
        GetParam().first, [call = GetParam().second, mistake](Case const& in) { return call(in, mistake); });
  }
};

TEST_P(WallContactBy, IsRightOver20Seeds_many_seeds) { expect_right(kernel, with(Mistake::none), 150); }

TEST_P(WallContactBy, EveryPlantedMistakeIsFound_long) {
  for (auto const& [mistake, what] :
       {std::pair{Mistake::normal_turned, "the normal points into the wall"},
        {Mistake::sense_forgotten, "the sense is ignored"},
        {Mistake::radius_forgotten, "the radius is ignored"},
        {Mistake::whole_for_half, "the whole shaft instead of the half"},
        {Mistake::next_axis, "the normal is along the next axis"},
        {Mistake::ends_exchanged, "one end instead of the other"},
        {Mistake::point_on_the_wall, "the point is on the wall"},
        {Mistake::shallower_end, "the shallower end"},
        {Mistake::overlap_in_float, "the overlap in float"},
        {Mistake::middle_of_the_shaft, "the point is at the middle of the shaft"},
        {Mistake::epsilon_1e10, "ends with a height difference below 1e-5 m are treated as level"}})
    expect_found(kernel, with(mistake), what, 200);
}

INSTANTIATE_TEST_SUITE_P(Formula, WallContactBy,
                         testing::Values(std::pair{"reference", &recommended}, std::pair{"conservative", &conservative},
                                         std::pair{"woo", &woo}),
                         [](auto const& each) { return std::string(each.param.first); });

}  // namespace walls
}  // namespace demeter::formulas_test
