// Mutants of superquadric_contact. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/family/superquadric.hpp"
#include "reference/spec/superquadric_contact.hpp"

namespace demeter::superquadric_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using namespace superquadric::mutants;

inline constexpr Defect own_defects[] = {
    {"scale_factor", "minimises the larger k (N^n1 - 1) instead of the larger N",
     "LIGGGHTS: k pulls the point to one body"},
    {"levels_of_functions", "minimises the larger N^n1 - 1", "equal values of the implicit functions"},
    {"parallel_gradients", "accepts a start where the gradients are parallel instead of opposite",
     "LIGGGHTS: the merit function accepts parallel gradients"},
    {"converged_at_a_thousandth", "the search ends at a residual of 1e-3",
     "LIGGGHTS: converged if the change is below 1e-3"},
    {"three_steps", "at most three steps", "an iteration limit that is not checked"},
    {"start_returned", "no iteration step", "a loop that is not entered"},
    {"previous_returned", "the previous point is returned", "a warm start that is not improved"},
    {"bounding_spheres", "sigma of the bounding spheres", "a bound instead of the value itself"},
    {"small_is_concentric", "centres within 0.1 mm are treated as equal", "absolute thresholds"},
    {"sigma_squared", "the square of sigma", "a missing root"},
    {"sigma_of_one_body", "the gauge of i at the centre of j", "only one body used"},
    {"point_from_centre", "the point is relative to the centre of i", "local and global frame exchanged"},
    {"point_on_surface", "the point is moved to the surface of i", "another convention"},
    {"point_midway", "the point is midway between the centres", "a first guess returned"},
    {"normal_of_centres", "the normal is along the line of the centres", "LIGGGHTS projects its force so"},
    {"normal_not_unit", "the length of the normal is 1 + 1e-12", "a length that is assumed to be 1"},
    {"b_when_apart", "overlap_b is negative where separated", "a missing clamp"},
    {"b_is_linear", "overlap_b is computed from the tangents", "one step of Newton's method"},
    {"b_of_one_body", "overlap_b of i only", "only one body used"},
    {"n_is_depth_of_sigma", "(1 - sigma) |d| instead of overlap_n", "radii instead of heights"},
    {"phi_as_n", "overlap_n instead of overlap_phi", "two conventions exchanged"},
    {"phi_with_n2", "n2 instead of n1 in overlap_phi", "exponents exchanged"},
    {"phi_not_divided", "overlap_phi is not divided by n1", "a missing inner derivative"},
    {"gap_is_positive", "the overlaps of separated bodies are positive", "sign of a gap"},
    {"never_far", "far bodies are reported as close", "a missing test"},
    {"far_by_spheres", "far is decided by the largest semi-axes", "spheres instead of boxes"},
    {"far_without_edges", "far is decided by the axes of the faces only", "6 axes instead of 15"},
    {"close_is_intersect", "close bodies are reported as intersecting", "a bound instead of the value itself"},
    {"touching_tolerance", "sigma within 1e-6 of 1 is treated as 1", "a tolerance in a decision"},
    {"nearly_touching", "sigma within 1e-9 of 1 is treated as 1", "a tolerance around a threshold"},
    {"nearly_intersecting", "bodies intersect if sigma < 1 + 1e-10", "a tolerance around a threshold"},
    {"nearly_close", "boxes with a gap below 1e-9 of their distance are close", "a tolerance around a threshold"},
    {"nearly_concentric", "centres within 1e-9 of the least semi-axis are treated as equal",
     "a tolerance around a threshold"},
    {"normal_of_concentric", "equal centres have the normal (0, 0, 1)", "an arbitrary answer"},
    {"point_just_over", "the point has an error of 1e-9 of the largest semi-axis", "a search that ends too early"},
    {"normal_just_over", "the normal has an error of 1e-9", "a search that ends too early"},
    {"overlap_just_over", "overlap_n has a relative error of 1e-9", "a search that ends too early"},
};
inline constexpr auto defects = joined(own_defects, misreadings);
using Chosen = Choice<defects>;

inline Meeting solution(Pair const& of) {
  return once_a_pair(of, [&] { return touch(of, start(of)); });
}

inline Real exit_distance(Body const& body, Wide const& x, Wide const& direction) {
  WideGauge at = wide_gauge(body, x);
  Real t = (1 - at.N) / at.g.dot(direction);
  for (int iteration = 0; iteration < 100; ++iteration) {
    at = wide_gauge(body, Wide(x + t * direction));
    Real const change = (at.N - 1) / at.g.dot(direction);
    if (!(change > 0x1p-60L * t)) break;
    t -= change;
  }
  return t;
}

