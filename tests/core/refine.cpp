// Tests the cases that remain undecided with the enclosure in long double. Intervals with more bits must decide them
// correctly.
#include "kernels/kernel.hpp"
#include "oracles/capsule_mass_properties.hpp"
#include "oracles/clump_force_torque.hpp"
#include "oracles/segment_distance.hpp"
#include "reference/core/scalars.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace refine_test {

Multiprecision wide(long double x) { return Multiprecision(x); }
Multiprecision low(Interval const& x) { return Multiprecision(x.low()); }
Multiprecision high(Interval const& x) { return Multiprecision(x.high()); }

/// Collects the cells of a record in a list.
template <class Cell>
struct Cells {
  std::vector<Cell> all;
  void number(std::size_t, Cell const& value) { all.push_back(value); }
  void index(std::size_t, std::size_t) {}
  void end_list(std::size_t, std::size_t) {}
};

template <class Contract, class Truth, class Refined>
void expect_refined_meets(Truth const& truth, Refined const& refined) {
  Kernel const& kernel = *find_kernel(Contract::name);
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime) {
    for (std::uint64_t id = 0; id < 40; ++id) {
      Table cases(kernel.input);
      kernel.generate(regime, 3, id, cases);
      auto const in = load<typename Contract::template Input<double>>(cases, 0);
      Cells<Enclosure> wider;
      Cells<Interval> narrower;
      detail::append_cells(truth(in), 0, wider);
      detail::append_cells(refined(in, mpfr_prec_t{700}), 0, narrower);
      ASSERT_EQ(wider.all.size(), narrower.all.size());
      for (std::size_t i = 0; i < wider.all.size(); ++i) {
        Enclosure const& a = wider.all[i];
        Interval const& b = narrower.all[i];
        ASSERT_EQ(std::isinf(a.radius), b.is_anything());
        if (b.is_anything()) continue;
        Multiprecision const middle = wide(a.high) + wide(a.low), radius = wide(a.radius);
        EXPECT_LE(low(b), high(b));
        // The interval and the enclosure must intersect. The interval may be partly outside of the enclosure: an exact
        // sum of numbers with very different exponents can have more than 700 bits.
        EXPECT_GE(high(b), middle - radius) << kernel.name << " " << kernel.regimes[regime].name << " " << id;
        EXPECT_LE(low(b), middle + radius) << kernel.name << " " << kernel.regimes[regime].name << " " << id;
        EXPECT_LE(high(b) - low(b), abs(high(b)) * wide(0x1p-690L)) << kernel.name << " " << id;
      }
    }
  }
}

TEST(Refine, IntervalsOverlapTheEnclosures) {
  Precision const guard(2000);
  expect_refined_meets<segment_distance::Contract>(
      [](auto const& in) { return segment_distance::oracle::truth(in); },
      [](auto const& in, mpfr_prec_t bits) { return segment_distance::oracle::refined_truth(in, bits); });
  expect_refined_meets<capsule_mass_properties::Contract>(
      [](auto const& in) { return capsule_mass_properties::oracle::truth(in); },
      [](auto const& in, mpfr_prec_t bits) { return capsule_mass_properties::oracle::refined_truth(in, bits); });
  expect_refined_meets<clump_force_torque::Contract>(
      [](auto const& in) { return clump_force_torque::oracle::truth(in); },
      [](auto const& in, mpfr_prec_t bits) { return clump_force_torque::oracle::refined_truth(in, bits); });
}

struct OneAnswer {
  Table cases;
  Answers answers;
  Truths truths;
};

OneAnswer one_answer(Kernel const& kernel, Table const& cases, std::vector<double> const& output) {
  OneAnswer one{cases, {}, kernel.truths(cases)};
  one.answers.clear(kernel.output);
  for (std::size_t i = 0; i < output.size(); ++i) one.answers.output.columns[i] = {output[i]};
  one.answers.output.rows = 1;
  one.answers.status = {Status::answered};
  return one;
}

