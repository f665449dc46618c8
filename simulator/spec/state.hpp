// The state of a simulation: the bodies, the contacts with their history, and the energy ledger. Also the observables.
#pragma once

#include "reference/spec/contact_force.hpp"
#include "reference/spec/family/nonsmooth.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace demeter::simulator {

namespace unit_of {
inline constexpr std::string_view energy = "J", momentum = "kg m/s", angular_momentum = "kg m^2/s";
}

/// The state of a body at step n. Some values are half a step older: the description of such a field says so.
template <class Scalar>
struct BodyState {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Vector3<Scalar> velocity, angular_momentum, spin;
  Vector3<Scalar> normal_force, normal_torque, tangential_force, tangential_torque, force_sum;
  Scalar overlap_max, force_max, contact_time, slide_time;
  std::uint64_t stuck;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("position", &BodyState::position, unit::metre, Kind::position, "of the centre of mass"),
            field("orientation", &BodyState::orientation, unit::none, Kind::quaternion, "of the principal axes"),
            field("velocity", &BodyState::velocity, unit::velocity, Kind::vector, "at step n - 1/2"),
            field("angular_momentum", &BodyState::angular_momentum, unit_of::angular_momentum, Kind::axial,
                  "about the centre of mass, global frame, at step n - 1/2"),
            field("spin", &BodyState::spin, unit::spin, Kind::axial, "angular velocity, global frame, at step n - 1/2"),
            field("normal_force", &BodyState::normal_force, unit::newton, Kind::vector, "of all contacts"),
            field("normal_torque", &BodyState::normal_torque, unit::newton_metre, Kind::axial, "of the normal forces"),
            field("tangential_force", &BodyState::tangential_force, unit::newton, Kind::vector, "of all contacts"),
            field("tangential_torque", &BodyState::tangential_torque, unit::newton_metre, Kind::axial,
                  "of the tangential forces"),
        },
        std::tuple{
            field("force_sum", &BodyState::force_sum, unit::newton, Kind::vector, "of contacts, over all steps"),
            field("overlap_max", &BodyState::overlap_max, unit::metre, "largest overlap so far"),
            field("force_max", &BodyState::force_max, unit::newton, "largest force of a contact so far"),
            field("contact_time", &BodyState::contact_time, unit::second, "total time with at least one contact"),
            field("slide_time", &BodyState::slide_time, unit::second, "time of sliding until the first sticking"),
            field("stuck", &BodyState::stuck, unit::none, "true if the body has slid and then stuck"),
        });
  }
};

/// A contact of two shapes, with the values that the next step needs.
template <class Scalar>
struct ContactState {
  std::uint64_t shape1, shape2;
  Scalar uN;
  Vector3<Scalar> normal, point, spring, force;
  Scalar normal_stiffness, stored;
  contact_force::Status status;

  static constexpr auto fields() {
    return std::tuple{
        field("shape1", &ContactState::shape1, unit::none, "index of the first shape; a wall is always first"),
        field("shape2", &ContactState::shape2, unit::none, "index of the second shape"),
        field("uN", &ContactState::uN, unit::metre, "normal displacement, < 0: overlap"),
        field("normal", &ContactState::normal, unit::none, Kind::vector, "from shape 1 to shape 2"),
        field("point", &ContactState::point, unit::metre, Kind::position, "where the force acts"),
        field("spring", &ContactState::spring, unit::metre, Kind::vector, "tangential spring, global frame"),
        field("force", &ContactState::force, unit::newton, Kind::vector, "on body 1"),
        field("normal_stiffness", &ContactState::normal_stiffness, "N/m", "input of the force law"),
        field("stored", &ContactState::stored, unit::newton_metre, "energy of its springs"),
        field("status", &ContactState::status, unit::none, "stick or slide"),
    };
  }
};

/// Work since the start, by cause. The work of a force in a step is dt times the force times the mean of the velocities
/// before and after the step. The sum of all work equals the change of the kinetic energy, up to rounding.
template <class Scalar>
struct Ledger {
  Scalar gravity, normal, tangential, damping, applied, blocked, rotation, dissipated;

  static constexpr auto fields() {
    return std::tuple{
        field("gravity_work", &Ledger::gravity, unit_of::energy, "work of gravity"),
        field("normal_work", &Ledger::normal, unit_of::energy, "work of the contacts' normal forces"),
        field("tangential_work", &Ledger::tangential, unit_of::energy, "work of the tangential forces of contacts"),
        field("damping_work", &Ledger::damping, unit_of::energy, "work of Cundall's damping"),
        field("applied_work", &Ledger::applied, unit_of::energy, "work of the torques of the scene"),
        field("blocked_work", &Ledger::blocked, unit_of::energy,
              "work of the constraints of blocked degrees of freedom"),
        field("rotation_drift", &Ledger::rotation, unit_of::energy,
              "change of the rotational energy by the update of the rotation"),
        field("dissipated", &Ledger::dissipated, unit_of::energy, "energy that contacts dissipated, by the force law"),
    };
  }
};

