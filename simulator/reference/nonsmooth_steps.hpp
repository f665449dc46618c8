// A step of non-smooth dynamics. It applies gravity, finds the contacts at the current positions, computes the
// impulses, and moves the discs. Source: docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "simulator/reference/finite.hpp"
#include "simulator/reference/nonsmooth_solvers.hpp"
#include "simulator/reference/nonsmooth_system.hpp"
#include "simulator/reference/simulation.hpp"

namespace demeter::simulator::reference {

template <turning_scalar Scalar>
Scalar length2(Vector2<Scalar> const& v) {
  using std::sqrt;
  return Scalar(sqrt(Scalar(v[0] * v[0] + v[1] * v[1])));
}

template <turning_scalar Scalar>
Scalar kinetic_energy(NonsmoothSystem<Scalar> const& system, std::vector<Vector2<Scalar>> const& velocities) {
  Scalar sum(0);
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    auto const& v = velocities[k];
    sum = sum + system.discs[k].mass * (v[0] * v[0] + v[1] * v[1]);
  }
  return sum / Scalar(2);
}

template <turning_scalar Scalar>
std::vector<Vector2<Scalar>> velocities_of(NonsmoothState<Scalar> const& state) {
  std::vector<Vector2<Scalar>> velocities;
  for (auto const& disc : state.discs) velocities.push_back(disc.velocity);
  return velocities;
}

template <turning_scalar Scalar>
Vector2<Scalar> momentum_of(NonsmoothSystem<Scalar> const& system, NonsmoothState<Scalar> const& state) {
  Vector2<Scalar> sum = zero2<Scalar>();
  for (std::size_t k = 0; k < state.discs.size(); ++k) sum = sum + system.discs[k].mass * state.discs[k].velocity;
  return sum;
}

/// Returns the greatest overlap at the positions of the state, with the boundary that the next step uses.
template <turning_scalar Scalar>
Scalar greatest_overlap(Nonsmooth<Scalar> const& simulated) {
  std::optional<Trouble> ignored;
  auto system = simulated.system;
  system.alert = Scalar(0);
  Scalar most(0);
  for (auto const& contact :
       potential_contacts<Scalar>(system, simulated.state.discs, segments_at(system, simulated.state.step), ignored))
    if (most < -contact.gap) most = -contact.gap;
  return most;
}

/// Returns one row of the solvers for each contact of a step.
template <turning_scalar Scalar>
std::vector<Row<Scalar>> rows_of(NonsmoothSystem<Scalar> const& system,
                                 std::vector<NonsmoothContact<Scalar>> const& contacts) {
  Scalar const zero(0), one(1);
  std::vector<Row<Scalar>> rows;
  for (auto const& contact : contacts) {
    Row<Scalar> row;
    row.i = contact.disc;
    row.wall = contact.partner != Partner::disc;
    row.j = row.wall ? 0 : contact.other;
    row.normal = contact.normal;
    row.b = zero < contact.gap ? Scalar(contact.gap / system.dt) : zero;
    Scalar const of_i = one / system.discs[row.i].mass, of_j = row.wall ? zero : Scalar(one / system.discs[row.j].mass);
    row.on_i = {contact.normal[0] * of_i, contact.normal[1] * of_i};
    row.on_j = {contact.normal[0] * of_j, contact.normal[1] * of_j};
    row.weight = of_i + of_j;
    row.inverse = one / row.weight;
    rows.push_back(row);
  }
  return rows;
}

/// Returns the tolerance of the step that begins at `step`, as a speed in m/s.
template <turning_scalar Scalar>
Scalar tolerance_at(NonsmoothSystem<Scalar> const& system, std::uint64_t step) {
  Scalar tolerance = system.solver.tolerance;
  // If several changes have happened, the latest one counts.
  std::uint64_t last = 0;
  for (auto const& change : system.changes)
    if (change.tolerance && change.step <= step && change.step >= last) {
      tolerance = *change.tolerance;
      last = change.step;
    }
  return tolerance * system.scale;
}

