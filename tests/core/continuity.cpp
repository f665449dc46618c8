// Tests the continuity search on functions with known behaviour, and on the capsule formulas against the table of
// docs/mathematics/capsules.md#capsule_contact-measured-figures.
#include "check/continuity.hpp"

#include "check/passivity.hpp"
#include "fast/clump_union_mass_properties.hpp"
#include "kernels/make_laboratory.hpp"
#include "reference/spec/capsule_contact.hpp"
#include "reports/format/continuity.hpp"
#include "reports/format/members.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace bend {

template <class Scalar>
struct Input {
  Scalar x;
  static constexpr auto fields() { return std::tuple{field("x", &Input::x, "", "")}; }
};
template <class Scalar>
struct Output {
  Scalar y;
  static constexpr auto fields() { return std::tuple{field("y", &Output::y, "", "")}; }
};
struct Contract {
  template <class Scalar>
  using Input = bend::Input<Scalar>;
  template <class Scalar>
  using Output = bend::Output<Scalar>;
  static constexpr std::string_view name = "bend";
  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const&) {
    return std::nullopt;
  }
};

template <class Scalar>
struct Path {
  Scalar from, to;
  static constexpr auto fields() {
    return std::tuple{field("from", &Path::from, "", ""), field("to", &Path::to, "", "")};
  }
};

enum Kind : std::size_t { smooth, jump, kink, root, coarse };
constexpr std::array<char const*, 5> names{"smooth", "jump", "kink", "root", "coarse"};

/// Returns function number `kind` at x. Its jump, kink or root is at 1/3, which is not a double.
template <class Scalar>
Output<Scalar> evaluate(std::size_t kind, Input<Scalar> const& in) {
  using std::sqrt;
  Scalar const third = Scalar(1) / 3, x = in.x;
  Scalar const beside = x < third ? Scalar(third - x) : Scalar(x - third);
  switch (kind) {
    case jump:
      return {x < third ? x : Scalar(x + Scalar(1) / 8)};
    case kink:
      return {Scalar(beside + x * x)};
    case root:
      return {Scalar(sqrt(beside))};
    case coarse:  // cancellation loses eight digits of x
      return {Scalar(Scalar(x + Scalar(100000000)) - Scalar(100000000))};
    default:
      return {Scalar(x * x - x)};
  }
}

struct Parts {
  using Contract = bend::Contract;
  template <class Scalar>
  using Path = bend::Path<Scalar>;
  static constexpr std::array<Quantity, 1> quantities{{{"y", "", 0, 1}}};
  static constexpr std::size_t overlap = 0;
  static constexpr std::string_view energy_unit = "", excluded = "";
  static std::span<Family<Path<double>> const> families() {
    static Family<Path<double>> const list[] = {{"rises", "", [](Random& random) {
                                                   return Path<double>{random.uniform(-1, 0.2), random.uniform(0.5, 1)};
                                                 }}};
    return list;
  }
  template <class Scalar>
  static Input<Scalar> at(Path<Scalar> const& path, Scalar const& t) {
    return {path.from + (path.to - path.from) * t};
  }
  template <class Scalar>
  static Observation<Scalar, 1, 1> observe(Input<Scalar> const&, Output<Scalar> const& out) {
    return {{out.y}, {out.y == out.y}};
  }
  template <class Scalar>
  static std::string transition(Input<Scalar> const& a, Input<Scalar> const& b) {
    Scalar const third = Scalar(1) / 3;
    return (a.x < third) != (b.x < third) ? "a third" : "";
  }
  static Output<double> no_contact() { return {0}; }
  static bool within_search(Path<double> const& path) {
    return std::fabs(path.from) <= 1 && std::fabs(path.to) <= 1 && std::fabs(path.to - path.from) > 0.01;
  }
  static std::vector<Path<double>> simpler(Path<double> const&) { return {}; }
  static std::uint32_t state(Input<double> const&) {
    return 0;
  }  // always 0: a jump cannot be found by a change of
     // state, only by its size
  static std::array<double, 1> rounding(Input<double> const&) { return {0x1p-50}; }
  static double motion(Input<double> const& a, Input<double> const& b) { return std::fabs(b.x - a.x); }
  static std::array<double, 1> gaps(Input<double> const& in) { return {-in.x}; }
  /// Returns the power of a force in direction x whose value is y.
  static double power(Path<double> const& path, double, Input<double> const&, Output<double> const& out) {
    return out.y * (path.to - path.from);
  }
  static double stored(std::span<double const>) { return 1; }
};