template <class Scalar>
struct State {
  std::uint64_t step;       ///< n, the number of completed steps
  std::uint64_t step_base;  ///< the step at which dt changed last; its time is time_base
  Scalar dt, time_base, kinetic_0, energy_0, kinetic_max;
  std::vector<BodyState<Scalar>> bodies;
  std::vector<ContactState<Scalar>> contacts;
  Ledger<Scalar> ledger;

  static constexpr auto fields() {
    return std::tuple{
        field("step", &State::step, unit::none, "number of completed steps"),
        field("step_base", &State::step_base, unit::none, "the step at which dt changed last"),
        field("dt", &State::dt, unit::second, "the time step"),
        field("time_base", &State::time_base, unit::second, "the time at step_base; time is never summed"),
        field("kinetic_0", &State::kinetic_0, unit_of::energy, "kinetic energy at the start, of the ledger"),
        field("energy_0", &State::energy_0, unit_of::energy, "all energy at the start"),
        field("kinetic_max", &State::kinetic_max, unit_of::energy, "largest kinetic energy of the ledger so far"),
        field("bodies", &State::bodies, unit::none, "the bodies"),
        field("contacts", &State::contacts, unit::none, "the contacts, in canonical order"),
        field("ledger", &State::ledger, unit::none, "work so far"),
    };
  }
};

/// Observables at a step. All observables have the same time. The velocities of the state are half a step older, and
/// are advanced to this time.
template <class Scalar>
struct Observables {
  Scalar time, dt, kinetic, potential, stored, dissipated, gravity_work, normal_work, tangential_work, damping_work,
      applied_work, blocked_work, rotation_drift, missing, energy, gained, kinetic_max;
  Vector3<Scalar> momentum, angular_momentum;
  Scalar contacts, overlap;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("time", &Observables::time, unit::second, "time"),
            field("dt", &Observables::dt, unit::second, "time step"),
            field("kinetic", &Observables::kinetic, unit_of::energy, "kinetic energy"),
            field("potential", &Observables::potential, unit_of::energy, "-sum of m g.x"),
            field("stored", &Observables::stored, unit_of::energy, "energy of the contacts' springs"),
            field("dissipated", &Observables::dissipated, unit_of::energy,
                  "energy that contacts dissipated, by the force law"),
            field("gravity_work", &Observables::gravity_work, unit_of::energy, "work of gravity"),
            field("normal_work", &Observables::normal_work, unit_of::energy, "work of normal forces"),
            field("tangential_work", &Observables::tangential_work, unit_of::energy, "work of tangential forces"),
        },
        std::tuple{
            field("damping_work", &Observables::damping_work, unit_of::energy, "work of Cundall's damping"),
            field("applied_work", &Observables::applied_work, unit_of::energy, "work of applied torques"),
            field("blocked_work", &Observables::blocked_work, unit_of::energy,
                  "work of the constraints of blocked degrees of freedom"),
            field("rotation_drift", &Observables::rotation_drift, unit_of::energy,
                  "error of the update of the rotation"),
            field("missing", &Observables::missing, unit_of::energy,
                  "kinetic energy that no work explains: only rounding"),
            field("energy", &Observables::energy, unit_of::energy, "sum of kinetic, potential and stored"),
            field("gained", &Observables::gained, unit_of::energy,
                  "energy error: present energy plus losses, minus initial energy and added work"),
            field("kinetic_max", &Observables::kinetic_max, unit_of::energy, "largest kinetic energy so far"),
            field("momentum", &Observables::momentum, unit_of::momentum, Kind::vector, "of all bodies that move"),
            field("angular_momentum", &Observables::angular_momentum, unit_of::angular_momentum, Kind::axial,
                  "of all bodies that move, about the origin"),
        },
        std::tuple{
            field("contacts", &Observables::contacts, unit::none, "number of contacts"),
            field("overlap", &Observables::overlap, unit::none, "largest overlap divided by the radius"),
        });
  }
};

