// Oracle of nscd_solve: the active contacts are guessed in long double and verified in exact integers.
//
// The unknowns are the impulses times dt. The problem is then rational in the input. Its rows become integers when they
// are multiplied by the masses of their bodies. A guess B of the active contacts is right under two conditions. The
// solution of W_BB p = -q_B has no negative impulse, and no contact outside B approaches. Both conditions are signs of
// integers. A wrong guess is corrected by the criss-cross method with the least-index rule. This method reaches a
// solution from every guess, because W is positive semidefinite (Väliaho 1992).
// Source: docs/mathematics/nonsmooth.md#nscd_solve-oracle-and-its-proof.
#pragma once

#include "oracles/core/dyadic.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/nonsmooth.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace demeter::nscd_solve::oracle {

using Real = long double;
using Indices = std::vector<std::size_t>;
using nonsmooth::oracle::enclosed;
using nonsmooth::oracle::Ratio;

struct Bodies {
  std::size_t i, j;
};
inline std::vector<Bodies> bodies_of(Input<double> const& in) {
  std::vector<Bodies> all;
  for (auto const& contact : in.contacts)
    all.push_back({static_cast<std::size_t>(contact.i), static_cast<std::size_t>(contact.j)});
  return all;
}

/// A part of the problem that is solved alone. `bodies` and `contacts` are the indices of its bodies and contacts in
/// the whole problem.
struct Part {
  Input<double> problem;
  Indices bodies, contacts;

  std::size_t place_of(std::size_t body, Input<double> const& in) {
    auto const found = std::find(bodies.begin(), bodies.end(), body);
    if (found != bodies.end()) return static_cast<std::size_t>(found - bodies.begin());
    bodies.push_back(body);
    problem.masses.push_back(in.masses[body]);
    problem.velocities.push_back(in.velocities[body]);
    return bodies.size() - 1;
  }
};
/// Divides a problem into parts that do not depend on each other: no chain of bodies of finite mass connects two parts.
/// The time for a truth grows with the cube of the number of contacts in one part.
inline std::vector<Part> parts(Input<double> const& in) {
  auto const bodies = bodies_of(in);
  Indices next(in.masses.size());  // the parent of each body in a tree of its part; the root of the tree is its own
                                   // parent
  for (std::size_t a = 0; a < next.size(); ++a) next[a] = a;
  auto const last = [&](std::size_t a) {
    while (next[a] != a) a = next[a] = next[next[a]];
    return a;
  };
  auto const is_wall = [&](std::size_t a) { return is_infinite(in.masses[a]); };
  for (Bodies const& at : bodies)
    if (!is_wall(at.i) && !is_wall(at.j)) next[last(at.i)] = last(at.j);
  std::vector<Part> all;
  std::vector<std::size_t> of_body(in.masses.size(), in.masses.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    std::size_t& of = of_body[last(is_wall(bodies[k].i) ? bodies[k].j : bodies[k].i)];
    if (of == in.masses.size()) {
      of = all.size();
      all.emplace_back().problem.dt = in.dt;
    }
    Part& part = all[of];
    Contact<double> contact = in.contacts[k];
    contact.i = static_cast<double>(part.place_of(bodies[k].i, in));
    contact.j = static_cast<double>(part.place_of(bodies[k].j, in));
    part.problem.contacts.push_back(contact);
    part.contacts.push_back(k);
  }
  return all;
}

/// Calls `use(body, sign)` for each body of finite mass that two contacts share. The sign is + if both impulses act on
/// the body with the same sign, otherwise -.
template <class Use>
void for_each_shared(Input<double> const& in, Bodies const& k, Bodies const& l, Use const& use) {
  auto const at = [&](std::size_t a, std::size_t b, int sign) {
    if (a == b && !is_infinite(in.masses[a])) use(a, sign);
  };
  at(k.i, l.i, 1);
  at(k.i, l.j, -1);
  at(k.j, l.i, -1);
  at(k.j, l.j, 1);
}

// ------------------------------------------------------------------------------------------------------- long double

/// W and q of the contact velocities w = W p + q. The entries are rounded to long double.
struct Rounded {
  std::vector<std::vector<Real>> W;
  std::vector<Real> q;
  Real speed = 0;  ///< the largest speed
};

