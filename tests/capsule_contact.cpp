#include "fast/capsule_contact.hpp"
#include "check/check.hpp"
#include "properties/capsule_contact.hpp"
#include "reference/capsule_contact.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/capsule_contact.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace demeter::capsule_contact {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;

constexpr std::uint64_t seed = 40;

template <class Check>
void for_each_case(std::uint64_t count, Check&& check) {
  testing_kernels::for_each_case<Case>(properties::regimes(), seed, count, check);
}

Case capsules(Point const& from1, Point const& to1, double r1, Point const& from2, Point const& to2, double r2) {
  return {(from1 + to1) / 2, (to1 - from1) / 2, r1, (from2 + to2) / 2, (to2 - from2) / 2, r2};
}

// ---------------------------------------------------------------------------------------------------------- reference

double largest_difference(Output<Multiprecision> const& x, Output<Multiprecision> const& y,
                          Output<long double> const& scale) {
  auto const part = [](Multiprecision const& a, Multiprecision const& b, long double of) {
    return static_cast<double>(abs(a - b)) / static_cast<double>(of);
  };
  double worst = part(x.uN, y.uN, scale.uN);
  for (Index i = 0; i < 3; ++i) {
    worst = std::max(worst, part(x.normal[i], y.normal[i], scale.normal[i]));
    worst = std::max(worst, part(x.point[i], y.point[i], scale.point[i]));
  }
  return worst;
}

TEST(CapsuleContact, ReferenceGivesTheSameResultAtTwiceThePrecision) {
  for_each_case(cases(300), [](Case const& in) {
    if (allowance<Contract>(Tolerance{}, "normal", Contract::scale(in).normal[0]) > 1)
      return;  // the axes intersect: the direction consists of rounding errors only
    auto const evaluated = [&] { return reference::evaluate(cast<Input<Multiprecision>>(in)); };
    auto const once = with_digits(100, evaluated), twice = with_digits(200, evaluated);
    EXPECT_LE(largest_difference(once, twice, Contract::scale(in)), 1e-60);
    EXPECT_EQ(once.status, twice.status);
  });
}

TEST(CapsuleContact, AnswersForTwoSpheresAgreeWithTheClosedForm) {
  // For radii 0.5 and 0.75 and centres 0.75 apart, Woo's point is not the middle of the lens
  // (docs/mathematics/capsules.md#capsule_contact-measured-figures).
  Case const in{{0, 0, 0}, {0, 0, 0}, 0.5, {0.75, 0, 0}, {0, 0, 0}, 0.75};
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in), printed::geometric(in)}) {
    EXPECT_EQ(out.uN, -0.5);
    EXPECT_EQ(out.normal, Point(1, 0, 0));
    EXPECT_EQ(out.point, Point(0.25, 0, 0));
    EXPECT_EQ(out.status, Status::overlapping);
  }
  EXPECT_NEAR(printed::woo(in, printed::closest_pair(in)).point[0], 0.3, 1e-15);
}

TEST(CapsuleContact, InterpolatedPointOfASphereOnACapsuleIsBiased) {
  Case const in{{0, 0, 0}, {0.25, 0, 0}, 0.5, {0.125, 0, 0.75}, {0, 0, 0}, 0.5};
  EXPECT_NEAR(printed::interpolated(in, true).point[0], 0.10802, 1e-5);
  EXPECT_NEAR(reference::evaluate(in).point[0], 0.125, 1e-15);
  EXPECT_NEAR(fast::evaluate(in).point[0], 0.125, 1e-15);
}

TEST(CapsuleContact, ThePointOfParallelCapsulesIsTheMiddleOfTheOverlap) {
  Case const in = capsules({0, 0, 0}, {4, 0, 0}, 0.5, {1, 0, 0.6}, {7, 0, 0.6}, 0.5);
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_NEAR(out.uN, -0.4, 1e-15);
    EXPECT_NEAR((out.normal - Point(0, 0, 1)).norm(), 0, 1e-15);
    EXPECT_NEAR((out.point - Point(2.5, 0, 0.3)).norm(), 0, 1e-14);
  }
}

