#include "subjects/isolation/isolate.hpp"

#include "tests/core/sanitized.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

namespace demeter {
namespace isolate_test {

enum class Parity { even, odd };
constexpr std::array<std::string_view, 2> labels(Parity) { return {"even", "odd"}; }

// These records have every kind of column: numbers, a nullable number, a label, and lists within lists.
struct Group {
  double weight;
  std::vector<double> values;
  static constexpr auto fields() {
    return std::tuple{field("weight", &Group::weight, "", ""), field("values", &Group::values, "", "")};
  }
};

struct Input {
  double number;
  std::vector<Vector3<double>> points;
  static constexpr auto fields() {
    return std::tuple{field("number", &Input::number, "", ""), field("points", &Input::points, "", "")};
  }
};

struct Output {
  double twice;
  std::optional<double> half;
  Parity parity;
  Vector3<double> sum;
  std::vector<Group> groups;
  static constexpr auto fields() {
    return std::tuple{field("twice", &Output::twice, "", ""), field("half", &Output::half, "", ""),
                      field("parity", &Output::parity, "", ""), field("sum", &Output::sum, "", ""),
                      field("groups", &Output::groups, "", "")};
  }
};

Schema const input_schema = schema_of<Input>();
Schema const output_schema = schema_of<Output>();

Table cases(std::size_t count) {
  Table table(input_schema);
  for (std::size_t i = 0; i < count; ++i) {
    Input input{static_cast<double>(i), {}};
    for (std::size_t j = 0; j < i % 3; ++j)
      input.points.push_back(Vector3<double>::Constant(static_cast<double>(i + j)));
    append(table, input);
  }
  return table;
}

void answer_one(Input const& in, Answers& answers) {
  auto const index = static_cast<std::size_t>(in.number);
  Output out = nothing_computed<Output>();
  out.twice = 2 * in.number;
  if (index % 2 == 0) {
    out.half = in.number / 2;
  } else {
    out.half.reset();
  }
  out.parity = index % 2 == 0 ? Parity::even : Parity::odd;
  out.sum.setZero();
  for (auto const& point : in.points) out.sum += point;
  for (std::size_t i = 0; i < index % 4; ++i)
    out.groups.push_back({in.number, std::vector<double>(i, in.number + 0.5)});
  append(answers.output, out);
  answers.status.push_back(Status::answered);
}

/// Returns a subject that calls `deed(number of the case)` and then answers correctly.
Answering subject(std::function<void(std::size_t)> deed) {
  Answering result;
  result.answer = [deed](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      auto const input = load<Input>(table, row);
      deed(static_cast<std::size_t>(input.number));
      answer_one(input, answers);
    }
  };
  return result;
}

void nothing(std::size_t) {}

Answers run(Answering const& answering, std::size_t count, Limits const& limits = {}) {
  Answers answers;
  answer_isolated(answering, input_schema, output_schema, cases(count), answers, limits);
  return answers;
}

Limits chunks_of(std::size_t size) {
  Limits limits;
  limits.chunk = size;
  return limits;
}

bool same_bits(std::vector<double> const& a, std::vector<double> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Expects that each case has the right answer, except the cases in `failed`. These must have no answer.
void expect_answered(Answers const& answers, std::size_t count, std::set<std::size_t> const& failed = {}) {
  Answers expected;
  expected.clear(output_schema);
  Table const inputs = cases(count);
  for (std::size_t row = 0; row < count; ++row) {
    if (failed.contains(row)) {
      expected.append_without<Output>(Status::crash, "");
    } else {
      answer_one(load<Input>(inputs, row), expected);
    }
  }
  ASSERT_EQ(answers.status.size(), count);
  EXPECT_EQ(answers.output.rows, count);
  for (std::size_t row = 0; row < count; ++row) {
    EXPECT_EQ(answers.status[row] == Status::answered, !failed.contains(row)) << "row " << row;
    EXPECT_EQ(answers.message.contains(row), failed.contains(row)) << "row " << row;
  }
  ASSERT_EQ(answers.output.columns.size(), expected.output.columns.size());
  for (std::size_t i = 0; i < expected.output.columns.size(); ++i)
    EXPECT_TRUE(same_bits(answers.output.columns[i], expected.output.columns[i])) << output_schema.columns[i].path;
}

void expect_failed(Answers const& answers, std::size_t row, Status status, std::string const& message) {
  EXPECT_EQ(answers.status.at(row), status);
  EXPECT_EQ(answers.message.at(row), message);
}

void raise_at(std::size_t number, std::size_t row, int signal) {
  if (number == row) ::raise(signal);
}

TEST(Isolate, AnswersOfACorrectSubjectArriveUnchanged) {
  for (std::size_t size : {1u, 2u, 7u, 100u, 4096u}) expect_answered(run(subject(nothing), 100, chunks_of(size)), 100);
}

TEST(Isolate, NoCasesGiveNoAnswers) { expect_answered(run(subject(nothing), 0), 0); }

TEST(Isolate, StatusesMessagesAndExactTextsArriveInTheirRows) {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (load<Input>(table, row).number == 5) {
        answers.append_without<Output>(Status::unsupported, "not\tfive \xff");
      } else {
        answers.output.exact[{0, row}] = "1/3";
        answer_one(load<Input>(table, row), answers);
      }
    }
  };
  Answers const answers = run(answering, 9, chunks_of(4));
  expect_answered(answers, 9, {5});
  expect_failed(answers, 5, Status::unsupported, "not five ?");
  EXPECT_EQ(answers.output.exact.size(), 8u);
  EXPECT_TRUE(answers.output.exact.contains({0, 8}));
  EXPECT_FALSE(answers.output.exact.contains({0, 5}));
}

