// A plain solver for the contact of two superquadrics in long double. The mutants of the kernels of superquadrics use
// it.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/once.hpp"
#include "reference/spec/family/superquadric_jet.hpp"
#include "reference/spec/family/symmetric_equations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace demeter::superquadric::mutants {

using Real = long double;
using Wide = Vector3<Real>;
using Body = Superquadric<double>;
using conditioning::WideGauge, conditioning::wide_gauge;

/// Both bodies, and the vector d from the centre of i to the centre of j.
struct Pair {
  Body i, j;
  Wide d;
};
/// Ways to misread a body, for the mutants of superquadric_contact and superquadric_depth.
inline constexpr Defect misreadings[] = {
    {"not_normalised", "the quaternion is not normalised", "LIGGGHTS: non-unit quaternions scale space"},
    {"divided_by_length", "the rotation is divided by |q| instead of |q|^2", "a missing square"},
    {"scalar_last", "the quaternion is read as x, y, z, w", "order of a quaternion"},
    {"conjugate", "the inverse rotation is used", "direction of a rotation"},
    {"integer_exponents", "exponents within 0.01 of an integer are rounded", "LIGGGHTS: n = 2.991 gives F = -.118"},
    {"equal_exponents", "n1 and n2 within 1 % are treated as equal", "LIGGGHTS: n1/n2 within 1 % of 1"},
    {"exponents_exchanged", "n1 and n2 are exchanged", "exponents exchanged"},
    {"exponents_of_i", "the exponents of i are used for both bodies", "copy and paste"},
    {"semi_axes_are_axes", "semi-axes are treated as diameters", "half and whole exchanged"},
    {"y_for_z", "b instead of c", "copy and paste"},
    {"millimetres", "bodies below 1 mm are too large by 1e-6", "LIGGGHTS: results depend on the unit"},
};

/// Reads both bodies with a defect of `misreadings` or with a defect of the kernel. `own(body)` applies the defects of
/// the kernel. At most one defect is active, so the order of the changes does not matter.
template <class Case, class Chosen, class Own>
Pair misread(Case const& in, Chosen const with, Own const& own) {
  Pair pair{in.i, in.j, {}};
  for (Body* body : {&pair.i, &pair.j}) {
    own(*body);
    auto& q = body->orientation;
    if (with("scalar_last")) q = Quaternion<double>(q[3], q[0], q[1], q[2]);
    if (with("conjugate")) q = Quaternion<double>(q[0], -q[1], -q[2], -q[3]);
    if (with("semi_axes_are_axes")) body->semi_axes *= 0.5;
    if (with("y_for_z")) body->semi_axes[2] = body->semi_axes[1];
    if (with("exponents_exchanged")) std::swap(body->n1, body->n2);
    if (with("equal_exponents") && std::fabs(body->n1 / body->n2 - 1) < 0.01) body->n2 = body->n1;
    if (with("integer_exponents"))
      for (double* n : {&body->n1, &body->n2})
        if (std::fabs(*n - std::round(*n)) < 0.01) *n = std::round(*n);
    if (with("millimetres") && body->semi_axes.maxCoeff() < 1e-3) body->semi_axes *= 1 + 1e-6;
    body->position.setZero();
  }
  if (with("exponents_of_i")) pair.j.n1 = in.i.n1, pair.j.n2 = in.i.n2;
  pair.d = in.j.position.template cast<Real>() - in.i.position.template cast<Real>();
  return pair;
}

struct Meeting {
  Wide x;
  WideGauge i, j;
  Real weight_i, weight_j;

  Real larger() const { return std::max(i.N, j.N); }
  Real lambda() const { return weight_j / (weight_i + weight_j); }
  Real sigma() const { return lambda() * i.N + (1 - lambda()) * j.N; }
  Real residual() const { return (i.g / weight_i + j.g / weight_j).norm() + std::fabs(i.N - j.N) / larger(); }
  Wide normal() const { return Wide(j.g / weight_j - i.g / weight_i).normalized(); }
};
inline Meeting meeting(Pair const& of, Wide const& x) {
  Meeting at{x, wide_gauge(of.i, x), wide_gauge(of.j, Wide(x - of.d)), 0, 0};
  at.weight_i = at.i.g.norm();
  at.weight_j = at.j.g.norm();
  return at;
}
inline Wide start(Pair const& of) {
  Real const at_j = wide_gauge(of.i, of.d).N, at_i = wide_gauge(of.j, Wide(-of.d)).N;
  return at_i / (at_i + at_j) * of.d;
}

