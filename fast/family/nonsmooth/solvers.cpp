#include "fast/family/nonsmooth/solvers.hpp"

#include "fast/family/nonsmooth/layout.hpp"
#include "fast/family/nonsmooth/passes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter::nonsmooth::fast {
namespace {

/// Returns the natural residual. `body_at` gives the velocities.
template <class BodyAt>
double residual_of(Problem const& problem, std::span<double const> impulses, BodyAt const& body_at) {
  double most = 0, lost = 0;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    auto const a = body_at(index(problem.i[k])), b = body_at(index(problem.j[k]));
    double const w = (a.x - b.x) * problem.normal_x[k] + (a.y - b.y) * problem.normal_y[k] + problem.meeting[k];
    most = std::max(most, std::abs(std::min(delassus(problem, k) * impulses[k], w)));
    lost += w * 0;  // becomes NaN if a velocity is infinite or NaN
  }
  return lost == 0 ? most : std::numeric_limits<double>::infinity();
}

/// Returns the number of sweeps after which the residual is computed again. At first the residual is computed often.
/// Later it is computed so rarely that it costs a few per cent of the time.
std::int64_t next_look(std::int64_t sweeps, std::int64_t last) {
  return sweeps + std::min({last - sweeps, std::int64_t{20}, 1 + sweeps / 16});
}

/// Runs sweeps until the computed residual is at most the tolerance.
template <class Sweep, class Residual>
Outcome iterate(Limits const& limits, Sweep const& sweep, Residual const& residual) {
  Outcome outcome;
  for (;;) {
    outcome.residual = residual();
    if (outcome.residual <= limits.tolerance) return outcome;
    if (outcome.sweeps >= limits.sweeps) break;
    std::int64_t const look = next_look(outcome.sweeps, limits.sweeps);
    for (; outcome.sweeps < look; ++outcome.sweeps) sweep();
  }
  outcome.capped = true;
  return outcome;
}

Outcome solve_in_order(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
                       Workspace& workspace) {
  lay_out_in_order(problem, workspace);
  auto* const bodies = workspace.bodies.data();
  auto const* const contacts = workspace.contacts.data();
  if (method == Method::nlgs) {
    push_all(contacts, impulses.size(), bodies, impulses.data());
    return iterate(
        limits, [&] { sweep_in_order(contacts, impulses.size(), bodies, impulses.data()); },
        [&] { return residual_of(problem, impulses, [bodies](std::size_t b) { return bodies[b]; }); });
  }
  std::fill(impulses.begin(), impulses.end(), 0.0);
  Outcome outcome;
  outcome.residual = std::numeric_limits<double>::infinity();
  while (outcome.sweeps < limits.sweeps && !(outcome.residual <= limits.tolerance)) {
    outcome.residual = sweep_as_documented(contacts, impulses.size(), bodies, impulses.data());
    ++outcome.sweeps;
  }
  outcome.capped = !(outcome.residual <= limits.tolerance);
  return outcome;
}

Outcome solve_coloured(Passes const& passes, Problem const& problem, Limits const& limits, std::span<double> impulses,
                       Workspace& workspace) {
  lay_out_coloured(problem, impulses, workspace);
  Rows const rows = rows_of(workspace);
  auto const outcome = iterate(
      limits, [&] { passes.coloured(&rows, workspace.impulse.data()); },
      [&] { return passes.residual(&rows, workspace.impulse.data()); });
  for (std::size_t k = 0; k < impulses.size(); ++k) impulses[k] = workspace.impulse[index(workspace.row_of_contact[k])];
  return outcome;
}

/// The momentum of the optimised gradient method. theta increases by about 1/2 per step.
struct Pace {
  double theta = 1, projection = 1;

  /// The value 1 is best for slow modes. With 1, however, a step would not reduce a mode of the largest eigenvalue but
  /// only change its sign.
  static constexpr double overshoot = 0.8;

  static double after(double theta) { return (1 + std::sqrt(1 + 4 * theta * theta)) / 2; }

  /// Returns the factors of the next step.
  Factors factors() const {
    double const next = after(theta), after_next = after(next), over = theta > 1 ? overshoot * theta : 0;
    return {1 + (theta - 1 + over) / next, (next - 1) / after_next, (next - 1) / (after_next * next_projection())};
  }
  double next_projection() const {
    double const next = after(theta);
    return (2 * theta + next - 1) / next;
  }
  void advance() { *this = {after(theta), next_projection()}; }
  /// Halves the momentum. It is not set to zero, because building it up again would take as long as before.
  void restart() { *this = {std::max(1.0, after(theta) / 2), 1}; }
};