inline Rounded rounded(Input<double> const& in) {
  auto const bodies = bodies_of(in);
  std::size_t const n = bodies.size();
  Rounded is;
  is.W.assign(n, std::vector<Real>(n, 0));
  for (std::size_t k = 0; k < n; ++k) {
    Vector2<Real> const nk = in.contacts[k].normal.cast<Real>();
    for (std::size_t l = 0; l < n; ++l)
      for_each_shared(in, bodies[k], bodies[l], [&](std::size_t body, int sign) {
        is.W[k][l] += sign * nk.dot(in.contacts[l].normal.cast<Real>()) / in.masses[body];
      });
    Vector2<Real> const relative = in.velocities[bodies[k].i].cast<Real>() - in.velocities[bodies[k].j].cast<Real>();
    is.q.push_back(nk.dot(relative) + meeting_speed(in, k));
  }
  for (auto const& velocity : in.velocities)
    is.speed =
        std::max({is.speed, std::fabs(static_cast<Real>(velocity[0])), std::fabs(static_cast<Real>(velocity[1]))});
  return is;
}

/// Solves W_PP x = right. All contacts of P except perhaps the last must be independent. Returns {true, x}. If the last
/// contact depends on the others, returns {false, x}, where x has the coefficients of the linear combination.
inline std::pair<bool, std::vector<Real>> solved(Rounded const& of, Indices const& P, std::vector<Real> right) {
  std::size_t const n = P.size();
  std::vector<std::vector<Real>> M(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < n; ++l) M[k].push_back(of.W[P[k]][P[l]]);
  auto const eliminate = [&](std::size_t rows, std::vector<Real>& b) {
    for (std::size_t t = 0; t < rows; ++t)
      for (std::size_t k = t + 1; k < n; ++k) {
        Real const times = M[k][t] / M[t][t];
        if (times == 0) continue;
        for (std::size_t l = t; l < n; ++l) M[k][l] -= times * M[t][l];
        b[k] -= times * b[t];
      }
  };
  auto const back = [&](std::size_t rows, std::vector<Real> const& b) {
    std::vector<Real> x(rows);
    for (std::size_t t = rows; t-- > 0;) {
      Real sum = b[t];
      for (std::size_t l = t + 1; l < rows; ++l) sum -= M[t][l] * x[l];
      x[t] = sum / M[t][t];
    }
    return x;
  };
  eliminate(n - 1, right);
  if (M[n - 1][n - 1] > 0x1p-44L * of.W[P[n - 1]][P[n - 1]]) return {true, back(n, right)};
  std::vector<Real> column;
  for (std::size_t k = 0; k + 1 < n; ++k) column.push_back(M[k][n - 1]);
  return {false, back(n - 1, column)};
}

