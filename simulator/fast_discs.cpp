#include "simulator/fast_discs.hpp"

#include "simulator/fast/hourglass.hpp"
#include "simulator/reference/nonsmooth_steps.hpp"

#include <cmath>

namespace demeter::simulations {
namespace {

namespace fast = simulator::fast;
using simulator::DiscState;
using simulator::NonsmoothState;
using simulator::SolverMethod;
using simulator::Trouble;
using simulator::reference::NonsmoothSystem;
using simulator::reference::not_finite_in;
using simulator::reference::not_finite_trouble;
using simulator::reference::Solved;
using Method = nonsmooth::fast::Method;

Method method_of(SolverMethod method) {
  switch (method) {
    case SolverMethod::nlgs:
      return Method::nlgs;
    case SolverMethod::jacobi:
      return Method::jacobi;
    case SolverMethod::mass_splitting_jacobi:
      return Method::mass_splitting_jacobi;
    case SolverMethod::apgd:
      return Method::apgd;
    case SolverMethod::documented:
      return Method::documented;
    default:
      return Method::documented_jacobi;
  }
}

/// Does the steps with simulator/fast/. Each call of step() receives the whole state. Between calls, the object only
/// keeps allocated memory.
class FastDiscs {
 public:
  Solved<double> step(NonsmoothSystem<double> const& system, std::vector<std::uint64_t> const& segments,
                      double tolerance, NonsmoothState<double>& state, std::optional<Trouble>& trouble) {
    fast::Settings const settings = settings_of(system, tolerance);
    lay(system, segments, state);
    auto const report = fast::advance(state_, boundary_, settings, workspace_);
    if (report.without_normal > 0)
      trouble = Trouble{"a centre is on another centre or on the boundary: the contact has no normal"};
    for (std::size_t k = 0; !report.finite && !trouble && k < state.discs.size(); ++k)
      if (auto const what = not_finite_in(
              DiscState<double>{{state_.x[k], state_.y[k]}, {state_.velocity_x[k], state_.velocity_y[k]}}))
        trouble = not_finite_trouble(system.discs[k].name, *what);
    Solved<double> is;
    is.sweeps = static_cast<std::uint64_t>(report.sweeps);
    is.residual = report.residual;
    is.capped = report.capped;
    is.ended = report.finite && !(report.capped && settings.sweeps == 0);
    if (trouble || !is.ended) return is;
    for (std::size_t k = 0; k < state.discs.size(); ++k)
      state.discs[k] = {{state_.x[k], state_.y[k]}, {state_.velocity_x[k], state_.velocity_y[k]}};
    state.contacts.clear();
    for (auto const& contact : state_.contacts)
      state.contacts.push_back({static_cast<simulator::Partner>(contact.partner),
                                static_cast<std::uint64_t>(contact.other),
                                static_cast<std::uint64_t>(contact.disc),
                                contact.gap,
                                {contact.normal_x, contact.normal_y},
                                contact.impulse});
    if (!nonsmooth::fast::solves(settings.method)) is.residual = natural_residual(system, state);
    return is;
  }

 private:
  static fast::Settings settings_of(NonsmoothSystem<double> const& system, double tolerance) {
    fast::Settings is{};
    is.method = method_of(system.solver.method);
    is.tolerance = tolerance;
    is.sweeps = static_cast<std::int64_t>(std::min<std::uint64_t>(system.solver.itmax, 1'000'000'000'000));
    is.warm = system.solver.warm;
    is.dt = system.dt;
    is.alert = system.alert;
    is.gravity = {system.gravity[0], system.gravity[1]};
    is.joint = system.solver.boundary == simulator::BoundaryRule::joint;
    return is;
  }

  void lay(NonsmoothSystem<double> const& system, std::vector<std::uint64_t> const& segments,
           NonsmoothState<double> const& state) {
    std::size_t const count = state.discs.size();
    for (auto* column :
         {&state_.x, &state_.y, &state_.velocity_x, &state_.velocity_y, &state_.radius, &state_.inverse_mass})
      column->resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      auto const& disc = state.discs[k];
      state_.x[k] = disc.position[0];
      state_.y[k] = disc.position[1];
      state_.velocity_x[k] = disc.velocity[0];
      state_.velocity_y[k] = disc.velocity[1];
      state_.radius[k] = system.discs[k].radius;
      state_.inverse_mass[k] = 1 / system.discs[k].mass;
    }
    state_.contacts.clear();
    for (auto const& contact : state.contacts)
      state_.contacts.push_back({static_cast<fast::Partner>(contact.partner), static_cast<std::int32_t>(contact.disc),
                                 static_cast<std::int32_t>(contact.other), contact.gap, contact.normal[0],
                                 contact.normal[1], contact.impulse});
    state_.step = state.step;
    boundary_.vertices.clear();
    for (auto const& vertex : system.vertices) boundary_.vertices.push_back({vertex[0], vertex[1]});
    boundary_.segments.clear();
    for (auto const& segment : system.segments)
      boundary_.segments.push_back(
          {static_cast<std::int32_t>(segment.from), static_cast<std::int32_t>(segment.to), false});
    for (std::uint64_t const s : segments) boundary_.segments[s].there = true;
  }

  /// Returns the largest |min(W p, w)| of all contacts, for solvers that do not compute a residual. p is the impulse of
  /// the step, and w follows from the velocities after the step.
  static double natural_residual(NonsmoothSystem<double> const& system, NonsmoothState<double> const& state) {
    double most = 0;
    for (auto const& contact : state.contacts) {
      bool const pair = contact.partner == simulator::Partner::disc;
      Vector2<double> v = state.discs[contact.disc].velocity;
      double weight = 1 / system.discs[contact.disc].mass;
      if (pair) v -= state.discs[contact.other].velocity;
      if (pair) weight += 1 / system.discs[contact.other].mass;
      double const w = v[0] * contact.normal[0] + v[1] * contact.normal[1] + std::max(0.0, contact.gap) / system.dt;
      most = std::max(most, std::fabs(std::min(weight * contact.impulse, w)));
    }
    return most;
  }

  fast::State state_;
  fast::Boundary boundary_;
  fast::Workspace workspace_;
};

}  // namespace

std::optional<simulator::Simulation> simulate_fast(simulator::Scene<simulator::Number> const& scene,
                                                   unsigned refinement, simulator::reference::Unfit& unfit) {
  auto const discs = std::make_shared<FastDiscs>();
  return simulator::reference::simulate_discs(
      scene,
      [discs](auto const& system, auto const& segments, double tolerance, auto& state, auto& trouble) {
        return discs->step(system, segments, tolerance, state, trouble);
      },
      refinement, unfit);
}

}  // namespace demeter::simulations
