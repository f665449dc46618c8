// Tests that a code is judged by the formula that it implements. Also tests the verdicts on simple codes.
#include "tests/outside/shell.hpp"
#include "tests/places.hpp"

namespace demeter {
namespace formula_command_test {

std::string const libraries = DEMETER_OUTSIDE_LIBRARIES;
std::string textbook(std::string const& which) { return " --subject lib:" + libraries + "/textbook" + which + ".so"; }

TEST_F(OutsideCommand, TheTextbookRoutinePassesOnlyInRegimesWhereItIsRight) {
  EXPECT_EQ(run("demeter check segment_distance --profile everyday --count 2000" + textbook("")), 0) << err;
  EXPECT_TRUE(contains(out, "passed in typical and crossing only\n  everyday: right to 15 digits")) << out;
  EXPECT_EQ(run("demeter check segment_distance --profile degenerate --count 2000" + textbook("")), 1);
  EXPECT_TRUE(contains(out, "nearly parallel")) << out;
  EXPECT_TRUE(contains(out, ": to 8;")) << out;
}

TEST_F(OutsideCommand, AnEpsilonIsReportedAsTheSizeBelowWhichAnswersAreWrong) {
  EXPECT_EQ(run("demeter check segment_distance --profile everyday --count 2000" + textbook("_epsilon")), 1);
  auto const at = out.find("below ");
  ASSERT_NE(at, std::string::npos) << out;
  EXPECT_TRUE(contains(out.substr(at, 20), "mm: wrong")) << out;
}

TEST_F(OutsideCommand, ALibraryCanStateTheFormulaThatItImplements) {
  EXPECT_EQ(run("demeter check segment_distance --profile everyday --count 300 --json" + textbook("_says_textbook")), 0)
      << err;
  EXPECT_TRUE(contains(out, "\"formula\": \"textbook\"")) << out.substr(0, 3000);
  EXPECT_EQ(run("demeter check segment_distance --count 10" + textbook("_says_another")), 2);
  EXPECT_TRUE(contains(err, "demeter_formula(\"segment_distance\") is \"woo\"; expected reference, textbook")) << err;
}

TEST_F(OutsideCommand, AnUnknownFormulaIsRefused) {
  for (auto const* verb :
       {"check segment_distance --subject fast", "verify segment_distance", "explain segment_distance 1"}) {
    EXPECT_EQ(run("demeter " + std::string(verb) + " --formula woo </dev/null"), 2) << verb;
    EXPECT_TRUE(contains(err, "unknown formula \"woo\" of segment_distance; expected reference, textbook, threshold"))
        << err;
  }
}

TEST_F(OutsideCommand, EveryVerdictStatesTheFormulaThatIsItsTruth) {
  EXPECT_EQ(run("demeter check capsule_contact --subject geometric --formula geometric --profile everyday --count 300"),
            0)
      << out << err;
  EXPECT_TRUE(contains(out, "the formula geometric, in growing precision")) << out;
  EXPECT_FALSE(contains(out, "certified")) << out;
  EXPECT_TRUE(contains(out, "and the recommended formula")) << out;
  run("demeter explain capsule_contact 3 --subject geometric --formula geometric");
  EXPECT_TRUE(contains(out, "the formula geometric, in growing precision")) << out;
  EXPECT_EQ(run("demeter generate capsule_contact --profile everyday --count 100 | demeter evaluate capsule_contact "
                "--implementation geometric@mpfr:50 | demeter verify capsule_contact --formula geometric"),
            0)
      << out << err;
  EXPECT_TRUE(contains(out, "the formula geometric, in growing precision")) << out;
}

}  // namespace formula_command_test
}  // namespace demeter
