#include "fast/nscd_solve.hpp"
#include "check/shrink.hpp"
#include "fast/family/nonsmooth/many_contacts.hpp"
#include "oracles/nscd_solve.hpp"
#include "properties/nscd_solve.hpp"
#include "reference/core/rational.hpp"
#include "reference/nscd_solve.hpp"
#include "reference/printed/nscd_solve.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::nscd_solve {
namespace {

using testing_kernels::cases;
using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Number = Multiprecision;
using Exact = Input<Rational>;

constexpr std::uint64_t seed = 19;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};
constexpr double wall = std::numeric_limits<double>::infinity();

Answer in_digits(Case const& in, unsigned digits) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, digits);
}

Rational ratio(int over, int under = 1) { return Rational(over) / Rational(under); }
Rational heavy() { return Rational("1" + std::string(200, '0')); }

/// Returns a problem with bodies of mass 1. With `ground`, the last body is a wall at rest.
Exact problem(std::vector<Vector2<Rational>> const& velocities, bool ground,
              std::vector<Contact<Rational>> const& contacts) {
  Exact in;
  in.velocities = velocities;
  in.masses.assign(velocities.size(), Rational(1));
  if (ground) {
    in.masses.push_back(heavy());
    in.velocities.push_back({Rational(0), Rational(0)});
  }
  in.contacts = contacts;
  in.dt = 1;
  return in;
}
Contact<Rational> touching(int i, int j, Rational const& x, Rational const& y) { return {i, j, {x, y}, 0}; }
Rational kinetic_energy(Exact const& in, std::vector<Vector2<Rational>> const& velocities) {
  Rational sum(0);
  for (std::size_t a = 0; a < velocities.size(); ++a)
    if (!is_infinite(in.masses[a]))
      sum += in.masses[a] * (velocities[a][0] * velocities[a][0] + velocities[a][1] * velocities[a][1]) / 2;
  return sum;
}

// ------------------------------------------------------------------------- counterexamples, in exact numbers

/// A grain in the corner of two walls whose normals form an acute angle.
TEST(NscdSolve, TheSolutionInACornerOfTwoWallsAgreesWithTheHandCalculation) {
  Exact const in =
      problem({{Rational(-1), Rational(-1)}}, true, {touching(0, 1, 0, 1), touching(0, 1, ratio(3, 5), ratio(4, 5))});
  auto const out = reference::evaluate(in);
  EXPECT_EQ(out.impulses, (std::vector<Rational>{0, ratio(7, 5)}));
  EXPECT_EQ(out.velocities[0][0], ratio(-4, 25));
  EXPECT_EQ(out.velocities[0][1], ratio(3, 25));
  EXPECT_EQ(kinetic_energy(in, out.velocities), ratio(1, 50));
  auto const swept = printed::swept(in, false);
  EXPECT_EQ(swept.impulses, (std::vector<Rational>{1, ratio(3, 5)}));
  EXPECT_EQ(kinetic_energy(in, swept.velocities), ratio(8, 25));
  Exact turned = in;
  std::swap(turned.contacts[0], turned.contacts[1]);
  EXPECT_EQ(printed::swept(turned, false).velocities[0], out.velocities[0]) << "in the other order it is right";
}

TEST(NscdSolve, TheSolutionForOneGrainThatHitsTwoIsExactAndSweepsAreWrong) {
  Exact const in = problem({{Rational(1), Rational(1)}, {Rational(0), Rational(0)}, {Rational(0), Rational(0)}}, false,
                           {touching(0, 1, -1, 0), touching(0, 2, ratio(-5, 13), ratio(-12, 13))});
  auto const out = reference::evaluate(in);
  EXPECT_EQ(out.impulses, (std::vector<Rational>{ratio(253, 651), ratio(377, 651)}));
  EXPECT_EQ(kinetic_energy(in, out.velocities), ratio(278, 651));
  auto const swept = printed::swept(in, false);
  EXPECT_EQ(swept.impulses, (std::vector<Rational>{ratio(1, 2), ratio(29, 52)}));
  Rational const w = nonsmooth::reference::separation(nonsmooth::reference::constraints(in)[0], swept.velocities);
  EXPECT_EQ(swept.impulses[0] * w, ratio(145, 1352));
}

