// Solvers of the contact problem in the plane, without friction and restitution: 0 <= p, w(p) >= 0, p w(p) = 0.
#pragma once

#include "fast/core/level.hpp"
#include "fast/family/nonsmooth/problem.hpp"

#include <span>

namespace demeter::nonsmooth::fast {

/// Solves `problem` by sweeps until the residual is at most the tolerance or no sweep is left. The residual is computed
/// before the first sweep, after the last sweep, and after some sweeps in between. The residuals take little time.
///
/// `impulses`: one per contact. On entry: the start values >= 0 (zeros: cold start). On return: the result.
/// `velocity_x`, `velocity_y`: the result, one per body. They may alias the problem's velocities. Domain: the domain of
/// `Problem`, with finite numbers.
///
/// All levels give the same bits. `level` must be available.
Outcome solve(Level level, Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace);

/// Solves `problem` at the best level of this CPU.
Outcome solve(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace);

/// Returns max_k |min((1/m_i + 1/m_j) p_k, w_k)| of any impulses and velocities (m/s). It is 0 if they solve the
/// problem.
double natural_residual(Problem const& problem, std::span<double const> impulses, std::span<double const> velocity_x,
                        std::span<double const> velocity_y);

}  // namespace demeter::nonsmooth::fast
