// Solves the complementarity problem of a time step by active sets: the dual method of Goldfarb and Idnani (1983), with
// a refinement of its result. Source: docs/mathematics/nonsmooth.md#nscd_solve-fast-form.
#pragma once

#include "fast/core/double2.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace demeter::nonsmooth::fast {

/// The contacts of a time step in columns. Per body: mass (infinity: a wall) and velocity. Per contact: the indices of
/// its bodies, the normal from j to i, and the gap.
struct TimeStep {
  std::span<double const> mass, velocity_x, velocity_y;
  std::span<double const> i, j, normal_x, normal_y, gap;
  double dt;
};

/// Solver by active sets.
///
/// Velocities are in the metric of the masses, u = sqrt(m) v. A contact is then a direction g = M^(-1/2) H^T e_k. The
/// solution is the point with g_k.u + b_k >= 0 that is nearest to the velocities without contacts. Violated contacts
/// enter the active set one at a time. Contacts leave it when their impulse would become negative.
///
/// The directions of the active contacts are stored as Q R with orthogonal Q. The part of a new direction that is
/// perpendicular to them is then accurate to a few u of itself. A method with the matrix W = H M^-1 H^T would lose
/// twice as many digits: two normals of one grain may be opposite to within 1e-12.
///
/// Masses are divided by a power of two near the largest mass. A change of units by powers of two then changes no bit.
class ActiveSet {
 public:
  void solve(TimeStep const& problem, std::span<double> velocity_x, std::span<double> velocity_y,
             std::span<double> impulses) {
    take(problem);
    set_velocities(problem);
    // Because of rounding, find() may have admitted a wrong contact or excluded a right one. settle() computes the
    // velocities more accurately, and the next find() can then correct the mistake. A few rounds are enough.
    for (int round = 0; round < 16; ++round) {
      if (!find()) break;
      settle(problem);
    }
    hand_out(problem, velocity_x, velocity_y, impulses);
  }

 private:
  /// The direction of a contact. The two components of body a are in row[a] and row[a] + 1; a wall has no rows.
  /// Contributions of walls and gaps are in `fixed`.
  struct Direction {
    std::size_t row_i, row_j;
    double ix, iy, jx, jy;
    double fixed, size;  ///< fixed: b, including the walls' share of the velocity; size: |g|
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void take(TimeStep const& problem) {
    std::size_t const bodies = problem.mass.size();
    n_ = problem.gap.size();
    row_.assign(bodies, none);
    double largest = 0;
    // Only bodies of finite mass with at least one contact get rows.
    for (std::size_t k = 0; k < n_; ++k)
      for (auto const a : {body(problem.i[k]), body(problem.j[k])})
        if (!std::isinf(problem.mass[a])) row_[a] = 0, largest = std::max(largest, problem.mass[a]);
    exponent_ = largest > 0 ? std::ilogb(largest) : 0;
    rows_ = 0;
    u_.clear();
    root_.assign(bodies, 0);
    for (std::size_t a = 0; a < bodies; ++a) {
      if (row_[a] == none) continue;
      row_[a] = rows_;
      rows_ += 2;
      root_[a] = std::sqrt(std::ldexp(problem.mass[a], -exponent_));
      u_.push_back(root_[a] * problem.velocity_x[a]);
      u_.push_back(root_[a] * problem.velocity_y[a]);
    }
    largest_ = u_;
    for (double& each : largest_) each = std::fabs(each);
    directions_.clear();
    for (std::size_t k = 0; k < n_; ++k) {
      auto const i = body(problem.i[k]), j = body(problem.j[k]);
      Direction of{row_[i], row_[j], 0, 0, 0, 0, meeting(problem, k), 0};
      double const x = problem.normal_x[k], y = problem.normal_y[k];
      if (of.row_i == none)
        of.fixed += problem.velocity_x[i] * x + problem.velocity_y[i] * y;
      else
        of.ix = x / root_[i], of.iy = y / root_[i];
      if (of.row_j == none)
        of.fixed -= problem.velocity_x[j] * x + problem.velocity_y[j] * y;
      else
        of.jx = -x / root_[j], of.jy = -y / root_[j];
      of.size = std::sqrt(of.ix * of.ix + of.iy * of.iy + of.jx * of.jx + of.jy * of.jy);
      directions_.push_back(of);
    }
    Q_.clear();
    R_.clear();
    active_.clear();
    inside_.assign(n_, false);
    passed_.assign(n_, false);
    lambda_.assign(n_, 0);
    rest_.assign(n_, 0);
  }
  static std::size_t body(double index) { return static_cast<std::size_t>(index); }
  static double meeting(TimeStep const& problem, std::size_t k) {
    return problem.gap[k] > 0 ? problem.gap[k] / problem.dt : 0;
  }