TEST(CapsuleContact, IntersectingAxesAreReportedInTheStatusAndHaveANormal) {
  struct Known {
    Case in;
    Point normal;
  };
  Point const none(0, 0, 0);
  Known const known[] = {
      {{{0, 0, 0}, {1, 0, 0}, 1, {0, 0, 0}, {0, 1, 0}, 0.5}, {0, 0, 1}},
      {{{0, 0, 0}, {0, 1, 0}, 1, {0, 0, 0}, {1, 0, 0}, 0.5}, {0, 0, -1}},
      {{{0, 0, 0}, {2, 0, 0}, 1, {1, 0, 0}, {3, 0, 0}, 0.5}, {0, 1, 0}},
      {{{0, 0, 0}, none, 1, {0, 0, 0}, {0, 2, 0}, 0.5}, {1, 0, 0}},
      {{{1, 2, 3}, none, 1, {1, 2, 3}, none, 1}, {0, 0, 1}},
      {{{0, 0, 0}, {1, 0, 0}, 1, {1, 0, 0}, {0, 0, 1}, 1}, {0, -1, 0}},
  };
  for (auto const& [in, normal] : known) {
    std::vector<Answer> answers{reference::evaluate(in), fast::evaluate(in)};
    for (Level const level : levels())
      answers.push_back(batch<Answer, Case>([level](auto... columns) { fast::evaluate(level, columns...); },
                                            std::vector<Case>(9, in))[4]);
    for (Answer const& out : answers) {
      EXPECT_EQ(out.status, Status::axes_intersect) << text(in);
      EXPECT_EQ(out.uN, -(in.radius1 + in.radius2)) << text(in);
      EXPECT_EQ(out.normal, normal) << text(in) << " " << text(out);
      EXPECT_TRUE(out.point.allFinite()) << text(in);
    }
    EXPECT_TRUE(std::isnan(printed::woo(in, printed::closest_pair(in)).normal[0])) << "what the flag is for";
  }
}

TEST(CapsuleContact, ANormalAlongIntersectingAxesIsNotJudgedButBreaksTheConventionLaw) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  Table cases(kernel.input);
  append(cases, Case{{0, 0, 0}, {0, 0, 0}, 1, {0, 0, 0}, {0, 0, 1}, 1});
  Answers answers;
  answers.clear(kernel.output);
  append(answers.output, Answer{-2, {0, 0, 1}, {0, 0, 0}, Status::axes_intersect});  // this normal is along the shaft
  answers.status = {demeter::Status::answered};
  std::vector<Judged> judged(kernel.budgets.size());
  kernel.judge(cases, kernel.truths(cases), 0, answers, 0, {}, judged);
  EXPECT_TRUE(judged[0].computed && judged[2].computed && judged[3].computed);
  EXPECT_FALSE(judged[1].computed) << "an infinite scale measures nothing";
  auto const convention =
      std::find_if(kernel.laws.begin(), kernel.laws.end(), [](auto const& law) { return law.name == "convention"; });
  auto const law = static_cast<std::size_t>(convention - kernel.laws.begin());
  EXPECT_GT(*kernel.violation(law, cases, answers, 0, 1, {}), 1);
}

/// The change of the contact point and of the normal when a capsule moves from -1e-30 to +1e-30 (R = 1). It is a row of
/// the table of jumps in docs/mathematics/capsules.md#capsule_contact-measured-figures.
struct Jump {
  double point, normal;  ///< point: change in units of R; normal: change in degrees
};
template <class Formula>
Jump jump(Formula const& formula, std::function<Input<Multiprecision>(Multiprecision)> const& at) {
  using Wide = Multiprecision;
  Wide const step("1e-30");
  auto const before = formula(at(-step)), after = formula(at(step));
  auto const number = [](Wide const& x) { return ScalarCast<double, Wide>::apply(x); };
  Vector3<Wide> const point = after.point - before.point, normal = after.normal - before.normal;
  double const chord = number(sqrt(normal.dot(normal)));
  return {number(sqrt(point.dot(point))), 2 * std::asin(chord / 2) * 180 / 3.14159265358979323846};
}

