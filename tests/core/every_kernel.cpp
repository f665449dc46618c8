// Tests how the reference, the oracle, the fast form and the laws of every kernel agree. The tests run over the tables
// of kernels. No kernel can therefore omit a test, and a changed kernel does not recompile the tests.
#include "kernels/json_lines.hpp"
#include "kernels/kernel.hpp"
#include "oracles/core/interval.hpp"
#include "reference/core/exact.hpp"
#include "reference/core/multiprecision.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {
namespace every_kernel_test {

using testing_kernels::cases;
using testing_kernels::infinity;
using testing_kernels::nan;

constexpr std::uint64_t seed = 19;

/// Returns whether the bits are equal or both are NaN.
bool same(double x, double y) {
  return testing_kernels::bits(x) == testing_kernels::bits(y) || (std::isnan(x) && std::isnan(y));
}

/// Numbers of cases per regime, and limits, in the tests of a kernel. If a number is 0, the test file of the kernel has
/// a stricter test.
struct Extent {
  std::uint64_t reference = 20;  ///< number of cases for the test that the reference agrees with the oracle
  unsigned digits = 100;         ///< digits of the reference in this test
  std::uint64_t twice = 20;      ///< number of cases for the test that twice the number of digits gives the same answer
  unsigned few_digits = 100;     ///< the smaller of the two numbers of digits in this test
  char const* agreement = "1e-18";
  std::uint64_t refined = 3;    ///< number of cases for the test that more bits narrow the enclosure
  std::uint64_t narrow = 20;    ///< number of cases for the test of the width of enclosures
  long double widest = 1e-15L;  ///< largest allowed radius of an enclosure, relative to the truth or the scale
  std::uint64_t laws = 60;      ///< number of cases for the laws on the fast form
  std::uint64_t applied = 1;    ///< smallest number of cases, over all regimes, to which each law must apply
  std::uint64_t seldom = 1;     ///< smallest number for the laws in `is_seldom`, which apply in few regimes
  std::uint64_t accurate = 0;   ///< number of cases for the laws on the rounded reference
  std::uint64_t accurate_applied = 0, accurate_seldom = 0;
  std::size_t longest = ~std::size_t{0};  ///< tests of the reference skip cases with a longer list
};

/// Returns the numbers for a kernel. A kernel without an entry has the default values.
Extent extent_of(std::string_view kernel) {
  static std::map<std::string_view, Extent> const extents{
      {"segment_distance",
       {.digits = 700,
        .twice = 1000,
        .few_digits = 50,
        .agreement = "1e-24",
        .laws = 5000,
        .accurate = 300,
        .accurate_applied = 2400}},
      {"capsule_contact",
       {.reference = 500, .digits = 900, .twice = 0, .refined = 0, .narrow = 500, .widest = 0x1p-90L, .seldom = 0}},
      {"wall_capsule_contact", {.digits = 700, .twice = 0, .laws = 5000, .accurate = 300, .accurate_applied = 1800}},
      {"capsule_endpoints",
       {.digits = 700,
        .twice = 1000,
        .few_digits = 50,
        .agreement = "1e-47",
        .laws = 5000,
        .accurate = 300,
        .accurate_applied = 2400,
        .accurate_seldom = 900}},
      {"capsule_mass_properties",
       {.twice = 3000,
        .few_digits = 50,
        .agreement = "1e-48",
        .laws = 2000,
        .accurate = 800,
        .accurate_applied = 3200}},
      {"clump_force_torque",
       {.digits = 700,
        .twice = 1000,
        .few_digits = 50,
        .agreement = "1e-47",
        .laws = 500,
        .accurate = 100,
        .accurate_applied = 300}},
      {"clump_mass_properties",
       {.reference = 30, .narrow = 30, .widest = 0x1p-110L, .laws = 40, .applied = 100, .seldom = 30}},
      {"clump_grid_mass_properties", {.narrow = 50, .widest = 0x1p-110L, .laws = 40, .applied = 80}},
      {"clump_union_mass_properties", {.reference = 0, .twice = 0, .narrow = 30, .applied = 100, .seldom = 20}},
      {"contact_force", {.reference = 300, .few_digits = 50, .refined = 20, .widest = 0x1p-80L, .laws = 1000}},
      {"disc_disc_contact", {.reference = 500, .digits = 400, .twice = 50, .few_digits = 200, .refined = 50}},
      {"disc_segment_contact", {.reference = 500, .digits = 400, .twice = 50, .few_digits = 200, .refined = 50}},
      {"nscd_contact_update", {.reference = 500, .twice = 50, .few_digits = 50, .refined = 100}},
      {"nscd_solve", {.reference = 60, .twice = 10, .few_digits = 50, .refined = 12, .longest = 24}},
      {"superquadric_box_test", {.twice = 200, .agreement = "1e-60"}},
      {"superquadric_contact", {.reference = 0, .twice = 0, .refined = 2, .narrow = 3}},
      {"superquadric_depth", {.reference = 0, .twice = 0, .narrow = 3}},
      {"superquadric_kinematics", {.digits = 50, .twice = 3, .narrow = 3, .widest = 0x1p-80L, .laws = 100}},
      {"superquadric_mass_properties", {.reference = 60, .digits = 60}},
      {"superquadric_shape", {.reference = 60, .digits = 400, .few_digits = 400}},
  };
  auto const found = extents.find(kernel);
  return found == extents.end() ? Extent{} : found->second;
}

/// Returns the kernels for which this number of cases is not 0.
std::vector<std::string> kernels_with(std::uint64_t Extent::*count) {
  auto names = testing_kernels::kernel_names();
  std::erase_if(names, [&](std::string const& name) { return extent_of(name).*count == 0; });
  return names;
}

class KernelTest : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
  Extent extent() const { return extent_of(GetParam()); }

