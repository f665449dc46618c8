// What bounds a time: limits of the machine, bytes and operations of a case counted by hand, and what is printed of
// them. No test here depends on how fast or how busy the machine is.
#include "bench/core/timings.hpp"
#include "reports/format/members.hpp"
#include "reports/format/records.hpp"
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace demeter {
namespace bounds_test {

using bench::CaseCost;
using bench::MachineLimits;

std::vector<bool> all_of(Kernel const& kernel) { return std::vector<bool>(kernel.output.columns.size(), true); }

std::vector<bool> only(Kernel const& kernel, std::string_view output) {
  std::vector<bool> wanted(kernel.output.columns.size(), false);
  for (auto const& child : kernel.output.root.children)
    if (child.name == output)
      for (std::size_t i = child.column; i < child.column + child.columns; ++i) wanted[i] = true;
  return wanted;
}

/// One row of numbers, for a kernel without lists.
Table row_of(Kernel const& kernel, std::vector<double> const& numbers) {
  Table cases(kernel.input);
  for (std::size_t i = 0; i < numbers.size(); ++i) cases.columns[i].push_back(numbers[i]);
  cases.rows = 1;
  return cases;
}

TEST(Bounds, LimitsOfTheMachineArePositive) {
  for (std::size_t const bytes : {std::size_t{0}, std::size_t{1000}, std::size_t{8} << 20}) {
    MachineLimits const limits = bench::measure_limits(bytes);
    ASSERT_GE(limits.caches.size(), 2u);
    for (std::size_t i = 0; i < limits.caches.size(); ++i) {
      auto const& cache = limits.caches[i];
      EXPECT_TRUE(cache.read > 0 && std::isfinite(cache.read)) << cache.bytes;
      EXPECT_TRUE(cache.written > 0 && std::isfinite(cache.written)) << cache.bytes;
      if (i > 0) {
        EXPECT_GT(cache.bytes, limits.caches[i - 1].bytes);
      }
    }
    EXPECT_TRUE(limits.memory.read > 0 && std::isfinite(limits.memory.read));
    EXPECT_TRUE(limits.memory.written > 0 && std::isfinite(limits.memory.written));
    EXPECT_GE(limits.memory.bytes, bytes);
    for (Level const level : {Level::scalar, Level::avx2, Level::avx512}) {
      auto const& peak = limits.peaks[static_cast<std::size_t>(level)];
      for (double const each : {peak.sums, peak.divisions, peak.roots}) {
        if (available(level))
          EXPECT_TRUE(each > 0 && std::isfinite(each)) << each;
        else
          EXPECT_EQ(each, 0);
      }
    }
  }
}

TEST(Bounds, AreMeasuredOnce) {
  MachineLimits const* const first = &bench::machine_limits(std::size_t{8} << 20);
  double const read = first->memory.read;
  EXPECT_EQ(&bench::machine_limits(0), first);
  EXPECT_EQ(bench::machine_limits(std::size_t{16} << 20).memory.read, read);
}

/// 10 GB/s read and 5 written in 1000 bytes, half of that in memory; 2 sums, a quarter of a division, an eighth of a
/// root a nanosecond, with vectors four times as many.
MachineLimits slow_machine() {
  MachineLimits limits;
  limits.caches = {{1000, 10, 5}};
  limits.memory = {1'000'000, 5, 2.5};
  limits.peaks[0] = {2, 0.25, 0.125};
  limits.peaks[1] = {8, 1, 0.5};
  return limits;
}

TEST(Bounds, AreTheLargerOfMemoryAndOperations) {
  MachineLimits const limits = slow_machine();
  CaseCost const cost{80, 20, Operations{10, 14, 1, 1, 0}};
  EXPECT_EQ(cost.bytes(), 100);
  // 80 / 10 + 20 / 5 = 12 ns in the cache; 24 / 2 = 12 and 1 / 0.25 + 1 / 0.125 = 12 ns of scalar code.
  auto bound = bench::bound_of(cost, limits, Level::scalar, 10, false);
  EXPECT_EQ(bound.nanoseconds, 12);
  EXPECT_TRUE(bound.memory && bound.counted);
  // An eleventh case, and the run no longer fits.
  EXPECT_EQ(bench::bound_of(cost, limits, Level::avx2, 11, false).nanoseconds, 24);
  EXPECT_EQ(bench::bound_of(cost, limits, Level::avx2, 1, true).nanoseconds, 24);
  CaseCost dear = cost;
  dear.operations->roots = 2;
  bound = bench::bound_of(dear, limits, Level::scalar, 10, false);
  EXPECT_EQ(bound.nanoseconds, 20);
  EXPECT_FALSE(bound.memory);
  EXPECT_TRUE(bench::bound_of(dear, limits, Level::avx2, 10, false).memory);
  dear.operations->additions = 90;
  EXPECT_EQ(bench::bound_of(dear, limits, Level::scalar, 10, false).nanoseconds, 52);
}

TEST(Bounds, OfWhatIsNotCountedAreThoseOfTheMemory) {
  for (Level const level : {Level::scalar, Level::avx512}) {  // the latter without a peak
    CaseCost cost{80, 20, {}};
    if (level == Level::avx512) cost.operations = Operations{1e6, 0, 0, 0, 0};
    auto const bound = bench::bound_of(cost, slow_machine(), level, 1, false);
    EXPECT_EQ(bound.nanoseconds, 12);
    EXPECT_TRUE(bound.memory);
    EXPECT_FALSE(bound.counted);
  }
}

// ------------------------------------------------------------------------------------------------------ by hand

TEST(Bounds, OperationsOfSkewSegmentsCountedByHand) {
  Kernel const& kernel = *find_kernel("segment_distance");
  // The closest points are inside both: p along x, q along y, one above the other.
  Table const cases = row_of(kernel, {-1, 0, 0, 2, 0.25, 0, 0.5, -1, 1, 0.5, 2, 1.125});
  auto const cost = bench::case_cost(kernel, cases, all_of(kernel));
  EXPECT_EQ(cost.read, 12 * 8);
  EXPECT_EQ(cost.written, 3 * 8);
  ASSERT_TRUE(cost.operations);
  // A, B, w: 9 sums. N = A x B, w x B, w x A: 6 products and 3 sums each. N.N, (w x B).N, (w x A).N, w.N: 3 and 2 each.
  // Two divisions for s and t; the height squared, over N.N, and its root.
  EXPECT_EQ(*cost.operations, (Operations{9 + 3 * 3 + 4 * 2, 3 * 6 + 4 * 3 + 1, 2 + 1, 1, 0}));
  // s and t are compared with 0 and 1 on the way to the distance.
  auto const less = bench::case_cost(kernel, cases, only(kernel, "distance"));
  EXPECT_EQ(less.operations, cost.operations);
  EXPECT_EQ(less.written, 8);
  // Without the distance neither its root nor the height.
  auto const s = bench::case_cost(kernel, cases, only(kernel, "s"));
  EXPECT_EQ(*s.operations, (Operations{9 + 3 * 3 + 3 * 2, 3 * 6 + 3 * 3, 2, 0, 0}));
}

TEST(Bounds, OperationsAreTheMeanOfCases) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Table cases = row_of(kernel, {-1, 0, 0, 2, 0.25, 0, 0.5, -1, 1, 0.5, 2, 1.125});
  double const one = bench::case_cost(kernel, cases, all_of(kernel)).operations->all();
  Table const parallel = row_of(kernel, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  double const other = bench::case_cost(kernel, parallel, all_of(kernel)).operations->all();
  EXPECT_GT(other, one);  // four ends against segments
  append_row(kernel.input, cases, parallel, 0);
  EXPECT_EQ(bench::case_cost(kernel, cases, all_of(kernel)).operations->all(), (one + other) / 2);
}

TEST(Bounds, ColumnsThatAnOutputDoesNotNeedAreNotRead) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 10; ++id) kernel.generate(0, 1, id, cases);
  auto const all = bench::case_cost(kernel, cases, all_of(kernel));
  auto const volume = bench::case_cost(kernel, cases, only(kernel, "volume"));
  auto const mass = bench::case_cost(kernel, cases, only(kernel, "mass"));
  EXPECT_EQ(all.read, 8 * static_cast<double>(kernel.input.columns.size()));
  EXPECT_EQ(volume.read, all.read - 8);  // no density
  EXPECT_EQ(mass.read, all.read);
  EXPECT_LT(volume.operations->all(), mass.operations->all());
  EXPECT_LT(mass.operations->all(), all.operations->all());
}

