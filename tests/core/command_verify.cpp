// Tests `demeter verify` as a user runs it, through a shell.
#include "kernels/kernel.hpp"
#include "tests/core/command.hpp"
#include "tests/core/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace demeter {
namespace verify_test {

using Json = nlohmann::ordered_json;

class VerifyCommand : public CommandTest {
 protected:
  /// Returns the answers of `fast` to the first `count` generated cases, one per line.
  std::vector<std::string> answers(int count) const {
    auto const number = std::to_string(count);
    return lines_of(holds("demeter generate segment_distance --count " + number +
                          " | demeter evaluate segment_distance "
                          "--implementation fast")
                        .out);
  }
};

std::string joined(std::vector<std::string> const& lines) {
  std::string text;
  for (auto const& line : lines) text += line + "\n";
  return text;
}

std::string without(std::string const& line, std::string const& key) {
  Json json = Json::parse(line);
  json.erase(key);
  return json.dump();
}

TEST_F(VerifyCommand, ThePipeOfGenerateEvaluateVerifyPasses) {
  for (auto const* kernel : {"capsule_mass_properties", "segment_distance", "clump_force_torque"}) {
    std::string const name = kernel;
    auto const out = holds("demeter generate " + name + " --count 500 | demeter evaluate " + name +
                           " --implementation fast | demeter verify " + name)
                         .out;
    EXPECT_TRUE(contains(out, name + ": 500 answers, 500 pass, 0 fail\n")) << out;
  }
}

TEST_F(VerifyCommand, AWrongAnswerExitsOneAndIsShown) {
  auto lines = answers(20);
  Json wrong = Json::parse(lines[8]);
  wrong["output"]["distance"] = wrong["output"]["distance"].get<double>() + 1;
  lines[8] = wrong.dump();
  Ran const ran = fails(1, "demeter verify segment_distance", "1 of 20 did not pass; the first: line 9: fail: distance",
                        joined(lines));
  auto const verdict = Json::parse(lines_of(ran.out)[0]);
  EXPECT_EQ(verdict["id"], 8);
  EXPECT_EQ(verdict["verdict"], "fail");
  EXPECT_GT(verdict["error"]["distance"].get<double>(), 1e3);
  EXPECT_TRUE(contains(ran.out, "20 answers, 19 pass, 1 fail"));
  auto const summary =
      Json::parse(run("demeter verify segment_distance --json --limit 0", joined(lines)).out)["summary"];
  EXPECT_EQ(summary["pass"], 19);
  EXPECT_EQ(summary["fail"], 1);
  EXPECT_EQ(summary["outputs"]["distance"]["worst"], "id 8");
}

TEST_F(VerifyCommand, VerifyAgreesWithCheck) {
  auto lines = answers(60);
  for (auto const& [at, distance] : {std::pair<std::size_t, Json>{8, 1e3}, {30, "nan"}}) {
    Json wrong = Json::parse(lines[at]);
    wrong["output"]["distance"] = distance;
    lines[at] = wrong.dump();
  }
  std::string recorded;
  for (auto const& line : lines) recorded += without(line, "regime") + "\n";
  put("answers.jsonl", recorded);
  std::string const checked = run("demeter check segment_distance --subject file:answers.jsonl --all").out,
                    verified = run("demeter verify segment_distance --answers answers.jsonl").out;
  std::regex const figures(R"(max +\S+  mean +\S+  \d+ of \d+ failed, worst id \d+)");
  std::size_t outputs = 0;
  for (std::sregex_iterator each(checked.begin(), checked.end(), figures), end; each != end; ++each, ++outputs)
    EXPECT_TRUE(contains(verified, each->str())) << each->str() << " in " << verified;
  EXPECT_EQ(outputs, find_kernel("segment_distance")->budgets.size());
  EXPECT_TRUE(contains(verified, "2 of 60 failed")) << verified;
}

TEST_F(VerifyCommand, NaNAndInfinityAreWrongAnswers) {
  for (auto const* value : {"nan", "inf", "-inf"}) {
    Json wrong = Json::parse(answers(1)[0]);
    wrong["output"]["distance"] = value;
    fails(1, "demeter verify segment_distance", "line 1: fail", wrong.dump());
  }
}

TEST_F(VerifyCommand, OptionBudgetReplacesTheBudgetOfTheContract) {
  Json answer = Json::parse(good_capsule);
  answer["output"] = {{"volume", 1.309}};  // the relative error is 2.3e-6
  fails(1, "demeter verify capsule_mass_properties", "volume 1.309 instead of 1.308", answer.dump());
  holds("demeter verify capsule_mass_properties --budget 1e11", answer.dump());
}

TEST_F(VerifyCommand, AnAnswerNeedsAtLeastOneKnownOutput) {
  std::string const input = R"("input":{"radius":0.5,"shaft":1,"density":1000})";
  holds("demeter verify capsule_mass_properties", "{" + input + R"(,"output":{"bounding_radius":1}})");
  fails(1, "demeter verify capsule_mass_properties", "malformed: output: expected at least one output with a budget",
        "{" + input + R"(,"output":{}})");
  fails(1, "demeter verify capsule_mass_properties", "expected one of the keys output, unsupported, error",
        "{" + input + "}");
  fails(1, "demeter verify capsule_mass_properties", "output: unknown key \"bulk\"",
        "{" + input + R"(,"output":{"bulk":1}})");
  fails(1, "demeter verify capsule_mass_properties", "more than one of output, unsupported, error",
        "{" + input + R"(,"output":{},"error":""})");
}

TEST_F(VerifyCommand, UnsupportedIsNotAFailureAndErrorIsAFailure) {
  std::string const input = R"({"input":{"radius":0.5,"shaft":1,"density":1000},)";
  auto const out = holds("demeter verify capsule_mass_properties",
                         input + "\"unsupported\":\"later\"}\n" + input + R"("output":{"bounding_radius":1}})")
                       .out;
  EXPECT_TRUE(contains(out, "2 answers, 1 pass, 0 fail, 1 unsupported")) << out;
  fails(1, "demeter verify capsule_mass_properties", "line 1: error: no idea", input + R"("error":"no idea"})");
}

TEST_F(VerifyCommand, AnAnswerToAnInvalidCaseFails) {
  std::string const input = R"({"input":{"radius":-1,"shaft":1,"density":1000},)";
  holds("demeter verify capsule_mass_properties", input + R"("error":"radius"})");
  fails(1, "demeter verify capsule_mass_properties", "answered an invalid case: radius: got -1, expected > 0",
        input + R"("output":{"mass":1}})");
}

TEST_F(VerifyCommand, MalformedAnswersAreCountedAndTheRestJudged) {
  auto lines = answers(5);
  lines.insert(lines.begin() + 2, "garbage");
  Ran const ran =
      fails(1, "demeter verify segment_distance", "1 of 6 did not pass; the first: line 3: malformed", joined(lines));
  EXPECT_TRUE(contains(ran.out, "6 answers, 5 pass, 0 fail, 1 malformed")) << ran.out;
  EXPECT_EQ(Json::parse(lines_of(ran.out)[0])["line"], 3);
}

TEST_F(VerifyCommand, WithOptionCountAnswersNeedNoInputAndMissingAnswersFail) {
  auto const all = answers(30);
  std::vector<std::string> bare;
  for (auto const& line : all) bare.push_back(without(line, "input"));
  std::string const verify = "demeter verify segment_distance --count 30";
  holds(verify, joined(bare));
  holds(verify, joined(all));
  std::mt19937 shuffler(3);
  std::shuffle(bare.begin(), bare.end(), shuffler);
  holds(verify, joined(bare));
  fails(1, verify + " --seed 2", "did not pass", joined(bare));

  auto const gap = [&] {
    auto lines = all;
    lines.erase(lines.begin() + 11);
    return joined(lines);
  }();
  EXPECT_TRUE(
      contains(fails(1, verify, "1 of 30 did not pass; the first: case 11 has no answer", gap).out, "1 missing"));
  fails(1, verify, "30 of 30 did not pass; the first: case 0 has no answer", "");
  EXPECT_TRUE(contains(fails(1, verify, "line 31: duplicated: id: 4 answered twice", joined(all) + all[4]).out,
                       "1 duplicated"));
  EXPECT_TRUE(contains(
      fails(1, "demeter verify segment_distance --count 29", "line 30: out of range: id: got 29", joined(all)).out,
      "1 out of range"));
}

TEST_F(VerifyCommand, AnswersWithoutIdsBelongToTheCasesInOrder) {
  std::vector<std::string> lines;
  for (auto const& line : answers(10)) lines.push_back(without(without(line, "id"), "input"));
  std::string const verify = "demeter verify segment_distance --count 10";
  holds(verify, joined(lines));
  lines[3] = "garbage";  // this line counts as the answer to its case
  Ran const ran = fails(1, verify, "line 4: malformed", joined(lines));
  EXPECT_TRUE(contains(ran.out, "10 answers, 9 pass, 0 fail, 1 malformed, 1 missing")) << ran.out;
}

TEST_F(VerifyCommand, VerifyUsesTheSameCasesAsGenerateForTheSameOptions) {
  std::string const which = " segment_distance --count 40 --seed 9 --regime touching";
  put("answers.jsonl",
      holds("demeter generate" + which + " | demeter evaluate segment_distance --implementation fast").out);
  std::string bare;
  for (auto const& line : lines_of(read_file(folder / "answers.jsonl"))) bare += without(line, "input") + "\n";
  holds("demeter verify" + which, bare);
  holds("demeter verify" + which + " --answers answers.jsonl");
}

TEST_F(VerifyCommand, AnswersToOtherInputsAreMalformed) {
  auto lines = answers(3);
  Json other = Json::parse(lines[1]);
  other["input"]["p0"][0] = 0.125;
  lines[1] = other.dump();
  fails(1, "demeter verify segment_distance --count 3", "line 2: malformed: input: differs from the input of the case",
        joined(lines));
}

TEST_F(VerifyCommand, WithOptionCasesAnswersNeedNoInputAndMissingAnswersFail) {
  // The user chose the ids. One radius is an exact decimal, which a program reads and writes as a double.
  put("cases.jsonl", R"({"id":100,"input":{"radius":"0.1","shaft":0,"density":1}}
{"id":7,"input":{"radius":2,"shaft":0,"density":1}}
)");
  std::string const verify = "demeter verify capsule_mass_properties --cases cases.jsonl";
  std::string const first = R"({"id":100,"output":{"bounding_radius":0.1}})",
                    second = R"({"id":7,"output":{"bounding_radius":2}})";
  holds(verify, first + "\n" + second);
  holds(verify,
        second + "\n" + R"({"id":100,"input":{"radius":0.1,"shaft":0,"density":1},"output":{"bounding_radius":0.1}})");
  fails(1, verify, "case 7 has no answer", first);
  fails(1, verify, "case 100 has no answer", second);
  fails(1, verify, "line 3: duplicated: id: 7", first + "\n" + second + "\n" + second);
  fails(1, verify, "line 3: out of range: id: got 0, expected one of the 2 cases",
        first + "\n" + second + "\n" + R"({"id":0,"output":{"mass":1}})");
  put("cases.jsonl", "{\"id\":1}\n");
  fails(3, verify, "cases.jsonl: line 1: missing key \"input\"");
  put("cases.jsonl", std::string(good_capsule) + "\n" + good_capsule + "\n");
  fails(3, verify, "cases.jsonl: line 2: id: 1 given twice");
}

TEST_F(VerifyCommand, WithoutOptionsForCasesAnAnswerNeedsItsInput) {
  fails(1, "demeter verify segment_distance", "input: missing, expected an input, --cases or --count",
        R"({"id":0,"output":{"distance":1}})");
}

TEST_F(VerifyCommand, OptionLimitBoundsThePrintedFailures) {
  std::string input;
  for (int i = 0; i < 50; ++i)
    input += R"({"input":{"radius":1,"shaft":0,"density":1},"output":{"mass":1}})"
             "\n";
  Ran const some = fails(1, "demeter verify capsule_mass_properties --limit 3", "50 of 50 did not pass", input);
  EXPECT_EQ(lines_of(some.out)[3], "... and 47 more that did not pass (--limit, --all)");
  Ran const all = fails(1, "demeter verify capsule_mass_properties --all", "50 of 50 did not pass", input);
  EXPECT_EQ(Json::parse(lines_of(all.out)[49])["id"], 49);
}

TEST_F(VerifyCommand, AWrongPrintedFormulaExitsOne) {
  fails(1,
        "demeter generate segment_distance --count 2000 | demeter evaluate segment_distance --implementation "
        "textbook@double"
        " | demeter verify segment_distance --limit 1",
        "did not pass");
}

TEST_F(VerifyCommand, ThePipeRunsInConstantMemory) {
  if (sanitized) GTEST_SKIP() << "the sanitizers keep freed memory";
  auto const peak = [&](int count) {
    return holds("demeter generate segment_distance --count " + std::to_string(count) +
                 " | demeter evaluate segment_distance --implementation fast | demeter verify segment_distance")
        .peak_kilobytes;
  };
  long const few = peak(10'000), many = peak(400'000);
  EXPECT_LT(many, few + 4096) << "kilobytes";
}

}  // namespace verify_test
}  // namespace demeter
