// Tests that --regime, --profile and --sizes select the same cases in every verb that draws cases.
#include "kernels/kernel.hpp"
#include "tests/core/command.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace demeter {
namespace {

using Json = nlohmann::json;

class SelectionTest : public CommandTest {
 protected:
  std::set<std::string> regimes_drawn(std::string const& options) const {
    std::set<std::string> names;
    for (auto const& line : lines_of(holds("demeter generate segment_distance --count 60 " + options).out))
      names.insert(Json::parse(line)["regime"]);
    return names;
  }
  static std::set<std::string> regimes_of(std::set<Profile> const& profiles) {
    std::set<std::string> names;
    for (auto const& regime : find_kernel("segment_distance")->regimes)
      if (regime.size == 0 && profiles.contains(regime.profile)) names.insert(regime.name);
    return names;
  }
};

TEST_F(SelectionTest, InvalidOptionsAreReportedInOneLine) {
  struct Wrong {
    char const *options, *reason;
  };
  for (auto const& [options, reason] : std::vector<Wrong>{
           {"--sizes 1:1e-3", "--sizes: got \"1:1e-3\", expected the smaller length first"},
           {"--sizes 0:1", "--sizes: got \"0:1\", expected two lengths in metres"},
           {"--sizes nan:1", "--sizes: got \"nan:1\", expected two lengths in metres"},
           {"--sizes 1e-3:inf", "--sizes: got \"1e-3:inf\", expected two lengths in metres"},
           {"--sizes -1:1", "expected two lengths in metres"},
           {"--sizes 1", "--sizes: got \"1\", expected two lengths in metres"},
           {"--sizes 1e-3:1m", "expected two lengths in metres"},
           {"--profile everyday,nonsense", "unknown profile \"nonsense\"; expected everyday, degenerate, extreme, all"},
           {"--regime nonsense", "unknown regime \"nonsense\" of segment_distance; expected typical, "},
           {"--regime typical,nonsense", "unknown regime \"nonsense\" of segment_distance"},
           {"--regime ^nonsense", "unknown regime \"nonsense\" of segment_distance"},
           {"--regime typical,^typical", "--regime and --profile: expected at least one regime of segment_distance"},
           {"--regime typical --profile extreme",
            "--regime and --profile: expected at least one regime of segment_distance"}})
    for (auto const* verb : {"generate segment_distance ", "check segment_distance --subject fast --count 10 ",
                             "verify segment_distance --count 3 ", "explain segment_distance 3 ",
                             "bench segment_distance --subject fast --time 0.001 --repetitions 1 "})
      fails(2, std::string("demeter ") + verb + options, reason);
  fails(2, "demeter check --mutants segment_distance --profile everyday", "--mutants excludes --profile");
  fails(2, "demeter verify segment_distance --profile everyday", "--profile requires --count");
}

TEST_F(SelectionTest, RegimesAreSelectedByNameProfileAndExclusion) {
  using Names = std::set<std::string>;
  EXPECT_EQ(regimes_drawn("--regime lattice,typical"), (Names{"lattice", "typical"}));
  EXPECT_EQ(regimes_drawn("--regime lattice --regime typical,micro --regime ^lattice"), (Names{"typical", "micro"}));
  EXPECT_EQ(regimes_drawn("--profile everyday"), regimes_of({Profile::everyday}));
  EXPECT_EQ(regimes_drawn("--profile degenerate,everyday"), regimes_of({Profile::everyday, Profile::degenerate}));
  EXPECT_EQ(regimes_drawn("--profile all"), regimes_of({Profile::everyday, Profile::degenerate, Profile::extreme}));
  Names without = regimes_of({Profile::everyday, Profile::degenerate, Profile::extreme});
  without.erase("touching"), without.erase("micro");
  EXPECT_EQ(regimes_drawn("--regime ^micro,^touching"), without);
}

TEST_F(SelectionTest, EveryVerbDrawsTheSameCasesForTheSameOptions) {
  std::string const which = " --seed 5 --regime typical,near_parallel,micro --sizes 1e-3:1e-2";
  std::string const cases = "demeter generate segment_distance --count 30" + which;
  std::string const judged = cases +
                             " | demeter evaluate segment_distance --implementation fast"
                             " | demeter verify segment_distance --count 30";
  EXPECT_TRUE(contains(holds(judged + which).out, "30 answers, 30 pass"));
  // With other sizes, verify expects other cases, except in extreme regimes.
  auto const others = fails(1, judged + " --seed 5 --regime typical,near_parallel,micro", "20 of 30 did not pass");
  EXPECT_TRUE(contains(others.out, "input: differs from the input of the case"));
  auto const fourth = Json::parse(lines_of(holds(cases).out)[4]);
  EXPECT_EQ(holds("demeter explain segment_distance 4" + which).out,
            holds("demeter explain segment_distance '" + fourth["input"].dump() + "'").out);
  EXPECT_EQ(holds(cases).out, holds(cases.substr(0, cases.find("1e-3:")) + "0.001:0.01").out);
  EXPECT_EQ(holds("demeter generate segment_distance --count 40").out,
            holds("demeter generate segment_distance --count 40 --sizes 1e-5:10").out);
}

}  // namespace
}  // namespace demeter