/// Computes the impulses of the contacts. On entry, `v` are the velocities without impulses. On exit, `v` are the
/// velocities after the impulses.
template <turning_scalar Scalar>
Solved<Scalar> solve(NonsmoothSystem<Scalar> const& system, Scalar const& tolerance,
                     std::vector<NonsmoothContact<Scalar>>& contacts, std::vector<Vector2<Scalar>>& v) {
  Scalar const zero(0), one(1);
  auto const rows = rows_of<Scalar>(system, contacts);
  auto const& solver = system.solver;
  auto const method = solver.method;
  bool const documented = method == SolverMethod::documented || method == SolverMethod::documented_jacobi;
  std::vector<Scalar> p(rows.size(), zero);
  if (solver.warm && !documented)
    for (std::size_t k = 0; k < rows.size(); ++k) p[k] = contacts[k].impulse;
  Solved<Scalar> is;
  if (documented) {
    is = solve_documented<Scalar>(rows, method == SolverMethod::documented_jacobi, tolerance, solver.itmax, p, v);
  } else if (method == SolverMethod::nlgs) {
    for (std::size_t k = 0; k < rows.size(); ++k) push<Scalar>(rows[k], p[k], v);
    is = solve_nlgs<Scalar>(rows, tolerance, solver.itmax, p, v);
  } else {
    std::vector<Scalar> inverse_mass;
    for (auto const& disc : system.discs) inverse_mass.push_back(one / disc.mass);
    is = solve_gradient<Scalar>(rows, inverse_mass, method, tolerance, solver.itmax, p, v);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) contacts[k].impulse = p[k];
  return is;
}

/// Returns the velocities after gravity has acted for one step, without contacts.
template <turning_scalar Scalar>
std::vector<Vector2<Scalar>> kicked(NonsmoothSystem<Scalar> const& system, NonsmoothState<Scalar> const& state) {
  std::vector<Vector2<Scalar>> v = velocities_of<Scalar>(state);
  Scalar const x = system.dt * system.gravity[0], y = system.dt * system.gravity[1];
  for (auto& each : v) each = Vector2<Scalar>(each[0] + x, each[1] + y);
  return v;
}

/// Returns a `Trouble` for a number that is not finite. An empty name means all discs.
inline Trouble not_finite_trouble(std::string const& name, std::string const& what) {
  return {(name.empty() ? "all discs" : name) + ": " + what + ", expected a finite number", true};
}

/// Sets `trouble` if a number of a disc or a sum over all discs is not finite.
template <turning_scalar Scalar>
void check_finite(Nonsmooth<Scalar>& simulated) {
  auto const& state = simulated.state;
  for (std::size_t k = 0; k < state.discs.size(); ++k)
    if (auto const what = not_finite_in(state.discs[k]))
      simulated.trouble = not_finite_trouble(simulated.system.discs[k].name, *what);
  auto const what = not_finite_in(state);
  if (what && !simulated.trouble) simulated.trouble = not_finite_trouble("", *what);
}

/// The step of the reference implementation: a `StepDiscs`.
template <turning_scalar Scalar>
Solved<Scalar> step_discs(NonsmoothSystem<Scalar> const& system, std::vector<std::uint64_t> const& segments,
                          Scalar const& tolerance, NonsmoothState<Scalar>& state, std::optional<Trouble>& trouble) {
  auto v = kicked<Scalar>(system, state);
  auto contacts = potential_contacts<Scalar>(system, state.discs, segments, trouble);
  if (trouble) return {};
  inherit(state.contacts, contacts);
  Solved<Scalar> const solved = solve<Scalar>(system, tolerance, contacts, v);
  if (!solved.ended) {
    for (std::size_t k = 0; k < v.size() && !trouble; ++k)
      if (auto const what = not_finite_in(DiscState<Scalar>{state.discs[k].position, v[k]}))
        trouble = not_finite_trouble(system.discs[k].name, *what);
    return solved;
  }
  state.contacts = std::move(contacts);
  for (std::size_t k = 0; k < v.size(); ++k) {
    auto& disc = state.discs[k];
    disc.velocity = v[k];
    disc.position = Vector2<Scalar>(disc.position[0] + system.dt * v[k][0], disc.position[1] + system.dt * v[k][1]);
  }
  return solved;
}

template <turning_scalar Scalar>
std::string in_words(Scalar const& x) {
  return shortest(static_cast<double>(x));
}