/// Returns the growth distance of the boxes. Considers the normals of the faces as separating axes and, with `edges`,
/// also the cross products of edges.
inline Real growth_of_boxes(Pair const& of, bool edges) {
  auto const I = superquadric::conditioning::rotation(of.i.orientation),
             J = superquadric::conditioning::rotation(of.j.orientation);
  Real largest = 0;
  auto const consider = [&](Wide const& axis) {
    Real reach = 0;
    for (Index k = 0; k < 3; ++k)
      reach += of.i.semi_axes[k] * std::fabs(axis.dot(I.col(k))) + of.j.semi_axes[k] * std::fabs(axis.dot(J.col(k)));
    if (reach > 0) largest = std::max(largest, std::fabs(axis.dot(of.d)) / reach);
  };
  for (Index k = 0; k < 3; ++k) {
    consider(I.col(k));
    consider(J.col(k));
    for (Index l = 0; l < 3 && edges; ++l) consider(Wide(I.col(k)).cross(Wide(J.col(l))));
  }
  return largest;
}

/// Returns (1 - N^n) / (n N^(n-1)).
inline Real depth(Real N, Real n) { return (std::pow(N, 1 - n) - N) / n; }

/// Returns the point with the smallest common value of k_i F_i and k_j F_j, where F = N^n1 - 1. Grows both bodies to
/// their surfaces of one level k F. Searches the level at which these surfaces touch, by Newton's method within a
/// bracket.
inline Meeting of_levels(Pair const& of, bool scaled) {
  auto const factor = [&](Body const& body) {
    return scaled ? std::exp2(2 - std::max<Real>(body.n1, body.n2)) : Real(1);
  };
  Real const ki = factor(of.i), kj = factor(of.j);
  auto const at_level = [&](Real level, Wide const& from) {
    Pair grown = of;
    grown.i.semi_axes *= static_cast<double>(std::pow(1 + level / ki, 1 / static_cast<Real>(of.i.n1)));
    grown.j.semi_axes *= static_cast<double>(std::pow(1 + level / kj, 1 / static_cast<Real>(of.j.n1)));
    return touch(grown, from);
  };
  Real low = -std::min(ki, kj) * 0.999L, high = std::max(ki, kj), level = 0;
  Meeting at = solution(of);
  for (int k = 0; k < 8; ++k) {
    Real const lambda = at.lambda(),
               slope = lambda / (of.i.n1 * (ki + level)) + (1 - lambda) / (of.j.n1 * (kj + level));
    (at.sigma() < 1 ? high : low) = level;
    Real const next = level + std::log(at.sigma()) / slope;
    level = low < next && next < high ? next : (low + high) / 2;
    at = at_level(level, at.x);
  }
  return at;
}