TEST(Bounds, BytesOfListsCountedByHand) {
  Kernel const& kernel = *find_kernel("clump_force_torque");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 20; ++id) kernel.generate(0, 1, id, cases);
  auto const members = [&] {
    for (auto const& child : kernel.input.root.children)
      if (child.name == "members") return cases.columns[child.column].back();
    return 0.0;
  }();
  ASSERT_GT(members, 20);
  // A centre, an offset a case, and three vectors a member; a force and a torque.
  auto const cost = bench::case_cost(kernel, cases, all_of(kernel));
  EXPECT_DOUBLE_EQ(cost.read, 8 * (3 + 1 + 9 * members / 20));
  EXPECT_EQ(cost.written, 8 * 6);
  ASSERT_TRUE(cost.operations);
  // A member's: its arm, 3 sums; arm x force, 6 products, 3 sums; sums of forces and torques, of torques of their own.
  EXPECT_GE(cost.operations->all(), 6 * members / 20);
  auto const force = bench::case_cost(kernel, cases, only(kernel, "force"));
  EXPECT_DOUBLE_EQ(force.read, 8 * (1 + 3 * members / 20));
  EXPECT_EQ(force.operations->multiplications, 0);
}

TEST(Bounds, AListOfTheOutputHasTheLengthOfTheInputs) {
  Kernel const& kernel = *find_kernel("nscd_solve");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 8; ++id) kernel.generate(0, 1, id, cases);
  double bodies = 0;
  for (auto const& child : kernel.input.root.children)
    if (child.name == "masses") bodies = cases.columns[child.column].back();
  auto const velocities = bench::case_cost(kernel, cases, only(kernel, "velocities"));
  EXPECT_DOUBLE_EQ(velocities.written, 8 * (1 + 2 * bodies / 8));
  EXPECT_TRUE(velocities.operations);
}

