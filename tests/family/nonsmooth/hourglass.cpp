// Tests the fast hourglass. The grid must find the same contacts as a test of all pairs. Joints must follow their
// rules. The laws of a time step must hold.
#include "simulator/fast/hourglass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace demeter::simulator::fast {
namespace {

using nonsmooth::fast::Method;

class Uniform {
  std::mt19937_64 engine_;

 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
};

void add_disc(State& state, double x, double y, double radius, double velocity_x = 0, double velocity_y = 0) {
  state.x.push_back(x);
  state.y.push_back(y);
  state.velocity_x.push_back(velocity_x);
  state.velocity_y.push_back(velocity_y);
  state.radius.push_back(radius);
  state.inverse_mass.push_back(1 / (1000 * std::numbers::pi * radius * radius));
}

/// Returns a hopper between two bins. Its last segment is the gate.
Boundary hopper() {
  return {{{-0.03, 0.1},
           {-0.03, 0.03},
           {-0.003, 0},
           {-0.03, -0.03},
           {-0.03, -0.1},
           {0.03, -0.1},
           {0.03, -0.03},
           {0.003, 0},
           {0.03, 0.03},
           {0.03, 0.1}},
          {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {2, 7}}};
}

/// Returns rows of discs above the walls of the hopper.
State filled(std::size_t discs, std::uint64_t seed) {
  Uniform uniform(seed);
  State state;
  for (double y = 0.034; state.x.size() < discs; y += 0.0025)
    for (double x = -0.027; x < 0.0275 && state.x.size() < discs; x += 0.0025) {
      double const moved_x = x + 1e-4 * uniform(), moved_y = y + 1e-4 * uniform();
      add_disc(state, moved_x, moved_y, 1e-3 * (0.8 + 0.4 * uniform()));
    }
  return state;
}

Settings settings_of(Method method, double tolerance) {
  Settings settings;
  settings.method = method;
  settings.dt = 2e-4;
  settings.alert = 7e-4;
  settings.gravity = {0, -9.81};
  settings.tolerance = tolerance * 9.81 * settings.dt;
  return settings;
}

TEST(FastHourglass, TheGridFindsTheContactsOfATestOfAllPairs) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Uniform uniform(seed);
    State state;
    double const spread = std::ldexp(1.0, static_cast<int>(seed) - 3);
    for (int k = 0; k < 300; ++k) {
      double const x = spread * (uniform() - 0.5), y = spread * (uniform() - 0.5);
      add_disc(state, x, y, 0.01 + 0.04 * uniform());
    }
    if (seed > 3) add_disc(state, 1e6, -1e9, 0.05);
    if (seed > 4) add_disc(state, 1e308, -1e308, 0.05);
    double const alert = 0.02;
    std::vector<Contact> contacts;
    Workspace workspace;
    EXPECT_EQ(detect(state, {}, alert, true, contacts, workspace), 0);
    auto found = contacts.begin();
    for (std::size_t a = 0; a < state.x.size(); ++a) {
      for (std::size_t b = a + 1; b < state.x.size(); ++b) {
        double const x = state.x[b] - state.x[a], y = state.y[b] - state.y[a], distance = std::sqrt(x * x + y * y);
        double const gap = distance - (state.radius[b] + state.radius[a]);
        if (!(gap < alert)) continue;
        ASSERT_NE(found, contacts.end());
        EXPECT_EQ(found->partner, Partner::disc);
        EXPECT_EQ(found->other, static_cast<std::int32_t>(a));
        EXPECT_EQ(found->disc, static_cast<std::int32_t>(b));
        EXPECT_EQ(found->gap, gap);
        EXPECT_EQ(found->normal_x, x / distance);
        EXPECT_EQ(found->normal_y, y / distance);
        ++found;
      }
    }
    EXPECT_EQ(found, contacts.end());
  }
}

TEST(FastHourglass, WithTheRuleForJointsAFlatJointDoesNotStopADisc) {
  // A disc of radius 1 rests on two segments that form a straight line. Their joint is 3/4 ahead of the disc.
  Boundary const flat{{{-4, 0}, {0.75, 0}, {4, 0}}, {{0, 1}, {1, 2}}};
  Settings settings;
  settings.method = Method::nlgs;
  settings.dt = 0.5;
  settings.alert = 1;
  settings.gravity = {0, 0};
  settings.tolerance = 1e-15;
  for (bool const joint : {true, false}) {
    State state;
    add_disc(state, 0, 1, 1, 1, 0);
    settings.joint = joint;
    Workspace workspace;
    auto const report = advance(state, flat, settings, workspace);
    EXPECT_EQ(report.contacts, joint ? 1U : 2U);
    EXPECT_NEAR(state.velocity_x[0], joint ? 1 : 47.0 / 50, 1e-15);
    EXPECT_NEAR(state.velocity_y[0], joint ? 0 : 2.0 / 25, 1e-15);
    EXPECT_EQ(state.x[0], 0.5 * state.velocity_x[0]);
  }
}