  double dot(Direction const& g, double const* column) const {
    double sum = 0;
    if (g.row_i != none) sum += g.ix * column[g.row_i] + g.iy * column[g.row_i + 1];
    if (g.row_j != none) sum += g.jx * column[g.row_j] + g.jy * column[g.row_j + 1];
    return sum;
  }

  /// Returns the contact with the largest violation in the metric of the masses. Ignores violations that may be only
  /// rounding errors.
  std::size_t most_violated() const {
    std::size_t most = none;
    double worst = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      if (inside_[k] || passed_[k]) continue;
      Direction const& g = directions_[k];
      double const w = g.fixed + dot(g, u_.data());
      if (!(w < worst * g.size)) continue;
      // The rounding error of w is relative to the largest velocities so far. If a grain came to rest, the error of its
      // earlier velocity remains.
      double magnitude = std::fabs(g.fixed);
      if (g.row_i != none) magnitude += std::fabs(g.ix) * largest_[g.row_i] + std::fabs(g.iy) * largest_[g.row_i + 1];
      if (g.row_j != none) magnitude += std::fabs(g.jx) * largest_[g.row_j] + std::fabs(g.jy) * largest_[g.row_j + 1];
      if (-w <= 0x1p-51 * magnitude) continue;
      worst = w / g.size;
      most = k;
    }
    return most;
  }

  /// Adds contacts until no contact is violated. Returns false if no contact was violated at the start.
  bool find() {
    // Each round increases the distance from the velocities without contacts. Without rounding, the loop therefore
    // ends. The number of rounds is limited because rounding may prevent this.
    std::size_t round = 0;
    for (; round < 20 * n_ + 100; ++round) {
      std::size_t const k = most_violated();
      if (k == none) break;
      enter(k);
    }
    return round > 0;
  }

  /// Adds impulse at contact k until the contact is satisfied. Contacts whose impulse becomes 0 on the way leave the
  /// active set.
  void enter(std::size_t k) {
    Direction const& g = directions_[k];
    double own = 0;
    for (;;) {
      bool const independent = split(g);
      double const w = g.fixed + dot(g, u_.data());
      if (!(w < 0)) {
        // Because of rounding, the violation is already 0. The impulse already applied stays, unless the other contacts
        // can provide it.
        if (independent && own > 0) {
          lambda_[k] = own;
          append(k);
        } else {
          hand_back(own);
          passed_[k] = true;
        }
        return;
      }
      constexpr double infinity = std::numeric_limits<double>::infinity();
      double const to_contact = independent ? -w / (left_ * left_) : infinity;
      double step = to_contact;
      std::size_t leaving = none;
      for (std::size_t a = 0; a < active_.size(); ++a) {
        // Shares of the size of a rounding error are ignored. Otherwise a contact could leave although its impulse is
        // large.
        bool const gives_way = share_[a] * directions_[active_[a]].size > 0x1p-40 * g.size;
        if (gives_way && lambda_[active_[a]] < step * share_[a]) {
          step = lambda_[active_[a]] / share_[a];
          leaving = a;
        }
      }
      // No contact can leave. This happens only because of rounding, because a velocity that satisfies all contacts
      // exists.
      if (!(step < infinity)) {
        hand_back(own);
        passed_[k] = true;
        return;
      }
      for (std::size_t a = 0; a < active_.size(); ++a) lambda_[active_[a]] -= step * share_[a];
      own += step;
      if (independent)
        for (std::size_t row = 0; row < rows_; ++row) {
          if (beside_[row] == 0) continue;
          u_[row] += step * beside_[row];
          // The rounding error of each component of beside_ is relative to the size of the whole direction.
          largest_[row] = std::max(largest_[row], step * g.size);
        }
      if (leaving == none) {
        lambda_[k] = own;
        append(k);
        return;
      }
      lambda_[active_[leaving]] = 0;
      leave(leaving);
    }
  }

  /// Distributes the impulse `own` among the active contacts. The direction of the contact that had this impulse is a
  /// combination of their directions.
  void hand_back(double own) {
    for (std::size_t a = 0; a < active_.size(); ++a) lambda_[active_[a]] += own * share_[a];
  }

