// Solvers for the impulses p of a step. The conditions are 0 <= p, 0 <= w, p w = 0. Here w is the velocity at a contact
// after the impulses, plus gap / dt if the gap is positive. Source: docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "simulator/reference/nonsmooth_system.hpp"

namespace demeter::simulator::reference {

/// A contact of disc i with disc j or with the boundary. A contact with the boundary does not use j.
template <class Scalar>
struct Row {
  std::size_t i, j;
  bool wall;
  Vector2<Scalar> normal;      ///< unit vector from j to i
  Vector2<Scalar> on_i, on_j;  ///< change of the velocities of i and j per unit of impulse: normal / mass
  Scalar b;                    ///< max(0, gap) / dt
  Scalar weight, inverse;      ///< W = 1/m_i + 1/m_j, and 1/W
};

/// Largest number of sweeps if itmax is 0. A solver that reaches this number fails: rounding errors keep its residual
/// above the tolerance.
inline constexpr std::uint64_t most_sweeps = 10'000'000;

template <turning_scalar Scalar>
Scalar velocity_at(Row<Scalar> const& row, std::vector<Vector2<Scalar>> const& v) {
  if (row.wall) return v[row.i][0] * row.normal[0] + v[row.i][1] * row.normal[1] + row.b;
  return (v[row.i][0] - v[row.j][0]) * row.normal[0] + (v[row.i][1] - v[row.j][1]) * row.normal[1] + row.b;
}

template <turning_scalar Scalar>
void push(Row<Scalar> const& row, Scalar const& impulse, std::vector<Vector2<Scalar>>& v) {
  v[row.i][0] = v[row.i][0] + impulse * row.on_i[0];
  v[row.i][1] = v[row.i][1] + impulse * row.on_i[1];
  if (row.wall) return;
  v[row.j][0] = v[row.j][0] - impulse * row.on_j[0];
  v[row.j][1] = v[row.j][1] - impulse * row.on_j[1];
}

/// Returns |min(W p, w)|, a speed.
template <turning_scalar Scalar>
Scalar natural_residual(Row<Scalar> const& row, Scalar const& p, Scalar const& w) {
  Scalar const of_p = row.weight * p, least = w < of_p ? w : of_p;
  return least < Scalar(0) ? Scalar(-least) : least;
}

/// Returns whether x is finite. NaN compares false with every number.
template <class Scalar>
bool is_number(Scalar const& x) {
  return !(x < x) && x - x <= Scalar(0);
}

template <turning_scalar Scalar>
Scalar residual_of(std::vector<Row<Scalar>> const& rows, std::vector<Scalar> const& p,
                   std::vector<Vector2<Scalar>> const& v) {
  Scalar most(0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Scalar const is = natural_residual<Scalar>(rows[k], p[k], velocity_at<Scalar>(rows[k], v));
    if (!(is <= most)) most = is;
  }
  return most;
}

/// Solves by projected Gauss-Seidel with accumulated impulses: for each contact in turn, p <- max(0, p - w/W). On
/// entry, `v` are the velocities after the impulses p.
template <turning_scalar Scalar>
Solved<Scalar> solve_nlgs(std::vector<Row<Scalar>> const& rows, Scalar const& tolerance, std::uint64_t itmax,
                          std::vector<Scalar>& p, std::vector<Vector2<Scalar>>& v) {
  Scalar const zero(0);
  Solved<Scalar> is;
  is.residual = residual_of<Scalar>(rows, p, v);
  while (!(is.residual <= tolerance)) {
    if (is.sweeps == (itmax > 0 ? itmax : most_sweeps)) {
      is.capped = true;
      is.ended = itmax > 0;
      break;
    }
    Scalar largest = zero;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Scalar const w = velocity_at<Scalar>(rows[k], v);
      Scalar after = p[k] - w * rows[k].inverse;
      if (after < zero) after = zero;
      Scalar const change = after - p[k],
                   size = change < zero ? Scalar(-change * rows[k].weight) : Scalar(change * rows[k].weight);
      p[k] = after;
      push<Scalar>(rows[k], change, v);
      if (!(size <= largest)) largest = size;
    }
    ++is.sweeps;
    // Computes the residual only if no impulse changed by more than the tolerance, or after the last sweep.
    if (largest <= tolerance || is.sweeps == itmax) is.residual = residual_of<Scalar>(rows, p, v);
  }
  if (is.capped) is.residual = residual_of<Scalar>(rows, p, v);
  if (!is_number(is.residual)) is.ended = false;
  return is;
}