/// Sets `trouble` if a disc with its given velocity would move further in a step than the alert distance.
template <turning_scalar Scalar>
void check_alert(Nonsmooth<Scalar>& simulated, std::vector<Vector2<Scalar>> const& velocities) {
  auto const& system = simulated.system;
  Scalar const squared = system.alert * system.alert, time = system.dt * system.dt;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    auto const& v = velocities[k];
    if ((v[0] * v[0] + v[1] * v[1]) * time <= squared) continue;
    simulated.trouble = Trouble{"solver.alert: got " + in_words<Scalar>(system.alert) +
                                " m, expected at least the motion of " + system.discs[k].name + " in a step, " +
                                in_words<Scalar>(Scalar(length2<Scalar>(v) * system.dt)) + " m"};
    return;
  }
}

/// Sets `trouble` if the centre of a disc is outside the bounding box.
template <turning_scalar Scalar>
void check_box(Nonsmooth<Scalar>& simulated) {
  auto const& system = simulated.system;
  if (!system.bounded) return;
  for (std::size_t k = 0; k < simulated.state.discs.size(); ++k) {
    auto const& x = simulated.state.discs[k].position;
    if (system.low[0] <= x[0] && x[0] <= system.high[0] && system.low[1] <= x[1] && x[1] <= system.high[1]) continue;
    simulated.trouble =
        Trouble{system.discs[k].name + " has left the bounding box of the boundary at (" + in_words<Scalar>(x[0]) +
                ", " + in_words<Scalar>(x[1]) + ") m: the boundary may be open"};
    return;
  }
}

/// Does one step. Does nothing if the simulation has had trouble. If trouble occurs before the end of the step, the
/// step stops there.
template <turning_scalar Scalar>
void advance(Nonsmooth<Scalar>& simulated) {
  if (simulated.trouble) return;
  auto const& system = simulated.system;
  auto& state = simulated.state;
  auto const stop = [&] {
    if (simulated.trouble)
      simulated.trouble->text = "step " + std::to_string(state.step + 1) + ": " + simulated.trouble->text;
    return simulated.trouble.has_value();
  };
  Scalar const before = kinetic_energy<Scalar>(system, velocities_of<Scalar>(state));
  auto const free = kicked<Scalar>(system, state);
  Scalar const with_gravity = kinetic_energy<Scalar>(system, free);
  check_alert<Scalar>(simulated, free);
  if (stop()) return;
  Solved<Scalar> const solved = simulated.step_discs(
      system, segments_at(system, state.step), tolerance_at<Scalar>(system, state.step), state, simulated.trouble);
  if (!simulated.trouble && !solved.ended)
    simulated.trouble = Trouble{"no convergence to the tolerance after " + std::to_string(solved.sweeps) +
                                " sweeps, expected an itmax"};
  if (stop()) return;
  Scalar const after = kinetic_energy<Scalar>(system, velocities_of<Scalar>(state));
  state.gravity_work = state.gravity_work + (with_gravity - before);
  state.dissipated = state.dissipated + (with_gravity - after);
  if (state.kinetic_max < after) state.kinetic_max = after;
  state.sweeps = solved.sweeps;
  state.all_sweeps += solved.sweeps;
  state.capped += solved.capped ? 1 : 0;
  state.residual = solved.residual / system.scale;
  if (state.residual_max < state.residual) state.residual_max = state.residual;
  for (auto const& contact : state.contacts)
    if (contact.partner != Partner::disc)
      state.wall_impulse = Vector2<Scalar>(state.wall_impulse[0] - contact.impulse * contact.normal[0],
                                           state.wall_impulse[1] - contact.impulse * contact.normal[1]);
  check_finite<Scalar>(simulated);
  if (!simulated.trouble) check_box<Scalar>(simulated);
  stop();
  ++state.step;
}

