// The contact problem in the plane, without friction and restitution, and the memory of its solvers.
#pragma once

#include "fast/core/aligned.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace demeter::nonsmooth::fast {

/// One problem: bodies with their velocities without contacts (m/s), and the contacts in the order of a sweep.
///
/// Body b has the inverse mass inverse_mass[b] (1/kg). It is 0 for a wall, whose velocity is given and does not change.
/// Contact k is between the bodies i[k] and j[k], which differ and are not both walls. Its unit normal (normal_x,
/// normal_y)[k] points from j to i. meeting[k] = max(0, gap)/dt >= 0 (m/s) is the speed at which the bodies may
/// approach. Its normal velocity is w = (v_i - v_j).n + meeting. Its impulse p (N s) acts as p n on i and as -p n on j.
struct Problem {
  std::span<double const> inverse_mass, velocity_x, velocity_y;
  std::span<std::int32_t const> i, j;
  std::span<double const> normal_x, normal_y, meeting;
};

/// The operation of a sweep over all contacts. D_k = 1/m_i + 1/m_j unless stated otherwise.
///
/// * nlgs: projected Gauss-Seidel with accumulated impulses, p_k <- max(0, p_k - w_k/D_k), one contact after the other.
/// * coloured: as nlgs, but contacts that share no body of finite mass are updated at once.
/// * jacobi: all contacts at once, p <- max(0, p - omega w/D), omega = 1.9/L. L is the largest eigenvalue, over all
///   bodies, of a body's sum of n n^T over its contacts.
/// * mass_splitting_jacobi: all contacts at once with omega = 1 and D_k = c_i/m_i + c_j/m_j. c is the number of
///   contacts of a body.
/// * apgd: the optimised accelerated projected gradient method, with omega = 1 and D_k = e_i/m_i + e_j/m_j. e is the
///   largest eigenvalue of a body's sum of n n^T, at most c. The momentum is halved whenever it points uphill,
///   w.(p_new - p_old) > 0.
/// * documented: without accumulation, each contact adds max(0, -w_k)/D_k, one after the other. The final velocities
///   have w >= 0 but are in general not those of the solution. The impulse of a contact is the sum of its additions.
/// * documented_jacobi: as documented, all contacts at once. It may diverge.
///
/// Source: docs/mathematics/nonsmooth.md#solvers.
enum class Method { nlgs, coloured, jacobi, mass_splitting_jacobi, apgd, documented, documented_jacobi };
constexpr std::array<std::string_view, 7> labels(Method) {
  return {"nlgs", "coloured", "jacobi", "mass_splitting_jacobi", "apgd", "documented", "documented_jacobi"};
}
inline constexpr std::array methods{
    Method::nlgs, Method::coloured,   Method::jacobi,           Method::mass_splitting_jacobi,
    Method::apgd, Method::documented, Method::documented_jacobi};

/// True if the sweeps of a method converge to the solution of every problem that has one.
constexpr bool solves(Method method) { return method != Method::documented && method != Method::documented_jacobi; }

struct Limits {
  double tolerance = 0;     ///< limit of the residual, m/s; if negative, all sweeps are used
  std::int64_t sweeps = 0;  ///< maximum number of sweeps
};

/// The result of a solver. The residual (m/s) is max_k |min((1/m_i + 1/m_j) p_k, w_k)| of the returned impulses and
/// velocities. It is 0 at the solution. The documented methods test only feasibility and start without impulses. Their
/// residual is the largest max(0, -w_k) of the last sweep. The residual is infinite if a number is not finite.
struct Outcome {
  std::int64_t sweeps = 0;
  double residual = 0;
  bool capped = false;  ///< true if all sweeps were used and the residual is still above the tolerance
};

/// Memory of the solvers. If a caller keeps it, the next problem of the same size needs no allocation. The contents are
/// private to the solvers.
struct Workspace {
  struct Body {
    double x, y, inverse_mass;
  };
  struct Contact {
    std::int32_t i, j;
    double normal_x, normal_y, meeting, inverse;
  };

  // For methods that update the contacts one after the other.
  std::vector<Body> bodies;
  std::vector<Contact> contacts;

  // Contacts in blocks of eight rows. Some rows are empty. For the method `coloured`, the order of the rows differs
  // from the order of the contacts: row_of_contact gives the row of a contact.
  std::vector<std::int32_t> row_of_contact;
  fast_core::Aligned<std::int32_t> i, j;
  fast_core::Aligned<double> normal_x, normal_y, meeting, inverse, delassus, mass_i, mass_j, impulse, next_impulse,
      history;
  fast_core::Aligned<double> velocity;  // x, y of each body

  // Bodies in blocks of eight, grouped by their number of contacts, and the contacts of each body. A slot of a block
  // has eight rows: one contact for each body of the block.
  std::vector<std::int32_t> body_of_row, row_of_body;
  std::vector<std::size_t> slots;  // the first slot of each block; the last entry is the number of slots
  fast_core::Aligned<std::int32_t> contact;
  fast_core::Aligned<double> push_x, push_y;  // the velocity caused by an impulse of 1
  fast_core::Aligned<double> free_x, free_y;

  std::vector<std::uint64_t> marks;
  std::vector<std::int32_t> count;
  std::vector<double> tensor, eigenvalue;  // for each body: xx, xy, yy of the sum of n n^T, and its larger eigenvalue
};

}  // namespace demeter::nonsmooth::fast