  /// Splits g = Q y + beside, with y = R share. `beside` is the part perpendicular to the active directions, computed
  /// by Gram-Schmidt applied twice. Returns false if this part is only a rounding error.
  bool split(Direction const& g) {
    std::size_t const count = active_.size();
    y_.assign(count, 0);
    beside_.assign(rows_, 0);
    if (g.row_i != none) beside_[g.row_i] += g.ix, beside_[g.row_i + 1] += g.iy;
    if (g.row_j != none) beside_[g.row_j] += g.jx, beside_[g.row_j + 1] += g.jy;
    for (std::size_t a = 0; a < count; ++a) y_[a] = dot(g, column(a));
    for (std::size_t a = 0; a < count; ++a) subtract(a, y_[a]);
    for (std::size_t a = 0; a < count; ++a) {
      double again = 0;
      double const* const q = column(a);
      for (std::size_t row = 0; row < rows_; ++row) again += q[row] * beside_[row];
      y_[a] += again;
      subtract(a, again);
    }
    left_ = 0;
    for (double const x : beside_) left_ += x * x;
    left_ = std::sqrt(left_);
    share_ = y_;
    for (std::size_t a = count; a-- > 0;) {
      share_[a] /= R_[a][a];
      for (std::size_t b = 0; b < a; ++b) share_[b] -= R_[a][b] * share_[a];
    }
    return left_ > 0x1p-40 * g.size;
  }
  double* column(std::size_t a) { return Q_.data() + a * rows_; }
  void subtract(std::size_t a, double times) {
    double const* const q = column(a);
    for (std::size_t row = 0; row < rows_; ++row) beside_[row] -= times * q[row];
  }

  void append(std::size_t k) {
    for (double const x : beside_) Q_.push_back(x / left_);
    y_.push_back(left_);
    R_.push_back(y_);
    active_.push_back(k);
    inside_[k] = true;
    passed_.assign(n_, false);
  }