template <turning_scalar Scalar>
NonsmoothObservables<Scalar> observables_of(Nonsmooth<Scalar> const& simulated) {
  auto const& system = simulated.system;
  auto const& state = simulated.state;
  Scalar const zero(0);
  NonsmoothObservables<Scalar> all;
  all.time = Scalar(state.step) * system.dt;
  all.dt = system.dt;
  all.kinetic = kinetic_energy<Scalar>(system, velocities_of<Scalar>(state));
  all.potential = all.passed = all.area_passed = zero;
  Scalar mass = zero;
  auto const& line = system.orifice;
  for (std::size_t k = 0; k < state.discs.size(); ++k) {
    auto const& x = state.discs[k].position;
    auto const& disc = system.discs[k];
    mass = mass + disc.mass;
    all.potential = all.potential - disc.mass * (system.gravity[0] * x[0] + system.gravity[1] * x[1]);
    Scalar const beyond = (x[0] - line.position[0]) * line.direction[0] + (x[1] - line.position[1]) * line.direction[1];
    if (!(zero < beyond)) continue;
    all.passed = all.passed + Scalar(1);
    all.area_passed = all.area_passed + pi<Scalar>() * disc.radius * disc.radius;
  }
  all.energy = all.kinetic + all.potential;
  all.gravity_work = state.gravity_work;
  all.dissipated = state.dissipated;
  all.missing = all.kinetic - state.kinetic_0 - (state.gravity_work - state.dissipated);
  all.kinetic_max = state.kinetic_max;
  all.momentum = momentum_of<Scalar>(system, state);
  all.wall_impulse = state.wall_impulse;
  for (Index k = 0; k < 2; ++k)
    all.missing_momentum[k] =
        all.momentum[k] - state.momentum_0[k] - mass * system.gravity[k] * all.time + state.wall_impulse[k];
  all.contacts = Scalar(state.contacts.size());
  all.overlap = greatest_overlap<Scalar>(simulated);
  all.sweeps = Scalar(state.sweeps);
  all.all_sweeps = Scalar(state.all_sweeps);
  all.residual = state.residual;
  all.residual_max = state.residual_max;
  all.capped = Scalar(state.capped);
  return all;
}

/// Returns the snapshot. Its bodies and its shapes have the same order: discs, then polylines.
template <turning_scalar Scalar>
Snapshot<Scalar> snapshot(Nonsmooth<Scalar> const& simulated) {
  auto const& system = simulated.system;
  auto const& state = simulated.state;
  Scalar const zero(0), two(2);
  Vector3<Scalar> const none = zero3<Scalar>();
  Snapshot<Scalar> shown{};
  shown.step = state.step;
  shown.nonsmooth = observables_of<Scalar>(simulated);
  shown.all.time = shown.nonsmooth->time;
  shown.all.dt = shown.nonsmooth->dt;
  shown.all.momentum = shown.all.angular_momentum = none;
  Quaternion<Scalar> const upright(Scalar(1), zero, zero, zero);
  BodyObservables<Scalar> const still{none, upright, none, none, none, none, none, none, zero, zero, zero, zero};
  for (std::size_t k = 0; k < state.discs.size(); ++k) {
    auto const& disc = system.discs[k];
    BodyObservables<Scalar> body = still;
    body.position = {state.discs[k].position[0], state.discs[k].position[1], zero};
    body.velocity = {state.discs[k].velocity[0], state.discs[k].velocity[1], zero};
    body.spin[2] = disc.spin;
    if (disc.spin < zero || zero < disc.spin) {
      Half<Scalar> const half = half_turn<Scalar>(Scalar(shown.all.time * disc.spin / two));
      body.orientation = {half.cosine, zero, zero, half.sine};
    }
    shown.bodies.push_back(body);
  }
  shown.bodies.resize(system.discs.size() + system.polylines.size(), still);
  shown.shapes.resize(shown.bodies.size(), {none});
  for (auto const& contact : state.contacts) {
    std::uint64_t const disc = contact.disc;
    bool const pair = contact.partner == Partner::disc;
    std::uint64_t other = contact.other;
    if (contact.partner == Partner::segment) other = system.discs.size() + system.segments[contact.other].polyline;
    if (contact.partner == Partner::vertex)
      for (auto const& segment : system.segments)
        if (segment.from == contact.other || segment.to == contact.other) {
          other = system.discs.size() + segment.polyline;
          break;
        }
    Vector3<Scalar> const normal(contact.normal[0], contact.normal[1], zero);
    // The force acts on the first shape of the contact, `other`. For two discs, the point is on the surface of `other`.
    // For the boundary, the point is on the boundary.
    Vector3<Scalar> const force = Scalar(-contact.impulse / system.dt) * normal;
    std::uint64_t const at = pair ? contact.other : disc;
    Scalar const reach = pair ? system.discs[at].radius : Scalar(-(system.discs[at].radius + contact.gap));
    Vector3<Scalar> const point(Vector3<Scalar>(state.discs[at].position[0] - system.dt * state.discs[at].velocity[0],
                                                state.discs[at].position[1] - system.dt * state.discs[at].velocity[1],
                                                zero) +
                                reach * normal);
    shown.contacts.push_back(
        {other, disc, contact.gap, normal, point, none, force, zero, zero, contact_force::Status::slide});
    shown.bodies[other].force = shown.bodies[other].force + force;
    shown.bodies[disc].force = shown.bodies[disc].force - force;
  }
  for (std::size_t k = 0; k < shown.bodies.size(); ++k) shown.shapes[k].force = shown.bodies[k].force;
  return shown;
}

