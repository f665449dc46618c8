// The contacts of smooth dynamics at a step: geometry at the end of the step, velocities in its middle, forces by the
// force law. Source: docs/mathematics/simulator.md#contacts.
#pragma once

#include "simulator/reference/rotation.hpp"
#include "simulator/reference/system.hpp"

namespace demeter::simulator::reference {

template <class Scalar>
struct Simulated {
  System<Scalar> system;
  State<Scalar> state;
  std::vector<Placed<Scalar>> placed;         ///< the shapes at this step
  std::vector<Matrix3<Scalar>> frames;        ///< rotation matrices of the bodies
  std::vector<ContactState<Scalar>> before;   ///< contacts of the previous step; stored here so that the memory is
                                              ///< reused
  std::vector<Vector3<Scalar>> acceleration;  ///< accelerations of the bodies one step ago, for the extrapolated
                                              ///< velocity
  bool at_start = false;                      ///< true in the first evaluation of the forces
};

/// Computes the rotation matrices of the bodies. Only needed if no drift has computed them, such as after a load.
template <turning_scalar Scalar>
void find_frames(Simulated<Scalar>& simulated) {
  simulated.frames.clear();
  for (auto const& body : simulated.state.bodies) simulated.frames.push_back(rotation_matrix<Scalar>(body.orientation));
}

/// Computes the positions of the shapes and their bounding boxes. The boxes are rounded outward by much more than the
/// rounding error.
template <turning_scalar Scalar>
void place(Simulated<Scalar>& simulated) {
  auto const size = [](Scalar const& x) { return x < Scalar(0) ? Scalar(-x) : x; };
  Scalar const outward(0x1p-40);
  auto const& bodies = simulated.state.bodies;
  auto const& shapes = simulated.system.shapes;
  simulated.placed.resize(shapes.size());
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    auto const& shape = shapes[s];
    auto& is = simulated.placed[s];
    is.centre = bodies[shape.body].position;
    is.half = shape.half;
    if (shape.wall) continue;
    is.centre = is.centre + simulated.frames[shape.body] * shape.centre;
    if (!shape.sphere) is.half = simulated.frames[shape.body] * shape.half;
    for (Index k = 0; k < 3; ++k) {
      Scalar const reach = size(is.half[k]) + shape.radius, margin = outward * (size(is.centre[k]) + reach);
      is.low[k] = is.centre[k] - reach - margin;
      is.high[k] = is.centre[k] + reach + margin;
    }
  }
}

/// Returns whether the bounding boxes of two shapes are disjoint. For a wall, the half-space replaces the box.
template <turning_scalar Scalar>
bool far_apart(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two) {
  auto const &a = simulated.placed[one], &b = simulated.placed[two];
  auto const& wall = simulated.system.shapes[one];
  if (wall.wall) {
    Scalar const& plane = a.centre[wall.axis];
    return wall.sense > 0 ? plane < b.low[wall.axis] : b.high[wall.axis] < plane;
  }
  for (Index k = 0; k < 3; ++k)
    if (a.high[k] < b.low[k] || b.high[k] < a.low[k]) return true;
  return false;
}

template <class Scalar>
struct Touch {
  Scalar uN;
  Vector3<Scalar> normal, point;
};

template <turning_scalar Scalar>
Touch<Scalar> touch(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two) {
  auto const& system = simulated.system;
  auto const &a = simulated.placed[one], &b = simulated.placed[two];
  auto const &shape1 = system.shapes[one], &shape2 = system.shapes[two];
  if (!shape1.wall) {
    auto const out = system.capsule_contact({a.centre, a.half, shape1.radius, b.centre, b.half, shape2.radius});
    return {out.uN, out.normal, out.point};
  }
  Scalar const plane = a.centre[shape1.axis], sense(shape1.sense);
  auto const out =
      system.wall_contact({plane, Scalar(static_cast<int>(shape1.axis)), sense, b.centre, b.half, shape2.radius});
  Vector3<Scalar> point = out.point;
  if (system.model.wall_point == WallPoint::plane) point[shape1.axis] = plane;
  return {out.uN, out.normal, point};
}