/// Returns the active contacts by the method of Lawson and Hanson: one approaching contact is added at a time, and
/// contacts whose impulse would become negative are removed.
inline Indices guess(Rounded const& of) {
  std::size_t const n = of.q.size();
  Indices P;
  std::vector<Real> p(n, 0);
  auto const leave = [&](std::size_t at) {
    p[P[at]] = 0;
    P.erase(P.begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (std::size_t round = 0; round < 6 * n + 60; ++round) {
    std::optional<std::size_t> next;
    Real worst = 0x1p-52L * of.speed;
    for (std::size_t k = 0; k < n; ++k) {
      if (std::find(P.begin(), P.end(), k) != P.end()) continue;
      Real w = of.q[k];
      for (std::size_t const l : P) w += of.W[k][l] * p[l];
      if (-w > worst) worst = -w, next = k;
    }
    if (!next) break;
    P.push_back(*next);
    for (;;) {
      std::vector<Real> right;
      for (std::size_t const k : P) right.push_back(-of.q[k]);
      bool const last_is_new = P.back() == *next;
      auto const [independent, x] = solved(of, P, right);
      // Moves p towards the solution. If the last contact is dependent, moves p along a direction that changes no
      // velocity. Stops when the first impulse becomes 0.
      Real share = independent ? 1 : std::numeric_limits<Real>::infinity();
      std::size_t first = P.size();
      for (std::size_t k = 0; k < x.size(); ++k) {
        Real const falls = independent ? p[P[k]] - x[k] : x[k];
        if (falls > 0 && p[P[k]] < share * falls) share = p[P[k]] / falls, first = k;
      }
      if (!independent && (first == P.size() || !last_is_new)) {
        leave(P.size() - 1);
        break;
      }
      for (std::size_t k = 0; k < x.size(); ++k) p[P[k]] += share * (independent ? x[k] - p[P[k]] : -x[k]);
      if (!independent) p[P.back()] += share;
      if (first == P.size()) break;
      leave(first);
      if (P.empty()) break;
    }
  }
  std::sort(P.begin(), P.end());
  return P;
}

// ---------------------------------------------------------------------------------------------------------- integers

/// The exact system T pi + Q >= 0 with pi = p dt. Row k is w_k dt, multiplied by the finite masses of its two bodies.
/// Each row has its own grid. pi is on the grid 2^impulse.
struct Exact {
  std::vector<std::vector<BigInteger>> T;
  std::vector<BigInteger> Q;
  int impulse = 0;  ///< exponent of the grid of pi
  CommonGrid speed, direction, length, time, mass;
};

inline Exact exact(Input<double> const& in) {
  auto const bodies = bodies_of(in);
  std::size_t const n = bodies.size();
  Exact is;
  for (std::size_t a = 0; a < in.masses.size(); ++a) {
    if (!is_infinite(in.masses[a])) is.mass.add(in.masses[a]);
    for (Index c = 0; c < 2; ++c) is.speed.add(in.velocities[a][c]);
  }
  for (auto const& contact : in.contacts) {
    for (Index c = 0; c < 2; ++c) is.direction.add(contact.normal[c]);
    if (contact.gap > 0) is.length.add(contact.gap);
  }
  is.time.add(in.dt);
  auto const integer = [](double x, CommonGrid const& grid) { return on_grid<BigInteger>(x, grid.exponent()); };
  std::vector<BigInteger> mass;
  for (double const each : in.masses) mass.push_back(is_infinite(each) ? BigInteger(1) : integer(each, is.mass));
  std::vector<std::array<BigInteger, 2>> normal;
  for (auto const& contact : in.contacts)
    normal.push_back({integer(contact.normal[0], is.direction), integer(contact.normal[1], is.direction)});
  BigInteger const dt = integer(in.dt, is.time);
  int const of_speed = is.speed.exponent() + is.direction.exponent() + is.time.exponent(),
            of_gap = is.length.exponent(), common = std::min(of_speed, of_gap);
  is.T.assign(n, std::vector<BigInteger>(n));
  for (std::size_t k = 0; k < n; ++k) {
    Bodies const& at = bodies[k];
    for (std::size_t l = 0; l < n; ++l)
      for_each_shared(in, at, bodies[l], [&](std::size_t body, int sign) {
        BigInteger const along = normal[k][0] * normal[l][0] + normal[k][1] * normal[l][1];
        BigInteger const times = along * mass[body == at.i ? at.j : at.i];  // the mass is 1 for a wall
        if (sign > 0)
          is.T[k][l] += times;
        else
          is.T[k][l] -= times;
      });
    BigInteger Q = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      auto const component = static_cast<Index>(c);
      Q += (integer(in.velocities[at.i][component], is.speed) - integer(in.velocities[at.j][component], is.speed)) *
           normal[k][c];
    }
    Q = (Q * dt) << (of_speed - common);
    if (in.contacts[k].gap > 0) Q += integer(in.contacts[k].gap, is.length) << (of_gap - common);
    is.Q.push_back(Q * mass[at.i] * mass[at.j]);
  }
  // The unit of pi is the unit of Q divided by the unit of T. An entry of T has two factors of direction. It has one
  // mass factor less than Q.
  is.impulse = is.mass.exponent() + common - 2 * is.direction.exponent();
  return is;
}

/// The solution x = numerators/denominator of T_AA x = right for the independent contacts of A, in the order of A. It
/// is computed by Bareiss's elimination, in which every division is exact. After the elimination of the independent
/// contacts, the rows and columns of the other contacts are zero, because W is positive semidefinite.
struct Solution {
  Indices independent;
  std::vector<BigInteger> numerators;
  BigInteger denominator = 1;  ///< > 0
};
inline Solution solved(Exact const& of, Indices const& A, std::vector<BigInteger> right) {
  std::size_t const n = A.size();
  std::vector<std::vector<BigInteger>> M(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < n; ++l) M[k].push_back(of.T[A[k]][A[l]]);
  Solution is;
  Indices places;
  for (std::size_t t = 0; t < n; ++t) {
    if (M[t][t].is_zero()) continue;
    for (std::size_t k = t + 1; k < n; ++k) {
      BigInteger const below = M[k][t];
      for (std::size_t l = t + 1; l < n; ++l) M[k][l] = (M[t][t] * M[k][l] - below * M[t][l]) / is.denominator;
      right[k] = (M[t][t] * right[k] - below * right[t]) / is.denominator;
    }
    is.denominator = M[t][t];
    places.push_back(t);
  }
  is.numerators.resize(places.size());
  for (std::size_t at = places.size(); at-- > 0;) {
    std::size_t const t = places[at];
    BigInteger sum = right[t] * is.denominator;
    for (std::size_t other = at + 1; other < places.size(); ++other) sum -= M[t][places[other]] * is.numerators[other];
    is.numerators[at] = sum / M[t][t];
  }
  for (std::size_t const t : places) is.independent.push_back(A[t]);
  return is;
}

/// Returns the impulses of the active contacts. Uses the criss-cross method, which starts from `basis`. In the result,
/// no impulse is negative and no contact approaches.
inline Solution solution(Exact const& of, Indices basis) {
  std::size_t const n = of.Q.size();
  for (;;) {
    std::vector<BigInteger> right;
    for (std::size_t const k : basis) right.push_back(-of.Q[k]);
    Solution is = solved(of, basis, right);
    basis = is.independent;
    std::size_t first = n;
    bool acts = false;
    for (std::size_t k = 0, at = 0; k < n && first == n; ++k) {
      acts = at < basis.size() && basis[at] == k;
      if (acts) {
        if (is.numerators[at++].sign() < 0) first = k;
        continue;
      }
      BigInteger w = of.Q[k] * is.denominator;
      for (std::size_t l = 0; l < basis.size(); ++l)
        if (!of.T[k][basis[l]].is_zero()) w += of.T[k][basis[l]] * is.numerators[l];
      if (w.sign() < 0) first = k;
    }
    if (first == n) return is;
    if (acts) {
      basis.erase(std::find(basis.begin(), basis.end(), first));
      continue;
    }
    // If the contact depends on the active contacts, it replaces the first active contact with a positive coefficient.
    std::vector<BigInteger> column;
    for (std::size_t const k : basis) column.push_back(of.T[k][first]);
    Solution const combination = solved(of, basis, column);
    BigInteger left = of.T[first][first] * combination.denominator;
    for (std::size_t l = 0; l < basis.size(); ++l) left -= of.T[first][basis[l]] * combination.numerators[l];
    if (left.is_zero())
      for (std::size_t l = 0; l < basis.size(); ++l)
        if (combination.numerators[l].sign() > 0) {
          basis.erase(basis.begin() + static_cast<std::ptrdiff_t>(l));
          break;
        }
    basis.insert(std::upper_bound(basis.begin(), basis.end(), first), first);
  }
}

/// Solves one part and returns its outputs. `impulse` converts the impulse of a contact to a bound; impulses may not be
/// unique.
template <class Bound, class Impulse, class Enclose>
Output<Bound> answered_together(Input<double> const& in, Impulse const& impulse, Enclose const& enclose_ratio) {
  auto const bodies = bodies_of(in);
  Exact const of = exact(in);
  Solution const is = solution(of, guess(rounded(in)));
  auto const integer = [](double x, CommonGrid const& grid) { return on_grid<BigInteger>(x, grid.exponent()); };
  BigInteger const dt = integer(in.dt, of.time);
  Output<Bound> out;
  for (std::size_t a = 0; a < in.masses.size(); ++a) {
    Vector2<Bound> velocity;
    for (Index c = 0; c < 2; ++c) {
      BigInteger change = 0;
      for (std::size_t l = 0; l < is.independent.size(); ++l) {
        std::size_t const k = is.independent[l];
        if (is_infinite(in.masses[a]) || (bodies[k].i != a && bodies[k].j != a)) continue;
        BigInteger const along = integer(in.contacts[k].normal[c], of.direction) * is.numerators[l];
        if (bodies[k].i == a)
          change += along;
        else
          change -= along;
      }
      BigInteger const before = integer(in.velocities[a][c], of.speed);
      if (change.is_zero()) {
        velocity[c] = enclose_ratio(Ratio{before, BigInteger(1), of.speed.exponent()});
        continue;
      }
      // The velocity is v + change/(m dt), with one common denominator.
      BigInteger const denominator = integer(in.masses[a], of.mass) * dt * is.denominator;
      int const of_denominator = of.mass.exponent() + of.time.exponent(),
                of_before = of.speed.exponent() + of_denominator, of_change = of.direction.exponent() + of.impulse,
                lowest = std::min(of_before, of_change);
      velocity[c] =
          enclose_ratio(Ratio{((before * denominator) << (of_before - lowest)) + (change << (of_change - lowest)),
                              denominator, lowest - of_denominator});
    }
    out.velocities.push_back(velocity);
  }
  out.impulses.assign(in.contacts.size(), impulse(Ratio{0, 1}));
  for (std::size_t l = 0; l < is.independent.size(); ++l)
    out.impulses[is.independent[l]] =
        impulse(Ratio{is.numerators[l], is.denominator * dt, of.impulse - of.time.exponent()});
  return out;
}

/// Solves each part alone. A body without contacts keeps its velocity.
template <class Bound, class Impulse, class Enclose>
Output<Bound> answered(Input<double> const& in, Impulse const& impulse, Enclose const& enclose_ratio) {
  auto const unmoved = [&](double x) {
    CommonGrid grid;
    grid.add(x);
    return enclose_ratio(Ratio{on_grid<BigInteger>(x, grid.exponent()), BigInteger(1), grid.exponent()});
  };
  Output<Bound> out;
  for (auto const& velocity : in.velocities) {
    Vector2<Bound> const both(unmoved(velocity[0]), unmoved(velocity[1]));
    out.velocities.push_back(both);
  }
  out.impulses.assign(in.contacts.size(), impulse(Ratio{0, 1}));
  for (Part const& part : parts(in)) {
    Output<Bound> const of = answered_together<Bound>(part.problem, impulse, enclose_ratio);
    for (std::size_t a = 0; a < part.bodies.size(); ++a) out.velocities[part.bodies[a]] = of.velocities[a];
    for (std::size_t k = 0; k < part.contacts.size(); ++k) out.impulses[part.contacts[k]] = of.impulses[k];
  }
  return out;
}

/// Returns the velocities as ratios of integers, each rounded once. The impulses may not be unique. The result contains
/// the impulses of one solution, with an infinite radius. `scale` uses them.
inline Output<Enclosure> truth(Input<double> const& in) {
  auto const impulse = [](Ratio const& x) {
    return Enclosure{enclosed(x).high, 0, std::numeric_limits<long double>::infinity()};
  };
  return answered<Enclosure>(in, impulse, [](Ratio const& x) { return enclosed(x); });
}

/// Returns the truth in intervals of `bits` bits.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return answered<Interval>(
      in, [](Ratio const&) { return Interval::anything(); }, [bits](Ratio const& x) { return enclosed(x, bits); });
}

