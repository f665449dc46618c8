// Tests the solvers of contacts in the plane. Methods that solve the problem must find the solution. The documented
// schemes must end at their known points. All levels must give equal bits.
#include "fast/family/nonsmooth/solvers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace demeter::nonsmooth::fast {
namespace {

struct Bodies {
  std::vector<double> inverse_mass, x, y;

  std::int32_t add(double inverse, double velocity_x, double velocity_y) {
    inverse_mass.push_back(inverse);
    x.push_back(velocity_x);
    y.push_back(velocity_y);
    return static_cast<std::int32_t>(x.size() - 1);
  }
};

struct Contacts {
  std::vector<std::int32_t> i, j;
  std::vector<double> x, y, meeting;

  void add(std::int32_t of, std::int32_t with, double normal_x, double normal_y, double speed = 0) {
    i.push_back(of);
    j.push_back(with);
    x.push_back(normal_x);
    y.push_back(normal_y);
    meeting.push_back(speed);
  }
};

struct Case {
  Bodies bodies;
  Contacts contacts;

  Problem problem() const {
    return {bodies.inverse_mass, bodies.x, bodies.y, contacts.i, contacts.j, contacts.x, contacts.y, contacts.meeting};
  }
};

struct Answer {
  std::vector<double> impulses, x, y;
  Outcome outcome;
};

Answer solved(Case const& of, Method method, Limits const& limits, std::vector<double> impulses = {},
              Level level = best_level()) {
  Answer answer;
  answer.impulses = impulses.empty() ? std::vector<double>(of.contacts.i.size()) : std::move(impulses);
  answer.x.resize(of.bodies.x.size());
  answer.y.resize(of.bodies.y.size());
  Workspace workspace;
  answer.outcome = solve(level, method, of.problem(), limits, answer.impulses, answer.x, answer.y, workspace);
  return answer;
}

std::string name(Method method) { return std::string(labels(method)[static_cast<std::size_t>(method)]); }

double energy(Case const& of, Answer const& answer) {
  double sum = 0;
  for (std::size_t b = 0; b < answer.x.size(); ++b)
    if (of.bodies.inverse_mass[b] > 0)
      sum += (answer.x[b] * answer.x[b] + answer.y[b] * answer.y[b]) / of.bodies.inverse_mass[b] / 2;
  return sum;
}

/// Returns a body that moves into two walls whose normals make an acute angle.
Case wedge() {
  Case made;
  auto const grain = made.bodies.add(1, -1, -1), wall = made.bodies.add(0, 0, 0);
  made.contacts.add(grain, wall, 0, 1);
  made.contacts.add(grain, wall, 3.0 / 5, 4.0 / 5);
  return made;
}

/// Returns three equal discs. The first disc moves into the other two.
Case three_discs() {
  Case made;
  auto const first = made.bodies.add(1, 1, 1), second = made.bodies.add(1, 0, 0), third = made.bodies.add(1, 0, 0);
  made.contacts.add(first, second, -1, 0);
  made.contacts.add(first, third, -5.0 / 13, -12.0 / 13);
  return made;
}

/// Returns a disc that falls onto two discs. These two lie on a floor.
Case pyramid() {
  Case made;
  auto const top = made.bodies.add(1, 0, -1), left = made.bodies.add(1, 0, 0), right = made.bodies.add(1, 0, 0),
             floor = made.bodies.add(0, 0, 0);
  made.contacts.add(top, left, 3.0 / 5, 4.0 / 5);
  made.contacts.add(top, right, -3.0 / 5, 4.0 / 5);
  made.contacts.add(left, floor, 0, 1);
  made.contacts.add(right, floor, 0, 1);
  return made;
}

/// Returns a body of mass 1 in a vertical slot. Both walls have a joint at its height. Each side therefore has three
/// contacts.
Case slot() {
  Case made;
  auto const grain = made.bodies.add(1, 1, 0), wall = made.bodies.add(0, 0, 0);
  for (double const side : {-1.0, 1.0})
    for (int k = 0; k < 3; ++k) made.contacts.add(grain, wall, side, 0);
  return made;
}

/// Returns a body surrounded by six bodies. If their inverse mass is 0, they are walls.
Case hexagon(double inverse_mass_around) {
  Case made;
  auto const grain = made.bodies.add(1, 0.75, 0.5);
  for (int k = 0; k < 6; ++k) {
    double const angle = k * std::acos(0.5);
    made.contacts.add(grain, made.bodies.add(inverse_mass_around, 0, 0), std::cos(angle), std::sin(angle));
  }
  return made;
}

/// Returns discs of different masses on a disturbed lattice. The discs move to the middle of a box. One side of the box
/// moves inwards.
Case packing(std::size_t side, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  auto const uniform = [&engine] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  Case made;
  std::vector<double> x, y;
  auto const end = static_cast<double>(side);
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      x.push_back(static_cast<double>(column) + 0.5 + 0.1 * (uniform() - 0.5));
      y.push_back(static_cast<double>(row) + 0.5 + 0.1 * (uniform() - 0.5));
      double const mass = 0.5 + uniform();
      made.bodies.add(1 / mass, end / 2 - x.back() + uniform() - 0.5, end / 2 - y.back() + uniform() - 0.5);
    }
  }
  auto const walls = made.bodies.add(0, 0.25, 0);
  for (std::size_t a = 0; a < x.size(); ++a) {
    auto const i = static_cast<std::int32_t>(a);
    for (std::size_t b = a + 1; b < x.size(); ++b) {
      double const distance = std::hypot(x[a] - x[b], y[a] - y[b]);
      if (distance < 1.15)
        made.contacts.add(i, static_cast<std::int32_t>(b), (x[a] - x[b]) / distance, (y[a] - y[b]) / distance,
                          std::max(0.0, distance - 1));
    }
    if (x[a] < 1) made.contacts.add(i, walls, 1, 0);
    if (x[a] > end - 1) made.contacts.add(walls, i, 1, 0, 0.5);
    if (y[a] < 1) made.contacts.add(i, walls, 0, 1);
    if (y[a] > end - 1) made.contacts.add(i, walls, 0, -1);
  }
  return made;
}

