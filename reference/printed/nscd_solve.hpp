// The contacts of a time step as other codes solve them: the result after many printed sweeps.
#pragma once

#include "reference/family/nonsmooth.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/nscd_solve.hpp"

namespace demeter::nscd_solve::printed {

/// Returns the result of sweeps over the contacts. An update uses the current velocities (Gauss-Seidel). If `together`
/// is true, it uses the velocities before the sweep (Jacobi). An impulse is never reduced later.
/// The sweeps end when no velocity changes by more than the scalar's roundoff times the largest velocity, when speeds
/// exceed the range of doubles, or after 100,000 sweeps. If the velocities repeat every two sweeps, the loop stops
/// early and adds the impulses of the remaining sweeps.
template <field_scalar Scalar>
Output<Scalar> swept(Input<Scalar> const& in, bool together) {
  namespace shared = nonsmooth::reference;
  constexpr int most = 100'000;
  auto const inverse_mass = shared::inverse_masses(in);
  auto const contacts = shared::constraints(in);
  Output<Scalar> out{in.velocities, std::vector<Scalar>(contacts.size(), Scalar(0))};
  Scalar const zero(0), roundoff = shared::spacing_of_one<Scalar>();
  auto const largest_change = [](auto const& from, auto const& to) {
    Scalar change(0);
    for (std::size_t a = 0; a < from.size(); ++a)
      for (Index c = 0; c < 2; ++c)
        if (Scalar const by = nonsmooth::magnitude(Scalar(to[a][c] - from[a][c])); !(by <= change)) change = by;
    return change;
  };
  std::vector<Vector2<Scalar>> const rest(in.velocities.size(), Vector2<Scalar>(zero, zero));
  Scalar grown = largest_change(rest, in.velocities);
  for (int doubling = 0; doubling < 11; ++doubling) grown = grown * Scalar(0x1p100);
  auto before = out.velocities, earlier = before;
  auto given_before = out.impulses, given_earlier = given_before;
  for (int sweep = 1; sweep <= most; ++sweep) {
    earlier.swap(before);
    given_earlier.swap(given_before);
    before = out.velocities;
    given_before = out.impulses;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      auto const& contact = contacts[k];
      Scalar const wanting = -shared::separation(contact, together ? before : out.velocities);
      if (!(zero < wanting)) continue;
      Scalar const impulse = wanting / (inverse_mass[contact.i] + inverse_mass[contact.j]);
      out.impulses[k] = out.impulses[k] + impulse;
      shared::push(contact, impulse, inverse_mass, out.velocities);
    }
    Scalar const largest = largest_change(rest, out.velocities), little = largest * roundoff;
    if (!(largest <= grown) || largest_change(before, out.velocities) <= little) break;
    if (sweep > 1 && sweep % 2 == 0 && largest_change(earlier, out.velocities) <= little) {
      Scalar const again((most - sweep) / 2);
      for (std::size_t k = 0; k < contacts.size(); ++k)
        out.impulses[k] = out.impulses[k] + again * (out.impulses[k] - given_earlier[k]);
      break;
    }
  }
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented",
              "the limit of sweeps of single updates, one contact after the other, which is some velocity at which "
              "nothing meets, and depends on the order of the contacts",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return swept(in, false); }},
      Formula{"documented_jacobi", "the same with all updates of a sweep from the velocities before it; it may diverge",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return swept(in, true); }},
  };
}

inline std::vector<Erratum> errata() {
  static constexpr std::string_view
      corner =
          R"({"masses":[1,"inf"],"velocities":[[-1,-1],[0,0]],"contacts":[{"i":0,"j":1,"normal":[0,1],"gap":0},{"i":0,"j":1,"normal":["3/5","4/5"],"gap":0}],"dt":1})",
      corner_turned =
          R"({"masses":[1,"inf"],"velocities":[[-1,-1],[0,0]],"contacts":[{"i":0,"j":1,"normal":["3/5","4/5"],"gap":0},{"i":0,"j":1,"normal":[0,1],"gap":0}],"dt":1})",
      two_neighbours =
          R"({"masses":[1,1,1],"velocities":[[1,1],[0,0],[0,0]],"contacts":[{"i":0,"j":1,"normal":[-1,0],"gap":0},{"i":0,"j":2,"normal":["-5/13","-12/13"],"gap":0}],"dt":1})",
      pyramid =
          R"({"masses":[1,1,1,"inf"],"velocities":[[0,-1],[0,0],[0,0],[0,0]],"contacts":[{"i":0,"j":1,"normal":["3/5","4/5"],"gap":0},{"i":0,"j":2,"normal":["-3/5","4/5"],"gap":0},{"i":1,"j":3,"normal":[0,1],"gap":0},{"i":2,"j":3,"normal":[0,1],"gap":0}],"dt":1})";
  return {
      Erratum{
          .where = "sweeps over the contacts",
          .documented =
              "each update adds to the velocities; impulses are not summed, so no impulse can be reduced later",
          .implemented = "a cyclic projection: it converges to some velocities without approach, not to the solution",
          .codes = {published::course},
          .recommended = "the nearest velocities without approach in the metric of the masses: 0 <= p, 0 <= w, p w = 0",
          .figures = {{.what = "one grain in a corner of two walls whose normals have an acute angle",
                       .input = corner,
                       .column = "velocities[0]",
                       .values = {{"documented", "-0.64"}, {"reference", "-0.16"}}},
                      {.what = "the same grain, with the contacts in the other order",
                       .input = corner_turned,
                       .column = "velocities[0]",
                       .values = {{"documented", "-0.16"}, {"reference", "-0.16"}}},
                      {.what = "a grain hits two grains whose directions from it have an acute angle: first impulse",
                       .input = two_neighbours,
                       .column = "impulses",
                       .values = {{"documented", "0.5"}, {"reference", "0.38863287"}}},
                      {.what =
                           "one grain falls on two grains on a floor: the left and the right impulse should be equal",
                       .input = pyramid,
                       .column = "impulses",
                       .values = {{"documented", "0.491542464"}, {"reference", "0.487804878"}}}}},
      Erratum{.where = "all updates of a sweep at once (Jacobi)",
              .documented = "a parallel variant that needs more sweeps",
              .implemented =
                  "The sweeps can diverge. Example: a grain in a slot whose walls have joints at its height. It "
                  "has three contacts per side, and its speed is 1, 2, 4, 8, ... after the sweeps.",
              .codes = {published::course},
              .recommended = "Sum the impulses, and divide each impulse by the number of contacts of its bodies."},
      Erratum{.where = "the test that ends the sweeps",
              .documented = "stop if no contact approaches",
              .implemented = "stop if no contact approaches; velocities that separate too fast pass this test too",
              .codes = {published::course},
              .recommended = "stop by the natural residual, max |min(W_kk p_k, w_k)|"},
  };
}

}  // namespace demeter::nscd_solve::printed
