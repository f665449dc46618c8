// Mutants of nscd_solve. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/lengths.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <array>
#include <limits>

namespace demeter::nscd_solve::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"normal_from_i", "the normal points from i to j", "a direction that is not documented"},
    {"x_alone", "y of the normals is ignored", "a missing term"},
    {"gap_ignored", "gaps are ignored", "a missing term"},
    {"gap_without_step", "d instead of d/dt", "a missing factor"},
    {"gap_times_step", "d dt instead of d/dt", "an inverted factor"},
    {"overlap_repaired", "overlaps are removed", "missing max(0, d)"},
    {"gap_of_its_size", "an overlap is treated as a gap", "|d| instead of max(0, d)"},
    {"equal_masses", "all grains have the mass of the first", "right only for equal masses"},
    {"infinite_is_1e20", "a wall has a mass of 1e20 kg", "\"infinity\" stored as a large number"},
    {"wall_i_forgotten", "contacts whose body i is a wall are left out", "a missing case"},
    {"walls_at_rest", "walls are treated as resting", "a missing case"},
    {"first_sixteen", "contacts beyond the sixteenth are dropped", "a buffer of fixed size"},
    {"first_eight", "contacts beyond the eighth are dropped", "a buffer of fixed size"},
    {"last_left_out", "the last contact is left out", "a loop that ends early"},
    {"duplicates_dropped", "contacts of a grain with nearly the same normal are merged",
     "deduplication by a threshold"},
    {"same_pair_once", "only one contact per pair is used", "a map whose key is the pair"},
    {"small_gap_is_none", "gaps below 1 nm count as 0", "absolute thresholds"},
    {"nearly_touching", "a gap below 1e-10 of the largest displacement per step counts as 0",
     "a tolerance around a threshold"},
    {"nearly_parallel", "contacts of a grain whose normals agree to 1e-7 are merged", "a tolerance around a threshold"},
    {"contacts_beyond_130", "contacts beyond the 130th are dropped", "a buffer of fixed size", {}, "crowd"},
    {"bodies_beyond_64", "bodies beyond the 64th are treated as walls", "a buffer of fixed size", {}, "crowd"},
    {"slow_is_rest", "relative velocities below 1 nm/s count as 0", "absolute thresholds"},
    {"not_accumulated", "the documented sweeps: impulses are not accumulated", "no impulse is reduced again"},
    {"not_accumulated_backwards", "the documented sweeps, from the last contact to the first",
     "no impulse is reduced again"},
    {"all_at_once", "one Jacobi sweep", "a missing iteration"},
    {"few_sweeps", "10 Gauss-Seidel sweeps", "an iteration that ends too early"},
    {"many_sweeps", "300 Gauss-Seidel sweeps", "an iteration that ends too early"},
    {"loose_tolerance", "1e-7 of the approach remains", "a loose tolerance"},
    {"no_clamp", "contacts may pull", "a missing inequality"},
    {"every_contact_acts", "every contact that approaches before the step is active", "the wrong active set"},
    {"regularised", "W_kk is too large by 1e-6", "regularisation"},
    {"regularised_a_little", "W_kk is too large by 1e-11", "regularisation"},
    {"opposite_dropped", "of opposite contacts of a grain only the first is used", "a singular matrix is avoided"},
    {"four_at_a_body", "a grain has at most four contacts", "a limited number of neighbours"},
    {"eight_at_a_body", "a grain has at most eight contacts", "a limited number of neighbours"},
    {"rebound", "contacts are elastic", "restitution"},
    {"i_alone", "body j keeps its velocity", "only one of two bodies used"},
    {"j_alone", "body i keeps its velocity", "only one of two bodies used"},
    {"walls_move", "a wall's velocity changes", "walls treated as grains"},
    {"impulses_over_mass", "impulses are returned as changes of velocity", "a wrong factor"},
    {"impulses_times_step", "forces instead of impulses", "a wrong factor dt"},
    {"impulse_of_the_last", "every contact has the impulse of the first", "exchanged indices"},
    {"velocities_before", "velocities before the contact are returned", "values before and after exchanged"},
    {"tangential_too", "the first contact sticks", "friction that the model does not have"},
    {"velocity_just_over", "x of the velocities has a relative error of 4,000 u", "an error just above the budget"},
    {"impulses_just_over", "impulses have a relative error of 4,000 u", "an error just above the budget"},
};
using Chosen = Choice<defects>;

