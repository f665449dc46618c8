// Tests the common contract of the fast form, the regimes and the laws of every kernel. The tests run over the tables
// of kernels. A changed kernel therefore does not recompile them, and no kernel can omit a test.
#include "kernels/json_lines.hpp"
#include "kernels/kernel.hpp"
#include "kernels/lists.hpp"
#include "reference/spec/core/unit.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace demeter {
namespace batch_contract_test {

using testing_kernels::bits;
using testing_kernels::infinity;
using testing_kernels::nan;

constexpr std::uint64_t seed = 20'260'419;

std::string text(Schema const& schema, Table const& table, std::size_t row) {
  Buffer line;
  write_record(schema, table, row, line);
  return {line.data(), line.size()};
}

/// Returns the dimension of each column of a schema. A column without a unit or with an unknown unit is dimensionless.
std::vector<Dimension> dimensions_of(Schema const& schema) {
  std::vector<Dimension> columns(schema.columns.size());
  // The numbers of a list have the unit of the list.
  auto const visit = [&](auto const& self, Node const& node, std::string_view unit) -> void {
    if (!node.unit.empty()) unit = node.unit;
    auto const dimension = dimension_of(unit).value_or(Dimension{});
    if (node.children.empty())
      for (std::size_t i = node.values(); i < node.column + node.columns; ++i) columns[i] = dimension;
    for (Node const& child : node.children)
      self(self, child, node.kind == Node::Kind::list ? unit : std::string_view());
  };
  visit(visit, schema.root, {});
  return columns;
}

/// Returns whether the bits are equal or both are NaN.
bool same(double x, double y) { return bits(x) == bits(y) || (std::isnan(x) && std::isnan(y)); }

class BatchOf : public testing::TestWithParam<std::string> {
 protected:
  /// Returns whether two cells have equal bits. If the error of the output is relative to a scale, subnormal numbers
  /// count as 0, because vector code may flush them (as the headers document).
  bool same_cell(std::size_t column, double x, double y) const {
    auto const tiny = [](double number) { return std::fabs(number) < std::numeric_limits<double>::min(); };
    return same(x, y) || (on_a_scale(column) && tiny(x) && tiny(y));
  }
  bool on_a_scale(std::size_t column) const {
    std::string const& path = output().columns[column].path;
    for (Budget const& budget : kernel().budgets)
      if (path.substr(0, path.find_first_of(".[")) == budget.output) return budget.measure != Measure::relative;
    return false;
  }

  Kernel const& kernel() const { return *find_batch_kernel(GetParam()); }
  Schema const& input() const { return kernel().input; }
  Schema const& output() const { return kernel().output; }

  /// Returns the forms of the kernel that answer whole columns, with their names.
  std::vector<std::pair<std::string, Answering>> batches() const {
    std::vector<std::pair<std::string, Answering>> found;
    for (auto const& each : kernel().implementations)
      if (each.answering.columns) found.emplace_back(each.name, each.answering);
    return found;
  }

  std::string row_text(Table const& cases, std::size_t row) const { return text(input(), cases, row); }

  /// Returns up to `count` cases of a regime; fewer if the cases have many numbers.
  Table drawn(std::size_t regime, std::uint64_t count, std::size_t most_numbers = 200'000) const {
    Table cases(input());
    std::size_t numbers = 0;
    if (kernel().regimes[regime].size > 0) count = std::min(count, kernel().regimes[regime].size);
    for (std::uint64_t id = 0; id < count && numbers < most_numbers; ++id) {
      TableMark const before(cases);
      kernel().generate(regime, seed, id, cases);
      for (std::size_t k = 0; k < cases.columns.size(); ++k) numbers += cases.columns[k].size() - before.sizes[k];
    }
    return cases;
  }

  /// Returns `count` cases, one of each regime in turn. Leaves out cases with long lists.
  Table mixed(std::size_t count) const {
    Table cases(input());
    for (std::uint64_t id = 0; cases.rows < count; ++id) {
      TableMark const before(cases);
      kernel().generate(id % kernel().regimes.size(), seed, id / kernel().regimes.size() % 40 + 40, cases);
      for (std::size_t k = 0; k < cases.columns.size(); ++k)
        if (cases.columns[k].size() > before.sizes[k] + 40) {
          before.restore(cases);
          break;
        }
    }
    return cases;
  }

