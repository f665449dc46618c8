// Wrong solvers of the contacts of a time step, each one change away from `right()`.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/nscd_solve.hpp"
#include "mutants/core/batches.hpp"
#include "mutants/core/lengths.hpp"

#include <limits>

namespace demeter::nscd_solve::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

enum class Defect {
  none,
  // the problem
  normal_from_i,
  x_alone,
  gap_ignored,
  gap_without_step,
  gap_times_step,
  overlap_repaired,
  gap_of_its_size,
  float_normals,
  float_gaps,
  float_masses,
  equal_masses,
  infinite_is_1e20,
  wall_i_forgotten,
  walls_at_rest,
  first_sixteen,
  first_eight,
  last_left_out,
  duplicates_dropped,
  same_pair_once,
  small_gap_is_none,
  slow_is_rest,
  // the solver
  not_accumulated,
  not_accumulated_backwards,
  all_at_once,
  few_sweeps,
  many_sweeps,
  loose_tolerance,
  no_clamp,
  every_contact_acts,
  regularised,
  regularised_a_little,
  opposite_dropped,
  four_at_a_body,
  eight_at_a_body,
  // the answer
  rebound,
  i_alone,
  j_alone,
  walls_move,
  impulses_negative,
  impulses_over_mass,
  impulses_doubled,
  impulses_times_step,
  impulse_of_the_last,
  velocities_before,
  tangential_too,
  float_velocities,
  float_impulses,
  velocity_just_over,
  impulses_just_over,
};

struct Row {
  std::size_t i, j;
  Real x, y, b;
};

