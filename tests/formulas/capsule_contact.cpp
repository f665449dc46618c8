// Independent implementations of capsule_contact, each judged by the formula that it implements.
#include "tests/formulas/capsule_contact.hpp"

#include "tests/formulas/judged.hpp"

namespace demeter::formulas_test {
namespace capsules {

using Implementation = Answer(Case const&, Mistake);

struct Planted {
  Mistake mistake;
  char const* what;
};

class CapsuleContactBy : public testing::TestWithParam<std::tuple<char const*, Implementation*, std::vector<Planted>>> {
 protected:
  Kernel const& kernel = *find_kernel("capsule_contact");
  Subject with(Mistake mistake) const {
    return implementing<capsule_contact::Contract>(
        std::get<0>(GetParam()),
        [call = std::get<1>(GetParam()), mistake](Case const& in) { return call(in, mistake); });
  }
};

TEST_P(CapsuleContactBy, IsRightOver20Seeds_many_seeds) { expect_right(kernel, with(Mistake::none), 150); }

TEST_P(CapsuleContactBy, EveryPlantedMistakeIsFound_long) {
  auto const& planted = std::get<2>(GetParam());
  EXPECT_GE(planted.size(), 10u);
  for (auto const& each : planted) expect_found(kernel, with(each.mistake), each.what, 100);
}

std::vector<Planted> in_any(std::vector<Planted> more) {
  std::vector<Planted> all{{Mistake::normal_turned, "the normal points from 2 to 1"},
                           {Mistake::end_not_clamped, "the second parameter is not clamped"},
                           {Mistake::coordinate_index, "z instead of y in a product"},
                           {Mistake::whole_for_half, "the whole shaft instead of the half"},
                           {Mistake::radius_forgotten, "a missing radius"},
                           {Mistake::float_literal, "a radius in float"},
                           {Mistake::epsilon_squared, "an epsilon of 1e-10 square metres"},
                           {Mistake::parallel_epsilon, "axes are parallel below 1e-10"},
                           {Mistake::point_on_surface, "the point is on surface 1"},
                           {Mistake::sign_of_overlap, "the overlap is positive"},
                           {Mistake::only_one_clamp, "the first parameter is not computed again"},
                           {Mistake::radii_swapped, "the radii are exchanged for the point"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Formula, CapsuleContactBy,
                         testing::Values(std::tuple{"geometric", &geometric, in_any({})},
                                         std::tuple{"documented", &documented,
                                                    in_any({{Mistake::wrong_end, "one end instead of another"},
                                                            {Mistake::weights_uniform, "equal weights"},
                                                            {Mistake::last_end_forgotten, "only three of four ends"}})},
                                         std::tuple{"woo", &woo,
                                                    in_any({{Mistake::wrong_end, "one end instead of another"},
                                                            {Mistake::weights_uniform, "equal weights"},
                                                            {Mistake::last_end_forgotten, "only three of four ends"}})},
                                         std::tuple{"reference", &recommended,
                                                    in_any({{Mistake::half_of_a_half, "a shadow of half the length"},
                                                            {Mistake::weight_of_four, "4 h^2 instead of 8 h^2"},
                                                            {Mistake::cosine_forgotten, "omega lacks cos^2"}})}),
                         [](auto const& each) { return std::string(std::get<0>(each.param)); });

}  // namespace capsules
}  // namespace demeter::formulas_test