TEST(CapsuleContact, JumpsOfTheInterpolationsAgreeWithTheDocumentedTable) {
  Precision const enough(60);
  using Wide = Multiprecision;
  using Vector = Vector3<Wide>;
  auto const ratio = [](int p, int q) { return Wide(p) / q; };
  auto const axes = [](Vector const& from1, Vector const& to1, Wide r1, Vector const& from2, Vector const& to2) {
    return Input<Wide>{(from1 + to1) / Wide(2), (to1 - from1) / Wide(2), r1,
                       (from2 + to2) / Wide(2), (to2 - from2) / Wide(2), Wide(1) - r1};
  };
  Wide const z = ratio(3, 5), half = ratio(1, 2);
  auto const crossing = [&](Wide const& r1) {
    return [=](Wide e) { return axes({-2, 0, 0}, {ratio(1, 4), 0, 0}, r1, {0, -2, z}, {0, ratio(4, 5) - e, z}); };
  };
  auto const deep = [&](Wide e) {
    return axes({-2, 0, 0}, {ratio(9, 10), 0, 0}, half, {0, -2, ratio(7, 25)}, {0, ratio(24, 25) - e, ratio(7, 25)});
  };
  auto const shallow = [&](Wide e) {
    Vector const along(ratio(40, 41), ratio(9, 41), 0), middle(0, 0, z);
    return axes({-8, 0, 0}, {ratio(7, 2), 0, 0}, half, middle + along * (ratio(-164, 45) + e),
                middle + along * Wide(8));
  };
  auto const scissors = [&](Wide e) {
    Vector const along(ratio(40, 41), ratio(9, 41), 0), middle(0, 0, z);
    Wide const reach = ratio(164, 45) - e;
    return axes({-8, 0, 0}, {reach, 0, 0}, half, middle - along * Wide(8), middle + along * reach);
  };
  auto const no_crossing = [&](Wide e) {
    return axes({-10, 0, 0}, {10, 0, 0}, ratio(3, 4), {0, 0, z}, {2, 0, Wide(1) - e});
  };
  auto const staggered = [&](Wide e) { return axes({e, 0, 0}, {ratio(19, 5) + e, 0, 0}, half, {3, 0, z}, {-4, 0, z}); };
  auto const side_by_side = [&](Wide e) {
    return axes({0, 0, 0}, {2, 0, 0}, half, {ratio(-1, 4) - e, 0, z}, {ratio(14, 5) - e, 0, z});
  };
  auto const twisted = [&](Wide e) { return axes({-2, 0, 0}, {2, 0, 0}, half, {-1, -e, z}, {3, Wide(3) * e, z}); };
  struct Row {
    char const* name;
    std::function<Input<Wide>(Wide)> at;
    Jump documented, woo;
  };
  Row const rows[] = {
      {"1->2, 90 degree crossing", crossing(half), {0.125, 22.6}, {0.125, 0}},
      {"1->2, unequal radii", crossing(ratio(3, 4)), {0.0347, 22.6}, {0.118, 0}},
      {"1->2, deep", deep, {0.45, 72.7}, {0.45, 0}},
      {"1->2, shallow", shallow, {3.44, 52.0}, {3.44, 0}},
      {"0->2, scissors", scissors, {3.58, 53.0}, {3.58, 0}},
      {"1->2, no crossing, unequal radii", no_crossing, {0, 0}, {0.1, 0}},
      {"2->3, parallel staggered", staggered, {0, 0}, {1.5, 0}},
      {"3->4, parallel", side_by_side, {0, 0}, {0.342, 0}},
      {"through exact parallel", twisted, {0, 0}, {0, 0}},
  };
  auto const expect = [](char const* name, Jump const& found, Jump const& tabled) {
    EXPECT_NEAR(found.point, tabled.point, 0.005 * tabled.point + 1e-12) << name;
    EXPECT_NEAR(found.normal, tabled.normal, 0.05 + 1e-12) << name;
  };
  for (Row const& row : rows) {
    auto const documented = [](Input<Wide> const& in) { return printed::interpolated(in, true); };
    auto const woo = [](Input<Wide> const& in) { return printed::woo(in, printed::closest_pair(in)); };
    auto const recommended = [](Input<Wide> const& in) { return reference::evaluate(in); };
    expect(row.name, jump(documented, row.at), row.documented);
    expect(row.name, jump(woo, row.at), row.woo);
    Jump const none = jump(recommended, row.at);
    EXPECT_LT(none.point + none.normal, 1e-25) << row.name;
  }
}