struct Step {
  Wide p;
  Real decrease;
};
inline Step step(Meeting const& at, Real damping) {
  using Equations = SymmetricEquations<Real>;
  Wide const gi = at.i.N * at.i.g, gj = at.j.N * at.j.g, e = gi - gj;
  Real const fi = at.i.N * at.i.N / 2, fj = at.j.N * at.j.N / 2, c = fj - fi;
  Matrix3<Real> W = at.lambda() * (at.i.N * at.i.H + at.i.g * at.i.g.transpose()) +
                    (1 - at.lambda()) * (at.j.N * at.j.H + at.j.g * at.j.g.transpose());
  Real const trace = W.trace(), tau = trace / e.squaredNorm();
  W += damping * trace * Matrix3<Real>::Identity();
  Equations const both(W + tau * e * e.transpose());
  Wide const along_g = both.solve(gj), along_e = both.solve(e);
  Real const share = -(c + e.dot(along_g)) / e.dot(along_e), of_i = share + tau * c;
  Wide p = -(along_g + share * along_e);
  if (!(of_i > 0)) p = -Equations(W).solve(gj);
  if (!(of_i < 1)) p = -Equations(W).solve(gi);
  Real const reach = std::max(at.i.reach, at.j.reach);
  if (p.norm() > reach) p *= reach / p.norm();
  return {p, std::max(fi, fj) - std::max(fi + gi.dot(p), fj + gj.dot(p))};
}

/// Searches the point where the larger of the two gauges has its minimum. Accepts a step if this gauge decreases. If
/// rounding hides the decrease, accepts a step if the slope at its end is still negative, or if the residual decreases.
inline Meeting touch(Pair const& of, Wide const& from) {
  Meeting at = meeting(of, from);
  Real kept = 0;
  for (int iteration = 0; iteration < 2000; ++iteration) {
    Real const residual = at.residual(), now = at.larger() * at.larger() / 2;
    // Below a residual of 2^-58, every step is a rounding error. Below 2^-50, shortened steps are rounding errors too,
    // so 3 trials are enough. Without this limit, most searches ended with 22 such trials.
    if (!(residual > 0x1p-58L)) break;
    int const most_trials = residual < 0x1p-50L ? 3 : 22;
    bool taken = false;
    Real part = 1, damping = kept;
    int trial = 0;
    for (; trial < most_trials && !taken; ++trial) {
      Step const next_step = step(at, damping + 1e-15L * std::min(residual, Real(1)));
      auto const take = [&](Wide const& x) {
        Meeting const next = meeting(of, x);
        Real const then = next.larger() * next.larger() / 2, expected = part * next_step.decrease,
                   noise = 0x1p-61L * now;
        Wide const moved = x - at.x;
        Real const slope = next.i.g.dot(moved) / next.weight_i + next.j.g.dot(moved) / next.weight_j;
        taken = expected > 0x1p-62L * now && then < now - std::max(1e-4L * expected, noise);
        if (!taken && expected <= 0x1p-57L * now && then <= now + noise)
          taken = slope < -0x1p-55L * moved.norm() || next.residual() < residual * (1 - part / 20);
        if (taken) at = next;
        return next;
      };
      Meeting const next = take(Wide(at.x + part * next_step.p));
      if (trial == 0 && !taken) {
        bool const to_i = next.weight_j < next.weight_i;
        WideGauge const &steep = to_i ? next.i : next.j, &other = to_i ? next.j : next.i;
        Wide const centre = to_i ? Wide(Wide::Zero()) : of.d, arm = next.x - centre;
        Real const change = other.g.dot(arm);
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

/// Returns the result of `solve()`, which runs only once per pair.
template <class Solve>
auto const& once_a_pair(Pair const& of, Solve const& solve) {
  std::array<double, 24> numbers{};
  std::size_t at = 0;
  for (Body const* body : {&of.i, &of.j}) {
    for (double const x : body->semi_axes) numbers[at++] = x;
    for (double const x : body->orientation) numbers[at++] = x;
    numbers[at++] = body->n1;
    numbers[at++] = body->n2;
  }
  for (Real const x : of.d) {
    numbers[at++] = static_cast<double>(x);
    numbers[at] = static_cast<double>(x - numbers[at - 1]);
    ++at;
  }
  // The key consists of bytes: a NaN is then equal to itself.
  std::string key(sizeof numbers, '\0');
  std::memcpy(key.data(), numbers.data(), sizeof numbers);
  return once(std::move(key), 8192, solve);
}

}  // namespace demeter::superquadric::mutants