/// Lemke's method with a covering vector whose elements all differ, which leaves no ties: the contacts that act.
inline std::vector<std::size_t> acting(std::vector<std::vector<Real>> const& W, std::vector<Real> const& q) {
  std::size_t const n = q.size(), z = 2 * n;
  std::vector<std::vector<Real>> T(n, std::vector<Real>(2 * n + 2, 0));
  std::vector<std::size_t> basic(n), found;
  Real largest = 0;
  for (Real const each : q) largest = std::max(largest, std::fabs(each));
  for (std::size_t k = 0; k < n; ++k) {
    T[k][k] = 1;
    for (std::size_t l = 0; l < n; ++l) T[k][n + l] = -W[k][l] / W[l][l];
    T[k][z] = -(1 + 0.37L * static_cast<Real>((k * 7919) % 101) / 101);
    T[k][z + 1] = q[k] / largest;
    basic[k] = k;
  }
  std::size_t row = n;
  for (std::size_t k = 0; k < n; ++k)
    if (q[k] < 0 && (row == n || T[k][z + 1] / -T[k][z] < T[row][z + 1] / -T[row][z])) row = k;
  std::size_t entering = z;
  for (std::size_t count = 0; row < n && count < 40 * n + 100; ++count) {
    Real const by = T[row][entering];
    for (Real& each : T[row]) each /= by;
    for (std::size_t k = 0; k < n; ++k) {
      Real const times = T[k][entering];
      if (k == row || times == 0) continue;
      for (std::size_t c = 0; c < T[k].size(); ++c) T[k][c] -= times * T[row][c];
    }
    std::size_t const leaving = basic[row];
    basic[row] = entering;
    if (leaving == z) break;
    entering = leaving < n ? leaving + n : leaving - n;
    row = n;
    for (std::size_t k = 0; k < n; ++k) {
      if (!(T[k][entering] > 1e-13L)) continue;
      Real const ratio = T[k][z + 1] / T[k][entering], best = row == n ? 0 : T[row][z + 1] / T[row][entering];
      Real const slack = 1e-16L * std::fabs(best);
      if (row == n || ratio < best - slack || (ratio <= best + slack && basic[k] == z)) row = k;
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    if (basic[k] >= n && basic[k] < z) found.push_back(basic[k] - n);
  std::sort(found.begin(), found.end());
  return found;
}

inline Answer evaluate(Case const& in, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  auto const narrowed = [](Real x) { return static_cast<Real>(static_cast<float>(x)); };
  std::vector<Real> inverse;
  for (double const mass : in.masses) {
    Real m = mass;
    if (with(float_masses)) m = narrowed(m);
    if (with(equal_masses) && !is_infinite(mass)) m = in.masses[0] < 1e100 ? in.masses[0] : 1;
    if (with(infinite_is_1e20) && is_infinite(mass)) m = 1e20L;
    inverse.push_back(is_infinite(static_cast<double>(m)) || std::isinf(m) ? 0 : 1 / m);
  }
  std::vector<Row> rows;
  auto const same = [](Row const& a, Row const& b) { return a.i == b.i && a.j == b.j; };
  for (auto const& contact : in.contacts) {
    Row row{static_cast<std::size_t>(contact.i), static_cast<std::size_t>(contact.j), contact.normal[0],
            contact.normal[1], 0};
    Real gap = contact.gap;
    if (with(small_gap_is_none) && gap < 1e-9L) gap = 0;
    row.b = std::max(gap, Real(0)) / in.dt;
    if (with(gap_ignored)) row.b = 0;
    if (with(gap_without_step)) row.b = std::max(gap, Real(0));
    if (with(gap_times_step)) row.b = std::max(gap, Real(0)) * in.dt;
    if (with(overlap_repaired)) row.b = gap / in.dt;
    if (with(gap_of_its_size)) row.b = std::fabs(gap) / in.dt;
    if (with(float_gaps)) row.b = narrowed(row.b);
    if (with(normal_from_i)) row.x = -row.x, row.y = -row.y;
    if (with(x_alone)) row.y = 0;
    if (with(float_normals)) row.x = narrowed(row.x), row.y = narrowed(row.y);
    rows.push_back(row);
  }
  // Contacts that a defect leaves out have an impulse of 0.
  std::vector<bool> seen(rows.size(), true);
  std::vector<std::size_t> at_body(in.masses.size(), 0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (with(first_sixteen) && k >= 16) seen[k] = false;
    if (with(first_eight) && k >= 8) seen[k] = false;
    std::size_t const at_i = ++at_body[rows[k].i], at_j = ++at_body[rows[k].j];
    auto const more_than = [&](std::size_t most) {
      return (at_i > most && !is_infinite(in.masses[rows[k].i])) || (at_j > most && !is_infinite(in.masses[rows[k].j]));
    };
    if (with(four_at_a_body) && more_than(4)) seen[k] = false;
    if (with(eight_at_a_body) && more_than(8)) seen[k] = false;
    if (with(last_left_out) && k + 1 == rows.size() && k > 0) seen[k] = false;
    if (with(x_alone) && rows[k].x == 0) seen[k] = false;
    if (with(wall_i_forgotten) && is_infinite(in.masses[rows[k].i])) seen[k] = false;
    for (std::size_t l = 0; l < k; ++l) {
      if (with(same_pair_once) && same(rows[k], rows[l])) seen[k] = false;
      if (with(duplicates_dropped) && rows[k].i == rows[l].i && std::fabs(rows[k].x - rows[l].x) < 1e-3L &&
          std::fabs(rows[k].y - rows[l].y) < 1e-3L)
        seen[k] = false;
      if (with(opposite_dropped) && rows[k].i == rows[l].i && rows[k].x * rows[l].x + rows[k].y * rows[l].y < -0.99L)
        seen[k] = false;
    }
  }
  std::vector<std::array<Real, 2>> start;
  for (std::size_t a = 0; a < in.masses.size(); ++a) {
    start.push_back({in.velocities[a][0], in.velocities[a][1]});
    if (with(walls_at_rest) && is_infinite(in.masses[a])) start.back() = {0, 0};
  }
  auto velocities = start;
  std::vector<Real> p(rows.size(), 0);
  auto const separation = [&](std::size_t k) {
    Row const& r = rows[k];
    Real const w = (velocities[r.i][0] - velocities[r.j][0]) * r.x + (velocities[r.i][1] - velocities[r.j][1]) * r.y;
    return (with(slow_is_rest) && std::fabs(w) < 1e-9L ? 0 : w) + r.b;
  };
  auto const push = [&](std::size_t k, Real by) {
    Row const& r = rows[k];
    Real const i = with(j_alone) ? 0 : by * inverse[r.i], j = with(i_alone) ? 0 : by * inverse[r.j];
    velocities[r.i] = {velocities[r.i][0] + i * r.x, velocities[r.i][1] + i * r.y};
    velocities[r.j] = {velocities[r.j][0] - j * r.x, velocities[r.j][1] - j * r.y};
  };
  auto const own = [&](std::size_t k) { return inverse[rows[k].i] + inverse[rows[k].j]; };
  auto const sweeps = [&](int count, bool summed, bool backwards) {
    for (int sweep = 0; sweep < count; ++sweep)
      for (std::size_t at = 0; at < rows.size(); ++at) {
        std::size_t const k = backwards ? rows.size() - 1 - at : at;
        if (!seen[k]) continue;
        Real const before = p[k], wanted = -separation(k) / own(k);
        Real const now = summed ? std::max(before + wanted, Real(0)) : before + std::max(wanted, Real(0));
        p[k] = now;
        push(k, now - before);
      }
  };
  if (with(not_accumulated)) {
    sweeps(400, false, false);
  } else if (with(not_accumulated_backwards)) {
    sweeps(400, false, true);
  } else if (with(few_sweeps)) {
    sweeps(10, true, false);
  } else if (with(many_sweeps)) {
    sweeps(300, true, false);
  } else if (with(all_at_once)) {
    std::vector<Real> wanted;
    for (std::size_t k = 0; k < rows.size(); ++k) wanted.push_back(std::max(-separation(k) / own(k), Real(0)));
    for (std::size_t k = 0; k < rows.size(); ++k) p[k] = wanted[k], push(k, wanted[k]);
  } else {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (seen[k]) places.push_back(k);
    std::vector<std::vector<Real>> W(places.size(), std::vector<Real>(places.size()));
    std::vector<Real> q;
    for (std::size_t a = 0; a < places.size(); ++a) {
      Row const& k = rows[places[a]];
      for (std::size_t b = 0; b < places.size(); ++b) {
        Row const& l = rows[places[b]];
        Real shared = 0;
        if (k.i == l.i) shared += inverse[k.i];
        if (k.j == l.j) shared += inverse[k.j];
        if (k.i == l.j) shared -= inverse[k.i];
        if (k.j == l.i) shared -= inverse[k.j];
        W[a][b] = shared * (k.x * l.x + k.y * l.y);
      }
      if (with(regularised)) W[a][a] *= 1 + 1e-6L;
      if (with(regularised_a_little)) W[a][a] *= 1 + 1e-11L;
      q.push_back(separation(places[a]));
    }
    auto set = acting(W, q);
    if (with(no_clamp) || with(every_contact_acts)) {
      set.clear();
      for (std::size_t a = 0; a < q.size(); ++a)
        if (with(no_clamp) || q[a] < 0) set.push_back(a);
    }
    // The solution of those that act, then again for what is left of their approach.
    std::size_t const n = set.size();
    std::vector<std::vector<Real>> M(n);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) M[a].push_back(W[set[a]][set[b]]);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t a = t + 1; a < n; ++a) {
        bool const none = !(M[t][t] > 1e-16L * W[set[t]][set[t]]);
        M[a][t] = none ? 0 : M[a][t] / M[t][t];
        for (std::size_t b = t + 1; b < n; ++b) M[a][b] -= M[a][t] * M[t][b];
      }
    int const rounds = with(loose_tolerance) ? 1 : 4;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Real> x;
      for (std::size_t a = 0; a < n; ++a) {
        Real w = separation(places[set[a]]);
        if (with(regularised) || with(regularised_a_little))
          w += p[places[set[a]]] * (W[set[a]][set[a]] - own(places[set[a]]));
        x.push_back(with(loose_tolerance) ? -w * (1 - 1e-7L) : -w);
      }
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a; ++b) x[a] -= M[a][b] * x[b];
      for (std::size_t a = n; a-- > 0;) {
        for (std::size_t b = a + 1; b < n; ++b) x[a] -= M[a][b] * x[b];
        x[a] = M[a][a] > 1e-16L * W[set[a]][set[a]] ? x[a] / M[a][a] : 0;
      }
      for (std::size_t a = 0; a < n; ++a) {
        p[places[set[a]]] += x[a];
        push(places[set[a]], x[a]);
      }
    }
  }
  Answer out;
  Real const over = 40 * static_cast<Real>(unit_roundoff);
  for (std::size_t a = 0; a < in.masses.size(); ++a) {
    std::array<Real, 2> v = velocities[a];
    if (with(rebound)) v = {2 * v[0] - start[a][0], 2 * v[1] - start[a][1]};
    if (with(velocities_before)) v = start[a];
    if (is_infinite(in.masses[a]) && !with(walls_move) && !with(infinite_is_1e20)) v = start[a];
    if (with(walls_move) && is_infinite(in.masses[a]) && !rows.empty()) v[1] += v[0] == 0 ? 1e-3L * in.dt : v[0] / 8;
    if (with(tangential_too) && !rows.empty() && a == rows[0].i && p[0] > 0) {
      // As if the first contact stuck.
      Real const slip = (v[0] - start[rows[0].j][0]) * -rows[0].y + (v[1] - start[rows[0].j][1]) * rows[0].x;
      v = {v[0] + slip * rows[0].y, v[1] - slip * rows[0].x};
    }
    if (with(float_velocities)) v = {narrowed(v[0]), narrowed(v[1])};
    if (with(velocity_just_over)) v[0] += over * 1e2L * std::fabs(v[0]);
    out.velocities.emplace_back(static_cast<double>(v[0]), static_cast<double>(v[1]));
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Real x = std::max(p[k], Real(0));
    if (with(no_clamp)) x = p[k];
    if (with(impulses_negative)) x = -x;
    if (with(impulses_over_mass)) x *= own(k);
    if (with(impulses_doubled)) x *= 2;
    if (with(impulses_times_step)) x /= in.dt;
    if (with(impulse_of_the_last) && k > 0) x = out.impulses[k - 1];
    if (with(float_impulses)) x = narrowed(x);
    if (with(impulses_just_over)) x *= 1 + 1e2L * over;
    out.impulses.push_back(static_cast<double>(x));
  }
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, Defect::none); }

