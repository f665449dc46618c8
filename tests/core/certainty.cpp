// Tests that each output with a verdict states whether the error of the truth is bounded or estimated.
#include "tests/core/command.hpp"

#include "kernels/vectors.hpp"

#include <regex>

#include <nlohmann/json.hpp>

namespace demeter {
namespace {

using Json = nlohmann::json;

class Certain : public CommandTest {};

TEST_F(Certain, EveryVerdictShowsWhetherItsTruthIsBounded_long) {
  for (auto const& kernel : kernels()) {
    bool const bounded = kernel.certainty.bounded();
    std::string const words(bounded ? "estimated, not bounded" : kernel.certainty.not_bounded_because),
        name = kernel.name;
    auto const says = [&](Ran const& ran) {
      // Output lines are wrapped at the width of the screen.
      std::string const text = std::regex_replace(ran.out, std::regex("\\s+"), " ");
      EXPECT_EQ(contains(text, words), !bounded) << text;
    };
    says(holds("demeter list " + name));
    says(fails(1, "demeter check " + name + " --subject fast --count 3 --seed 1", "not refuted"));
    says(holds("demeter explain " + name + " 1 --subject fast"));
    std::string const answered = "demeter generate " + name + " --count 3 | demeter evaluate " + name +
                                 " --implementation fast | demeter verify " + name;
    says(holds(answered));
    auto const listed = Json::parse(holds("demeter list " + name + " --json").out)["kernels"][0];
    EXPECT_EQ(listed["certainty"], bounded ? "bounded" : "estimated");
    EXPECT_EQ(listed.contains("not_bounded_because"), !bounded);
    auto const lines = lines_of(holds(answered + " --json").out);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(Json::parse(lines.back())["summary"]["certainty"], bounded ? "bounded" : "estimated") << name;
    for (auto const& notes : vectors_of(kernel).notes)
      EXPECT_EQ(std::count(notes.flags.begin(), notes.flags.end(), "Estimated"), bounded ? 0 : 1) << name;
  }
}

}  // namespace
}  // namespace demeter
