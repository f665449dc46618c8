// Tests compare, --junit, --known and --budget as a user runs them, through a shell.
#include "tests/core/command.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace demeter {
namespace command_compare_test {

using Json = nlohmann::ordered_json;

class CommandCompare : public CommandTest {
 protected:
  Ran ends(int code, std::string const& line, std::string const& reason = "") const {
    Ran const ran = run(line);
    EXPECT_EQ(ran.code, code) << line << "\n" << ran.out << ran.err;
    if (code != 0) {
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << "\n" << ran.err;
    }
    EXPECT_NE(ran.err.find(reason), std::string::npos) << line << "\nexpected \"" << reason << "\" in: " << ran.err;
    return ran;
  }
};

constexpr char const* check_capsule = "demeter check capsule_mass_properties --count 300 ";

TEST_F(CommandCompare, FindsEachPlantedRegressionAndNoOther) {
  ends(0, std::string(check_capsule) + "--subject fast --json >old.json");
  ends(0, std::string(check_capsule) + "--subject fast --json --jobs 1 >new.json");
  auto const same = ends(0, "demeter compare old.json new.json --junit same.xml");
  EXPECT_TRUE(contains(same.out, "0 regressions, 0 gone, 0 better, 0 new")) << same.out;
  EXPECT_TRUE(contains(same.out, "p < 0.01")) << same.out;
  EXPECT_TRUE(contains(get("same.xml"), "failures=\"0\""));

  Json worse = Json::parse(get("new.json"));
  worse[0]["subjects"][0]["accuracy"][0]["failed"] = 2;
  worse[0]["subjects"][0]["laws"][0]["broken"] = 1;
  put("new.json", worse.dump());
  auto const found = ends(1, "demeter compare old.json new.json --junit new.xml", "2 regressions; the first: ");
  EXPECT_TRUE(contains(found.out, "newly over budget: 2 of")) << found.out;
  EXPECT_TRUE(contains(found.out, "newly broken in 1 of")) << found.out;
  EXPECT_TRUE(contains(get("new.xml"), "failures=\"2\""));
  auto const json = Json::parse(run("demeter compare old.json new.json --json").out);
  EXPECT_EQ(json["regressions"], 2);
  ends(0, "demeter compare new.json old.json --html compare.html");
  EXPECT_TRUE(contains(get("compare.html"), "<h2 id=\"capsule_mass_properties\">"))
      << get("compare.html").substr(0, 500);
  ends(2, "demeter compare new.json old.json --html nowhere/compare.html", "nowhere");

  worse[0]["subjects"].clear();
  put("new.json", worse.dump());
  ends(1, "demeter compare old.json new.json", "is not in NEW");
  ends(3, "demeter compare old.json new.json --allow-gone", "nothing to compare");
}

TEST_F(CommandCompare, PrintsSentencesThenChangesThenRules) {
  ends(0, std::string(check_capsule) + "--subject fast --json >old.json");
  Json worse = Json::parse(get("old.json"));
  worse[0]["subjects"][0]["laws"][0]["broken"] = 1;
  put("new.json", worse.dump());
  std::string const out = ends(1, "demeter compare old.json new.json", "1 regression; the first: ").out;
  EXPECT_EQ(out.rfind("capsule_mass_properties: fast@", 0), 0u) << out;
  EXPECT_TRUE(contains(lines_of(out)[0], " worse in 1 of ")) << out;
  std::size_t const change = out.find("\nREGRESSION "), rules = out.find("\nrules:\n");
  EXPECT_NE(change, std::string::npos) << out;
  EXPECT_LT(change, rules) << out;
  EXPECT_LT(rules, out.size()) << out;
}

TEST_F(CommandCompare, ComparesTwoSubjects) {
  ends(1, std::string(check_capsule) + "--profile all --subject fast,documented --json >both.json");
  auto const worse = ends(1, "demeter compare both.json --subject fast,documented --html two.html --junit two.xml",
                          "documented is worse than fast in ");
  EXPECT_TRUE(contains(worse.out, "-> documented@double worse in ")) << worse.out;
  EXPECT_TRUE(contains(worse.out, "\nWORSE capsule_mass_properties documented@double ")) << worse.out;
  EXPECT_TRUE(contains(get("two.html"), "<h1>documented compared with fast</h1>"));
  EXPECT_FALSE(contains(get("two.xml"), "failures=\"0\""));
  ends(0, "demeter compare both.json --subject documented,fast");
  EXPECT_EQ(Json::parse(run("demeter compare both.json --subject fast,documented --json").out)["subjects"],
            Json({"fast", "documented"}));
  // With two files, the first subject is read from the first file, the second subject from the second file.
  ends(0, std::string(check_capsule) + "--profile all --subject fast --json >fast.json");
  ends(1, "demeter compare fast.json both.json --subject fast,documented", "is worse than fast");
  // With one name, only this subject is compared.
  auto const one = ends(0, "demeter compare fast.json both.json --subject fast");
  EXPECT_TRUE(contains(one.out, "0 new")) << one.out;

  ends(2, "demeter compare both.json", "new is required, or two subjects of one file");
  ends(2, "demeter compare both.json --subject fast", "new is required");
  ends(2, "demeter compare both.json --subject fast,fast", "\"fast\" twice");
  ends(2, "demeter compare both.json both.json --subject a,b,c", "got 3, expected at most two");
  ends(2, "demeter compare both.json --subject fast,bulet", "no results of \"bulet\", expected one of ");
  ends(2, "demeter compare fast.json both.json --subject documented", "fast.json: --subject: no results of");
}

TEST_F(CommandCompare, ComparesTimingsOfBench) {
  ends(0,
       "demeter bench capsule_mass_properties --subject fast --regime typical --filter cache --repetitions 9 --time "
       "0.002 --json 2>/dev/null >old.json");
  Json slower = Json::parse(get("old.json"));
  EXPECT_TRUE(slower["context"].contains("demeter_cpu"));
  // Measured times vary with the load of the machine. They are replaced by times with a constant noise of 1 %.
  auto const write = [](Json& report, double factor) {
    int timings = 0;
    for (auto& row : report["benchmarks"]) {
      if (row["run_type"] != "iteration") continue;
      EXPECT_GT(row["reference_workload_nanoseconds"], 0);
      EXPECT_GT(row["items_per_second"], 0);
      row["reference_workload_nanoseconds"] = 2e4;
      row["items_per_second"] = 1e7 * (1 + .001 * (timings++ * 7 % 11)) / factor;
    }
    EXPECT_GT(timings, 0);
  };
  write(slower, 1);
  put("old.json", slower.dump());
  ends(0, "demeter compare old.json old.json");
  write(slower, 3);
  put("new.json", slower.dump());
  auto const found = ends(1, "demeter compare old.json new.json", "regression");
  EXPECT_TRUE(contains(found.out, "200 % slower")) << found.out;
  ends(3, "demeter compare old.json new.json --speed never", "nothing to compare");
  slower["context"]["demeter_cpu"] = "another";
  put("new.json", slower.dump());
  ends(3, "demeter compare old.json new.json", "nothing to compare");
  ends(1, "demeter compare old.json new.json --speed always", "regression");
  ends(0,
       "demeter bench capsule_mass_properties --subject fast --regime typical --filter cache --repetitions 3 --time "
       "0.002 --json 2>/dev/null >few.json");
  EXPECT_TRUE(contains(run("demeter compare old.json few.json").out, "not judged: needs nine repetitions (has 3)"));
}

TEST_F(CommandCompare, ReportsErrorsInItsFiles) {
  ends(0, std::string(check_capsule) + "--subject fast --json >good.json");
  ends(2, "demeter compare missing.json good.json", "missing.json: No such file");
  ends(2, "demeter compare good.json /tmp", "/tmp: Is a directory");
  ends(2, "demeter compare good.json", "new is required");
  ends(2, "demeter compare good.json good.json segment_distance", "kernels need --interleave");
  ends(2, "demeter compare good.json good.json --speed fast", "--speed");
  ends(2, "demeter compare good.json good.json --repetitions 3", "--repetitions requires --interleave");
  ends(2, "demeter compare good.json good.json --junit missing/x.xml", "missing/x.xml: No such file");
  put("bad.json", "{");
  ends(3, "demeter compare good.json bad.json", "bad.json: expected JSON");
  put("bad.json", R"({"schema":1,"kernels":[{"name":7}]})");
  ends(3, "demeter compare good.json bad.json", "bad.json: demeter: missing; expected an object");
  put("bad.json", R"([{"name":7}])");
  ends(3, "demeter compare good.json bad.json", "bad.json: [0].name: expected a string, found 7");
  put("bad.json", std::string(100'000, '['));
  ends(3, "demeter compare bad.json good.json", "bad.json: nested too deeply");
}

TEST_F(CommandCompare, InterleavesTwoPrograms_timing) {
  std::string const options =
      " capsule_mass_properties --subject fast --regime typical --filter 'fast.*/cache' --time 0.002 --repetitions 9";
  auto const same =
      ends(0, "demeter compare --interleave demeter demeter --speed never" + options + " 2>/dev/null || true");
  EXPECT_TRUE(contains(same.out, "compared 0 accuracies"));
  // This program answers in its turns and reports times that are three times too long.
  put("slow",
      "#!/bin/sh\necho \"$@\" >>slow.log\ndemeter \"$@\" | sed -E 's/(\"items_per_second\": )([0-9.]+)e([+-][0-9]+)/"
      "\\10.0000001/'\n");
  ends(0, "chmod +x slow");
  auto const found = ends(1,
                          "demeter compare --interleave demeter ./slow" + options +
                              " 2>.progress; code=$?; tail -n 1 "
                              ".progress >&2; exit $code",
                          "regression");
  EXPECT_TRUE(contains(found.out, "slower")) << found.out;
  std::string const log = get("slow.log");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 9) << log;
  EXPECT_TRUE(contains(log, "bench capsule_mass_properties --json --repetitions 1 ")) << log;

  ends(2, "demeter compare --interleave ./none demeter" + options, "./none: not found");
  ends(2, "demeter compare --interleave demeter demeter nonsense", "unknown kernel");
  put("garbage", "#!/bin/sh\necho nothing\n");
  put("broken", "#!/bin/sh\necho why >&2\nexit 7\n");
  ends(0, "chmod +x garbage broken");
  ends(3, "demeter compare --interleave ./garbage demeter" + options, "--json: expected JSON");
  ends(4, "demeter compare --interleave ./broken demeter" + options, "ended with exit code 7: why");
}

TEST_F(CommandCompare, WritesJUnitForCheckAndVerify) {
  std::string const well_formed = "command -v xmllint >/dev/null || exit 0; xmllint --noout ";
  ends(1, std::string(check_capsule) + "--profile all --subject documented,fast --junit out.xml",
       "fails capsule_mass_properties");
  ends(0, well_formed + "out.xml");
  std::string const xml = get("out.xml");
  for (char const* part :
       {"<testsuite name=\"capsule_mass_properties x documented@double\"", "x fast@",
        "<failure type=\"fail\" message=\"",
        "demeter explain capsule_mass_properties '{&quot;radius&quot;:", "name=\"law ", "name=\"typical volume\""})
    EXPECT_TRUE(contains(xml, part)) << part;

  std::string const pipe =
      "demeter generate capsule_mass_properties --count 60 | demeter evaluate capsule_mass_properties --implementation "
      "documented@double | demeter verify capsule_mass_properties --count 60 --subject mine --junit out.xml >/dev/null";
  ends(1, pipe, "did not pass");
  ends(0, well_formed + "out.xml");
  EXPECT_TRUE(contains(get("out.xml"), "<testsuite name=\"capsule_mass_properties x mine\""));
  EXPECT_TRUE(contains(get("out.xml"), "name=\"every case answered\"/>"));
  ends(1, "demeter verify capsule_mass_properties --count 3 --junit out.xml", "case 0 has no answer");
  EXPECT_TRUE(contains(get("out.xml"), "3 missing"));
  ends(2, std::string(check_capsule) + "--subject fast --junit none/out.xml", "none/out.xml: No such file");
  ends(2, std::string(check_capsule) + "--subject fast --junit .", ".: Is a directory");
}

TEST_F(CommandCompare, WritesJUnitWhenStopped) {
  for (std::string const line : {"exec demeter check capsule_mass_properties --subject fast --full --junit out.xml",
                                 "exec demeter verify capsule_mass_properties --junit out.xml --answers <(sleep 20)"}) {
    fs::remove(folder / "out.xml");
    pid_t const child = start(line);
    wait_until_it_handles(SIGTERM, child);
    ::kill(child, SIGTERM);
    Ran const ran = finish(child);
    EXPECT_EQ(ran.code, 1) << line << ran.err;
    EXPECT_TRUE(contains(ran.err, "stopped: printed results are partial")) << ran.err;
    EXPECT_TRUE(contains(get("out.xml"), "</testsuites>")) << line;
    EXPECT_EQ(contains(ran.out, "0 answers, 0 pass, 0 fail"), contains(line, "verify")) << ran.out;
  }
}

TEST_F(CommandCompare, AcceptsKnownFailuresOfCheck) {
  std::string const documented = std::string(check_capsule) + "--profile all --subject documented ";
  ends(1, documented + "--write-known known.jsonl", "documented@double fails");
  std::string const known = get("known.jsonl");
  EXPECT_TRUE(contains(known, R"({"kernel":"capsule_mass_properties","subject":"documented","regime":)")) << known;
  auto const accepted = ends(0, documented + "--known known.jsonl --junit out.xml");
  EXPECT_TRUE(contains(accepted.out, " known failures not counted")) << accepted.out;
  EXPECT_TRUE(contains(accepted.out, ": passed")) << accepted.out;
  EXPECT_TRUE(contains(get("out.xml"), "accepted as known failures"));
  EXPECT_TRUE(contains(get("out.xml"), "failures=\"0\""));
  // `compare` accepts the results with the accepted failures: these failures are in both runs.
  ends(1, documented + "--json >old.json");
  ends(0, documented + "--known known.jsonl --json >new.json");
  ends(0, "demeter compare old.json new.json");

  // If one entry of the baseline is missing, its failure counts as new. If the entries are for all subjects, the
  // command reports that the fast form no longer fails.
  std::size_t const head = known.find('\n') + 1;
  EXPECT_TRUE(contains(known.substr(0, head), "Written by Demeter"));
  std::string const first = known.substr(head, known.find('\n', head) + 1 - head);
  put("less.jsonl", known.substr(head + first.size()));
  ends(1, documented + "--known less.jsonl", "documented@double fails");
  ends(0, "sed -i 's/\"documented\"/\"*\"/' known.jsonl");
  auto const fixed = ends(0, std::string(check_capsule) + "--subject fast --known known.jsonl");
  EXPECT_TRUE(contains(fixed.out, "no longer fails: capsule_mass_properties * ")) << fixed.out;
  EXPECT_TRUE(contains(fixed.out, "(known.jsonl line 2)")) << fixed.out;
  // Entries of kernels or regimes that were not checked are not reported as fixed.
  EXPECT_FALSE(contains(ends(0, "demeter check segment_distance --subject fast --count 300 --known known.jsonl").out,
                        "no longer"));

  put("bad.jsonl", first + "\n{\"kernel\":\"capsule_mass_properties\"}\n");
  ends(3, documented + "--known bad.jsonl", "bad.jsonl: line 3: missing key \"subject\"");
  ends(2, documented + "--known missing.jsonl", "missing.jsonl: No such file");
  ends(2, documented + "--write-known none/known.jsonl", "none/known.jsonl: No such file");
}

TEST_F(CommandCompare, AcceptsKnownFailuresOfVerify) {
  std::string const answers =
      "demeter generate capsule_mass_properties --count 60 | demeter evaluate capsule_mass_properties --implementation "
      "documented@double >answers.jsonl; ";
  std::string const verify = "demeter verify capsule_mass_properties --answers answers.jsonl --count 60 ";
  ends(1, answers + verify + "--subject mine --write-known known.jsonl", "did not pass");
  EXPECT_TRUE(contains(get("known.jsonl"), R"("subject":"mine","regime":")")) << get("known.jsonl");
  auto const held = ends(0, verify + "--subject mine --known known.jsonl");
  EXPECT_TRUE(contains(held.out, " known")) << held.out;
  ends(1, verify + "--subject other --known known.jsonl", "did not pass");
  ends(0,
       "demeter generate capsule_mass_properties --count 60 | demeter evaluate capsule_mass_properties "
       "--implementation fast >answers.jsonl");
  EXPECT_TRUE(contains(ends(0, verify + "--subject mine --known known.jsonl").out, "no longer fails: capsule"));
}

/// These answers name no regime. A baseline entry can only name a regime of the kernel, so the entry is for "*".
TEST_F(CommandCompare, KnownFailuresOfRecordedAnswersApplyToAnyRegime) {
  ends(0,
       "demeter generate capsule_mass_properties --count 400 --profile everyday | demeter evaluate "
       "capsule_mass_properties --implementation fast | sed 's/\"regime\":\"[a-z_]*\",//; s/\"mass\":/\"mass\":1/' "
       ">answers.jsonl");
  for (std::string const verb : {"verify capsule_mass_properties --answers answers.jsonl ",
                                 "check capsule_mass_properties --subject file:answers.jsonl "}) {
    ends(1, "demeter " + verb + "--write-known known.jsonl");
    EXPECT_TRUE(contains(get("known.jsonl"), R"("regime":"*")")) << get("known.jsonl");
    ends(0, "demeter " + verb + "--known known.jsonl");
  }
}

TEST_F(CommandCompare, EachOutputCanGetItsOwnBudget) {
  // The reference in double has large errors here. It passes only with a tolerance for each output that fails.
  std::string const reference =
      "demeter check segment_distance --count 300 --regime near_parallel_gap --subject reference@double ";
  auto const failing = Json::parse(run(reference + "--json").out);
  std::map<std::string, double> worst;
  for (auto const& row : failing[0]["subjects"][0]["accuracy"])
    if (row["failed"] > 0) {
      ASSERT_TRUE(row["max_error"].is_number());
      double& most = worst[row["output"]];
      most = std::max(most, row["max_error"].get<double>());
    }
  ASSERT_FALSE(worst.empty());
  std::string budgets;
  for (auto const& [output, most] : worst)
    budgets += (budgets.empty() ? "" : ",") + output + "=" + Json(most * 1.01).dump();
  auto const failures = [&](std::string const& options) {
    auto const json = Json::parse(run(reference + "--json " + options).out);
    std::uint64_t sum = 0;
    for (auto const& row : json[0]["subjects"][0]["accuracy"]) sum += row["failed"].get<std::uint64_t>();
    return sum;
  };
  EXPECT_GT(failures(""), 0u);
  EXPECT_EQ(failures("--budget " + budgets), 0u);
  EXPECT_GT(failures("--budget " + worst.begin()->first + "=1"), 0u);
  auto const text = run(std::string(check_capsule) + "--subject fast --all --budget volume=100 --budget 2").out;
  EXPECT_TRUE(contains(text, "(budget 100 u |truth|, contract: ")) << text;
  ends(2, std::string(check_capsule) + "--subject fast --budget nonsense=3",
       "unknown output \"nonsense\"; expected one of volume");
  ends(2, std::string(check_capsule) + "--subject fast --budget volume=0",
       "volume: got \"0\", expected a number above 0");
  ends(2, std::string(check_capsule) + "--subject fast --budget 2,3", "got a second factor 3, expected one");
  ends(2, std::string(check_capsule) + "--subject fast --budget volume=3,volume=4", "\"volume\" is given twice");
}

}  // namespace command_compare_test
}  // namespace demeter