  std::string text(Table const& inputs, std::size_t row = 0) const {
    Buffer line;
    write_record(kernel().input, inputs, row, line);
    return {line.data(), line.size()};
  }

  Table drawn(std::size_t regime, std::uint64_t id) const {
    Table one(kernel().input);
    kernel().generate(regime, seed, id, one);
    return one;
  }

  std::uint64_t count_in(std::size_t regime, std::uint64_t count) const {
    std::uint64_t const size = kernel().regimes[regime].size;
    return size > 0 ? std::min(size, count) : count;
  }

  /// Calls `check(one)` for `count` cases of each regime, up to the first failure. Each case is a table with one row.
  template <class Check>
  void for_each_case(std::uint64_t count, Check const& check) const {
    for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime)
      for (std::uint64_t id = 0; id < count_in(regime, count); ++id) {
        Table const one = drawn(regime, id);
        bool short_enough = true;
        for (std::size_t k = 0; k < one.columns.size(); ++k)
          if (kernel().input.columns[k].kind == ColumnInfo::Kind::offsets)
            short_enough = short_enough && one.columns[k].back() <= static_cast<double>(extent().longest);
        if (!short_enough) continue;
        check(one);
        if (HasFailure()) {
          ADD_FAILURE() << kernel().regimes[regime].name << " " << id << ": " << text(one);
          return;
        }
      }
  }

  BasicTable<Multiprecision> reference(Table const& inputs, std::size_t row, unsigned digits) const {
    Precision const guard(digits);
    auto answers = empty_table<Multiprecision>(kernel().output);
    kernel().evaluate.in_multiprecision(0, exact_row(kernel().input, inputs, row), 0, answers);
    return answers;
  }
  /// Appends the answer of the reference to a case, with each number rounded to the nearest double.
  void append_reference(Table const& inputs, std::size_t row, unsigned digits, Table& into) const {
    auto const answer = reference(inputs, row, digits);
    append_row_as(kernel().output, into, answer, 0,
                  [&](std::size_t column, std::size_t at) { return static_cast<double>(answer.columns[column][at]); });
  }

  /// Returns the magnitude to which errors of an output are relative: the truth or the scale.
  static long double size_of(Budget const& budget, Enclosure const& truth, long double scale) {
    return budget.measure == Measure::relative ? std::fabs(truth.high) : scale;
  }

  /// Calls `use(budget, column, cell)` for each cell of the outputs with a budget, in a table of one answer. If an
  /// output is null, calls `use` only for the cell that states whether the output is present.
  template <class Cell, class Use>
  void for_each_cell(BasicTable<Cell> const& answer, Use const& use) const {
    for (std::size_t k = 0; k < kernel().budgets.size(); ++k) {
      Node const& node = kernel().output.root.children[kernel().budgeted[k]];
      if (node.nullable && IndexCell<Cell>::read(answer.columns[node.column].front()) == 0) {
        use(kernel().budgets[k], node.column, 0);
        continue;
      }
      for (std::size_t column = node.column; column < node.column + node.columns; ++column)
        for (std::size_t cell = 0; cell < answer.columns[column].size(); ++cell) use(kernel().budgets[k], column, cell);
    }
  }
  bool is_number(std::size_t column) const { return kernel().output.columns[column].kind == ColumnInfo::Kind::number; }
};