/// The motion of a body at a contact: position at the end of the step, velocity and spin in its middle.
template <class Scalar>
struct Moving {
  Vector3<Scalar> position, velocity, spin;
};

/// The relative motion at a contact in the middle of the step: the velocity of body 2 relative to body 1, and the mean
/// spin of both bodies about the normal. Also the points at which the force acts on each body.
template <class Scalar>
struct Relative {
  Vector3<Scalar> velocity;
  Scalar twist;
  Vector3<Scalar> point1, point2;
};

/// Sets the points at which the force acts on the two bodies. Each of these points is the contact point, or a point on
/// the normal through the centre of the body's sphere. The distance of a point on the normal from the centre is the
/// radius (LAMMPS, hooke and hertz), or the radius minus half the overlap (YADE, LIGGGHTS).
template <turning_scalar Scalar>
void place_arms(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two, Touch<Scalar> const& now,
                Relative<Scalar>& is) {
  auto const& model = simulated.system.model;
  Arms arms = model.arms;
  if (arms == Arms::kinematics)
    arms = model.kinematics == Kinematics::lammps ? Arms::radius
           : is_of_spheres(model.kinematics)      ? Arms::middle
                                                  : Arms::contact;
  is.point1 = is.point2 = now.point;
  if (arms == Arms::contact) return;
  auto const &shape1 = simulated.system.shapes[one], &shape2 = simulated.system.shapes[two];
  Scalar const shorter = arms == Arms::middle ? Scalar(-now.uN / Scalar(2)) : Scalar(0);
  is.point2 = simulated.placed[two].centre - Scalar(shape2.radius - shorter) * now.normal;
  if (!shape1.wall) is.point1 = simulated.placed[one].centre + Scalar(shape1.radius - shorter) * now.normal;
}

/// The motions of the two bodies of a contact.
template <class Scalar>
struct MovingPair {
  Moving<Scalar> one, two;
};

/// Returns the velocity of sphere 2 relative to sphere 1, or to a wall, as codes for spheres compute it. Spins
/// contribute with arms along the normal at the end of the step.
template <turning_scalar Scalar>
Vector3<Scalar> velocity_of_spheres(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two,
                                    Touch<Scalar> const& now, MovingPair<Scalar> const& of) {
  auto const& model = simulated.system.model;
  auto const &shape1 = simulated.system.shapes[one], &shape2 = simulated.system.shapes[two];
  auto const centre_velocity = [&](Moving<Scalar> const& body, std::size_t shape) {
    return Vector3<Scalar>(body.velocity +
                           body.spin.cross(Vector3<Scalar>(simulated.placed[shape].centre - body.position)));
  };
  Scalar const r2 = shape2.radius, r1 = shape1.wall ? r2 : shape1.radius, overlap = -now.uN;
  Vector3<Scalar> const n = now.normal, between = centre_velocity(of.two, two) -
                                                  (shape1.wall ? of.one.velocity : centre_velocity(of.one, one));
  bool const middle = model.velocity_arms == VelocityArms::kinematics ? model.kinematics == Kinematics::liggghts
                                                                      : model.velocity_arms == VelocityArms::middle;
  Scalar const shorter = middle ? Scalar(overlap / Scalar(2)) : Scalar(0);
  Vector3<Scalar> const by_spins = of.two.spin.cross(Vector3<Scalar>(Scalar(r2 - shorter) * n)) +
                                   of.one.spin.cross(Vector3<Scalar>(Scalar(r1 - shorter) * n));
  bool const factor = model.ratcheting_factor == Ratcheting::kinematics ? model.kinematics == Kinematics::yade
                                                                        : model.ratcheting_factor == Ratcheting::on;
  if (!factor) return between - by_spins;
  // The factor is the sum of the radii divided by the distance of the centres. Without it, the tangential spring would
  // grow with each cycle of a periodic motion (ratcheting). The velocity along the normal is not multiplied.
  Scalar const stretch = (r1 + r2) / (r1 + r2 - overlap), along = between.dot(n);
  Vector3<Scalar> const stretched = stretch * between;
  return stretched - by_spins - Scalar(Scalar(stretch - Scalar(1)) * along) * n;
}