struct Row {
  std::size_t i, j;
  Real x, y, b;
};

/// Returns the contacts that have an impulse, by Lemke's method. The covering vector has different elements for up to
/// 101 contacts, so that ties are unlikely.
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

/// The contacts of a case as a solver with one defect reads them, and the solution for these contacts.
class Problem {
 public:
  Problem(Case const& in, Chosen chosen) : with_(chosen) {
    read_bodies(in);
    for (auto const& contact : in.contacts) read_contact(contact, in.dt);
    leave_out(in);
    velocities_ = start_;
    p_.assign(rows_.size(), 0);
  }

  void solve() {
    if (with_("not_accumulated")) return sweep(400, false, false);
    if (with_("not_accumulated_backwards")) return sweep(400, false, true);
    if (with_("few_sweeps")) return sweep(10, true, false);
    if (with_("many_sweeps")) return sweep(300, true, false);
    if (with_("all_at_once")) return all_at_once();
    solve_directly();
  }

  Answer answer(Case const& in) const {
    Answer out;
    for (std::size_t a = 0; a < in.masses.size(); ++a) {
      auto const [x, y] = velocity(in, a);
      out.velocities.emplace_back(static_cast<double>(x), static_cast<double>(y));
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      Real x = std::max(p_[k], Real(0));
      if (with_("no_clamp")) x = p_[k];
      if (with_("impulses_over_mass")) x *= own(k);
      if (with_("impulses_times_step")) x /= in.dt;
      if (with_("impulse_of_the_last") && k > 0) x = out.impulses[k - 1];
      if (with_("impulses_just_over")) x *= 1 + 1e2L * over;
      out.impulses.push_back(static_cast<double>(x));
    }
    return out;
  }

 private:
  static constexpr Real over = 40 * static_cast<Real>(unit_roundoff);
  using Matrix = std::vector<std::vector<Real>>;

