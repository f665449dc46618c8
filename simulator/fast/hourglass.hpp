// Simulates discs between walls in the plane by non-smooth contact dynamics, in double. Stores data in columns. Finds
// contacts with a grid of cells. Solvers start from the impulses of the previous step.
#pragma once

#include "fast/family/nonsmooth/solvers.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace demeter::simulator::fast {

/// The walls: segments between vertices (m). A removed segment keeps its index, so that contacts of the previous step
/// stay valid when a gate opens.
struct Boundary {
  struct Segment {
    std::int32_t from = 0, to = 0;
    bool there = true;
  };
  std::vector<std::array<double, 2>> vertices;
  std::vector<Segment> segments;
};

struct Settings {
  nonsmooth::fast::Method method = nonsmooth::fast::Method::apgd;
  double tolerance = 0;           ///< upper limit of the solver's residual, m/s
  std::int64_t sweeps = 0;        ///< largest number of sweeps per step; 0: no limit
  bool warm = true;               ///< each step starts from the impulses of the step before
  double dt = 0, alert = 0;       ///< s, m
  std::array<double, 2> gravity;  ///< m/s^2
  /// True: a vertex is a wall only if no segment that ends there contains the foot of the disc's centre. False: every
  /// vertex is a wall for every disc. This is the documented rule, and it causes ghost collisions.
  bool joint = true;
};

enum class Partner : std::uint8_t { disc, segment, vertex };

/// A contact between `disc` and the disc, segment or vertex `other`. In a pair of discs, `disc` has the larger index.
/// The normal has length 1 and points from `other` to `disc`. gap < 0 is an overlap (m). The impulse (N s) acts on
/// `disc` along the normal.
struct Contact {
  Partner partner = Partner::disc;
  std::int32_t disc = 0, other = 0;
  double gap = 0, normal_x = 0, normal_y = 0, impulse = 0;
};

/// The state before step number `step`. The contacts are those of the previous step, with gaps and normals at its
/// start. Their order is: discs by (other, disc), then segments by (disc, other), then vertices by (disc, other). A
/// step depends only on this state, the boundary and the settings. A step uses only the partners and the impulses of
/// the contacts.
struct State {
  std::vector<double> x, y, velocity_x, velocity_y, radius, inverse_mass;
  std::vector<Contact> contacts;
  std::uint64_t step = 0;
};

/// The result of one step. The overlap is the overlap at the start of the step. Velocities and energy are the values at
/// the end.
struct StepReport {
  std::size_t contacts = 0;
  std::int64_t sweeps = 0;
  double residual = 0;
  bool capped = false;
  double greatest_overlap = 0;               ///< m; 0 if no contact overlaps
  std::array<double, 2> wall_impulse{0, 0};  ///< N s, sum of the impulses that the discs exert on all walls
  double kinetic_energy = 0;                 ///< J
  double greatest_speed = 0;                 ///< m/s; greatest_speed * dt must not exceed the alert distance
  std::size_t unforeseen = 0;      ///< overlapping contacts that did not exist in the step before: the alert distance
                                   ///< was too small
  std::size_t without_normal = 0;  ///< contacts that were left out: the two centres coincide, or the centre is on a
                                   ///< wall
  bool finite = true;              ///< false: a number of the state is not finite, and the step was not done
};

/// Memory that a caller reuses in every step.
struct Workspace {
  // Discs sorted by cell.
  std::vector<std::int32_t> cell, begin, disc;
  std::vector<double> x, y, radius;
  // Contacts in columns.
  std::vector<Contact> found;
  std::vector<std::int32_t> i, j;
  std::vector<double> normal_x, normal_y, meeting, impulse, inverse_mass, velocity_x, velocity_y;
  nonsmooth::fast::Workspace solver;
};

/// Finds the contacts at the positions of the state: all pairs with a gap smaller than the alert distance. The contacts
/// are in the order of `State`, with impulse 0. Returns the number of contacts that were left out because they have no
/// normal.
std::size_t detect(State const& state, Boundary const& boundary, double alert, bool joint,
                   std::vector<Contact>& contacts, Workspace& workspace);

/// Copies the impulse of each contact in `before` to the contact of the same pair in `contacts`. Both lists must be in
/// the order of `State`. Returns the number of overlapping contacts that `before` does not have. A new wall contact
/// does not count if the disc already had a wall contact.
std::size_t remember(std::vector<Contact> const& before, std::vector<Contact>& contacts);

/// Does one step: v += dt g, finds the contacts at x, computes velocities that satisfy them, x += dt v.
///
/// Deterministic: the same bits at every level. Domain: radii and dt above 0, alert distance at least 0. Source:
/// docs/mathematics/nonsmooth.md#time-step.
StepReport advance(State& state, Boundary const& boundary, Settings const& settings, Workspace& workspace);

}  // namespace demeter::simulator::fast
