// Passes over all contacts or bodies of a problem, compiled for each level.
#pragma once

#include "fast/core/level.hpp"
#include "fast/family/nonsmooth/problem.hpp"

namespace demeter::nonsmooth::fast {

/// Number of rows per block. It is the same at every level, because every level must add rows in the same order.
inline constexpr std::size_t block = 8;

/// The contacts of a problem as columns, one contact per row.
struct Rows {
  std::size_t count;  // a multiple of `block`
  std::int32_t const *i, *j;
  double const *normal_x, *normal_y, *meeting, *inverse, *delassus, *mass_i, *mass_j;
  double* velocity;  // x, y of each body
};

/// The bodies of a problem in rows, each with its contacts (a star).
struct Stars {
  std::size_t blocks;
  std::size_t const* slots;
  std::int32_t const* contact;
  double const *push_x, *push_y;
  double const *from_x, *from_y;  // the velocities to which impulses are added
  double *kept_x, *kept_y;        // columns for the resulting velocities; may be null
  double* velocity;
};

/// Factors of a step of the optimised gradient method. `gradient` multiplies the gradient of this step. The other two
/// factors are for the history that the next step uses. `way` multiplies the vector from the plain gradient point to
/// the new impulses. `projection` multiplies the part that the projection removed.
struct Factors {
  double gradient, way, projection;
};

/// The passes of one level.
struct Passes {
  void (*coloured)(Rows const*, double* impulse);
  double (*accelerate)(Rows const*, double const* impulse, double* history, double* next, Factors const*);
  void (*project)(Rows const*, double const* impulse, double* next);
  double (*correct)(Rows const*, double* impulse, double* added);
  void (*move)(Stars const*, double const* impulse);
  double (*residual)(Rows const*, double const* impulse);
};

Passes const& passes_at(Level level);

// Passes over one contact after the other. The same code runs at every level.

/// Performs one sweep of projected Gauss-Seidel, one contact after the other.
void sweep_in_order(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double* impulses);

/// Performs one sweep of the method `documented`. Returns the largest correction.
double sweep_as_documented(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                           double* impulses);

/// Adds to the bodies the velocities that the impulses cause.
void push_all(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double const* impulses);

}  // namespace demeter::nonsmooth::fast
