// Solver for the contacts of a large time step: a gradient method finds the acting contacts, conjugate gradients finish
// the solution.
#pragma once

#include "fast/family/nonsmooth/active_set.hpp"
#include "fast/family/nonsmooth/solvers.hpp"

namespace demeter::nonsmooth::fast {

/// Solver for more contacts than `ActiveSet` can handle. The memory of ActiveSet grows with the square of the size of a
/// problem, and its time with the third power.
///
/// The solver works in rounds. In each round, an accelerated gradient method finds the acting contacts. The tolerance
/// of this method decreases by a factor of a thousand per round. For the acting contacts, conjugate gradients then
/// reduce the remaining approach velocity to a few roundings of the largest speed. The number of their steps is at most
/// twice the number of acting contacts. Negative impulses are set to 0, and the next round corrects the effect. Returns
/// the answer of the best round. The condition of the problem limits its natural residual. No bound is proven.
class ManyContacts {
 public:
  void solve(TimeStep const& step, std::span<double> velocity_x, std::span<double> velocity_y,
             std::span<double> impulses) {
    take(step);
    Problem const problem{inverse_, step.velocity_x, step.velocity_y, i_, j_, step.normal_x, step.normal_y, meeting_};
    std::size_t const n = i_.size();
    p_.assign(n, 0);
    x_.assign(inverse_.size(), 0);
    y_.assign(inverse_.size(), 0);
    double best = std::numeric_limits<double>::infinity();
    for (double tolerance = 0x1p-20 * speed_; tolerance > 0x1p-53 * speed_; tolerance *= 0x1p-10) {
      fast::solve(Method::apgd, problem, {tolerance, 4000}, p_, x_, y_, workspace_);
      finish(problem);
      double const residual = natural_residual(problem, p_, x_, y_);
      if (!(residual < best)) continue;
      best = residual;
      std::copy(p_.begin(), p_.end(), impulses.begin());
      std::copy(x_.begin(), x_.end(), velocity_x.begin());
      std::copy(y_.begin(), y_.end(), velocity_y.begin());
      if (best <= 0x1p-50 * speed_) return;
    }
  }

 private:
  void take(TimeStep const& step) {
    auto const index = [](double x) { return static_cast<std::int32_t>(x); };
    i_.clear();
    j_.clear();
    inverse_.clear();
    meeting_.clear();
    for (double const mass : step.mass) inverse_.push_back(1 / mass);
    for (double const each : step.i) i_.push_back(index(each));
    for (double const each : step.j) j_.push_back(index(each));
    for (double const gap : step.gap) meeting_.push_back(gap > 0 ? gap / step.dt : 0);
    speed_ = 0;
    for (std::size_t a = 0; a < inverse_.size(); ++a)
      speed_ = std::max({speed_, std::fabs(step.velocity_x[a]), std::fabs(step.velocity_y[a])});
  }

  static std::size_t at(std::int32_t body) { return static_cast<std::size_t>(body); }
  double along(Problem const& of, std::size_t k, std::vector<double> const& x, std::vector<double> const& y) const {
    std::size_t const i = at(of.i[k]), j = at(of.j[k]);
    return (x[i] - x[j]) * of.normal_x[k] + (y[i] - y[j]) * of.normal_y[k];
  }
  void push(Problem const& of, std::size_t k, double impulse, std::vector<double>& x, std::vector<double>& y) const {
    std::size_t const i = at(of.i[k]), j = at(of.j[k]);
    double const px = impulse * of.normal_x[k], py = impulse * of.normal_y[k];
    x[i] += px * of.inverse_mass[i];
    y[i] += py * of.inverse_mass[i];
    x[j] -= px * of.inverse_mass[j];
    y[j] -= py * of.inverse_mass[j];
  }

  /// Solves W_AA d = -w_A for the acting contacts A by conjugate gradients, preconditioned by W_kk. If contacts depend
  /// on each other, the right-hand side is in the range of W_AA, and the steps stay in this range.
  void finish(Problem const& of) {
    std::size_t const n = p_.size();
    acting_.clear();
    for (std::size_t k = 0; k < n; ++k)
      if (p_[k] > 0) acting_.push_back(k);
    set_velocities(of);
    std::size_t const m = acting_.size();
    left_.resize(m);
    towards_.resize(m);
    change_.assign(m, 0);
    auto const own = [&](std::size_t a) {
      return of.inverse_mass[at(of.i[acting_[a]])] + of.inverse_mass[at(of.j[acting_[a]])];
    };
    double size = 0;
    for (std::size_t a = 0; a < m; ++a) {
      left_[a] = -(along(of, acting_[a], x_, y_) + of.meeting[acting_[a]]);
      towards_[a] = left_[a] / own(a);
      size += left_[a] * towards_[a];
    }
    for (std::size_t round = 0; round < 2 * m && size > 0; ++round) {
      dx_.assign(x_.size(), 0);
      dy_.assign(y_.size(), 0);
      for (std::size_t a = 0; a < m; ++a) push(of, acting_[a], towards_[a], dx_, dy_);
      double curvature = 0, largest = 0, next = 0;
      image_.resize(m);
      for (std::size_t a = 0; a < m; ++a) {
        image_[a] = along(of, acting_[a], dx_, dy_);
        curvature += image_[a] * towards_[a];
      }
      if (!(curvature > 0)) break;
      double const share = size / curvature;
      for (std::size_t a = 0; a < m; ++a) {
        change_[a] += share * towards_[a];
        left_[a] -= share * image_[a];
        largest = std::max(largest, std::fabs(left_[a]));
        next += left_[a] * left_[a] / own(a);
      }
      if (largest <= 0x1p-54 * speed_) break;
      for (std::size_t a = 0; a < m; ++a) towards_[a] = left_[a] / own(a) + next / size * towards_[a];
      size = next;
    }
    for (std::size_t a = 0; a < m; ++a) p_[acting_[a]] = std::max(p_[acting_[a]] + change_[a], 0.0);
    set_velocities(of);
  }

  void set_velocities(Problem const& of) {
    std::copy(of.velocity_x.begin(), of.velocity_x.end(), x_.begin());
    std::copy(of.velocity_y.begin(), of.velocity_y.end(), y_.begin());
    for (std::size_t k = 0; k < p_.size(); ++k)
      if (p_[k] != 0) push(of, k, p_[k], x_, y_);
  }

  double speed_ = 0;
  std::vector<double> inverse_, meeting_, p_, x_, y_, left_, towards_, change_, image_, dx_, dy_;
  std::vector<std::int32_t> i_, j_;
  std::vector<std::size_t> acting_;
  Workspace workspace_;
};

}  // namespace demeter::nonsmooth::fast
