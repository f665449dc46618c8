// Data of non-smooth dynamics: the discs and the boundary of a scene, their state and their observables.
// Source: docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "reference/spec/family/nonsmooth.hpp"
#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

namespace demeter::simulator {

/// A disc at the start. Its mass per metre along z is `mass`, or density * pi * radius^2.
template <class Scalar>
struct Disc {
  Vector2<Scalar> position, velocity;
  Scalar spin, radius;
  std::optional<Scalar> mass, density;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &Disc::position, unit::metre, Kind::position, "of the centre"),
        field("velocity", &Disc::velocity, unit::velocity, Kind::vector, "of the centre"),
        field("spin", &Disc::spin, unit::spin, "angular velocity, counterclockwise; constant"),
        field("radius", &Disc::radius, unit::metre, "> 0"),
        field("mass", &Disc::mass, "kg/m", "> 0, per metre along z"),
        field("density", &Disc::density, unit::density, "> 0; either the mass or the density is given"),
    };
  }
};

/// A straight piece of a polyline between two vertices.
struct Segment {
  std::uint64_t from, to;  ///< indices of vertices
  std::uint64_t polyline;

  static constexpr auto fields() {
    return std::tuple{
        field("from", &Segment::from, unit::none, "a vertex"),
        field("to", &Segment::to, unit::none, "another vertex"),
        field("polyline", &Segment::polyline, unit::none, "the polyline of the segment"),
    };
  }
};

/// A change at a time: the removal of a polyline, a new tolerance, or both.
template <class Scalar>
struct Change {
  Scalar at;
  std::optional<std::uint64_t> polyline;
  std::optional<Scalar> tolerance;

  static constexpr auto fields() {
    return std::tuple{
        field("at", &Change::at, unit::second, "time, rounded to the nearest step"),
        field("polyline", &Change::polyline, unit::none, "the polyline to remove"),
        field("tolerance", &Change::tolerance, unit::none, "new tolerance of the solver"),
    };
  }
};

/// The discs, the boundary and the changes of a scene, without names. Vertices at the same place are one vertex, even
/// in different polylines.
template <class Scalar>
struct Layout {
  std::vector<Disc<Scalar>> discs;
  std::vector<Vector2<Scalar>> vertices;
  std::vector<Segment> segments;
  std::vector<Change<Scalar>> changes;

  static constexpr auto fields() {
    return std::tuple{
        field("discs", &Layout::discs, unit::none, "in the order of the scene"),
        field("vertices", &Layout::vertices, unit::metre, "of all polylines"),
        field("segments", &Layout::segments, unit::none, "in the order of the scene"),
        field("changes", &Layout::changes, unit::none, "changes during the run, in the order of the scene"),
    };
  }
};

/// The partner of a disc in a contact.
enum class Partner { disc, segment, vertex };
constexpr std::array<std::string_view, 3> labels(Partner) { return {"disc", "segment", "vertex"}; }

/// A potential contact, found at the start of a step, and its impulse. `partner`, `other` and `disc` identify the same
/// contact in the next step. A friction law would need more fields.
template <class Scalar>
struct NonsmoothContact {
  Partner partner;
  std::uint64_t other, disc;
  Scalar gap;
  Vector2<Scalar> normal;
  Scalar impulse;

  static constexpr auto fields() {
    return std::tuple{
        field("partner", &NonsmoothContact::partner, unit::none, "kind of the other object"),
        field("other", &NonsmoothContact::other, unit::none,
              "index of the other object; of two discs the smaller index"),
        field("disc", &NonsmoothContact::disc, unit::none, "index of the disc"),
        field("gap", &NonsmoothContact::gap, unit::metre,
              "distance of the surfaces at the start of the step; < 0: overlap"),
        field("normal", &NonsmoothContact::normal, unit::none, Kind::vector,
              "unit vector from the other object to the disc"),
        field("impulse", &NonsmoothContact::impulse, "N s/m", "on the disc along the normal, >= 0"),
    };
  }
};

template <class Scalar>
struct DiscState {
  Vector2<Scalar> position, velocity;

  static constexpr auto fields() {
    return std::tuple{
        field("position", &DiscState::position, unit::metre, Kind::position, "of the centre"),
        field("velocity", &DiscState::velocity, unit::velocity, Kind::vector, "of the centre"),
    };
  }
};

template <class Scalar>
struct NonsmoothState {
  std::uint64_t step;
  std::vector<DiscState<Scalar>> discs;
  std::vector<NonsmoothContact<Scalar>> contacts;
  Scalar kinetic_0, kinetic_max, gravity_work, dissipated, residual, residual_max;
  Vector2<Scalar> momentum_0, wall_impulse;
  std::uint64_t sweeps, all_sweeps, capped;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{
            field("step", &NonsmoothState::step, unit::none, "number of completed steps"),
            field("discs", &NonsmoothState::discs, unit::none, "the discs"),
            field("contacts", &NonsmoothState::contacts, unit::none, "of the last step, in canonical order"),
            field("kinetic_0", &NonsmoothState::kinetic_0, unit_of::energy, "kinetic energy at the start"),
            field("kinetic_max", &NonsmoothState::kinetic_max, unit_of::energy, "largest so far"),
            field("gravity_work", &NonsmoothState::gravity_work, unit_of::energy, "so far"),
            field("dissipated", &NonsmoothState::dissipated, unit_of::energy, "so far"),
            field("residual", &NonsmoothState::residual, unit::none, "of the last step"),
            field("residual_max", &NonsmoothState::residual_max, unit::none, "largest so far"),
        },
        std::tuple{
            field("momentum_0", &NonsmoothState::momentum_0, unit_of::momentum, Kind::vector, "at the start"),
            field("wall_impulse", &NonsmoothState::wall_impulse, unit_of::momentum, Kind::vector, "so far"),
            field("sweeps", &NonsmoothState::sweeps, unit::none, "of the last step"),
            field("all_sweeps", &NonsmoothState::all_sweeps, unit::none, "of all steps"),
            field("capped", &NonsmoothState::capped, unit::none,
                  "number of steps that used all itmax sweeps and did not reach the tolerance"),
        });
  }
};

}  // namespace demeter::simulator