// ------------------------------------------------------------------------------------------------------ the scalar

TEST(Bounds, ACountedFormulaGivesWhatDoubleGives) {
  std::size_t counted = 0;
  for (Kernel const& kernel : kernels()) {
    CountRow const count = find_count(kernel.name);
    ASSERT_NE(count, nullptr) << kernel.name;
    Table cases(kernel.input);
    for (std::uint64_t id = 0; id < 4; ++id) kernel.generate(0, 1, id, cases);
    auto const in = [&] {
      auto inputs = empty_table<Counted>(kernel.input);
      for (std::size_t row = 0; row < cases.rows; ++row)
        append_row_as(kernel.input, inputs, cases, row,
                      [&](std::size_t column, std::size_t at) -> Counted { return cases.columns[column][at]; });
      return inputs;
    }();
    auto answers = empty_table<Counted>(kernel.output);
    auto doubles = empty_table<double>(kernel.output);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      count(in, row, answers);
      kernel.evaluate.in_double(0, cases, row, doubles);
    }
    for (std::size_t column = 0; column < doubles.columns.size(); ++column) {
      ASSERT_EQ(answers.columns[column].size(), doubles.columns[column].size());
      for (std::size_t i = 0; i < doubles.columns[column].size(); ++i) {
        double const is = answers.columns[column][i].value(), should = doubles.columns[column][i];
        EXPECT_TRUE(std::abs(is - should) <= 1e-9 * std::abs(should) || is == should ||
                    (std::isnan(is) && std::isnan(should)) || std::abs(is - should) < 1e-9)
            << kernel.name << " " << kernel.output.columns[column].path << ": " << is << " and " << should;
      }
    }
    auto const cost = bench::case_cost(kernel, cases, all_of(kernel));
    EXPECT_GT(cost.read, 0) << kernel.name;
    EXPECT_GT(cost.written, 0) << kernel.name;
    if (cost.operations) {
      ++counted;
      EXPECT_GT(cost.operations->all(), 0) << kernel.name;
    }
  }
  EXPECT_GE(counted, 10u);
}