// -------------------------------------------------------------------------------------------- residual and condition

/// Returns the natural residual max |min(W_kk p_k, w_k)| of the answered impulses. The answered velocities are not
/// used.
inline Interval residual(Input<double> const& in, std::vector<double> const& impulses, mpfr_prec_t bits) {
  auto const bodies = bodies_of(in);
  auto const number = [bits](double x) { return Interval::exactly(x, bits); };
  std::vector<std::array<Interval, 2>> velocities;
  for (auto const& velocity : in.velocities) velocities.push_back({number(velocity[0]), number(velocity[1])});
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    auto const push = [&](std::size_t body, bool opposite) {
      if (is_infinite(in.masses[body])) return;
      for (std::size_t c = 0; c < 2; ++c) {
        Interval const change =
            number(in.contacts[k].normal[static_cast<Index>(c)]) * number(impulses[k]) / number(in.masses[body]);
        velocities[body][c] = opposite ? velocities[body][c] - change : velocities[body][c] + change;
      }
    };
    push(bodies[k].i, false);
    push(bodies[k].j, true);
  }
  Interval largest = number(0);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    Interval w = number(0), own = number(0);
    for (std::size_t c = 0; c < 2; ++c)
      w = w + (velocities[bodies[k].i][c] - velocities[bodies[k].j][c]) *
                  number(in.contacts[k].normal[static_cast<Index>(c)]);
    if (in.contacts[k].gap > 0) w = w + number(in.contacts[k].gap) / number(in.dt);
    auto const add = [&](std::size_t body) {
      if (!is_infinite(in.masses[body])) own = own + number(impulses[k]) / number(in.masses[body]);
    };
    add(bodies[k].i);
    add(bodies[k].j);
    Interval lesser(bits), greater(bits);
    mpfr_min(&lesser.get()->left, own.low(), w.low(), MPFR_RNDD);
    mpfr_min(&lesser.get()->right, own.high(), w.high(), MPFR_RNDU);
    lesser = magnitude(lesser);
    mpfr_max(&greater.get()->left, largest.low(), lesser.low(), MPFR_RNDD);
    mpfr_max(&greater.get()->right, largest.high(), lesser.high(), MPFR_RNDU);
    largest = greater;
  }
  return largest;
}
inline bool all_finite(std::vector<double> const& impulses) {
  return std::all_of(impulses.begin(), impulses.end(), [](double p) { return std::isfinite(p); });
}
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  mpfr_prec_t const bits = truth.velocities[0][0].precision();
  if (!all_finite(answer.impulses)) return Interval::exactly(std::numeric_limits<long double>::infinity(), bits);
  return residual(in, answer.impulses, 2 * bits);
}
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const&, Output<double> const& answer) {
  if (!all_finite(answer.impulses)) return {std::numeric_limits<long double>::infinity(), 0, 0};
  return enclosure_of(residual(in, answer.impulses, 256));
}

