// Measures two times: the time that the command adds to a program, and the time of shrinking with external subjects.
// Prints the times. Fails only for reasons that do not depend on the load of the machine.
#include "check/check.hpp"
#include "kernels/json_lines.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace demeter {
namespace speed_test {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Returns the processor time of this process without its children, or of its children that have ended.
double processor_seconds(decltype(RUSAGE_SELF) who) {
  rusage usage{};
  getrusage(who, &usage);
  auto const seconds = [](timeval time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(Speed_timing, AskingAPythonProgramCostsLessThanTheProgramItself) {
  constexpr std::size_t count = 20'000;
  Kernel const& kernel = *find_kernel("segment_distance");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < count; ++id) kernel.generate(0, 1, id, cases);
  auto const file = std::filesystem::path(testing::TempDir()) / ("demeter-speed-" + std::to_string(::getpid()));
  Buffer text;
  for (std::size_t row = 0; row < count; ++row) {
    fmt::format_to(fmt::appender(text), "{{\"id\":{},\"kernel\":\"{}\",\"input\":", row, kernel.name);
    write_record(kernel.input, cases, row, text);
    text.append(std::string_view("}\n"));
  }
  std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  std::string const python = DEMETER_PYTHON " " DEMETER_SOURCE "/tests/outside/newcomer.py";

  double alone = 1e9, judged = 1e9, own = 1e9, theirs = 1e9;
  for (int round = 0; round < 5; ++round) {
    double const theirs_begin = processor_seconds(RUSAGE_CHILDREN);
    auto begin = Clock::now();
    ASSERT_EQ(std::system((python + " < " + file.string() + " > /dev/null").c_str()), 0);
    alone = std::min(alone, seconds_since(begin));
    theirs = std::min(theirs, processor_seconds(RUSAGE_CHILDREN) - theirs_begin);

    Opened const opened = open_outside("pipe:" + python, {});
    ASSERT_TRUE(opened.subject);
    Answers answers;
    double const own_begin = processor_seconds(RUSAGE_SELF);
    begin = Clock::now();
    answer(*opened.subject, kernel, cases, answers);
    judged = std::min(judged, seconds_since(begin));
    own = std::min(own, processor_seconds(RUSAGE_SELF) - own_begin);
    for (Status const status : answers.status) ASSERT_EQ(status, Status::answered);
  }
  std::filesystem::remove(file);
  double const added = 1e6 * (judged - alone) / count, processor = 1e6 * own / count;
  std::printf(
      "a program in Python: %.1f us a case alone (from a file to /dev/null), %.1f us added by the harness, of "
      "whose processor time it takes %.1f us\n",
      1e6 * alone / count, added, processor);
  RecordProperty("microseconds_added", std::to_string(added));
#ifdef NDEBUG
  EXPECT_LT(own, theirs) << "asking takes more than a program in Python that computes";
#endif
}

void print_check(Kernel const& kernel, std::string const& what, std::uint64_t cases) {
  auto const* const subject = find_subject(what);
  ASSERT_NE(subject, nullptr) << what;
  CheckOptions options;
  options.cases = cases;
  options.law_cases = cases / 10;
  options.jobs = 2;
  options.shrink = false;
  auto begin = Clock::now();
  check(kernel, {subject}, options);
  double const plain = seconds_since(begin);
  options.shrink = true;
  begin = Clock::now();
  auto const result = check(kernel, {subject}, options)[0];
  std::size_t shrunk = result.failures.size();
  for (auto const& law : result.laws) shrunk += law.counterexample.has_value() ? 1 : 0;
  EXPECT_GT(shrunk, 0u);
  std::printf("%s: check in %.2f s, with the shrinking of %zu cases in %.2f s\n", what.c_str(), plain, shrunk,
              seconds_since(begin));
}

TEST(Speed_timing, TheTimeOfShrinkingWithExternalSubjectsIsMeasured) {
  Kernel const& segments = *find_kernel("segment_distance");
  print_check(segments, "pipe:" DEMETER_PYTHON " " DEMETER_SOURCE "/tests/outside/newcomer.py", 1000);
  print_check(segments, "lib:" DEMETER_OUTSIDE_LIBRARIES "/textbook_newcomer.so", 1000);
  print_check(segments, "lib:" DEMETER_OUTSIDE_LIBRARIES "/textbook_crashes.so",
              200);  // each crash costs a process
}

}  // namespace speed_test
}  // namespace demeter
