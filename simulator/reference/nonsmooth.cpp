// Creates a `Simulation` from a non-smooth scene, in every arithmetic.
#include "simulator/reference/nonsmooth_steps.hpp"
#include "simulator/reference/saved.hpp"

#include <memory>

namespace demeter::simulator::reference {

/// Returns whether a saved state fits the system: the number of discs is the same, and the contacts use discs and parts
/// of the boundary that exist.
template <class Scalar>
bool fits(NonsmoothSystem<Scalar> const& system, NonsmoothState<Scalar> const& state) {
  if (state.discs.size() != system.discs.size()) return false;
  for (auto const& contact : state.contacts) {
    std::size_t const others = contact.partner == Partner::disc      ? system.discs.size()
                               : contact.partner == Partner::segment ? system.segments.size()
                                                                     : system.vertices.size();
    if (contact.disc >= system.discs.size() || contact.other >= others) return false;
  }
  return true;
}

template <turning_scalar Scalar>
std::optional<Simulation> make_nonsmooth(Scene<Number> const& scene, unsigned refinement, unsigned digits,
                                         StepDiscs<Scalar> const& step, Unfit& unfit) {
  auto const guarded = [digits](auto const& compute) { return with_digits(digits, compute); };
  auto const simulated = std::make_shared<Nonsmooth<Scalar>>();
  simulated->step_discs = step ? step : StepDiscs<Scalar>(step_discs<Scalar>);
  auto const wrong = guarded([&] { return begin<Scalar>(*simulated, scene, refinement); });
  if (wrong) {
    unfit = *wrong;
    return std::nullopt;
  }
  auto const& system = simulated->system;
  Simulation is;
  is.dynamics = Dynamics::nonsmooth;
  for (auto const& disc : system.discs) {
    Drawn drawn;
    drawn.body = is.bodies.size();
    drawn.form = Form::disc;
    drawn.radius = static_cast<double>(disc.radius);
    is.bodies.push_back({disc.name, Form::disc, false});
    is.shapes.push_back(drawn);
  }
  for (auto const& name : system.polylines) {
    Drawn drawn;
    drawn.body = is.bodies.size();
    drawn.form = Form::polyline;
    is.bodies.push_back({name, Form::polyline, true});
    is.shapes.push_back(drawn);
  }
  for (auto const& segment : system.segments) {
    Line line{cast<Vector2<double>>(system.vertices[segment.from]), cast<Vector2<double>>(system.vertices[segment.to])};
    for (auto const& change : system.changes)
      if (change.polyline == segment.polyline)
        line.until = std::min(line.until, static_cast<double>(change.step) * static_cast<double>(system.dt));
    is.boundary.push_back(line);
  }
  Scalar const overlap = guarded([&] { return greatest_overlap<Scalar>(*simulated); });
  if (Scalar(0) < overlap)
    is.warnings.push_back("bodies overlap at the start by up to " + shortest(static_cast<double>(overlap)) +
                          " m: the method never removes this overlap");
  is.advance = [=] { guarded([&] { advance<Scalar>(*simulated); }); };
  is.trouble = [=] { return simulated->trouble; };
  is.step = [=] { return simulated->state.step; };
  is.time = [=] {
    return guarded([&] { return static_cast<double>(Scalar(Scalar(simulated->state.step) * simulated->system.dt)); });
  };
  is.dt = [=] { return static_cast<double>(simulated->system.dt); };
  is.snapshot = [=] { return guarded([&] { return cast<Snapshot<Text>>(snapshot<Scalar>(*simulated)); }); };
  is.critical_step = [] { return std::numeric_limits<double>::infinity(); };
  is.save = [=] { return guarded([&] { return saved(simulated->state); }); };
  is.load = [=](std::string_view text) {
    return guarded([&] {
      auto const state = read_saved<NonsmoothState<Scalar>>(text);
      if (!state || !fits(simulated->system, *state)) return false;
      simulated->state = *state;
      simulated->trouble.reset();
      return true;
    });
  };
  return is;
}

template std::optional<Simulation> make_nonsmooth<double>(Scene<Number> const&, unsigned, unsigned,
                                                          StepDiscs<double> const&, Unfit&);
template std::optional<Simulation> make_nonsmooth<long double>(Scene<Number> const&, unsigned, unsigned,
                                                               StepDiscs<long double> const&, Unfit&);
template std::optional<Simulation> make_nonsmooth<Multiprecision>(Scene<Number> const&, unsigned, unsigned,
                                                                  StepDiscs<Multiprecision> const&, Unfit&);

}  // namespace demeter::simulator::reference