/// Returns the divisor of the gradient step for each contact. With mass splitting, the divisor is lambda_i/m_i +
/// lambda_j/m_j. Here lambda is the largest eigenvalue of the sum of n n^T over the contacts of a disc. Without mass
/// splitting, the divisor is W L/1.9, where L is the largest lambda of all discs. This is Jacobi with a relaxation of
/// 1.9/L.
template <turning_scalar Scalar>
std::vector<Scalar> divisors(std::vector<Row<Scalar>> const& rows, std::vector<Scalar> const& inverse_mass,
                             bool split) {
  using std::sqrt;
  Scalar const zero(0), two(2);
  std::vector<Scalar> xx(inverse_mass.size(), zero), yy = xx, xy = xx;
  auto const add = [&](std::size_t disc, Vector2<Scalar> const& n) {
    xx[disc] = xx[disc] + n[0] * n[0];
    yy[disc] = yy[disc] + n[1] * n[1];
    xy[disc] = xy[disc] + n[0] * n[1];
  };
  for (auto const& row : rows) {
    add(row.i, row.normal);
    if (!row.wall) add(row.j, row.normal);
  }
  std::vector<Scalar> share(inverse_mass.size(), zero);
  Scalar largest = zero;
  for (std::size_t b = 0; b < share.size(); ++b) {
    Scalar const mean = (xx[b] + yy[b]) / two, half = (xx[b] - yy[b]) / two;
    Scalar const lambda = mean + Scalar(sqrt(Scalar(half * half + xy[b] * xy[b])));
    if (largest < lambda) largest = lambda;
    share[b] = lambda * inverse_mass[b];
  }
  Scalar const relaxed = largest * Scalar(10) / Scalar(19);
  std::vector<Scalar> divisor;
  for (auto const& row : rows) {
    Scalar const of_split = row.wall ? share[row.i] : Scalar(share[row.i] + share[row.j]);
    divisor.push_back(split ? of_split : Scalar(relaxed * row.weight));
  }
  return divisor;
}

/// Solves by relaxed Jacobi, by Jacobi with mass splitting, or by Jacobi with mass splitting and Nesterov's
/// acceleration. The acceleration restarts when the impulses change in the direction of the gradient, because the
/// objective then increases. On entry, `v` are the velocities without impulses. On exit, `v` are the velocities after
/// the impulses.
template <turning_scalar Scalar>
Solved<Scalar> solve_gradient(std::vector<Row<Scalar>> const& rows, std::vector<Scalar> const& inverse_mass,
                              SolverMethod method, Scalar const& tolerance, std::uint64_t itmax, std::vector<Scalar>& p,
                              std::vector<Vector2<Scalar>>& v) {
  using std::sqrt;
  Scalar const zero(0), one(1), two(2), four(4);
  std::size_t const n = rows.size();
  std::vector<Vector2<Scalar>> const free = v;
  std::vector<Scalar> const divisor = divisors<Scalar>(rows, inverse_mass, method != SolverMethod::jacobi);
  std::vector<Scalar> w(n, zero), before = p, w_before(n, zero), step(n, zero);
  Solved<Scalar> is;
  auto const evaluate = [&] {
    v = free;
    for (std::size_t k = 0; k < n; ++k) push<Scalar>(rows[k], p[k], v);
    is.residual = zero;
    for (std::size_t k = 0; k < n; ++k) {
      w[k] = velocity_at<Scalar>(rows[k], v);
      Scalar const size = natural_residual<Scalar>(rows[k], p[k], w[k]);
      if (!(size <= is.residual)) is.residual = size;
    }
  };
  evaluate();
  w_before = w;
  Scalar t = one, beta = zero;
  while (!(is.residual <= tolerance)) {
    if (is.sweeps == (itmax > 0 ? itmax : most_sweeps)) {
      is.capped = true;
      is.ended = itmax > 0;
      break;
    }
    Scalar along = zero;
    for (std::size_t k = 0; k < n; ++k) {
      Scalar const y = p[k] + beta * (p[k] - before[k]), gradient = w[k] + beta * (w[k] - w_before[k]);
      Scalar after = y - gradient / divisor[k];
      if (after < zero) after = zero;
      along = along + gradient * (after - p[k]);
      step[k] = after;
    }
    before.swap(p);
    p.swap(step);
    w_before.swap(w);
    evaluate();
    ++is.sweeps;
    if (method != SolverMethod::apgd) continue;
    if (zero < along) {
      t = one;
      beta = zero;
      continue;
    }
    Scalar const next = (one + Scalar(sqrt(Scalar(one + four * t * t)))) / two;
    beta = (t - one) / next;
    t = next;
  }
  if (!is_number(is.residual)) is.ended = false;
  return is;
}

/// Solves by the method that a course documents (docs/mathematics/nonsmooth.md). Each contact removes its approaching
/// velocity. The impulses are not accumulated. The solver ends when every correction of a sweep is below the tolerance.
/// With `at_once`, all corrections of a sweep use the velocities before the sweep. On entry, `v` are the velocities
/// without impulses. The residual is computed from the sum of all corrections.
template <turning_scalar Scalar>
Solved<Scalar> solve_documented(std::vector<Row<Scalar>> const& rows, bool at_once, Scalar const& tolerance,
                                std::uint64_t itmax, std::vector<Scalar>& p, std::vector<Vector2<Scalar>>& v) {
  Scalar const zero(0);
  Solved<Scalar> is;
  std::vector<Vector2<Scalar>> old;
  for (Scalar largest = tolerance; !(largest < tolerance);) {
    if (rows.empty()) break;
    if (is.sweeps == (itmax > 0 ? itmax : most_sweeps)) {
      is.capped = true;
      is.ended = itmax > 0;
      break;
    }
    largest = zero;
    if (at_once) old = v;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Scalar const w = velocity_at<Scalar>(rows[k], at_once ? old : v);
      if (zero <= w) continue;
      Scalar const correction = -w, impulse = correction * rows[k].inverse;
      p[k] = p[k] + impulse;
      push<Scalar>(rows[k], impulse, v);
      if (!(correction <= largest)) largest = correction;
    }
    ++is.sweeps;
  }
  is.residual = residual_of<Scalar>(rows, p, v);
  if (!is_number(is.residual)) is.ended = false;
  return is;
}

}  // namespace demeter::simulator::reference