TEST(FastHourglass, AVertexGivesAContactOnlyIfItsSegmentsGiveNone) {
  // The boundary is the outside of a right angle. Without its second segment, the first segment has a free end.
  Boundary const corner{{{0, -1}, {0, 0}, {-1, 0}}, {{0, 1}, {1, 2}}};
  auto const kinds = [&corner](double x, double y, bool joint, bool there = true) {
    Boundary of = corner;
    of.segments[1].there = there;
    State state;
    add_disc(state, x, y, 0.5);
    std::vector<Contact> contacts;
    Workspace workspace;
    EXPECT_EQ(detect(state, of, 0.1, joint, contacts, workspace), 0);
    std::string text;
    for (auto const& contact : contacts) text += "dsv"[static_cast<std::size_t>(contact.partner)];
    return text;
  };
  EXPECT_EQ(kinds(0.3, 0.4, true), "v");
  EXPECT_EQ(kinds(0.5, -0.01, true), "s");  // past the corner, next to its first segment
  EXPECT_EQ(kinds(0.5, -0.01, false), "sv");
  EXPECT_EQ(kinds(0.5, 0, true), "s");  // the foot of the perpendicular is the corner itself
  EXPECT_EQ(kinds(-0.25, 0.5, true), "s");
  EXPECT_EQ(kinds(-0.25, 0.25, true, false), "v");  // the second segment is removed
  EXPECT_EQ(kinds(-1.2, 0.1, true), "v");
  EXPECT_EQ(kinds(-1.2, 0.1, true, false), "");  // a vertex gives no contact if its segments are removed
  EXPECT_EQ(kinds(0.7, 0.7, true), "");

  State state;
  add_disc(state, 0.3, 0.4, 0.5);
  add_disc(state, 0, 0, 0.25);  // the centre is on the corner, so neither segment gives a normal
  std::vector<Contact> contacts;
  Workspace workspace;
  EXPECT_EQ(detect(state, corner, 0.1, true, contacts, workspace), 2);
  ASSERT_EQ(contacts.size(), 2);
  EXPECT_EQ(contacts[0].partner, Partner::disc);
  EXPECT_EQ(contacts[1].normal_x, 0.6);
  EXPECT_EQ(contacts[1].normal_y, 0.8);
  EXPECT_EQ(contacts[1].gap, 0);
}

TEST(FastHourglass, AGrainFallsAndStops) {
  Boundary const floor{{{-1, 0}, {1, 0}}, {{0, 1}}};
  Settings settings = settings_of(Method::apgd, 1e-9);
  settings.dt = 0.0625;
  settings.alert = 0.25;
  settings.gravity = {0, -8};
  State state;
  add_disc(state, 0, 1.125, 0.125);
  Workspace workspace;
  double velocity = 0, height = 1.125;
  for (int step = 0; step < 7; ++step) {
    auto const report = advance(state, floor, settings, workspace);
    velocity -= 0.5;
    height += 0.0625 * velocity;
    EXPECT_EQ(state.velocity_y[0], velocity);
    EXPECT_EQ(state.y[0], height);
    EXPECT_EQ(report.contacts, 0U);
  }
  ASSERT_EQ(height, 0.25);
  for (int step = 0; step < 3; ++step) {
    auto const report = advance(state, floor, settings, workspace);
    EXPECT_EQ(report.contacts, 1U);
    EXPECT_NEAR(state.y[0], 0.125, 1e-9);
    EXPECT_NEAR(state.velocity_y[0], step == 0 ? -2 : 0, 1e-8);
    EXPECT_LT(report.wall_impulse[1], 0);
  }
  EXPECT_EQ(state.step, 10U);
}

double mass_of(State const& state) {
  double mass = 0;
  for (double const inverse : state.inverse_mass) mass += 1 / inverse;
  return mass;
}

std::array<double, 2> momentum_of(State const& state) {
  std::array<double, 2> sum{0, 0};
  for (std::size_t d = 0; d < state.x.size(); ++d) {
    sum[0] += state.velocity_x[d] / state.inverse_mass[d];
    sum[1] += state.velocity_y[d] / state.inverse_mass[d];
  }
  return sum;
}

bool has_passed(State const& state, double y) {
  return std::any_of(state.y.begin(), state.y.end(), [y](double each) { return each < y; });
}

