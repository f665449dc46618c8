// Tests the command as a user runs it: runs the built program through a shell and checks its output and exit code.
#include "tests/core/command.hpp"
#include "kernels/kernel.hpp"
#include "tests/places.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace demeter {
namespace command_test {

using Json = nlohmann::ordered_json;

// ------------------------------------------------------------------------------------------------------- the harness

class Command : public CommandTest {};

/// Expects that a text fits on one screen: 40 lines of 120 columns. Lines with commands for users to copy may be
/// longer.
void expect_one_screen(std::string const& text, std::string const& what) {
  auto const lines = lines_of(text);
  EXPECT_LE(lines.size(), 40u) << what << "\n" << text;
  for (auto const& line : lines) {
    if (line.rfind("    demeter explain ", 0) != 0) {
      EXPECT_LE(line.size(), 120u) << what << "\n" << line;
    }
    EXPECT_FALSE(contains(line, "\033")) << what << "\nno terminal, no colours: " << line;
  }
}

constexpr char const* evaluate_capsule = "demeter evaluate capsule_mass_properties --implementation fast";

// ------------------------------------------------------------------------------------------------------ help and usage

class HelpOfVerb : public Command, public testing::WithParamInterface<char const*> {};

TEST_P(HelpOfVerb, ShowsAnExampleThatWorksAsPrinted) {
  auto const help = lines_of(holds(std::string("demeter ") + GetParam() + " --help").out);
  auto const title = std::find(help.begin(), help.end(), "Example:");
  ASSERT_NE(title, help.end());
  ASSERT_NE(title + 1, help.end());
  for (auto line = title + 1; line != help.end(); ++line) {
    ASSERT_EQ(line->rfind("  demeter", 0) == 0 || line->rfind("  echo", 0) == 0, true) << *line;
    EXPECT_TRUE(contains(*line, std::string("demeter ") + GetParam())) << *line;
    Ran const ran = run(*line);
    EXPECT_EQ(ran.code, 0) << *line << "\n" << ran.err;
    EXPECT_NE(ran.out, "") << *line;
  }
}

INSTANTIATE_TEST_SUITE_P(Command, HelpOfVerb,
                         testing::Values("list", "generate", "evaluate", "verify", "explain", "vectors", "bench",
                                         "compare", "errata", "clump", "simulate", "doctor"),
                         [](auto const& verb) { return std::string(verb.param); });
INSTANTIATE_TEST_SUITE_P(Command_long, HelpOfVerb, testing::Values("check", "continuity", "report"),
                         [](auto const& verb) { return std::string(verb.param); });

TEST_F(Command, HelpListsEveryCommand) {
  auto const help = holds("demeter --help").out;
  for (auto const* verb : {"list", "generate", "evaluate", "verify", "explain", "check", "continuity", "vectors",
                           "bench", "report", "errata", "clump", "simulate", "doctor"})
    EXPECT_TRUE(contains(help, verb)) << verb;
  EXPECT_EQ(holds("demeter --version").out.rfind("demeter ", 0), 0u);
}

TEST_F(Command, BadUsageExitsTwoAndReportsWhatIsExpected) {
  struct Wrong {
    char const *line, *reason;
  };
  for (auto const& [line, reason] : std::vector<Wrong>{
           {"demeter", "expected a verb: list, generate"},
           {"demeter nonsense", "unknown verb \"nonsense\"; expected list, generate"},
           {"demeter generate", "kernel is required"},
           {"demeter generate nonsense", "unknown kernel \"nonsense\"; expected "},
           {"demeter generate $'two\\nlines'", "unknown kernel \"two lines\""},
           {"demeter generate segment_distance --nonsense", "--nonsense"},
           {"demeter generate segment_distance --regime nonsense", "unknown regime \"nonsense\" of segment_distance"},
           {"demeter generate segment_distance --count -1",
            "--count: got \"-1\", expected a whole number from 0 to 1000000000000"},
           {"demeter generate segment_distance --count 1e3",
            "--count: got \"1e3\", expected a whole number from 0 to 1000000000000"},
           {"demeter generate segment_distance --seed 1.5", "--seed: got \"1.5\", expected a whole number"},
           {"demeter evaluate segment_distance --implementation nonsense", "unknown implementation \"nonsense\""},
           {"demeter evaluate segment_distance --implementation textbook@", "unknown arithmetic \"\""},
           {"demeter evaluate segment_distance --implementation textbook@quad", "unknown arithmetic \"quad\""},
           {"demeter evaluate segment_distance --implementation textbook@mpfr:1", "mpfr:DIGITS with 2 to 100000"},
           {"demeter evaluate segment_distance --implementation textbook@mpfr:5x", "mpfr:DIGITS"},
           {"demeter evaluate segment_distance --implementation documented", "unknown implementation \"documented\""},
           {"demeter evaluate segment_distance --implementation fast --digits 30", "answers in binary64"},
           {"demeter evaluate segment_distance --digits 0", "--digits: got \"0\", expected a whole number from 1"},
           {"demeter evaluate segment_distance --cases missing.jsonl", "missing.jsonl: No such file"},
           {"demeter evaluate segment_distance --cases /tmp", "/tmp: Is a directory"},
           {"demeter verify segment_distance --answers missing.jsonl", "missing.jsonl: No such file"},
           {"demeter verify segment_distance --cases /tmp", "/tmp: Is a directory"},
           {"demeter verify segment_distance --cases x --count 3", "--count"},
           {"demeter verify segment_distance --seed 3", "--seed requires --count"},
           {"demeter verify segment_distance --budget 0", "--budget: got \"0\", expected a number above 0"},
           {"demeter verify segment_distance --budget nan", "--budget: got \"nan\", expected a number above 0"},
           {"demeter check segment_distance --subject fast --tolerance 0",
            "--tolerance: got \"0\", expected strict, double, float or a number above 0"},
           {"demeter check segment_distance --subject fast --tolerance nan",
            "--tolerance: got \"nan\", expected strict, double, float or a number above 0"},
           {"demeter verify segment_distance --tolerance inf",
            "--tolerance: got \"inf\", expected strict, double, float or a number above 0"},
           {"demeter explain segment_distance 0 --tolerance loose",
            "--tolerance: got \"loose\", expected strict, double, float or a number above 0"},
           {"demeter explain segment_distance ''",
            "case: got \"\", expected a JSON object or the id of a generated case"},
           {"demeter explain segment_distance 99999999999999999999999", "or the id of a generated case"},
           {"demeter explain segment_distance 1 --law nonsense", "unknown law \"nonsense\""},
           {"demeter explain segment_distance 1 --subject nonsense", "unknown subject \"nonsense\""},
           {"demeter explain segment_distance 1 --subject documented", "documented@double does not answer"},
           {"demeter check", "--subject is required"},
           {"demeter check --mutants --subject fast", "--subject excludes --mutants"},
           {"demeter check --mutants --ladder", "--mutants excludes --ladder"},
           {"demeter check --subject fast --seeds 0", "--seeds: got \"0\", expected a whole number from 1"},
           {"demeter check --subject fast --seeds 2 --json", "--seeds excludes --json"},
           {"demeter check --subject nonsense", "unknown subject \"nonsense\""},
           {"demeter check segment_distance --subject via_origin",
            "via_origin@double does not answer segment_distance"},
           {"demeter check --subject fast --count 0", "--count: got \"0\", expected a whole number from 1"},
           {"demeter check --subject fast --jobs 0", "--jobs: got \"0\", expected a whole number from 1"},
           {"demeter bench --filter '['", "--filter: got \"[\", expected a regular expression"},
           {"demeter bench segment_distance --time 0", "--time: got \"0\", expected a number above 0"},
           {"demeter bench segment_distance --filter nothing_of_that_name", "nothing to time"},
           {"demeter report --from missing.json", "missing.json: No such file"},
           {"demeter list nonsense", "unknown kernel"}}) {
    fails(2, line, reason);
  }
  if (find_kernel("clump_grid_mass_properties") == nullptr) return;  // the kernel is not in this build
  fails(2, "demeter check superquadric_mass_properties --subject fast@avx2",
        "superquadric_mass_properties has no fast@avx2; expected fast@scalar or fast");
  fails(2, "demeter explain clump_grid_mass_properties 1 --subject fast@avx2",
        "clump_grid_mass_properties has no fast@avx2; expected fast@scalar or fast");
}

TEST_F(Command, ReportIntoAnUnwritableFolderExitsTwoBeforeAnyWork) {
  put("file", "");
  fails(2, "demeter report --out file/below", "file/below: Not a directory");
  fails(2, "demeter report --out /proc/nowhere", "/proc/nowhere");
}

TEST_F(Command, ReportFromAFileThatIsNotAReportExitsThree) {
  put("results.json", "[1, 2]");
  fails(3, "demeter report --from results.json --out site", "results.json: expected a results.json");
  put("results.json", "{\"kernels\":[}");
  fails(3, "demeter report --from results.json --out site", "results.json: not JSON at byte 13");
  // The text is nested so deeply that a recursive reader would overflow the stack.
  put("results.json", "{\"kernels\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}");
  fails(3, "demeter report --from results.json --out site", "results.json: nested 200001 levels deep");
}

// ----------------------------------------------------------------------------------------------------------- exit 4

TEST_F(Command, WriteErrorsExitFour) {
  put("case.jsonl", std::string(good_capsule) + "\n");
  for (auto const* line :
       {"demeter --help", "demeter --version", "demeter verify --help", "demeter list", "demeter list --json",
        "demeter generate segment_distance", "demeter evaluate capsule_mass_properties --cases case.jsonl",
        "demeter verify segment_distance --count 0", "demeter explain segment_distance 1", "demeter doctor",
        "demeter vectors", "demeter vectors --check clump_force_torque",
        "demeter check clump_force_torque --subject fast --count 10 --regime typical"}) {
    fails(4, std::string(line) + " > /dev/full", "standard output: No space left on device");
    fails(4, std::string(line) + " >&-", "standard output: Bad file descriptor");
  }
}

TEST_F(Command, AClosedPipeExitsFour) {
  Ran const ran = fails(4, "demeter generate segment_distance --count 100000 | head -1; exit ${PIPESTATUS[0]}",
                        "demeter generate: standard output: Broken pipe");
  EXPECT_EQ(lines_of(ran.out).size(), 1u);
  put("cases.jsonl", run("demeter generate segment_distance --count 20000").out);
  fails(4,
        "demeter evaluate segment_distance --implementation fast --cases cases.jsonl | head -1; exit ${PIPESTATUS[0]}",
        "demeter evaluate: standard output: Broken pipe");
}

TEST_F(Command, AnInputThatCannotBeReadExitsFour) {
  fails(4, "demeter evaluate segment_distance <&-", "standard input: Bad file descriptor");
  fails(4, "demeter verify segment_distance <&-", "standard input: Bad file descriptor");
}

// --------------------------------------------------------------------------------------------------------- generate

TEST_F(Command, TheSameArgumentsGenerateTheSameBytes) {
  for (auto const* kernel : {"capsule_mass_properties", "segment_distance", "clump_force_torque"}) {
    std::string const line = std::string("demeter generate ") + kernel + " --count 50 --seed 7";
    auto const first = holds(line).out;
    EXPECT_EQ(first, holds(line).out);
    EXPECT_EQ(lines_of(first).size(), 50u);
    EXPECT_NE(first, holds(line + "1").out) << "another seed gives other cases";
  }
  EXPECT_EQ(holds("demeter generate segment_distance --count 0").out, "");
}

TEST_F(Command, ACaseDependsOnItsIdAndNotOnTheCount) {
  auto const few = holds("demeter generate segment_distance --count 20").out;
  EXPECT_EQ(holds("demeter generate segment_distance --count 200").out.substr(0, few.size()), few);
}

TEST_F(Command, GenerateAlternatesRegimes) {
  auto const described = Json::parse(holds("demeter list segment_distance --json").out);
  std::vector<std::string> regimes;
  for (auto const& regime : described["kernels"][0]["regimes"])
    if (regime["name"] != "vectors") regimes.push_back(regime["name"]);  // recorded cases are not drawn
  ASSERT_GT(regimes.size(), 2u);
  auto const lines = lines_of(holds("demeter generate segment_distance --count 60").out);
  ASSERT_EQ(lines.size(), 60u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Json const line = Json::parse(lines[i]);
    EXPECT_EQ(line["id"], i);
    EXPECT_EQ(line["kernel"], "segment_distance");
    EXPECT_EQ(line["regime"], regimes[i % regimes.size()]);
  }
  for (auto const& line : lines_of(holds("demeter generate segment_distance --count 5 --regime parallel").out))
    EXPECT_EQ(Json::parse(line)["regime"], "parallel");
}

TEST_F(Command, WorkloadsCanBeGeneratedAndTimedButNotChecked) {
  auto const lines =
      lines_of(holds("demeter generate clump_union_mass_properties --regime twenty_dense --count 3").out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(Json::parse(lines[2])["regime"], "twenty_dense");
  EXPECT_EQ(Json::parse(lines[2])["input"]["balls"].size(), 20u);
  auto const timed = holds(
      "demeter bench clump_union_mass_properties --regime twenty_loose --subject fast --time 0.001 --repetitions 2");
  for (auto const* expected : {"fast@", "reference@mpfr:50", "workload   twenty_loose"})
    EXPECT_NE(timed.out.find(expected), std::string::npos) << timed.out;
  EXPECT_EQ(timed.out.find("typical inputs"), std::string::npos);
  // Only generate and bench accept workloads. Other verbs refuse them.
  EXPECT_EQ(run("demeter check clump_union_mass_properties --regime twenty_loose").code, 2);
}

TEST_F(Command, BenchPrintsOneLinePerTiming) {
  auto const out = holds(
                       "demeter bench segment_distance --subject reference@double --regime typical --filter "
                       "'(reference|oracle|judge).*/cache' --time 0.01 --repetitions 2")
                       .out;
  std::regex const head(R"(\n  name +setting +regime +outputs +ns per case +spread\n)");
  EXPECT_TRUE(std::regex_search(out, head)) << out;
  for (std::string const name : {"reference@double", "oracle", "judge"})
    EXPECT_TRUE(std::regex_search(out, std::regex("\n  " + name + R"( +cache +typical +all +[\d.]+ +\d+%\n)"))) << out;
}

// --------------------------------------------------------------------------------------------------------- evaluate

TEST_F(Command, EmptyInputGivesEmptyOutput) {
  for (auto const* input : {"", "\n", " \r\n\t\n\n"}) {
    EXPECT_EQ(holds("demeter evaluate segment_distance", input).out, "");
    EXPECT_EQ(holds("demeter evaluate segment_distance --implementation fast", input).out, "");
    EXPECT_TRUE(contains(fails(1, "demeter verify segment_distance", "nothing was judged", input).out,
                         "0 answers, 0 pass, 0 fail"));
  }
}

TEST_F(Command, ALastLineNeedsNoNewline) {
  auto const with = holds(evaluate_capsule, std::string(good_capsule) + "\n").out;
  EXPECT_EQ(holds(evaluate_capsule, good_capsule).out, with);
  EXPECT_EQ(lines_of(with).size(), 1u);
  std::string const verify = "demeter verify capsule_mass_properties";
  EXPECT_EQ(holds(verify, with).out, holds(verify, with.substr(0, with.size() - 1)).out);
}

TEST_F(Command, LinesMayEndInCarriageReturns) {
  auto const expected = Json::parse(holds(evaluate_capsule, good_capsule).out);
  auto const out = holds(evaluate_capsule, std::string(good_capsule) + "\r\n\r\n" + good_capsule + " \r\n").out;
  ASSERT_EQ(lines_of(out).size(), 2u);
  for (auto const& line : lines_of(out)) EXPECT_EQ(Json::parse(line), expected);
}

TEST_F(Command, ExactStringsAreReadExactlyAndRoundedCorrectly) {
  // These truths come from a separate computation with 60 digits: r = 1/10, a = 1/3, rho = 2600.
  std::string const input = R"({"input":{"radius":"0.1","shaft":"1/3","density":2600}})";
  std::map<std::string, std::string> const truth{{"volume", "1.466076571675236844615900245530434679292e-2"},
                                                 {"mass", "3.811799086355615796001340638379130166159e1"},
                                                 {"ixx", "1.796990997853361732400632015235875649761e-1"},
                                                 {"iyy", "8.023937918024242034069488745921359452944e-1"},
                                                 {"bounding_radius", "2.666666666666666666666666666666666666667e-1"}};
  for (auto const* implementation : {"reference", "documented", "factored", "documented@mpfr:60"}) {
    auto const out = Json::parse(
        holds(std::string("demeter evaluate capsule_mass_properties --digits 40 --implementation ") + implementation,
              input)
            .out);
    for (auto const& [key, digits] : truth) EXPECT_EQ(out["output"][key], digits) << implementation << " " << key;
    EXPECT_EQ(out["input"], Json::parse(input)["input"]) << "the text of the input stays";
  }
  // A binary64 implementation rounds the exact inputs to the nearest doubles.
  auto const rounded = R"({"input":{"radius":0.1,"shaft":0.3333333333333333,"density":2600}})";
  EXPECT_EQ(Json::parse(holds(evaluate_capsule, input).out)["output"],
            Json::parse(holds(evaluate_capsule, rounded).out)["output"]);
}

TEST_F(Command, NumbersArePrintedWithTheFewestDigitsThatReadBackTheDouble) {
  auto const out = Json::parse(holds("demeter evaluate capsule_mass_properties", good_capsule).out)["output"];
  EXPECT_EQ(out["volume"].dump(), "1.3089969389957472");  // 5 pi / 12
  EXPECT_EQ(out["bounding_radius"].dump(), "1");
  EXPECT_TRUE(out["mass"].is_number());
}

TEST_F(Command, HexfloatsAreReadAndEchoed) {
  auto const hex = R"({"input":{"radius":"0x1p-1","shaft":"0X1.0P+0","density":"0x1.f4p+9"}})";
  auto const out = Json::parse(holds(evaluate_capsule, hex).out);
  EXPECT_EQ(out["output"], Json::parse(holds(evaluate_capsule, good_capsule).out)["output"]);
  EXPECT_EQ(out["input"], Json::parse(hex)["input"]);
  auto const judged = R"({"input":{"radius":"0x1p-1","shaft":1,"density":1000},"output":{"bounding_radius":"0x1p0"}})";
  holds("demeter verify capsule_mass_properties", judged);
}

TEST_F(Command, EvaluateKeepsUnknownKeysOfALine) {
  std::string const line =
      R"( { "id" : 7, "note":"a } , \"brace\"", "input":{"radius":0.50,"shaft":1,"density":1e3} , "flags" : [1,{"x":[]}] } )";
  auto const out = holds(evaluate_capsule, line).out;
  std::string const own = line.substr(1, line.rfind('}') - 2);  // the text before the closing brace
  EXPECT_EQ(out.substr(0, own.size()), own);
  auto const answer = Json::parse(out);
  EXPECT_EQ(answer["note"], "a } , \"brace\"");
  EXPECT_TRUE(answer.contains("output"));
}