void expect_near(Answer const& answer, std::size_t body, double x, double y, double tolerance) {
  EXPECT_NEAR(answer.x[body], x, tolerance);
  EXPECT_NEAR(answer.y[body], y, tolerance);
}

void expect_same_bits(std::vector<double> const& a, std::vector<double> const& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k]))
        << k << ": " << a[k] << " " << b[k];
}

void expect_same_bits(Answer const& a, Answer const& b) {
  expect_same_bits(a.impulses, b.impulses);
  expect_same_bits(a.x, b.x);
  expect_same_bits(a.y, b.y);
  EXPECT_EQ(a.outcome.sweeps, b.outcome.sweeps);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.outcome.residual), std::bit_cast<std::uint64_t>(b.outcome.residual));
  EXPECT_EQ(a.outcome.capped, b.outcome.capped);
}

Limits const to_rounding{1e-15, 100'000};

TEST(NonsmoothSolvers, RightMethodsSolveProblemsInWhichTheDocumentedSchemeFails) {
  for (auto const method : methods) {
    if (!solves(method)) continue;
    SCOPED_TRACE(name(method));
    auto const in_wedge = solved(wedge(), method, to_rounding);
    EXPECT_FALSE(in_wedge.outcome.capped);
    expect_near(in_wedge, 0, -4.0 / 25, 3.0 / 25, 1e-12);
    EXPECT_NEAR(in_wedge.impulses[0], 0, 1e-12);
    EXPECT_NEAR(in_wedge.impulses[1], 7.0 / 5, 1e-12);

    auto const of_three = solved(three_discs(), method, to_rounding);
    EXPECT_FALSE(of_three.outcome.capped);
    EXPECT_NEAR(of_three.impulses[0], 253.0 / 651, 1e-12);
    EXPECT_NEAR(of_three.impulses[1], 377.0 / 651, 1e-12);
    EXPECT_NEAR(energy(three_discs(), of_three), 278.0 / 651, 1e-12);

    auto const on_floor = solved(pyramid(), method, to_rounding);
    EXPECT_FALSE(on_floor.outcome.capped);
    EXPECT_NEAR(energy(pyramid(), on_floor), 9.0 / 82, 1e-12);
    EXPECT_NEAR(on_floor.x[1], -on_floor.x[2], 1e-12);
  }
}

TEST(NonsmoothSolvers, TheDocumentedSchemeConvergesToItsKnownWrongPoint) {
  auto const in_wedge = solved(wedge(), Method::documented, to_rounding);
  EXPECT_FALSE(in_wedge.outcome.capped);
  expect_near(in_wedge, 0, -16.0 / 25, 12.0 / 25, 1e-15);
  EXPECT_NEAR(in_wedge.impulses[0], 1, 1e-15);
  EXPECT_NEAR(in_wedge.impulses[1], 3.0 / 5, 1e-15);
  EXPECT_NEAR(natural_residual(wedge().problem(), in_wedge.impulses, in_wedge.x, in_wedge.y), 12.0 / 25, 1e-15);

  auto const of_three = solved(three_discs(), Method::documented, to_rounding);
  EXPECT_NEAR(of_three.impulses[0], 0.5, 1e-12);
  EXPECT_NEAR(of_three.impulses[1], 29.0 / 52, 1e-12);

  auto const on_floor = solved(pyramid(), Method::documented, to_rounding);
  EXPECT_NEAR(energy(pyramid(), on_floor), 0.109765, 5e-7);
  EXPECT_GT(std::abs(on_floor.x[1] + on_floor.x[2]), 1e-3);
}

TEST(NonsmoothSolvers, TheDocumentedJacobiDivergesInASlot) {
  double expected = 1;
  for (std::int64_t sweeps = 0; sweeps <= 20; ++sweeps) {
    auto const answer = solved(slot(), Method::documented_jacobi, {0, sweeps});
    EXPECT_EQ(std::abs(answer.x[0]), expected);
    EXPECT_EQ(answer.outcome.sweeps, sweeps);
    EXPECT_TRUE(answer.outcome.capped);
    expected *= 2;
  }
  auto const lost = solved(slot(), Method::documented_jacobi, {1e-9, 2'000});
  EXPECT_TRUE(lost.outcome.capped);
  EXPECT_EQ(lost.outcome.residual, std::numeric_limits<double>::infinity());
  for (auto const method : methods) {
    if (solves(method)) {
      expect_near(solved(slot(), method, {1e-14, 10'000}), 0, 0, 0, 1e-13);
    }
  }
}

TEST(NonsmoothSolvers, WithSixNeighboursOnlyRelaxedJacobiConverges) {
  auto const around = hexagon(0);
  // Updates all contacts at once, without relaxation.
  std::vector<double> impulses(6);
  double x = around.bodies.x[0], y = around.bodies.y[0];
  for (int sweep = 0; sweep < 100; ++sweep) {
    for (std::size_t k = 0; k < 6; ++k)
      impulses[k] = std::max(0.0, impulses[k] - (x * around.contacts.x[k] + y * around.contacts.y[k]));
    x = around.bodies.x[0];
    y = around.bodies.y[0];
    for (std::size_t k = 0; k < 6; ++k) {
      x += impulses[k] * around.contacts.x[k];
      y += impulses[k] * around.contacts.y[k];
    }
  }
  EXPECT_GT(std::hypot(x, y), 10);
  for (auto const method : methods) {
    if (!solves(method)) continue;
    SCOPED_TRACE(name(method));
    auto const answer = solved(around, method, {1e-13, 10'000});
    EXPECT_FALSE(answer.outcome.capped);
    expect_near(answer, 0, 0, 0, 1e-12);
    auto const of_grains = solved(hexagon(1), method, {1e-13, 10'000});
    EXPECT_FALSE(of_grains.outcome.capped);
  }
}

TEST(NonsmoothSolvers, AllRightMethodsFindTheSameVelocitiesInAPacking) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto const dense = packing(8, seed);
    auto const expected = solved(dense, Method::nlgs, {1e-13, 1'000'000});
    ASSERT_FALSE(expected.outcome.capped);
    for (auto const method : methods) {
      if (!solves(method)) continue;
      SCOPED_TRACE(name(method));
      auto const answer = solved(dense, method, {1e-13, 1'000'000});
      EXPECT_FALSE(answer.outcome.capped);
      EXPECT_LE(answer.outcome.residual, 1e-13);
      EXPECT_LE(natural_residual(dense.problem(), answer.impulses, answer.x, answer.y), 2e-13);
      for (std::size_t b = 0; b < answer.x.size(); ++b) expect_near(answer, b, expected.x[b], expected.y[b], 1e-10);
      // The velocity of the wall must not change.
      EXPECT_EQ(answer.x.back(), 0.25);
      EXPECT_EQ(answer.y.back(), 0);
    }
  }
}

TEST(NonsmoothSolvers, ReturnedVelocitiesFollowFromReturnedImpulses) {
  auto const dense = packing(9, 4);
  for (auto const method : methods) {
    SCOPED_TRACE(name(method));
    auto const answer = solved(dense, method, {0, 37});
    EXPECT_EQ(answer.outcome.sweeps, 37);
    auto expected = dense.bodies;
    for (std::size_t k = 0; k < answer.impulses.size(); ++k) {
      EXPECT_GE(answer.impulses[k], 0);
      for (double const sign : {1.0, -1.0}) {
        auto const b = static_cast<std::size_t>(sign > 0 ? dense.contacts.i[k] : dense.contacts.j[k]);
        expected.x[b] += sign * expected.inverse_mass[b] * answer.impulses[k] * dense.contacts.x[k];
        expected.y[b] += sign * expected.inverse_mass[b] * answer.impulses[k] * dense.contacts.y[k];
      }
    }
    double fastest = 1;
    for (std::size_t b = 0; b < answer.x.size(); ++b) fastest = std::max(fastest, std::abs(answer.x[b]));
    for (std::size_t b = 0; b < answer.x.size(); ++b)
      expect_near(answer, b, expected.x[b], expected.y[b], 1e-13 * fastest);
    if (solves(method)) {
      EXPECT_NEAR(answer.outcome.residual, natural_residual(dense.problem(), answer.impulses, answer.x, answer.y),
                  1e-14);
    }
  }
}

TEST(NonsmoothSolvers, AllLevelsGiveTheSameBits) {
  for (std::size_t const side : {1U, 2U, 3U, 5U, 16U}) {
    auto const dense = packing(side, side);
    for (auto const method : methods) {
      SCOPED_TRACE(name(method));
      auto const scalar = solved(dense, method, {1e-9, 50}, {}, Level::scalar);
      for (auto const level : {Level::avx2, Level::avx512})
        if (available(level)) expect_same_bits(solved(dense, method, {1e-9, 50}, {}, level), scalar);
    }
  }
}

TEST(NonsmoothSolvers, TheColouredMethodEqualsGaussSeidelInTheOrderOfColours) {
  auto const dense = packing(10, 7);
  Workspace workspace;
  Answer coloured{std::vector<double>(dense.contacts.i.size()), dense.bodies.x, dense.bodies.y, {}};
  solve(Method::coloured, dense.problem(), {0, 20}, coloured.impulses, coloured.x, coloured.y, workspace);
  std::vector<std::size_t> order(dense.contacts.i.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return workspace.row_of_contact[a] < workspace.row_of_contact[b]; });
  Case in_order{dense.bodies, {}};
  for (auto const k : order)
    in_order.contacts.add(dense.contacts.i[k], dense.contacts.j[k], dense.contacts.x[k], dense.contacts.y[k],
                          dense.contacts.meeting[k]);
  auto const sequential = solved(in_order, Method::nlgs, {0, 20});
  expect_same_bits(sequential.x, coloured.x);
  expect_same_bits(sequential.y, coloured.y);
  for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(sequential.impulses[k], coloured.impulses[order[k]]);
}

TEST(NonsmoothSolvers, AWarmStartSavesSweeps) {
  auto dense = packing(12, 9);
  for (auto const method : methods) {
    if (!solves(method)) continue;
    SCOPED_TRACE(name(method));
    Limits const limits{1e-9, 1'000'000};
    auto const cold = solved(dense, method, limits);
    ASSERT_FALSE(cold.outcome.capped);
    auto const again = solved(dense, method, {2e-9, 1'000'000}, cold.impulses);
    EXPECT_EQ(again.outcome.sweeps, 0);
    auto nearby = dense;
    for (auto& x : nearby.bodies.x) x *= 1 + 1e-6;
    auto const warm = solved(nearby, method, limits, cold.impulses);
    EXPECT_LT(warm.outcome.sweeps, cold.outcome.sweeps);
    EXPECT_FALSE(warm.outcome.capped);
  }
}

TEST(NonsmoothSolvers, ScalingUnitsByPowersOfTwoScalesAnswersExactly) {
  auto const dense = packing(7, 11);
  auto scaled = dense;
  for (auto* column : {&scaled.bodies.x, &scaled.bodies.y, &scaled.contacts.meeting})
    for (auto& value : *column) value = std::ldexp(value, -40);
  for (auto& inverse : scaled.bodies.inverse_mass) inverse = std::ldexp(inverse, 30);
  for (auto const method : methods) {
    SCOPED_TRACE(name(method));
    auto const before = solved(dense, method, {1e-6, 200}),
               after = solved(scaled, method, {std::ldexp(1e-6, -40), 200});
    EXPECT_EQ(before.outcome.sweeps, after.outcome.sweeps);
    EXPECT_EQ(std::ldexp(before.outcome.residual, -40), after.outcome.residual);
    for (std::size_t k = 0; k < before.impulses.size(); ++k)
      EXPECT_EQ(std::ldexp(before.impulses[k], -70), after.impulses[k]);
    for (std::size_t b = 0; b < before.x.size(); ++b) EXPECT_EQ(std::ldexp(before.x[b], -40), after.x[b]);
  }
}

TEST(NonsmoothSolvers, SolvesProblemsWithNoContactAndWith300ContactsAtOneBody) {
  Case none;
  none.bodies.add(1, 3, 4);
  Case many;  // one body has more contacts than there are colours
  auto const hub = many.bodies.add(1, 0.5, 0.25);
  for (int k = 0; k < 300; ++k) {
    double const angle = 2 * std::acos(-1.0) * k / 300;
    many.contacts.add(hub, many.bodies.add(1, 0, 0), std::cos(angle), std::sin(angle), 1e-3 * (k % 7));
  }
  auto const expected = solved(many, Method::nlgs, {1e-12, 1'000'000});
  ASSERT_FALSE(expected.outcome.capped);
  for (auto const method : methods) {
    SCOPED_TRACE(name(method));
    auto const nothing = solved(none, method, {1e-9, 10});
    expect_near(nothing, 0, 3, 4, 0);
    EXPECT_FALSE(nothing.outcome.capped);
    if (!solves(method)) continue;
    auto const answer = solved(many, method, {1e-12, 1'000'000});
    EXPECT_FALSE(answer.outcome.capped);
    for (std::size_t b = 0; b < answer.x.size(); ++b) expect_near(answer, b, expected.x[b], expected.y[b], 1e-9);
    for (auto const level : {Level::scalar, Level::avx2})
      if (available(level)) expect_same_bits(solved(many, method, {1e-12, 1'000'000}, {}, level), answer);
  }
}

TEST(NonsmoothSolvers, AReusedWorkspaceDoesNotChangeTheResult) {
  Workspace workspace;
  for (auto const method : methods) {
    for (std::size_t const side : {9U, 3U, 6U}) {
      auto const dense = packing(side, side);
      Answer answer{std::vector<double>(dense.contacts.i.size()), dense.bodies.x, dense.bodies.y, {}};
      answer.outcome = solve(method, dense.problem(), {1e-9, 40}, answer.impulses, answer.x, answer.y, workspace);
      expect_same_bits(answer, solved(dense, method, {1e-9, 40}));
    }
  }
}

}  // namespace
}  // namespace demeter::nonsmooth::fast
