// The point where two superquadrics touch when both grow about their centres by the same factor: min over x of max(N_i,
// N_j).
// Source: docs/mathematics/superquadrics.md#superquadric_contact-recommended-formula.
#pragma once

#include "reference/core/binary128.hpp"
#include "reference/family/superquadric/gauge.hpp"

#include <cmath>

namespace demeter::superquadric::reference {

/// Gauge N, gradient g and Hessian H at a point, in the frame in which the point is given.
template <class Scalar>
struct Slope {
  Scalar N;
  Vector3<Scalar> g;
  Matrix3<Scalar> H;
};

/// Returns the gauge and its derivatives in the body's own frame. Where no Hessian exists, 0 is used: the solver then
/// takes longer but finds the same solution.
template <power_scalar Scalar>
Slope<Scalar> own_slope(Shape<Scalar> const& shape, Vector3<Scalar> const& y) {
  Gauge<Scalar> const of = gauge<Scalar>(shape, y);
  std::optional<Matrix3<Scalar>> const H = hessian<Scalar>(shape, of, y);
  return {of.N, gradient<Scalar>(shape, of, y), H ? *H : Matrix3<Scalar>(Matrix3<Scalar>::Zero())};
}
template <power_scalar Scalar>
Slope<Scalar> slope(Body<Scalar> const& body, Vector3<Scalar> const& x) {
  Slope<Scalar> const own = own_slope<Scalar>(body.shape, body.local(x));
  return {own.N, body.R * own.g, body.R * own.H * body.R.transpose()};
}

/// Returns the solution of A x = b for a positive definite matrix, by A = L D L^T.
template <class Scalar>
Vector3<Scalar> solve(Matrix3<Scalar> const& A, Vector3<Scalar> const& b) {
  Scalar const d0 = A(0, 0), l10 = A(1, 0) / d0, l20 = A(2, 0) / d0, d1 = A(1, 1) - l10 * A(1, 0),
               l21 = (A(2, 1) - l20 * A(1, 0)) / d1, d2 = A(2, 2) - l20 * A(2, 0) - l21 * l21 * d1;
  Scalar const y1 = b[1] - l10 * b[0], y2 = b[2] - l20 * b[0] - l21 * y1;
  Scalar const x2 = y2 / d2, x1 = y1 / d1 - l21 * x2, x0 = b[0] / d0 - l10 * x1 - l20 * x2;
  return {x0, x1, x2};
}

/// The gauges of both bodies at a point x of the global frame.
template <class Scalar>
struct Meeting {
  Vector3<Scalar> x;
  Slope<Scalar> i, j;
  Scalar weight_i, weight_j;  ///< |grad N_i|, |grad N_j|

