// Tests external subjects through the command, as a user runs them.
#include "tests/outside/shell.hpp"
#include "tests/places.hpp"

namespace demeter {
namespace command_test {

std::string const sources = DEMETER_SOURCE "/tests/outside", libraries = DEMETER_OUTSIDE_LIBRARIES;
std::string const python = DEMETER_PYTHON;

/// One command finds the defect in a routine of a new user, shrinks a case, and prints the command that explains the
/// case.
class Newcomer : public OutsideCommand, public testing::WithParamInterface<char const*> {};

TEST_P(Newcomer, TheDefectIsFoundShrunkAndExplained) {
  std::string const subject = GetParam() == std::string("lib") ? "lib:" + libraries + "/textbook_newcomer.so"
                                                               : "'pipe:" + python + " " + sources + "/newcomer.py'";
  EXPECT_EQ(run("demeter check segment_distance --subject " + subject + " --count 500"), 1) << err;
  EXPECT_TRUE(contains(out, "segment_distance against " + std::string(GetParam()))) << out;
  EXPECT_TRUE(contains(out, "    scaling ")) << "a length taken for small whatever the unit:\n" << out;
  EXPECT_TRUE(contains(err, "fails segment_distance")) << err;
  auto const command = line_after(out, "demeter explain");
  ASSERT_NE(command, "") << out;
  EXPECT_LT(command.size(), 400u) << "a small case: " << command;
  EXPECT_EQ(run(command), 1) << command;
  for (auto const* part : {"input", "truth", "reference", "verdict", "laws"})
    EXPECT_TRUE(contains(out, part)) << part << "\n" << out;
  EXPECT_TRUE(contains(out, "FAIL") || contains(out, "BROKEN")) << out;
  EXPECT_TRUE(contains(err, "fails on this case")) << err;
}

INSTANTIATE_TEST_SUITE_P(Outside, Newcomer, testing::Values("lib", "pipe"),
                         [](auto const& subject) { return std::string(subject.param); });

TEST_F(OutsideCommand, TheAdapterTemplatesWork) {
  EXPECT_EQ(run("demeter check capsule_mass_properties --regime typical --count 2000 --subject lib:" + libraries +
                "/adapter_c.so"),
            0)
      << out << err;
  EXPECT_EQ(run("demeter check segment_distance --regime typical --count 2000 --subject lib:" + libraries +
                "/adapter_cpp.so"),
            0)
      << out << err;
  EXPECT_EQ(run("demeter check capsule_mass_properties --regime typical --count 2000 --subject 'pipe:" + python +
                " " DEMETER_SOURCE "/subjects/adapters/adapter.py'"),
            0)
      << out << err;
}

TEST_F(OutsideCommand, SubjectsInAListAreSeparatedByCommas) {
  EXPECT_EQ(run("cp " + libraries +
                "/adapter_c.so ./a,b.so; demeter check capsule_mass_properties --regime typical "
                "--count 300 --subject fast,reference,lib:a,b.so --subject fast@scalar"),
            0)
      << out << err;
  for (auto const* name : {" fast@", " reference@double ", " lib:a,b.so ", " fast@scalar "})
    EXPECT_TRUE(contains(out, name)) << name;
}

TEST_F(OutsideCommand, ACommaInAFileNameDoesNotSeparateSubjects) {
  EXPECT_EQ(run("cp " + libraries +
                "/adapter_c.so ./a,b.so; demeter check capsule_mass_properties --regime typical "
                "--count 300 --subject lib:./a,b.so,fast@scalar,lib:./a,b.so,reference"),
            0)
      << out << err;
  for (auto const* name : {" lib:./a,b.so ", " fast@scalar ", " reference@double "})
    EXPECT_TRUE(contains(out, name)) << name;
  EXPECT_EQ(run("demeter check capsule_mass_properties --regime typical --count 300 --subject 'pipe:" + python +
                " " DEMETER_SOURCE "/subjects/adapters/adapter.py one,two,fast'"),
            0)
      << out << err;
  EXPECT_TRUE(contains(out, " fast@")) << out;
  EXPECT_TRUE(contains(out, "adapter.py one,two ") || contains(out, " pipe:")) << out;
}

TEST_F(OutsideCommand, ACrashFailsOneSubjectAndTheOthersAreChecked) {
  EXPECT_EQ(run("demeter check segment_distance --regime typical --count 300 --subject lib:" + libraries +
                "/textbook_crashes.so,nothing"),
            2);
  EXPECT_EQ(run("demeter check segment_distance --regime typical --count 300 --subject lib:" + libraries +
                "/textbook_crashes.so --subject fast"),
            1)
      << err;
  EXPECT_TRUE(contains(out, "crashed in ")) << out;
  EXPECT_TRUE(contains(out, " passed ")) << "fast";
  auto const command = line_after(out, "demeter explain");
  EXPECT_EQ(run(command), 1) << command;
}

TEST_F(OutsideCommand, OutputOfAProgramThatIsNotAnAnswerIsQuoted) {
  EXPECT_EQ(run("demeter check capsule_mass_properties --regime typical --count 300 --subject 'pipe:" + python + " " +
                sources + "/misbehave.py chatter_always'"),
            1);
  EXPECT_TRUE(contains(err, "that answer no case; the first: expected a JSON object: \"thinking ...\"")) << err;
}

TEST_F(OutsideCommand, RecordedAnswersAreCheckedForTheirOwnCases) {
  EXPECT_EQ(
      run("demeter generate clump_force_torque --count 300 | demeter evaluate clump_force_torque --implementation "
          "fast > answers.jsonl; demeter check clump_force_torque --subject file:answers.jsonl"),
      0)
      << err;
  EXPECT_TRUE(contains(out, "       300          0 ")) << out;
  EXPECT_EQ(run("sed '7s/\"output\":.*/\"output\":{\"force\":[1,2,3]}}/' answers.jsonl > wrong.jsonl; demeter check "
                "clump_force_torque --subject file:wrong.jsonl"),
            1);
  EXPECT_TRUE(contains(out, "       300          2      no  0.33 %, worst in force, 1 unreadable")) << out;
  EXPECT_EQ(run(line_after(out, "demeter explain")), 1) << err;
  EXPECT_EQ(run("demeter check clump_force_torque --subject fast --subject file:answers.jsonl --count 300 --json"), 0);
  EXPECT_EQ(run("demeter bench --subject file:answers.jsonl"), 2);
  EXPECT_TRUE(contains(err, "recorded answers cannot be timed")) << err;
}

TEST_F(OutsideCommand, EvaluateAnswersWithAnySubject) {
  EXPECT_EQ(run("demeter generate capsule_mass_properties --count 100 --regime typical | demeter evaluate "
                "capsule_mass_properties --implementation lib:" +
                libraries + "/adapter_c.so | demeter verify capsule_mass_properties"),
            0)
      << err;
  EXPECT_TRUE(contains(out, "100 answers, 100 pass")) << out;
  EXPECT_EQ(run("demeter evaluate capsule_mass_properties --implementation lib:missing.so"), 2);
  EXPECT_TRUE(contains(err, "missing.so: cannot open shared object file")) << err;
}

TEST_F(OutsideCommand, BenchTimesLibrariesInAChildProcess_timing) {
  std::string const options = " --regime typical --time 0.001 --repetitions 3";
  EXPECT_EQ(
      run("demeter bench capsule_mass_properties" + options + " --subject fast,lib:" + libraries + "/adapter_c.so"), 0)
      << err;
  EXPECT_TRUE(contains(out, "adapter_c.so")) << out;
  EXPECT_EQ(
      run("demeter bench capsule_mass_properties" + options + " --json --subject lib:" + libraries + "/adapter_c.so"),
      0)
      << err;
  EXPECT_TRUE(contains(out, "\"benchmarks\"")) << out;
  EXPECT_EQ(run("demeter bench capsule_mass_properties" + options + " --subject 'pipe:" + python +
                " " DEMETER_SOURCE "/subjects/adapters/adapter.py'"),
            0)
      << err;
  EXPECT_TRUE(contains(out, "adapter.py")) << out;
  EXPECT_EQ(run("demeter bench segment_distance" + options + " --filter '/(ode|bullet|fcl)/'"), 0) << "peers: " << err;
  EXPECT_EQ(run("demeter bench capsule_mass_properties" + options + " --subject fast@scalar,pipe:false"), 2);
  EXPECT_EQ(err, "demeter bench: pipe:false ends before its first answer: exit code 1\n");
  EXPECT_EQ(run("demeter bench segment_distance" + options + " --timeout 5 --subject lib:" + libraries +
                "/textbook_crashes.so"),
            0)
      << "it crashes at some cases, and is timed on the others: " << err;
  EXPECT_TRUE(contains(out, "crashes.so")) << out;
  std::ofstream(folder / "decline.py") << "import sys\nfor line in sys.stdin:\n"
                                          "    print('{\"unsupported\":\"later\"}', flush=True)\n";
  EXPECT_EQ(run("demeter bench capsule_mass_properties" + options + " --subject 'pipe:" + python +
                " decline.py' --subject fast@scalar"),
            0)
      << err;
  EXPECT_TRUE(contains(out, "declines all of ")) << "no time of a refusal: " << out;
  EXPECT_TRUE(contains(out, "fast@scalar")) << out;
}

TEST_F(OutsideCommand, ASubjectThatCrashesInALaterRepetitionHasNoTime_timing) {
  for (char const* const json : {"", " --json"}) {
    EXPECT_EQ(
        run("demeter bench capsule_mass_properties --regime typical --each 0.1 --time 6 --repetitions 9 --subject "
            "fast@scalar,lib:" +
            libraries + "/misbehave_crash_after_a_while.so" + json),
        1)
        << err;
    EXPECT_TRUE(contains(err, "misbehave_crash_after_a_while.so could not be timed on capsule_mass_properties")) << err;
    EXPECT_TRUE(contains(out, "fast@scalar")) << out;
  }
  EXPECT_TRUE(contains(out, "\"error_message\": \"this repetition failed or was stopped\"")) << out;
}

TEST_F(OutsideCommand, ASubjectThatCannotStartEndsTheCheckAtOnce) {
  auto const begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run("demeter check --subject 'pipe:echo no such module >&2; exit 1'"), 2);
  EXPECT_TRUE(contains(err, " ends before its first answer: exit code 1: no such module\n")) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
  EXPECT_EQ(run("demeter check capsule_mass_properties --subject pipe:/no/such/program"), 2);
  EXPECT_TRUE(contains(err, "exit code 127: ")) << err;
  EXPECT_EQ(run("demeter check capsule_mass_properties --subject lib:" + libraries + "/misbehave_exit_on_load.so"), 2);
  EXPECT_TRUE(contains(err, "cannot be loaded: exit code 3\n")) << err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "ten seconds each";
}

TEST_F(OutsideCommand, ASlowSubjectGetsFewerCases) {
  std::ofstream(folder / "slow.py") << "import sys, time\nfor line in sys.stdin:\n    time.sleep(.01)\n"
                                       "    print('{\"unsupported\":\"later\"}', flush=True)\n";
  auto const begin = std::chrono::steady_clock::now();
  run("demeter check capsule_mass_properties --time 2 --json --no-shrink --subject 'pipe:" + python + " slow.py'");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60)) << "20,000 cases would take minutes";
  EXPECT_TRUE(contains(out, "\"unsupported\": ")) << err;
  EXPECT_FALSE(contains(out, "\"cases\": 20000")) << out.substr(0, 1000);
}

