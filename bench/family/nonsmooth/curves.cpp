#include "bench/family/nonsmooth/curves.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::nonsmooth::bench {
namespace {

constexpr double below_all = 1e-7;         // residual at which a curve ends, in g dt
constexpr std::int64_t telling = 64;       // enough sweeps to estimate the time per sweep
constexpr std::int64_t timed_once = 1000;  // runs with at least this number of sweeps are long enough to be timed once

constexpr double short_run = 0.01;  // in seconds: other work of the CPU disturbs shorter runs, so they are repeated,
                                    // and the smallest of five times is used

}  // namespace

std::string_view name(fast::Method method) { return labels(method)[static_cast<std::size_t>(method)]; }

Curve curve(Frozen const& problem, bool flowing, fast::Method method, bool warm, Limits const& limits) {
  Curve made{flowing, warm, method, limits.sweeps, {}};
  for (std::int64_t sweeps = 1; sweeps <= made.asked; sweeps *= 2) {
    made.points.push_back(reach(problem, method, warm, below_all, sweeps, sweeps < timed_once ? 3 : 1));
    Reached const& last = made.points.back();
    if (!last.outcome.capped || !std::isfinite(last.outcome.residual)) break;
    if (limits.seconds > 0 && sweeps >= telling && last.seconds > 0) {
      double const fitting = limits.seconds / last.seconds * static_cast<double>(sweeps);
      made.asked = fitting < static_cast<double>(limits.sweeps) ? std::max(static_cast<std::int64_t>(fitting), telling)
                                                                : limits.sweeps;
    }
  }
  bool reaches = true;
  for (double const tolerance : tolerances) {
    Reached reached;
    if (reaches) reached = reach(problem, method, warm, tolerance, made.asked);
    reaches = reaches && !reached.outcome.capped;
    if (reaches && reached.seconds < short_run)
      reached.seconds = std::min(reached.seconds, reach(problem, method, warm, tolerance, made.asked, 4).seconds);
    made.reached.push_back(reaches ? std::optional(reached) : std::nullopt);
  }
  return made;
}

Study study(std::size_t discs, int settling, int opening, Limits const& limits, std::atomic<bool> const* stop) {
  Study made;
  made.discs = discs;
  auto const stopped = [stop] { return stop != nullptr && stop->load(); };
  simulator::fast::State state = filled(discs);
  simulator::fast::Workspace workspace;
  for (bool const flowing : {false, true}) {
    auto const boundary = walls(!flowing);
    auto const chosen = settings(flowing ? flowing_to : settled_to);
    for (int step = 0; step < (flowing ? opening : settling) && !stopped(); ++step)
      advance(state, boundary, chosen, workspace);
    Frozen const problem = frozen(state, boundary);
    made.contacts[flowing ? 1 : 0] = problem.i.size();
    for (fast::Method const method : fast::methods)
      for (bool const warm : {false, true})
        if ((!warm || solves(method)) && !stopped())
          made.curves.push_back(curve(problem, flowing, method, warm, limits));
  }
  return made;
}

}  // namespace demeter::nonsmooth::bench