  /// Answers each case with the fast form for a single case.
  Table one_by_one(Table const& cases) const {
    Table answers(output());
    for (std::size_t row = 0; row < cases.rows; ++row) kernel().fast_one(cases, row, answers);
    return answers;
  }

  /// Returns the answers of a batch form to the first n rows. All columns begin `shift` doubles after an aligned
  /// address. Outputs that are not wanted, and the cells before and after the rows, must keep their guard value.
  Table answered(Answering const& batch, Table const& cases, std::size_t n, std::size_t shift = 0,
                 std::uint64_t wanted = ~std::uint64_t{0}) const {
    constexpr double guard = 0x1.23456789abcdep+7;
    Table some(input());
    for (std::size_t row = 0; row < n; ++row) append_row(input(), some, cases, row);
    // An output list as long as an input list has the offsets of that list. The batch form must not write them.
    Table answers = blank_outputs(input(), output(), some, 0);
    std::vector<std::vector<double>> from, to(output().columns.size());
    std::vector<double const*> in;
    std::vector<double*> out;
    for (auto const& column : some.columns) {
      from.emplace_back(shift, guard);
      from.back().insert(from.back().end(), column.begin(), column.end());
      from.back().shrink_to_fit();  // a sanitizer then detects reads beyond the rows
    }
    for (auto const& column : from) in.push_back(column.data() + shift);
    for (std::size_t k = 0; k < to.size(); ++k) {
      to[k].assign(shift + answers.columns[k].size() + 8, guard);
      out.push_back((wanted >> k & 1) != 0 ? to[k].data() + shift : nullptr);
    }
    batch.columns(n, in.data(), out.data());
    answers.rows = n;
    for (std::size_t k = 0; k < to.size(); ++k) {
      std::size_t const size = answers.columns[k].size();
      bool const read_only = out[k] == nullptr || output().columns[k].kind == ColumnInfo::Kind::offsets;
      for (std::size_t i = 0; i < to[k].size(); ++i) {
        bool const inside = i >= shift && i < shift + size;
        if (inside && !read_only) answers.columns[k][i - shift] = to[k][i];
        if ((!inside || read_only) && bits(to[k][i]) != bits(guard))
          ADD_FAILURE() << "column " << output().columns[k].path << " written at " << i << " of " << shift << " + "
                        << size;
      }
    }
    return answers;
  }

  /// Calls `use(column, cell)` for each number of a row of answers, including lists, until `use` returns false.
  template <class Use>
  bool for_each_cell(Table const& answers, std::size_t row, Use const& use) const {
    for (std::size_t k = 0; k < answers.columns.size(); ++k) {
      ColumnInfo const& info = output().columns[k];
      if (info.kind == ColumnInfo::Kind::offsets) continue;
      std::size_t first = row, end = row + 1;
      if (info.list != Schema::top) {
        first = static_cast<std::size_t>(answers.columns[info.list][row]);
        end = static_cast<std::size_t>(answers.columns[info.list][row + 1]);
      }
      for (std::size_t i = first; i < end; ++i)
        if (!use(k, i)) return false;
    }
    return true;
  }
  /// Returns the index in table `to` of a cell of table `from`. A list may begin at different indices in the two
  /// tables.
  std::size_t place(Table const& from, std::size_t row, Table const& to, std::size_t to_row, std::size_t column,
                    std::size_t cell) const {
    std::size_t const list = output().columns[column].list;
    if (list == Schema::top) return to_row;
    return cell - static_cast<std::size_t>(from.columns[list][row]) +
           static_cast<std::size_t>(to.columns[list][to_row]);
  }

  /// Returns the first row in which a wanted output differs, if any.
  std::optional<std::size_t> differs(Table const& a, Table const& b, std::size_t n,
                                     std::uint64_t wanted = ~std::uint64_t{0}) const {
    for (std::size_t row = 0; row < n; ++row)
      if (!for_each_cell(a, row, [&](std::size_t k, std::size_t i) {
            return (wanted >> k & 1) == 0 || same_cell(k, a.columns[k][i], b.columns[k][place(a, row, b, row, k, i)]);
          }))
        return row;
    return std::nullopt;
  }