/// Computes the relative motion at a contact. `mean_point` and `mean_normal` are the contact point and the normal in
/// the middle of the step. The twist is about `twist_axis`.
template <turning_scalar Scalar>
Relative<Scalar> relative_motion(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two,
                                 Touch<Scalar> const& now, Vector3<Scalar> const& mean_point,
                                 Vector3<Scalar> const& twist_axis) {
  auto const& system = simulated.system;
  Scalar const half_step = simulated.state.dt / Scalar(2);
  auto const moving = [&](std::size_t shape) {
    auto const& body = simulated.state.bodies[system.shapes[shape].body];
    return Moving<Scalar>{body.position, body.velocity, body.spin};
  };
  MovingPair<Scalar> of{moving(one), moving(two)};
  Relative<Scalar> is;
  place_arms<Scalar>(simulated, one, two, now, is);
  is.twist = Scalar(twist_axis.dot(Vector3<Scalar>(of.one.spin + of.two.spin))) / Scalar(2);
  if (is_of_spheres(system.model.kinematics)) {
    is.velocity = velocity_of_spheres<Scalar>(simulated, one, two, now, of);
    return is;
  }
  // Woo uses the velocity and the position of the member instead of those of the body. The vector from the body to the
  // member is taken at the end of the step.
  if (system.model.kinematics == Kinematics::woo) {
    auto const as_member = [&](Moving<Scalar>& body, std::size_t shape) {
      if (system.shapes[shape].wall) return;
      Vector3<Scalar> const& centre = simulated.placed[shape].centre;
      body.velocity = body.velocity + body.spin.cross(Vector3<Scalar>(centre - body.position));
      body.position = centre;
    };
    as_member(of.one, one);
    as_member(of.two, two);
  }
  auto const velocity_at = [&](Moving<Scalar> const& body) {
    Vector3<Scalar> const arm = mean_point - (body.position - half_step * body.velocity);
    return Vector3<Scalar>(body.velocity + body.spin.cross(arm));
  };
  is.velocity = velocity_at(of.two) - velocity_at(of.one);
  return is;
}

/// Returns r1 r2/(r1 + r2), or the radius of the particle if the other shape is a wall.
template <turning_scalar Scalar>
Scalar effective_radius(Shape<Scalar> const& shape1, Shape<Scalar> const& shape2) {
  return shape1.wall ? shape2.radius : Scalar(shape1.radius * shape2.radius / (shape1.radius + shape2.radius));
}

/// Returns the normal stiffness of a contact in the laws linear and dashpot.
template <turning_scalar Scalar>
Scalar linear_stiffness(System<Scalar> const& system, Shape<Scalar> const& shape1, Shape<Scalar> const& shape2,
                        Scalar const& mass, Scalar const& uN) {
  using std::exp;
  using std::log;
  using std::sqrt;
  Pair<Scalar> const& pair = system.pair(shape1.material, shape2.material);
  Scalar const one(1), two(2), r2 = shape2.radius, r1 = shape1.wall ? r2 : shape1.radius;
  Scalar const &E1 = system.young[shape1.material], &E2 = system.young[shape2.material];
  switch (system.model.stiffness) {
    case Stiffness::given:
    case Stiffness::series:
      return pair.kn;
    case Stiffness::yade:
      return two * E1 * r1 * E2 * r2 / (E1 * r1 + E2 * r2);
    case Stiffness::liggghts_hooke: {
      // LIGGGHTS manual, gran model hooke: a Hertzian impact with this velocity has the same largest elastic energy.
      Scalar const V = system.model.characteristic_velocity.value_or(one);
      Scalar const base = Scalar(Scalar(sqrt(effective_radius<Scalar>(shape1, shape2))) * pair.young);
      Scalar const ratio = Scalar(15) * mass * V * V / (Scalar(16) * base);
      return Scalar(16) / Scalar(15) * base * Scalar(exp(Scalar(Scalar(log(ratio)) / Scalar(5))));
    }
    case Stiffness::woo:
    case Stiffness::woo_at_creation:
      break;
  }
  Scalar const least = r1 < r2 ? r1 : r2, area = pi<Scalar>() * least * least;
  bool const shortened = system.model.stiffness == Stiffness::woo_at_creation;
  Scalar const half = uN / two;
  Scalar const l1 = shortened ? Scalar(r1 + half) : r1, l2 = shortened ? Scalar(r2 + half) : r2;
  return one / (l1 / (E1 * area) + l2 / (E2 * area));
}

