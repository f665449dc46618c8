// Tests the database in which a check records failures.
#include "check/failures.hpp"
#include "tests/core/command.hpp"
#include "tests/core/sanitized.hpp"

#include "check/check.hpp"
#include "fast/segment_distance.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>
#include <thread>

namespace demeter {
namespace failures_test {

using Contract = segment_distance::Contract;
using Case = segment_distance::Input<double>;
using Answer = segment_distance::Output<double>;

Kernel const& kernel() { return *find_kernel("segment_distance"); }

RecordedFailure recorded(Case const& in, std::string output, std::string law, std::uint64_t salt) {
  RecordedFailure failure{Table(kernel().input), "parallel", std::move(output), std::move(law), salt};
  append(failure.input, in);
  return failure;
}

Case const odd{{-0.0, 0x1p-1074, 1e300}, {0.1, -3, 5e-324}, {1.0 / 3, 0, 2}, {7, 8, 9}};

TEST(Failures, RecordedFailuresAreReadBackToTheBit) {
  Folder folder;
  FailureDatabase database(folder.path() / "db");
  std::vector<RecordedFailure> read;
  EXPECT_EQ(database.load(kernel(), "pipe:./mine --fast", read), std::nullopt) << "no file, no failures";
  EXPECT_EQ(database.add(kernel(), "pipe:./mine --fast", recorded(odd, "distance", "", 0)), std::nullopt);
  EXPECT_EQ(database.add(kernel(), "pipe:./mine --fast", recorded(odd, "", "scaling", 7)), std::nullopt);
  EXPECT_EQ(database.add(kernel(), "pipe:./mine --fast", recorded(odd, "distance", "", 0)), std::nullopt);
  ASSERT_EQ(database.load(kernel(), "pipe:./mine --fast", read), std::nullopt);
  ASSERT_EQ(read.size(), 2u) << "the same failure is kept once";
  EXPECT_EQ(read[0].regime, "parallel");
  EXPECT_EQ(read[0].output, "distance");
  EXPECT_EQ(read[0].law, "");
  EXPECT_EQ(read[1].law, "scaling");
  EXPECT_EQ(read[1].salt, 7u);
  auto const expected = recorded(odd, "", "", 0).input;
  for (std::size_t i = 0; i < expected.columns.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read[0].input.columns[i][0]),
              std::bit_cast<std::uint64_t>(expected.columns[i][0]));
  std::vector<RecordedFailure> other;
  database.load(kernel(), "pipe:./mine --slow", other);
  EXPECT_TRUE(other.empty()) << "of another subject";
}

TEST(Failures, LinesWithCarriageReturnsOrWithoutANewlineAreRead) {
  Folder folder;
  FailureDatabase database(folder.path());
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "distance", "", 0)), std::nullopt);
  auto const file = database.file(kernel(), "mine");
  std::string whole = read_file(file);
  whole.pop_back();
  std::ofstream(file) << whole;
  std::vector<RecordedFailure> read;
  ASSERT_EQ(database.load(kernel(), "mine", read), std::nullopt);
  EXPECT_EQ(read.size(), 1u);
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "distance", "", 0)), std::nullopt) << "it is there already";
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "s", "", 0)), std::nullopt);
  EXPECT_EQ(lines_of(read_file(file)).size(), 2u) << "the line without an end has got one";
  std::string text;
  for (auto const& line : lines_of(read_file(file))) text += line + "\r\n";
  std::ofstream(file) << text;
  read.clear();
  ASSERT_EQ(database.load(kernel(), "mine", read), std::nullopt);
  EXPECT_EQ(read.size(), 2u);
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "s", "", 0)), std::nullopt);
  EXPECT_EQ(read_file(file), text) << "it is there already";
}

TEST(Failures, DamagedLinesAreReportedAndKept) {
  Folder folder;
  FailureDatabase database(folder.path());
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "distance", "", 0)), std::nullopt);
  auto const file = database.file(kernel(), "mine");
  std::string const whole = read_file(file);
  std::ofstream(file, std::ios::app) << whole.substr(0, 50);
  std::vector<RecordedFailure> read;
  auto const half = database.load(kernel(), "mine", read);
  ASSERT_TRUE(half.has_value());
  EXPECT_NE(half->find("mine.jsonl:2: expected a JSON object"), std::string::npos) << *half;
  ASSERT_EQ(database.add(kernel(), "mine", recorded(odd, "s", "", 0)), std::nullopt);
  EXPECT_EQ(lines_of(read_file(file)).size(), 3u) << "what it holds is not lost with the half line";

  std::ofstream(file) << whole << whole << "{\"input\":{\"p0\":[1,2]}}\n";
  auto const error = database.load(kernel(), "mine", read);
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(error->find("mine.jsonl:3: input.p0: "), std::string::npos) << *error;
  std::ofstream(file) << "nonsense\n" << whole;
  auto const other = database.load(kernel(), "mine", read);
  ASSERT_TRUE(other.has_value());
  EXPECT_NE(other->find("mine.jsonl:1: expected a JSON object"), std::string::npos) << *other;
}