/// Creates the system and the initial state. If the scene is unfit, returns the reason.
template <turning_scalar Scalar>
std::optional<Unfit> begin(Nonsmooth<Scalar>& simulated, Scene<Number> const& written, unsigned refinement) {
  auto const laid = lay_out(written);
  Layout<Scalar> const layout = cast<Layout<Scalar>>(laid.layout);
  auto& system = simulated.system;
  auto& state = simulated.state;
  Scalar const zero(0), one(1), two(2);
  auto const settings = cast<Settings<Scalar>>(written.scene);
  system.solver = cast<Solver<Scalar>>(written.solver);
  system.orifice = cast<Orifice<Scalar>>(written.orifice);
  system.alert = *system.solver.alert;
  system.gravity = {settings.gravity[0], settings.gravity[1]};
  system.dt = *settings.dt.dt;
  for (unsigned k = 0; k < refinement; ++k) system.dt = system.dt / two;
  Scalar const pull = length2<Scalar>(system.gravity);
  system.scale = zero < pull ? Scalar(pull * system.dt) : one;
  system.polylines = laid.polylines;
  system.vertices = layout.vertices;
  system.segments = layout.segments;
  // Computes the steps of the changes from doubles, so that they are the same in every arithmetic.
  double const dt = std::ldexp(written.scene.dt.dt->value, -static_cast<int>(refinement));
  for (std::size_t k = 0; k < layout.changes.size(); ++k) {
    auto const& change = layout.changes[k];
    double const step = std::min(1e18, std::max(0.0, std::nearbyint(laid.layout.changes[k].at.value / dt)));
    system.changes.push_back({static_cast<std::uint64_t>(step), change.polyline, change.tolerance});
  }
  state.step = state.sweeps = state.all_sweeps = state.capped = 0;
  for (std::size_t k = 0; k < layout.discs.size(); ++k) {
    auto const& disc = layout.discs[k];
    Scalar const mass = disc.mass ? *disc.mass : Scalar(*disc.density * pi<Scalar>() * disc.radius * disc.radius);
    system.discs.push_back({laid.discs[k], disc.radius, mass, disc.spin});
    state.discs.push_back({disc.position, disc.velocity});
  }
  system.bounded = !system.vertices.empty();
  if (system.bounded) system.low = system.high = system.vertices.front();
  auto const include = [&](Vector2<Scalar> const& x, Scalar const& reach) {
    for (Index k = 0; k < 2; ++k) {
      if (x[k] - reach < system.low[k]) system.low[k] = x[k] - reach;
      if (system.high[k] < x[k] + reach) system.high[k] = x[k] + reach;
    }
  };
  for (auto const& vertex : system.vertices) include(vertex, zero);
  if (system.bounded)
    for (std::size_t k = 0; k < state.discs.size(); ++k) include(state.discs[k].position, system.discs[k].radius);
  state.kinetic_0 = state.kinetic_max = kinetic_energy<Scalar>(system, velocities_of<Scalar>(state));
  state.gravity_work = state.dissipated = state.residual = state.residual_max = zero;
  state.momentum_0 = momentum_of<Scalar>(system, state);
  state.wall_impulse = zero2<Scalar>();
  Scalar fastest = zero;
  for (auto const& disc : state.discs) {
    Vector2<Scalar> const v(disc.velocity[0] + system.dt * system.gravity[0],
                            disc.velocity[1] + system.dt * system.gravity[1]);
    Scalar const speed = length2<Scalar>(v);
    if (fastest < speed) fastest = speed;
  }
  if (system.alert < fastest * system.dt)
    return Unfit{"solver.alert", "at least the greatest speed of the first step times dt, " +
                                     in_words<Scalar>(Scalar(fastest * system.dt)) + " m"};
  return std::nullopt;
}

}  // namespace demeter::simulator::reference