TEST(Bounds, ConstantsAndWhatNobodyNeedsAreNotCounted) {
  Account account;
  Counted const x = Counted::input(3, 0), y = Counted::input(5, 2), constant = Counted(4) / Counted(3) * pi<Counted>();
  Counted const product = constant * x, sum = product + y, quotient = sum / Counted(2), wasted = sqrt(y) / x;
  std::vector<bool> read(3, false);
  // A division by a constant is a product with its inverse.
  EXPECT_EQ(account.of({quotient}, read), (Operations{1, 2, 0, 0, 0}));
  EXPECT_EQ(read, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(account.of({product, product, -product}, read), (Operations{0, 1, 0, 0, 0}));
  EXPECT_EQ(account.of({constant}, read), Operations{});
  EXPECT_EQ(account.of({wasted, atan2(x, y)}, read), (Operations{0, 0, 1, 1, 1}));
  EXPECT_EQ(account.of({}, read), Operations{});
  // What decides is needed whatever is asked for.
  EXPECT_FALSE(sum < x);
  EXPECT_EQ(account.of({}, read), (Operations{1, 1, 0, 0, 0}));
  account.clear();
  EXPECT_EQ(account.of({}, read), Operations{});
}

TEST(Bounds, WhatGoesOnInAnotherArithmeticIsNotCounted) {
  Account account;
  Counted const x = Counted::input(3, 0);
  static_cast<void>(static_cast<double>(x));
  EXPECT_TRUE(account.complete());
  static_cast<void>(static_cast<long double>(x));
  EXPECT_FALSE(account.complete());
  account.clear();
  EXPECT_TRUE(account.complete());
  // Balls through a common circle: decided in many digits, on balls that are moved a little.
  Kernel const& kernel = *find_kernel("clump_union_mass_properties");
  Table cases(kernel.input);
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)
    if (kernel.regimes[regime].name == "common_circle")
      for (std::uint64_t id = 0; id < 4; ++id) kernel.generate(regime, 1, id, cases);
  ASSERT_EQ(cases.rows, 4u);
  EXPECT_FALSE(bench::case_cost(kernel, cases, all_of(kernel)).operations);
}

TEST(Bounds, WithoutAnAccountACountedNumberIsADouble) {
  Counted const x = Counted::input(2, 7);
  EXPECT_EQ((x * x / Counted(8) - Counted(1)).value(), -0.5);
  EXPECT_TRUE(x < Counted(3) && x >= Counted(2) && x != Counted(1));
}

// ------------------------------------------------------------------------------------------------------ nonsense

TEST(Bounds, NonsenseHasNoOperationsOrNone) {
  Kernel const& kernel = *find_kernel("segment_distance");
  auto const nothing = bench::case_cost(kernel, Table(kernel.input), all_of(kernel));
  EXPECT_EQ(nothing.bytes(), 0);
  EXPECT_FALSE(nothing.operations);
  double const nan = std::nan(""), infinity = HUGE_VAL;
  for (double const each : {nan, infinity, 0.0, -infinity, 1e308}) {
    auto const cost = bench::case_cost(kernel, row_of(kernel, std::vector<double>(12, each)), all_of(kernel));
    ASSERT_TRUE(cost.operations) << each;
    EXPECT_TRUE(cost.operations->all() > 0 && cost.operations->all() < 1000) << each;
  }
  // Nobody asks for anything: what decides is computed all the same.
  Table const cases = row_of(kernel, {-1, 0, 0, 2, 0.25, 0, 0.5, -1, 1, 0.5, 2, 1.125});
  auto const unasked = bench::case_cost(kernel, cases, std::vector<bool>(3, false));
  EXPECT_EQ(unasked.written, 0);
  Kernel unknown = kernel;
  unknown.name = "no_such_kernel";
  auto const uncounted = bench::case_cost(unknown, cases, all_of(kernel));
  EXPECT_FALSE(uncounted.operations);
  EXPECT_EQ(uncounted.bytes(), 15 * 8);
  EXPECT_EQ(find_count(""), nullptr);
}

report::Json timing_with(char const* name, report::Json value) {
  report::Json json{{"subject", "a"},   {"kind", "subject"},  {"setting", "cache"}, {"regime", "typical"},
                    {"outputs", "all"}, {"nanoseconds", 2.0}, {"count", 4},         {"samples", {2.0, 2.5}}};
  json[name] = std::move(value);
  return json;
}