  void read_bodies(Case const& in) {
    for (std::size_t a = 0; a < in.masses.size(); ++a) {
      double const mass = in.masses[a];
      Real m = mass;
      if (with_("equal_masses") && !is_infinite(mass)) m = in.masses[0] < 1e100 ? in.masses[0] : 1;
      if (with_("infinite_is_1e20") && is_infinite(mass)) m = 1e20L;
      bool const lost = with_("bodies_beyond_64") && a >= 64;
      inverse_.push_back(is_infinite(static_cast<double>(m)) || std::isinf(m) || lost ? 0 : 1 / m);
      for (Index c = 0; c < 2; ++c) speed_ = std::max(speed_, std::fabs(static_cast<Real>(in.velocities[a][c])));
      start_.push_back({in.velocities[a][0], in.velocities[a][1]});
      if (with_("walls_at_rest") && is_infinite(mass)) start_.back() = {0, 0};
    }
  }
  void read_contact(Contact<double> const& contact, double dt) {
    Row row{static_cast<std::size_t>(contact.i), static_cast<std::size_t>(contact.j), contact.normal[0],
            contact.normal[1], 0};
    Real gap = contact.gap;
    if (with_("small_gap_is_none") && gap < 1e-9L) gap = 0;
    if (with_("nearly_touching") && gap < 1e-10L * speed_ * dt) gap = 0;
    row.b = std::max(gap, Real(0)) / dt;
    if (with_("gap_ignored")) row.b = 0;
    if (with_("gap_without_step")) row.b = std::max(gap, Real(0));
    if (with_("gap_times_step")) row.b = std::max(gap, Real(0)) * dt;
    if (with_("overlap_repaired")) row.b = gap / dt;
    if (with_("gap_of_its_size")) row.b = std::fabs(gap) / dt;
    if (with_("normal_from_i")) row.x = -row.x, row.y = -row.y;
    if (with_("x_alone")) row.y = 0;
    rows_.push_back(row);
  }
  /// Marks the contacts that a defect leaves out. Their impulse stays 0.
  void leave_out(Case const& in) {
    seen_.assign(rows_.size(), true);
    std::vector<std::size_t> at_body(in.masses.size(), 0);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      Row const& row = rows_[k];
      bool const wall_i = is_infinite(in.masses[row.i]), wall_j = is_infinite(in.masses[row.j]);
      std::size_t const at_i = ++at_body[row.i], at_j = ++at_body[row.j];
      auto const more_than = [&](std::size_t most) { return (at_i > most && !wall_i) || (at_j > most && !wall_j); };
      bool out = (with_("contacts_beyond_130") && k >= 130) || (with_("first_sixteen") && k >= 16) ||
                 (with_("first_eight") && k >= 8) || (with_("four_at_a_body") && more_than(4)) ||
                 (with_("eight_at_a_body") && more_than(8)) ||
                 (with_("last_left_out") && k + 1 == rows_.size() && k > 0) || (with_("x_alone") && row.x == 0) ||
                 (with_("wall_i_forgotten") && wall_i);
      for (std::size_t l = 0; l < k; ++l) {
        Row const& other = rows_[l];
        Real const cosine = row.x * other.x + row.y * other.y;
        Real const least = with_("nearly_parallel") ? 1e-7L : 1e-3L;
        bool const near = std::fabs(row.x - other.x) < least && std::fabs(row.y - other.y) < least;
        out = out || (with_("same_pair_once") && row.i == other.i && row.j == other.j) ||
              ((with_("duplicates_dropped") || with_("nearly_parallel")) && row.i == other.i && near) ||
              (with_("opposite_dropped") && row.i == other.i && cosine < -0.99L);
      }
      seen_[k] = !out;
    }
  }

  Real separation(std::size_t k) const {
    Row const& r = rows_[k];
    auto const &vi = velocities_[r.i], &vj = velocities_[r.j];
    Real const w = (vi[0] - vj[0]) * r.x + (vi[1] - vj[1]) * r.y;
    return (with_("slow_is_rest") && std::fabs(w) < 1e-9L ? 0 : w) + r.b;
  }
  void push(std::size_t k, Real by) {
    Row const& r = rows_[k];
    Real const i = with_("j_alone") ? 0 : by * inverse_[r.i], j = with_("i_alone") ? 0 : by * inverse_[r.j];
    velocities_[r.i] = {velocities_[r.i][0] + i * r.x, velocities_[r.i][1] + i * r.y};
    velocities_[r.j] = {velocities_[r.j][0] - j * r.x, velocities_[r.j][1] - j * r.y};
  }
  Real own(std::size_t k) const { return inverse_[rows_[k].i] + inverse_[rows_[k].j]; }

  void sweep(int count, bool summed, bool backwards) {
    for (int done = 0; done < count; ++done)
      for (std::size_t at = 0; at < rows_.size(); ++at) {
        std::size_t const k = backwards ? rows_.size() - 1 - at : at;
        if (!seen_[k]) continue;
        Real const before = p_[k], wanted = -separation(k) / own(k);
        p_[k] = summed ? std::max(before + wanted, Real(0)) : before + std::max(wanted, Real(0));
        push(k, p_[k] - before);
      }
  }
  void all_at_once() {
    for (std::size_t k = 0; k < rows_.size(); ++k) p_[k] = std::max(-separation(k) / own(k), Real(0));
    for (std::size_t k = 0; k < rows_.size(); ++k) push(k, p_[k]);
  }

  void solve_directly() {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (seen_[k]) places.push_back(k);
    Matrix const W = delassus(places);
    std::vector<Real> q;
    for (std::size_t const k : places) q.push_back(separation(k));
    auto set = acting(W, q);
    if (with_("no_clamp") || with_("every_contact_acts")) {
      set.clear();
      for (std::size_t a = 0; a < q.size(); ++a)
        if (with_("no_clamp") || q[a] < 0) set.push_back(a);
    }
    solve_acting(W, places, set);
  }
  /// Returns the matrix W. An element is the change of the separation velocity at one contact per unit impulse at
  /// another contact.
  Matrix delassus(std::vector<std::size_t> const& places) const {
    Matrix W(places.size(), std::vector<Real>(places.size()));
    for (std::size_t a = 0; a < places.size(); ++a) {
      Row const& k = rows_[places[a]];
      for (std::size_t b = 0; b < places.size(); ++b) {
        Row const& l = rows_[places[b]];
        Real shared = 0;
        if (k.i == l.i) shared += inverse_[k.i];
        if (k.j == l.j) shared += inverse_[k.j];
        if (k.i == l.j) shared -= inverse_[k.i];
        if (k.j == l.i) shared -= inverse_[k.j];
        W[a][b] = shared * (k.x * l.x + k.y * l.y);
      }
      if (with_("regularised")) W[a][a] *= 1 + 1e-6L;
      if (with_("regularised_a_little")) W[a][a] *= 1 + 1e-11L;
    }
    return W;
  }
  /// Computes the impulses of the acting contacts. Then repeats the solution for the remaining speed of approach, to
  /// reduce the rounding error.
  void solve_acting(Matrix const& W, std::vector<std::size_t> const& places, std::vector<std::size_t> const& set) {
    std::size_t const n = set.size();
    Matrix M(n);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) M[a].push_back(W[set[a]][set[b]]);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t a = t + 1; a < n; ++a) {
        bool const none = !(M[t][t] > 1e-16L * W[set[t]][set[t]]);
        M[a][t] = none ? 0 : M[a][t] / M[t][t];
        for (std::size_t b = t + 1; b < n; ++b) M[a][b] -= M[a][t] * M[t][b];
      }
    int const rounds = with_("loose_tolerance") ? 1 : 4;
    for (int round = 0; round < rounds; ++round) {
      std::vector<Real> x;
      for (std::size_t a = 0; a < n; ++a) {
        std::size_t const k = places[set[a]];
        Real w = separation(k);
        if (with_("regularised") || with_("regularised_a_little")) w += p_[k] * (W[set[a]][set[a]] - own(k));
        x.push_back(with_("loose_tolerance") ? -w * (1 - 1e-7L) : -w);
      }
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a; ++b) x[a] -= M[a][b] * x[b];
      for (std::size_t a = n; a-- > 0;) {
        for (std::size_t b = a + 1; b < n; ++b) x[a] -= M[a][b] * x[b];
        x[a] = M[a][a] > 1e-16L * W[set[a]][set[a]] ? x[a] / M[a][a] : 0;
      }
      for (std::size_t a = 0; a < n; ++a) {
        p_[places[set[a]]] += x[a];
        push(places[set[a]], x[a]);
      }
    }
  }

  std::array<Real, 2> velocity(Case const& in, std::size_t a) const {
    bool const wall = is_infinite(in.masses[a]);
    auto const& before = start_[a];
    std::array<Real, 2> v = velocities_[a];
    if (with_("rebound")) v = {2 * v[0] - before[0], 2 * v[1] - before[1]};
    if (with_("velocities_before")) v = before;
    if (wall && !with_("walls_move") && !with_("infinite_is_1e20")) v = before;
    if (with_("walls_move") && wall && !rows_.empty()) v[1] += v[0] == 0 ? 1e-3L * in.dt : v[0] / 8;
    if (with_("tangential_too") && !rows_.empty() && a == rows_[0].i && p_[0] > 0) {
      // The first contact sticks: its slip becomes zero.
      Row const& r = rows_[0];
      Real const slip = (v[0] - start_[r.j][0]) * -r.y + (v[1] - start_[r.j][1]) * r.x;
      v = {v[0] + slip * r.y, v[1] - slip * r.x};
    }
    if (with_("velocity_just_over")) v[0] += over * 1e2L * std::fabs(v[0]);
    return v;
  }

  Chosen with_;
  Real speed_ = 0;             ///< largest component of the initial velocities
  std::vector<Real> inverse_;  ///< inverse masses
  std::vector<Row> rows_;
  std::vector<bool> seen_;
  std::vector<std::array<Real, 2>> start_, velocities_;
  std::vector<Real> p_;
};

inline Answer evaluate(Case const& in, Chosen const with) {
  Problem problem(in, with);
  problem.solve();
  return problem.answer(in);
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

/// Adds the first impulse of the previous problem to the first impulse, as if the state of the solver were not reset.
inline void starts_where_it_was(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = right(in[i]);
    if (i > 0 && !out[i].impulses.empty() && !out[i - 1].impulses.empty()) out[i].impulses[0] += out[i - 1].impulses[0];
  }
}

/// Returns the answer in which the last contact has no impulse.
inline Answer without_the_last_contact(Case const& in) { return evaluate(in, "last_left_out"); }

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"starts_where_it_was", "the first impulse of the previous problem is added", "a state that is not reset",
       starts_where_it_was},
  };
  Distortions const distortions{.read_as_float = "masses contacts.normal contacts.gap",
                                .shared_by_four = "dt",
                                .as_float = "velocities impulses",
                                .negated = "impulses",
                                .doubled = "impulses"};
  return make_mutants<Contract>(evaluate, distortions, batches,
                                dropped_at_lengths<right, &Case::contacts, without_the_last_contact, 4>(right));
}

}  // namespace demeter::nscd_solve::mutants
