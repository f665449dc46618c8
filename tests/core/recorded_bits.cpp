// Tests the bits of the fast forms. tests/core/recorded_bits.txt has a hash of the answers for each kernel. Every
// implementation of the kernel must give this hash at every level. After an intended change of results, run:
//   DEMETER_RECORD_BITS=1 build/release/tests/test_core --gtest_filter='*RecordedBits*'
#include "fast/core/level.hpp"
#include "kernels/vectors.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace demeter {
namespace recorded_bits_test {

std::string const path = DEMETER_SOURCE "/tests/core/recorded_bits.txt";
std::string const record_again =
    "\nif this change is wanted: DEMETER_RECORD_BITS=1 test_core --gtest_filter='*RecordedBits*'";

/// FNV-1a.
struct Hash {
  std::uint64_t value = 0xcbf29ce484222325;

  void add(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) value = (value ^ (bits >> shift & 0xff)) * 0x100000001b3;
  }
  /// Adds a number. All NaN count as equal, because their bits depend on the order of operands that the compiler chose.
  void add(double x) { add(std::isnan(x) ? std::uint64_t{0x7ff8} << 48 : std::bit_cast<std::uint64_t>(x)); }
  void add(Table const& table) {
    for (auto const& column : table.columns)
      for (double const cell : column) add(cell);
  }
  std::string text() const { return fmt::format("{:016x}", value); }
};

/// The generator SplitMix64. The test has its own generator, so that a change of the regimes does not change the cases.
struct Draw {
  std::uint64_t state;

  std::uint64_t bits() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::int64_t below(std::uint64_t n) { return static_cast<std::int64_t>(bits() % n); }
};

/// Returns a variant of x. Uses only integers and one exact scaling or one rounded product. All machines therefore give
/// equal bits. Does not change numbers below 2^-1000. Beside numbers of about 1, such numbers give parameters of
/// segment_distance below 2^-1022, and SIMD levels may return these parameters as 0.
double varied(double x, Draw& draw) {
  if (std::fabs(x) < 0x1p-1000) return x;
  switch (draw.below(5)) {
    case 0:  // differs by a few ulps
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(draw.below(17) - 8));
    case 1:
      return x * (1 + 0x1p-10 * static_cast<double>(draw.below(1024) - 512));
    case 2:
      return 0.5 * static_cast<double>(draw.below(9) - 4);
    case 3:
      return -x;
    default:
      return std::ldexp(x, static_cast<int>(draw.below(31) - 15));
  }
}

/// Returns the recorded vectors, and variants of each vector within the domain of the kernel. A variant changes one
/// number in four, or all numbers.
Table cases_of(Kernel const& kernel) {
  constexpr int variants = 31, attempts = 20;
  Table const& vectors = vectors_of(kernel).cases;
  Table cases(kernel.input);
  for (std::size_t row = 0; row < vectors.rows; ++row) {
    append_row(kernel.input, cases, vectors, row);
    Draw draw{row};
    for (int variant = 0; variant < variants; ++variant)
      for (int attempt = 0; attempt < attempts; ++attempt) {
        TableMark const before(cases);
        append_row(kernel.input, cases, vectors, row);
        std::int64_t const one_in = attempt % 2 == 0 ? 4 : 1;
        for (std::size_t k = 0; k < cases.columns.size(); ++k)
          for (std::size_t i = before.sizes[k]; i < cases.columns[k].size(); ++i)
            if (kernel.input.columns[k].kind == ColumnInfo::Kind::number &&
                draw.below(static_cast<std::uint64_t>(one_in)) == 0)
              cases.columns[k][i] = varied(cases.columns[k][i], draw);
        if (!kernel.domain_error(cases, cases.rows - 1)) break;
        before.restore(cases);
      }
  }
  return cases;
}

/// Returns a hash of a few mathematical functions whose results differ between machines in some bits.
std::string mathematical_library() {
  Hash hash;
  Draw draw{1};
  for (int i = 0; i < 20000; ++i) {
    auto const x = 0x1p-20 * static_cast<double>(draw.below(1 << 24) - (1 << 23));
    auto const y = 0x1p-20 * static_cast<double>(draw.below(1 << 24) - (1 << 23));
    for (double const value : {std::atan2(y, x), std::sin(x), std::cos(x)}) hash.add(value);
  }
  return hash.text();
}

