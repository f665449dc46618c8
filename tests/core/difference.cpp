// Tests the sentence that states how an answer differs from its truth.
#include "reports/format/difference.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace demeter {
namespace difference_test {

using namespace report;

std::string text(char const* answer, char const* truth, char const* output = "ixx") {
  auto const found = difference(output, Json::parse(answer), Json::parse(truth));
  return found ? difference_text(*found) : "";
}

TEST(Difference, NumbersArePrintedWithEnoughDigitsToDiffer) {
  EXPECT_EQ(text("218.166", "\"150.535012\""), "ixx 218 instead of 151 (+45 %)");
  EXPECT_EQ(text("1", "\"1.0000000012\""), "ixx 1 instead of 1.000000001");
  EXPECT_EQ(text("0.5", "\"0.5\""), "");
  EXPECT_EQ(text("1e-3", "\"0.5\""), "ixx 0.001 instead of 0.5 (0.002 times as much)");
  EXPECT_EQ(text("1e6", "\"0.5\""), "ixx 1e+06 instead of 0.5 (2e+06 times as much)");
  EXPECT_EQ(text("-1", "\"1\""), "ixx -1 instead of 1") << "of another sign: no share says it";
  EXPECT_EQ(text("1", "\"0\""), "ixx 1 instead of 0");
}

TEST(Difference, AVectorShowsItsWorstComponent) {
  EXPECT_EQ(text("[0,1,0.5]", "[\"0\",\"1\",\"0.25\"]", "normal"), "normal z 0.5 instead of 0.25");
  EXPECT_EQ(text("[1,2]", "[\"1\",\"5\"]", "shares"), "shares[1] 2 instead of 5");
  EXPECT_EQ(text("{\"x\":1,\"y\":3}", "{\"x\":\"1\",\"y\":\"2\"}", "at"), "at y 3 instead of 2");
}

TEST(Difference, NonNumbersAreShownUnchanged) {
  EXPECT_EQ(text("\"nan\"", "\"0.639\""), "ixx nan instead of 0.639");
  EXPECT_EQ(text("\"separated\"", "\"overlap\"", "status"), "status separated instead of overlap");
  EXPECT_EQ(text("null", "\"1\""), "ixx none instead of 1");
}

TEST(Difference, IfTheTruthIsNotUniqueTheDistanceFromTheOptimumIsPrinted) {
  EXPECT_EQ(text("0.5", "\"\"", "s"), "");
  report::Kernel kernel;
  kernel.budgets.push_back({"s", "optimality", 12.0});
  Failure failure;
  failure.output = "s";
  failure.example.answer = Json::parse("{\"s\":0.5}");
  failure.example.truth = Json::parse("{\"s\":\"\"}");
  failure.example.error = 0x1p50;
  EXPECT_EQ(what_is_wrong(kernel, failure, 0x1p-53), "s is worse than the optimum by 12 % of the size");
  failure.example.error = 1e5;
  EXPECT_EQ(what_is_wrong(kernel, failure, 0x1p-53), "s is worse than the optimum by 1.1e-11 of the size");
}

}  // namespace difference_test
}  // namespace demeter