struct Bench {
  Kernel kernel;
  Laboratory laboratory = make_laboratory<Parts>();
  std::vector<Subject> subjects;
  Bench() {
    kernel.name = Contract::name;
    kernel.input = schema_of<Input<double>>();
    kernel.output = schema_of<Output<double>>();
    kernel.evaluate.in_multiprecision = [](std::size_t formula, BasicTable<Multiprecision> const& cases,
                                           std::size_t row, BasicTable<Multiprecision>& answers) {
      append(answers, evaluate(formula, load<Input<Multiprecision>>(cases, row)));
    };
    for (std::size_t kind = 0; kind < names.size(); ++kind) {
      kernel.formulas.push_back({{names[kind], ""}});
      auto const answering = [kind](Input<double> const& in, Output<double>& out) -> char const* {
        out = evaluate(kind, in);
        return nullptr;
      };
      subjects.push_back(make_subject(std::string(names[kind]) + "@double", answer_with<Contract>("", answering),
                                      kind == 0 ? Origin::reference : Origin::printed));
    }
  }
  Continuity search(Kind kind, std::uint64_t paths = 200) const {
    ContinuityOptions options;
    options.paths = paths;
    return search_continuity(kernel, laboratory, subjects[kind], options);
  }
};

}  // namespace bend