TEST(Bounds, ARecordedOneIsANumberAboveZeroByAKnownWord) {
  for (auto const* word : {"memory", "operations", "memory, operations not counted"}) {
    report::Mistakes mistakes;
    auto json = timing_with("bound_by", word);
    json["bound"] = 1.5;
    auto const timing = report::read<report::Timing>(json, mistakes);
    EXPECT_EQ(mistakes.count, 0u) << word;
    EXPECT_EQ(timing.bound, 1.5);
    EXPECT_EQ(timing.bound_by, word);
    EXPECT_EQ(report::write(timing)["bound_by"], word);
  }
  report::Mistakes none;
  auto const without = report::read<report::Timing>(timing_with("count", 4), none);
  EXPECT_EQ(none.count, 0u);
  EXPECT_FALSE(without.bound);
  EXPECT_FALSE(report::write(without).contains("bound"));
  for (auto const& [name, value] :
       std::initializer_list<std::pair<char const*, report::Json>>{{"bound", 0},
                                                                   {"bound", -1.5},
                                                                   {"bound", "memory"},
                                                                   {"bound", report::Json::array()},
                                                                   {"bound_by", "luck"},
                                                                   {"bound_by", 3}}) {
    report::Mistakes mistakes;
    report::read<report::Timing>(timing_with(name, value), mistakes);
    EXPECT_EQ(mistakes.count, 1u) << name << ": " << value;
  }
}

// ------------------------------------------------------------------------------------------------------ the command

class BoundsPrinted : public CommandTest {};

TEST_F(BoundsPrinted, StandBesideEachTime) {
  auto const out = holds(
                       "demeter bench segment_distance --subject fast,reference@double --regime typical --filter cache "
                       "--time 0.01 --repetitions 1")
                       .out;
  std::regex const head(R"(\n  who +setting +regime +outputs +ns a case +spread +bound +reached\n)");
  EXPECT_TRUE(std::regex_search(out, head)) << out;
  std::regex const row(
      R"(\n  reference@double +cache +typical +all +[\d.]+ +\d+% +(memory|operations) [\d.e+-]+ ns +[\d.e+-]+%\n)");
  EXPECT_TRUE(std::regex_search(out, row)) << out;
  std::regex const truth(R"(\n  oracle +cache +typical +all +[\d.]+ +\d+% +- +-\n)");
  EXPECT_TRUE(std::regex_search(out, truth)) << out;
  std::regex const line(
      R"(\n  bound: bytes a case over GB/s \([\d.]+ in \d+ KiB, .*[\d.]+ in memory\) or operations of the formula over )"
      R"(Gflop/s \([\d.]+ scalar.*measured now; a fast form that computes more than the formula \(guards, twice the )"
      R"(digits\) cannot reach it)");
  EXPECT_TRUE(std::regex_search(out, line)) << out;
  EXPECT_FALSE(contains(out, "*: the operations")) << out;
}

TEST_F(BoundsPrinted, WhereOperationsAreNotCountedAStarSaysSo) {
  auto const out = holds(
                       "demeter bench superquadric_contact --subject reference@double --regime typical --filter "
                       "reference@double --time 0.01 --repetitions 1")
                       .out;
  std::regex const row(
      R"(\n  reference@double +cache +typical +all +[\d.]+ +\d+% +memory [\d.e+-]+ ns\* +[\d.e+-]+%\n)");
  EXPECT_TRUE(std::regex_search(out, row)) << out;
  EXPECT_TRUE(contains(out, "*: the operations are not counted")) << out;
}

TEST_F(BoundsPrinted, GoIntoTheJson) {
  auto const json = report::Json::parse(
      holds("demeter bench segment_distance --subject fast --regime typical --filter '(fast|oracle).*/cache' --time "
            "0.01 --repetitions 1 --json")
          .out);
  int bounded = 0, without = 0;
  for (auto const& each : json["benchmarks"]) {
    if (each["run_type"] != "iteration") continue;
    auto const name = each["name"].get<std::string>();
    if (!contains(name, "/fast@")) {
      EXPECT_FALSE(each.contains("bound_ns") || each.contains("bytes_per_case")) << name;
      ++without;
      continue;
    }
    ++bounded;
    // Twelve columns, and the distance or all three.
    EXPECT_EQ(each["bytes_per_case"], contains(name, "/distance/") || name.ends_with("/distance") ? 104 : 120) << name;
    EXPECT_GT(each["operations_per_case"].get<double>(), 60) << name;
    EXPECT_LT(each["operations_per_case"].get<double>(), 300) << name;
    EXPECT_GT(each["bound_ns"].get<double>(), 0) << name;
  }
  EXPECT_GE(bounded, 2);
  EXPECT_EQ(without, 1);
}

}  // namespace bounds_test
}  // namespace demeter