/// Returns a subject that answers with the number of its own process, in the output `twice`.
Answering process_number() {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      Output out = nothing_computed<Output>();
      out.twice = getpid();
      out.parity = Parity::even;
      append(answers.output, out);
      answers.status.push_back(Status::answered);
    }
  };
  return answering;
}

TEST(Isolate, APersistentChildGivesTheSameAnswersForEveryTable) {
  for (std::size_t size : {1u, 7u, 4096u}) {
    Answering const answering = subject(nothing);
    IsolatedAnswers ask(answering, input_schema, output_schema, chunks_of(size));
    for (std::size_t const count : {0u, 1u, 100u, 3u}) {
      Answers answers;
      ask(cases(count), answers);
      expect_answered(answers, count);
    }
  }
}

TEST(Isolate, APersistentChildIsOneSeparateProcess) {
  Answering const answering = process_number();
  IsolatedAnswers ask(answering, input_schema, output_schema, {});
  std::set<double> processes;
  for (int table = 0; table < 5; ++table) {
    Answers answers;
    ask(cases(10), answers);
    for (double const each : answers.output.columns[0]) processes.insert(each);
  }
  EXPECT_EQ(processes.size(), 1u);
  EXPECT_FALSE(processes.contains(getpid()));
}

TEST(Isolate, APersistentChildAcceptsTablesLargerThanItsPipe) {
  Answering const answering = subject(nothing);
  Limits limits;
  limits.chunk = 200'000;
  IsolatedAnswers ask(answering, input_schema, output_schema, limits);
  Answers answers;
  ask(cases(100'000), answers);
  expect_answered(answers, 100'000);
}

TEST(Isolate, EveryCrashOfAPersistentChildIsAssignedToItsCase) {
  Answering const answering = subject([](std::size_t i) { raise_at(i, 37, SIGSEGV); });
  IsolatedAnswers ask(answering, input_schema, output_schema, chunks_of(10));
  for (int table = 0; table < 8; ++table) {
    Answers answers;
    ask(cases(60), answers);
    expect_answered(answers, 60, {37});
    expect_failed(answers, 37, Status::crash, "signal 11 (SIGSEGV)");
  }
}

TEST(Isolate, CasesFailOnlyIfAPersistentChildThrowsExitsOrHangs) {
  Limits limits = chunks_of(5);
  limits.time_per_chunk = std::chrono::seconds(1);
  Answering const answering = subject([](std::size_t i) {
    if (i == 3) throw std::runtime_error("three");
    if (i == 11) _exit(4);
    if (i == 17) std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  IsolatedAnswers ask(answering, input_schema, output_schema, limits);
  Answers answers;
  ask(cases(25), answers);
  expect_answered(answers, 25, {3, 11, 17});
  expect_failed(answers, 3, Status::crash, "uncaught exception: three");
  expect_failed(answers, 11, Status::crash, "exit code 4");
  expect_failed(answers, 17, Status::timeout, "no answer within 1 s");
}

TEST(Isolate, TooFewAnswersOfAPersistentChildMakeTheTableMalformed) {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row + 1 < table.rows; ++row) answer_one(load<Input>(table, row), answers);
  };
  IsolatedAnswers ask(answering, input_schema, output_schema, {});
  Answers answers;
  ask(cases(4), answers);
  ASSERT_EQ(answers.status.size(), 4u);
  for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(answers.status[row], Status::malformed);
}

TEST(Isolate, ExactTextsOfCasesReachTheSubject) {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      auto const found = table.exact.find({0, row});
      answers.append_without<Output>(Status::unsupported, found == table.exact.end() ? "none" : found->second);
    }
  };
  Table table = cases(5);
  table.exact[{0, 3}] = "3.0000000000000000001";
  Answers answers;
  answer_isolated(answering, input_schema, output_schema, table, answers, chunks_of(2));
  EXPECT_EQ(answers.message.at(2), "none");
  EXPECT_EQ(answers.message.at(3), "3.0000000000000000001");
  IsolatedAnswers ask(answering, input_schema, output_schema, chunks_of(10));
  ask(table, answers);
  EXPECT_EQ(answers.message.at(2), "none");
  EXPECT_EQ(answers.message.at(3), "3.0000000000000000001");
}

TEST(Isolate, ACrashIsAssignedToItsCase) {
  for (std::size_t size : {1u, 2u, 10u, 4096u}) {
    Answers const answers = run(subject([](std::size_t i) { raise_at(i, 37, SIGSEGV); }), 100, chunks_of(size));
    expect_answered(answers, 100, {37});
    expect_failed(answers, 37, Status::crash, "signal 11 (SIGSEGV)");
  }
}

TEST(Isolate, WritingToANullPointerAndAbortAreCrashes) {
  Answers const answers = run(subject([](std::size_t i) {
                                if (i == 0) {
                                  int volatile* volatile const null = nullptr;
                                  *null = 1;
                                }
                                if (i == 9) std::abort();
                              }),
                              10);
  expect_answered(answers, 10, {0, 9});
  EXPECT_EQ(answers.status[0], Status::crash);  // a sanitizer may change the message
  expect_failed(answers, 9, Status::crash, "signal 6 (SIGABRT)");
}

TEST(Isolate, EveryCrashOfAChunkIsAssignedToItsCase) {
  Answers const answers = run(subject([](std::size_t i) {
                                if (i % 10 == 3) ::raise(SIGFPE);
                              }),
                              50, chunks_of(25));
  expect_answered(answers, 50, {3, 13, 23, 33, 43});
  expect_failed(answers, 43, Status::crash, "signal 8 (SIGFPE)");
}

TEST(Isolate, ASubjectThatAlwaysCrashesIsGivenUpInBoundedTime) {
  auto const start = std::chrono::steady_clock::now();
  Limits limits;
  limits.crashes = 50;
  Answers const answers = run(subject([](std::size_t) { ::raise(SIGSEGV); }), 100'000, limits);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  ASSERT_EQ(answers.status.size(), 100'000u);
  EXPECT_EQ(answers.output.rows, 100'000u);
  for (std::size_t row = 0; row < 100'000; ++row)
    ASSERT_EQ(answers.status[row], row < 49 ? Status::crash : Status::not_asked) << row;
  EXPECT_EQ(answers.message.at(0), "signal 11 (SIGSEGV)");
  EXPECT_EQ(answers.message.at(99'999), "given up after 50 crashes of the subject");
}

TEST(Isolate, AnExceptionIsACrashOfItsCase) {
  for (std::size_t size : {1u, 8u}) {
    Answers const answers = run(subject([](std::size_t i) {
                                  if (i == 4) throw std::runtime_error("out of luck");
                                  if (i == 6) throw 7;
                                }),
                                20, chunks_of(size));
    expect_answered(answers, 20, {4, 6});
    expect_failed(answers, 4, Status::crash, "uncaught exception: out of luck");
    expect_failed(answers, 6, Status::crash, "uncaught exception: not a std::exception");
  }
}

TEST(Isolate, ASubjectThatAlwaysThrowsIsAskedEveryCase) {
  Answers const answers = run(subject([](std::size_t) { throw std::runtime_error("never"); }), 10'000);
  EXPECT_EQ(answers.message.at(9'999), "uncaught exception: never");
}

TEST(Isolate, AHangIsAssignedToItsCase) {
  Limits limits = chunks_of(8);
  limits.time_per_chunk = std::chrono::milliseconds(500);
  Answers const answers = run(subject([](std::size_t i) {
                                while (i == 11) ::pause();
                              }),
                              20, limits);
  expect_answered(answers, 20, {11});
  expect_failed(answers, 11, Status::timeout, "no answer within 0.5 s");
}

TEST(Isolate, ASubjectThatAlwaysHangsIsGivenUp) {
  Limits limits;
  limits.time_per_chunk = std::chrono::milliseconds(50);
  limits.timeouts = 3;
  Answers const answers = run(subject([](std::size_t) {
                                for (;;) ::pause();
                              }),
                              1000, limits);
  for (std::size_t row = 0; row < 1000; ++row)
    ASSERT_EQ(answers.status[row], row < 2 ? Status::timeout : Status::not_asked) << row;
  EXPECT_EQ(answers.message.at(999), "given up after 3 timeouts of the subject");
}

TEST(Isolate, ASlowSubjectIsNotTreatedAsHanging) {
  Limits limits = chunks_of(64);
  limits.time_per_chunk = std::chrono::seconds(1);  // longer than one case takes, even on a busy machine
  expect_answered(
      run(subject([](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(25)); }), 64, limits), 64);
}

void exhaust_memory() {
  std::vector<std::vector<char>> hoard;
  for (;;) hoard.emplace_back(std::size_t{1} << 20, 'x');
}

TEST(Isolate, ExhaustedMemoryIsACrashOfItsCase) {
  if (sanitized) GTEST_SKIP() << "memory is not limited under sanitizers";
  Limits limits;
  limits.memory = std::size_t{64} << 20;
  Answers const answers = run(subject([](std::size_t i) {
                                if (i == 3) exhaust_memory();
                              }),
                              10, limits);
  expect_answered(answers, 10, {3});
  expect_failed(answers, 3, Status::crash, "uncaught exception: std::bad_alloc");
}

TEST(Isolate, ASubjectThatAlwaysExhaustsMemoryIsGivenUp) {
  if (sanitized) GTEST_SKIP() << "memory is not limited under sanitizers";
  Limits limits;
  limits.memory = std::size_t{16} << 20;
  limits.crashes = 10;
  for (std::size_t size : {1u, 100u}) {
    limits.chunk = size;
    Answers const answers = run(subject([](std::size_t) { exhaust_memory(); }), 1000, limits);
    EXPECT_EQ(answers.message.at(9), "uncaught exception: std::bad_alloc");
    EXPECT_EQ(answers.message.at(10), "given up after 10 crashes of the subject");
    ASSERT_EQ(answers.status.size(), 1000u);
  }
}

TEST(Isolate, EndlessRecursionIsACrashOfItsCase) {
  static std::function<int(int)> const endless = [](int depth) {
    char volatile room[4096] = {};
    return room[0] + 1 + endless(depth + 1);
  };
  Answers const answers = run(subject([](std::size_t i) {
                                if (i == 3) endless(0);
                              }),
                              10);
  expect_answered(answers, 10, {3});
  expect_failed(answers, 3, Status::crash, "signal 11 (SIGSEGV)");
}

TEST(Isolate, ACaseInWhichTheSubjectExitsHasNoAnswer) {
  static bool handled = false;
  std::atexit([] { handled = true; });
  Answers const answers = run(subject([](std::size_t i) {
                                if (i == 2) std::exit(0);
                                if (i == 4) std::_Exit(3);
                              }),
                              10, chunks_of(5));
  expect_answered(answers, 10, {2, 4});
  expect_failed(answers, 2, Status::crash, "exit code 0");
  expect_failed(answers, 4, Status::crash, "exit code 3");
  EXPECT_FALSE(handled);
}

TEST(Isolate, ASubjectThatExitsDoesNotFlushFilesOfTheCaller) {
  std::string const path = ::testing::TempDir() + "demeter-isolate-" + std::to_string(::getpid());
  std::FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("once\n", file);
  run(subject([](std::size_t) { std::exit(0); }), 1);
  std::fclose(file);
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "once\n");
  std::remove(path.c_str());
}

TEST(Isolate, AFloodOfOutputIsDiscarded) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Answers const answers = run(subject([](std::size_t) {
                                for (int i = 0; i < 10'000; ++i) {
                                  std::puts("a line of a subject that talks");
                                  std::cerr << "and of one that complains" << std::endl;
                                }
                                std::fflush(stdout);
                              }),
                              10);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  expect_answered(answers, 10);
}

TEST(Isolate, StandardInputIsEmpty) {
  expect_answered(run(subject([](std::size_t) {
                        if (std::getchar() != EOF) std::abort();
                      }),
                      3),
                  3);
}

TEST(Isolate, AWrongNumberOfRowsIsMalformed) {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      auto const input = load<Input>(table, row);
      if (input.number == 3) continue;
      answer_one(input, answers);
      if (input.number == 7) answer_one(input, answers);
    }
  };
  Answers const answers = run(answering, 20, chunks_of(5));
  expect_answered(answers, 20, {3, 7});
  expect_failed(answers, 3, Status::malformed, "0 rows and 0 statuses in answer to a batch of 1");
  expect_failed(answers, 7, Status::malformed, "2 rows and 2 statuses in answer to a batch of 1");
}

TEST(Isolate, DamagedColumnsAreMalformed) {
  std::vector<std::function<void(Answers&)>> const damages = {
      [](Answers& a) { a.output.columns.pop_back(); },
      [](Answers& a) { a.output.columns[0].pop_back(); },
      [](Answers& a) { a.output.columns[1].back() = 2; },             // a flag for presence that is neither 0 nor 1
      [](Answers& a) { a.output.columns[3].back() = std::nan(""); },  // a label that is NaN
      [](Answers& a) { a.output.columns[3].back() = 2; },             // a label out of range
      [](Answers& a) { a.output.columns[7].back() += 1; },            // offsets beyond the end
      [](Answers& a) { a.output.columns[7].back() = -1; },            // decreasing offsets
      [](Answers& a) { a.output.columns[7].back() = std::numeric_limits<double>::infinity(); },
      [](Answers& a) { a.output.columns[7].clear(); },
      [](Answers& a) { a.output.columns[9].front() = 0.5; },
      [](Answers& a) { a.output.rows = static_cast<std::size_t>(-1); },
      [](Answers& a) { a.status.back() = static_cast<Status>(200); },
      [](Answers& a) { a.message[1'000'000] = "to nobody"; },
      [](Answers& a) {
        a.output.exact[{1'000'000, 0}] = "nowhere";
      },
  };
  ASSERT_EQ(output_schema.columns[3].kind, ColumnInfo::Kind::label);
  ASSERT_EQ(output_schema.columns[7].kind, ColumnInfo::Kind::offsets);
  ASSERT_EQ(output_schema.columns[9].kind, ColumnInfo::Kind::offsets);
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Answering answering;
    answering.answer = [&](Table const& table, Answers& answers) {
      for (std::size_t row = 0; row < table.rows; ++row) answer_one(load<Input>(table, row), answers);
      if (load<Input>(table, table.rows - 1).number == 11) damages[i](answers);
    };
    Answers const answers = run(answering, 16, chunks_of(4));
    SCOPED_TRACE("damage " + std::to_string(i));
    expect_answered(answers, 16, {11});
    EXPECT_EQ(answers.status[11], Status::malformed);
  }
}

TEST(Isolate, GarbageInThePipeIsMalformed) {
  Answers const answers = run(subject([](std::size_t i) {
                                if (i != 5) return;
                                char garbage[1000];
                                std::memset(garbage, 0x5a, sizeof garbage);
                                for (int file = 3; file < 64; ++file) {
                                  struct stat status;
                                  if (::fstat(file, &status) == 0 && S_ISFIFO(status.st_mode))
                                    (void)!::write(file, garbage, sizeof garbage);
                                }
                              }),
                              10, chunks_of(4));
  expect_answered(answers, 10, {5});
  expect_failed(answers, 5, Status::malformed, "unexpected data instead of answers in its pipe");
}

TEST(Isolate, ABatchThatCrashesAlthoughEachCaseIsAnsweredFailsAsAWhole) {
  Answering answering;
  answering.answer = [](Table const& table, Answers& answers) {
    if (table.rows > 1) ::raise(SIGSEGV);
    for (std::size_t row = 0; row < table.rows; ++row) answer_one(load<Input>(table, row), answers);
  };
  Answers const answers = run(answering, 10, chunks_of(4));
  expect_answered(answers, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_failed(answers, 9, Status::crash,
                "signal 11 (SIGSEGV), in a batch of 2 cases, although each case alone is answered");
}

TEST(Isolate, AProcessThatTheSubjectLeavesDoesNotDelayTheAnswers) {
  auto const start = std::chrono::steady_clock::now();
  Answers const answers = run(subject([](std::size_t i) {
                                if (i != 1) return;
                                if (::fork() == 0)
                                  for (;;) ::pause();
                                ::raise(SIGSEGV);
                              }),
                              3);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  expect_answered(answers, 3, {1});
}

TEST(Isolate, AnswersBeforeACrashAreKeptEvenIfTheyFillThePipe) {
  Answers const answers = run(subject([](std::size_t i) { raise_at(i, 19'999, SIGSEGV); }), 20'000, chunks_of(5000));
  expect_answered(answers, 20'000, {19'999});
}

TEST(Isolate, LeavesNoFilesAndNoProcessesBehind) {
  auto const open_files = [] {
    int count = 0;
    for (int file = 0; file < 256; ++file) count += ::fcntl(file, F_GETFD) >= 0;
    return count;
  };
  int const before = open_files();
  run(subject([](std::size_t i) { raise_at(i, 2, SIGSEGV); }), 5);
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Isolate, AFunctionInAChildReturnsItsResultOrTheReasonOfItsFailure) {
  Isolated const good = run_isolated([] { return std::string("ten\0bytes!", 10); });
  EXPECT_EQ(good.status, Status::answered);
  EXPECT_EQ(good.result, std::string("ten\0bytes!", 10));
  Isolated const thrown = run_isolated([]() -> std::string { throw std::runtime_error("no time"); });
  EXPECT_EQ(thrown.status, Status::crash);
  EXPECT_EQ(thrown.message, "uncaught exception: no time");
  Limits limits;
  limits.time_per_chunk = std::chrono::milliseconds(50);
  Isolated const slow = run_isolated(
      []() -> std::string {
        for (;;) ::pause();
      },
      limits);
  EXPECT_EQ(slow.status, Status::timeout);
  EXPECT_EQ(slow.message, "no answer within 0.05 s");
}

TEST(Isolate, ATimerCountsTheChildsProcessorTime) {
  IsolatedTimer timer(
      [] {
        return [] {
          for (int i = 0; i < 1'000'000; ++i) asm volatile("" : : "g"(i));
        };
      },
      {});
  auto const one = timer.run(1), twenty = timer.run(20), none = timer.run(0);
  EXPECT_EQ(one.status, Status::answered);
  EXPECT_GT(one.seconds, 1e-5);
  EXPECT_GT(twenty.seconds, 5 * one.seconds);
  EXPECT_LT(none.seconds, one.seconds);
  IsolatedTimer idle([] { return [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }; }, {});
  EXPECT_LT(idle.run(1).seconds, 0.05) << "waiting is not work";
}

TEST(Isolate, ATimedSubjectThatCrashesOrHangsDoesNotStopTheCaller) {
  Limits limits;
  limits.time_per_chunk = std::chrono::milliseconds(100);
  auto const never = []() -> std::function<void()> { throw std::runtime_error("not today"); };
  IsolatedTimer crash([] { return [] { ::raise(SIGSEGV); }; }, limits),
      late(
          [] {
            return [] {
              for (;;) ::pause();
            };
          },
          limits),
      thrown(never, limits);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(crash.run(1).message, "signal 11 (SIGSEGV)");
    EXPECT_EQ(late.run(1).message, "no answer within 0.1 s");
    EXPECT_EQ(late.run(1).status, Status::timeout);
    EXPECT_EQ(thrown.run(1).message, "uncaught exception: not today");
  }
}

TEST(Isolate, CrashesOfAllCallsAreCountedTogether) {
  Patience patience;
  Limits limits;
  limits.crashes = 10;
  Answers answers;
  Answering const always = subject([](std::size_t) { ::raise(SIGSEGV); });
  answer_isolated(always, input_schema, output_schema, cases(30), answers, limits, &patience);
  EXPECT_EQ(answers.message.at(29), "given up after 10 crashes of the subject");
  EXPECT_EQ(patience.crashes, 10u);
  answer_isolated(always, input_schema, output_schema, cases(30), answers, limits, &patience);
  EXPECT_EQ(answers.status.at(0), Status::crash) << "a few more";
  EXPECT_EQ(answers.status.at(29), Status::not_asked);
  EXPECT_EQ(patience.crashes, 10u + Patience::least_crashes);
  answer_isolated(subject(nothing), input_schema, output_schema, cases(30), answers, limits, &patience);
  expect_answered(answers, 30);
}

}  // namespace isolate_test
}  // namespace demeter
