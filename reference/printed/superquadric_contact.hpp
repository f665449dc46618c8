// The contact of two superquadrics as LIGGGHTS defines it, with and without its scale factors, and the overlap of Open
// DEM Japan's note.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/superquadric_contact.hpp"

namespace demeter::superquadric_contact::printed {

using namespace superquadric::reference;

/// Returns LIGGGHTS's factor, 2^(2 - max(n1, n2)).
template <power_scalar Scalar>
Scalar scale_factor(Scalar const& n1, Scalar const& n2) {
  using std::pow;
  Scalar const two(2);
  return pow(two, Scalar(two - (n1 < n2 ? n2 : n1)));
}

/// Says whether overlap_b is computed, which needs two searches for exit points.
enum class Exits { wanted, unwanted };

/// Returns the contact at the point where max(k_i F_i, k_j F_j) has its minimum, with F = N^n1 - 1. The search is for
/// the value P of this minimum. The surfaces k F = P are the surfaces of the bodies scaled by s = (1 + P/k)^(1/n1). At
/// the right P the scaled bodies just touch, so their growth distance sigma(P) is 1. log sigma(P) decreases. Its root
/// is found by Newton's method within a bracket.
///
/// One body may shrink to a point before the level of the other body is reached. Then the contact point is the centre
/// of this body, for every shape of the other body, and the status is degenerate.
template <power_scalar Scalar>
Output<Scalar> of_levels(Input<Scalar> const& in, bool scaled, Exits exits = Exits::wanted) {
  using std::log;
  using std::pow;
  Scalar const zero(0), one(1), two(2);
  reference::Pair<Scalar> const pair(in);
  Scalar const ki = scaled ? scale_factor<Scalar>(in.i.n1, in.i.n2) : one,
               kj = scaled ? scale_factor<Scalar>(in.j.n1, in.j.n2) : one;
  Output<Scalar> out{zero, in.i.position, std::nullopt, std::nullopt, std::nullopt, std::nullopt, Status::concentric};
  if (reference::concentric(in)) return out;
  out.normal = Vector3<Scalar>::Zero();
  out.overlap_b = zero;
  out.overlap_n = out.overlap_phi = zero;
  auto const grown = [&](Body<Scalar> const& body, Scalar const& k, Scalar const& level) {
    Body<Scalar> result = body;
    result.shape.semi_axes *= pow(Scalar(one + level / k), Scalar(one / body.shape.n1));
    return result;
  };
  bool const i_first = ki < kj;
  Scalar const k_first = i_first ? ki : kj, k_last = i_first ? kj : ki;
  Body<Scalar> const &first = i_first ? pair.i : pair.j, &last = i_first ? pair.j : pair.i;
  if (ki < kj || kj < ki) {
    Scalar const there = gauge<Scalar>(last.shape, last.local(first.centre)).N;
    if (!(one - k_first / k_last < pow(there, last.shape.n1))) {
      out.point = in.i.position + pair.unit * first.centre;
      out.status = Status::degenerate;
      return out;
    }
  }
  Scalar low = -k_first, high(0), level(0), before(0);
  bool bounded = false;
  Meeting<Scalar> at = touch<Scalar>(pair.i, pair.j, between<Scalar>(pair.i, pair.j));
  for (int iteration = 0; iteration < 100; ++iteration) {
    Scalar const sigma = at.sigma(), lambda = at.weight_j / (at.weight_i + at.weight_j);
    (sigma < one ? high : low) = level;
    bounded = bounded || sigma < one;
    Scalar const slope_ = lambda / (pair.i.shape.n1 * (ki + level)) + (one - lambda) / (pair.j.shape.n1 * (kj + level));
    Scalar change = log(sigma) / slope_;
    Scalar next = level + change;
    if (!(low < next)) next = (low + level) / two;
    if (bounded && !(next < high)) next = (high + level) / two;
    change = next - level;
    // The search ends when the step is as small as a rounding error of the levels, or no longer decreases.
    Scalar const size = magnitude<Scalar>(change), levels = k_first + magnitude<Scalar>(level);
    if (!(levels < levels + size / 4) || (iteration > 8 && !(size < before))) break;
    before = size;
    level = next;
    Body<Scalar> const i = grown(pair.i, ki, level), j = grown(pair.j, kj, level);
    at = touch<Scalar>(i, j, at.x);
  }
  Vector3<Scalar> const n = at.normal();
  out.point = in.i.position + pair.unit * at.x;
  out.normal = n;
  bool const inside = level < zero;
  if (inside && exits == Exits::wanted)
    out.overlap_b = pair.unit * (exit_distance<Scalar>(pair.i, at.x, -n) + exit_distance<Scalar>(pair.j, at.x, n));
  out.status = one < growth_of_boxes<Scalar>(pair.i, pair.j) ? Status::far : inside ? Status::intersect : Status::close;
  return out;
}

/// Returns the overlap of equation (5) at the point where the larger of Phi_i and Phi_j has its minimum, with Phi =
/// N^n1 - 1. The overlap is -(Phi_i + Phi_j) n . g with g = grad Phi_j - grad Phi_i. If `divided` is true, it is
/// divided by (n . g)^2 and is then a length. By equation (10), there is a contact if the overlap is above 0.
///
/// Phi is the function of LIGGGHTS. Equation (1) describes another body: superquadric_shape covers this difference. If
/// equation (1) were used here, the difference of the bodies would hide the effect of equation (5).
template <power_scalar Scalar>
Output<Scalar> of_gradients(Input<Scalar> const& in, bool divided) {
  using std::pow;
  Output<Scalar> out = of_levels<Scalar>(in, false, Exits::unwanted);
  if (out.status == Status::concentric || out.status == Status::degenerate) return out;
  Scalar const one(1);
  Scalar levels(0);
  Vector3<Scalar> gradients = Vector3<Scalar>::Zero();
  auto const add = [&](Superquadric<Scalar> const& of, Scalar const& sign) {
    Body<Scalar> const body = superquadric::reference::body<Scalar>(of);
    Slope<Scalar> const at = slope<Scalar>(body, out.point);
    levels += pow(at.N, of.n1) - one;
    gradients += sign * of.n1 * pow(at.N, Scalar(of.n1 - one)) * at.g;
  };
  add(in.i, Scalar(-1));
  add(in.j, one);
  Scalar const along = out.normal->dot(gradients);
  out.overlap_n = divided ? Scalar(-levels / along) : Scalar(-levels * along);
  if (out.status != Status::far) out.status = Scalar(0) < *out.overlap_n ? Status::intersect : Status::close;
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{
          "liggghts",
          "the least of the larger k (N^n1 - 1), k = 2^(2 - max(n1, n2)), and the line-surface overlap there; LIGGGHTS "
          "3.8.0, by running it",
          FormulaKind::searched_model,
          []<class Scalar>(Input<Scalar> const& in) { return of_levels<Scalar>(in, true); },
          {"sigma", "overlap_n", "overlap_phi"}},
      Formula{"unscaled",
              "the same with k = 1: the point no longer sticks to the body with the smaller factor",
              FormulaKind::searched_model,
              []<class Scalar>(Input<Scalar> const& in) { return of_levels<Scalar>(in, false); },
              {"sigma", "overlap_n", "overlap_phi"}},
      Formula{"documented",
              "equations (2), (5) and (10) of Open DEM Japan's note: the overlap is a product of two gradients' units",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return of_gradients<Scalar>(in, false); },
              {"sigma", "overlap_b", "overlap_phi"}},
      Formula{"quotient",
              "the same with the product divided by the square of the gradient: a length, but half of the overlap",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) { return of_gradients<Scalar>(in, true); },
              {"sigma", "overlap_b", "overlap_phi"}},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "(2)",
          .documented = "Phi_i = Phi_j <= 0, with the normal along the difference of the gradients: a whole surface of "
                        "points satisfies this",
          .implemented = "the point with the least max(Phi_i, Phi_j); its stopping test also accepts points where the "
                         "gradients have the same direction",
          .codes = {published::liggghts_superquadrics},
          .recommended = "equal gauges and opposite gradients: g_i + mu g_j = 0 with mu > 0",
          .figures =
              {{.what = "spheres of radius 1 at (0, 0, 0) and of radius 2 at (1.5, 0, 0); LIGGGHTS starts at (-1.5, 0, "
                        "0) and stays there",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2},"j":{"position":[1.5,0,0],"orientation":[1,0,0,0],"semi_axes":[2,2,2],"n1":2,"n2":2},"previous":[-1.5,0,0]})",
                .column = "point[0]",
                .values = {{"reference", "0.5"}}}}},
      Erratum{
          .where = "(5)",
          .documented = "-(Phi_i + Phi_j)(n . g), whose unit is 1/length",
          .implemented = "the sum of the distances from the point to both surfaces along the normal",
          .codes = {published::liggghts_superquadrics},
          .recommended = "overlap_n: the sum of (1 - N)/|grad N| over both bodies, which is the depth to first order; "
                         "overlap_b is a second output",
          .figures =
              {{.what = "unit spheres with a distance of 1.9 between their centres",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2},"j":{"position":[1.9,0,0],"orientation":[1,0,0,0],"semi_axes":[1,1,1],"n1":2,"n2":2},"previous":null})",
                .column = "overlap_n",
                .values = {{"documented", "0.741"}, {"quotient", "0.0513"}, {"reference", "0.1"}}},
               {.what = "the same spheres with radii of 1 mm",
                .input =
                    R"({"i":{"position":[0,0,0],"orientation":[1,0,0,0],"semi_axes":[0.001,0.001,0.001],"n1":2,"n2":2},"j":{"position":[0.0019,0,0],"orientation":[1,0,0,0],"semi_axes":[0.001,0.001,0.001],"n1":2,"n2":2},"previous":null})",
                .column = "overlap_n",
                .values = {{"documented", "741"}, {"quotient", "5.13e-5"}, {"reference", "1e-4"}}}}},
      Erratum{.where = "(10)",
              .documented = "contact if delta_n > 0",
              .implemented = "contact if max(f_i, f_j) < 0",
              .codes = {published::liggghts_superquadrics},
              .recommended = "Decide by a witness: a point in both bodies, or a direction that separates them."},
  };
}

}  // namespace demeter::superquadric_contact::printed