/// Returns kappa = 1/sqrt(m lambda). m is `least`, the smallest mass of a body with a tight contact. lambda is the
/// smallest eigenvalue of W on an independent subset of the tight contacts. kappa is the factor by which errors of
/// contact velocities grow into errors of body velocities. The order of `tight` decides which subset is used.
inline Real condition(Input<double> const& in, Indices const& tight, Real least) {
  auto const bodies = bodies_of(in);
  // Orthogonalises the columns of sqrt(m) M^(-1/2) H^T one after the other. Each column is orthogonalised twice. R
  // stores the coefficients.
  std::size_t const rows = 2 * in.masses.size();
  std::vector<std::vector<Real>> Q, R;
  for (std::size_t const k : tight) {
    std::vector<Real> column(rows, 0), of_R;
    Real size = 0;
    auto const put = [&](std::size_t body, Real sign) {
      if (is_infinite(in.masses[body])) return;
      Real const root = std::sqrt(least / in.masses[body]);
      for (std::size_t c = 0; c < 2; ++c)
        column[2 * body + c] = sign * root * in.contacts[k].normal[static_cast<Index>(c)];
    };
    put(bodies[k].i, 1);
    put(bodies[k].j, -1);
    auto const norm = [&] {
      Real sum = 0;
      for (Real const x : column) sum += x * x;
      return std::sqrt(sum);
    };
    size = norm();
    of_R.assign(Q.size() + 1, 0);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t l = 0; l < Q.size(); ++l) {
        Real dot = 0;
        for (std::size_t row = 0; row < rows; ++row) dot += Q[l][row] * column[row];
        for (std::size_t row = 0; row < rows; ++row) column[row] -= dot * Q[l][row];
        of_R[l] += dot;
      }
    Real const left = norm();
    if (!(left > 0x1p-48L * size)) continue;  // this column depends on the previous columns
    of_R.back() = left;
    for (Real& x : column) x /= left;
    Q.push_back(column);
    R.push_back(of_R);
  }
  std::size_t const n = R.size();
  if (n == 0) return 1;
  // Computes the largest eigenvalue of (R^T R)^-1 by power iteration. The Rayleigh quotient is slightly smaller than
  // this eigenvalue, which is harmless.
  std::vector<Real> x(n, 1);
  Real growth = 0;
  for (int round = 0; round < 40; ++round) {
    Real before = 0, after = 0;
    for (Real const each : x) before += each * each;
    std::vector<Real> y = x;
    for (std::size_t k = 0; k < n; ++k) {  // solves R^T y = x; R[k] is a column
      for (std::size_t l = 0; l < k; ++l) y[k] -= R[k][l] * y[l];
      y[k] /= R[k][k];
    }
    for (Real const each : y) after += each * each;
    growth = std::max(growth, after / before);
    for (std::size_t k = n; k-- > 0;) {  // solves R x = y
      y[k] /= R[k][k];
      for (std::size_t l = 0; l < k; ++l) y[l] -= R[k][l] * y[k];
    }
    Real largest = 0;
    for (Real const each : y) largest = std::max(largest, std::fabs(each));
    for (std::size_t k = 0; k < n; ++k) x[k] = y[k] / largest + (round == 0 && k % 2 != 0 ? 0x1p-20L : 0);
  }
  return std::sqrt(growth);
}