std::string name_of(testing::TestParamInfo<std::string> const& kernel) { return kernel.param; }

class ReferenceOf : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Kernel, ReferenceOf, testing::ValuesIn(kernels_with(&Extent::reference)), name_of);

TEST_P(ReferenceOf, AgreesWithTheOracle) {
  std::vector<Judged> judged(kernel().budgets.size());
  for_each_case(cases(extent().reference), [&](Table const& one) {
    Answers answers;
    answers.clear(kernel().output);
    append_reference(one, 0, extent().digits, answers.output);
    kernel().judge(one, kernel().truths(one), 0, answers, 0, {}, judged);
    for (std::size_t k = 0; k < judged.size(); ++k)
      if (judged[k].computed) {
        EXPECT_EQ(judged[k].verdict, Verdict::pass) << kernel().budgets[k].output << " by " << judged[k].error;
      }
  });
}

/// Compares all digits of the reference, not only the rounded answer. The enclosure and the interval must contain the
/// reference.
TEST_P(ReferenceOf, IsInsideTheEnclosureAndTheInterval) {
  unsigned const digits = extent().digits;
  for_each_case(cases(extent().reference), [&](Table const& one) {
    Truths const truths = kernel().truths(one);
    auto refined = empty_table<Interval>(kernel().output);
    kernel().oracle.refined_truth(one, 0, 256, refined);
    auto const exact = reference(one, 0, digits);
    Precision const guard(digits);
    for_each_cell(exact, [&](Budget const& budget, std::size_t column, std::size_t cell) {
      Enclosure const& truth = truths.outputs.columns[column][cell];
      Multiprecision const& number = exact.columns[column][cell];
      long double const size = size_of(budget, truth, truths.scales.columns[column][cell]);
      if (!is_number(column) || budget.measure == Measure::optimality || std::isinf(truth.radius)) return;
      if (!std::isfinite(size)) return;
      long double const slack = size * std::pow(10.0L, -static_cast<long double>(digits) / 2);
      auto const off = static_cast<long double>(abs(number - Multiprecision(truth.high) - Multiprecision(truth.low)));
      EXPECT_LE(off, truth.radius * 1.001L + slack) << kernel().output.columns[column].path;
      EXPECT_TRUE(testing_kernels::contains(refined.columns[column][cell], number, slack))
          << kernel().output.columns[column].path;
    });
  });
}

class TwiceThePrecisionOf : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Kernel, TwiceThePrecisionOf, testing::ValuesIn(kernels_with(&Extent::twice)), name_of);

TEST_P(TwiceThePrecisionOf, DoesNotChangeTheAnswerOfTheReference) {
  Precision const guard(2 * extent().few_digits);
  Multiprecision const agreement(extent().agreement);
  for_each_case(cases(extent().twice), [&](Table const& one) {
    Truths const truths = kernel().truths(one);
    auto const once = reference(one, 0, extent().few_digits), twice = reference(one, 0, 2 * extent().few_digits);
    for_each_cell(twice, [&](Budget const& budget, std::size_t column, std::size_t cell) {
      Multiprecision const &a = once.columns[column][cell], &b = twice.columns[column][cell];
      if (!is_number(column)) {
        EXPECT_EQ(static_cast<double>(a), static_cast<double>(b)) << kernel().output.columns[column].path;
        return;
      }
      long double const scale = truths.scales.columns[column][cell];
      if (budget.measure == Measure::optimality || (budget.measure == Measure::scale && !std::isfinite(scale))) return;
      Multiprecision const size = budget.measure == Measure::relative ? abs(b) : Multiprecision(scale);
      EXPECT_LE(abs(a - b), size * agreement) << kernel().output.columns[column].path;
    });
  });
}

class EnclosureOf : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Kernel, EnclosureOf, testing::ValuesIn(kernels_with(&Extent::narrow)), name_of);

