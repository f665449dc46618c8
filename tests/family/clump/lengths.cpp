// Tests that lists of every length are drawn. A code may drop one member only in lists of a certain length. Such a code
// must fail, for every length.
#include "fast/clump_force_torque.hpp"
#include "fast/clump_grid_mass_properties.hpp"
#include "fast/clump_mass_properties.hpp"
#include "fast/clump_union_mass_properties.hpp"
#include "fast/nscd_solve.hpp"
#include "oracles/clump_force_torque.hpp"
#include "oracles/clump_grid_mass_properties.hpp"
#include "oracles/clump_mass_properties.hpp"
#include "oracles/clump_union_mass_properties.hpp"
#include "oracles/nscd_solve.hpp"
#include "properties/clump_force_torque.hpp"
#include "properties/clump_grid_mass_properties.hpp"
#include "properties/clump_mass_properties.hpp"
#include "properties/clump_union_mass_properties.hpp"
#include "properties/nscd_solve.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace demeter {
namespace lengths_test {

constexpr std::uint64_t seed = 41;

std::set<std::size_t> wanted(std::size_t most) {
  std::set<std::size_t> all;
  for (std::size_t n = 1; n <= 130; ++n) all.insert(n);
  for (std::size_t const power : {256u, 512u, 1024u})
    for (std::size_t const n : {power - 1, power, power + 1})
      if (n <= most) all.insert(n);
  return all;
}

TEST(ListLengths, EveryLengthIsDrawnWithin140CasesFromAnyFirstCase) {
  for (std::uint64_t const first : {std::uint64_t{0}, std::uint64_t{77}, ~std::uint64_t{0} - 1000}) {
    std::set<std::size_t> drawn, short_ones;
    for (std::uint64_t id = first; id < first + 140; ++id) {
      Random random(seed, 3, id), same(seed, 3, id);
      std::int64_t const length = list_length(random);
      EXPECT_EQ(length, list_length(same));
      EXPECT_GE(length, 1);
      drawn.insert(static_cast<std::size_t>(length));
      std::int64_t const limited = list_length(random, 130);
      EXPECT_TRUE(limited >= 1 && limited <= 130) << limited;
      short_ones.insert(static_cast<std::size_t>(limited));
    }
    auto expected = wanted(1025);
    for (std::size_t const n : expected) EXPECT_TRUE(drawn.contains(n)) << n;
    EXPECT_GT(*drawn.rbegin(), 1499u);
    EXPECT_EQ(short_ones.size(), 130u);
  }
}

/// Checks each list length among the cases that `demeter check` draws first. For each length, one case must show the
/// dropped member: the answer without the last member exceeds a budget. The answer to the whole list must never exceed
/// a budget.
template <class Kernel, class Right, class WithoutTheLast, class Count>
void expect_a_dropped_member_shows(Kernel const& tested, std::size_t most, Right const& right,
                                   WithoutTheLast const& without_the_last, Count const& count) {
  std::set<std::size_t> shown;
  auto const expected = wanted(most);
  for (std::uint64_t id = 0; id < 700 && shown.size() < expected.size(); ++id) {
    auto const in = tested.draw("lengths", id);
    std::size_t const members = count(in);
    if (shown.contains(members) || !expected.contains(members)) continue;
    auto const truth = tested.truth(in);
    EXPECT_TRUE(tested.passes(in, truth, right(in))) << members << " members, case " << id;
    if (members < 2 || !tested.passes(in, truth, without_the_last(in))) shown.insert(members);
  }
  for (std::size_t const n : expected) EXPECT_TRUE(shown.contains(n)) << "of " << n << " one may be dropped";
}

template <class Contract, OracleHooks<Contract> const& hooks>
struct Judge {
  testing_kernels::Tested<Contract, hooks> kernel;
  auto draw(std::string_view regime, std::uint64_t id) const { return kernel.draw(regime, id); }
  template <class Case>
  auto truth(Case const& in) const {
    return kernel.truth(in);
  }
  template <class Case, class Truth, class Answer>
  bool passes(Case const& in, Truth const& truth, Answer const& answer) const {
    auto const all = testing_kernels::judged<Contract, hooks>(in, truth, answer);
    return testing_kernels::all_pass(all);
  }
};

/// Calls expect_a_dropped_member_shows() for a clump. The last member of the list `members` is dropped.
template <class Contract, OracleHooks<Contract> const& hooks, auto members>
void expect_of_a_clump(
    testing_kernels::Tested<Contract, hooks> const& tested,
    typename Contract::template Output<double> (*evaluate)(typename Contract::template Input<double> const&) noexcept,
    std::size_t most) {
  expect_a_dropped_member_shows(
      Judge<Contract, hooks>{tested}, most, evaluate,
      [&](auto in) {
        (in.*members).pop_back();
        return evaluate(in);
      },
      [](auto const& in) { return (in.*members).size(); });
}

TEST(ListLengths, ADroppedMemberShowsInClumpForceTorque) {
  namespace kernel = clump_force_torque;
  expect_of_a_clump<kernel::Contract, kernel::oracle::hooks, &kernel::Input<double>::members>(
      {kernel::properties::regimes, kernel::properties::laws, kernel::oracle::truth, seed}, kernel::fast::evaluate,
      1025);
}
TEST(ListLengths, ADroppedMemberShowsInClumpMassProperties) {
  namespace kernel = clump_mass_properties;
  expect_of_a_clump<kernel::Contract, kernel::oracle::hooks, &kernel::Input<double>::members>(
      {kernel::properties::regimes, kernel::properties::laws, kernel::oracle::truth, seed}, kernel::fast::evaluate,
      1025);
}
TEST(ListLengths, ADroppedBallShowsInClumpGridMassProperties) {
  namespace kernel = clump_grid_mass_properties;
  expect_of_a_clump<kernel::Contract, kernel::oracle::hooks, &kernel::Input<double>::balls>(
      {kernel::properties::regimes, kernel::properties::laws, kernel::oracle::truth, seed}, kernel::fast::evaluate,
      1025);
}
TEST(ListLengths, ADroppedBallShowsInClumpUnionMassProperties) {
  namespace kernel = clump_union_mass_properties;
  expect_of_a_clump<kernel::Contract, kernel::oracle::hooks, &kernel::Input<double>::balls>(
      {kernel::properties::regimes, kernel::properties::laws, kernel::oracle::truth, seed}, kernel::fast::evaluate,
      130);
}
TEST(ListLengths, ADroppedContactShowsInNscdSolve) {
  namespace kernel = nscd_solve;
  using Case = kernel::Input<double>;
  expect_a_dropped_member_shows(
      Judge<kernel::Contract, kernel::oracle::hooks>{
          {kernel::properties::regimes, kernel::properties::laws, kernel::oracle::truth, seed}},
      130, [](Case const& in) { return kernel::fast::evaluate(in); },
      [](Case in) {
        in.contacts.pop_back();
        auto out = kernel::fast::evaluate(in);
        out.impulses.push_back(0);
        return out;
      },
      [](Case const& in) { return in.contacts.size(); });
}

}  // namespace lengths_test
}  // namespace demeter