/// Sets the damping coefficients of the force law. The stiffnesses of `in` are set already.
template <turning_scalar Scalar>
void add_damping(System<Scalar> const& system, Pair<Scalar> const& pair, Scalar const& mass,
                 contact_force::Input<Scalar>& in) {
  using std::sqrt;
  Scalar const zero(0), two(2), three(3);
  bool const hertz = in.law == ForceLaw::hertz;
  in.normal_damping = in.tangential_damping = zero;
  if (in.law == ForceLaw::linear) return;
  if (zero < pair.damping_rate)
    in.normal_damping = hertz ? Scalar(mass * pair.damping_rate * in.radius) : Scalar(mass * pair.damping_rate);
  else if (zero < pair.normal_damping)
    in.normal_damping = pair.normal_damping;
  else if (zero < pair.damping)
    in.normal_damping = two * pair.damping * Scalar(sqrt(Scalar(mass * in.normal_stiffness)));
  Scalar ratio = pair.tangential_damping;
  if (system.model.tangential_damping == TangentialDamping::stiffness) {
    // The slope of Hertz's force is 3/2 of the ratio of force to overlap.
    Scalar const slope = hertz ? Scalar(three / two * in.normal_stiffness) : in.normal_stiffness;
    ratio = sqrt(Scalar(in.tangential_stiffness / slope));
  }
  in.tangential_damping = ratio * in.normal_damping;
}

/// Sets the inputs of the force law that do not depend on the motion: stiffnesses, dampings, friction and radius.
template <turning_scalar Scalar>
void describe(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two, Scalar const& uN,
              Scalar const* normal_stiffness_before, contact_force::Input<Scalar>& in) {
  auto const& system = simulated.system;
  auto const &shape1 = system.shapes[one], &shape2 = system.shapes[two];
  auto const &body1 = system.bodies[shape1.body], &body2 = system.bodies[shape2.body];
  Pair<Scalar> const& pair = system.pair(shape1.material, shape2.material);
  Scalar const mass = body1.fixed   ? body2.mass
                      : body2.fixed ? body1.mass
                                    : Scalar(body1.mass * body2.mass / (body1.mass + body2.mass));
  in.law = system.model.law;
  in.tension = system.model.tension;
  in.friction = pair.friction;
  in.radius = effective_radius<Scalar>(shape1, shape2);
  if (in.law != ForceLaw::hertz) {
    in.normal_stiffness = normal_stiffness_before != nullptr
                              ? *normal_stiffness_before
                              : linear_stiffness<Scalar>(system, shape1, shape2, mass, uN);
    in.tangential_stiffness = pair.kt_over_kn * in.normal_stiffness;
  } else if (Scalar(0) < pair.kn_hertz) {
    in.normal_stiffness = pair.kn_hertz * in.radius;
    in.tangential_stiffness = pair.kt_over_kn * in.normal_stiffness;
  } else {
    in.normal_stiffness = Scalar(4) / Scalar(3) * pair.young * in.radius;
    in.tangential_stiffness = Scalar(8) * pair.shear * in.radius;
  }
  add_damping<Scalar>(system, pair, mass, in);
}

/// Adds half a step of acceleration to the normal velocity, because the velocity is known half a step before the force.
/// Uses the accelerations of the previous step.
template <turning_scalar Scalar>
void extrapolate(Simulated<Scalar> const& simulated, std::size_t one, std::size_t two, Vector3<Scalar> const& normal,
                 Vector3<Scalar>& velocity) {
  auto const change = [&](std::size_t shape) {
    return Scalar(simulated.acceleration[simulated.system.shapes[shape].body].dot(normal));
  };
  velocity = velocity + Scalar(simulated.state.dt / Scalar(2) * (change(two) - change(one))) * normal;
}

