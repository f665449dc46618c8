// Reference: the complementarity problem of a time step, by Lemke's method.
// Source: docs/mathematics/nonsmooth.md#nscd_solve-recommended-formula.
#pragma once

#include "reference/family/nonsmooth.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <optional>

namespace demeter::nscd_solve::reference {

using nonsmooth::reference::Constraint;

/// Returns W_kl, the change of w_k due to a unit impulse at contact l: W = H M^-1 H^T.
template <field_scalar Scalar>
Scalar delassus(Constraint<Scalar> const& k, Constraint<Scalar> const& l, std::vector<Scalar> const& inverse_mass) {
  Scalar shared(0);
  if (k.i == l.i) shared = shared + inverse_mass[k.i];
  if (k.j == l.j) shared = shared + inverse_mass[k.j];
  if (k.i == l.j) shared = shared - inverse_mass[k.i];
  if (k.j == l.i) shared = shared - inverse_mass[k.j];
  return shared * (k.normal[0] * l.normal[0] + k.normal[1] * l.normal[1]);
}

/// Lemke's tableau of w = W p + q. Its columns are w_0 ... w_(n-1), p_0 ... p_(n-1), the covering variable z and the
/// right-hand side. Impulses are in units of 1/W_kk, so that W has ones on its diagonal.
template <field_scalar Scalar>
class Tableau {
 public:
  Tableau(std::vector<std::vector<Scalar>> const& W, std::vector<Scalar> const& q) : n_(q.size()) {
    // The largest speed of approach is the unit for rounding errors. Separating contacts are ignored: a wide gap would
    // give a large speed that is not typical.
    Scalar largest(0);
    for (std::size_t k = 0; k < n_; ++k) {
      rows_.emplace_back(2 * n_ + 2, Scalar(0));
      rows_[k][k] = Scalar(1);
      for (std::size_t l = 0; l < n_; ++l) rows_[k][n_ + l] = -(W[k][l] / W[l][l]);
      rows_[k][2 * n_] = Scalar(-1);
      rows_[k][2 * n_ + 1] = q[k];
      basic_.push_back(k);
      if (largest < -q[k]) largest = -q[k];
    }
    // If the scalar rounds, a number counts as 0 below the square root of the unit roundoff (half of the digits).
    if constexpr (real_scalar<Scalar>) {
      using std::sqrt;
      nothing_ = sqrt(nonsmooth::reference::spacing_of_one<Scalar>());
    }
    no_speed_ = nothing_ * largest;
  }

  /// Returns the impulses in units of 1/W_kk. The lexicographic order of (q, B^-1) makes the choice of the row unique.
  /// Therefore no tableau repeats in exact arithmetic. Rounding may cause a repetition, so the number of pivots is
  /// limited.
  std::vector<Scalar> solve() {
    std::size_t const z = 2 * n_;
    std::optional<std::size_t> row;
    for (std::size_t k = 0; k < n_; ++k)
      if (rows_[k].back() < -no_speed_ && (!row || before(k, *row, Scalar(1)))) row = k;
    std::size_t entering = z;
    for (std::size_t count = 0; row && count < 50 * n_ + 100; ++count) {
      std::size_t const leaving = basic_[*row];
      pivot(*row, entering);
      if (leaving == z) break;
      entering = leaving < n_ ? leaving + n_ : leaving - n_;
      row = ratio_test(entering);
    }
    std::vector<Scalar> impulses(n_, Scalar(0));
    for (std::size_t k = 0; k < n_; ++k)
      if (basic_[k] >= n_ && basic_[k] < z && Scalar(0) < rows_[k].back()) impulses[basic_[k] - n_] = rows_[k].back();
    return impulses;
  }

 private:
  /// Returns whether (q, B^-1) of row a, divided by divisor_a, comes before (q, B^-1) of row b, divided by divisor_b.
  bool before(std::size_t a, std::size_t b, Scalar const& divisor_a, Scalar const& divisor_b) const {
    auto const compare = [&](std::size_t column, Scalar const& equal) {
      Scalar const difference = rows_[a][column] * divisor_b - rows_[b][column] * divisor_a;
      return difference < -equal ? -1 : equal < difference ? 1 : 0;
    };
    if (int const q = compare(2 * n_ + 1, no_speed_ * divisor_a * divisor_b); q != 0) return q < 0;
    for (std::size_t column = 0; column < n_; ++column)
      if (int const each = compare(column, nothing_); each != 0) return each < 0;
    return false;
  }
  bool before(std::size_t a, std::size_t b, Scalar const& divisor) const { return before(a, b, divisor, divisor); }

  std::optional<std::size_t> ratio_test(std::size_t entering) const {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < n_; ++k) {
      if (!(nothing_ < rows_[k][entering])) continue;
      // If several rows are possible, the covering variable leaves the basis.
      if (!best || before(k, *best, rows_[k][entering], rows_[*best][entering]) ||
          (basic_[k] == 2 * n_ && !before(*best, k, rows_[*best][entering], rows_[k][entering])))
        best = k;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t entering) {
    Scalar const by = rows_[row][entering];
    for (Scalar& each : rows_[row]) each = each / by;
    for (std::size_t k = 0; k < n_; ++k) {
      Scalar const times = rows_[k][entering];
      if (k == row || (!(times < Scalar(0)) && !(Scalar(0) < times))) continue;
      for (std::size_t column = 0; column < rows_[k].size(); ++column)
        rows_[k][column] = rows_[k][column] - times * rows_[row][column];
    }
    basic_[row] = entering;
  }

  std::size_t n_;
  std::vector<std::vector<Scalar>> rows_;
  std::vector<std::size_t> basic_;  ///< the basic variable of each row
  Scalar nothing_{0}, no_speed_{0};
};

/// Returns the solution. It is exact for exact scalars, because the solution is a rational function of the input.
template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  auto const inverse_mass = nonsmooth::reference::inverse_masses(in);
  auto const contacts = nonsmooth::reference::constraints(in);
  std::size_t const n = contacts.size();
  std::vector<std::vector<Scalar>> W(n);
  std::vector<Scalar> q;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) W[k].push_back(delassus(contacts[k], contacts[l], inverse_mass));
    q.push_back(nonsmooth::reference::separation(contacts[k], in.velocities));
  }
  Output<Scalar> out{in.velocities, Tableau<Scalar>(W, q).solve()};
  for (std::size_t k = 0; k < n; ++k) {
    out.impulses[k] = out.impulses[k] / W[k][k];
    nonsmooth::reference::push(contacts[k], out.impulses[k], inverse_mass, out.velocities);
  }
  return out;
}

}  // namespace demeter::nscd_solve::reference
