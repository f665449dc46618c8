// Tests that an external subject may behave in any way. The case that caused the behaviour gets a verdict, and the
// other cases are answered.
#include "subjects/subjects.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "tests/core/sanitized.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace demeter {
namespace subjects_test {

namespace fs = std::filesystem;
using Input = capsule_mass_properties::Input<double>;
using Output = capsule_mass_properties::Output<double>;

Kernel const& kernel() { return *find_kernel("capsule_mass_properties"); }

/// Capsules of radius 1, 2, .... The subjects misbehave in the case with radius 7, which is row `culprit`.
constexpr std::size_t count = 20, culprit = 6;
Table capsules(std::size_t rows = count) {
  Table table(kernel().input);
  for (std::size_t i = 0; i < rows; ++i) append(table, Input{static_cast<double>(i + 1), 2, 1000});
  return table;
}

double mass(double radius) { return 1000 * M_PI * radius * radius * (4 * radius / 3 + 2); }

SubjectOptions within(double seconds) {
  SubjectOptions options;
  options.time = std::chrono::milliseconds(static_cast<int>(1000 * seconds));
  options.memory = std::size_t{128} << 20;  // low: the test fills this memory, which takes long
  return options;
}

std::string library(std::string const& deed) { return "lib:" DEMETER_OUTSIDE_LIBRARIES "/misbehave_" + deed + ".so"; }
std::string program(std::string const& deed) {
  return "pipe:" DEMETER_PYTHON " " DEMETER_SOURCE "/tests/outside/misbehave.py " + deed;
}

/// Opens a new subject at each call, so that tests do not share the state of a subject.
Subject open(std::string const& what, SubjectOptions const& options) {
  Opened opened = open_outside(what, options);
  EXPECT_EQ(opened.wrong, "");
  if (!opened.subject) return {};
  EXPECT_EQ(opened.subject->name, what);
  EXPECT_FALSE(opened.subject->ours());
  return std::move(*opened.subject);
}

Answers ask(Subject const& subject, Table const& cases) {
  Answers answers;
  if (subject.find("capsule_mass_properties") == nullptr) {
    ADD_FAILURE() << subject.name << " answers no capsules";
    return answers;
  }
  answer(subject, kernel(), cases, answers);
  EXPECT_EQ(answers.status.size(), cases.rows);
  EXPECT_EQ(answers.output.rows, cases.rows);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  return answers;
}

std::string verdict(Answers const& answers, std::size_t row) {
  auto const message = answers.message.find(row);
  return std::string(labels(Status{})[static_cast<std::size_t>(answers.status.at(row))]) +
         (message == answers.message.end() ? "" : ": " + message->second);
}

void expect_answered(Answers const& answers, std::set<std::size_t> const& without = {culprit}) {
  for (std::size_t row = 0; row < answers.status.size(); ++row) {
    if (without.contains(row)) continue;
    ASSERT_EQ(verdict(answers, row), "answered") << "row " << row;
    ASSERT_NEAR(load<Output>(answers.output, row).mass / mass(static_cast<double>(row + 1)), 1, 1e-12);
  }
}

struct Deed {
  char const* name;
  char const* verdict;  ///< the beginning of the verdict on the culprit
  double seconds = 10;
  char const* stray = "";  ///< a part of the program's output that is not an answer
};
void PrintTo(Deed const& deed, std::ostream* out) { *out << deed.name; }

// -------------------------------------------------------------------------------------------------------- libraries

class Library : public testing::TestWithParam<Deed> {};

TEST_P(Library, MisbehaviourAffectsOnlyItsCase) {
  Deed const deed = GetParam();
  if (sanitized && std::string(deed.name) == "memory") GTEST_SKIP() << "memory is not limited under sanitizers";
  Subject const subject = open(library(deed.name), within(deed.seconds));
  Answers const answers = ask(subject, capsules());
  expect_answered(answers);
  EXPECT_EQ(verdict(answers, culprit).rfind(deed.verdict, 0), 0u) << verdict(answers, culprit);
  Answers const again = ask(subject, capsules());
  EXPECT_EQ(verdict(again, culprit), verdict(answers, culprit));
}

INSTANTIATE_TEST_SUITE_P(
    Outside, Library,
    testing::Values(Deed{"null", sanitized ? "crash" : "crash: signal 11 (SIGSEGV)"},
                    Deed{"abort", "crash: signal 6 (SIGABRT)"}, Deed{"exit", "crash: exit code 3"},
                    Deed{"exit_well", "crash: exit code 0"}, Deed{"recursion", "crash: signal 11"},
                    Deed{"hang", "timeout: no answer within 1 s", 1}, Deed{"spin", "timeout: no answer within 1 s", 1},
                    Deed{"memory", "crash: "}, Deed{"rounding", "malformed: returned with the rounding mode"},
                    Deed{"write_after", "malformed: wrote outside the column out[1]"},
                    Deed{"write_before", "malformed: wrote outside the column out[0]"},
                    Deed{"write_far", "crash: signal 11"}, Deed{"write_input", "malformed: wrote to its input, in[0]"},
                    Deed{"refuse", "unsupported: returned 5"}, Deed{"nothing", "malformed: no output"},
                    Deed{"close", "crash: "}, Deed{"garbage", "malformed: unexpected data instead of answers"}),
    [](auto const& deed) { return std::string(deed.param.name); });

TEST(Outside, ALibraryMayPrintAndLeaveAChildProcess) {
  for (char const* const deed : {"flood", "child", "none", "no_name", "strange_name"})
    expect_answered(ask(open(library(deed), within(10)), capsules()), {});
  EXPECT_EQ(open(library("strange_name"), {}).doc, "<b>two lines ?</b>");
}

TEST(Outside, NaNAndInfinityOfALibraryAreAnswersThatFail) {
  for (char const* const deed : {"nan", "infinity"}) {
    Table const cases = capsules();
    Answers const answers = ask(open(library(deed), within(10)), cases);
    expect_answered(answers);
    ASSERT_EQ(answers.status[culprit], Status::answered);
    std::vector<Judged> judged(kernel().budgets.size());
    kernel().judge(cases, kernel().truths(cases), culprit, answers, culprit, {}, judged);
    EXPECT_FALSE(judged[0].computed);
    EXPECT_TRUE(judged[1].computed && judged[1].verdict == Verdict::fail) << deed;
  }
}

TEST(Outside, ALibraryThatCrashesOnLoadingIsRefused) {
  for (Deed const& deed : {Deed{"exit_on_load", "cannot be loaded: exit code 3"},
                           Deed{"crash_on_load", "cannot be loaded: signal 11 (SIGSEGV)"},
                           Deed{"hang_on_load", "cannot be loaded: no answer within 0.5 s", 0.5}}) {
    auto const opened = open_outside(library(deed.name), within(deed.seconds));
    EXPECT_FALSE(opened.subject) << deed.name;
    EXPECT_TRUE(opened.wrong.ends_with(deed.verdict)) << opened.wrong;
  }
}

TEST(Outside, AProgramThatEndsBeforeItsFirstAnswerIsReportedWithTheReason) {
  std::vector<Kernel const*> const asked{&kernel()};
  auto const begin = std::chrono::steady_clock::now();
  for (auto const& [command, words] : std::vector<std::pair<std::string, std::string>>{
           {"pipe:/no/such/program", "exit code 127: "},
           {"pipe:false", "exit code 1"},
           {"pipe:true", "exit code 0"},
           {"pipe:echo first >&2; echo 'no module named mine' >&2; exit 3", "exit code 3: no module named mine"},
           {"pipe:kill -9 $$", "signal 9 (SIGKILL)"},
           {program("exit_first"), "exit code "}}) {
    auto const why = cannot_start(open(command, within(10)), asked);
    ASSERT_TRUE(why) << command;
    EXPECT_TRUE(why->find(" ends before its first answer: " + words) != std::string::npos) << *why;
    EXPECT_EQ(why->find('\n'), std::string::npos);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  for (auto const& command : {program("unsupported"), program("echo"), std::string("pipe:sleep 1000")})
    EXPECT_FALSE(cannot_start(open(command, within(0.3)), asked)) << command;
  EXPECT_FALSE(cannot_start(*find_subject("fast"), asked));
}

TEST(Outside, InvalidSubjectsAreReportedInOneLine) {
  auto const folder = fs::path(testing::TempDir()) / ("demeter-outside-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "text.so") << "not a library\n";
  std::ofstream(folder / "empty.jsonl") << "";
  for (auto const& [what, part] : std::vector<std::pair<std::string, std::string>>{
           {"lib:missing.so", "missing.so: cannot open shared object file"},
           {"lib:" + (folder / "text.so").string(), "text.so: file too short"},
           {library("wrong_version"), "demeter_abi_version() is 7, expected 1"},
           {library("wrong_precision"), "demeter_subject_precision() is 64, expected 24 or 53"},
           {"lib:" DEMETER_OUTSIDE_LIBRARIES "/another_peer.so", "has no function demeter_abi_version"},
           {"lib:" DEMETER_OUTSIDE_LIBRARIES "/no_kernel.so",
            "has no function of a kernel; expected one of demeter_capsule_mass_properties, "},
           {"lib:", "expected a path after lib:"},
           {"file:", "expected a path after file:"},
           {"pipe:", "expected a command after pipe:"},
           {"file:missing.jsonl", "missing.jsonl: No such file"},
           {"file:/tmp", "/tmp: Is a directory"},
           {"file:" + (folder / "empty.jsonl").string(), "empty.jsonl: has no answers to any kernel"}}) {
    Found const found = find_subject(what, {});
    EXPECT_EQ(found.subject, nullptr) << what;
    EXPECT_NE(found.wrong.find(part), std::string::npos) << what << ": " << found.wrong;
    EXPECT_EQ(found.wrong.find('\n'), std::string::npos);
  }
  fs::remove_all(folder);
}

TEST(Outside, ASubjectInBinary32GetsInputsRoundedToFloat) {
  Subject const subject = open(library("binary32"), within(10));
  EXPECT_TRUE(subject.binary32);
  Table cases(kernel().input);
  append(cases, Input{0.1, 2, 1000});
  append(cases, Input{1e300, 2, 1000});
  append(cases, Input{1e-300, 2, 1000});
  append(cases, Input{3, 2, 1000});
  Answers const answers = ask(subject, cases);
  EXPECT_EQ(load<Output>(answers.output, 0).mass, static_cast<double>(0.1f));
  for (std::size_t const row : {1u, 2u})
    EXPECT_EQ(verdict(answers, row), "not_representable: outside the domain after rounding to binary32");
  EXPECT_EQ(load<Output>(answers.output, 3).mass, 3);
  SubjectOptions options;
  options.binary32 = true;
  EXPECT_TRUE(open(program("none"), options).binary32);
  EXPECT_FALSE(open(library("none"), {}).binary32);
}

TEST(Outside, ASubjectWithTheSameOptionsIsOpenedOnlyOnce) {
  EXPECT_EQ(find_subject(library("none")), find_subject(library("none")));
  EXPECT_NE(find_subject(library("none"), within(1)).subject, find_subject(library("none")));
  EXPECT_EQ(find_subject("fast", within(1)).subject, find_subject("fast"));
  EXPECT_EQ(find_subject("nonsense", within(1)).subject, nullptr);
  EXPECT_EQ(find_subject("nonsense", within(1)).wrong, "");
}

TEST(Outside, TheTimeForASubjectThatAlwaysCrashesIsBoundedInTheWholeRun) {
  Subject const subject = open(library("null"), within(10));
  Table cases(kernel().input);
  for (int i = 0; i < 1000; ++i) append(cases, Input{7, 2, 1000});
  Answers answers = ask(subject, cases);
  EXPECT_EQ(verdict(answers, 999), "not_asked: given up after 200 crashes of the subject");
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) answers = ask(subject, cases);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(answers.status[0], Status::crash) << "a few are still tried, so that a case can be shrunk";
  EXPECT_EQ(answers.status[999], Status::not_asked);
}

TEST(Outside, TheNumberOfTimeoutsOfASubjectIsBoundedInTheWholeRun) {
  for (std::string const& what : {library("hang"), program("hang")}) {
    SubjectOptions options = within(1);
    options.timeouts = 2;
    Subject subject = open(what, options);
    Table cases(kernel().input);
    for (int i = 0; i < 5; ++i) append(cases, Input{i == 3 ? 7.0 : 1.0, 2, 1000});
    Answers answers = ask(subject, cases);
    EXPECT_EQ(answers.status[3], Status::timeout) << what;
    // After ten times the permitted number of timeouts, the subject is not asked any more. Each table costs a timeout.
    for (int i = 0; i < 20; ++i) answers = ask(subject, cases);
    EXPECT_EQ(verdict(answers, 0).rfind("not_asked: given up after", 0), 0u) << what << verdict(answers, 0);
  }
}

// --------------------------------------------------------------------------------------------------------- programs

class Program : public testing::TestWithParam<Deed> {};

TEST_P(Program, MisbehaviourAffectsOnlyItsCase) {
  Deed const deed = GetParam();
  Subject const subject = open(program(deed.name), within(deed.seconds));
  for (int round = 0; round < 2; ++round) {
    Answers const answers = ask(subject, capsules());
    expect_answered(answers);
    EXPECT_EQ(verdict(answers, culprit).rfind(deed.verdict, 0), 0u) << verdict(answers, culprit);
    if (deed.verdict == std::string("answered")) expect_answered(answers, {});
  }
  std::string const stray = deed.stray;
  EXPECT_EQ(subject.strays->lines() > 0, !stray.empty()) << subject.strays->first();
  EXPECT_NE(subject.strays->first().find(stray), std::string::npos) << subject.strays->first();
}

INSTANTIATE_TEST_SUITE_P(
    Outside, Program,
    testing::Values(
        Deed{"none", "answered"}, Deed{"segfault", "crash: exit code 139, the code of a shell for signal 11 (SIGSEGV)"},
        Deed{"abort", "crash: exit code 134, the code of a shell for signal 6"},
        Deed{"exit", "crash: exit code 3: on two lines"},
        Deed{"exception", "crash: exit code 1: ValueError: out of luck"}, Deed{"end", "missing: exit code 0"},
        Deed{"hang", "timeout: no answer within 3 s", 3}, Deed{"stubborn", "timeout: no answer within 3 s", 3},
        Deed{"garbage", "missing", 10, "\"this is not JSON\""},
        Deed{"binary", "missing", 10, "expected a JSON object: \"?????"},
        Deed{"half_line", "missing", 10, "\"{\"id\": "}, Deed{"duplicate", "malformed: answered twice"},
        Deed{"missing", "missing: exit code 0"},
        Deed{"unknown_id", "missing", 10, "id 123456789 is not one of the cases"},
        Deed{"negative_id", "missing", 10, "id: expected a non-negative integer"},
        Deed{"bare_nan", "malformed: output.mass: not JSON: "},
        Deed{"flood", "malformed: a flood of output", 10, "expected a JSON object: \"over and over again\""},
        Deed{"long_line", "malformed: a flood of output: a line of more", 10, "a flood of output"},
        Deed{"flood_of_errors", "answered"}, Deed{"chatter", "answered", 10, "\"thinking about radius 7 ...\""},
        Deed{"chatter_always", "answered", 10, "\"thinking ...\""},
        Deed{"wrong_kernel", "malformed: kernel: \"something_else\", expected \"capsule_mass_properties\""},
        Deed{"unknown_output", "malformed: output: unknown key \"colour\""}, Deed{"more_keys", "answered"},
        Deed{"no_output", "malformed: no output"},
        Deed{"two_answers", "malformed: more than one of output, unsupported, error"},
        Deed{"echo", "malformed: expected one of the keys output"}, Deed{"unsupported", "unsupported: seven"},
        Deed{"error", "malformed: error for a valid case: radius: 7, expected < 7"},
        Deed{"memory", "crash: exit code 1"}, Deed{"child", "crash: exit code 137"},
        Deed{"daemon", "crash: exit code 137"}, Deed{"close_input", "answered"},
        Deed{"close_output", "timeout: no answer within 2 s", 2}, Deed{"hang_after", "answered"},
        Deed{"no_id", "answered"}, Deed{"swap", "answered"}, Deed{"at_end", "answered"}, Deed{"reverse", "answered"},
        Deed{"last_line", "answered"}, Deed{"block", "answered"}, Deed{"slow_start", "answered"}),
    [](auto const& deed) { return std::string(deed.param.name); });

TEST(Outside, NaNAndInfinityOfAProgramAreAnswersThatFail) {
  for (char const* const deed : {"nan", "infinity"}) {
    Table const cases = capsules();
    Answers const answers = ask(open(program(deed), within(10)), cases);
    expect_answered(answers);
    ASSERT_EQ(answers.status[culprit], Status::answered);
    std::vector<Judged> judged(kernel().budgets.size());
    kernel().judge(cases, kernel().truths(cases), culprit, answers, culprit, {}, judged);
    EXPECT_TRUE(judged[1].computed && judged[1].verdict == Verdict::fail) << deed;
  }
}

TEST(Outside, AProgramThatNeverAnswersIsGivenUp) {
  for (auto const& [what, expected] :
       std::vector<std::pair<std::string, Status>>{{"pipe:true", Status::missing},
                                                   {"pipe:false", Status::crash},
                                                   {"pipe:exit 9", Status::crash},
                                                   {"pipe:/no/such/program", Status::crash},
                                                   {"pipe:cat >/dev/null", Status::missing},
                                                   {"pipe:sleep 1000", Status::timeout},
                                                   {"pipe:exec sleep 1000 >&-", Status::missing},
                                                   {"pipe:yes", Status::malformed},
                                                   {"pipe:cat", Status::malformed},
                                                   {program("exit_first"), Status::crash},
                                                   {program("hang_first"), Status::timeout}}) {
    auto const start = std::chrono::steady_clock::now();
    Answers const answers = ask(open(what, within(expected == Status::timeout ? 0.3 : 20)), capsules(5));
    EXPECT_EQ(verdict(answers, 0).rfind(labels(Status{})[static_cast<std::size_t>(expected)], 0), 0u)
        << what << " " << verdict(answers, 0);
    for (Status const status : answers.status) EXPECT_NE(status, Status::answered) << what;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << what;
  }
}

TEST(Outside, AMissingProgramIsACrashWithItsName) {
  Answers const answers = ask(open("pipe:/no/such/program", within(10)), capsules(1));
  EXPECT_EQ(verdict(answers, 0).rfind("crash: exit code 127", 0), 0u) << verdict(answers, 0);
  EXPECT_NE(verdict(answers, 0).find("/no/such/program"), std::string::npos) << verdict(answers, 0);
}

TEST(Outside, OneProcessAnswersManyBatchesLargerThanItsPipe) {
  Subject const subject = open(program("none"), within(20));
  expect_answered(ask(subject, capsules(30'000)), {culprit});
  for (std::size_t rows = 1; rows < 40; ++rows) expect_answered(ask(subject, capsules(rows)), {culprit});
  expect_answered(ask(subject, capsules(0)));
}

TEST(Outside, AProgramMayBufferItsAnswers) {
  for (char const* const deed : {"at_end", "block"}) {
    Subject const subject = open(program(deed), within(20));
    expect_answered(ask(subject, capsules(10'000)), {culprit});
    for (std::size_t rows = 1; rows < 10; ++rows) expect_answered(ask(subject, capsules(rows)), {culprit});
    EXPECT_EQ(subject.strays->lines(), 0u) << subject.strays->first();
  }
}

TEST(Outside, SeveralThreadsMayCallOneProgram) {
  Subject const subject = open(program("none"), within(20));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) expect_answered(ask(subject, capsules(50)));
    });
  for (auto& thread : threads) thread.join();
  // The thread that started the program has ended. The program must still run.
  expect_answered(ask(subject, capsules(50)));
  EXPECT_EQ(subject.strays->lines(), 0u) << subject.strays->first();
}

bool alive(pid_t process) { return ::kill(process, 0) == 0; }

/// Returns whether the process whose id is in the file ends within a minute.
bool ends(fs::path const& file) {
  pid_t process = 0;
  for (int i = 0; i < 6000; ++i) {
    if (process == 0) std::ifstream(file) >> process;
    if (process != 0 && !alive(process)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (process != 0) ::kill(process, SIGKILL);
  return false;
}

TEST(Outside, ChildProcessesEndWithTheirProgram) {
  auto const file = fs::path(testing::TempDir()) / ("demeter-left-" + std::to_string(::getpid()));
  for (char const* const start : {"", "setsid "}) {
    fs::remove(file);
    {
      Subject const subject =
          open("pipe:" + std::string(start) + "sleep 1000 & echo $! > " + file.string() + "; exec cat > /dev/null",
               within(5));
      ask(subject, capsules(2));
    }
    EXPECT_TRUE(ends(file)) << start;
  }
  fs::remove(file);
}

TEST(Outside, AProgramEndsIfTheHarnessIsKilled) {
  auto const file = fs::path(testing::TempDir()) / ("demeter-killed-" + std::to_string(::getpid()));
  fs::remove(file);
  pid_t const harness = ::fork();
  if (harness == 0) {
    Subject const subject =
        open("pipe:setsid sleep 1000 & echo $! > " + file.string() + "; trap '' TERM HUP; sleep 999; cat", within(100));
    ask(subject, capsules(2));
    ::_exit(0);
  }
  for (int i = 0; i < 9'000 && (!fs::exists(file) || fs::file_size(file) == 0); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(harness, SIGKILL);
  ::waitpid(harness, nullptr, 0);
  EXPECT_TRUE(ends(file));
  fs::remove(file);
}

TEST(Outside, SubjectsLeaveNoOpenFilesAndNoProcesses) {
  auto const open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  // The children of this process may include those of other tests.
  auto const children = [] {
    std::string text;
    std::getline(std::ifstream("/proc/self/task/" + std::to_string(::getpid()) + "/children"), text);
    return text;
  };
  auto const before = open_files();
  auto const children_before = children();
  for (char const* const deed : {"none", "segfault", "at_end"}) ask(open(program(deed), within(10)), capsules());
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(children(), children_before);
}

// ------------------------------------------------------------------------------------------------- recorded answers

TEST(Outside, RecordedAnswersAreFoundByTheirInputs) {
  auto const file = fs::path(testing::TempDir()) / ("demeter-recorded-" + std::to_string(::getpid()) + ".jsonl");
  std::ofstream(file)
      << R"({"id":3,"kernel":"capsule_mass_properties","input":{"radius":2,"shaft":2,"density":1000},"output":{"mass":)"
      << mass(2) << "}}\n"
      << R"({"input":{"radius":3,"shaft":2,"density":1000},"unsupported":"three"})"
      << "\n\n"
      << R"({"input":{"radius":4,"shaft":2,"density":1000},"output":{"colour":1}})"
      << "\n"
      << R"({"kernel":"segment_distance","input":{}})"
      << "\n"
      << "chatter\n"
      << R"({"input":{"radius":2,"shaft":2,"density":1000},"output":{"mass":5}})"
      << "\n"
      << R"({"input":{"radius":-2,"shaft":2,"density":1000},"output":{"mass":5}})"
      << "\n"
      << R"({"input":{"radius":-3,"shaft":2,"density":1000},"error":"radius"})"
      << "\n"
      << R"({"input":{"radius":6,"shaft":2,"density":1000},"error":"radius"})";
  Subject const subject = open("file:" + file.string(), {});
  Answers const answers = ask(subject, capsules(6));
  EXPECT_EQ(verdict(answers, 0), "unsupported: not among the cases of " + file.string());
  EXPECT_EQ(verdict(answers, 1), "answered");
  EXPECT_NEAR(load<Output>(answers.output, 1).mass, mass(2), 1);
  EXPECT_EQ(verdict(answers, 2), "unsupported: three");
  EXPECT_EQ(verdict(answers, 3).rfind("malformed: line 4: output: unknown key \"colour\"", 0), 0u)
      << verdict(answers, 3);
  EXPECT_EQ(verdict(answers, 5), "malformed: line 10: error for a valid case: radius");
  EXPECT_EQ(subject.strays->lines(), 3u);
  EXPECT_EQ(subject.strays->first().rfind("line 6: expected a JSON object", 0), 0u) << subject.strays->first();

  std::uint64_t recorded = 0;
  Kernel const* const on_file = recorded_kernel(kernel(), subject, recorded);
  ASSERT_NE(on_file, nullptr);
  EXPECT_EQ(recorded, 4u);
  Table cases(kernel().input);
  for (std::uint64_t id = 0; id < recorded; ++id) on_file->generate(0, 1, id, cases);
  EXPECT_EQ(load<Input>(cases, 3).radius, 6);
  EXPECT_EQ(recorded_kernel(*find_kernel("clump_force_torque"), open(program("none"), {}), recorded), nullptr);
  fs::remove(file);
}

}  // namespace subjects_test
}  // namespace demeter
