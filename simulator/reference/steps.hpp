// A step of smooth dynamics. Forces at step n change the velocities from n - 1/2 to n + 1/2 (kick). These velocities
// move the bodies to n + 1 (drift). The energy ledger records the work of every kick, exact up to rounding. Source:
// docs/mathematics/simulator.md#step.
#pragma once

#include "simulator/reference/contacts.hpp"

namespace demeter::simulator::reference {

/// Returns the angular velocity of a body with the angular momentum L.
template <turning_scalar Scalar>
Vector3<Scalar> spin_of(Rigid<Scalar> const& rigid, Matrix3<Scalar> const& frame, Vector3<Scalar> const& L) {
  if (rigid.spherical) return L / rigid.moments[0];
  return spin_of<Scalar>(frame, rigid.moments, L);
}

/// Return the rotational energy L.w / 2 of a body, and the kinetic energy of all bodies that move.
template <turning_scalar Scalar>
Scalar rotational_energy(Rigid<Scalar> const& rigid, Matrix3<Scalar> const& frame, BodyState<Scalar> const& body) {
  Vector3<Scalar> const w = spin_of<Scalar>(rigid, frame, body.angular_momentum);
  return Scalar(body.angular_momentum.dot(w)) / Scalar(2);
}
template <turning_scalar Scalar>
Scalar kinetic_energy(Simulated<Scalar> const& simulated, std::vector<BodyState<Scalar>> const& bodies) {
  auto const& system = simulated.system;
  Scalar sum(0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (!system.bodies[b].fixed)
      sum = sum + system.bodies[b].mass * Scalar(bodies[b].velocity.dot(bodies[b].velocity)) / Scalar(2) +
            rotational_energy<Scalar>(system.bodies[b], simulated.frames[b], bodies[b]);
  return sum;
}

/// The forces and torques on a body, separated as in the energy ledger.
template <class Scalar>
struct Action {
  Vector3<Scalar> force, torque;  ///< sum of all forces and torques, after damping and blocking
  Vector3<Scalar> gravity, damping, blocked;
  Vector3<Scalar> damping_torque, applied_torque, blocked_torque;
};

/// Returns the forces on a body with Cundall's damping. Along each global axis i, the force is multiplied by 1 - lambda
/// sgn(F_i (v_i + dt a_i / 2)). This makes a force that does positive work smaller and a force that does negative work
/// larger. Torques are damped in the same way, with the spin as velocity. If the moments of the body are not all equal,
/// the term with the acceleration is left out.
template <turning_scalar Scalar>
Action<Scalar> action_on(Simulated<Scalar> const& simulated, std::size_t index) {
  auto const& rigid = simulated.system.bodies[index];
  auto const& body = simulated.state.bodies[index];
  Scalar const zero(0), two(2), half_step = simulated.state.dt / two, lambda = simulated.system.model.damping;
  Action<Scalar> on;
  on.damping = on.blocked = on.damping_torque = on.applied_torque = on.blocked_torque = zero3<Scalar>();
  on.gravity = rigid.mass * simulated.system.settings.gravity;
  on.force = body.normal_force + body.tangential_force + on.gravity;
  on.torque = body.normal_torque + body.tangential_torque;
  if (rigid.torqued) {
    on.applied_torque = simulated.frames[index] * rigid.torque;
    on.torque = on.torque + on.applied_torque;
  }
  if (zero < lambda) {
    auto const share = [&](Scalar const& power) {
      return zero < power ? Scalar(-lambda) : power < zero ? lambda : zero;
    };
    for (Index k = 0; k < 3; ++k) {
      Scalar const v = body.velocity[k] + half_step * on.force[k] / rigid.mass;
      on.damping[k] = share(Scalar(on.force[k] * v)) * on.force[k];
      Scalar const w =
          rigid.spherical ? Scalar(body.spin[k] + half_step * on.torque[k] / rigid.moments[k]) : body.spin[k];
      on.damping_torque[k] = share(Scalar(on.torque[k] * w)) * on.torque[k];
    }
    on.force = on.force + on.damping;
    on.torque = on.torque + on.damping_torque;
  }
  if (rigid.any_blocked)
    for (Index k = 0; k < 3; ++k) {
      if (rigid.blocked[static_cast<std::size_t>(k)]) {
        on.blocked[k] = -on.force[k];
        on.force[k] = zero;
      }
      if (rigid.blocked[static_cast<std::size_t>(k + 3)]) {
        on.blocked_torque[k] = -on.torque[k];
        on.torque[k] = zero;
      }
    }
  return on;
}

/// Returns the angular momentum after a torque has acted for `time`. With the rotation `delvalle`, the momentum also
/// rotates with the body.
template <turning_scalar Scalar>
Vector3<Scalar> kicked_momentum(Rotation rotation, Rigid<Scalar> const& rigid, Matrix3<Scalar> const& frame,
                                Vector3<Scalar> const& torque, Scalar const& time, Vector3<Scalar> const& L) {
  if (rotation == Rotation::delvalle && !rigid.spherical)
    return kick_delvalle<Scalar>(frame, rigid.moments, torque, time, L);
  return L + time * torque;
}

/// Changes the velocity and the angular momentum of a body by forces that act for `time`. Adds the work of each force
/// to the ledger. Returns the kinetic energy after the change.
template <turning_scalar Scalar>
Scalar kick_body(Rigid<Scalar> const& rigid, Rotation rotation, Matrix3<Scalar> const& frame, Action<Scalar> const& on,
                 Scalar const& time, BodyState<Scalar>& body, Ledger<Scalar>& ledger) {
  Scalar const two(2);
  Vector3<Scalar> const v = body.velocity, L = body.angular_momentum, w = spin_of<Scalar>(rigid, frame, L);
  body.velocity = v + Scalar(time / rigid.mass) * on.force;
  body.angular_momentum = kicked_momentum<Scalar>(rotation, rigid, frame, on.torque, time, body.angular_momentum);
  Scalar const half = time / two;
  Vector3<Scalar> const after = spin_of<Scalar>(rigid, frame, body.angular_momentum);
  Vector3<Scalar> const moved = half * Vector3<Scalar>(v + body.velocity), turned = half * Vector3<Scalar>(w + after);
  ledger.gravity = ledger.gravity + Scalar(on.gravity.dot(moved));
  ledger.normal = ledger.normal + Scalar(body.normal_force.dot(moved)) + Scalar(body.normal_torque.dot(turned));
  ledger.tangential =
      ledger.tangential + Scalar(body.tangential_force.dot(moved)) + Scalar(body.tangential_torque.dot(turned));
  ledger.damping = ledger.damping + Scalar(on.damping.dot(moved)) + Scalar(on.damping_torque.dot(turned));
  ledger.applied = ledger.applied + Scalar(on.applied_torque.dot(turned));
  ledger.blocked = ledger.blocked + Scalar(on.blocked.dot(moved)) + Scalar(on.blocked_torque.dot(turned));
  // In a kick of `delvalle`, the energy may change by more than the work of the torque. The ledger records the
  // difference as an error of the rotation.
  if (rotation == Rotation::delvalle && !rigid.spherical)
    ledger.rotation = ledger.rotation + (Scalar(body.angular_momentum.dot(after)) - Scalar(L.dot(w))) / two -
                      Scalar(on.torque.dot(turned));
  return (rigid.mass * Scalar(body.velocity.dot(body.velocity)) + Scalar(body.angular_momentum.dot(after))) / two;
}

/// Moves and rotates a body by one step. `body.spin` becomes the spin in the middle of the step, and `frame` the
/// rotation matrix at its end. `L_now` is the angular momentum at the start of the step.
template <turning_scalar Scalar>
void drift_body(Rigid<Scalar> const& rigid, Rotation rotation, Vector3<Scalar> const& L_now, Scalar const& dt,
                BodyState<Scalar>& body, Matrix3<Scalar>& frame, Ledger<Scalar>& ledger) {
  body.position = body.position + dt * body.velocity;
  auto const& [q, L, moments] = std::tie(body.orientation, body.angular_momentum, rigid.moments);
  if (rigid.spherical) {
    Rotated<Scalar> const is = rotate_sphere<Scalar>(q, Vector3<Scalar>(L / moments[0]), dt);
    body.orientation = is.orientation;
    body.spin = is.spin;
    frame = rotation_matrix<Scalar>(body.orientation);
    return;
  }
  Scalar const before = rotational_energy<Scalar>(rigid, frame, body);
  Rotated<Scalar> const is = rotation == Rotation::dlm        ? rotate_dlm<Scalar>(q, frame, moments, L, dt)
                             : rotation == Rotation::midpoint ? rotate_midpoint<Scalar>(q, moments, L, dt)
                             : rotation == Rotation::fincham  ? rotate_fincham<Scalar>(q, moments, L, dt)
                             : rotation == Rotation::delvalle
                                 ? rotate_delvalle<Scalar>(q, frame, moments, dt, body.angular_momentum)
                                 : rotate_woo<Scalar>(q, moments, L_now, L, dt);
  body.orientation = is.orientation;
  body.spin = is.spin;
  frame = rotation_matrix<Scalar>(body.orientation);
  ledger.rotation = ledger.rotation + (rotational_energy<Scalar>(rigid, frame, body) - before);
}

/// Kicks and drifts all bodies that are not fixed.
template <turning_scalar Scalar>
void kick_and_drift(Simulated<Scalar>& simulated) {
  auto& state = simulated.state;
  Scalar const half_step = state.dt / Scalar(2);
  Scalar kinetic(0);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    auto const& rigid = simulated.system.bodies[b];
    if (rigid.fixed) continue;
    auto& body = state.bodies[b];
    Action<Scalar> const on = action_on<Scalar>(simulated, b);
    Vector3<Scalar> const L_now = body.angular_momentum + half_step * on.torque;
    kinetic = kinetic + kick_body<Scalar>(rigid, simulated.system.model.rotation, simulated.frames[b], on, state.dt,
                                          body, state.ledger);
    drift_body<Scalar>(rigid, simulated.system.model.rotation, L_now, state.dt, body, simulated.frames[b],
                       state.ledger);
  }
  if (state.kinetic_max < kinetic) state.kinetic_max = kinetic;
}

/// The bodies and the ledger at the time of the forces. The velocities are half a step later than those of the state.
template <class Scalar>
struct Now {
  std::vector<BodyState<Scalar>> bodies;
  Ledger<Scalar> ledger;
};
template <turning_scalar Scalar>
Now<Scalar> now(Simulated<Scalar> const& simulated) {
  auto const& state = simulated.state;
  Now<Scalar> is{state.bodies, state.ledger};
  Scalar const half_step = state.dt / Scalar(2);
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    if (!simulated.system.bodies[b].fixed)
      kick_body<Scalar>(simulated.system.bodies[b], simulated.system.model.rotation, simulated.frames[b],
                        action_on<Scalar>(simulated, b), half_step, is.bodies[b], is.ledger);
  return is;
}

template <turning_scalar Scalar>
Scalar potential_energy(System<Scalar> const& system, std::vector<BodyState<Scalar>> const& bodies) {
  Scalar sum(0);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (!system.bodies[b].fixed)
      sum = sum - system.bodies[b].mass * Scalar(system.settings.gravity.dot(bodies[b].position));
  return sum;
}

template <turning_scalar Scalar>
Scalar stored_energy(State<Scalar> const& state) {
  Scalar sum(0);
  for (auto const& contact : state.contacts) sum = sum + contact.stored;
  return sum;
}

template <turning_scalar Scalar>
Scalar time_of(State<Scalar> const& state) {
  return state.time_base + Scalar(state.step - state.step_base) * state.dt;
}

/// The sum of the contact stiffnesses of a body along and about the global axes.
template <class Scalar>
struct Stiff {
  Vector3<Scalar> translation, rotation;
};

/// Returns the stability bound sqrt(2 min(m / K, I / K_r)) over all bodies and global axes. K and K_r are the
/// stiffnesses of the contacts of a body along and about an axis. I is the smallest moment of the body. Returns nothing
/// if no body has a contact.
template <turning_scalar Scalar>
std::optional<Scalar> critical_step(Simulated<Scalar> const& simulated) {
  using std::sqrt;
  auto const& system = simulated.system;
  Scalar const zero(0), one(1), two(2);
  std::vector<Stiff<Scalar>> of(system.bodies.size(), {zero3<Scalar>(), zero3<Scalar>()});
  for (auto const& contact : simulated.state.contacts) {
    auto const &shape1 = system.shapes[contact.shape1], &shape2 = system.shapes[contact.shape2];
    Pair<Scalar> const& pair = system.pair(shape1.material, shape2.material);
    Scalar kn = contact.normal_stiffness, kt = pair.kt_over_kn * kn;
    if (system.model.law == ForceLaw::hertz) {
      // The slope of the Hertz force: 3/2 of the ratio of force to overlap.
      Scalar const R = effective_radius<Scalar>(shape1, shape2);
      Scalar const stiffer = sqrt(Scalar(-contact.uN / R));
      kt = zero < pair.kn_hertz ? Scalar(kt * stiffer) : Scalar(Scalar(8) * pair.shear * R * stiffer);
      kn = Scalar(3) / two * kn * stiffer;
    }
    for (std::size_t const shape : {contact.shape1, contact.shape2}) {
      std::size_t const b = system.shapes[shape].body;
      if (system.bodies[b].fixed) continue;
      Vector3<Scalar> const arm = contact.point - simulated.state.bodies[b].position;
      Scalar const square = arm.dot(arm);
      for (Index k = 0; k < 3; ++k) {
        Scalar const along = contact.normal[k] * contact.normal[k];
        of[b].translation[k] = of[b].translation[k] + (along * (kn - kt) + kt);
        of[b].rotation[k] = of[b].rotation[k] + square * kt * (one - along);
      }
    }
  }
  std::optional<Scalar> least;
  auto const consider = [&](Scalar const& inertia, Scalar const& stiffness) {
    if (!(zero < stiffness)) return;
    Scalar const square = two * inertia / stiffness;
    if (!least || square < *least) least = square;
  };
  for (std::size_t b = 0; b < of.size(); ++b)
    for (Index k = 0; k < 3; ++k) {
      if (system.bodies[b].fixed) continue;
      auto const& moments = system.bodies[b].moments;
      Scalar smallest = moments[0] < moments[1] ? moments[0] : moments[1];
      if (moments[2] < smallest) smallest = moments[2];
      consider(system.bodies[b].mass, of[b].translation[k]);
      consider(smallest, of[b].rotation[k]);
    }
  if (least) *least = Scalar(sqrt(*least));
  return least;
}

/// Returns the step by a rule, or nothing if no body has the values that the rule needs. Rule p-wave: the smallest r /
/// sqrt(E / rho). Rule stiffness: the smallest sqrt(2 m / K), where K is the stiffness of a contact of two equal
/// particles.
template <turning_scalar Scalar>
std::optional<Scalar> step_of_rule(System<Scalar> const& system, StepRule rule) {
  using std::sqrt;
  Scalar const zero(0), two(2);
  std::optional<Scalar> least;
  for (auto const& shape : system.shapes) {
    if (shape.wall || system.bodies[shape.body].fixed) continue;
    Scalar const &young = system.young[shape.material], &density = system.density[shape.material];
    Scalar square;
    if (rule == StepRule::stiffness) {
      Scalar K = system.pair(shape.material, shape.material).kn;
      if (!is_from_kn(system.model.stiffness)) K = young * pi<Scalar>() * shape.radius / two;
      if (system.model.stiffness == Stiffness::yade) K = young * shape.radius;
      if (!(zero < K)) continue;
      square = two * system.bodies[shape.body].mass / K;
    } else {
      if (!(zero < young) || !(zero < density)) continue;
      square = shape.radius * shape.radius * density / young;
    }
    if (!least || square < *least) least = square;
  }
  if (least) *least = Scalar(sqrt(*least));
  return least;
}

/// Returns the first step of a scene, divided by 2^refinement. Returns nothing if the scene does not give a step and
/// the rule of the scene does not find one.
template <turning_scalar Scalar>
std::optional<Scalar> first_step(System<Scalar> const& system, unsigned refinement) {
  auto const& dt = system.settings.dt;
  std::optional<Scalar> step = dt.dt;
  if (!step) {
    step = step_of_rule<Scalar>(system, dt.rule == StepRule::stiffness ? StepRule::stiffness : StepRule::p_wave);
    if (step) *step = *step * dt.safety;
  }
  for (unsigned k = 0; step && k < refinement; ++k) *step = *step / Scalar(2);
  return step;
}

/// Changes dt by the rule woo: every `period` steps, after the forces and before the kick. The new dt is at most the
/// critical step times the safety factor, and at most the old dt times 1.0001^period.
template <turning_scalar Scalar>
void change_step(Simulated<Scalar>& simulated) {
  auto& state = simulated.state;
  auto const& rule = simulated.system.settings.dt;
  if (rule.rule != StepRule::woo || state.step == 0 || state.step % rule.period != 0) return;
  Scalar const growth = Scalar(10001) / Scalar(10000);
  Scalar dt = state.dt;
  for (std::uint64_t k = 0; k < rule.period; ++k) dt = dt * growth;
  if (auto const critical = critical_step<Scalar>(simulated)) {
    Scalar const most = rule.safety * *critical;
    if (most < dt) dt = most;
  }
  state.time_base = time_of<Scalar>(state);
  state.step_base = state.step;
  state.dt = dt;
}

/// Sets the state at step 0. Computes the forces with the velocities of the scene. If `start` is half_step, then moves
/// the velocities back by half a step.
template <turning_scalar Scalar>
void begin(Simulated<Scalar>& simulated, std::vector<Beginning<Scalar>> const& beginnings, Scalar const& dt) {
  auto& state = simulated.state;
  Scalar const zero(0), half_step = dt / Scalar(2);
  state = {};
  state.dt = dt;
  state.time_base = state.kinetic_0 = state.energy_0 = state.kinetic_max = zero;
  state.ledger = {zero, zero, zero, zero, zero, zero, zero, zero};
  for (std::size_t b = 0; b < beginnings.size(); ++b) {
    auto const& at = beginnings[b];
    auto const& rigid = simulated.system.bodies[b];
    Matrix3<Scalar> const R = rotation_matrix<Scalar>(at.orientation);
    Vector3<Scalar> momentum = R.transpose() * at.spin;
    for (Index k = 0; k < 3; ++k) momentum[k] = momentum[k] * rigid.moments[k];
    Vector3<Scalar> const none = zero3<Scalar>();
    state.bodies.push_back({at.position, at.orientation, at.velocity, R * momentum, at.spin, none, none, none, none,
                            none, zero, zero, zero, zero, 0});
  }
  find_frames<Scalar>(simulated);
  simulated.at_start = true;
  find_forces<Scalar>(simulated);
  simulated.at_start = false;
  for (auto& body : state.bodies) {
    // No step has been done yet.
    body.contact_time = body.slide_time = zero;
    body.stuck = 0;
  }
  if (simulated.system.settings.start == Start::half_step)
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      auto const& rigid = simulated.system.bodies[b];
      if (rigid.fixed) continue;
      Action<Scalar> const on = action_on<Scalar>(simulated, b);
      state.bodies[b].velocity = state.bodies[b].velocity - Scalar(half_step / rigid.mass) * on.force;
      state.bodies[b].angular_momentum =
          kicked_momentum<Scalar>(simulated.system.model.rotation, rigid, simulated.frames[b], on.torque,
                                  Scalar(-half_step), state.bodies[b].angular_momentum);
    }
  // The ledger counts work from the time 0. Subtracts the work before this time.
  state.ledger = {zero, zero, zero, zero, zero, zero, zero, zero};
  Now<Scalar> const is = now<Scalar>(simulated);
  Ledger<Scalar> const& first = is.ledger;
  state.ledger = {-first.gravity, -first.normal,  -first.tangential, -first.damping,
                  -first.applied, -first.blocked, -first.rotation,   zero};
  state.kinetic_0 = kinetic_energy<Scalar>(simulated, is.bodies);
  state.kinetic_max = state.kinetic_0;
  state.energy_0 =
      state.kinetic_0 + potential_energy<Scalar>(simulated.system, state.bodies) + stored_energy<Scalar>(state);
}