TEST_P(EnclosureOf, AgreesWithTheNarrowerIntervalOfMoreBits) {
  for_each_case(cases(extent().refined), [&](Table const& one) {
    Truths const truths = kernel().truths(one);
    auto refined = empty_table<Interval>(kernel().output);
    kernel().oracle.refined_truth(one, 0, extent().digits < 700 ? 512 : 4096, refined);
    for_each_cell(refined, [&](Budget const&, std::size_t column, std::size_t cell) {
      Enclosure const& coarse = truths.outputs.columns[column][cell];
      if (std::isinf(coarse.radius)) return;
      std::string const& path = kernel().output.columns[column].path;
      if (!is_number(column)) {
        EXPECT_EQ(IndexCell<Enclosure>::read(coarse), IndexCell<Interval>::read(refined.columns[column][cell])) << path;
        return;
      }
      Enclosure const fine = enclosure_of(refined.columns[column][cell]);
      long double const rounding = std::fabs(coarse.high) * 0x1p-115L;
      EXPECT_LE(std::fabs((coarse.high - fine.high) + (coarse.low - fine.low)), coarse.radius + fine.radius + rounding)
          << path;
      EXPECT_LE(fine.radius, coarse.radius + rounding) << path;
    });
  });
}

TEST_P(EnclosureOf, IsNarrowerThanAnyBudget) {
  for_each_case(cases(extent().narrow), [&](Table const& one) {
    Truths const truths = kernel().truths(one);
    for_each_cell(truths.outputs, [&](Budget const& budget, std::size_t column, std::size_t cell) {
      Enclosure const& truth = truths.outputs.columns[column][cell];
      long double const size = size_of(budget, truth, truths.scales.columns[column][cell]);
      // The judge does not use this enclosure. It uses the distance from the optimum.
      if (budget.measure == Measure::optimality) return;
      if (!is_number(column) || std::isinf(truth.radius) || !std::isfinite(size)) return;
      EXPECT_LE(truth.radius, extent().widest * size) << kernel().output.columns[column].path;
    });
  });
}

class LawsOf : public KernelTest {
 protected:
  using Evaluate = std::function<void(Table const& inputs, Table& answers)>;

  /// Expects that every law holds in `count` cases of each regime, and applies to at least `enough(law)` cases in all.
  template <class Enough>
  void expect_laws_hold(Evaluate const& evaluate, std::uint64_t count, Enough const& enough) const {
    for (std::size_t law = 0; law < kernel().laws.size(); ++law) {
      std::string const& name = kernel().laws[law].name;
      std::uint64_t applied = 0;
      for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
        Table inputs(kernel().input);
        std::vector<std::size_t> counts;
        for (std::uint64_t id = 0; id < count_in(regime, count); ++id)
          counts.push_back(kernel().derive(law, drawn(regime, id), 0, Random(seed, 77, id), inputs));
        Answers answers;
        answers.clear(kernel().output);
        evaluate(inputs, answers.output);
        answers.status.assign(inputs.rows, Status::answered);
        for (std::size_t row = 0; row < inputs.rows; ++row)
          ASSERT_FALSE(kernel().domain_error(inputs, row)) << name << " derives " << text(inputs, row);
        std::size_t at = 0;
        for (std::size_t const rows : counts) {
          if (rows == 0) continue;
          auto const violation = kernel().violation(law, inputs, answers, at, rows, {});
          if (violation) {
            ++applied;
            ASSERT_LE(*violation, 1) << name << " in " << kernel().regimes[regime].name << ": " << text(inputs, at);
          }
          at += rows;
        }
      }
      // If the tests run with fewer cases (test scale below 1), a law that seldom applies may apply to no case.
      auto const least = std::floor(static_cast<double>(enough(name)) * std::min(testing_kernels::test_scale(), 1.0));
      EXPECT_GE(static_cast<double>(applied), least) << name << " hardly ever applies";
    }
  }
  static bool is_seldom(std::string_view law) {
    return law == "row" || law == "quaternion_scaling" || law == "convention";
  }
};
INSTANTIATE_TEST_SUITE_P(Kernel, LawsOf, testing::ValuesIn(kernels_with(&Extent::laws)), name_of);

TEST_P(LawsOf, HoldForTheFastForm) {
  auto const enough = [&](std::string_view law) { return is_seldom(law) ? extent().seldom : extent().applied; };
  expect_laws_hold(
      [&](Table const& inputs, Table& answers) {
        for (std::size_t row = 0; row < inputs.rows; ++row) kernel().fast_one(inputs, row, answers);
      },
      cases(extent().laws), enough);
  if (auto const* const rounded = kernel().find("correctly_rounded"))
    expect_laws_hold(
        [&](Table const& inputs, Table& answers) {
          Answers all;
          all.clear(kernel().output);
          rounded->answer(inputs, all);
          answers = all.output;
        },
        cases(extent().laws), enough);
}

