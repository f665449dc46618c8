// Solvers of the contact problem in the plane, without friction and restitution: 0 <= p, w(p) >= 0, p w(p) = 0.
#pragma once

#include "fast/core/level.hpp"
#include "fast/family/nonsmooth/problem.hpp"

#include <span>

namespace demeter::nonsmooth::fast {

/// Solves `problem` by sweeps until the residual is at most the tolerance, or until no sweep is left. It is looked at
/// before the first sweep, after the last, and in between as often as costs little.
///
/// `impulses`: one a contact; in, those to start from, >= 0 (zeros: cold); out, those reached. `velocity_x`,
/// `velocity_y`: one a body, those reached; they may be the problem's own. Domain: that of `Problem`, all finite.
///
/// All levels give the same bits; `level` must be available.
Outcome solve(Level level, Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace);

/// The same at the best level of this processor.
Outcome solve(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace);

/// max_k |min((1/m_i + 1/m_j) p_k, w_k)| of any impulses and velocities (m/s): 0 if they solve the problem.
double natural_residual(Problem const& problem, std::span<double const> impulses, std::span<double const> velocity_x,
                        std::span<double const> velocity_y);

}  // namespace demeter::nonsmooth::fast