  /// Removes a column of R, and makes R triangular again by rotating neighbouring columns of Q.
  void leave(std::size_t out) {
    inside_[active_[out]] = false;
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(out));
    R_.erase(R_.begin() + static_cast<std::ptrdiff_t>(out));
    for (std::size_t a = out; a < R_.size(); ++a) {
      double const above = R_[a][a], below = R_[a][a + 1], length = std::hypot(above, below);
      double const c = above / length, s = below / length;
      for (std::size_t b = a; b < R_.size(); ++b) {
        double const x = R_[b][a], y = R_[b][a + 1];
        R_[b][a] = c * x + s * y;
        R_[b][a + 1] = c * y - s * x;
      }
      R_[a].pop_back();
      double *const first = column(a), *const second = column(a + 1);
      for (std::size_t row = 0; row < rows_; ++row) {
        double const x = first[row], y = second[row];
        first[row] = c * x + s * y;
        second[row] = c * y - s * x;
      }
    }
    Q_.resize(R_.size() * rows_);
  }

  /// Refines the solution. polish() computes the velocities from the impulses in double-double. From these it computes
  /// the approach velocity that remains at the active contacts, and impulses that remove it. After one step, the error
  /// of the solution is about the error of w, which is rounded once. Contacts with a negative impulse then leave the
  /// active set, the one with the strongest pull first.
  void settle(TimeStep const& problem) {
    for (;;) {
      polish(problem);
      std::size_t out = none;
      double worst = 0;
      for (std::size_t a = 0; a < active_.size(); ++a) {
        double const pull = lambda_[active_[a]] * directions_[active_[a]].size;
        if (pull < worst) worst = pull, out = a;
      }
      if (out == none) break;
      lambda_[active_[out]] = rest_[active_[out]] = 0;
      leave(out);
    }
    for (std::size_t a = 0; a < row_.size(); ++a)
      for (std::size_t c = 0; c < 2 && row_[a] != none; ++c) {
        std::size_t const row = row_[a] + c;
        u_[row] = root_[a] * exact_[row].rounded();
        // Most of the accumulated rounding error was removed.
        largest_[row] = std::max(std::fabs(u_[row]), 0x1p-16 * largest_[row]);
      }
  }

  void polish(TimeStep const& problem) {
    for (int round = 0; round < 2; ++round) {
      set_velocities(problem);
      std::vector<double>& change = y_;
      change.resize(active_.size());
      for (std::size_t a = 0; a < active_.size(); ++a) change[a] = -separation(problem, active_[a]);
      for (std::size_t a = 0; a < change.size(); ++a) {  // solve R^T x = change
        for (std::size_t b = 0; b < a; ++b) change[a] -= R_[a][b] * change[b];
        change[a] /= R_[a][a];
      }
      for (std::size_t a = change.size(); a-- > 0;) {  // solve R y = x
        change[a] /= R_[a][a];
        for (std::size_t b = 0; b < a; ++b) change[b] -= R_[a][b] * change[a];
        auto const sum = demeter::fast_core::exact_sum(lambda_[active_[a]], change[a]);
        lambda_[active_[a]] = sum.high;
        rest_[active_[a]] += sum.low;
      }
    }
    set_velocities(problem);
  }

  void hand_out(TimeStep const& problem, std::span<double> velocity_x, std::span<double> velocity_y,
                std::span<double> impulses) {
    for (std::size_t a = 0; a < row_.size(); ++a) {
      velocity_x[a] = row_[a] == none ? problem.velocity_x[a] : exact_[row_[a]].rounded();
      velocity_y[a] = row_[a] == none ? problem.velocity_y[a] : exact_[row_[a] + 1].rounded();
    }
    for (std::size_t k = 0; k < n_; ++k) impulses[k] = std::ldexp(lambda_[k], exponent_);
  }

  void set_velocities(TimeStep const& problem) {
    using demeter::fast_core::Double2;
    exact_.assign(rows_, Double2{});
    for (std::size_t a = 0; a < row_.size(); ++a) {
      if (row_[a] == none) continue;
      exact_[row_[a]].add(problem.velocity_x[a]);
      exact_[row_[a] + 1].add(problem.velocity_y[a]);
    }
    for (std::size_t k = 0; k < n_; ++k) {
      if (lambda_[k] == 0) continue;
      Direction const& g = directions_[k];
      auto const push = [&](std::size_t row, double index, double sign) {
        if (row == none) return;
        // The impulses are summed in double-double: for a light body between heavy ones, the sum may be much smaller
        // than each impulse.
        double const mass = std::ldexp(problem.mass[body(index)], -exponent_), share = sign * lambda_[k] / mass;
        auto const back = demeter::fast_core::exact_product(share, mass);
        double const share_rest = ((sign * lambda_[k] - back.high) - back.low + sign * rest_[k]) / mass;
        auto const add = [&](std::size_t at, double n) {
          auto const product = demeter::fast_core::exact_product(share, n);
          exact_[at].add(product.high);
          exact_[at].low += product.low + share_rest * n;
        };
        add(row, problem.normal_x[k]);
        add(row + 1, problem.normal_y[k]);
      };
      push(g.row_i, problem.i[k], 1);
      push(g.row_j, problem.j[k], -1);
    }
  }

  /// Returns w of contact k, computed from the velocities in double-double.
  double separation(TimeStep const& problem, std::size_t k) const {
    using demeter::fast_core::Double2;
    Double2 w{};
    w.add(meeting(problem, k));
    auto const component = [&](std::size_t row, double index, bool second, double n, double sign) {
      double const high = row == none ? (second ? problem.velocity_y : problem.velocity_x)[body(index)]
                                      : exact_[row + (second ? 1 : 0)].high,
                   low = row == none ? 0 : exact_[row + (second ? 1 : 0)].low;
      auto const product = demeter::fast_core::exact_product(high, sign * n);
      w.add(product.high);
      w.low += product.low + low * sign * n;
    };
    Direction const& g = directions_[k];
    component(g.row_i, problem.i[k], false, problem.normal_x[k], 1);
    component(g.row_i, problem.i[k], true, problem.normal_y[k], 1);
    component(g.row_j, problem.j[k], false, problem.normal_x[k], -1);
    component(g.row_j, problem.j[k], true, problem.normal_y[k], -1);
    return w.rounded();
  }

  std::size_t n_ = 0, rows_ = 0;
  int exponent_ = 0;  ///< the unit of mass is 2^exponent_
  std::vector<std::size_t> row_;
  std::vector<double> root_, u_, largest_;  ///< largest_: largest magnitude that was added to u_. The rounding error of
                                            ///< u_ is relative to largest_.
  std::vector<Direction> directions_;
  std::vector<double> Q_;               ///< stored column by column
  std::vector<std::vector<double>> R_;  ///< stored column by column
  std::vector<std::size_t> active_;
  std::vector<bool> inside_;
  std::vector<bool> passed_;                ///< contacts that are violated only by rounding; reset when another contact
                                            ///< enters
  std::vector<double> lambda_;              ///< impulses divided by 2^exponent_
  std::vector<double> rest_;                ///< rounding errors of the impulses
  double left_ = 0;                         ///< |beside_|
  std::vector<double> y_, beside_, share_;  ///< results for the direction that was the last argument of split()
  std::vector<demeter::fast_core::Double2> exact_;
};

}  // namespace demeter::nonsmooth::fast