class LawsOnTheReferenceOf : public LawsOf {};
INSTANTIATE_TEST_SUITE_P(Kernel, LawsOnTheReferenceOf, testing::ValuesIn(kernels_with(&Extent::accurate)), name_of);

/// The rounded reference is as accurate as an implementation can be, so it must obey every law.
TEST_P(LawsOnTheReferenceOf, EveryLawHolds) {
  std::uint64_t const count = cases(extent().accurate);
  expect_laws_hold(
      [&](Table const& inputs, Table& answers) {
        for (std::size_t row = 0; row < inputs.rows; ++row) append_reference(inputs, row, 700, answers);
      },
      count,
      [&](std::string_view law) {
        auto const all =
            is_seldom(law) && extent().accurate_seldom > 0 ? extent().accurate_seldom : extent().accurate_applied;
        return all * count / extent().accurate;
      });
}

/// Kernels whose fast form returns NaN in each output if the input is outside the domain.
class OutsideTheDomainOf : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Kernel, OutsideTheDomainOf,
                         testing::ValuesIn(testing_kernels::judged_among(
                             {"capsule_mass_properties", "clump_force_torque", "clump_mass_properties",
                              "clump_union_mass_properties", "superquadric_mass_properties"})),
                         name_of);

/// Makes a case invalid in many ways: one number at a time, a whole vector at a time, also in the middle of a list, and
/// with empty lists. The invalid case is in different rows of a batch.
TEST_P(OutsideTheDomainOf, EveryOutputOfTheFastFormIsNaN) {
  std::uint64_t refused = 0;
  auto const expect_nan = [&](Table const& good, Table const& one) {
    if (!kernel().domain_error(one, 0)) return;
    ++refused;
    std::size_t const rows = kernel().case_divisor > 1 ? 3 : 19, place = refused % rows;
    Table inputs(kernel().input), alone(kernel().output);
    for (std::size_t row = 0; row < rows; ++row) append_row(kernel().input, inputs, row == place ? one : good, 0);
    kernel().fast_one(good, 0, alone);
    for (auto const& [name, origin, answering] : kernel().implementations) {
      if (origin != Origin::fast && origin != Origin::correctly_rounded) continue;
      Answers answers;
      answers.clear(kernel().output);
      answering.answer(inputs, answers);
      for (std::size_t k = 0; k < answers.output.columns.size(); ++k) {
        if (!is_number(k)) continue;
        ASSERT_EQ(answers.output.columns[k].size(), rows);
        EXPECT_TRUE(std::isnan(answers.output.columns[k][place]))
            << name << " " << kernel().output.columns[k].path << " of " << text(one);
        for (std::size_t row = 0; row < rows && origin == Origin::fast; ++row)
          EXPECT_TRUE(row == place || same(answers.output.columns[k][row], alone.columns[k][0])) << name << " " << row;
      }
    }
  };
  for_each_case(1, [&](Table const& one) {
    auto const spoil = [&](auto const& self, Node const& node, double bad) -> void {
      if (node.kind == Node::Kind::number) {
        std::size_t const first = node.values(), end = node.column + node.columns;
        if (one.columns[first].empty()) return;
        std::size_t const at = one.columns[first].size() / 2;
        Table whole = one;
        for (std::size_t column = first; column < end; ++column) {
          Table spoiled = one;
          spoiled.columns[column][at] = whole.columns[column][at] = bad;
          expect_nan(one, spoiled);
        }
        expect_nan(one, whole);
      }
      for (Node const& child : node.children) self(self, child, bad);
    };
    for (double const bad : {nan, infinity, -infinity, 0.0, -0.0, -1.0, 2.5, -0x1p-1074})
      spoil(spoil, kernel().input.root, bad);
    Table without = one;
    for (std::size_t k = 0; k < one.columns.size(); ++k) {
      ColumnInfo const& column = kernel().input.columns[k];
      if (column.list != Schema::top) without.columns[k].clear();
      if (column.kind == ColumnInfo::Kind::offsets) without.columns[k] = {0, 0};
    }
    expect_nan(one, without);
  });
  EXPECT_GT(refused, 20 * kernel().regimes.size());
}

}  // namespace every_kernel_test
}  // namespace demeter