/// Observables of non-smooth dynamics at a step. Energies and momenta are per metre along z.
template <class Scalar>
struct NonsmoothObservables {
  Scalar time, dt, kinetic, potential, energy, gravity_work, dissipated, missing, kinetic_max;
  Vector2<Scalar> momentum, missing_momentum, wall_impulse;
  Scalar contacts, overlap, sweeps, all_sweeps, residual, residual_max, capped, passed, area_passed;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("time", &NonsmoothObservables::time, unit::second, "time"),
            field("dt", &NonsmoothObservables::dt, unit::second, "time step"),
            field("kinetic", &NonsmoothObservables::kinetic, unit_of::energy, "kinetic energy without spins"),
            field("potential", &NonsmoothObservables::potential, unit_of::energy, "-sum of m g.x"),
            field("energy", &NonsmoothObservables::energy, unit_of::energy, "sum of kinetic and potential"),
            field("gravity_work", &NonsmoothObservables::gravity_work, unit_of::energy,
                  "change of the kinetic energy by gravity, summed over the steps"),
            field("dissipated", &NonsmoothObservables::dissipated, unit_of::energy,
                  "loss of kinetic energy by impulses; for a body at rest it equals the work of gravity in each step"),
            field("missing", &NonsmoothObservables::missing, unit_of::energy,
                  "kinetic energy that these two do not explain: only rounding"),
            field("kinetic_max", &NonsmoothObservables::kinetic_max, unit_of::energy,
                  "largest kinetic energy at the end of a step so far"),
        },
        std::tuple{
            field("momentum", &NonsmoothObservables::momentum, unit_of::momentum, Kind::vector, "of all discs"),
            field("missing_momentum", &NonsmoothObservables::missing_momentum, unit_of::momentum, Kind::vector,
                  "momentum that gravity and the boundary do not explain: only rounding"),
            field("wall_impulse", &NonsmoothObservables::wall_impulse, unit_of::momentum, Kind::vector,
                  "impulse on the boundary, sum over all steps"),
            field("contacts", &NonsmoothObservables::contacts, unit::none, "potential contacts of the last step"),
            field("overlap", &NonsmoothObservables::overlap, unit::metre,
                  "largest overlap at present, 0 if there is none"),
            field("sweeps", &NonsmoothObservables::sweeps, unit::none, "sweeps of the last step"),
            field("all_sweeps", &NonsmoothObservables::all_sweeps, unit::none, "sweeps of all steps"),
        },
        std::tuple{
            field("residual", &NonsmoothObservables::residual, unit::none,
                  "max |min(W p, w)| of the last step, in the unit of the tolerance"),
            field("residual_max", &NonsmoothObservables::residual_max, unit::none, "largest residual of all steps"),
            field("capped", &NonsmoothObservables::capped, unit::none,
                  "number of steps that used all itmax sweeps and did not reach the tolerance"),
            field("passed", &NonsmoothObservables::passed, unit::none,
                  "number of discs with the centre beyond the orifice"),
            field("area_passed", &NonsmoothObservables::area_passed, "m^2", "area of these discs"),
        });
  }
};

template <class Scalar>
struct BodyObservables {
  Vector3<Scalar> position;
  Quaternion<Scalar> orientation;
  Vector3<Scalar> velocity, spin, angular_momentum, force, torque, force_sum;
  Scalar overlap_max, force_max, contact_time, slide_time;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("position", &BodyObservables::position, unit::metre, Kind::position, "of the centre of mass"),
            field("orientation", &BodyObservables::orientation, unit::none, Kind::quaternion,
                  "quaternion of the principal axes"),
            field("velocity", &BodyObservables::velocity, unit::velocity, Kind::vector, "of the centre of mass"),
            field("spin", &BodyObservables::spin, unit::spin, Kind::axial, "angular velocity, global frame"),
            field("angular_momentum", &BodyObservables::angular_momentum, unit_of::angular_momentum, Kind::axial,
                  "about the centre of mass, global frame"),
            field("force", &BodyObservables::force, unit::newton, Kind::vector, "of all contacts, without gravity"),
            field("torque", &BodyObservables::torque, unit::newton_metre, Kind::axial, "of these forces"),
            field("force_sum", &BodyObservables::force_sum, unit::newton, Kind::vector,
                  "sum of the force over all steps so far"),
        },
        std::tuple{
            field("overlap_max", &BodyObservables::overlap_max, unit::metre, "largest overlap so far"),
            field("force_max", &BodyObservables::force_max, unit::newton, "largest contact force so far"),
            field("contact_time", &BodyObservables::contact_time, unit::second, "total time with at least one contact"),
            field("slide_time", &BodyObservables::slide_time, unit::second,
                  "time of sliding until all contacts first stuck"),
        });
  }
};

/// Observables of one shape of a clump, such as body.member0.force.
template <class Scalar>
struct ShapeObservables {
  Vector3<Scalar> force;

  static constexpr auto fields() {
    return std::tuple{
        field("force", &ShapeObservables::force, unit::newton, Kind::vector, "of all contacts of the shape")};
  }
};

template <class Scalar>
struct Snapshot {
  std::uint64_t step;
  Observables<Scalar> all;  ///< only time and dt are used in non-smooth dynamics
  std::optional<NonsmoothObservables<Scalar>> nonsmooth;
  std::vector<BodyObservables<Scalar>> bodies;
  std::vector<ShapeObservables<Scalar>> shapes;
  std::vector<ContactState<Scalar>> contacts;

  static constexpr auto fields() {
    return std::tuple{
        field("step", &Snapshot::step, unit::none, "number of completed steps"),
        field("all", &Snapshot::all, unit::none, "of all bodies together"),
        field("nonsmooth", &Snapshot::nonsmooth, unit::none, "of all bodies together, in non-smooth dynamics"),
        field("bodies", &Snapshot::bodies, unit::none, "of each body"),
        field("shapes", &Snapshot::shapes, unit::none, "of each shape"),
        field("contacts", &Snapshot::contacts, unit::none, "of each contact"),
    };
  }
};

}  // namespace demeter::simulator