namespace continuity_test {

TEST(Continuity, AJumpIsFoundAndConfirmedInManyDigits) {
  bend::Bench const bench;
  Continuity const found = bench.search(bend::jump);
  ASSERT_EQ(found.transitions.size(), 1u);
  auto const& third = found.transitions.front();
  EXPECT_EQ(third.transition, "a third");
  EXPECT_NEAR(third.largest[0], 0.125, 1e-12);
  ASSERT_EQ(third.examples.size(), 1u);
  Jump const& example = third.examples.front();
  EXPECT_TRUE(example.certified);
  EXPECT_LE(example.width, 1e-40);
  // The search bisects the jump to adjacent parameters. It simplifies the path to numbers with few bits.
  EXPECT_LE(example.after - example.before, 0x1p-53);
  for (auto const& column : example.path.columns)
    EXPECT_EQ(column[0] * 64, std::round(column[0] * 64)) << "few bits: " << column[0];
  EXPECT_TRUE(found.jumps());
}

TEST(Continuity, ASmoothFunctionHasNeitherJumpNorKinkNorSteepPlace) {
  bend::Bench const bench;
  Continuity const found = bench.search(bend::smooth);
  EXPECT_FALSE(found.jumps());
  EXPECT_EQ(found.kinks[0].found, 0u);
  EXPECT_EQ(found.steep[0].found, 0u);
  EXPECT_LT(found.residual[0], 1e-14);
  EXPECT_NEAR(found.steepest[0].ratio, 3, 0.02) << "|2x - 1| at x = -1, which only climbing reaches";
}

TEST(Continuity, AKinkIsNotAJumpAndItsChangeOfSlopeIsMeasured) {
  bend::Bench const bench;
  Continuity const found = bench.search(bend::kink);
  EXPECT_FALSE(found.jumps());
  EXPECT_GT(found.kinks[0].found, 150u) << "nearly every path of 200 passes it";
  EXPECT_NEAR(found.kinks[0].turn, 2, 0.01);
  EXPECT_EQ(found.steep[0].found, 0u);
}

TEST(Continuity, ARootIsSteepButContinuous) {
  bend::Bench const bench;
  Continuity const found = bench.search(bend::root);
  EXPECT_FALSE(found.jumps());
  EXPECT_GT(found.steep[0].found, 150u) << "a cusp, as high on both sides";
  EXPECT_GT(found.steep[0].exponent, 0.2);
  EXPECT_EQ(found.kinks[0].found, 0u);
  Table path(bench.laboratory.path);
  append(path, bend::Path<double>{0, 1});
  Continuity const along = examine_path(bench.kernel, bench.laboratory, bench.subjects[bend::root], path);
  EXPECT_EQ(along.steep[0].found, 1u);
  EXPECT_NEAR(along.steep[0].exponent, 0.5, 0.05);
  EXPECT_NEAR(along.steep[0].parameter, 1.0 / 3, 1e-4);
}

TEST(Continuity, JumpsThatVanishInEightyDigitsAreDismissedAsRounding) {
  bend::Bench const bench;
  Continuity const found = bench.search(bend::coarse);
  EXPECT_FALSE(found.jumps()) << "in binary64 it has steps of 1.5e-8, in truth none";
  EXPECT_GT(found.dismissed, 0u);
  // Foreign code cannot be evaluated in 80 digits. Its jumps between adjacent doubles therefore count.
  Subject theirs = bench.subjects[bend::coarse];
  theirs.name = "theirs";
  ContinuityOptions options;
  options.paths = 50;
  Continuity const of_theirs = search_continuity(bench.kernel, bench.laboratory, theirs, options);
  EXPECT_TRUE(of_theirs.jumps());
  for (auto const& transition : of_theirs.transitions)
    for (auto const& jump : transition.examples) EXPECT_FALSE(jump.certified);
}

TEST(Continuity, TheSameSeedGivesTheSameResult) {
  bend::Bench const bench;
  auto const once = bench.search(bend::jump, 50), again = bench.search(bend::jump, 50);
  EXPECT_EQ(once.transitions.front().examples.front().path.columns,
            again.transitions.front().examples.front().path.columns);
  EXPECT_EQ(once.answers, again.answers);
  EXPECT_EQ(once.steepest[0].ratio, again.steepest[0].ratio);
}

TEST(Passivity, OnlyAForceThatFallsWhileTheGapShrinksIsReported) {
  bend::Bench const bench;
  PassivityOptions options;
  options.loops = options.contacts = 0;
  options.monotone_paths = 50;
  auto const rising = measure_passivity(bench.kernel, bench.laboratory, bench.subjects[bend::jump], options);
  EXPECT_EQ(rising.monotone_paths, 50u);
  EXPECT_FALSE(rising.fall) << "it only rises while the gap, -x, shrinks";
  auto const bowl = measure_passivity(bench.kernel, bench.laboratory, bench.subjects[bend::smooth], options);
  ASSERT_TRUE(bowl.fall);
  EXPECT_GT(bowl.fall->value, 1) << "x^2 - x falls from about 2 to -1/4";
  EXPECT_LT(bowl.fall->value, 2.2501);
}

Continuity search(char const* kernel, char const* subject, std::uint64_t paths) {
  ContinuityOptions options;
  options.paths = paths;
  return search_continuity(*find_kernel(kernel), *find_laboratory(kernel), *find_subject(subject), options);
}

// -------------------------------------------------------------------------------------------------- unions of balls

// On the paths of this laboratory, balls move, grow, touch, contain each other, and pass through common circles and
// points.
TEST(UnionContinuity_long, MassPropertiesAreContinuous) {
  for (char const* const subject : {"fast", "reference@double", "additive"}) {
    Continuity const found = search("clump_union_mass_properties", subject, 120);
    EXPECT_FALSE(found.jumps()) << subject << ": " << (found.jumps() ? found.transitions.front().transition : "");
    EXPECT_GT(found.bisections, 100u) << subject;
    EXPECT_EQ(found.unanswered, 0u) << subject;
  }
}

TEST(UnionContinuity_long, DroppingABallTooEarlyCausesAJump) {
  using namespace clump_union_mass_properties;
  // This subject wrongly drops every ball whose centre is in a larger ball.
  Subject const hasty =
      make_subject("hasty", answer_with<Contract>("", [](Input<double> const& in, Output<double>& out) {
                     Input<double> kept{in.density, {}};
                     for (auto const& ball : in.balls) {
                       bool const inside = std::any_of(in.balls.begin(), in.balls.end(), [&](auto const& other) {
                         return other.radius > ball.radius && (ball.centre - other.centre).norm() < other.radius;
                       });
                       if (!inside) kept.balls.push_back(ball);
                     }
                     out = fast::evaluate(kept);
                     return static_cast<char const*>(nullptr);
                   }));
  ContinuityOptions options;
  options.paths = 60;
  options.minimise = false;
  Continuity const found = search_continuity(*find_kernel("clump_union_mass_properties"),
                                             *find_laboratory("clump_union_mass_properties"), hasty, options);
  ASSERT_TRUE(found.jumps());
  EXPECT_GT(found.transitions.front().largest[0], 1e-3) << "of the volume, L^3";
}

TEST(UnionContinuity_long, ForAKernelWithoutContactsNoEnergyIsReported) {
  Kernel const& kernel = *find_kernel("clump_union_mass_properties");
  Laboratory const& laboratory = *find_laboratory("clump_union_mass_properties");
  EXPECT_FALSE(laboratory.of_contacts());
  SurveyOptions options;
  options.paths = options.others = 10;
  auto const surveyed = survey(kernel, laboratory, {find_subject("fast")}, options);
  EXPECT_EQ(surveyed.front().passivity.loops, 0u);
  auto const json = report::write(describe(kernel, laboratory, surveyed, options));
  EXPECT_FALSE(json.contains("energy_unit"));
  EXPECT_FALSE(json.contains("overlap"));
}

// ----------------------------------------------------------------------------------------------- the capsule formulas

double const degree = 3.14159265358979323846 / 180;

/// A row of the table of docs/mathematics/capsules.md#capsule_contact-measured-figures: a transition, and the smallest
/// jumps of point (in units of R) and normal (in degrees) that the search must find.
struct Tabled {
  char const* transition;
  double point, normal;
};

void expect_tabled(Continuity const& found, std::vector<Tabled> const& table) {
  constexpr std::size_t point = 0, normal = 1;
  for (auto const& [transition, point_size, normal_size] : table) {
    auto const* const jumps = found.find(transition);
    ASSERT_NE(jumps, nullptr) << transition;
    double point_example = 0, normal_example = 0;
    for (auto const& jump : jumps->examples) {
      EXPECT_TRUE(jump.certified) << transition;
      if (jump.quantity == point) point_example = jump.sizes[point];
      if (jump.quantity == normal) normal_example = jump.sizes[normal];
    }
    // The jump in the example has this size after the path was simplified.
    EXPECT_GE(point_example, point_size) << transition;
    EXPECT_GE(normal_example, normal_size * degree) << transition;
  }
  EXPECT_EQ(found.transitions.size(), table.size());
  for (auto const& each : found.transitions)
    EXPECT_TRUE(
        std::any_of(table.begin(), table.end(), [&](Tabled const& row) { return each.transition == row.transition; }))
        << "not in the table of jumps: " << each.transition;
}

TEST(CapsuleContinuity_long, EveryTransitionOfTheDocumentedFormulaIsFound) {
  expect_tabled(search("capsule_contact", "documented", 3000), {{"1->2, crossing", 3.44, 52}, {"0->2", 3.58, 53}});
}

TEST(CapsuleContinuity_long, EveryTransitionOfWooIsFoundAndItsNormalIsContinuous) {
  Continuity const found = search("capsule_contact", "woo", 3000);
  expect_tabled(found, {{"1->2, crossing", 3.44, 0},
                        {"0->2", 3.58, 0},
                        {"1->2, no crossing", 0.1, 0},
                        {"2->3", 1.5, 0},
                        {"3->4", 0.342, 0}});
  for (auto const& each : found.transitions) {
    EXPECT_LT(each.largest[1], 1e-9) << each.transition;
    EXPECT_LT(each.largest[2], 1e-9) << each.transition << ": its overlap is that of the closest pair";
  }
}

TEST(CapsuleContinuity_long, TheGeometricFormulaJumpsOnlyThroughExactlyParallelAxes) {
  Continuity const found = search("capsule_contact", "geometric", 3000);
  ASSERT_EQ(found.transitions.size(), 1u);
  EXPECT_EQ(found.transitions.front().transition, "through parallel");
  EXPECT_GT(found.transitions.front().largest[0], 5);
  EXPECT_GT(found.transitions.front().largest[4], 1)
      << "torque, k R^2: T2 of docs/mathematics/capsules.md#capsule_contact-recommended-formula";
  EXPECT_LT(found.transitions.front().largest[3], 1e-9) << "the force is continuous";
}

TEST(CapsuleContinuity_long, AThresholdForParallelAxesMakesTheOverlapJump) {
  Continuity const found = search("capsule_contact", "threshold", 3000);
  auto const* const jumps = found.find("nearly parallel");
  ASSERT_NE(jumps, nullptr);
  EXPECT_GT(jumps->largest[2], 1e-4) << "R; at sin = 1e-4 half-lengths of up to 5 R show up to 5e-4 R";
}

TEST(CapsuleContinuity_long, TheRecommendedFormulaHasNoJump) {
  for (char const* subject : {"reference", "fast"}) {
    Continuity const found = search("capsule_contact", subject, 6000);
    EXPECT_FALSE(found.jumps()) << subject;
    for (std::size_t k = 0; k < found.residual.size(); ++k) EXPECT_LT(found.residual[k], 1e-10) << subject << " " << k;
    EXPECT_EQ(found.unanswered, 0u);
    EXPECT_GT(found.bisections, 4 * found.paths) << "every path's suspects, not a few";
  }
}

/// ODE 0.16.2 treats capsules as parallel if their angle is below about 3.1e-3 rad.
TEST(CapsuleContinuity_long, TheOverlapOfOdeJumpsAtItsThresholdForParallelAxes) {
  Subject const* const ode = find_subject("ode");
  if (ode == nullptr || ode->find("capsule_contact") == nullptr) GTEST_SKIP() << "no ODE on this machine";
  Continuity const found = search("capsule_contact", "ode", 300);
  auto const* const jumps = found.find("nearly parallel");
  ASSERT_NE(jumps, nullptr);
  EXPECT_GT(jumps->largest[2], 1e-3) << "overlap, R";
  int at_the_angle = 0;
  for (auto const& jump : jumps->examples) {
    EXPECT_FALSE(jump.certified) << "not ours to evaluate in 80 digits";
    EXPECT_LE(jump.after - jump.before, 0x1p-53) << "adjacent parameters";
    auto const in = load<capsule_contact::Input<double>>(jump.inputs, 0);
    double const sine = in.half1.cross(in.half2).norm() / (in.half1.norm() * in.half2.norm());
    at_the_angle += 3.0e-3 < sine && sine < 3.3e-3;
  }
  EXPECT_GT(at_the_angle, 0);
}

TEST(CapsuleContinuity_long, OnlyTheGeometricFormulaConservesEnergy) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  Laboratory const& laboratory = *find_laboratory("capsule_contact");
  PassivityOptions options;
  options.loops = options.contacts = 60;
  options.monotone_paths = 300;
  auto const relative = [](std::optional<Work> const& work) { return std::fabs(work->value) / work->stored; };
  for (char const* subject : {"geometric", "reference", "documented", "woo"}) {
    auto const passivity = measure_passivity(kernel, laboratory, *find_subject(subject), options);
    ASSERT_TRUE(passivity.loop && passivity.gain) << subject;
    EXPECT_FALSE(passivity.fall) << subject;
    if (subject == std::string_view("geometric")) {
      EXPECT_LT(relative(passivity.loop), 1e-2);
      EXPECT_LT(passivity.mean_relative_contact, 1e-4);
    } else {
      EXPECT_GT(relative(passivity.loop), 0.1) << subject;
      EXPECT_GT(passivity.gain->value, 0.01) << subject;
      EXPECT_GT(passivity.mean_relative_contact, 1e-3) << subject;
    }
  }
}