TEST(CapsuleContact, TheKnownJumpOfWoosContactIsReproduced) {
  // A jump of Woo's formula: between two adjacent doubles of the yaw, the point moves by about six metres, and the
  // overlap does not change.
  auto const at = [](double yaw) {
    long double const tilt = -0.0016741279960110246L, turn = yaw;
    Vector3<long double> const along(std::cos(tilt) * std::cos(turn), std::cos(tilt) * std::sin(turn), std::sin(tilt));
    Vector3<long double> const centre(0.6926183232811969L, 0.12348945279750512L, 1.883123286970035L);
    return Input<long double>{{0, 0, 0}, {5, 0, 0}, 1, centre, along * 5, 1};
  };
  double const before = -0.04797967394690124, after = -0.04797967394690123;
  auto const point = [&](double yaw) {
    auto const in = at(yaw);
    return printed::woo(in, printed::closest_pair(in)).point;
  };
  // The rounding of the pose moves the jump by at most a few ulps of the yaw.
  EXPECT_GT((point(before - 1e-15) - point(after + 1e-15)).norm(), 5.5L);
  auto const smooth = [&](double yaw) { return reference::evaluate(at(yaw)).point; };
  EXPECT_LT((smooth(before - 1e-15) - smooth(after + 1e-15)).norm(), 1e-11L);
}

TEST(CapsuleContact, TheDocumentedFormulaTiltsTheNormalOfParallelCapsules) {
  double worst = 0;
  for (double shift = 0; shift < 2; shift += 0.01) {
    Case const in = capsules({0, 0, 0}, {2, 0, 0}, 0.5, {shift, 0, 0.6}, {3 + shift, 0, 0.6}, 0.5);
    worst = std::max(worst, std::acos(printed::interpolated(in, true).normal[2]) * 180 / 3.14159265358979323846);
    EXPECT_NEAR(fast::evaluate(in).normal[2], 1, 1e-15);
  }
  EXPECT_GT(worst, 5);
}

// --------------------------------------------------------------------------------------------------------------- laws

/// Returns a subject that evaluates a printed formula with 60 digits and rounds once. If this subject breaks a law, the
/// cause is the formula and not rounding.
template <class Formula>
Subject exact_subject(Formula const& formula) {
  using Wide = Multiprecision;
  auto const answer = [evaluate = formula.evaluate](Case const& in, Answer& out) -> char const* {
    Precision const enough(60);
    out = cast<Answer>(evaluate(cast<Input<Wide>>(in)));
    return nullptr;
  };
  return make_subject(std::string(formula.name), answer_with<Contract>(std::string(formula.doc), answer));
}

/// Measures the column "broken by" of docs/mathematics/capsules.md#capsule_contact-laws-and-continuity.
TEST(CapsuleContact, EachFormulaBreaksTheDocumentedLaws_long) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  std::vector<Subject> formulas;
  formulas.push_back(
      exact_subject(Formula{"reference", "C", FormulaKind::equal,
                            []<class Scalar>(Input<Scalar> const& in) { return reference::evaluate(in); }}));
  std::apply([&](auto const&... each) { (formulas.push_back(exact_subject(each)), ...); }, printed::formulas());
  std::vector<Subject const*> subjects{find_subject("fast")};
  for (Subject const& each : formulas) subjects.push_back(&each);
  CheckOptions options;
  options.cases = options.law_cases = 300;  // not reduced under the sanitizers: the table needs all cases
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)  // these two regimes need more than 60 digits
    if (kernel.regimes[regime].name != "mixed_scale" && kernel.regimes[regime].name != "subnormals")
      options.regimes.push_back(regime);
  options.shrink = false;
  options.seed = seed;
  std::map<std::string, std::set<std::string>> broken;
  for (SubjectCheck const& each : check(kernel, subjects, options))
    for (LawCheck const& law : each.laws) {
      EXPECT_TRUE(law.applicable > 0 || kernel.laws[law.law].name == "convention") << kernel.laws[law.law].name;
      if (law.broken > 0) broken[kernel.laws[law.law].name].insert(each.subject);
    }
  using Names = std::set<std::string>;
  Names const all{"documented", "documented_raw", "geometric", "threshold", "woo"};
  std::map<std::string, Names> const expected{
      {"swap", {"geometric"}},
      {"reversal", {"geometric"}},
      {"finite", all},
      {"unit_normal", {"documented_raw"}},
      {"overlap_bound", {"threshold"}},
      {"gradient", {"documented", "documented_raw"}},
      {"parallel", {"documented", "documented_raw"}},
      {"spheres", {"documented", "documented_raw", "threshold", "woo"}},
      {"overlap_motion", {"threshold"}},
      {"force_motion", all},
  };
  for (auto const& law : kernel.laws) {
    auto const found = expected.find(law.name);
    EXPECT_EQ(broken[law.name], found == expected.end() ? Names{} : found->second) << law.name;
  }
}

}  // namespace
}  // namespace demeter::capsule_contact