/// Does one step.
template <turning_scalar Scalar>
void advance(Simulated<Scalar>& simulated) {
  change_step<Scalar>(simulated);
  kick_and_drift<Scalar>(simulated);
  ++simulated.state.step;
  find_forces<Scalar>(simulated);
}

template <turning_scalar Scalar>
Snapshot<Scalar> snapshot(Simulated<Scalar> const& simulated) {
  auto const& system = simulated.system;
  auto const& state = simulated.state;
  Scalar const zero(0);
  Now<Scalar> const is = now<Scalar>(simulated);
  Ledger<Scalar> const& ledger = is.ledger;
  Snapshot<Scalar> shown;
  shown.step = state.step;
  shown.contacts = state.contacts;
  auto& all = shown.all;
  all.time = time_of<Scalar>(state);
  all.dt = state.dt;
  all.kinetic = kinetic_energy<Scalar>(simulated, is.bodies);
  all.potential = potential_energy<Scalar>(system, is.bodies);
  all.stored = stored_energy<Scalar>(state);
  all.dissipated = ledger.dissipated;
  all.gravity_work = ledger.gravity;
  all.normal_work = ledger.normal;
  all.tangential_work = ledger.tangential;
  all.damping_work = ledger.damping;
  all.applied_work = ledger.applied;
  all.blocked_work = ledger.blocked;
  all.rotation_drift = ledger.rotation;
  all.missing = all.kinetic - state.kinetic_0 -
                (ledger.gravity + ledger.normal + ledger.tangential + ledger.damping + ledger.applied + ledger.blocked +
                 ledger.rotation);
  all.energy = all.kinetic + all.potential + all.stored;
  all.gained = all.energy - state.energy_0 + ledger.dissipated - (ledger.damping + ledger.applied + ledger.blocked);
  all.kinetic_max = state.kinetic_max < all.kinetic ? all.kinetic : state.kinetic_max;
  all.momentum = all.angular_momentum = zero3<Scalar>();
  for (std::size_t b = 0; b < is.bodies.size(); ++b) {
    auto const& rigid = system.bodies[b];
    auto const& body = is.bodies[b];
    if (!rigid.fixed) {
      Vector3<Scalar> const momentum = rigid.mass * body.velocity;
      all.momentum = all.momentum + momentum;
      all.angular_momentum = all.angular_momentum + body.position.cross(momentum) + body.angular_momentum;
    }
    bool const late = system.settings.shown_velocity == ShownVelocity::half_step;
    shown.bodies.push_back({body.position, body.orientation, late ? state.bodies[b].velocity : body.velocity,
                            rigid.fixed || late ? state.bodies[b].spin
                                                : spin_of<Scalar>(rigid, simulated.frames[b], body.angular_momentum),
                            body.angular_momentum, body.normal_force + body.tangential_force,
                            body.normal_torque + body.tangential_torque, body.force_sum, body.overlap_max,
                            body.force_max, body.contact_time, body.slide_time});
  }
  shown.shapes.resize(system.shapes.size(), {zero3<Scalar>()});
  for (auto const& contact : state.contacts) {
    auto &one = shown.shapes[contact.shape1].force, &two = shown.shapes[contact.shape2].force;
    one = one + contact.force;
    two = two - contact.force;
  }
  all.contacts = Scalar(state.contacts.size());
  all.overlap = zero;
  for (auto const& contact : state.contacts)
    for (std::size_t const shape : {contact.shape1, contact.shape2}) {
      if (system.shapes[shape].wall) continue;
      Scalar const share = -contact.uN / system.shapes[shape].radius;
      if (all.overlap < share) all.overlap = share;
    }
  return shown;
}

}  // namespace demeter::simulator::reference