TEST(Refine, ErrorsVeryCloseToTheBudgetAreDecidedWithMoreBits) {
  Precision const guard(200);
  Kernel const& kernel = *find_kernel("segment_distance");
  std::size_t refined = 0, passes = 0, fails = 0;
  std::vector<Judged> judged(kernel.budgets.size());
  for (std::uint64_t id = 0; id < 30000; ++id) {
    Table cases(kernel.input);
    kernel.generate(0, 5, id, cases);
    Answers answers;
    answers.clear(kernel.output);
    kernel.find("reference@double")->answer(cases, answers);
    double const near = answers.output.columns[0][0] * (1 + 0x1p-50);
    auto const one = one_answer(kernel, cases, {near, not_computed(), not_computed()});
    kernel.judge(one.cases, one.truths, 0, one.answers, 0, {}, judged);
    // Sets the budget to the error itself, rounded to a double. The answer is then at the edge of the budget.
    double const units = judged[0].error;
    Tolerance const tie{{units, kernel.budgets[1].units, kernel.budgets[2].units}};
    kernel.judge(one.cases, one.truths, 0, one.answers, 0, tie, judged);
    ASSERT_NE(judged[0].verdict, Verdict::undecided) << id;
    if (!judged[0].refined) continue;
    ++refined;
    TextTable text = empty_text(kernel.output);
    kernel.evaluate_text(0, {Arithmetic::Kind::multiprecision, 200}, 200, cases, 0, text);
    Multiprecision const exact(text.columns[0][0].c_str());
    long double const scale =
        segment_distance::Contract::scale(load<segment_distance::Input<double>>(cases, 0)).distance;
    Multiprecision const error = abs(wide(near) - exact),
                         allowed = wide(units) * wide(unit_roundoff) * wide(scale) + wide(0x1p-1075L);
    EXPECT_EQ(judged[0].verdict, error <= allowed ? Verdict::pass : Verdict::fail) << id;
    ++(error <= allowed ? passes : fails);
  }
  EXPECT_GT(refined, 20u) << "the cases must be as hard as they are meant to be";
  EXPECT_GT(passes, 3u);
  EXPECT_GT(fails, 3u);
}

TEST(Refine, AnErrorEqualToTheBudgetPasses) {
  Kernel const& kernel = *find_kernel("segment_distance");
  std::vector<Judged> judged(kernel.budgets.size());
  for (int exponent : {-300, -1, 0, 20, 300}) {
    double const unit = std::ldexp(1.0, exponent);
    Table cases(kernel.input);
    append(cases, segment_distance::Input<double>{{0, 0, 0}, {4 * unit, 0, 0}, {0, unit, 0}, {4 * unit, unit, 0}});
    auto const in = load<segment_distance::Input<double>>(cases, 0);
    long double const scale = segment_distance::Contract::scale(in).distance;
    double const at_budget = static_cast<double>(unit + 8 * static_cast<long double>(unit_roundoff) * scale);
    ASSERT_EQ(at_budget - unit, 8 * unit_roundoff * static_cast<double>(scale)) << "the tie must be representable";
    for (bool const beyond : {false, true}) {
      auto const one =
          one_answer(kernel, cases,
                     {beyond ? std::nextafter(at_budget, 2 * at_budget) : at_budget, not_computed(), not_computed()});
      kernel.judge(one.cases, one.truths, 0, one.answers, 0, {}, judged);
      EXPECT_EQ(judged[0].verdict, beyond ? Verdict::fail : Verdict::pass) << exponent;
    }
  }
}

TEST(Refine, SinglePrecisionIsJudgedInUnitsOfFloat) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  std::vector<Judged> judged(kernel.budgets.size());
  Table cases(kernel.input);
  append(cases, capsule_mass_properties::Input<double>{0.5, 1, 1000});
  auto const exact = capsule_mass_properties::oracle::truth({0.5, 1, 1000});
  std::vector<double> rounded;
  for (auto const* each : {&exact.volume, &exact.mass, &exact.ixx, &exact.iyy, &exact.bounding_radius})
    rounded.push_back(static_cast<float>(each->high));
  auto const one = one_answer(kernel, cases, rounded);
  kernel.judge(one.cases, one.truths, 0, one.answers, 0, {}, judged);
  EXPECT_EQ(judged[0].verdict, Verdict::fail) << "as a double it is far off";
  Tolerance const single{{}, binary32};
  kernel.judge(one.cases, one.truths, 0, one.answers, 0, single, judged);
  for (auto const& each : judged) {
    EXPECT_EQ(each.verdict, Verdict::pass);
    EXPECT_LE(each.error, 1) << "half a unit in the last place of binary32 is one unit roundoff";
  }
  auto const coarse = one_answer(kernel, cases, {rounded[0] * (1 + 0x1p-20), rounded[1], rounded[2], rounded[3], 1});
  kernel.judge(coarse.cases, coarse.truths, 0, coarse.answers, 0, single, judged);
  EXPECT_EQ(judged[0].verdict, Verdict::fail) << "16 units of 2^-24";

  // Beyond the largest float, infinity is right for a float, but not for a double.
  Table large(kernel.input);
  append(large, capsule_mass_properties::Input<double>{0x1p50, 0, 1});
  double const infinity = std::numeric_limits<double>::infinity();
  auto const over = one_answer(kernel, large, {infinity, infinity, infinity, infinity, 0x1p50});
  kernel.judge(over.cases, over.truths, 0, over.answers, 0, single, judged);
  for (auto const& each : judged) EXPECT_EQ(each.verdict, Verdict::pass);
  kernel.judge(over.cases, over.truths, 0, over.answers, 0, {}, judged);
  EXPECT_EQ(judged[0].verdict, Verdict::fail);
}

}  // namespace refine_test
}  // namespace demeter
