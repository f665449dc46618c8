// Tests the methods that approximate a kernel: they answer, they are more accurate at higher cost, and they refuse
// cases that they cannot answer.
#include "check/check.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"
#include "subjects/subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace demeter {
namespace methods_test {

using namespace clump_union_mass_properties;
using Case = Input<double>;
using Answer = Output<double>;

Kernel const& unions() { return *find_kernel("clump_union_mass_properties"); }

Answers answers_of(char const* subject, Table const& cases) {
  Subject const& found = *find_subject(subject);
  Answers answers;
  answers.clear(unions().output);
  answer(found, unions(), cases, answers);
  return answers;
}

/// The root mean squares of the relative errors of the volume and of the trace of the inertia.
struct Errors {
  double volume = 0, inertia = 0;
};
Errors errors(char const* subject, Table const& cases) {
  Answers const truth = answers_of("fast", cases), answers = answers_of(subject, cases);
  Errors sum;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (answers.status[row] != Status::answered) ADD_FAILURE() << subject << ": " << answers.message.at(row);
    auto const given = load<Answer>(answers.output, row), exact = load<Answer>(truth.output, row);
    sum.volume += std::pow(given.volume / exact.volume - 1, 2);
    sum.inertia += std::pow(given.inertia.head<3>().sum() / exact.inertia.head<3>().sum() - 1, 2);
    EXPECT_TRUE(is_not_computed(given.surface_area)) << subject;
  }
  return {std::sqrt(sum.volume / static_cast<double>(cases.rows)),
          std::sqrt(sum.inertia / static_cast<double>(cases.rows))};
}

Table typical(std::uint64_t count) {
  auto const& regimes = unions().regimes;
  auto const found =
      std::find_if(regimes.begin(), regimes.end(), [](auto const& each) { return each.name == "typical"; });
  Table cases(unions().input);
  for (std::uint64_t id = 0; id < count; ++id)
    unions().generate(static_cast<std::size_t>(found - regimes.begin()), 3, id, cases);
  return cases;
}

TEST(Methods, AreMoreAccurateAtHigherCost) {
  Table const cases = typical(12);
  Errors const coarse = errors("grid_centres@5", cases), middle = errors("grid_centres@20", cases),
               fine = errors("grid_centres@80", cases), columns = errors("grid_columns@20", cases),
               fine_columns = errors("grid_columns@80", cases), points = errors("monte_carlo@1e6", cases);
  // The table of docs/mathematics/clumps.md#clump_grid_mass_properties-measured-figures has 1.1e-2, 4.4e-4 and 2.8e-5
  // for centres, 2.6e-4 and 1.2e-5 for columns.
  EXPECT_LT(coarse.volume, 3e-2);
  EXPECT_LT(middle.volume, coarse.volume / 5);
  EXPECT_LT(fine.volume, middle.volume / 5);
  EXPECT_LT(columns.volume, middle.volume);
  EXPECT_LT(fine_columns.volume, columns.volume / 5);
  // The expected error is sqrt((1 - p) / (p n)). The body fills at least p = 1/10 of its box.
  EXPECT_LT(points.volume, 3 * std::sqrt(9.0 / 1e6));
  EXPECT_GT(points.volume, 1e-5);
  for (Errors const& each : {coarse, middle, fine, columns, fine_columns}) EXPECT_GT(each.volume, 1e-7);
}

TEST(Methods, AddingTheCellsOwnMomentsAsInWooMakesTheMomentTooLarge) {
  // With five cells per radius, the cells' own moments add (h^2/6) / (2 r^2/5) = 1/60. Without them, the moment is too
  // low by 4e-4 on average over all offsets of the grid
  // (docs/mathematics/clumps.md#clump_grid_mass_properties-measured-figures). A single ball is symmetric in its box.
  // Its moment is therefore not an average: it is 9.2 % too high.
  Table one(unions().input);
  append(one, Case{1000, {{{0.1, 0.2, 0.3}, 1}}});
  double const exact = load<Answer>(answers_of("fast", one).output, 0).inertia[0];
  double const centres = load<Answer>(answers_of("grid_centres@5", one).output, 0).inertia[0];
  double const woo = load<Answer>(answers_of("grid_woo@5", one).output, 0).inertia[0];
  EXPECT_NEAR((woo - centres) / exact, 1.0 / 60, 1e-3);
  EXPECT_NEAR(centres / exact - 1, 0.0916756, 1e-6);
}

TEST(Methods, ACaseThatNeedsATooLargeGridIsUnsupported) {
  Table cases(unions().input);
  append(cases, Case{1000, {{{0, 0, 0}, 1}, {{2, 0, 0}, 1e-3}}});
  append(cases, Case{1000, {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}}});
  Answers const answers = answers_of("grid_centres@80", cases);
  EXPECT_EQ(answers.status[0], Status::unsupported);
  EXPECT_EQ(answers.message.at(0), "the grid would have more than 2^30 cells");
  EXPECT_EQ(answers.status[1], Status::answered);
}

TEST(Methods, GetFewCasesAndNoLaws) {
  for (auto const& method : approximate_methods()) {
    EXPECT_TRUE(method.ours() && method.approximate()) << method.name;
    CheckOptions const few = affordable(method, CheckOptions{});
    EXPECT_LE(few.cases, 100u) << method.name;
    EXPECT_EQ(few.law_cases, 0u) << method.name;
    EXPECT_EQ(find_subject(method.name)->name, method.name);
  }
}

}  // namespace methods_test
}  // namespace demeter
