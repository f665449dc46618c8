// Tests that drawn cases depend only on seed, stream and id, and not on the machine or compiler. For every stream of
// every kernel, the hash of the cases must be the hash in streams.txt. ctest runs these tests twice, the second time
// with another mathematical library (see tests/CMakeLists.txt). To record the current streams, run:
//
//   DEMETER_RECORD_STREAMS=1 build/release/tests/test_core --gtest_filter='*Streams*'
#include "check/check.hpp"
#include "kernels/kernel.hpp"
#include "kernels/laboratory.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#if __has_include(<sys/platform/x86.h>)
#ifdef __clang__
#define _Bool bool  // this header of glibc is C, and C++ in clang has no _Bool
#endif
#include <sys/platform/x86.h>
#undef _Bool
#endif

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace demeter {
namespace streams_test {

constexpr std::uint64_t seed = 1;

/// Returns a hash that depends on every bit of every cell and on the row of the cell.
std::string hash_of(Table const& table) {
  std::uint64_t hash = table.rows;
  auto const add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (auto const& column : table.columns) {
    add(column.size());
    for (double const cell : column) add(std::bit_cast<std::uint64_t>(cell));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// Maps the name of a stream, such as "regime typical", to its hash.
using Streams = std::map<std::string, std::string>;

std::string drawn(Schema const& schema, std::uint64_t count,
                  std::function<void(std::uint64_t id, Table&)> const& draw) {
  Table table(schema);
  for (std::uint64_t id = 0; id < count; ++id) draw(id, table);
  return hash_of(table);
}

Streams streams_of(Kernel const& kernel) {
  Streams result;
  Table cases(kernel.input);  // some drawn cases, for the laws
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i) {
    if (kernel.regimes[i].size > 0) continue;  // its cases are recorded, not drawn
    auto const draw = [&](std::uint64_t id, Table& into) { kernel.generate(i, seed, id, into); };
    result["regime " + kernel.regimes[i].name] = drawn(kernel.input, 500, draw);
    for (std::uint64_t id = 0; id < 20; ++id) draw(id, cases);
  }
  for (std::size_t i = 0; i < kernel.workloads.size(); ++i)
    result["workload " + kernel.workloads[i].name] =
        drawn(kernel.input, 3, [&](std::uint64_t id, Table& into) { kernel.generate_workload(i, seed, id, into); });
  for (std::size_t i = 0; i < kernel.laws.size(); ++i) {
    // Does not use law_random(i, row). The stream of a law therefore does not change if a law is added before it.
    auto const derive = [&](std::uint64_t row, Table& into) { kernel.derive(i, cases, row, law_random(0, row), into); };
    std::string const hash = drawn(kernel.input, cases.rows, derive);
    if (hash != hash_of(cases)) result["law " + kernel.laws[i].name] = hash;
  }
  if (Laboratory const* const laboratory = find_laboratory(kernel.name))
    for (std::size_t i = 0; i < laboratory->families.size(); ++i)
      result["family " + laboratory->families[i].name] =
          drawn(laboratory->path, 500, [&](std::uint64_t id, Table& into) { laboratory->draw(i, seed, id, into); });
  return result;
}

std::string const file = DEMETER_SOURCE "/tests/core/streams.txt";

/// Returns the recorded streams of every kernel.
std::map<std::string, Streams> recorded() {
  std::map<std::string, Streams> result;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kernel, kind, name, hash;
    if (words >> kernel >> kind >> name >> hash) result[kernel][kind + " " + name] = hash;
  }
  return result;
}

void record(std::string const& kernel, Streams const& streams) {
  auto all = recorded();
  all[kernel] = streams;
  std::ofstream out(file);
  for (auto const& [name, each] : all)
    for (auto const& [stream, hash] : each) out << name << ' ' << stream << ' ' << hash << '\n';
}

class StreamsOf : public testing::TestWithParam<std::string> {};

TEST_P(StreamsOf, AgreeWithTheRecordedStreams) {
  Streams const now = streams_of(*find_batch_kernel(GetParam()));
  bool const judged = find_kernel(GetParam()) != nullptr;
  if (std::getenv("DEMETER_RECORD_STREAMS") != nullptr) {
    ASSERT_TRUE(judged) << "only a build that judges " << GetParam() << " can record its streams";
    record(GetParam(), now);
    GTEST_SKIP() << "recorded";
  }
  auto const all = recorded();
  ASSERT_FALSE(all.empty()) << file << " holds nothing";
  // A new kernel without recorded streams does not fail. Its author gets a message that the record is missing.
  if (!all.contains(GetParam())) GTEST_SKIP() << GetParam() << " has no recorded streams: see " << __FILE__;
  Streams before = all.at(GetParam());
  for (auto const& [stream, hash] : now) {
    EXPECT_EQ(before[stream], hash) << GetParam() << ", " << stream
                                    << (before[stream].empty() ? " is not recorded" : " draws other cases");
    before.erase(stream);
  }
  for (auto const& [stream, hash] : before)
    if (judged || stream.starts_with("regime ") || stream.starts_with("workload "))
      ADD_FAILURE() << GetParam() << ", " << stream << " is recorded, but is none";
}

INSTANTIATE_TEST_SUITE_P(Kernel, StreamsOf, testing::ValuesIn(testing_kernels::batch_kernel_names()),
                         [](auto const& each) { return each.param; });

TEST(Streams, TheMathematicalLibraryUsesFmaUnlessTheTestHidesIt) {
  char const* const tunables = std::getenv("GLIBC_TUNABLES");
  bool const hidden = tunables != nullptr && std::string_view(tunables).find("-FMA") != std::string_view::npos;
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
  if (!CPU_FEATURE_PRESENT(FMA)) GTEST_SKIP() << "this processor has no FMA: there is nothing to hide from the library";
  EXPECT_EQ(CPU_FEATURE_ACTIVE(FMA) == 0, hidden) << "GLIBC_TUNABLES is \"" << (hidden ? tunables : "") << '"';
#else
  if (hidden) GTEST_SKIP() << "this C library does not say which functions it picks";
#endif
}

}  // namespace streams_test
}  // namespace demeter