Exact pyramid() {
  return problem({{Rational(0), Rational(-1)}, {Rational(0), Rational(0)}, {Rational(0), Rational(0)}}, true,
                 {touching(0, 1, ratio(3, 5), ratio(4, 5)), touching(0, 2, ratio(-3, 5), ratio(4, 5)),
                  touching(1, 3, 0, 1), touching(2, 3, 0, 1)});
}
TEST(NscdSolve, APyramidStaysSymmetric) {
  auto const out = reference::evaluate(pyramid());
  EXPECT_EQ(kinetic_energy(pyramid(), out.velocities), ratio(9, 82));
  EXPECT_EQ(out.velocities[1][0], -out.velocities[2][0]);
  Case const in = cast<Case>(pyramid());
  Answer const swept = printed::swept(in, false);
  double energy = 0, complementary = 0;
  for (std::size_t a = 0; a < 3; ++a) energy += swept.velocities[a].squaredNorm() / 2;
  for (std::size_t k = 0; k < 4; ++k)
    complementary += swept.impulses[k] * static_cast<double>(properties::separation(in, swept.velocities, k));
  EXPECT_NEAR(energy, 0.109765, 5e-7);
  EXPECT_NEAR(complementary, 2.39e-3, 5e-6);
  EXPECT_GT(std::fabs(swept.velocities[1][0] + swept.velocities[2][0]), 1e-3) << "left and right are not alike";
}

/// Each side of the slot has three contacts with equal normals, as with end discs at a joint. The velocity grows as 1,
/// 2, 4, 8, ... until it overflows.
TEST(NscdSolve, SimultaneousUpdatesDivergeInASlot) {
  Case in{{1, wall}, {{1, 0}, {0, 0}}, {}, 1};
  for (double const side : {1.0, -1.0})
    for (int k = 0; k < 3; ++k) in.contacts.push_back({0, 1, {side, 0}, 0});
  EXPECT_FALSE(std::isfinite(printed::swept(in, true).velocities[0][0]));
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_digits(in, 50), printed::swept(in, false)})
    EXPECT_EQ(out.velocities[0][0], 0);
  // With different normals, the velocity still grows, by the factor 32/25 per sweep.
  in.contacts = {{0, 1, {1, 0}, 0},  {0, 1, {0.8, 0.6}, 0},  {0, 1, {0.8, -0.6}, 0},
                 {0, 1, {-1, 0}, 0}, {0, 1, {-0.8, 0.6}, 0}, {0, 1, {-0.8, -0.6}, 0}};
  EXPECT_FALSE(std::isfinite(printed::swept(in, true).velocities[0][0]));
  EXPECT_EQ(fast::evaluate(in).velocities[0][0], 0);
}

/// Returns the solution of M p = b in rationals, or nothing if M is singular.
std::optional<std::vector<Rational>> solved(std::vector<std::vector<Rational>> M, std::vector<Rational> b) {
  std::size_t const n = b.size();
  for (std::size_t t = 0; t < n; ++t) {
    std::size_t pivot = t;
    while (pivot < n && M[pivot][t] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(M[t], M[pivot]);
    std::swap(b[t], b[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k == t) continue;
      Rational const times = M[k][t] / M[t][t];
      for (std::size_t l = t; l < n; ++l) M[k][l] -= times * M[t][l];
      b[k] -= times * b[t];
    }
  }
  for (std::size_t t = 0; t < n; ++t) b[t] /= M[t][t];
  return b;
}
/// Returns the velocities of the solution: a second, independent truth for few contacts. Tries all sets of contacts
/// with an impulse, small sets first.
std::vector<Vector2<Rational>> enumerated(Case const& in) {
  Exact const exact = cast<Exact>(in);
  auto inverse = nonsmooth::reference::inverse_masses(exact);
  auto const contacts = nonsmooth::reference::constraints(exact);
  std::size_t const n = contacts.size();
  for (unsigned size = 0; size <= n; ++size)
    for (unsigned set = 0; set < 1u << n; ++set) {
      if (static_cast<unsigned>(__builtin_popcount(set)) != size) continue;
      std::vector<std::size_t> acting;
      for (std::size_t k = 0; k < n; ++k)
        if ((set >> k & 1) != 0) acting.push_back(k);
      std::vector<std::vector<Rational>> M(size);
      std::vector<Rational> b;
      for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t c = 0; c < size; ++c)
          M[a].push_back(reference::delassus(contacts[acting[a]], contacts[acting[c]], inverse));
        b.push_back(-nonsmooth::reference::separation(contacts[acting[a]], exact.velocities));
      }
      auto const p = solved(M, b);
      if (!p || std::any_of(p->begin(), p->end(), [](Rational const& x) { return x < 0; })) continue;
      auto velocities = exact.velocities;
      for (std::size_t a = 0; a < size; ++a)
        nonsmooth::reference::push(contacts[acting[a]], (*p)[a], inverse, velocities);
      bool apart = true;
      for (auto const& contact : contacts)
        apart = apart && !(nonsmooth::reference::separation(contact, velocities) < 0);
      if (apart) return velocities;
    }
  ADD_FAILURE() << "no set of contacts solves " << text(in);
  return {};
}
/// Returns the case with 1e200 in place of infinite masses, because rationals have no infinity.
Case without_infinity(Case in) {
  for (double& mass : in.masses)
    if (is_infinite(mass)) mass = 1e200;
  return in;
}
TEST(NscdSolve, TheOracleAgreesWithATrialOfAllSetsOfContacts) {
  std::uint64_t looked = 0;
  tested.for_each_case(cases(60), [&](Case const& in) {
    if (in.contacts.size() > 6) return;
    ++looked;
    auto const truth = oracle::refined_truth(in, 256);
    auto const all = enumerated(without_infinity(in));
    with_digits(100, [&] {
      for (std::size_t a = 0; a < all.size(); ++a)
        for (Index c = 0; c < 2; ++c) {
          auto const each = ScalarCast<Number, Rational>::apply(all[a][c]);
          long double const slack = 0x1p-200L * std::fabs(static_cast<long double>(each));
          EXPECT_TRUE(testing_kernels::contains(truth.velocities[a][c], each, slack)) << text(in);
        }
      return 0;
    });
  });
  EXPECT_GT(looked, cases(60) * 8);
}

