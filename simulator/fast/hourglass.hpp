// Discs between walls in the plane, by non-smooth contact dynamics, in double: columns, a grid of cells, warm starts.
#pragma once

#include "fast/family/nonsmooth/solvers.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace demeter::simulator::fast {

/// Walls: segments between vertices (m). A segment that is not there keeps its index, so that a gate can be opened
/// while contacts are remembered.
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
  double tolerance = 0;           ///< of the solver's residual, m/s
  std::int64_t sweeps = 0;        ///< at most, 0: no limit
  bool warm = true;               ///< each step starts from the impulses of the one before
  double dt = 0, alert = 0;       ///< s, m
  std::array<double, 2> gravity;  ///< m/s^2
  /// True: a vertex is a wall only where no segment that ends there has the foot of the disc's centre inside. False, as
  /// documented: each vertex is one for every disc, which gives ghost collisions.
  bool joint = true;
};

enum class Partner : std::uint8_t { disc, segment, vertex };

/// Of `disc` and of the disc, segment or vertex `other`; of two discs `disc` is the one with the greater index. The
/// normal has length 1 and points from the other to the disc. gap < 0 is overlap (m). The impulse (N s) acts on the
/// disc along the normal.
struct Contact {
  Partner partner = Partner::disc;
  std::int32_t disc = 0, other = 0;
  double gap = 0, normal_x = 0, normal_y = 0, impulse = 0;
};

/// Before the step of this number. Contacts are those of the step before, with gaps and normals at its start: first
/// discs by (other, disc), then segments by (disc, other), then vertices by (disc, other). A step depends on this
/// state, the boundary and the settings alone, and of the contacts on which they are and on their impulses.
struct State {
  std::vector<double> x, y, velocity_x, velocity_y, radius, inverse_mass;
  std::vector<Contact> contacts;
  std::uint64_t step = 0;
};

/// Of one step. The overlap is that at its start, velocities and energy are those at its end.
struct StepReport {
  std::size_t contacts = 0;
  std::int64_t sweeps = 0;
  double residual = 0;
  bool capped = false;
  double greatest_overlap = 0;               ///< m, 0 where nothing overlaps
  std::array<double, 2> wall_impulse{0, 0};  ///< N s, the sum of what the discs gave to all walls
  double kinetic_energy = 0;                 ///< J
  double greatest_speed = 0;                 ///< m/s; times dt it is to be at most the alert distance
  std::size_t unforeseen = 0;      ///< pairs that overlap and were no contact the step before: the alert distance
                                   ///< was too small
  std::size_t without_normal = 0;  ///< centres that coincide or stand on a wall: those contacts were left out
  bool finite = true;              ///< false: a number of the state is not, and nothing was done
};

/// Memory that a caller keeps from step to step.
struct Workspace {
  // Discs by cells.
  std::vector<std::int32_t> cell, begin, disc;
  std::vector<double> x, y, radius;
  // Contacts as columns.
  std::vector<Contact> found;
  std::vector<std::int32_t> i, j;
  std::vector<double> normal_x, normal_y, meeting, impulse, inverse_mass, velocity_x, velocity_y;
  nonsmooth::fast::Workspace solver;
};

/// The contacts at the state's positions whose gap is below the alert distance, in their order, with impulses 0.
/// Returns how many were left out because they have no normal.
std::size_t detect(State const& state, Boundary const& boundary, double alert, bool joint,
                   std::vector<Contact>& contacts, Workspace& workspace);

/// Gives `contacts` the impulses that the same pairs have in `before`, both in their order. Returns how many overlap
/// and were not there (of a disc at a wall, with no wall at all).
std::size_t remember(std::vector<Contact> const& before, std::vector<Contact>& contacts);

/// One step: v += dt g; contacts at x; velocities that satisfy them; x += dt v.
///
/// Deterministic, the same bits at every level of the processor. Domain: radii and dt above 0, the alert distance at
/// least 0. Source: docs/mathematics/nonsmooth.md#time-step.
StepReport advance(State& state, Boundary const& boundary, Settings const& settings, Workspace& workspace);

}  // namespace demeter::simulator::fast
