// The discs and the boundary of non-smooth dynamics in a scalar type, and the search for potential contacts. Source:
// docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "simulator/reference/exact_number.hpp"
#include "simulator/reference/formulas.hpp"
#include "simulator/reference/layout.hpp"
#include "simulator/reference/quaternion.hpp"
#include "simulator/reference/simulation_types.hpp"
#include "simulator/spec/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace demeter::simulator::reference {

/// The constant properties of a disc.
template <class Scalar>
struct DiscBody {
  std::string name;
  Scalar radius, mass, spin;
};

/// A change at the beginning of a step: a polyline is removed, or the tolerance changes.
template <class Scalar>
struct ChangeAtStep {
  std::uint64_t step;
  std::optional<std::uint64_t> polyline;
  std::optional<Scalar> tolerance;
};

template <class Scalar>
struct NonsmoothSystem {
  std::vector<DiscBody<Scalar>> discs;
  std::vector<std::string> polylines;
  std::vector<Vector2<Scalar>> vertices;
  std::vector<Segment> segments;
  std::vector<ChangeAtStep<Scalar>> changes;
  Vector2<Scalar> gravity;
  Scalar dt, scale;  ///< scale: the unit of residuals, |g| dt, or 1 m/s without gravity
  Scalar alert;
  Solver<Scalar> solver;
  Orifice<Scalar> orifice;
  bool bounded = false;       ///< whether there is a boundary
  Vector2<Scalar> low, high;  ///< bounding box of the boundary and of the discs at the start
};

/// The result of a solver.
template <class Scalar>
struct Solved {
  std::uint64_t sweeps = 0;
  Scalar residual{0.0};  ///< max |min(W p, w)|, m/s
  bool capped = false;
  bool ended = true;  ///< false if itmax is 0 and the solver stopped after `most_sweeps`, or if a number is not finite
};

/// A function that does one step. It applies gravity, finds the contacts at the positions of the state, computes the
/// impulses and moves the discs. The solver starts from the impulses of the previous step. The function changes the
/// discs and contacts of the state, or sets `trouble`. `segments` are the segments that exist in this step. The
/// tolerance is a speed.
template <class Scalar>
using StepDiscs =
    std::function<Solved<Scalar>(NonsmoothSystem<Scalar> const&, std::vector<std::uint64_t> const& segments,
                                 Scalar const& tolerance, NonsmoothState<Scalar>&, std::optional<Trouble>& trouble)>;

template <class Scalar>
struct Nonsmooth {
  NonsmoothSystem<Scalar> system;
  NonsmoothState<Scalar> state;
  std::optional<Trouble> trouble;
  StepDiscs<Scalar> step_discs;
};

/// Returns a simulation of a valid non-smooth scene in double. The function `step` does the steps.
std::optional<Simulation> simulate_discs(Scene<Number> const& scene, StepDiscs<double> const& step, unsigned refinement,
                                         Unfit& unfit);

template <class Scalar>
Vector2<Scalar> zero2() {
  return {Scalar(0.0), Scalar(0.0)};
}

/// Returns the segments that exist in the step that begins at `step`.
template <class Scalar>
std::vector<std::uint64_t> segments_at(NonsmoothSystem<Scalar> const& system, std::uint64_t step) {
  std::vector<std::uint64_t> there;
  for (std::uint64_t s = 0; s < system.segments.size(); ++s) {
    bool removed = false;
    for (auto const& change : system.changes)
      removed = removed || (change.polyline == system.segments[s].polyline && change.step <= step);
    if (!removed) there.push_back(s);
  }
  return there;
}

/// Returns whether the foot of a disc's centre on the line of a segment is inside the segment or at one of its ends.
template <field_scalar Scalar>
bool foot_is_on(Vector2<Scalar> const& centre, Vector2<Scalar> const& from, Vector2<Scalar> const& to) {
  Vector2<Scalar> const t = to - from, s = centre - from;
  Scalar const along = s[0] * t[0] + s[1] * t[1], whole = t[0] * t[0] + t[1] * t[1];
  return !(along < Scalar(0)) && !(whole < along);
}

/// Boxes of discs in double. Each box contains the disc and a margin of the alert distance. It is rounded outward by
/// much more than the rounding error. Only pairs whose boxes overlap need a computation in the scalar type.
template <class Scalar>
class Boxes {
 public:
  Boxes(NonsmoothSystem<Scalar> const& system, std::vector<DiscState<Scalar>> const& discs) {
    double const alert = static_cast<double>(system.alert);
    for (std::size_t k = 0; k < discs.size(); ++k) {
      double const x = static_cast<double>(discs[k].position[0]), y = static_cast<double>(discs[k].position[1]);
      double const reach = static_cast<double>(system.discs[k].radius) + alert;
      double const margin = 0x1p-40 * (std::fabs(x) + std::fabs(y) + reach);
      x_.push_back(x);
      y_.push_back(y);
      reach_.push_back(reach + margin);
    }
  }
  bool near(std::size_t i, std::size_t j) const {
    double const reach = reach_[i] + reach_[j];
    return std::fabs(x_[i] - x_[j]) <= reach && std::fabs(y_[i] - y_[j]) <= reach;
  }
  /// Returns whether the box of disc k overlaps the bounding box of two points.
  bool near(std::size_t k, Vector2<double> const& a, Vector2<double> const& b) const {
    double const size = 0x1p-40 * (std::fabs(a[0]) + std::fabs(a[1]) + std::fabs(b[0]) + std::fabs(b[1]));
    double const reach = reach_[k] + size;
    return x_[k] >= std::min(a[0], b[0]) - reach && x_[k] <= std::max(a[0], b[0]) + reach &&
           y_[k] >= std::min(a[1], b[1]) - reach && y_[k] <= std::max(a[1], b[1]) + reach;
  }