TEST_F(Command, EvaluateReplacesAnExistingAnswer) {
  for (auto const* answer :
       {R"("output":{"mass":3,"note":"}]{,\""})", R"("unsupported":"no, {not} \"me\"")", R"("error":"x")"}) {
    std::string const line =
        std::string(R"({"id":7,)") + answer +
        R"(,"regime":"typical","input":{"radius":"0x1p-1","shaft":-0.0e5,"density":1000},"flags":[2]})";
    auto const text = holds(evaluate_capsule, line).out;
    auto const out = Json::parse(text);
    EXPECT_EQ(out["output"].size(), 5u) << text;
    EXPECT_FALSE(out.contains("unsupported") || out.contains("error")) << text;
    EXPECT_EQ(out["id"], 7);
    EXPECT_EQ(out["regime"], "typical");
    EXPECT_EQ(out["flags"], Json::parse("[2]"));
    EXPECT_TRUE(contains(text, R"("input":{"radius":"0x1p-1","shaft":-0.0e5,"density":1000})")) << text;
    EXPECT_EQ(text.find("\"output\""), text.rfind("\"output\"")) << text;
  }
  auto const once = holds(evaluate_capsule, good_capsule).out;
  EXPECT_EQ(holds(evaluate_capsule, once).out, once) << "twice is once";
}

