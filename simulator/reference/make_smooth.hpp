// Creates a `Simulation` from a smooth scene and a scalar type. This file compiles slowly. Two source files therefore
// include it for different scalar types. Non-smooth scenes are in another file, because they use other kernels: a
// change of a kernel then recompiles only one kind of scene.
#pragma once

#include "simulator/reference/finite.hpp"
#include "simulator/reference/saved.hpp"
#include "simulator/reference/simulation.hpp"
#include "simulator/reference/steps.hpp"

#include <memory>

namespace demeter::simulator::reference {

/// Returns warnings about a scene at its start: bodies that overlap.
template <turning_scalar Scalar>
std::vector<std::string> warnings_of(Simulated<Scalar> const& simulated) {
  std::vector<std::string> warnings;
  auto const& system = simulated.system;
  ContactState<Scalar> const* deepest = nullptr;
  for (auto const& contact : simulated.state.contacts)
    if (deepest == nullptr || contact.uN < deepest->uN) deepest = &contact;
  if (deepest != nullptr)
    warnings.push_back("bodies overlap at the start: " + system.bodies[system.shapes[deepest->shape1].body].name +
                       " and " + system.bodies[system.shapes[deepest->shape2].body].name + " by " +
                       shortest(static_cast<double>(-deepest->uN)) + " m");
  return warnings;
}

/// Returns the first number of the state that is not finite, as a `Trouble`. Checks the bodies, the contacts, and the
/// sums over all bodies.
template <turning_scalar Scalar>
std::optional<Trouble> trouble_of(Simulated<Scalar> const& simulated) {
  auto const& [system, state] = std::tie(simulated.system, simulated.state);
  auto const trouble = [&state = state](std::string const& of, std::string const& what) {
    return Trouble{"step " + std::to_string(state.step) + ": " + of + ": " + what + ", expected a finite number", true};
  };
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (auto const what = not_finite_in(state.bodies[b])) return trouble(system.bodies[b].name, *what);
  for (auto const& contact : state.contacts)
    if (auto const what = not_finite_in(contact))
      return trouble("contact of " + system.bodies[system.shapes[contact.shape1].body].name + " and " +
                         system.bodies[system.shapes[contact.shape2].body].name,
                     *what);
  auto what = not_finite_in(state.ledger);
  if (!what) what = not_finite_in(state);
  return what ? std::optional(trouble("all bodies", *what)) : std::nullopt;
}

template <turning_scalar Scalar>
std::optional<Simulation> make_smooth(Scene<Number> const& scene, unsigned refinement, unsigned digits, Unfit& unfit) {
  // The caller may use another precision, so each function below sets its own.
  auto const guarded = [digits](auto const& compute) { return with_digits(digits, compute); };
  auto const simulated = std::make_shared<Simulated<Scalar>>();
  bool const built = guarded([&] {
    auto made = build<Scalar>(scene);
    simulated->system = std::move(made.system);
    auto const dt = first_step<Scalar>(simulated->system, refinement);
    if (!dt) return false;
    begin<Scalar>(*simulated, made.beginnings, *dt);
    return true;
  });
  if (!built) {
    unfit = {"scene.dt", "dt, or a rule with materials that define the step"};
    return std::nullopt;
  }
  Simulation is;
  for (auto const& body : simulated->system.bodies) is.bodies.push_back({body.name, body.form, body.fixed});
  for (auto const& shape : simulated->system.shapes) {
    Drawn drawn;
    drawn.body = shape.body;
    drawn.form = shape.wall ? Form::wall : shape.sphere ? Form::sphere : Form::capsule;
    drawn.centre = cast<Vector3<double>>(shape.centre);
    drawn.half = cast<Vector3<double>>(shape.half);
    drawn.radius = static_cast<double>(shape.radius);
    is.shapes.push_back(drawn);
  }
  is.warnings = guarded([&] { return warnings_of<Scalar>(*simulated); });
  auto const trouble =
      std::make_shared<std::optional<Trouble>>(guarded([&] { return trouble_of<Scalar>(*simulated); }));
  is.advance = [=] {
    if (*trouble) return;
    guarded([&] {
      advance<Scalar>(*simulated);
      *trouble = trouble_of<Scalar>(*simulated);
    });
  };
  is.trouble = [=] { return *trouble; };
  is.step = [=] { return simulated->state.step; };
  is.time = [=] { return guarded([&] { return static_cast<double>(time_of<Scalar>(simulated->state)); }); };
  is.dt = [=] { return static_cast<double>(simulated->state.dt); };
  is.snapshot = [=] { return guarded([&] { return cast<Snapshot<Text>>(snapshot<Scalar>(*simulated)); }); };
  is.critical_step = [=] {
    return guarded([&] {
      auto const step = critical_step<Scalar>(*simulated);
      return step ? static_cast<double>(*step) : std::numeric_limits<double>::infinity();
    });
  };
  is.save = [=] { return guarded([&] { return saved(simulated->state); }); };
  is.load = [=](std::string_view text) {
    return guarded([&] {
      auto const state = read_saved<State<Scalar>>(text);
      if (!state || state->bodies.size() != simulated->state.bodies.size()) return false;
      for (auto const& contact : state->contacts)
        if (contact.shape1 >= simulated->system.shapes.size() || contact.shape2 >= simulated->system.shapes.size())
          return false;
      simulated->state = *state;
      find_frames<Scalar>(*simulated);
      place<Scalar>(*simulated);
      *trouble = trouble_of<Scalar>(*simulated);
      return true;
    });
  };
  return is;
}

}  // namespace demeter::simulator::reference