/// Returns the sum of the squared overlaps of the two ends of a capsule with a wall.
template <turning_scalar Scalar>
Scalar squared_overlaps(Simulated<Scalar> const& simulated, std::size_t wall, std::size_t capsule) {
  auto const& plane = simulated.system.shapes[wall];
  auto const& is = simulated.placed[capsule];
  Scalar const sense(plane.sense), zero(0),
      height = sense * (is.centre[plane.axis] - simulated.placed[wall].centre[plane.axis]),
      rise = sense * is.half[plane.axis], radius = simulated.system.shapes[capsule].radius;
  Scalar sum(0);
  for (Scalar const& end : {Scalar(height - rise), Scalar(height + rise)})
    if (end - radius < zero) sum = sum + (end - radius) * (end - radius);
  return sum;
}

/// Ends a contact: adds the energy that is still stored in its springs to the dissipated energy.
template <turning_scalar Scalar>
void let_go(Simulated<Scalar>& simulated, ContactState<Scalar> const& old) {
  contact_force::Input<Scalar> in;
  describe<Scalar>(simulated, old.shape1, old.shape2, old.uN, &old.normal_stiffness, in);
  in.dt = simulated.state.dt;
  in.uN = Scalar(0);
  in.uN_before = old.uN;
  in.normal = in.normal_before = old.normal;
  in.velocity = zero3<Scalar>();
  in.twist = Scalar(0);
  in.spring = old.spring;
  simulated.state.ledger.dissipated = simulated.state.ledger.dissipated + simulated.system.contact_force(in).dissipated;
}

/// Computes one contact at this step: force, spring and dissipated energy. `old` is the contact one step ago, or null.
template <turning_scalar Scalar>
ContactState<Scalar> contact_at(Simulated<Scalar>& simulated, std::size_t one, std::size_t two,
                                Touch<Scalar> const& now, ContactState<Scalar> const* old) {
  auto const& system = simulated.system;
  Scalar const two_(2);
  // If the normal turns by a right angle or more in one step, the old contact ends and a new contact begins.
  if (old != nullptr && !(Scalar(0) < Scalar(now.normal.dot(old->normal)))) {
    let_go<Scalar>(simulated, *old);
    old = nullptr;
  }
  bool const is_new = old == nullptr;
  contact_force::Input<Scalar> in;
  bool const kept = system.model.stiffness == Stiffness::woo_at_creation && old != nullptr;
  describe<Scalar>(simulated, one, two, now.uN, kept ? &old->normal_stiffness : nullptr, in);
  in.dt = simulated.state.dt;
  in.uN = now.uN;
  in.uN_before = is_new ? Scalar(0) : old->uN;
  in.normal = now.normal;
  in.normal_before = is_new ? now.normal : old->normal;
  Vector3<Scalar> mean_point = now.point, mean_normal = now.normal;
  if (!is_new) {
    mean_point = (now.point + old->point) / two_;
    mean_normal = now.normal + old->normal;
    mean_normal = mean_normal / mean_normal.norm();
  }
  Vector3<Scalar> const& twist_axis = system.twists_about_old_normal && !is_new ? old->normal : mean_normal;
  Relative<Scalar> const moves = relative_motion<Scalar>(simulated, one, two, now, mean_point, twist_axis);
  in.velocity = moves.velocity;
  in.twist = moves.twist;
  in.spring = is_new ? zero3<Scalar>() : old->spring;
  // With the kinematics of demeter and woo, a new contact moves along its normal only: half a step ago there was no
  // contact. Codes for spheres already load the tangential spring in the step in which the contact begins.
  if (is_new && !is_of_spheres(system.model.kinematics)) in.velocity = Scalar(in.velocity.dot(now.normal)) * now.normal;
  if (system.model.velocity == LawVelocity::extrapolated)
    extrapolate<Scalar>(simulated, one, two, mean_normal, in.velocity);
  contact_force::Output<Scalar> const out =
      simulated.at_start ? system.first_contact_force(in) : system.contact_force(in);
  Ledger<Scalar>& ledger = simulated.state.ledger;
  ledger.dissipated = ledger.dissipated + out.dissipated;

  Vector3<Scalar> const normal_force = Scalar(out.force.dot(now.normal)) * now.normal,
                        tangential_force = out.force - normal_force;
  Scalar stored = out.stored;
  if (system.two_springs && system.shapes[one].wall && !system.shapes[two].sphere) {
    Scalar const most = now.uN * now.uN;
    stored = stored + in.normal_stiffness / two_ * (squared_overlaps<Scalar>(simulated, one, two) - most);
  }
  auto const act = [&](std::size_t shape, Vector3<Scalar> const& point, Vector3<Scalar> const& normal,
                       Vector3<Scalar> const& tangential) {
    auto& body = simulated.state.bodies[system.shapes[shape].body];
    Vector3<Scalar> const arm = point - body.position;
    body.normal_force = body.normal_force + normal;
    body.tangential_force = body.tangential_force + tangential;
    body.normal_torque = body.normal_torque + arm.cross(normal);
    body.tangential_torque = body.tangential_torque + arm.cross(tangential);
  };
  act(one, moves.point1, normal_force, tangential_force);
  act(two, moves.point2, -normal_force, -tangential_force);
  return {one, two, now.uN, now.normal, now.point, out.spring, out.force, in.normal_stiffness, stored, out.status};
}