struct Line {
  std::string cases, answers;  ///< hashes
};

/// The content of the file: lines "mathematical_library HASH" and "KERNEL IMPLEMENTATION HASH_OF_CASES
/// HASH_OF_ANSWERS".
struct Recorded {
  std::string library;
  std::map<std::pair<std::string, std::string>, Line> lines;
};

Recorded read() {
  Recorded recorded;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    std::string first;
    if (text.starts_with("#") || !(words >> first)) continue;
    if (first == "mathematical_library") {
      words >> recorded.library;
    } else {
      std::string implementation;
      Line line;
      EXPECT_TRUE(words >> implementation >> line.cases >> line.answers) << path << ": " << text;
      recorded.lines[{first, implementation}] = line;
    }
  }
  return recorded;
}

/// Returns the name of an implementation in the file. The batch forms of all levels are "fast", because they must have
/// equal bits. Implementations that are not recorded have an empty name.
std::string recorded_name(Implementation const& implementation) {
  if (implementation.origin == Origin::fast) return "fast";
  return implementation.origin == Origin::correctly_rounded ? implementation.name : "";
}

Line line_of(Table const& cases, Schema const& output, Answering const& answering) {
  Answers answers;
  answers.clear(output);
  answering.answer(cases, answers);
  EXPECT_EQ(answers.output.rows, cases.rows);
  Hash of_cases, of_answers;
  of_cases.add(cases);
  of_answers.add(answers.output);
  return {of_cases.text(), of_answers.text()};
}

void record() {
  ASSERT_EQ(kernels().size(), batch_kernels().size()) << "only a build that judges every kernel can record";
  std::ofstream file(path);
  file << "# What the fast forms answer to the recorded vectors and to variants of them: see recorded_bits.cpp.\n"
       << "# kernel implementation hash-of-cases hash-of-answers\n"
       << "mathematical_library " << mathematical_library() << "\n";
  for (auto const& kernel : kernels()) {
    Table const cases = cases_of(kernel);
    std::map<std::string, Line> lines;
    for (auto const& each : kernel.implementations)
      if (auto const name = recorded_name(each); !name.empty())
        lines.emplace(name, line_of(cases, kernel.output, each.answering));
    for (auto const& [name, line] : lines)
      file << kernel.name << " " << name << " " << line.cases << " " << line.answers << "\n";
  }
}

class RecordedBits : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    if (std::getenv("DEMETER_RECORD_BITS") != nullptr) record();
  }
};

TEST_P(RecordedBits, EveryImplementationGivesTheRecordedBits) {
  auto const& kernel = *find_batch_kernel(GetParam());
  auto const recorded = read();
  bool const same_library = recorded.library == mathematical_library();
  Table const cases = cases_of(kernel);
  EXPECT_GT(cases.rows, 16 * vectors_of(kernel).cases.rows) << "too few variants are in the domain";
  std::string unrecorded, other_library;
  for (auto const& each : kernel.implementations) {
    auto const name = recorded_name(each);
    if (name.empty()) continue;
    auto const found = recorded.lines.find({kernel.name, name});
    if (found == recorded.lines.end()) {
      unrecorded += " " + each.name;
      continue;
    }
    auto const line = line_of(cases, kernel.output, each.answering);
    ASSERT_EQ(line.cases, found->second.cases)
        << "the vectors of " << kernel.name << " are not those recorded" << record_again;
    if (line.answers == found->second.answers) continue;
    if (same_library) {
      ADD_FAILURE() << each.name << " of " << kernel.name << " has other bits: " << line.answers << ", expected "
                    << found->second.answers << record_again;
    } else {
      other_library += " " + each.name;
    }
  }
  for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
    if (!available(static_cast<Level>(i))) std::cout << "not run, for this CPU has no " << labels(Level{})[i] << "\n";
  if (!unrecorded.empty()) GTEST_SKIP() << kernel.name << " has no recorded bits for" << unrecorded << record_again;
  if (!other_library.empty())
    GTEST_SKIP() << "other bits, but also another mathematical library than that of the record:" << other_library;
}

INSTANTIATE_TEST_SUITE_P(Kernels, RecordedBits, testing::ValuesIn(testing_kernels::batch_kernel_names()),
                         [](auto const& info) { return info.param; });

}  // namespace recorded_bits_test
}  // namespace demeter