Outcome solve_at_once(Passes const& passes, Method method, Problem const& problem, Limits const& limits,
                      std::span<double> impulses, Workspace& workspace) {
  lay_out_stars(problem, workspace);
  Rows const rows = rows_of(workspace);
  Stars stars{workspace.slots.size() - 1,
              workspace.slots.data(),
              workspace.contact.data(),
              workspace.push_x.data(),
              workspace.push_y.data(),
              workspace.free_x.data(),
              workspace.free_y.data(),
              nullptr,
              nullptr,
              workspace.velocity.data()};
  double* impulse = workspace.impulse.data();
  double* next = workspace.next_impulse.data();
  if (method != Method::documented_jacobi) std::copy(impulses.begin(), impulses.end(), impulse);
  passes.move(&stars, impulse);
  auto const residual = [&] { return passes.residual(&rows, impulse); };

  Outcome outcome;
  if (method == Method::documented_jacobi) {
    stars.kept_x = workspace.free_x.data();
    stars.kept_y = workspace.free_y.data();
    outcome.residual = std::numeric_limits<double>::infinity();
    while (outcome.sweeps < limits.sweeps && !(outcome.residual <= limits.tolerance)) {
      outcome.residual = passes.correct(&rows, impulse, next);
      passes.move(&stars, next);
      ++outcome.sweeps;
    }
    outcome.capped = !(outcome.residual <= limits.tolerance);
  } else if (method == Method::apgd) {
    find_eigenvalues(problem, workspace);
    split_by_eigenvalues(problem, workspace);
    double* const history = workspace.history.data();
    Pace pace;
    auto const sweep = [&] {
      Factors const factors = pace.factors();
      if (passes.accelerate(&rows, impulse, history, next, &factors) > 0) {
        passes.project(&rows, impulse, next);
        std::fill(workspace.history.begin(), workspace.history.end(), 0.0);
        pace.restart();
      } else {
        pace.advance();
      }
      std::swap(impulse, next);
      passes.move(&stars, impulse);
    };
    outcome = iterate(limits, sweep, residual);
  } else {
    if (method == Method::mass_splitting_jacobi) {
      split_masses(problem, workspace);
    } else {
      find_eigenvalues(problem, workspace);
      double const omega = 1.9 / *std::max_element(workspace.eigenvalue.begin(), workspace.eigenvalue.end());
      for (auto& inverse : workspace.inverse) inverse *= omega;
    }
    auto const sweep = [&] {
      passes.project(&rows, impulse, impulse);
      passes.move(&stars, impulse);
    };
    outcome = iterate(limits, sweep, residual);
  }
  std::copy(impulse, impulse + impulses.size(), impulses.begin());
  return outcome;
}

}  // namespace

Outcome solve(Level level, Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size();
  if (problem.i.empty()) {
    std::copy(problem.velocity_x.begin(), problem.velocity_x.end(), velocity_x.begin());
    std::copy(problem.velocity_y.begin(), problem.velocity_y.end(), velocity_y.begin());
    return {};
  }
  Passes const& passes = passes_at(level);
  Outcome outcome;
  auto const hand_out = [&](auto const& velocity_of) {
    for (std::size_t b = 0; b < bodies; ++b) {
      bool const moves = problem.inverse_mass[b] > 0;
      auto const [x, y] = velocity_of(b);
      velocity_x[b] = moves ? x : problem.velocity_x[b];
      velocity_y[b] = moves ? y : problem.velocity_y[b];
    }
  };
  using Reached = std::array<double, 2>;
  if (method == Method::nlgs || method == Method::documented) {
    outcome = solve_in_order(method, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) { return Reached{workspace.bodies[b].x, workspace.bodies[b].y}; });
  } else if (method == Method::coloured) {
    outcome = solve_coloured(passes, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) { return Reached{workspace.velocity[2 * b], workspace.velocity[2 * b + 1]}; });
  } else {
    outcome = solve_at_once(passes, method, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) {
      std::size_t const row = index(workspace.row_of_body[b]);
      return Reached{workspace.velocity[2 * row], workspace.velocity[2 * row + 1]};
    });
  }
  return outcome;
}

Outcome solve(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace) {
  return solve(best_level(), method, problem, limits, impulses, velocity_x, velocity_y, workspace);
}

double natural_residual(Problem const& problem, std::span<double const> impulses, std::span<double const> velocity_x,
                        std::span<double const> velocity_y) {
  return residual_of(problem, impulses, [&](std::size_t b) {
    return Workspace::Body{velocity_x[b], velocity_y[b], problem.inverse_mass[b]};
  });
}

}  // namespace demeter::nonsmooth::fast