/// Returns the scales. For velocities the scale is S kappa. S is the largest speed, including the speeds that close the
/// gaps of the tight contacts in one step. For impulses the scale is at least the largest row of |W| p, the sum of the
/// effects of all impulses on one contact, because the impulses are rounded. A light body between heavy bodies makes
/// this sum large: both sides push it with more impulse than is necessary to move it. If kappa is above 1e8, the scale
/// is NaN (not judged).
inline Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth) {
  Output<long double> is = Contract::scale(in);
  auto const bodies = bodies_of(in);
  Real S = 0;
  for (auto const& velocity : is.velocities) S = std::max(S, velocity[0]);
  Indices tight;
  Real meeting = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    Real w = meeting_speed(in, k), of = w;
    for (Index c = 0; c < 2; ++c) {
      Enclosure const &i = truth.velocities[bodies[k].i][c], &j = truth.velocities[bodies[k].j][c];
      Real const n = in.contacts[k].normal[c];
      w += ((i.high - j.high) + (i.low - j.low)) * n;
      of += (std::fabs(i.high) + std::fabs(j.high)) * std::fabs(n);
    }
    if (std::fabs(w) > 0x1p-58L * of) continue;
    tight.push_back(k);
    meeting = std::max(meeting, meeting_speed(in, k));
  }
  Real kappa = 1, least = std::numeric_limits<Real>::infinity();
  for (std::size_t const k : tight)
    for (std::size_t const body : {bodies[k].i, bodies[k].j})
      least = std::min(least, static_cast<Real>(in.masses[body]));
  for (Part const& part : parts(in)) {
    Indices of_part;
    for (std::size_t k = 0; k < part.contacts.size(); ++k)
      if (std::binary_search(tight.begin(), tight.end(), part.contacts[k])) of_part.push_back(k);
    kappa = std::max(kappa, condition(part.problem, of_part, least));
  }
  Real const size = std::max(S, meeting) * kappa;
  Real const judged = kappa > 1e8L ? std::numeric_limits<Real>::quiet_NaN() : size;
  is.velocities.assign(is.velocities.size(), Vector2<Real>(judged, judged));
  Real pushed = judged;
  Rounded const of = rounded(in);
  for (auto const& row : of.W) {
    Real sum = 0;
    for (std::size_t l = 0; l < row.size(); ++l) sum += std::fabs(row[l]) * std::fabs(truth.impulses[l].high);
    if (sum > pushed) pushed = sum;
  }
  is.impulses.assign(is.impulses.size(), pushed);
  return is;
}

/// One truth of 12 contacts takes 60 us, and one truth of 64 contacts in one heap takes a few milliseconds. The
/// documented sweeps take seconds to reach the precision of the truth. `case_divisor` therefore reduces the number of
/// cases of a survey.
inline constexpr OracleHooks<Contract> hooks{
    .excess = excess, .refined_excess = refined_excess, .scale = scale, .case_divisor = 50};

}  // namespace demeter::nscd_solve::oracle