/// Computes in long double. Its errors are far below the budgets.
inline Answer evaluate(Case const& in, Chosen const with) {
  Pair const pair = misread(in, with, [&](Body& body) {
    // If the matrix is c times a rotation, the body is read with semi-axes that are too small by the factor c.
    double const square = body.orientation.squaredNorm();
    if (with("not_normalised") && square > 1e-100 && square < 1e100) body.semi_axes /= square;
    if (with("divided_by_length") && square > 1e-100 && square < 1e100) body.semi_axes /= std::sqrt(square);
  });
  Real const least = with("small_is_concentric") ? 1e-4L
                     : with("nearly_concentric") ? 1e-9L * in.i.semi_axes.minCoeff()
                                                 : 0;
  bool const equal = pair.d.isZero() || pair.d.norm() < least;
  if (equal) {
    Answer out{0, in.i.position, std::nullopt, std::nullopt, std::nullopt, std::nullopt, Status::concentric};
    if (with("normal_of_concentric")) out.normal = Vector3<double>(0, 0, 1);
    return out;
  }
  Wide const first = start(pair);
  Wide const previous = in.previous ? Wide(in.previous->cast<Real>() - in.i.position.cast<Real>()) : first;
  Meeting at = meeting(pair, first);
  bool stopped = with("start_returned");
  if (with("previous_returned") && in.previous && !previous.isZero() && previous != pair.d) {
    at = meeting(pair, previous);
    stopped = true;
  }
  if (with("parallel_gradients") && in.previous && !previous.isZero() && previous != pair.d) {
    Meeting const there = meeting(pair, previous);
    if (there.i.g.cross(there.j.g).norm() < 1e-10L * there.weight_i * there.weight_j) {
      at = there;
      stopped = true;
    }
  }
  if (with("converged_at_a_thousandth") || with("three_steps")) {
    for (int k = 0; k < (with("three_steps") ? 3 : 100) && (with("three_steps") || at.residual() > 1e-3L); ++k) {
      Wide part = step(at, 1e-13L).p;
      Meeting next = meeting(pair, Wide(at.x + part));
      for (int half = 0; half < 30 && !(next.larger() < at.larger()); ++half) {
        part /= 2;
        next = meeting(pair, Wide(at.x + part));
      }
      at = next;
    }
    stopped = true;
  }
  if (with("scale_factor") || with("levels_of_functions")) {
    Meeting const of = of_levels(pair, with("scale_factor"));
    at = meeting(pair, of.x);
    stopped = true;
  }
  if (!stopped) at = solution(pair);

  // Rounds sigma to double, like the answer. A sigma slightly below 1 is answered as 1 and must not count as an
  // intersection.
  Real sigma = static_cast<double>(at.sigma());
  if (with("bounding_spheres")) sigma = pair.d.norm() / (in.i.semi_axes.norm() + in.j.semi_axes.norm());
  Wide normal = at.normal(), x = at.x;
  Wide const from_j = x - pair.d;
  Real const to_i = 1 / at.weight_i, to_j = 1 / at.weight_j;
  Real b = 0;
  if (sigma < 1 || with("b_when_apart")) {
    b = exit_distance(pair.i, x, Wide(-normal));
    if (!with("b_of_one_body")) b += exit_distance(pair.j, from_j, normal);
  }
  Real n = (1 - sigma) * (to_i + to_j);
  if (with("b_is_linear") && sigma < 1) b = n;
  if (with("n_is_depth_of_sigma")) n = (1 - sigma) * pair.d.norm();
  Real phi = depth(sigma, in.i.n1) * to_i + depth(sigma, in.j.n1) * to_j;
  if (with("phi_as_n")) phi = n;
  if (with("phi_with_n2")) phi = depth(sigma, in.i.n2) * to_i + depth(sigma, in.j.n2) * to_j;
  if (with("phi_not_divided")) phi = phi * in.i.n1;
  if (with("gap_is_positive")) n = std::fabs(n), phi = std::fabs(phi);
  if (with("nearly_touching") && std::fabs(sigma - 1) < 1e-9L) sigma = 1;
  Real const touch_at = with("nearly_intersecting") ? 1 + 1e-10L : 1, far_at = with("nearly_close") ? 1 + 1e-9L : 1;
  Status status = sigma < touch_at                       ? Status::intersect
                  : far_at < growth_of_boxes(pair, true) ? Status::far
                                                         : Status::close;
  if (with("never_far") && status == Status::far) status = Status::close;
  if (with("far_by_spheres") && sigma >= 1)
    status = pair.d.norm() > in.i.semi_axes.maxCoeff() + in.j.semi_axes.maxCoeff() ? Status::far : Status::close;
  if (with("far_without_edges") && status == Status::far && growth_of_boxes(pair, false) <= 1) status = Status::close;
  if (with("close_is_intersect") && status == Status::close) status = Status::intersect;
  if (with("touching_tolerance") && std::fabs(sigma - 1) < 1e-6L) sigma = 1, status = Status::close, b = 0;
  if (with("normal_of_centres")) normal = -pair.d.normalized();
  if (with("normal_not_unit")) normal *= 1 + 1e-12L;
  if (with("point_on_surface")) x = x / sigma;
  if (with("point_midway")) x = pair.d / 2;
  Wide point = in.i.position.cast<Real>() + x;
  if (with("point_from_centre")) point = x;
  if (with("sigma_of_one_body")) sigma = wide_gauge(pair.i, pair.d).N;
  if (with("sigma_squared")) sigma = sigma * sigma;
  if (with("point_just_over") || with("normal_just_over")) {
    Wide const off = normal.cross(Wide(normal[1], normal[2], -normal[0])).normalized();
    if (with("point_just_over")) point += 1e-9L * std::max(in.i.semi_axes.maxCoeff(), in.j.semi_axes.maxCoeff()) * off;
    if (with("normal_just_over")) normal = (normal + 1e-9L * off).normalized();
  }
  if (with("overlap_just_over")) n = n * (1 + 1e-9L);
  auto const rounded = [](Real value) { return static_cast<double>(value); };
  return {rounded(sigma), point.cast<double>(), Vector3<double>(normal.cast<double>()),
          rounded(b),     rounded(n),           rounded(phi),
          status};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "i.position i.semi_axes",
                                .as_float = "sigma",
                                .negated = "normal",
                                .doubled = "overlap_n",
                                .of_the_row_before = "point",
                                .just_over = "sigma"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::superquadric_contact::mutants