TEST_F(Command, BadCasesAreAnsweredWithAnErrorAndExitThree) {
  struct Wrong {
    char const *line, *reason;
  };
  for (auto const& [line, reason] : std::vector<Wrong>{
           {"nonsense", "line 1: expected a JSON object"},
           {"[1]", "expected a JSON object"},
           {"{", "line 1"},
           {R"({"id":1,"input":{"radius":1,"shaft":1,"density":1}} x)", "not JSON"},
           {R"({"id":1})", "missing key \"input\""},
           {R"({"id":-1,"input":{"radius":1,"shaft":1,"density":1}})", "id: expected a non-negative integer"},
           {R"({"kernel":"segment_distance","input":{"radius":1,"shaft":1,"density":1}})",
            "kernel: \"segment_distance\""},
           {R"({"input":7})", "input: expected an object"},
           {R"({"input":{"radius":1,"shaft":1}})", "input: missing key \"density\""},
           {R"({"input":{"radius":1,"shaft":1,"density":1,"mass":2}})", "input: unknown key \"mass\"; expected radius"},
           {R"({"input":{"radius":1,"radius":1,"shaft":1,"density":1}})", "input: key \"radius\" given twice"},
           {R"({"input":{"radius":[1],"shaft":1,"density":1}})", "input.radius: expected a number"},
           {R"({"input":{"radius":null,"shaft":1,"density":1}})", "input.radius: expected a number"},
           {R"({"input":{"radius":1e400,"shaft":1,"density":1}})", "input.radius: 1e400 is beyond binary64"},
           {R"({"input":{"radius":"one","shaft":1,"density":1}})", "input.radius: \"one\" is not a number"},
           {R"({"input":{"radius":"1/0","shaft":1,"density":1}})", "input.radius: \"1/0\" is not a number"},
           {R"({"input":{"radius":NaN,"shaft":1,"density":1}})", "input.radius"},
           {R"({"input":{"radius":"nan","shaft":1,"density":1}})", "radius: got nan, expected a finite number"},
           {R"({"input":{"radius":"inf","shaft":1,"density":1}})", "radius: got inf, expected a finite number"},
           {R"({"input":{"radius":-1,"shaft":1,"density":1}})", "radius: got -1, expected > 0"},
           {R"({"input":{"radius":1,"shaft":1,"density":0}})", "density: got 0, expected > 0"}}) {
    for (auto const* implementation : {"fast", "reference"}) {
      Ran const ran = fails(
          3, std::string("demeter evaluate capsule_mass_properties --implementation ") + implementation, reason, line);
      ASSERT_EQ(lines_of(ran.out).size(), 1u) << line;
      EXPECT_TRUE(Json::parse(ran.out).contains("error")) << line;
      EXPECT_FALSE(Json::parse(ran.out).contains("output")) << line;
    }
  }
  std::string const evaluate = "demeter evaluate segment_distance --implementation fast";
  auto const segments = [](std::string const& p0) {
    return R"({"input":{"p0":)" + p0 + R"(,"p1":[0,0,1],"q0":[1,0,0],"q1":[1,0,1]}})";
  };
  holds(evaluate, segments("[0,0,0]"));
  fails(3, evaluate, "input.p0: expected an array of 3 numbers, got 2", segments("[0,0]"));
  fails(3, evaluate, "input.p0: expected an array of 3 numbers, got more", segments("[0,0,0,0]"));
  fails(3, evaluate, "input.p0: expected an array of 3 numbers", segments("0"));
  fails(3, evaluate, "input.p0[1]: expected a number", segments("[0,[0],0]"));
  fails(3, evaluate, "p0[1]: got nan, expected a finite number", segments(R"([0,"nan",0])"));
  fails(3, "demeter evaluate clump_force_torque", "members: expected at least one member",
        R"({"input":{"centre":[0,0,0],"members":[]}})");
  fails(3, "demeter evaluate clump_force_torque", "input.members[0]: missing key \"torque\"",
        R"({"input":{"centre":[0,0,0],"members":[{"position":[0,0,0],"force":[0,0,0]}]}})");
}