/// Updates the values that bodies record about their contacts at this step.
template <turning_scalar Scalar>
void remember(Simulated<Scalar>& simulated) {
  auto& state = simulated.state;
  std::vector<std::pair<bool, bool>> touched(state.bodies.size());
  for (auto const& contact : state.contacts)
    for (std::size_t const shape : {contact.shape1, contact.shape2}) {
      std::size_t const index = simulated.system.shapes[shape].body;
      auto& body = state.bodies[index];
      Scalar const overlap = -contact.uN, force = contact.force.norm();
      if (body.overlap_max < overlap) body.overlap_max = overlap;
      if (body.force_max < force) body.force_max = force;
      touched[index].first = true;
      touched[index].second = touched[index].second || contact.status == contact_force::Status::slide;
    }
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    auto& body = state.bodies[b];
    if (touched[b].first) body.contact_time = body.contact_time + state.dt;
    if (touched[b].second && body.stuck == 0) body.slide_time = body.slide_time + state.dt;
    if (touched[b].first && !touched[b].second && Scalar(0) < body.slide_time) body.stuck = 1;
    body.force_sum = body.force_sum + (body.normal_force + body.tangential_force);
  }
}

/// Computes the forces of all contacts at this step, in the order of their shapes.
template <turning_scalar Scalar>
void find_forces(Simulated<Scalar>& simulated) {
  auto& state = simulated.state;
  simulated.acceleration.resize(state.bodies.size(), zero3<Scalar>());
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    auto& body = state.bodies[b];
    auto const& rigid = simulated.system.bodies[b];
    if (simulated.system.model.velocity == LawVelocity::extrapolated && !rigid.fixed)
      simulated.acceleration[b] =
          (body.normal_force + body.tangential_force) / rigid.mass + simulated.system.settings.gravity;
    body.normal_force = body.normal_torque = body.tangential_force = body.tangential_torque = zero3<Scalar>();
  }
  place<Scalar>(simulated);
  auto& before = simulated.before;
  before.swap(state.contacts);
  state.contacts.clear();
  std::size_t next = 0;
  auto const& shapes = simulated.system.shapes;
  auto const& bodies = simulated.system.bodies;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      if (shapes[i].body == shapes[j].body || (bodies[shapes[i].body].fixed && bodies[shapes[j].body].fixed)) continue;
      // The wall is the first shape of a contact, so that the normal has the direction of the kernel's normal.
      std::size_t const one = shapes[j].wall ? j : i, two = shapes[j].wall ? i : j;
      ContactState<Scalar> const* old = nullptr;
      if (next < before.size() && before[next].shape1 == one && before[next].shape2 == two) old = &before[next++];
      if (far_apart<Scalar>(simulated, one, two)) {
        if (old != nullptr) let_go<Scalar>(simulated, *old);
        continue;
      }
      Touch<Scalar> const now = touch<Scalar>(simulated, one, two);
      if (now.uN < Scalar(0)) {
        state.contacts.push_back(contact_at<Scalar>(simulated, one, two, now, old));
      } else if (old != nullptr) {
        let_go<Scalar>(simulated, *old);
      }
    }
  remember<Scalar>(simulated);
}

}  // namespace demeter::simulator::reference