/// Draws 300 systems of small integers. Counts how often the limit of the documented sweeps is wrong, and how often it
/// depends on the order of the contacts.
TEST(NscdSolve, DocumentedSweepsOftenConvergeToAnotherPoint) {
  int elsewhere = 0, ordered = 0, feasible = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    Random random(seed, 1, id);
    Case const in = properties::draw_corner(random);
    Case turned = in;
    std::reverse(turned.contacts.begin(), turned.contacts.end());
    Answer const right = fast::evaluate(in), swept = printed::swept(in, false), other = printed::swept(turned, false);
    double const size = static_cast<double>(properties::largest_speed(in.velocities));
    auto const differ = [&](Answer const& a, Answer const& b) {
      return (a.velocities[0] - b.velocities[0]).norm() > 1e-9 * size;
    };
    elsewhere += differ(right, swept) ? 1 : 0;
    ordered += differ(swept, other) ? 1 : 0;
    bool apart = true;
    for (std::size_t k = 0; k < in.contacts.size(); ++k)
      apart = apart && properties::separation(in, swept.velocities, k) > -1e-9 * size;
    feasible += apart ? 1 : 0;
  }
  EXPECT_EQ(feasible, 300);
  EXPECT_GT(elsewhere, 50);
  EXPECT_GT(ordered, 40);
}

// ----------------------------------------------------------------------------------------- reference, oracle, fast

/// In rationals, the reference solves the problem exactly. In rounded numbers, half of the digits of its solution are
/// right.
TEST(NscdSolve, TheReferenceIsExactInRationals) {
  tested.for_each_case(cases(12), [](Case const& in) {
    if (in.contacts.size() > 8) return;
    Exact const exact = cast<Exact>(without_infinity(in));
    auto const out = reference::evaluate(exact);
    auto const contacts = nonsmooth::reference::constraints(exact);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      Rational const w = nonsmooth::reference::separation(contacts[k], out.velocities);
      EXPECT_FALSE(w < 0) << text(in);
      EXPECT_FALSE(out.impulses[k] < 0) << text(in);
      EXPECT_EQ(w * out.impulses[k], 0) << text(in);
    }
  });
}

/// The gradient method solves problems with more than 256 contacts. For fewer contacts, both methods must agree.
TEST(NscdSolve, TheGradientMethodSolvesManyContactsUpToRounding) {
  namespace solvers = nonsmooth::fast;
  for (std::int64_t const grains : {40, 150, 300}) {
    Random random(seed, 3, static_cast<std::uint64_t>(grains));
    Case const in = properties::draw_heap(random, {grains, 12, properties::Motion::falling, 2000});
    std::size_t const bodies = in.masses.size(), contacts = in.contacts.size();
    std::vector<double> x, y, i, j, nx, ny, gap, ax(bodies), ay(bodies);
    for (auto const& v : in.velocities) x.push_back(v[0]), y.push_back(v[1]);
    for (auto const& each : in.contacts) {
      i.push_back(each.i), j.push_back(each.j), gap.push_back(each.gap);
      nx.push_back(each.normal[0]), ny.push_back(each.normal[1]);
    }
    solvers::TimeStep const step{in.masses, x, y, i, j, nx, ny, gap, in.dt};
    Answer exact, many;
    exact.impulses.resize(contacts), many.impulses.resize(contacts);
    solvers::ActiveSet().solve(step, ax, ay, exact.impulses);
    for (std::size_t a = 0; a < bodies; ++a) exact.velocities.emplace_back(ax[a], ay[a]);
    solvers::ManyContacts().solve(step, ax, ay, many.impulses);
    for (std::size_t a = 0; a < bodies; ++a) many.velocities.emplace_back(ax[a], ay[a]);
    double difference = 0;
    for (std::size_t a = 0; a < bodies; ++a)
      difference = std::max(difference, (exact.velocities[a] - many.velocities[a]).cwiseAbs().maxCoeff());
    auto const residual = [&](Answer const& out) {
      return static_cast<double>(enclosure_of(oracle::residual(in, out.impulses, 128)).high);
    };
    RecordProperty("contacts", static_cast<int>(contacts));
    EXPECT_LE(residual(exact), 1e-13) << contacts;
    EXPECT_LE(residual(many), 1e-11) << contacts;
    EXPECT_LE(difference, 1e-10) << contacts;
  }
}