  /// Returns max(N_i, N_j). The contact point minimises this function.
  Scalar larger() const { return i.N < j.N ? j.N : i.N; }
  /// Returns lambda N_i + (1 - lambda) N_j with lambda = |g_j| / (|g_i| + |g_j|). At the solution this is sigma. Near
  /// the solution, the difference from sigma is of second order in the distance from the solution.
  Scalar sigma() const { return (weight_j * i.N + weight_i * j.N) / (weight_i + weight_j); }
  /// Returns the sum of two errors, which is 0 at the solution: the difference of the gradients from opposite
  /// directions, and the relative difference of the gauges.
  Scalar residual() const {
    Vector3<Scalar> const sum = i.g / weight_i + j.g / weight_j;
    return sum.norm() + magnitude<Scalar>(i.N - j.N) / larger();
  }
  /// Returns the unit normal from j to i.
  Vector3<Scalar> normal() const {
    Vector3<Scalar> const n = j.g / weight_j - i.g / weight_i;
    return n / n.norm();
  }
};

template <power_scalar Scalar>
Meeting<Scalar> meeting(Body<Scalar> const& i, Body<Scalar> const& j, Vector3<Scalar> const& x) {
  Slope<Scalar> const at_i = slope<Scalar>(i, x), at_j = slope<Scalar>(j, x);
  return {x, at_i, at_j, at_i.g.norm(), at_j.g.norm()};
}

/// The step p to the minimum of max(f_i + grad f_i.p, f_j + grad f_j.p) + p.W p / 2 with f = N^2 / 2 and grad f = N g.
/// The Hessian of f is N H + g g^T. It is constant for ellipsoids. W is the sum of the Hessians of both bodies, each
/// times its weight at the solution, plus `damping` times the trace of this sum. If both functions are active, e.p =
/// f_j - f_i with e = grad f_i - grad f_j. Then a multiple of e e^T may be added to W to make W definite.
template <class Scalar>
struct Step {
  Vector3<Scalar> p;
  Scalar decrease;  ///< predicted decrease of the larger f
};
template <power_scalar Scalar>
Step<Scalar> step(Meeting<Scalar> const& at, Scalar const& damping, Scalar const& reach) {
  Scalar const zero(0), one(1), half = one / 2;
  Vector3<Scalar> const gi = at.i.N * at.i.g, gj = at.j.N * at.j.g, e = gi - gj;
  Scalar const fi = half * at.i.N * at.i.N, fj = half * at.j.N * at.j.N, c = fj - fi;
  Scalar const lambda = at.weight_j / (at.weight_i + at.weight_j);
  Matrix3<Scalar> W = lambda * (at.i.N * at.i.H + at.i.g * at.i.g.transpose()) +
                      (one - lambda) * (at.j.N * at.j.H + at.j.g * at.j.g.transpose());
  Scalar const trace = W.trace();
  W += damping * trace * Matrix3<Scalar>::Identity();
  Matrix3<Scalar> const both = W + trace / e.dot(e) * (e * e.transpose());
  Vector3<Scalar> const along_g = solve<Scalar>(both, gj), along_e = solve<Scalar>(both, e);
  Scalar const share = -(c + e.dot(along_g)) / e.dot(along_e), of_i = share + trace / e.dot(e) * c;
  Step<Scalar> result;
  result.p = -(along_g + share * along_e);
  if (!(zero < of_i)) result.p = -solve<Scalar>(W, gj);
  if (!(of_i < one)) result.p = -solve<Scalar>(W, gi);
  // On a face without curvature, p may have any length. The useful points are not farther away than the size of the
  // bodies.
  Scalar const far = result.p.norm();
  if (reach < far) result.p *= reach / far;
  Scalar const at_i = fi + gi.dot(result.p), at_j = fj + gj.dot(result.p), now = fi < fj ? fj : fi;
  result.decrease = now - (at_i < at_j ? at_j : at_i);
  return result;
}

/// Returns a point near `at` where the gauges are nearly equal. The point is on the line from `at` to the centre of the
/// body with the steeper gauge. Along this line, the steeper gauge is linear. The other gauge is approximated as
/// linear.
template <class Scalar>
Vector3<Scalar> evened(Body<Scalar> const& i, Body<Scalar> const& j, Meeting<Scalar> const& at) {
  bool const to_i = at.weight_j < at.weight_i;
  Slope<Scalar> const &steep = to_i ? at.i : at.j, &other = to_i ? at.j : at.i;
  Vector3<Scalar> const centre = to_i ? i.centre : j.centre, arm = at.x - centre;
  Scalar const change = other.g.dot(arm);
  return centre + (other.N - change) / (steep.N - change) * arm;
}

/// Returns the solution, by a search from `start`, as accurately as the scalar allows.
/// While rounding does not hide the decrease of the larger gauge, a step must have at least a ten-thousandth of the
/// predicted decrease. The problem is convex, so such a sequence always ends at the solution.
/// After that, a step is accepted if the residual falls, or if the gauges still decrease at the end of the step: convex
/// functions then decrease along the whole step. The search ends when no step is accepted.
/// The trial steps are p, p moved to equal gauges (`evened`), p/2 ... p/256, then p with increasing damping. A flat
/// direction may have made p useless. Damping keeps the parts of the step across the faces and along curved directions.
template <power_scalar Scalar>
Meeting<Scalar> touch(Body<Scalar> const& i, Body<Scalar> const& j, Vector3<Scalar> const& start) {
  Scalar const zero(0), one(1), half = one / 2, more(30), first = one / 1000000000, least = first / 10000;
  Meeting<Scalar> at = meeting<Scalar>(i, j, start);
  Scalar kept(0);
  for (int iteration = 0; iteration < 600; ++iteration) {
    Scalar const now = half * at.larger() * at.larger(), residual = at.residual();
    Scalar const from_i = Vector3<Scalar>(at.x - i.centre).norm(), from_j = Vector3<Scalar>(at.x - j.centre).norm(),
                 reach = from_i < from_j ? from_j : from_i;
    if (!(zero < residual)) break;
    // Flat faces have no curvature and need damping. This damping goes to 0 with the residual, faster than the
    // curvature.
    Scalar const always = least * (residual < one ? residual : one);
    Scalar part(1), damping = kept;
    Step<Scalar> of = step<Scalar>(at, Scalar(always + damping), reach);
    bool taken = false;
    auto const take = [&](Vector3<Scalar> const& x) {
      Meeting<Scalar> next = meeting<Scalar>(i, j, x);
      bool const telling = zero < of.decrease && now - of.decrease / 64 < now;
      Scalar const then = half * next.larger() * next.larger();
      Vector3<Scalar> const moved = x - at.x;
      Scalar const far = moved.norm(),
                   slope = next.i.g.dot(moved) / next.weight_i + next.j.g.dot(moved) / next.weight_j;
      // `lower` and `higher` are true only if the change is larger than the rounding of the squared gauges.
      bool const lower = now - (now - then) / 4 < now, higher = now < now + (then - now) / 4;
      bool const down = far + slope / 64 < far, nearer = next.residual() < residual * (one - part / 20);
      taken = telling ? lower && then < now - part * of.decrease / 10000 : nearer || (down && !higher);
      if (taken) at = next;
      return next;
    };
    int trial = 0;
    for (; trial < 24 && !taken; ++trial) {
      Meeting<Scalar> const next = take(Vector3<Scalar>(at.x + part * of.p));
      if (trial == 0 && !taken) take(evened<Scalar>(i, j, next));
      if (taken) break;
      part = trial < 8 ? part * half : one;
      if (trial < 8) continue;
      damping = damping * more < first ? first : damping * more;
      of = step<Scalar>(at, Scalar(always + damping), reach);
    }
    if (!taken) break;
    kept = !(least < damping) ? zero : damping / (more * more);
  }
  return at;
}

/// Returns the default start: the point on the line of centres where both bodies would touch if they were spheres.
template <power_scalar Scalar>
Vector3<Scalar> between(Body<Scalar> const& i, Body<Scalar> const& j) {
  Scalar const at_j = gauge<Scalar>(i.shape, i.local(j.centre)).N, at_i = gauge<Scalar>(j.shape, j.local(i.centre)).N;
  return i.centre + at_i / (at_i + at_j) * (j.centre - i.centre);
}

/// Returns the distance from a point x inside the body to the surface, along a unit vector along which the gauge grows.
/// Uses Newton's method. The gauge is convex, so the first step ends outside the body. From there, the values decrease
/// until rounding stops them.
template <power_scalar Scalar>
Scalar exit_distance(Body<Scalar> const& body, Vector3<Scalar> const& x, Vector3<Scalar> const& direction) {
  Scalar const one(1);
  Slope<Scalar> at = slope<Scalar>(body, x);
  Scalar t = (one - at.N) / at.g.dot(direction);
  for (int iteration = 0; iteration < 500; ++iteration) {
    at = slope<Scalar>(body, Vector3<Scalar>(x + t * direction));
    Scalar const next = t - (at.N - one) / at.g.dot(direction);
    if (!(next < t)) break;
    t = next;
  }
  return t;
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Meeting<float> touch(Body<float> const&, Body<float> const&, Vector3<float> const&);
extern template Meeting<double> touch(Body<double> const&, Body<double> const&, Vector3<double> const&);
extern template Meeting<long double> touch(Body<long double> const&, Body<long double> const&,
                                           Vector3<long double> const&);
extern template Meeting<Multiprecision> touch(Body<Multiprecision> const&, Body<Multiprecision> const&,
                                              Vector3<Multiprecision> const&);
extern template Meeting<Binary128> touch(Body<Binary128> const&, Body<Binary128> const&, Vector3<Binary128> const&);
extern template Vector3<float> between(Body<float> const&, Body<float> const&);
extern template Vector3<double> between(Body<double> const&, Body<double> const&);
extern template Vector3<long double> between(Body<long double> const&, Body<long double> const&);
extern template Vector3<Multiprecision> between(Body<Multiprecision> const&, Body<Multiprecision> const&);
extern template Vector3<Binary128> between(Body<Binary128> const&, Body<Binary128> const&);
extern template float exit_distance(Body<float> const&, Vector3<float> const&, Vector3<float> const&);
extern template double exit_distance(Body<double> const&, Vector3<double> const&, Vector3<double> const&);
extern template long double exit_distance(Body<long double> const&, Vector3<long double> const&,
                                          Vector3<long double> const&);
extern template Multiprecision exit_distance(Body<Multiprecision> const&, Vector3<Multiprecision> const&,
                                             Vector3<Multiprecision> const&);
extern template Binary128 exit_distance(Body<Binary128> const&, Vector3<Binary128> const&, Vector3<Binary128> const&);
extern template Slope<float> slope(Body<float> const&, Vector3<float> const&);
extern template Slope<double> slope(Body<double> const&, Vector3<double> const&);
extern template Slope<long double> slope(Body<long double> const&, Vector3<long double> const&);
extern template Slope<Multiprecision> slope(Body<Multiprecision> const&, Vector3<Multiprecision> const&);
extern template Slope<Binary128> slope(Body<Binary128> const&, Vector3<Binary128> const&);
extern template Slope<float> own_slope(Shape<float> const&, Vector3<float> const&);
extern template Slope<double> own_slope(Shape<double> const&, Vector3<double> const&);
extern template Slope<long double> own_slope(Shape<long double> const&, Vector3<long double> const&);
extern template Slope<Multiprecision> own_slope(Shape<Multiprecision> const&, Vector3<Multiprecision> const&);
extern template Slope<Binary128> own_slope(Shape<Binary128> const&, Vector3<Binary128> const&);

}  // namespace demeter::superquadric::reference