TEST_F(Command, ABadLineDoesNotAffectOtherLines) {
  std::string const bad = R"({"id":2,"input":{"radius":-1,"shaft":1,"density":1}})";
  std::string const input = std::string(good_capsule) + "\n" + bad + "\n{\n\n" + good_capsule + "\n";
  for (auto const* implementation : {"fast", "reference"}) {
    Ran const ran =
        fails(3, std::string("demeter evaluate capsule_mass_properties --implementation ") + implementation,
              "2 of 5 lines could not be evaluated; the first: line 2: radius: got -1, expected > 0", input);
    auto const lines = lines_of(ran.out);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_TRUE(Json::parse(lines[0]).contains("output"));
    EXPECT_EQ(lines[1], bad.substr(0, bad.size() - 1) + R"(,"error":"radius: got -1, expected > 0"})");
    EXPECT_EQ(lines[2].rfind(R"({"line":3,"error":")", 0), 0u) << lines[2];
    EXPECT_EQ(lines[3], lines[0]);
  }
}

TEST_F(Command, EvaluateTakesCasesFromAFile) {
  put("cases.jsonl", std::string(good_capsule) + "\n");
  EXPECT_EQ(holds(std::string(evaluate_capsule) + " --cases cases.jsonl").out,
            holds(evaluate_capsule, good_capsule).out);
}

TEST_F(Command, EveryListedImplementationAnswers_long) {
  auto const described = Json::parse(holds("demeter list --json").out);
  for (auto const& kernel : described["kernels"]) {
    std::string const name = kernel["name"];
    put("cases.jsonl", holds("demeter generate " + name + " --count 3 --regime typical").out);
    std::vector<std::string> implementations;
    for (auto const& formula : kernel["formulas"])
      for (auto const* arithmetic : {"", "@double", "@long-double", "@mpfr:50"})
        implementations.push_back(formula["name"].get<std::string>() + arithmetic);
    implementations.push_back("fast");
    for (auto const& implementation : implementations) {
      auto const out =
          lines_of(holds("demeter evaluate " + name + " --cases cases.jsonl --implementation " + implementation).out);
      ASSERT_EQ(out.size(), 3u);
      for (auto const& line : out) EXPECT_TRUE(Json::parse(line).contains("output")) << implementation;
    }
  }
}

/// A child process with pipes to its standard input and from its standard output.
class Conversation {
 public:
  explicit Conversation(std::vector<char const*> arguments) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    arguments.push_back(nullptr);
    if (posix_spawn(&child_, arguments[0], &actions, nullptr, const_cast<char* const*>(arguments.data()), environ) != 0)
      throw std::runtime_error("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  ~Conversation() {
    close(to_);
    close(from_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }
  void say(std::string const& text) const { EXPECT_EQ(write(to_, text.data(), text.size()), ssize_t(text.size())); }
  /// Returns the next line, or nothing if no line arrives within 30 s.
  std::string hear() const {
    std::string line;
    for (char c = 0;;) {
      pollfd waiting{from_, POLLIN, 0};
      if (poll(&waiting, 1, 30'000) != 1 || read(from_, &c, 1) != 1) return "";
      if (c == '\n') return line;
      line += c;
    }
  }
  int finish() {
    close(to_);
    to_ = -1;
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
};

TEST_F(Command, LinesInAPipeAreAnsweredAtOnce) {
  for (auto const* implementation : {"fast", "reference"}) {
    Conversation with({DEMETER_COMMAND, "evaluate", "capsule_mass_properties", "--implementation", implementation});
    std::string const line = good_capsule;
    with.say(line + "\n");
    EXPECT_TRUE(contains(with.hear(), "\"output\""));
    with.say(line + "\n" + line.substr(0, 20));
    EXPECT_TRUE(contains(with.hear(), "\"output\""));
    with.say(line.substr(20) + "\n");
    EXPECT_TRUE(contains(with.hear(), "\"output\""));
    EXPECT_EQ(with.finish(), 0);
  }
}

// ---------------------------------------------------------------------------------------------------------- explain

TEST_F(Command, ExplainShowsAGeneratedCase) {
  auto const lines = lines_of(holds("demeter generate segment_distance --count 8 --seed 3").out);
  auto const out = holds("demeter explain segment_distance 7 --seed 3").out;
  for (auto const* title : {"input", "truth", "reference", "fast@", "verdict", "laws", "pass"})
    EXPECT_TRUE(contains(out, title)) << title;
  auto const input = Json::parse(lines[7])["input"];
  EXPECT_EQ(holds("demeter explain segment_distance '" + input.dump() + "'").out, out) << "the same case as JSON";
  EXPECT_EQ(holds("demeter explain segment_distance '" + lines[7] + "'").out, out) << "the same case as a line";
  EXPECT_NE(holds("demeter explain segment_distance 7 --seed 3 --regime touching").out, out);
}

TEST_F(Command, ExplainShowsWhatALawCompares) {
  auto const line = "demeter explain segment_distance 0 --law motion";
  auto const out = holds(line).out;
  EXPECT_TRUE(contains(out, "motion               holds"));
  auto const count = [](std::string const& text, std::string const& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_GE(count(out, "    {\"p0\":"), 3) << out;
  EXPECT_EQ(count(out, "    {\"p0\":"), count(out, "    -> {\"distance\":")) << out;
  EXPECT_EQ(count(out, "holds ("), 1) << "no other law";
  EXPECT_NE(holds(std::string(line) + " --salt 5").out, out) << "another salt, other motions";
}

TEST_F(Command, ExplainOfAFailureExitsOne) {
  // The textbook routine squares lengths. These squares overflow.
  fails(
      1,
      R"(demeter explain segment_distance '{"p0":[0,0,0],"p1":[1e200,0,0],"q0":[0,1e200,0],"q1":[1,1e200,1]}' --subject textbook)",
      "textbook@double fails on this case");
}

TEST_F(Command, ExplainPrintsNumbersBeforeUnits) {
  auto const ran =
      run("demeter explain segment_distance "
          R"('{"p0":[0,0,0],"p1":[1e200,0,0],"q0":[0,1e200,0],"q1":[1,1e200,1]}' --subject textbook)");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(line_after(ran.out.substr(ran.out.find("\nverdict\n")), "distance"), " FAIL ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, ", truth 1e+200")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "an answer is NaN or infinite")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "says nothing of this case")) << ran.out;
}

TEST_F(Command, ExplainCountsLawsThatDoNotApplyInOneLine) {
  std::string const line = "demeter explain segment_distance 0";
  auto const folded = lines_of(holds(line).out), all = lines_of(holds(line + " --all").out);
  auto const laws = [](std::vector<std::string> const& lines, std::string const& part) {
    return std::count_if(lines.begin(), lines.end(), [&](auto const& each) { return contains(each, part); });
  };
  EXPECT_EQ(laws(folded, "not applicable (--all)"), 1);
  EXPECT_TRUE(contains(folded.back(), std::to_string(laws(all, " not applicable")) + " law")) << folded.back();
  EXPECT_EQ(laws(folded, " holds ("), laws(all, " holds ("));
}

TEST_F(Command, ExplainOfABadCaseExitsThree) {
  fails(3, R"(demeter explain capsule_mass_properties '{"radius":-1,"shaft":0,"density":1}')",
        "radius: got -1, expected > 0");
  fails(3, R"(demeter explain capsule_mass_properties '{"radius":1}')", "missing key \"shaft\"");
  fails(3, R"(demeter explain capsule_mass_properties '{"radius":')", "demeter explain: ");
}

// ------------------------------------------------------------------------------------------------ check, list, doctor

TEST_F(Command, CheckOfFastPasses_long) {
  auto const out =
      holds("demeter check capsule_mass_properties segment_distance clump_force_torque --subject fast --count 300").out;
  for (auto const* kernel : {"capsule_mass_properties", "segment_distance", "clump_force_torque"})
    EXPECT_TRUE(line_after(out, std::string(kernel) + " ").find(" passed ") != std::string::npos) << kernel;
  EXPECT_FALSE(contains(out, "FAILED"));
}

TEST_F(Command, CheckTakesSubjectsAndKernelsInAnyOrder) {
  auto const out =
      holds("demeter check --subject fast segment_distance --count 300 --subject fast@scalar --regime typical").out;
  EXPECT_TRUE(contains(out, "fast@scalar              passed")) << out;
  EXPECT_FALSE(contains(out, "capsule_mass_properties")) << out;
  Ran const both = run("demeter check --subject fast,threshold segment_distance --count 50 --no-shrink");
  EXPECT_TRUE(contains(both.out, " fast@") && contains(both.out, "\nsegment_distance against threshold@double\n"))
      << both.out;
}

TEST_F(Command, EveryVerdictFitsOnOneScreenAndBeginsWithASentence_long) {
  auto const list = Json::parse(holds("demeter list --json").out);
  int screens = 0;
  for (auto const& kernel : list["kernels"]) {
    std::string const name = kernel["name"];
    for (auto const& subject : list["subjects"]) {
      auto const& ours = kernel["implementations"];
      bool const is_named =
          std::any_of(ours.begin(), ours.end(), [&](Json const& each) { return each["name"] == subject["name"]; });
      if (subject["approximate"] == true || (subject["ours"] == true && !is_named)) continue;
      // Only fast and documented are checked in all profiles. Many other formulas are slow, because they iterate to the
      // accuracy of a truth.
      std::string const of = subject["name"];
      bool const whole = of.starts_with("fast") || of.starts_with("documented");
      Ran const ran = run("demeter check " + name + (whole ? "" : " --profile everyday") +
                          " --count 4 --laws 2 --no-shrink --subject " + of);
      if (ran.code == 2) continue;  // the subject does not answer this kernel
      ++screens;
      expect_one_screen(ran.out, name + " " + of);
      auto const lines = lines_of(ran.out);
      ASSERT_GT(lines.size(), 2u) << ran.out;
      EXPECT_EQ(lines[1].rfind(name + " against ", 0), 0u) << lines[1];
      EXPECT_TRUE(contains(lines[2], "digit") || contains(lines[2], "wrong") || contains(lines[2], "answered nothing"))
          << ran.out;
    }
  }
  EXPECT_GT(screens, 30);
}

TEST_F(Command, SeveralVerdictsPrintOneLineEachAndThenTheFailures) {
  auto const out = run("demeter check segment_distance --subject fast,threshold,textbook --count 300 --no-shrink").out;
  expect_one_screen(out, "three subjects");
  auto const lines = lines_of(out);
  ASSERT_GT(lines.size(), 4u);
  EXPECT_EQ(lines[0].rfind("kernel ", 0), 0u) << out;
  EXPECT_TRUE(contains(lines[1], " passed ") && contains(lines[2], " FAILED ") && contains(lines[3], " FAILED "))
      << out;
  EXPECT_TRUE(contains(out, "\nsegment_distance against threshold@double\n  everyday: ")) << out;
}

TEST_F(Command, OptionAllPrintsEverything) {
  std::string const check =
      "demeter check segment_distance --subject textbook --profile everyday --count 200 --no-shrink";
  auto const screen = run(check).out, everything = run(check + " --all").out;
  EXPECT_FALSE(contains(screen, "holds in")) << screen;
  for (auto const* part :
       {"law motion ", "  distance (budget 1024 u S, contract: 8)", "    crossing ", " holds in ", " verdicts, "})
    EXPECT_TRUE(contains(everything, part)) << part << "\n" << everything;
}

TEST_F(Command, CheckDoesNotDependOnTheNumberOfThreads) {
  std::string const line =
      "demeter check segment_distance --subject textbook --count 9000 --regime near_parallel --json --jobs ";
  EXPECT_EQ(run(line + "1").out, run(line + "3").out);
}

TEST_F(Command, CheckOfAWrongFormulaExitsOneWithACommandThatReproducesIt) {
  Ran const ran = fails(1, "demeter check segment_distance --subject threshold --count 300",
                        "threshold@double fails segment_distance");
  auto const lines = lines_of(ran.out);
  auto const command =
      std::find_if(lines.begin(), lines.end(), [](auto const& line) { return contains(line, "demeter explain"); });
  ASSERT_NE(command, lines.end()) << ran.out;
  fails(1, *command, "threshold@double fails on this case");
}

TEST_F(Command, CheckOfBulletReportsItsBoxInertia) {
  auto const missing = Json::parse(holds("demeter list --json").out)["missing_peers"];
  for (auto const& peer : missing)
    if (peer.dump().find("bullet") != std::string::npos) GTEST_SKIP() << "Bullet is not in this build";
  Ran const ran = fails(1, "demeter check capsule_mass_properties --subject bullet --count 100 --regime typical",
                        "bullet fails capsule_mass_properties");
  EXPECT_TRUE(contains(ran.out, "typical: ixx ") || contains(ran.out, "typical: iyy ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "100        100      no  100 % of them, worst in ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "inertia_difference       in 100 % of 10 (typical)")) << ran.out;
}

TEST_F(Command, CheckOfMutantsReportsWhatKillsEach_long) {
  auto const out = lines_of(holds("demeter check --mutants capsule_mass_properties 2>/dev/null").out);
  EXPECT_TRUE(contains(out.back(), " mutants killed (100.0 %) in ")) << out.back();
  EXPECT_TRUE(std::any_of(out.begin(), out.end(), [](auto const& line) {
    return contains(line, "square_over_two ") && contains(line, "killed by iyy in typical, ") &&
           contains(line, " of 8 u |truth| after 7 cases, ");
  }));
  auto const json = Json::parse(holds("demeter check --mutants capsule_mass_properties --json 2>/dev/null").out);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["kernel"], "capsule_mass_properties");
  EXPECT_EQ(json[0]["mutants"]["killed"], json[0]["mutants"]["total"]);
}

TEST_F(Command, CheckWithSeveralSeedsPrintsOneLinePerSeed) {
  std::string const check = "demeter check capsule_mass_properties --count 300 --seed 7 --seeds 3 --subject ";
  auto const lines = lines_of(holds(check + "fast").out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].rfind("seed 7: capsule_mass_properties: 1 subjects, ", 0), 0u) << lines[0];
  EXPECT_TRUE(contains(lines[2], "seed 9: ") && contains(lines[2], "all passed")) << lines[2];
  EXPECT_EQ(lines[3], "3 seeds: 0 failed, 0 undecided");
  Ran const ran =
      fails(1, check + "reference --profile all", "reference@double fails capsule_mass_properties with seed 7");
  EXPECT_TRUE(contains(ran.out, "3 seeds: 3 failed")) << ran.out;
}

TEST_F(Command, CheckPrintsJson) {
  auto const results = Json::parse(holds("demeter check segment_distance --subject fast --count 300 --json").out);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["name"], "segment_distance");
  ASSERT_EQ(results[0]["subjects"].size(), 1u);
  EXPECT_TRUE(contains(results[0]["subjects"][0].dump(), "\"pass\""));
  Ran const ran =
      fails(1, "demeter check segment_distance --subject threshold --count 50 --json", "threshold@double fails");
  EXPECT_TRUE(contains(Json::parse(ran.out)[0]["subjects"][0].dump(), "demeter explain"));
}

TEST_F(Command, AnInterruptedCheckPrintsWhatWasDone) {
  for (bool const json : {false, true}) {
    std::string const failures = json ? "failures_json" : "failures";
    pid_t const child =
        start("exec demeter check segment_distance --subject threshold --regime near_parallel --jobs 1 " +
              std::string("--count 100000000 --no-shrink ") + (json ? "--json " : "") + "--failures " + failures);
    wait_until_it_has_failed(folder / failures, child);
    kill(child, SIGINT);
    Ran const ran = finish(child);
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(lines_of(ran.err).size(), 1u);
    EXPECT_TRUE(contains(ran.err, "stopped: printed results are partial"));
    if (json) {
      Json const kernel = Json::parse(ran.out)[0];
      EXPECT_EQ(kernel["name"], "segment_distance");
      EXPECT_TRUE(contains(kernel["subjects"][0].dump(), "demeter explain"));
    } else {
      EXPECT_TRUE(contains(ran.out, "segment_distance against threshold@double: FAILED")) << ran.out;
      EXPECT_TRUE(contains(ran.out, "demeter explain segment_distance ")) << ran.out;
    }
  }
}

TEST_F(Command, ListPrintsTheSameFactsAsTextAndAsJson) {
  auto const all = Json::parse(holds("demeter list --json").out);
  std::set<std::string> names;
  for (auto const& kernel : all["kernels"]) {
    names.insert(kernel["name"]);
    auto const text = holds("demeter list " + kernel["name"].get<std::string>()).out;
    EXPECT_TRUE(contains(text, kernel["name"].get<std::string>() + ": " + kernel["summary"].get<std::string>()));
    for (auto const& regime : kernel["regimes"])
      EXPECT_TRUE(contains(text, "  regimes, " + regime["profile"].get<std::string>() + "\n")) << regime;
    for (auto const* part : {"input", "output", "budgets", "formulas", "regimes", "laws"}) {
      ASSERT_FALSE(kernel[part].empty()) << kernel["name"] << " " << part;
      for (auto const& entry : kernel[part]) {
        if (entry.contains("name")) {
          EXPECT_TRUE(contains(text, entry["doc"])) << entry;
        }
      }
    }
  }
  for (auto const* kernel : {"capsule_mass_properties", "segment_distance", "clump_force_torque"})
    EXPECT_TRUE(names.contains(kernel)) << kernel;
  EXPECT_FALSE(all["subjects"].empty());
  ASSERT_TRUE(all.contains("missing_peers"));
  auto const one = holds("demeter list segment_distance").out;
  EXPECT_TRUE(contains(one, "segment_distance:") && !contains(one, "clump_force_torque:"));
}

TEST_F(Command, ListPrintsOneLinePerKernel) {
  auto const out = holds("demeter list").out;
  expect_one_screen(out, "list");
  for (auto const* kernel : {"capsule_mass_properties ", "segment_distance ", "clump_force_torque "}) {
    auto const line = line_after(out, kernel);
    EXPECT_NE(line, "") << kernel;
  }
  EXPECT_TRUE(contains(out, "demeter list KERNEL: ")) << out;
}

TEST_F(Command, AMisspeltNameSuggestsTheRightOne) {
  struct Wrong {
    char const *line, *meant;
  };
  for (auto const& [line, meant] : std::vector<Wrong>{
           {"demeter chekc", "unknown verb \"chekc\"; did you mean check?"},
           {"demeter list segment_distnace", "did you mean segment_distance?"},
           {"demeter list segment", "did you mean segment_distance?"},
           {"demeter check segment_distance --subject tresh0ld", "did you mean threshold?"},
           {"demeter check segment_distance --subject fast,textbok", "did you mean textbook?"},
           {"demeter check segment_distance --subject fast --regime near_paralel", "did you mean near_parallel?"},
           {"demeter generate segment_distance --regime ^touchin", "did you mean touching?"},
           {"demeter generate segment_distance --profile evreyday", "did you mean everyday?"},
           {"demeter explain segment_distance 1 --law swpa", "did you mean swap?"},
           {"demeter evaluate segment_distance --implementation textbook@doubel", "unknown arithmetic"},
           {"demeter evaluate segment_distance --implementation textbok", "did you mean textbook?"}})
    fails(2, line, meant);
}

TEST_F(Command, DoctorReportsNoProblemOfThisBuild) {
  auto const out = holds("demeter doctor").out;
  for (auto const* what : {"instruction sets", "peers", "gnuplot", "segment_distance             sound"})
    EXPECT_TRUE(contains(out, what)) << what;
  EXPECT_FALSE(contains(out, "BROKEN"));
}

}  // namespace command_test
}  // namespace demeter