 private:
  std::vector<double> x_, y_, reach_;
};

/// Returns the potential contacts at the given positions, with impulses 0. Their canonical order is: pairs of discs,
/// then discs and segments, then discs and vertices. Sets `trouble` if a contact has no normal: two centres coincide,
/// or a centre is on the boundary.
template <turning_scalar Scalar>
std::vector<NonsmoothContact<Scalar>> potential_contacts(NonsmoothSystem<Scalar> const& system,
                                                         std::vector<DiscState<Scalar>> const& discs,
                                                         std::vector<std::uint64_t> const& segments,
                                                         std::optional<Trouble>& trouble) {
  std::vector<NonsmoothContact<Scalar>> contacts;
  Scalar const zero(0);
  Boxes<Scalar> const boxes(system, discs);
  auto const centred = [&](std::size_t disc, std::string const& other) {
    if (!trouble)
      trouble = Trouble{"the centre of " + system.discs[disc].name + " is on " + other + ": the contact has no normal"};
  };
  for (std::size_t i = 0; i < discs.size(); ++i)
    for (std::size_t j = i + 1; j < discs.size(); ++j) {
      if (!boxes.near(i, j)) continue;
      auto const out = disc_contact<Scalar>(
          {discs[j].position, system.discs[j].radius, discs[i].position, system.discs[i].radius, system.alert});
      if (out.present == disc_disc_contact::Present::no) continue;
      if (!out.normal) {
        centred(j, "the centre of " + system.discs[i].name);
        continue;
      }
      contacts.push_back({Partner::disc, i, j, out.gap, *out.normal, zero});
    }
  bool const joint = system.solver.boundary == BoundaryRule::joint;
  std::vector<Vector2<double>> vertices;
  for (auto const& vertex : system.vertices) vertices.push_back(cast<Vector2<double>>(vertex));
  auto const from = [&](std::uint64_t s) -> auto const& { return system.vertices[system.segments[s].from]; };
  auto const to = [&](std::uint64_t s) -> auto const& { return system.vertices[system.segments[s].to]; };
  auto const on = [&](std::size_t k, std::uint64_t s) { return foot_is_on<Scalar>(discs[k].position, from(s), to(s)); };
  std::vector<std::vector<std::uint64_t>> vertices_of(discs.size());
  for (std::size_t k = 0; k < discs.size(); ++k)
    for (std::uint64_t const s : segments) {
      auto const& segment = system.segments[s];
      if (!boxes.near(k, vertices[segment.from], vertices[segment.to])) continue;
      // Adds both ends of the segment. An end that is too far from the disc gives no contact below.
      for (std::uint64_t const vertex : {segment.from, segment.to}) {
        auto& all = vertices_of[k];
        if (std::find(all.begin(), all.end(), vertex) == all.end()) all.push_back(vertex);
      }
      auto const out =
          segment_contact<Scalar>({discs[k].position, system.discs[k].radius, from(s), to(s), system.alert});
      if (!on(k, s) || out.present == disc_segment_contact::Present::no) continue;
      if (!out.normal) {
        centred(k, system.polylines[segment.polyline]);
        continue;
      }
      contacts.push_back({Partner::segment, s, k, out.gap, *out.normal, zero});
    }
  for (std::size_t k = 0; k < discs.size(); ++k) {
    auto& all = vertices_of[k];
    std::sort(all.begin(), all.end());
    for (std::uint64_t const vertex : all) {
      auto const out = disc_contact<Scalar>(
          {discs[k].position, system.discs[k].radius, system.vertices[vertex], zero, system.alert});
      if (out.present == disc_disc_contact::Present::no) continue;
      bool const covered = joint && std::any_of(segments.begin(), segments.end(), [&](std::uint64_t s) {
                             auto const& segment = system.segments[s];
                             return (segment.from == vertex || segment.to == vertex) && on(k, s);
                           });
      if (covered) continue;
      if (!out.normal) {
        centred(k, "an end of the boundary");
        continue;
      }
      contacts.push_back({Partner::vertex, vertex, k, out.gap, *out.normal, zero});
    }
  }
  return contacts;
}

/// Returns whether contact a comes before contact b in canonical order.
template <class Scalar>
bool is_before(NonsmoothContact<Scalar> const& a, NonsmoothContact<Scalar> const& b) {
  if (a.partner != b.partner) return a.partner < b.partner;
  bool const discs = a.partner == Partner::disc;
  auto const first = [&](auto const& each) { return discs ? each.other : each.disc; };
  auto const second = [&](auto const& each) { return discs ? each.disc : each.other; };
  return first(a) != first(b) ? first(a) < first(b) : second(a) < second(b);
}

/// Copies the impulses of the previous step to the contacts that still exist. Both lists are in canonical order.
template <class Scalar>
void inherit(std::vector<NonsmoothContact<Scalar>> const& before, std::vector<NonsmoothContact<Scalar>>& now) {
  std::size_t k = 0;
  for (auto& contact : now) {
    while (k < before.size() && is_before(before[k], contact)) ++k;
    if (k < before.size() && !is_before(contact, before[k])) contact.impulse = before[k].impulse;
  }
}

}  // namespace demeter::simulator::reference