TEST(WallContinuity_long, TheOverlapOfTheReferenceIsMonotoneAndTheOverlapOfWooIsNot) {
  Kernel const& kernel = *find_kernel("wall_capsule_contact");
  Laboratory const& laboratory = *find_laboratory("wall_capsule_contact");
  PassivityOptions options;
  options.monotone_paths = 1000;
  auto const of = [&](char const* subject) {
    return measure_passivity(kernel, laboratory, *find_subject(subject), options);
  };
  auto const woo = of("woo"), monotone = of("reference");
  ASSERT_TRUE(woo.fall);
  EXPECT_GT(woo.fall->value, 0.05) << "up to 17 % of the depth when the second end comes in";
  EXPECT_FALSE(monotone.fall);
  Continuity const found = search("wall_capsule_contact", "reference", 3000);
  EXPECT_FALSE(found.jumps());
}

TEST(ContinuityReport, AJumpHasACommandAndAPlot_long) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  Laboratory const& laboratory = *find_laboratory("capsule_contact");
  SurveyOptions options;
  options.paths = options.others = 600;
  auto const surveyed = survey(kernel, laboratory, {find_subject("reference"), find_subject("woo")}, options);
  auto const json = report::write(describe(kernel, laboratory, surveyed, options));
  ASSERT_EQ(json["subjects"].size(), 2u);
  EXPECT_FALSE(json["subjects"][0]["jumps"]);
  EXPECT_TRUE(json["subjects"][1]["jumps"]);
  ASSERT_FALSE(json["plots"].empty());
  for (auto const& plot : json["plots"]) {
    std::size_t const samples = plot["parameters"].size();
    ASSERT_EQ(plot["subjects"].size(), 2u);
    for (auto const& subject : plot["subjects"]) {
      EXPECT_EQ(subject["point"].size(), 3u);
      EXPECT_EQ(subject["point"][0].size(), samples);
      EXPECT_EQ(subject["overlap"][0].size(), samples);
    }
  }
  std::string const command = json["subjects"][1]["transitions"][0]["examples"][0]["command"];
  EXPECT_EQ(command.rfind("demeter continuity capsule_contact --subject woo --path '{", 0), 0u) << command;
}

}  // namespace continuity_test
}  // namespace demeter