  /// Returns a smaller number of cases if the kernel has a slow truth, because its fast form is then slow, too.
  std::uint64_t affordable(std::uint64_t count) const {
    return testing_kernels::cases(std::max<std::uint64_t>(count / kernel().case_divisor, 20));
  }
};
INSTANTIATE_TEST_SUITE_P(Kernels, BatchOf, testing::ValuesIn(testing_kernels::batch_kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

/// Tests that need the truth and the laws of the kernel.
class JudgedBatchOf : public BatchOf {};
INSTANTIATE_TEST_SUITE_P(Kernels, JudgedBatchOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

// ------------------------------------------------------------------------------------------------------- the fast form

TEST_P(BatchOf, EveryLevelGivesTheSameBits) {
  ASSERT_FALSE(batches().empty());
  for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
    Table const cases = drawn(regime, affordable(20'000));
    Table const expected = one_by_one(cases);
    for (auto const& [name, batch] : batches()) {
      Table const answers = answered(batch, cases, cases.rows);
      auto const row = differs(answers, expected, cases.rows);
      ASSERT_FALSE(row) << name << " answers " << row_text(cases, *row) << " by " << text(output(), answers, *row)
                        << ", alone by " << text(output(), expected, *row);
    }
  }
}

// The batch has enough rows that every form that can prefetch does prefetch.
TEST_P(BatchOf, BatchesStreamedFromMemoryGiveTheSameBits) {
  Table const few = mixed(96);
  Table const expected = one_by_one(few);
  std::size_t const copies = kernel().case_divisor < 100 ? 108 : 4;
  Table many(input());
  for (std::size_t copy = 0; copy < copies; ++copy)
    for (std::size_t row = 0; row < few.rows; ++row) append_row(input(), many, few, row);
  for (auto const& [name, batch] : batches()) {
    Table const answers = answered(batch, many, many.rows);
    for (std::size_t row = 0; row < many.rows; ++row) {
      std::size_t const same_case = row % few.rows;
      ASSERT_TRUE(for_each_cell(answers, row,
                                [&](std::size_t k, std::size_t i) {
                                  std::size_t const there = place(answers, row, expected, same_case, k, i);
                                  return same_cell(k, answers.columns[k][i], expected.columns[k][there]);
                                }))
          << name << " answers row " << row << ", " << row_text(many, row) << ", by " << text(output(), answers, row)
          << ", alone by " << text(output(), expected, same_case);
    }
  }
}

TEST_P(BatchOf, AnswersDoNotDependOnNumberOfRowsAlignmentAndWantedOutputs) {
  std::vector<std::size_t> sizes{127, 128, 129, 200, 255, 256, 257, 300};  // near the block sizes of batch forms
  for (std::size_t n = 0; n <= 70; ++n) sizes.push_back(n);
  if (kernel().case_divisor > 1) sizes = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33};
  Table const cases = mixed(*std::max_element(sizes.begin(), sizes.end()));
  Table const expected = one_by_one(cases);
  std::size_t const columns = output().columns.size();
  Random random(seed, 0, 0);
  for (auto const& [name, batch] : batches())
    for (std::size_t const n : sizes) {
      // The wanted outputs: all, none, two single outputs, and random sets.
      std::vector<std::uint64_t> masks{~std::uint64_t{0}, 0, std::uint64_t{1} << n % columns,
                                       std::uint64_t{1} << (5 * n + 3) % columns};
      for (int i = 0; i < 6; ++i) masks.push_back(random.bits());
      for (std::uint64_t const wanted : masks) {
        auto const row = differs(answered(batch, cases, n, n % 8, wanted), expected, n, wanted);
        ASSERT_FALSE(row) << name << ", " << n << " rows, wanted " << wanted << ": " << row_text(cases, *row);
        ASSERT_FALSE(HasFailure()) << name << ", " << n << " rows, wanted " << wanted;
      }
    }
}

/// Sets number `which` of a row, or all numbers, to `value`, including numbers of lists. Returns how many numbers the
/// row has.
std::size_t spoil(Schema const& schema, Table& table, std::size_t row, double value, std::optional<std::size_t> which) {
  std::size_t numbers = 0;
  auto const visit = [&](auto const& self, Node const& node, std::size_t at) -> void {
    if (node.kind == Node::Kind::number)
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column)
        if (std::size_t const number = numbers++; !which || *which == number) table.columns[column][at] = value;
    if (node.kind == Node::Kind::record)
      for (Node const& child : node.children) self(self, child, at);
    if (node.kind == Node::Kind::list)
      for (auto i = static_cast<std::size_t>(table.columns[node.column][at]);
           i < static_cast<std::size_t>(table.columns[node.column][at + 1]); ++i)
        self(self, node.children.front(), i);
  };
  visit(visit, schema.root, row);
  return numbers;
}

TEST_P(BatchOf, ARowDoesNotDependOnItsNeighbours) {
  std::size_t const rows = kernel().case_divisor > 1 ? 9 : 33;
  Table const cases = mixed(rows);
  Table const expected = one_by_one(cases);
  for (auto const& [name, batch] : batches())
    for (double const bad : {nan, infinity, -infinity, std::numeric_limits<double>::max(), 0x1p-1074, 0.0, -1.0})
      for (std::size_t changed = 0; changed < rows; ++changed) {
        Table counted = cases;
        std::size_t const numbers = spoil(input(), counted, changed, bad, std::nullopt);
        for (std::optional<std::size_t> which :
             {std::optional<std::size_t>{}, {changed % numbers}, {7 * changed % numbers}}) {
          Table spoiled = cases;
          spoil(input(), spoiled, changed, bad, which);
          Table const answers = answered(batch, spoiled, rows);
          Table alone(output());
          kernel().fast_one(spoiled, changed, alone);
          // The contract states nothing about the answer to a row outside the domain, except that its neighbours do not
          // change.
          bool const outside = kernel().domain_error(spoiled, changed).has_value();
          for (std::size_t row = 0; row < rows; ++row) {
            if (row == changed && outside) continue;
            Table const& as = row == changed ? alone : expected;
            std::size_t const as_row = row == changed ? 0 : row;
            for_each_cell(answers, row, [&, &name = name](std::size_t k, std::size_t i) {
              bool const equal =
                  same_cell(k, answers.columns[k][i], as.columns[k][place(answers, row, as, as_row, k, i)]);
              EXPECT_TRUE(equal) << name << ", " << output().columns[k].path << " of row " << row << ", "
                                 << row_text(spoiled, row) << ", beside row " << changed << ", "
                                 << row_text(spoiled, changed);
              return equal;
            });
            if (HasFailure()) return;
          }
        }
      }
}

TEST_P(JudgedBatchOf, FastIsWithinItsBudgetOnEveryRegime) {
  std::vector<Judged> judged(kernel().budgets.size());
  std::vector<double> worst(kernel().budgets.size());
  std::vector<std::uint64_t> count(kernel().budgets.size());
  std::uint64_t all = 0;
  for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
    Table const cases = drawn(regime, affordable(kernel().case_divisor < 50 ? 10'000 : 20'000));
    all += cases.rows;
    Truths const truths = kernel().truths(cases);
    Answers answers;
    answers.output = one_by_one(cases);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      kernel().judge(cases, truths, row, answers, row, {}, judged);
      for (std::size_t k = 0; k < judged.size(); ++k) {
        if (!judged[k].computed) continue;  // the truth is not unique, so any answer is right
        ++count[k];
        worst[k] = std::max(worst[k], judged[k].error);
        ASSERT_EQ(judged[k].verdict, Verdict::pass)
            << kernel().regimes[regime].name << " " << row << ", " << kernel().budgets[k].output << " by "
            << judged[k].error << ": " << row_text(cases, row);
      }
    }
  }
  for (std::size_t k = 0; k < worst.size(); ++k) {
    // If the tests run with fewer cases, kernels with slow truths have fewer than 500 cases in all.
    EXPECT_GT(count[k], std::min<std::uint64_t>(500, all / 4)) << kernel().budgets[k].output;
    if (kernel().budgets[k].measure != Measure::optimality && kernel().budgets[k].units > 0) {
      EXPECT_GT(worst[k], 0.01 * kernel().budgets[k].units)
          << "nothing comes near the budget of " << kernel().budgets[k].output;
    }
  }
}

TEST_P(BatchOf, ScalingUnitsByPowersOfTwoScalesAnswersExactly) {
  auto const of_inputs = dimensions_of(input()), of_outputs = dimensions_of(output());
  auto const exponent = [](Dimension const& unit, int metre, int kilogram, int second) {
    return unit.metre * metre + unit.kilogram * kilogram + unit.second * second;
  };
  auto const scaled = [&](Table table, std::vector<Dimension> const& units, Schema const& schema, auto... by) {
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      if (schema.columns[k].kind == ColumnInfo::Kind::number)
        for (double& cell : table.columns[k]) cell = std::ldexp(cell, exponent(units[k], by...));
    return table;
  };
  std::size_t compared = 0;
  for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
    Table const cases = drawn(regime, affordable(2000));
    Table const before = one_by_one(cases);
    // Marks the rows whose inputs are far from the ends of the range of doubles. No number that is computed from them
    // overflows or underflows.
    std::vector<bool> plain;
    for (std::size_t row = 0; row < cases.rows; ++row) {
      Table one(input());
      append_row(input(), one, cases, row);
      bool fine = true;
      for (std::size_t k = 0; k < one.columns.size(); ++k)
        if (input().columns[k].kind == ColumnInfo::Kind::number)
          for (double const x : one.columns[k])
            fine = fine && (x == 0 || std::isinf(x) || (std::fabs(x) > 0x1p-80 && std::fabs(x) < 0x1p80));
      plain.push_back(fine);
    }
    for (auto const& [metre, kilogram, second] :
         {std::array{1, 0, 0}, {-37, 0, 0}, {0, 1, 0}, {0, -40, 0}, {0, 0, 20}, {33, -21, -11}}) {
      Table const after = one_by_one(scaled(cases, of_inputs, input(), metre, kilogram, second));
      Table const expected = scaled(before, of_outputs, output(), metre, kilogram, second);
      for (std::size_t row = 0; row < cases.rows; ++row) {
        if (!plain[row]) continue;
        ++compared;
        for_each_cell(
            after, row, [&, metre = metre, kilogram = kilogram, second = second](std::size_t k, std::size_t i) {
              bool const equal = same(after.columns[k][i], expected.columns[k][i]);
              EXPECT_TRUE(equal) << output().columns[k].path << ", units times 2^" << metre << " m, 2^" << kilogram
                                 << " kg, 2^" << second << " s: " << after.columns[k][i] << ", expected "
                                 << expected.columns[k][i] << " for " << row_text(cases, row);
              return equal;
            });
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(compared, testing_kernels::cases(300));
}

// ---------------------------------------------------------------------------------------------- contract and laws

TEST_P(BatchOf, TheUnitOfEveryFieldIsKnown) {
  auto const visit = [&](auto const& self, Node const& node) -> void {
    EXPECT_TRUE(dimension_of(node.unit)) << node.name << " has the unit " << node.unit;
    for (Node const& child : node.children) self(self, child);
  };
  visit(visit, input().root);
  visit(visit, output().root);
}

TEST_P(JudgedBatchOf, InputsWithUnitsVectorsOrPositionsHaveTheLawsForThem) {
  bool unit = false, vector = false, position = false;
  auto const visit = [&](auto const& self, Node const& node) -> void {
    unit = unit || !node.unit.empty();
    vector = vector || node.geometry == Kind::vector || node.geometry == Kind::position;
    position = position || node.geometry == Kind::position;
    for (Node const& child : node.children) self(self, child);
  };
  visit(visit, input().root);
  auto const has = [&](std::string_view name) {
    return std::any_of(kernel().laws.begin(), kernel().laws.end(),
                       [&](auto const& law) { return law.name.find(name) != std::string::npos; });
  };
  EXPECT_TRUE(!unit || has("scaling"));
  EXPECT_TRUE(!vector || has("axis_permutation"));
  EXPECT_TRUE(!position || has("translation"));
}

TEST_P(JudgedBatchOf, NamesOfRegimesAndLawsAreUnique) {
  std::set<std::string> regimes, laws;
  for (auto const& regime : kernel().regimes) EXPECT_TRUE(regimes.insert(regime.name).second) << regime.name;
  for (auto const& law : kernel().laws) EXPECT_TRUE(laws.insert(law.name).second) << law.name;
  EXPECT_FALSE(regimes.empty() || laws.empty());
}

TEST_P(BatchOf, DrawsAreInTheDomainAndReproducible) {
  for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
    auto const& [name, doc, size, profile] = kernel().regimes[regime];
    if (size > 0) continue;  // its cases are recorded, not drawn
    std::set<std::string> seen;
    std::uint64_t const count = testing_kernels::cases(300);
    for (std::uint64_t id = 0; id < count; ++id) {
      Table cases(input());
      kernel().generate(regime, seed, id, cases);
      kernel().generate(regime, seed, id, cases);
      auto const wrong = kernel().domain_error(cases, 0);
      EXPECT_FALSE(wrong) << name << " " << id << ": " << wrong->field << " is not " << wrong->expected;
      EXPECT_EQ(row_text(cases, 0), row_text(cases, 1)) << name << " " << id;
      seen.insert(row_text(cases, 0));
    }
    EXPECT_GE(seen.size(), count - 3) << name << " draws the same again";
    Table other(input());
    kernel().generate(regime, seed + 1, 0, other);
    EXPECT_EQ(seen.count(row_text(other, 0)), 0u) << name << " draws the same from another seed";
  }
}

/// Returns answers in which every number is NaN.
Answers not_numbers(Schema const& output, std::size_t rows) {
  Answers answers;
  answers.output = Table(output);
  answers.output.rows = rows;
  answers.status.assign(rows, Status::answered);
  for (std::size_t k = 0; k < answers.output.columns.size(); ++k)
    answers.output.columns[k].assign(rows, output.columns[k].kind == ColumnInfo::Kind::label ? 0 : nan);
  return answers;
}

TEST_P(JudgedBatchOf, EveryNumberOfTheOutputHasALawThatNaNBreaks) {
  // A law may not apply to an answer of NaN. If it applies, NaN must break it. Each output must be used by at least one
  // law that NaN breaks.
  std::set<std::string> caught;
  for (std::size_t law = 0; law < kernel().laws.size(); ++law) {
    bool numbers = false;
    auto looked_at = kernel().laws[law].uses;
    looked_at.insert(looked_at.end(), kernel().laws[law].compares.begin(), kernel().laws[law].compares.end());
    for (Node const& child : output().root.children)
      for (std::string const& used : looked_at)
        numbers = numbers || (child.name == used && child.kind == Node::Kind::number);
    if (!numbers) continue;  // this law uses labels only
    for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime)
      for (std::uint64_t id = 0; id < 10; ++id) {
        Table cases(input()), inputs(input());
        kernel().generate(regime, seed, id, cases);
        std::size_t const count = kernel().derive(law, cases, 0, Random(seed, law, id), inputs);
        if (count == 0) continue;
        auto const violation = kernel().violation(law, inputs, not_numbers(output(), count), 0, count, {});
        if (!violation) continue;
        // NaN breaks this law, so its outputs are covered.
        if (*violation > 1)
          for (std::string const& used : looked_at) caught.insert(used);
        EXPECT_GT(*violation, 1) << kernel().laws[law].name << ": " << row_text(cases, 0);
      }
  }
  for (Node const& child : output().root.children)
    if (child.kind == Node::Kind::number) {
      EXPECT_EQ(caught.count(child.name), 1u) << child.name;
    }
}

TEST(Units, AreParsedAsFactorsWithPowers) {
  EXPECT_EQ(dimension_of(""), Dimension{});
  EXPECT_EQ(dimension_of("m^3"), (Dimension{3, 0, 0}));
  EXPECT_EQ(dimension_of("kg/m^3"), (Dimension{-3, 1, 0}));
  EXPECT_EQ(dimension_of("kg m^2"), (Dimension{2, 1, 0}));
  EXPECT_EQ(dimension_of("N m"), (Dimension{2, 1, -2}));
  EXPECT_EQ(dimension_of("N"), (Dimension{1, 1, -2}));
  for (char const* unknown : {"km", "m^", "m^x", "m^23", "ft", "kg*m"}) EXPECT_FALSE(dimension_of(unknown)) << unknown;
}

}  // namespace batch_contract_test
}  // namespace demeter
