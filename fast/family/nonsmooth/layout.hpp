// Layout of the contacts and bodies of a problem in the workspace of a solver.
#pragma once

#include "fast/family/nonsmooth/passes.hpp"

#include <span>

namespace demeter::nonsmooth::fast {

inline std::size_t index(std::int32_t k) { return static_cast<std::size_t>(k); }

/// Returns 1/m_i + 1/m_j of contact k (1/kg).
inline double delassus(Problem const& problem, std::size_t k) {
  return problem.inverse_mass[index(problem.i[k])] + problem.inverse_mass[index(problem.j[k])];
}

/// Stores the contacts one after the other. The bodies get their velocities without contacts.
void lay_out_in_order(Problem const& problem, Workspace& workspace);

/// Stores the contacts in blocks by colour. The bodies get their velocities after the given impulses.
void lay_out_coloured(Problem const& problem, std::span<double const> impulses, Workspace& workspace);

/// Stores the bodies in rows, grouped by their number of contacts. Stores the contacts of each body in slots.
void lay_out_stars(Problem const& problem, Workspace& workspace);

/// Sets D (see Method) of every contact to c_i/m_i + c_j/m_j, where c is the number of contacts of a body. A step with
/// this D cannot overshoot.
void split_masses(Problem const& problem, Workspace& workspace);

/// For each body of finite mass, computes the largest eigenvalue of the sum of n n^T over its contacts.
void find_eigenvalues(Problem const& problem, Workspace& workspace);

/// Sets D of every contact to e_i/m_i + e_j/m_j with the eigenvalues e of find_eigenvalues().
void split_by_eigenvalues(Problem const& problem, Workspace& workspace);

/// Returns the contacts in the rows that lay_out_coloured() or lay_out_stars() stored.
Rows rows_of(Workspace& workspace);

}  // namespace demeter::nonsmooth::fast
