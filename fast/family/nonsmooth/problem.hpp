// The contact problem in the plane, without friction and restitution, and what a solver of it keeps.
#pragma once

#include "fast/core/aligned.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace demeter::nonsmooth::fast {

/// One problem: bodies with the velocities that they would have without contacts (m/s), and the contacts, in the order
/// in which a sweep goes through them.
///
/// Body b has the inverse mass inverse_mass[b] (1/kg), 0 for a wall, whose velocity is given and stays. Contact k is
/// that of the bodies i[k] and j[k], not the same and not two walls, with the unit normal (normal_x, normal_y)[k],
/// which points from j to i, and meeting[k] = max(0, gap)/dt >= 0 (m/s), the speed at which they may approach. Its
/// normal velocity is w = (v_i - v_j).n + meeting, and its impulse p (N s) is p n on i and -p n on j.
struct Problem {
  std::span<double const> inverse_mass, velocity_x, velocity_y;
  std::span<std::int32_t const> i, j;
  std::span<double const> normal_x, normal_y, meeting;
};

/// What a sweep over all contacts does; D_k = 1/m_i + 1/m_j unless said.
///
/// * nlgs: projected Gauss-Seidel with accumulated impulses, p_k <- max(0, p_k - w_k/D_k), one contact after the other.
/// * coloured: the same, contacts that share no body of finite mass at once.
/// * jacobi: all contacts at once, p <- max(0, p - omega w/D), omega = 1.9/L, L the greatest eigenvalue that the sum of
///   n n^T over the contacts of a body has.
/// * mass_splitting_jacobi: all at once with omega = 1 and D_k = c_i/m_i + c_j/m_j, c the number of a body's contacts.
/// * apgd: an accelerated projected gradient, the optimised one, with omega = 1 and D_k = e_i/m_i + e_j/m_j, e the
/// greatest
///   eigenvalue of a body's sum of n n^T, which is at most c; it loses half its pace whenever it points uphill,
///   w.(p_new - p_old) > 0.
/// * documented: nothing is accumulated, each contact adds max(0, -w_k)/D_k one after the other. It ends at some
///   velocities at which w >= 0, in general not those of the solution. The impulse is the sum of what a contact added.
/// * documented_jacobi: the same, all contacts at once. It may diverge.
///
/// Source: docs/mathematics/nonsmooth.md#solvers.
enum class Method { nlgs, coloured, jacobi, mass_splitting_jacobi, apgd, documented, documented_jacobi };
constexpr std::array<std::string_view, 7> labels(Method) {
  return {"nlgs", "coloured", "jacobi", "mass_splitting_jacobi", "apgd", "documented", "documented_jacobi"};
}
inline constexpr std::array methods{
    Method::nlgs, Method::coloured,   Method::jacobi,           Method::mass_splitting_jacobi,
    Method::apgd, Method::documented, Method::documented_jacobi};

/// Whether a method's sweeps converge to the solution of every problem that has one.
constexpr bool solves(Method method) { return method != Method::documented && method != Method::documented_jacobi; }

struct Limits {
  double tolerance = 0;     ///< of the residual, m/s; below 0 all sweeps are used
  std::int64_t sweeps = 0;  ///< at most
};

/// What was reached. The residual (m/s) is max_k |min((1/m_i + 1/m_j) p_k, w_k)| of the impulses and velocities handed
/// out, 0 at the solution. The documented methods test feasibility alone and start without impulses: theirs is the
/// greatest max(0, -w_k) that the last sweep met. Infinite if a number is not finite.
struct Outcome {
  std::int64_t sweeps = 0;
  double residual = 0;
  bool capped = false;  ///< all sweeps were used and the residual is still above the tolerance
};

/// Memory of the solvers, which a caller keeps so that the next problem of the size allocates nothing. What it holds
/// means nothing to anyone else.
struct Workspace {
  struct Body {
    double x, y, inverse_mass;
  };
  struct Contact {
    std::int32_t i, j;
    double normal_x, normal_y, meeting, inverse;
  };

  // Contacts one after the other.
  std::vector<Body> bodies;
  std::vector<Contact> contacts;

  // Contacts in blocks of eight: rows of the columns are contacts in an order of their own, some of them none.
  std::vector<std::int32_t> row_of_contact;
  fast_core::Aligned<std::int32_t> i, j;
  fast_core::Aligned<double> normal_x, normal_y, meeting, inverse, delassus, mass_i, mass_j, impulse, next_impulse,
      history;
  fast_core::Aligned<double> velocity;  // x, y of a body after the other

  // Bodies in blocks of eight, those of about as many contacts together, and the contacts of each: slot s of a block
  // has eight rows, a contact of each of its bodies.
  std::vector<std::int32_t> body_of_row, row_of_body;
  std::vector<std::size_t> slots;  // the first of a block, and the end
  fast_core::Aligned<std::int32_t> contact;
  fast_core::Aligned<double> push_x, push_y;  // the velocity that an impulse of 1 gives
  fast_core::Aligned<double> free_x, free_y;

  std::vector<std::uint64_t> marks;
  std::vector<std::int32_t> count;
  std::vector<double> tensor, eigenvalue;  // of each body xx, xy, yy, and the greater one
};

}  // namespace demeter::nonsmooth::fast