/// The oracle computes the residual of the given impulses, whether they are right or wrong. The expected values are
/// computed by hand.
TEST(NscdSolve, TheOracleComputesTheResidualOfTheGivenImpulses) {
  Case const in{{1, wall}, {{-1, -1}, {0, 0}}, {{0, 1, {0, 1}, 0}, {0, 1, {0.6, 0.8}, 0}}, 1};
  auto const residual = [&](std::vector<double> const& p) {
    return static_cast<double>(enclosure_of(oracle::residual(in, p, 256)).high);
  };
  EXPECT_DOUBLE_EQ(residual({0, 0}), 1.4);
  EXPECT_DOUBLE_EQ(residual({1, 0.6}), 12.0 / 25);
  EXPECT_LT(residual({0, 1.4}), 1e-16);
  EXPECT_DOUBLE_EQ(residual({-3, 1.4}), 3 + 0.0);
}

TEST(NscdSolve, ShrinkingACaseKeepsBodyIndicesValid) {
  Random random(seed, 2, 1);
  Case const in = properties::draw_many(random);
  Schema const schema = schema_of<Case>();
  Table table(schema);
  append(table, in);
  Kernel const& kernel = *find_kernel("nscd_solve");
  // In this test, a case "fails" if a grain touches a wall.
  Table const small = shrink(
      schema, table, 0,
      [&](Table const& candidates) {
        std::vector<bool> fails;
        for (std::size_t row = 0; row < candidates.rows; ++row) {
          Case const each = load<Case>(candidates, row);
          bool const valid = !kernel.domain_error(candidates, row);
          fails.push_back(valid && std::any_of(each.contacts.begin(), each.contacts.end(), [&](auto const& contact) {
                            return is_infinite(each.masses[static_cast<std::size_t>(contact.j)]);
                          }));
        }
        return fails;
      },
      kernel.simpler);
  Case const found = load<Case>(small, 0);
  EXPECT_EQ(found.masses.size(), 2u) << text(found);
  EXPECT_EQ(found.contacts.size(), 1u) << text(found);
}

TEST(NscdSolve, DomainErrorsNameTheField) {
  Case const good{{1, 1, wall}, {{0, 0}, {0, 0}, {0, 0}}, {{0, 1, {0, 1}, 0}, {1, 2, {0, 1}, 0}}, 1};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.masses.clear(); }), "masses");
  EXPECT_EQ(named([](Case& in) { in.masses[1] = 0; }), "masses[1]");
  EXPECT_EQ(named([](Case& in) { in.velocities.pop_back(); }), "velocities");
  EXPECT_EQ(named([](Case& in) { in.velocities[1][0] = 1e61; }), "velocities[1][0]");
  EXPECT_EQ(named([](Case& in) { in.contacts[0].i = 3; }), "contacts[0].i");
  EXPECT_EQ(named([](Case& in) { in.contacts[0].i = -1; }), "contacts[0].i");
  EXPECT_EQ(named([](Case& in) { in.contacts[0].j = 0.5; }), "contacts[0].j");
  EXPECT_EQ(named([](Case& in) { in.contacts[1].j = 1; }), "contacts[1].j");
  EXPECT_EQ(named([](Case& in) { in.masses[1] = wall; }), "contacts[1].j");
  EXPECT_EQ(named([](Case& in) {
              in.masses[0] = wall;
              in.velocities[0] = {1, 0};
            }),
            "velocities[2]");
  EXPECT_EQ(named([](Case& in) { in.contacts[0].normal = {0, 1 + 1e-14}; }), "contacts[0].normal");
  EXPECT_EQ(named([](Case& in) { in.contacts[1].gap = 1e61; }), "contacts[1].gap");
  EXPECT_EQ(named([](Case& in) { in.dt = 0; }), "dt");
}

}  // namespace
}  // namespace demeter::nscd_solve
