// The page says what was measured: a check of the same seed and count agrees with it cell by cell.
#include "reports/format/results.hpp"
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace demeter {
namespace report_counts_test {

using Json = nlohmann::ordered_json;

class ReportCounts : public CommandTest {};

TEST_F(ReportCounts, ACheckOfTheSameSeedAndCountAgreesCellByCell) {
  Kernel const& kernel = *find_kernel("segment_distance");
  std::vector<Subject const*> asked;
  for (auto const* subject : subjects_answering(kernel))
    if (subject->cases == 0 && (!subject->ours || subject->name == "fast@scalar" || subject->name == "textbook@double"))
      asked.push_back(subject);
  ASSERT_GE(asked.size(), 2u);
  ReportOptions options;
  options.seed = 3;
  options.cases_of[kernel.name] = 150;
  report::Kernel page;
  check_alike(kernel, asked, options, 0, page);
  EXPECT_EQ(page.cases_per_regime, 150);
  for (std::size_t s = 0; s < asked.size(); ++s) {
    Ran const ran =
        run("demeter check segment_distance --subject " + asked[s]->name + " --count 150 --seed 3 --json 2>/dev/null");
    Json const checked = Json::parse(ran.out, nullptr, false);
    ASSERT_TRUE(checked.is_array()) << ran.out.substr(0, 200);
    Json const& theirs = checked[0]["subjects"][0];
    Json const ours = report::write(page.subjects[s]);
    ASSERT_EQ(theirs["name"], ours["name"]);
    ASSERT_EQ(theirs["accuracy"].size(), ours["accuracy"].size());
    for (std::size_t i = 0; i < ours["accuracy"].size(); ++i) {
      Json a = ours["accuracy"][i], b = theirs["accuracy"][i];
      for (Json* each : {&a, &b}) each->erase("worst");
      // All are asked 150 but where so many are not written down.
      EXPECT_TRUE(a["cases"] == 150 || a["regime"] == "vectors") << a;
      EXPECT_EQ(a, b);
    }
    ASSERT_EQ(theirs["laws"].size(), ours["laws"].size());
    for (std::size_t i = 0; i < ours["laws"].size(); ++i)
      for (char const* key : {"law", "cases", "applicable", "broken", "worst", "regimes"})
        EXPECT_EQ(ours["laws"][i][key], theirs["laws"][i][key]) << asked[s]->name << " " << ours["laws"][i]["law"];
  }
}

TEST_F(ReportCounts, CountsOfKernelsAreReadOrRefusedAtOnce) {
  for (auto const& [counts, why] :
       {std::pair{"segment_distance=0", "expected a whole number from 1 to 1000000000000, or KERNEL=NUMBER"},
        std::pair{"segment_distance=12,nothing=3", "unknown kernel"}, std::pair{"12,", "expected a whole number"}}) {
    Ran const ran = run(std::string("demeter report --out site --count ") + counts + " 2>&1");
    EXPECT_EQ(ran.code, 2) << counts;
    EXPECT_NE(ran.out.find(why), std::string::npos) << ran.out;
  }
}

}  // namespace report_counts_test
}  // namespace demeter
