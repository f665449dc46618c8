// Tests defects that depend on the call pattern of a library or program. They must be found and shown with the smallest
// batch. Correct subjects must pass in every call pattern.
#include "check/calling.hpp"
#include "tests/core/sanitized.hpp"
#include "tests/outside/lists.hpp"
#include "tests/outside/shell.hpp"

#include "reference/spec/capsule_mass_properties.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace demeter {
namespace calls_test {

Kernel const& kernel() { return *find_kernel("capsule_mass_properties"); }

std::string library(std::string const& deed) { return "lib:" DEMETER_OUTSIDE_LIBRARIES "/calls_" + deed + ".so"; }
std::string program(std::string const& deed) {
  return "pipe:" DEMETER_PYTHON " " DEMETER_SOURCE "/tests/outside/calls.py " + deed;
}

Subject open(std::string const& what, Kernel const& of, double seconds = 10) {
  SubjectOptions options;
  options.time = std::chrono::milliseconds(static_cast<int>(1000 * seconds));
  Opened opened = open_outside(what, options, {&of, 1});
  EXPECT_EQ(opened.wrong, "");
  return opened.subject ? std::move(*opened.subject) : Subject{};
}

/// Returns options with a time limit that is not reached even on a busy machine.
CallOptions patient() {
  CallOptions options;
  options.seconds = 300;
  return options;
}

Table cases(Kernel const& of, std::uint64_t seed = 1) {
  std::vector<std::size_t> regimes;
  for (std::size_t regime = 0; regime < of.regimes.size(); ++regime)
    if (of.regimes[regime].size == 0) regimes.push_back(regime);
  return cases_to_call_with(of, regimes, seed, {});
}

std::string text(CallCheck const& check) {
  std::string all;
  for (CallFinding const& each : check.findings) all += std::string(way_name(each.way)) + ": " + each.text + "\n";
  return all;
}

struct Deed {
  char const* name;
  Way way;
  std::size_t rows;  ///< number of rows of the smallest batch that fails
  char const* text;  ///< a part of the text of the finding
  double seconds = 10;
};
void PrintTo(Deed const& deed, std::ostream* out) { *out << deed.name; }

class Called : public testing::TestWithParam<Deed> {};

TEST_P(Called, TheCallPatternOfADefectIsReportedWithTheSmallestBatch) {
  Deed const deed = GetParam();
  Table const asked = cases(kernel());
  CallCheck const check =
      call_in_every_way(kernel(), open(library(deed.name), kernel(), deed.seconds), asked, patient());
  ASSERT_EQ(check.findings.size(), 1u) << text(check);
  CallFinding const& found = check.findings.front();
  EXPECT_EQ(way_name(found.way), way_name(deed.way)) << text(check);
  EXPECT_EQ(found.inputs.rows, deed.rows) << text(check);
  EXPECT_NE(found.text.find(deed.text), std::string::npos) << text(check);
  // A process that ends early may not have answered all cases.
  EXPECT_TRUE(check.cases > 50u || deed.way == Way::again) << check.cases;
}

INSTANTIATE_TEST_SUITE_P(
    Outside, Called,
    testing::Values(
        Deed{"no_rows_dies", Way::no_rows, 0, "crashes ("},
        Deed{"no_rows_writes", Way::no_rows, 0, " in a call for 0 rows"},
        Deed{"last_left", Way::batch, 2,
             "row 2 of 2: the answer in the batch differs from the answer to this row alone (volume: got nothing, "
             "expected "},
        Deed{"row_7", Way::batch, 8,
             "row 8 of 8: the answer in the batch differs from the answer to this row alone (volume: got "},
        Deed{"row_63", Way::batch, 64,
             "row 64 of 64: the answer in the batch differs from the answer to this row alone ("},
        Deed{"odd_tail", Way::batch, 3, "row 3 of 3: the answer in the batch differs "},
        Deed{"large", Way::batch, 1001, "row 1 of 1001: the answer in the batch differs "},
        Deed{"large_table", Way::batch, 1001, "row 1001 of 1001: the answer in the batch differs "},
        Deed{"neighbour", Way::batch, 2,
             "row 2 of 2: the answer in the batch differs from the answer to this row alone (volume: got "},
        Deed{"dies_17", Way::batch, 17, "in a call for 17 rows, although each row alone is answered"},
        Deed{"hangs_17", Way::batch, 17, "hangs (no answer within 1 s) in a call for 17 rows", 1},
        Deed{"previous", Way::again, 2, "a single case has a different answer after another call for 1 row than in a "},
        Deed{"kept", Way::again, 2, "has a different answer after another call for 1 row"},
        Deed{"first_call", Way::again, 2, "has a different answer after another call for 1 row"},
        Deed{"dies_second", Way::again, 2,
             "crashes (signal 6 (SIGABRT)) in a call for 1 row after another call for 1 row"},
        Deed{"dies_fourth", Way::again, 4, "crashes (signal 9 (SIGKILL)) in a call for 1 row after 3 other calls"},
        Deed{"exits_eleventh", Way::again, 11, "crashes (exit code 0) in a call for 1 row after 10 other calls"},
        Deed{"null_third", Way::again, 3, "crashes (signal 11 (SIGSEGV)) in a call for 1 row after 2 other calls"},
        Deed{"hangs_second", Way::again, 1, "hangs (no answer within 1 s) in a call for 1 row, call 2 of the", 1},
        Deed{"dies_fortieth", Way::again, 40, "crashes (signal 6 (SIGABRT)) in a call for 1 row after 39 other calls"},
        Deed{"dies_late", Way::again, 700, "crashes (signal 6 (SIGABRT)) in a call for 1 row after 699 other calls"},
        Deed{"late", Way::again, 300,
             "different answer after 299 other calls than in a new process (volume: got 1, expected "},
        Deed{"aligned", Way::alignment, 2,
             "crashes (signal 11 (SIGSEGV)) in a call for 2 rows, with columns at multiples of 8 bytes, not of 16"},
        Deed{"rest_5", Way::batch, 13,
             "row 13 of 13: the answer in the batch differs from the answer to this row alone ("},
        Deed{"tenth", Way::again, 10,
             "different answer after 9 other calls than in a new process (volume: got 1, expected "},
        Deed{"process", Way::again, 1, "answers differ between two processes: volume: got "},
        Deed{"time", Way::again, 1, "answers differ between two processes: volume: got "},
        Deed{"unwanted", Way::unwanted, 1, "if volume is not wanted (its columns of out are NULL)"},
        Deed{"unwanted_other", Way::unwanted, 1,
             "row 1 of 1: the answer in the batch differs from the answer to this row alone (mass: got 0, expected "},
        Deed{"behind", Way::memory, 2, "writes outside the column out[1] in a call for 2 rows"},
        Deed{"before", Way::memory, 2, "writes outside the column out[1] in a call for 2 rows"},
        Deed{"far", Way::memory, 18, " in a call for 18 rows"},
        Deed{"reads", Way::memory, 8, "reads beyond the ends of its inputs in a call for 8 rows"},
        Deed{"input", Way::memory, 9, "writes to its inputs in a call for 9 rows"}),
    [](auto const& deed) { return std::string(deed.param.name); });

TEST(Called, ACorrectLibraryPassesEveryCallPattern) {
  std::vector<Way> const all{Way::again, Way::no_rows, Way::unwanted, Way::memory, Way::batch, Way::alignment};
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (char const* const deed : {"right", "refuses_large"}) {
      CallOptions options = patient();
      options.seed = seed;
      CallCheck const check =
          call_in_every_way(kernel(), open(library(deed), kernel()), cases(kernel(), seed), options);
      EXPECT_EQ(text(check), "") << deed;
      EXPECT_EQ(check.tried, all) << deed;
      EXPECT_TRUE(check.not_tried.empty()) << deed;
    }
}

TEST(Called, AnAdapterWithAllKindsOfListsPassesEveryCallPattern) {
  static Kernel const lists = make_kernel<toy_lists::Parts>();
  for (char const* const adapter : {"adapter_c", "adapter_cpp"}) {
    Subject const subject = open(std::string("lib:" DEMETER_OUTSIDE_LIBRARIES "/") + adapter + ".so", lists);
    CallCheck const check = call_in_every_way(lists, subject, cases(lists), patient());
    EXPECT_EQ(text(check), "") << adapter;
    EXPECT_EQ(check.tried.size(), 6u);
  }
}

TEST(Called, FailuresOfSingleCasesAreNotCallPatternFailures) {
  // Each of these subjects crashes or hangs in one case, or does not answer one case. The ordinary check reports these
  // failures.
  Table asked(kernel().input);
  for (int i = 0; i < 20; ++i)
    append(asked, capsule_mass_properties::Input<double>{static_cast<double>(i + 1), 2, 1000});
  for (char const* const deed : {"abort", "refuse", "nothing", "none"}) {
    Subject const subject = open(std::string("lib:" DEMETER_OUTSIDE_LIBRARIES "/misbehave_") + deed + ".so", kernel());
    CallCheck const check = call_in_every_way(kernel(), subject, asked, patient());
    EXPECT_EQ(text(check), "") << deed;
    EXPECT_GE(check.cases, 19u) << deed;
  }
  Subject const hangs = open("lib:" DEMETER_OUTSIDE_LIBRARIES "/misbehave_hang.so", kernel(), 0.5);
  CallCheck const check = call_in_every_way(kernel(), hangs, asked, patient());
  EXPECT_EQ(text(check), "");
  EXPECT_EQ(check.not_tried.size(), 6u);
}

TEST(Called, AProgramThatAnswersACaseDifferentlyTheSecondTimeFails) {
  Table const asked = cases(kernel());
  for (auto const& [deed, said] : std::vector<std::pair<std::string, std::string>>{
           {"none", ""},
           {"second", "the second answer to the same case is different"},
           {"order", "different"},
           {"random", "the second answer to the same case is different"}}) {
    CallCheck const check = call_in_every_way(kernel(), open(program(deed), kernel()), asked, patient());
    EXPECT_EQ(check.findings.size(), said.empty() ? 0u : 1u) << deed << text(check);
    EXPECT_NE(text(check).find(said), std::string::npos) << deed << text(check);
    for (CallFinding const& each : check.findings) EXPECT_EQ(way_name(each.way), "again") << deed;
    if (said.empty()) {
      EXPECT_EQ(check.tried, (std::vector<Way>{Way::again, Way::batch}));
    }
  }
}

TEST(Called, CallPatternsAreNotTestedForRecordedAnswersSlowSubjectsAndOwnFormulas) {
  std::string const& name = kernel().name;
  Subject subject = open(library("right"), kernel());
  EXPECT_TRUE(can_be_called(subject, name));
  subject.cases = 100;
  EXPECT_FALSE(can_be_called(subject, name));
  subject.cases = 0;
  subject.origin = Origin::file;
  EXPECT_FALSE(can_be_called(subject, name));
  EXPECT_FALSE(can_be_called(open(library("right"), kernel()), "another_kernel"));

  Subject const fast = make_subject("fast@scalar", *kernel().find("fast@scalar"), Origin::fast);
  Subject formula = make_subject("documented@double", *kernel().find("documented@double"), Origin::printed);
  EXPECT_TRUE(can_be_called(fast, name));
  EXPECT_FALSE(can_be_called(formula, name));
  formula.origin = Origin::peer;
  EXPECT_TRUE(can_be_called(formula, name)) << "another's may keep what it computed, whatever its form";
}

TEST(Called, TheSmallestBatchIsTheSameInEveryRun) {
  Table const asked = cases(kernel());
  Subject const subject = open(library("neighbour"), kernel());
  CallCheck const one = call_in_every_way(kernel(), subject, asked, patient()),
                  other = call_in_every_way(kernel(), subject, asked, patient());
  ASSERT_EQ(one.findings.size(), 1u);
  EXPECT_EQ(text(one), text(other));
  EXPECT_EQ(one.findings[0].inputs.columns, other.findings[0].inputs.columns);
  EXPECT_EQ(one.findings[0].row, other.findings[0].row);
}

/// Runs the command on subjects that are wrong only in some call patterns.
class CallCommand : public OutsideCommand {
 protected:
  std::string check(std::string const& deed, std::string const& options) {
    return "demeter check capsule_mass_properties --regime typical --count 300 --subject " + library(deed) + " " +
           options;
  }
};

TEST_F(CallCommand, CallPatternFailuresAreInTextJUnitAndBaseline) {
  EXPECT_EQ(run(check("unwanted", "--junit junit.xml --write-known known.jsonl")), 1) << out;
  EXPECT_TRUE(contains(err, "fails capsule_mass_properties")) << err;
  EXPECT_TRUE(contains(out, "; wrong in some call patterns:")) << "the sentence:\n" << out;
  EXPECT_TRUE(contains(out, "    unwanted   crashes (")) << out;
  EXPECT_TRUE(contains(out, " in a call for 1 row if volume is not wanted")) << out;
  EXPECT_EQ(run("cat junit.xml"), 0);
  EXPECT_TRUE(contains(out, "name=\"call unwanted\"") && contains(out, "<failure type=\"fail\" message=\"crashes ("))
      << out;
  EXPECT_TRUE(contains(out, "name=\"call batch\"/>")) << out;
  EXPECT_EQ(run("cat known.jsonl"), 0);
  EXPECT_TRUE(contains(out, "\"call\":\"unwanted\"")) << out;
  // Accepted failures do not fail the check, but other failures do. Accepted failures that no longer occur are
  // reported.
  EXPECT_EQ(run(check("unwanted", "--known known.jsonl")), 0) << err << out;
  EXPECT_TRUE(contains(out, "known failures of call patterns: unwanted")) << out;
  EXPECT_EQ(run("sed s/unwanted/tenth/g known.jsonl >other.jsonl; " + check("tenth", "--known other.jsonl")), 3);
  EXPECT_TRUE(contains(err, "call: \"tenth\", expected one of again, batch, no_rows, unwanted, memory, alignment"))
      << err;
  EXPECT_EQ(run("sed s/calls_unwanted/calls_tenth/ known.jsonl >other.jsonl; " + check("tenth", "--known other.jsonl")),
            1);
  EXPECT_TRUE(contains(out, "no longer fails: capsule_mass_properties lib:")) << out;
  EXPECT_EQ(run(check("unwanted", "--json")), 1);
  auto const calls = nlohmann::json::parse(out)[0]["subjects"][0]["calls"];
  EXPECT_EQ(calls["faults"][0]["way"], "unwanted");
  EXPECT_EQ(calls["faults"][0]["rows"], 1);
  EXPECT_EQ(calls["faults"][0]["inputs"].size(), 1u);
  EXPECT_EQ(calls["tried"].size(), 6u);
}

TEST_F(CallCommand, CallPatternFailuresAreRecordedAndTriedFirst) {
  EXPECT_EQ(run(check("unwanted", "")), 1);
  EXPECT_EQ(run("grep -rh '\"call\":\"unwanted\"' demeter-failures"), 0);
  EXPECT_EQ(run(check("unwanted", "")), 1);
  EXPECT_TRUE(contains(out, "recorded failures: 1 of 1 fail again")) << out;
  EXPECT_TRUE(contains(out, "    demeter check capsule_mass_properties --subject lib:")) << out;
  EXPECT_EQ(run(check("unwanted", "--seeds 2")), 1);
  EXPECT_TRUE(contains(out, "FAILED: call unwanted: crashes (")) << out;
  EXPECT_EQ(run("mv demeter-failures/*/*.jsonl . ; " + check("right", "")), 0) << out << err;
}

TEST_F(CallCommand, AProgramWithRandomAnswersFails) {
  EXPECT_EQ(
      run("demeter check capsule_mass_properties --regime typical --count 300 --subject '" + program("random") + "'"),
      1);
  EXPECT_TRUE(contains(out, "    again ")) << out;
  EXPECT_EQ(
      run("demeter check capsule_mass_properties --regime typical --count 300 --subject '" + program("none") + "'"), 0)
      << out << err;
}

}  // namespace calls_test
}  // namespace demeter
