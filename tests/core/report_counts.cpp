// Tests that a check with the seed and count of a report gives the results of the report's page, cell by cell.
#include "reports/format/members.hpp"
#include "reports/format/results.hpp"
#include "tests/core/command.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace demeter {
namespace report_counts_test {

using Json = nlohmann::ordered_json;

class ReportCounts : public CommandTest {};
class ReportCountsOf : public CommandTest, public testing::WithParamInterface<std::string> {};

TEST_P(ReportCountsOf, ACheckWithTheSeedAndCountOfTheReportGivesItsResults) {
  Kernel const& kernel = *find_kernel(GetParam());
  std::int64_t const cases = std::max<std::int64_t>(150 / static_cast<std::int64_t>(kernel.case_divisor), 6);
  std::vector<Subject const*> asked;
  std::string names;
  bool formula = false;
  for (auto const* subject : subjects_answering(kernel)) {
    if (subject->cases != 0) continue;  // the page and the command give this subject fewer cases
    bool const first_formula = subject->formula_in_double() && !std::exchange(formula, true);
    if (subject->ours() && subject->name != "fast@scalar" && !first_formula) continue;
    asked.push_back(subject);
    names += (names.empty() ? "" : ",") + subject->name;
  }
  ASSERT_GE(asked.size(), 2u);
  ReportOptions options;
  options.seed = 3;
  options.cases_of[kernel.name] = static_cast<std::uint64_t>(cases);
  report::Kernel page;
  check_alike(kernel, asked, options, 0, page);
  EXPECT_EQ(page.cases_per_regime, cases);
  Ran const ran = run(fmt::format("demeter check {} --subject {} --count {} --seed 3 --no-shrink --json 2>/dev/null",
                                  kernel.name, names, cases));
  Json const checked = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(checked.is_array()) << ran.out.substr(0, 200);
  for (std::size_t s = 0; s < asked.size(); ++s) {
    Json const& theirs = checked[0]["subjects"][s];
    Json const ours = report::write(page.subjects[s]);
    ASSERT_EQ(theirs["name"], ours["name"]);
    ASSERT_EQ(theirs["accuracy"].size(), ours["accuracy"].size());
    for (std::size_t i = 0; i < ours["accuracy"].size(); ++i) {
      Json a = ours["accuracy"][i], b = theirs["accuracy"][i];
      for (Json* each : {&a, &b}) each->erase("worst");
      // Regimes with recorded cases or long lists may have fewer cases.
      EXPECT_LE(a["cases"], cases);
      EXPECT_GT(a["cases"], 0);
      EXPECT_EQ(a, b) << asked[s]->name;
    }
    ASSERT_EQ(theirs["laws"].size(), ours["laws"].size());
    for (std::size_t i = 0; i < ours["laws"].size(); ++i)
      for (char const* key : {"law", "cases", "applicable", "broken", "worst", "regimes"})
        EXPECT_EQ(ours["laws"][i][key], theirs["laws"][i][key]) << asked[s]->name << " " << ours["laws"][i]["law"];
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ReportCountsOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& of) { return of.param; });

TEST_F(ReportCounts, InvalidCountsPerKernelAreRefusedAtOnce) {
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