TEST(FastHourglass, MomentumAndOverlapObeyTheirLawsFromFillToFlow) {
  State state = filled(150, 1);
  Boundary boundary = hopper();
  Workspace workspace;
  auto settings = settings_of(Method::apgd, 1e-6);
  double overlap = 0;
  for (int step = 0; step < 900; ++step) {
    if (step == 700) {
      EXPECT_FALSE(has_passed(state, 0));
      boundary.segments.back().there = false;
    }
    auto const momentum = momentum_of(state);
    auto const report = advance(state, boundary, settings, workspace);
    ASSERT_TRUE(report.finite);
    ASSERT_FALSE(report.capped);
    ASSERT_EQ(report.without_normal, 0U);
    ASSERT_LE(report.residual, settings.tolerance);
    ASSERT_LE(report.greatest_speed * settings.dt, settings.alert);
    ASSERT_EQ(report.unforeseen, 0U);
    for (std::size_t d = 0; d < state.x.size(); ++d)
      ASSERT_LE(std::hypot(state.velocity_x[d], state.velocity_y[d]), report.greatest_speed * (1 + 1e-15));
    auto const after = momentum_of(state);
    double const weight = mass_of(state) * settings.dt * settings.gravity[1];
    ASSERT_NEAR(after[0], momentum[0] - report.wall_impulse[0], 1e-13);
    ASSERT_NEAR(after[1], momentum[1] + weight - report.wall_impulse[1], 1e-13);
    // Each step may add an overlap: the tolerance of the speed times the time step, and the rounding of a position.
    overlap += settings.tolerance * settings.dt + 1e-17;
    ASSERT_LE(report.greatest_overlap, overlap);
    for (std::size_t d = 0; d < state.x.size(); ++d) {
      ASSERT_LT(std::abs(state.x[d]), 0.03);
      ASSERT_GT(state.y[d], -0.1);
    }
    for (auto const& contact : state.contacts) {
      ASSERT_GE(contact.impulse, 0);
      ASSERT_FALSE(step >= 700 && contact.partner == Partner::segment && contact.other == 9);
    }
  }
  EXPECT_TRUE(has_passed(state, 0));
}

void expect_same_bits(std::vector<double> const& a, std::vector<double> const& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k])) << k;
}

TEST(FastHourglass, ASavedStateContinuesWithTheSameBits) {
  for (auto const method : nonsmooth::fast::methods) {
    SCOPED_TRACE(labels(method)[static_cast<std::size_t>(method)]);
    auto settings = settings_of(method, 1e-3);
    settings.sweeps = 200;
    settings.joint = nonsmooth::fast::solves(method);
    State state = filled(100, 2);
    Workspace workspace;
    for (int step = 0; step < 120; ++step) advance(state, hopper(), settings, workspace);
    State resumed = state;
    Workspace fresh;
    for (int step = 0; step < 30; ++step) {
      auto const a = advance(state, hopper(), settings, workspace), b = advance(resumed, hopper(), settings, fresh);
      EXPECT_EQ(a.sweeps, b.sweeps);
      EXPECT_EQ(a.residual, b.residual);
    }
    expect_same_bits(state.x, resumed.x);
    expect_same_bits(state.y, resumed.y);
    expect_same_bits(state.velocity_x, resumed.velocity_x);
    expect_same_bits(state.velocity_y, resumed.velocity_y);
    EXPECT_EQ(resumed.step, 150U);
  }
}

TEST(FastHourglass, WarmStartsSaveSweepsAtRest) {
  std::int64_t sweeps[2] = {0, 0};
  for (bool const warm : {false, true}) {
    auto settings = settings_of(Method::apgd, 1e-3);
    settings.warm = warm;
    State state = filled(150, 3);
    Workspace workspace;
    for (int step = 0; step < 900; ++step) {
      auto const report = advance(state, hopper(), settings, workspace);
      if (step >= 600) sweeps[warm ? 1 : 0] += report.sweeps;
    }
  }
  EXPECT_LT(sweeps[1], sweeps[0]);
}

TEST(FastHourglass, ReportsATooSmallAlertDistance) {
  Boundary const floor{{{-1, 0}, {1, 0}}, {{0, 1}}};
  for (double const alert : {0.25, 0.05}) {
    auto settings = settings_of(Method::apgd, 1e-9);
    settings.dt = 0.0625;
    settings.alert = alert;
    State state;
    add_disc(state, 0, 0.25, 0.125, 0, -3);
    Workspace workspace;
    auto const first = advance(state, floor, settings, workspace), second = advance(state, floor, settings, workspace);
    EXPECT_EQ(first.unforeseen, 0U);
    EXPECT_EQ(first.contacts, alert > 0.1 ? 1U : 0U);
    EXPECT_EQ(second.unforeseen, alert > 0.1 ? 0U : 1U);
  }
}

TEST(FastHourglass, ReportsNonFiniteValues) {
  State state;
  add_disc(state, 0, 1, 0.1);
  add_disc(state, 2, 1, 0.1);
  Workspace workspace;
  auto const settings = settings_of(Method::apgd, 1e-3);
  EXPECT_TRUE(advance(state, hopper(), settings, workspace).finite);
  state.velocity_x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(advance(state, hopper(), settings, workspace).finite);
  EXPECT_EQ(state.step, 1U);
  State none;
  EXPECT_TRUE(advance(none, hopper(), settings, workspace).finite);
}

}  // namespace
}  // namespace demeter::simulator::fast
