// Tests the tolerances of subjects, and laws on answers in which outputs are missing.
#include "check/tolerance.hpp"

#include "check/law_check.hpp"
#include "kernels/mutant.hpp"
#include "subjects/subjects.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace demeter {
namespace tolerance_test {

TEST(Held, ToleranceIsAWordOrANumber) {
  EXPECT_EQ(held_to("strict"), Held{});
  EXPECT_EQ(held_to("double"), Held{Held::To::binary64});
  EXPECT_EQ(held_to("float"), Held{Held::To::binary32});
  EXPECT_EQ(held_to("1e-9"), (Held{Held::To::number, 1e-9}));
  for (auto const* text : {"", "0", "-1", "nan", "inf", "loose", "1e-9x", " 1", "-0", "1e999"})
    EXPECT_FALSE(held_to(text)) << text;
  for (auto const* text : {"strict", "double", "float", "0.001"}) EXPECT_EQ(tolerance_text(*held_to(text)), text);
}

TEST(Held, ToleranceSetsTheUnitsOfEachBudget) {
  Kernel const& kernel = *find_kernel("clump_union_mass_properties");
  double const u = 0x1p-53;
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    double const own = kernel.budgets[k].units;
    auto const units = [&](Held const& held, Format const& format = binary64) {
      return tolerated(kernel, k, tolerance_of(kernel, held, format)).units;
    };
    EXPECT_EQ(units({}), own);
    EXPECT_EQ(units({}, binary32), own);
    EXPECT_EQ(units({Held::To::binary64}), std::max(own, 1024.0));
    EXPECT_EQ(units({Held::To::binary64}, binary32), own);
    EXPECT_EQ(units({Held::To::binary32}), 0x1p39);
    EXPECT_EQ(units({Held::To::binary32}, binary32), 1024);
    EXPECT_EQ(units({Held::To::number, 1e-9}), 1e-9 / u);
    EXPECT_EQ(units({Held::To::strict, 0, 4}), 4 * own);
    EXPECT_EQ(units({Held::To::binary64, 0, 4}), 4 * std::max(own, 1024.0));
    EXPECT_EQ(units({Held::To::binary64, 0, 1, {{std::string(kernel.budgets[k].output), 3}}}), 3);
  }
  // An output whose budget is 0 gets the same tolerance as other outputs.
  Kernel const* const contact = find_kernel("wall_capsule_contact");
  if (contact == nullptr) return;  // the kernel is not in this build
  Kernel const& wall = *contact;
  for (std::size_t k = 0; k < wall.budgets.size(); ++k)
    EXPECT_EQ(tolerated(wall, k, tolerance_of(wall, Held{Held::To::binary64})).units, 1024);
}

TEST(Held, LawsRequireEqualBitsOnlyIfTheToleranceIsNotLarger) {
  Kernel const& kernel = kernels().front();
  EXPECT_TRUE(tolerance_of(kernel, Held{}).to_the_bit);
  EXPECT_TRUE(tolerance_of(kernel, Held{Held::To::strict, 0, 0.5}).to_the_bit);
  EXPECT_FALSE(tolerance_of(kernel, Held{Held::To::strict, 0, 2}).to_the_bit);
  EXPECT_FALSE(tolerance_of(kernel, Held{Held::To::binary64}).to_the_bit);
  EXPECT_FALSE(tolerance_of(kernel, Held{Held::To::number, 1e-20}).to_the_bit);
}

TEST(Held, TheDefaultToleranceDependsOnTheSubject) {
  auto const of = [](Origin origin, bool single = false) {
    Subject subject{"some", ""};
    subject.origin = origin;
    subject.binary32 = single;
    return tolerance_text(held_by_default(subject));
  };
  EXPECT_EQ(of(Origin::fast), "strict");
  EXPECT_EQ(of(Origin::reference), "strict");
  EXPECT_EQ(of(Origin::correctly_rounded), "strict");
  EXPECT_EQ(of(Origin::library), "double");
  EXPECT_EQ(of(Origin::printed), "double");
  EXPECT_EQ(of(Origin::peer), "double");
  EXPECT_EQ(of(Origin::library, true), "float");
}

// ---------------------------------------------------------------------------------------- laws and what they look at

class TolerancesOfLawsOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
  Subject const& right() const { return find_mutants(GetParam())->right; }

  static bool names(std::vector<std::string> const& list, std::string const& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }
  /// Returns the answers with only the outputs for which `kept(name)` is true. All other outputs become "not computed".
  template <class Kept>
  Answers only(Answers answers, Kept const& kept) const {
    for (Node const& output : kernel().output.root.children)
      if (!kept(output.name))
        for (std::size_t column = output.column; column < output.column + output.columns; ++column) {
          // An output that is not computed is not null. A list that is not computed keeps its length.
          if (kernel().output.columns[column].kind == ColumnInfo::Kind::offsets) continue;
          bool const presence = output.nullable && column == output.column;
          for (double& cell : answers.output.columns[column]) cell = presence ? 1 : not_computed();
        }
    return answers;
  }
  /// Returns whether at least one answer has a number in this output. An empty list has no number.
  bool has_numbers(Answers const& answers, std::string const& name) const {
    for (Node const& output : kernel().output.root.children)
      if (output.name == name) return !answers.output.columns[output.column + output.columns - 1].empty();
    return false;
  }
  /// Calls `use(inputs, answers, count)` for a law on a few cases of each regime.
  template <class Use>
  void for_each_trial(std::size_t law, Use const& use) const {
    std::uint64_t const few = std::max<std::uint64_t>(40 / kernel().case_divisor, 4);
    for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime)
      for (std::uint64_t id = 0; id < few; ++id) {
        Table cases(kernel().input), inputs(kernel().input);
        kernel().generate(regime, 5, id, cases);
        std::size_t const count = kernel().derive(law, cases, 0, law_random(law, id), inputs);
        if (count == 0) continue;
        Answers answers;
        answer(right(), kernel(), inputs, answers);
        use(inputs, answers, count);
      }
  }
};
INSTANTIATE_TEST_SUITE_P(Tolerance, TolerancesOfLawsOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

TEST_P(TolerancesOfLawsOf, LawsNameEveryOutputThatTheyRead) {
  for (std::size_t law = 0; law < kernel().laws.size(); ++law) {
    LawInfo const& info = kernel().laws[law];
    for (auto const* list : {&info.uses, &info.compares})
      for (auto const& name : *list)
        EXPECT_TRUE(std::any_of(kernel().output.root.children.begin(), kernel().output.root.children.end(),
                                [&](Node const& child) { return child.name == name; }))
            << info.name << " names " << name;
    EXPECT_FALSE(info.uses.empty() && info.compares.empty()) << info.name;
    for (Tolerance const& held : {Tolerance{}, tolerance_of(kernel(), Held{Held::To::binary64})})
      for_each_trial(law, [&](Table const& inputs, Answers const& answers, std::size_t count) {
        auto const whole = kernel().violation(law, inputs, answers, 0, count, held);
        auto const named =
            only(answers, [&](auto const& name) { return names(info.uses, name) || names(info.compares, name); });
        EXPECT_EQ(kernel().violation(law, inputs, named, 0, count, held), whole) << info.name;
        // If a law reads an output that it does not name, the output is NaN here, and the law is broken.
        if (whole) {
          EXPECT_LE(*whole, 1) << info.name;
        }
      });
  }
}

TEST_P(TolerancesOfLawsOf, LawsThatNeedAMissingOutputDoNotApply) {
  for (std::size_t law = 0; law < kernel().laws.size(); ++law) {
    LawInfo const& info = kernel().laws[law];
    for_each_trial(law, [&](Table const& inputs, Answers const& answers, std::size_t count) {
      auto const whole = kernel().violation(law, inputs, answers, 0, count, {});
      for (auto const& missing : info.uses) {
        if (!has_numbers(answers, missing)) continue;
        EXPECT_FALSE(kernel().violation(law, inputs, only(answers, [&](auto const& name) { return name != missing; }),
                                        0, count, {}))
            << info.name << " without " << missing;
      }
      for (auto const& alone : info.compares) {
        auto const some = kernel().violation(
            law, inputs, only(answers, [&](auto const& name) { return name == alone || names(info.uses, name); }), 0,
            count, {});
        // With fewer outputs, the violation must not be larger.
        EXPECT_LE(some.value_or(0), whole.value_or(1)) << info.name << " of " << alone;
      }
      if (info.uses.empty()) {
        EXPECT_FALSE(kernel().violation(law, inputs, only(answers, [](auto const&) { return false; }), 0, count, {}))
            << info.name;
      }
    });
  }
}

}  // namespace tolerance_test
}  // namespace demeter