TEST_F(OutsideCommand, TimeAndMemoryLimitsCanBeSetByOptions) {
  std::string const hang = "demeter check capsule_mass_properties --count 300 --regime typical --no-shrink --laws 1 ";
  EXPECT_EQ(run(hang + "--timeout 0.2 --subject 'pipe:sleep 100'"), 1);
  EXPECT_TRUE(contains(out, "hung in ")) << out;
  EXPECT_EQ(run(hang + "--timeout 0 --subject fast"), 2);
  EXPECT_EQ(run(hang + "--memory -1 --subject fast"), 2);
  // The library computes in double. Its answers are judged as floats, for inputs rounded to float. They are therefore
  // far within the budget.
  EXPECT_EQ(run(hang + "--memory 0 --binary32 --subject lib:" + libraries + "/adapter_c.so"), 0);
  EXPECT_TRUE(contains(out, "passed")) << out;
}

TEST_F(OutsideCommand, SinglePrecisionIsJudgedInUnitsOfFloat) {
  // The answers are correctly rounded to float. If they are judged as doubles, they are far over each budget.
  std::ofstream(folder / "single.c")
      << "#include <stddef.h>\n#include <math.h>\n"
         "int demeter_abi_version(void) { return 1; }\n"
         "char const* demeter_subject_name(void) { return \"single\"; }\n"
         "#ifdef SAYS_SO\nint demeter_subject_precision(void) { return 24; }\n#endif\n"
         "int demeter_capsule_mass_properties(size_t n, double const* const in[], double* const out[], size_t room) {\n"
         "  (void)room;\n"
         "  for (size_t i = 0; i < n; ++i) {\n"
         "    double r = in[0][i], a = in[1][i], v = 3.14159265358979324 * r * r * (4 * r / 3 + a);\n"
         "    if (out[0]) out[0][i] = (float)v;\n"
         "    if (out[1]) out[1][i] = (float)(v * in[2][i] * DENSER);\n"
         "    if (out[4]) out[4][i] = (float)(r + a / 2);\n"
         "  }\n  return 0;\n}\n";
  auto const compile = [&](std::string const& options) {
    return run("cc -shared -fPIC " + options + " single.c -o single.so");
  };
  std::string const check = "demeter check capsule_mass_properties --regime typical --count 300 ";
  ASSERT_EQ(compile("-DDENSER=1 -DSAYS_SO"), 0) << err;
  EXPECT_EQ(run(check + "--subject lib:./single.so"), 0) << out << err;
  EXPECT_TRUE(contains(out, "broken") == false) << "no law is broken: " << out;
  ASSERT_EQ(compile("-DDENSER=1"), 0) << err;
  EXPECT_EQ(run(check + "--subject lib:./single.so"), 1) << "as doubles they are wrong";
  EXPECT_EQ(run(check + "--binary32 --failures other --subject lib:./single.so"), 0) << out << err;
  // A defect of 20 units of 2^-24 must be found. The printed command must reproduce it.
  ASSERT_EQ(compile("-DDENSER=1.0000012 -DSAYS_SO"), 0) << err;
  EXPECT_EQ(run(check + "--tolerance strict --failures third --subject lib:./single.so"), 1);
  std::string const explain = line_after(out, "demeter explain");
  ASSERT_FALSE(explain.empty()) << out;
  EXPECT_TRUE(contains(explain, "--binary32")) << explain;
  EXPECT_EQ(run(explain), 1) << err;
  EXPECT_TRUE(contains(out, "rounded to binary32")) << out;
}

TEST_F(OutsideCommand, ListPrintsTheColumnsOfTheCInterface) {
  EXPECT_EQ(run("demeter list clump_force_torque --abi"), 0);
  EXPECT_TRUE(contains(
      out, "int demeter_clump_force_torque(size_t n, double const* const in[], double* const out[], size_t room)"));
  EXPECT_TRUE(contains(out, "in[3]     members              n + 1 offsets")) << out;
  EXPECT_TRUE(contains(out, "out[5]    torque[2]")) << out;
}

}  // namespace command_test
}  // namespace demeter