TEST(Failures, EverySubjectNameGivesItsOwnValidFileName) {
  EXPECT_EQ(file_name_of("fast@avx2"), "fast@avx2");
  std::set<std::string> names;
  for (std::string name : {"pipe:a b", "pipe:a-b", "pipe:a/b", "../up", "", ".", "lib:/x/y.so", "\xff\n"}) {
    std::string const file = file_name_of(name);
    EXPECT_EQ(file.find_first_of("/ \n:"), std::string::npos) << file;
    EXPECT_NE(file.substr(0, 1), ".");
    EXPECT_LT(file.size(), 120u);
    names.insert(file);
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_LT(file_name_of(std::string(5000, 'x')).size(), 120u);
}

/// Returns a subject that is right while `broken` is false. While `broken` is true, its distance is too large by a
/// third if the first segment is long.
Subject subject(bool const& broken) {
  return make_subject("mine", answer_with<Contract>("", [&broken](Case const& in, Answer& out) -> char const* {
                        out = segment_distance::fast::evaluate(in);
                        if (broken && (in.p1 - in.p0).squaredNorm() > 2) out.distance *= 4.0 / 3;
                        return nullptr;
                      }));
}

CheckOptions options(std::uint64_t cases) {
  CheckOptions made;
  made.cases = cases;
  made.law_cases = cases / 10;
  made.jobs = 2;
  return made;
}

TEST(Failures, RecordedFailuresAreTriedFirstAndRemovedIfFixed) {
  Folder folder;
  FailureDatabase database(folder.path());
  bool broken = true;
  Subject const mine = subject(broken);
  auto checked = options(400);
  checked.failures = &database;
  auto first = check(kernel(), {&mine}, checked);
  EXPECT_FALSE(first[0].passed());
  EXPECT_EQ(first[0].recorded, 0u);
  std::vector<RecordedFailure> kept;
  ASSERT_EQ(database.load(kernel(), "mine", kept), std::nullopt);
  EXPECT_GT(kept.size(), 5u);
  bool of_output = false, of_law = false;
  for (auto const& failure : kept) {
    of_output = of_output || failure.output == "distance";
    of_law = of_law || !failure.law.empty();
  }
  EXPECT_TRUE(of_output && of_law);

  // One case is too few to find the failures by chance. They are found because they are recorded.
  auto few = options(1);
  few.law_cases = 0;
  few.failures = &database;
  auto again = check(kernel(), {&mine}, few);
  EXPECT_EQ(again[0].recorded, kept.size());
  EXPECT_FALSE(again[0].still_failing.empty());
  EXPECT_FALSE(again[0].passed());

  broken = false;
  auto mended = check(kernel(), {&mine}, few);
  EXPECT_GE(mended[0].recorded, kept.size());
  EXPECT_TRUE(mended[0].still_failing.empty());
  EXPECT_TRUE(mended[0].passed());
}

TEST(Failures, AnUnwritableDatabaseIsReportedAndTheCheckContinues) {
  bool broken = true;
  Subject const mine = subject(broken);
  FailureDatabase database("/proc/none");
  auto checked = options(50);
  checked.failures = &database;
  auto const result = check(kernel(), {&mine}, checked);
  ASSERT_EQ(result[0].notes.size(), 1u) << "once";
  EXPECT_NE(result[0].notes[0].find("/proc/none"), std::string::npos);
  EXPECT_FALSE(result[0].passed());
}

/// Runs the command with its output in `output`.
pid_t start(std::vector<std::string> const& arguments, std::filesystem::path const& output) {
  pid_t const child = ::fork();
  if (child != 0) return child;
  int const file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dup2(file, 1);
  ::dup2(file, 2);
  std::vector<char*> argv;
  for (auto const& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

TEST(Failures, AreKeptIfTheCommandIsKilled) {
  // The check runs for several seconds. On any machine, it is therefore killed before its end.
  std::string const count = sanitized ? "400000" : "2000000";
  Folder folder;
  auto const database = folder.path() / "failures", output = folder.path() / "output";
  std::vector<std::string> const command{
      DEMETER_COMMAND,  "check", "segment_distance", "--subject", "threshold", "--regime", "near_parallel",
      "--count",        count,   "--laws",           "1000",      "--jobs",    "1",        "--failures",
      database.string()};
  pid_t const child = start(command, output);
  ASSERT_GT(child, 0);
  FailureDatabase const failures(database);
  std::error_code none_yet;
  auto const file = failures.file(kernel(), "threshold@double");
  for (int i = 0; i < 6000 && !std::filesystem::exists(file, none_yet); ++i) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, WNOHANG), 0) << "it must not end before it is killed: " << read_file(output);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  std::vector<RecordedFailure> kept;
  ASSERT_EQ(failures.load(kernel(), "threshold@double", kept), std::nullopt);
  ASSERT_FALSE(kept.empty());
}

}  // namespace failures_test
}  // namespace demeter
