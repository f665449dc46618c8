// Tests that everyday and degenerate cases of every kernel have the declared sizes. The cases that laws derive from
// them must have these sizes, too.
#include "check/check.hpp"
#include "fast/segment_distance.hpp"
#include "kernels/kernel.hpp"
#include "reference/spec/core/quantities.hpp"
#include "reference/spec/segment_distance.hpp"
#include "reports/format/describe.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace demeter {
namespace profiles_test {

constexpr std::uint64_t seed = 3;

class ProfilesOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }

  /// Calls `look(regime, cases, row)` for `count` drawn cases of each regime, except extreme regimes.
  template <class Look>
  void for_each_case(std::uint64_t count, Sizes const& sizes, Look const& look) const {
    for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
      RegimeInfo const& info = kernel().regimes[regime];
      if (info.size > 0 || info.profile == Profile::extreme) continue;
      Table cases(kernel().input);
      for (std::uint64_t id = 0; id < count; ++id) kernel().generate(regime, seed, id, cases, sizes);
      for (std::size_t row = 0; row < cases.rows; ++row) look(info, cases, row);
    }
  }
  /// Expects that cases have sizes from `low` to `high` metres. Degenerate cases may be smaller by a factor of two.
  void expect_sizes(double low, double high, Sizes const& sizes) const {
    for_each_case(200, sizes, [&](RegimeInfo const& regime, Table const& cases, std::size_t row) {
      double const size = kernel().size(cases, row);
      if (std::isnan(size)) return;  // the case has no size
      // Coincident points have the size 0.
      if (regime.profile == Profile::degenerate && size == 0) return;
      double const least = regime.profile == Profile::everyday ? low : low / 2;
      EXPECT_TRUE(size >= least * (1 - 1e-9) && size <= high * (1 + 1e-9))
          << regime.name << " is of " << size << " m: " << row_text(kernel(), cases, row);
      ASSERT_FALSE(HasFailure());
    });
  }
  static std::string row_text(Kernel const& kernel, Table const& cases, std::size_t row) {
    return record_json(kernel.input, cases, row).dump();
  }
};

TEST_P(ProfilesOf, EverydayAndDegenerateCasesHaveEverydaySizes) { expect_sizes(1e-5, 10, Sizes{}); }

TEST_P(ProfilesOf, CasesHaveTheSizesThatTheUserRequires) { expect_sizes(1e-3, 1e-2, Sizes{-3, -2}); }

TEST_P(ProfilesOf, EverydaySizesCoverTheWholeRange) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  bool any = false;
  for_each_case(400, Sizes{}, [&](RegimeInfo const& regime, Table const& cases, std::size_t row) {
    if (regime.profile != Profile::everyday) return;
    if (std::isnan(kernel().size(cases, row))) return;
    any = true;
    least = std::min(least, kernel().size(cases, row));
    most = std::max(most, kernel().size(cases, row));
  });
  if (!any) GTEST_SKIP() << "its lengths say nothing of a size";
  EXPECT_LT(least, 2e-5);
  EXPECT_GT(most, 5);
}

TEST_P(ProfilesOf, EveryKernelHasEverydayCases) {
  bool any = false;
  for (auto const& regime : kernel().regimes) any = any || regime.profile == Profile::everyday;
  EXPECT_TRUE(any);
}

/// The cases that a law compares have everyday sizes, within a factor of two, or are points. Some laws compare a part
/// of a clump, or a clump and a copy beside it. If the sizes then differ more, the law does not apply.
TEST_P(ProfilesOf, CasesThatLawsDeriveFromEverydayCasesHaveEverydaySizes) {
  for (std::size_t law = 0; law < kernel().laws.size(); ++law)
    for_each_case(40, Sizes{}, [&](RegimeInfo const& regime, Table const& cases, std::size_t row) {
      if (regime.profile != Profile::everyday) return;
      for (std::uint64_t salt = 0; salt < 3; ++salt) {
        Table inputs(kernel().input);
        kernel().derive(law, cases, row, law_random(law, salt), inputs);
        for (std::size_t i = 0; i < inputs.rows; ++i) {
          double const size = kernel().size(inputs, i);
          EXPECT_TRUE(std::isnan(size) || size == 0 || (size > 0.5e-5 && size < 20))
              << kernel().laws[law].name << " takes " << row_text(kernel(), cases, row) << " to "
              << row_text(kernel(), inputs, i);
        }
      }
      ASSERT_FALSE(HasFailure());
    });
}

// ---------------------------------------------------------------------------------------------------------- deciding

using segment_distance::Contract;
using Case = segment_distance::Input<double>;
using Answer = segment_distance::Output<double>;

/// Returns a subject that is wrong for cases smaller than `size`, like code with an absolute epsilon.
Subject wrong_below(double size) {
  return make_subject("planted", answer_with<Contract>("", [size](Case const& in, Answer& out) -> char const* {
                        out = segment_distance::fast::evaluate(in);
                        if (size_of_case(in) < size) out.distance += size;
                        return nullptr;
                      }));
}

TEST(Deciding, FailuresInExtremeRegimesDecideTheVerdictOnlyOnRequest) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Subject const subject = wrong_below(1e-6);
  CheckOptions options;
  options.cases = 200;
  options.law_cases = 50;
  options.regimes.clear();
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
    if (kernel.regimes[i].name == "typical" || kernel.regimes[i].name == "near_parallel" ||
        kernel.regimes[i].name == "micro")
      options.regimes.push_back(i);
  EXPECT_FALSE(check(kernel, {&subject}, options).front().passed());
  options.deciding = {Profile::everyday, Profile::degenerate};
  auto const found = check(kernel, {&subject}, options).front();
  EXPECT_TRUE(found.passed());
  std::uint64_t failed = 0, broken = 0;
  for (auto const& cell : found.accuracy) failed += cell.failed;
  for (auto const& law : found.laws) broken += law.broken;
  EXPECT_GT(failed, 100u);
  EXPECT_GT(broken, 50u);
  Subject const worse = wrong_below(1e-4);
  EXPECT_FALSE(check(kernel, {&worse}, options).front().passed());
  // If the user requires larger sizes, all cases are above the size at which the subject is wrong.
  options.sizes = {-3, 0};
  EXPECT_TRUE(check(kernel, {&worse}, options).front().passed());
}

TEST(Deciding, TheSizesCanBeReadFromTheSaltOfALaw) {
  EXPECT_EQ(law_salt(70, Sizes{}), 6u);
  for (Sizes const sizes : {Sizes{-3, 0}, Sizes{-30, 30}, Sizes{-2.5, 1.25}}) {
    Random const random = law_random(2, law_salt(5, sizes));
    EXPECT_NEAR(random.sizes().low_exponent, sizes.low_exponent, 1e-12);
    EXPECT_NEAR(random.sizes().high_exponent, sizes.high_exponent, 1e-12);
    EXPECT_EQ(law_salt(5, sizes) % law_salts, 5u);
  }
  EXPECT_EQ(law_random(2, ~std::uint64_t{0}).sizes(), Sizes{});
}

INSTANTIATE_TEST_SUITE_P(Kernel, ProfilesOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& each) { return each.param; });

}  // namespace profiles_test
}  // namespace demeter
