// The point where two superquadrics touch when both grow about their centres by the same factor, in long double.
// Nothing is proved about this point. The oracles certify the results that they compute at this point.
#pragma once

#include "reference/spec/family/superquadric_jet.hpp"
#include "reference/spec/family/symmetric_equations.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::superquadric::oracle {

using Wide = Vector3<long double>;
using conditioning::WideGauge, conditioning::wide_gauge;

/// The bodies with the centre of i as the origin; d is the centre of j.
struct Approximate {
  Superquadric<double> i, j;
  Wide d;

  Approximate(Superquadric<double> const& of_i, Superquadric<double> const& of_j) : i(of_i), j(of_j) {
    d = j.position.cast<long double>() - i.position.cast<long double>();
    i.position.setZero();
    j.position.setZero();
  }
  struct At {
    Wide x;
    WideGauge i, j;
    long double weight_i, weight_j;

    long double merit() const { return std::max(i.N, j.N) * std::max(i.N, j.N) / 2; }
    long double lambda() const { return weight_j / (weight_i + weight_j); }
    long double residual() const {
      return (i.g / weight_i + j.g / weight_j).norm() + std::fabs(i.N - j.N) / std::max(i.N, j.N);
    }
  };
  At at(Wide const& x) const {
    At result{x, wide_gauge(i, x), wide_gauge(j, Wide(x - d)), 0, 0};
    result.weight_i = result.i.g.norm();
    result.weight_j = result.j.g.norm();
    return result;
  }
};

/// Returns the point where max(N_i, N_j) has its minimum, in long double. Each step goes to the minimum of a model. In
/// the model, N_i^2/2 and N_j^2/2 are linear functions with a common quadratic term. A step that does not decrease the
/// maximum enough is halved. If this does not help, the step is damped.
inline Approximate::At solution(Approximate const& pair) {
  using Matrix = Matrix3<long double>;
  using Equations = SymmetricEquations<long double>;
  long double const at_j = wide_gauge(pair.i, pair.d).N, at_i = wide_gauge(pair.j, Wide(-pair.d)).N;
  Approximate::At at = pair.at(Wide(at_i / (at_i + at_j) * pair.d));
  long double kept = 0;
  for (int iteration = 0; iteration < 2000; ++iteration) {
    long double const residual = at.residual(), now = at.merit(), lambda = at.lambda();
    if (!(residual > 0x1p-62L)) break;
    Wide const gi = at.i.N * at.i.g, gj = at.j.N * at.j.g, e = gi - gj;
    long double const fi = at.i.N * at.i.N / 2, fj = at.j.N * at.j.N / 2;
    Matrix const W = lambda * (at.i.N * at.i.H + at.i.g * at.i.g.transpose()) +
                     (1 - lambda) * (at.j.N * at.j.H + at.j.g * at.j.g.transpose());
    long double const trace = W.trace(), tau = trace / e.squaredNorm();
    bool taken = false;
    long double part = 1, damping = kept;
    int trial = 0;
    for (; trial < 22 && !taken; ++trial) {
      Matrix const damped = W + (damping + 1e-15L * std::min(residual, 1.0L)) * trace * Matrix::Identity();
      Equations const both(damped + tau * e * e.transpose());
      Wide const along_g = both.solve(gj), along_e = both.solve(e);
      long double const share = -(fj - fi + e.dot(along_g)) / e.dot(along_e), of_i = share + tau * (fj - fi);
      Wide p = -(along_g + share * along_e);
      if (!(of_i > 0)) p = -Equations(damped).solve(gj);
      if (!(of_i < 1)) p = -Equations(damped).solve(gi);
      // On a face without curvature the step p may be arbitrarily long.
      long double const reach = std::max(at.i.reach, at.j.reach);
      if (p.norm() > reach) p *= reach / p.norm();
      long double const decrease = now - std::max(fi + gi.dot(p), fj + gj.dot(p));
      // If the expected decrease is at the level of rounding errors, the values do not show whether the function has
      // decreased. The function is convex. Therefore its gradient at the end of the step shows this.
      auto const take = [&](Wide const& x) {
        Approximate::At const next = pair.at(x);
        long double const expected = part * decrease, noise = 0x1p-61L * now;
        Wide const moved = x - at.x;
        bool const downhill =
            next.i.g.dot(moved) / next.weight_i + next.j.g.dot(moved) / next.weight_j < -0x1p-55L * moved.norm();
        taken = next.merit() < now - std::max(1e-4L * expected, noise) && expected > 0x1p-62L * now;
        if (!taken && expected <= 0x1p-57L * now && next.merit() <= now + noise)
          taken = downhill || next.residual() < residual * (1 - part / 20);
        if (taken) at = next;
        return next;
      };
      Approximate::At const next = take(Wide(at.x + part * p));
      if (trial == 0 && !taken) {
        // On the line to the centre of the body with the steeper gauge, this gauge is linear. The next trial is the
        // point of the line where the gauges are equal.
        bool const to_i = next.weight_j < next.weight_i;
        WideGauge const &steep = to_i ? next.i : next.j, &other = to_i ? next.j : next.i;
        Wide const centre = to_i ? Wide(Wide::Zero()) : pair.d, arm = next.x - centre;
        long double const change = other.g.dot(arm);
        take(Wide(centre + (other.N - change) / (steep.N - change) * arm));
      }
      if (taken) break;
      part = trial < 6 ? part / 2 : 1;
      if (trial >= 6) damping = std::max(1e-9L, 30 * damping);
    }
    if (!taken) break;
    kept = damping <= 1e-14L ? 0 : damping / 900;
  }
  return at;
}

}  // namespace demeter::superquadric::oracle