/// Impulses of the problem before are where the solver starts, and are not set back.
inline void starts_where_it_was(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = right(in[i]);
    if (i > 0 && !out[i].impulses.empty() && !out[i - 1].impulses.empty()) out[i].impulses[0] += out[i - 1].impulses[0];
  }
}

/// Its impulse is 0.
inline Answer without_the_last_contact(Case const& in) { return evaluate(in, Defect::last_left_out); }

inline std::span<Mutant<Defect, Case, Answer> const> mutants() {
  using enum Defect;
  static Mutant<Defect, Case, Answer> const list[] = {
      {"normal_from_i", "the normal is taken from i to j", "an unstated direction", normal_from_i},
      {"x_alone", "normals have no y", "a term left out", x_alone},
      {"gap_ignored", "gaps do not count", "a term left out", gap_ignored},
      {"gap_without_step", "d for d/dt", "a factor left out", gap_without_step},
      {"gap_times_step", "d dt for d/dt", "a factor inverted", gap_times_step},
      {"overlap_repaired", "overlaps are pushed apart", "max(0, d) left out", overlap_repaired},
      {"gap_of_its_size", "an overlap counts as a gap", "|d| for max(0, d)", gap_of_its_size},
      {"float_normals", "normals are rounded to float", "single precision storage", float_normals},
      {"float_gaps", "d/dt is rounded to float", "single precision storage", float_gaps},
      {"float_masses", "masses are rounded to float", "single precision storage", float_masses},
      {"equal_masses", "all grains weigh what the first does", "equal masses alone", equal_masses},
      {"infinite_is_1e20", "a wall weighs 1e20 kg", "\"infinity\" as a large number", infinite_is_1e20},
      {"wall_i_forgotten", "contacts whose body i is a wall are left out", "a case left out", wall_i_forgotten},
      {"walls_at_rest", "walls do not move", "a case left out", walls_at_rest},
      {"first_sixteen", "contacts beyond the sixteenth are dropped", "a buffer of fixed size", first_sixteen},
      {"first_eight", "contacts beyond the eighth are dropped", "a buffer of fixed size", first_eight},
      {"last_left_out", "the last contact is left out", "a loop that ends early", last_left_out},
      {"duplicates_dropped", "contacts of a grain with nearly the same normal are one", "deduplication by a threshold",
       duplicates_dropped},
      {"same_pair_once", "a pair has one contact", "a map by pairs", same_pair_once},
      {"small_gap_is_none", "gaps below 1 nm are none", "absolute thresholds", small_gap_is_none},
      {"slow_is_rest", "relative velocities below 1 nm/s are none", "absolute thresholds", slow_is_rest},
      {"not_accumulated", "the documented sweeps: impulses are not summed", "no impulse is taken back",
       not_accumulated},
      {"not_accumulated_backwards", "the same from the last contact to the first", "no impulse is taken back",
       not_accumulated_backwards},
      {"all_at_once", "one sweep of Jacobi's", "no iteration", all_at_once},
      {"few_sweeps", "10 sweeps of Gauss and Seidel", "an iteration that ends early", few_sweeps},
      {"many_sweeps", "300 sweeps of Gauss and Seidel", "an iteration that ends early", many_sweeps},
      {"loose_tolerance", "what is left of an approach is 1e-7 of it", "a loose tolerance", loose_tolerance},
      {"no_clamp", "contacts may pull", "the inequality left out", no_clamp},
      {"every_contact_acts", "every contact that approaches before acts", "the wrong active set", every_contact_acts},
      {"regularised", "W_kk is larger by 1e-6", "regularisation", regularised},
      {"regularised_a_little", "W_kk is larger by 1e-11", "regularisation", regularised_a_little},
      {"opposite_dropped", "of opposite contacts of a grain the first counts", "a singular matrix avoided",
       opposite_dropped},
      {"four_at_a_body", "a grain has four contacts at most", "a ring of neighbours cut", four_at_a_body},
      {"eight_at_a_body", "a grain has eight contacts at most", "a ring of neighbours cut", eight_at_a_body},
      {"rebound", "contacts are elastic", "restitution", rebound},
      {"i_alone", "body j keeps its velocity", "one of two forgotten", i_alone},
      {"j_alone", "body i keeps its velocity", "one of two forgotten", j_alone},
      {"walls_move", "a wall's velocity changes", "walls as grains", walls_move},
      {"impulses_negative", "impulses are negative", "sign of a result", impulses_negative},
      {"impulses_over_mass", "impulses are changes of velocity", "a factor", impulses_over_mass},
      {"impulses_doubled", "impulses are twice as large", "a factor", impulses_doubled},
      {"impulses_times_step", "forces for impulses", "a factor dt", impulses_times_step},
      {"impulse_of_the_last", "every contact has the impulse of the first", "indices", impulse_of_the_last},
      {"velocities_before", "velocities are those before contact", "before and after", velocities_before},
      {"tangential_too", "the first contact sticks", "friction that is not in the model", tangential_too},
      {"float_velocities", "velocities are rounded to float", "single precision storage", float_velocities},
      {"float_impulses", "impulses are rounded to float", "single precision storage", float_impulses},
      {"velocity_just_over", "x of the velocities is off by 4,000 u of itself", "a budget without teeth",
       velocity_just_over},
      {"impulses_just_over", "impulses are off by 4,000 u of themselves", "a budget without teeth", impulses_just_over},
      {"step_of_the_batch", "four problems share the step of the first", "a uniform in SIMD", none,
       field_of_the_first<right, &Case::dt>},
      {"starts_where_it_was", "the first impulse of the problem before is added", "a state that is not set back", none,
       starts_where_it_was},
  };
  return with_lengths<right, &Case::contacts, without_the_last_contact, 4>(list);
}

}  // namespace demeter::nscd_solve::mutants
