// Independent implementations of segment_distance, each judged by the formula that it implements.
#include "tests/formulas/segment_distance.hpp"

#include "tests/formulas/judged.hpp"

namespace demeter::formulas_test {
namespace segments {

class SegmentDistanceBy : public testing::TestWithParam<char const*> {
 protected:
  Kernel const& kernel = *find_kernel("segment_distance");
  Subject with(Mistake mistake) const {
    return implementing<segment_distance::Contract>(GetParam(),
                                                    [mistake](Case const& in) { return textbook(in, mistake); });
  }
};

TEST_P(SegmentDistanceBy, IsRightOver20Seeds_many_seeds) { expect_right(kernel, with(Mistake::none), 150); }

TEST_P(SegmentDistanceBy, EveryPlantedMistakeIsFound_long) {
  for (auto const& [mistake, what] : {std::pair{Mistake::offset_turned, "the offset has the wrong sign"},
                                      {Mistake::t_not_clamped, "t is not clamped"},
                                      {Mistake::s_found_once, "s is not computed again"},
                                      {Mistake::s_and_t_exchanged, "s and t are exchanged"},
                                      {Mistake::coordinate_index, "y instead of z"},
                                      {Mistake::epsilon_1e10, "axes are parallel below 1e-10"},
                                      {Mistake::squares_of_length, "a missing root"},
                                      {Mistake::end_in_float, "an end in float"},
                                      {Mistake::ends_exchanged, "t is measured from the other end"},
                                      {Mistake::point_below_1e5, "a length below 1e-5 counts as 0"}})
    expect_found(kernel, with(mistake), what, 200);
}

INSTANTIATE_TEST_SUITE_P(Formula, SegmentDistanceBy, testing::Values("textbook", "reference"),
                         [](auto const& formula) { return std::string(formula.param); });

}  // namespace segments
}  // namespace demeter::formulas_test
