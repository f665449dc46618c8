// The contacts of a time step in any arithmetic, for the reference and the printed formulas of nscd_solve.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <vector>

namespace demeter::nonsmooth::reference {

/// Returns `demeter::spacing_of_one`, or 0 if the scalar is exact.
template <class Scalar>
Scalar spacing_of_one() {
  if constexpr (real_scalar<Scalar>)
    return demeter::spacing_of_one<Scalar>();
  else
    return Scalar(0);
}

/// Returns 1/m for each body, 0 for a wall.
template <field_scalar Scalar>
std::vector<Scalar> inverse_masses(nscd_solve::Input<Scalar> const& in) {
  std::vector<Scalar> inverse;
  for (auto const& mass : in.masses) inverse.push_back(is_infinite(mass) ? Scalar(0) : Scalar(Scalar(1) / mass));
  return inverse;
}

/// A contact: the indices of its bodies, its normal, and `meeting` = max(0, gap)/dt, the speed of approach that closes
/// the gap in one step.
template <class Scalar>
struct Constraint {
  std::size_t i, j;
  Vector2<Scalar> normal;
  Scalar meeting;
};
template <field_scalar Scalar>
std::vector<Constraint<Scalar>> constraints(nscd_solve::Input<Scalar> const& in) {
  std::vector<Constraint<Scalar>> all;
  std::size_t const bodies = in.masses.size();
  for (auto const& contact : in.contacts)
    all.push_back({nscd_solve::Contract::index_of(contact.i, bodies), nscd_solve::Contract::index_of(contact.j, bodies),
                   contact.normal, Scalar(0) < contact.gap ? Scalar(contact.gap / in.dt) : Scalar(0)});
  return all;
}

/// Returns w_k = (v_i - v_j).n + max(0, gap)/dt.
template <field_scalar Scalar>
Scalar separation(Constraint<Scalar> const& of, std::vector<Vector2<Scalar>> const& velocities) {
  Vector2<Scalar> const &vi = velocities[of.i], &vj = velocities[of.j];
  return (vi[0] - vj[0]) * of.normal[0] + (vi[1] - vj[1]) * of.normal[1] + of.meeting;
}

/// Applies an impulse p: v_i += p n / m_i, v_j -= p n / m_j.
template <field_scalar Scalar>
void push(Constraint<Scalar> const& of, Scalar const& impulse, std::vector<Scalar> const& inverse_mass,
          std::vector<Vector2<Scalar>>& velocities) {
  for (Index c = 0; c < 2; ++c) {
    Scalar const along = impulse * of.normal[c];
    velocities[of.i][c] = velocities[of.i][c] + along * inverse_mass[of.i];
    velocities[of.j][c] = velocities[of.j][c] - along * inverse_mass[of.j];
  }
}

}  // namespace demeter::nonsmooth::reference
