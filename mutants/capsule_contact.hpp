// Mutants of capsule_contact. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <optional>

namespace demeter::capsule_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
/// Quadruple precision, because formula C compares R^2 - d^2 with 8 h^2. For short half-shafts h near the onset of
/// contact, the error of R^2 - d^2 must be as small as the square of the rounding error of a double.
__extension__ typedef __float128 Real;
using Point = Vector3<Real>;

inline Real magnitude(Real x) { return x < 0 ? -x : x; }
/// Returns the square root, by one Newton step from the root in long double.
inline Real root(Real x) {
  Real const start = std::sqrt(static_cast<long double>(x));
  return start > 0 ? (start + x / start) / 2 : start;
}
inline Real norm(Point const& x) { return root(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

inline constexpr Defect defects[] = {
    {"second_radius_forgotten", "uN is d - r1", "a missing term"},
    {"diameter_for_radius", "radius 1 is replaced by the diameter", "another convention"},
    {"whole_shaft_for_half", "half1 is doubled", "FCL#225, #436: another convention of length"},
    {"half_shaft_halved", "half2 is halved", "another convention of length"},
    {"centre_for_end", "centre 1 is treated as an end", "FCL#225, #436: origin at the end instead of the centre"},
    {"ends_only", "pairs inside both axes are not tried", "LAMMPS rods: only ends"},
    {"lines_for_axes", "the infinite lines are tried too", "a missing clamp"},
    {"parallel_below_1e8", "lines are parallel if sin^2 < 1e-8", "Wild Magic 5, Woo"},
    {"place_across_if_parallel", "parallel axes: the position along the axis is read across it",
     "Project Chrono, narrow phase PRIMS: index y instead of z"},
    {"y_not_clamped", "the point on axis 2 may be beyond its end", "a missing clamp"},
    {"overlap_as_float", "the distance is rounded to a float", "sqrtf instead of sqrt"},
    {"overlap_with_epsilon", "the distance is sqrt(d^2 + 1e-18)", "an absolute epsilon"},
    {"normal_not_normalised", "the normal is v / R", "Woo's documentation: an interpolated normal has no unit length"},
    {"normal_of_centres", "the normal is along the line of the centres", "the formula of spheres"},
    {"normal_of_closest_pair", "the normal is that of the closest pair", "formula G or W instead of C"},
    {"normal_nan_at_zero", "intersecting axes divide 0 by 0", "normalising the zero vector"},
    {"normal_z_at_zero", "intersecting axes have the normal (0, 0, 1)", "a default direction"},
    {"normal_along_axis_at_zero", "intersecting axes have their normal along axis 1", "a default direction"},
    {"point_on_axis_1", "the point is on axis 1", "a forgotten offset"},
    {"point_on_surface_1", "the point is on the surface of capsule 1", "the penetration is not halved"},
    {"point_at_proportion", "the point divides v in the ratio r1 : r2",
     "Woo: in proportion to the radii, not the middle of the lens"},
    {"point_radii_exchanged", "the point is in the smaller sphere", "r2 - r1 instead of r1 - r2"},
    {"point_between_centres", "the point is midway between the centres", "the formula of spheres"},
    {"point_relative", "the point is relative to centre 1", "local instead of global frame"},
    {"point_of_closest_pair", "the point is that of the closest pair", "formula G instead of C"},
    {"omega_without_cosine", "omega lacks cos^2", "a missing factor"},
    {"omega_without_distance", "omega is R^2 cos^2", "a missing term"},
    {"omega_as_length", "omega is (R - d) cos^2, a length added to h^2", "inconsistent units"},
    {"omega_when_separated", "separated capsules are regularised too", "a missing branch"},
    {"weight_of_four", "4 h^2 instead of 8 h^2", "a wrong constant"},
    {"longer_half", "h is the longer half-shaft", "max instead of min"},
    {"no_regularisation", "the closest pair is used throughout", "formula G instead of C"},
    {"shadow_with_sign", "the half-length of the shadow keeps the sign of cos", "a missing absolute value"},
    {"shadow_of_own_length", "the shadow is as long as the axis itself", "a missing cos"},
    {"middle_of_centres", "midway to the other centre instead of the middle of the shadow", "a plausible other rule"},
    {"offset_sign", "w.u1 has the wrong sign", "sign of the offset (sceneview#1139)"},
    {"perpendicular_below_1e8", "a cosine below 1e-8 counts as 0", "a tolerance wider than the budget"},
    {"cosine_as_absolute", "cos without its sign", "antiparallel axes not considered"},
    {"determinant_in_float", "the determinant is 1 - a^2 cos^2, a^2 cos^2 in float", "cancellation near parallel"},
    {"first_guess_kept", "x is not projected a second time", "a missing last step"},
    {"squares_in_double", "squares overflow and underflow", "intermediate results out of range"},
    {"status_never_intersects", "axes that intersect are not flagged", "a missing branch"},
    {"status_always_overlaps", "a gap is called overlapping", "a missing branch"},
    {"status_of_negated", "separated and overlapping are exchanged", "sign another convention"},
    {"intersects_below_1e9", "axes nearer than 1e-9 m intersect", "absolute thresholds"},
    {"nearly_touching", "a gap or an overlap below 1e-11 R counts as 0", "a tolerance around a threshold"},
    {"nearly_overlapping", "a gap below 1e-10 R is called overlapping", "a tolerance around a threshold"},
    {"nearly_separated", "an overlap below 1e-9 R is called separated", "a tolerance around a threshold"},
    {"length_below_1e9_is_sphere", "a half-shaft below 1e-9 m counts as 0", "absolute thresholds (coal, lammps#1657)"},
};
using Chosen = Choice<defects>;

/// Returns the contact of nearly parallel axes. The contact is in the middle of the part that the axes have side by
/// side. Returns nothing if the axes are not side by side, and `separated` if they are too far apart. The defect: the
/// position of centre 2 is measured across the axis instead of along it (w.u1).
inline std::optional<Answer> contact_of_parallel(Point const& C1, Point const& u1, Point const& w, Real h1, Real h2,
                                                 Real r1, Real r2) {
  Index const across = magnitude(u1[0]) < magnitude(u1[1]) ? 0 : 1;
  Point side = -u1[across] * u1;
  side[across] += 1;
  Real const place = w.dot(side) / norm(side), low = std::max(-h1, place - h2), high = std::min(h1, place + h2);
  if (!(low < high)) return std::nullopt;
  Point const apart = w - w.dot(u1) * u1;
  Real const gap = norm(apart);
  Answer out = nothing_computed<Answer>();
  out.status = Status::separated;
  if (!(gap > 0) || !(gap < r1 + r2)) return out;
  Point const n = apart / gap, middle = C1 + (low + high) / 2 * u1 + (gap + r1 - r2) / 2 * n;
  return Answer{static_cast<double>(gap - r1 - r2), n.template cast<double>(), middle.template cast<double>(),
                Status::overlapping};
}

/// Returns the normal of intersecting axes: perpendicular to both axes, or to the only axis with a length.
inline Point normal_at_zero(Point const& u1, Point const& u2, Point const& N, Point const& w, Chosen const with) {
  bool const is_axis_1 = u1.dot(u1) > 0, is_axis = is_axis_1 || u2.dot(u2) > 0;
  if (with("normal_z_at_zero") || !is_axis) return {0, 0, 1};
  if (with("normal_along_axis_at_zero")) return is_axis_1 ? u1 : Point(0, 0, 1);
  if (Real const NN = N.dot(N); NN > 0) return (N.dot(w) < 0 ? -N : N) / root(NN);
  Point const u = is_axis_1 ? u1 : u2;
  Index axis = 0;
  for (Index i = 1; i < 3; ++i)
    if (magnitude(u[i]) < magnitude(u[axis])) axis = i;
  Point n = -u[axis] * u;
  n[axis] += 1;
  return n / norm(n);
}

inline Status status_of(bool intersect, bool overlaps, Chosen const with) {
  if (intersect) return Status::axes_intersect;
  if (with("status_of_negated")) return overlaps ? Status::separated : Status::overlapping;
  return overlaps || with("status_always_overlaps") ? Status::overlapping : Status::separated;
}

/// Returns the normal of axes that do not intersect. `v` connects the two axis points from which the contact is
/// computed. `closest` connects the closest points of the axes. `w` connects the centres.
inline Point normal_of(Point const& v, Point const& closest, Point const& w, Real R, Chosen const with) {
  if (with("normal_of_centres")) return w / norm(w);
  if (with("normal_not_normalised")) return v / R;
  return with("normal_of_closest_pair") ? Point(closest / norm(closest)) : Point(v / norm(v));
}

/// Computes formula C step by step.
inline Answer evaluate(Case const& in, Chosen const with) {
  auto const read = [](Vector3<double> const& x) -> Point { return x.template cast<Real>(); };
  auto const clamp = [](Real x, Real H) { return std::max(-H, std::min(x, H)); };
  auto const kept = [&](Real x) -> Real { return with("squares_in_double") ? static_cast<double>(x) : x; };
  auto const dot = [&](Point const& a, Point const& b) {
    return kept(kept(a[0] * b[0]) + kept(a[1] * b[1]) + kept(a[2] * b[2]));
  };

  Point C1 = read(in.centre1), A1 = read(in.half1), A2 = read(in.half2);
  Point const C2 = read(in.centre2);
  Real r1 = in.radius1, r2 = in.radius2;
  if (with("second_radius_forgotten")) r2 = 0;
  if (with("diameter_for_radius")) r1 *= 2;
  if (with("whole_shaft_for_half")) A1 *= 2;
  if (with("half_shaft_halved")) A2 /= 2;
  if (with("centre_for_end")) C1 += A1;
  Point const w = C2 - C1;
  Real h1 = root(dot(A1, A1)), h2 = root(dot(A2, A2));
  if (with("length_below_1e9_is_sphere") && h1 < 1e-9L) h1 = 0;
  Point const u1 = h1 > 0 ? Point(A1 / h1) : Point(0, 0, 0), u2 = h2 > 0 ? Point(A2 / h2) : Point(0, 0, 0);
  Real cosine = with("cosine_as_absolute") ? magnitude(u1.dot(u2)) : u1.dot(u2);
  if (with("perpendicular_below_1e8") && magnitude(cosine) < 1e-8L) cosine = 0;
  Real const R = r1 + r2;
  // Computed from the vectors before normalisation. Their products are exact, so that parallel vectors give 0.
  Point const N = h1 > 0 && h2 > 0 ? Point(A1.cross(A2) / (h1 * h2)) : Point(0, 0, 0);
  Real const wu1 = (with("offset_sign") ? -1 : 1) * w.dot(u1), wu2 = w.dot(u2), NN = N.dot(N);

  if (with("place_across_if_parallel") && h1 > 0 && h2 > 0 && NN < 1e-8L)
    if (auto const found = contact_of_parallel(C1, u1, w, h1, h2, r1, r2)) return *found;

  // The closest pair: the best x on the line of axis 1, the best y for this x, and the best x for this y. The shortest
  // of several candidates would be wrong: for very different lengths, rounding hides the difference.
  auto const y_for = [&](Real x) { return with("y_not_clamped") ? cosine * x - wu2 : clamp(cosine * x - wu2, h2); };
  auto const x_for = [&](Real y) { return clamp(cosine * y + wu1, h1); };
  Real const line_x = NN > (with("parallel_below_1e8") ? 1e-8L : 0.0L) ? w.cross(u2).dot(N) / NN : 0;
  Real best_x = clamp(line_x, h1), best_y = y_for(best_x);
  best_x = x_for(best_y);
  if (with("lines_for_axes")) best_x = line_x, best_y = cosine * line_x - wu2;
  auto const length = [&](Real x, Real y) { return norm(w + y * u2 - x * u1); };
  if (with("ends_only")) {
    for (Real const x : {-h1, h1})
      if (x == -h1 || length(x, y_for(x)) < length(best_x, best_y)) best_x = x, best_y = y_for(x);
    for (Real const y : {-h2, h2})
      if (length(x_for(y), y) < length(best_x, best_y)) best_x = x_for(y), best_y = y;
  }
  Real d = length(best_x, best_y);
  if (with("overlap_with_epsilon")) d = root(d * d + 1e-18L);
  if (with("overlap_as_float")) d = static_cast<float>(d);

  Real gap = d - R;
  if (with("nearly_touching") && magnitude(gap) < 1e-11L * R) gap = 0;
  Real x = best_x, y = best_y;
  bool const apart = !(gap < 0) && !with("omega_when_separated");
  if (!apart && h1 > 0 && h2 > 0 && !with("no_regularisation")) {
    Real const h = with("longer_half") ? std::max(h1, h2) : std::min(h1, h2);
    Real omega = (R - d) * (R + d) * cosine * cosine;
    if (with("omega_without_cosine")) omega = (R - d) * (R + d);
    if (with("omega_without_distance")) omega = R * R * cosine * cosine;
    if (with("omega_as_length")) omega = (R - d) * cosine * cosine;
    if (with("omega_when_separated")) omega = magnitude(omega);
    Real const weight = (with("weight_of_four") ? 4 : 8) * h * h;
    Real const a = weight / (weight + omega), b = omega / (weight + omega);
    auto const middle = [&](Real p, Real e, Real H, Real own) {
      Real const reach = with("shadow_with_sign") ? e : with("shadow_of_own_length") ? own : magnitude(e);
      Real const common = (std::max(-H, p - reach) + std::min(H, p + reach)) / 2;
      return with("middle_of_centres") ? clamp(p / 2, H) : clamp(common, H);
    };
    Real const xm = middle(wu1, h2 * cosine, h1, h2), ym = middle(-wu2, h1 * cosine, h2, h1);
    Real determinant = b * (1 + a) + a * a * NN;
    if (with("determinant_in_float")) determinant = 1 - static_cast<float>(a * a * cosine * cosine);
    Real const free = (a * a * w.cross(u2).dot(N) + a * b * wu1 + b * (xm + a * cosine * ym)) / determinant;
    x = clamp(free, h1);
    y = clamp(b * ym - a * wu2 + a * cosine * x, h2);
    if (!with("first_guess_kept")) x = clamp(a * wu1 + b * xm + a * cosine * y, h1);
  }
  Point const P1 = C1 + x * u1, P2 = C2 + y * u2, v = w + y * u2 - x * u1;
  Real const S = h1 + h2 + R + norm(w);
  Answer out;
  bool intersect = !(d > 8 * static_cast<Real>(unit_roundoff) * S);
  if (with("status_never_intersects")) intersect = false;
  if (with("intersects_below_1e9")) intersect = intersect || d < 1e-9L;

  Point n = normal_of(v, w + best_y * u2 - best_x * u1, w, R, with);
  if (intersect && !with("normal_nan_at_zero")) n = normal_at_zero(u1, u2, N, w, with);
  Point c = (P1 + P2) / 2 + n * ((r1 - r2) / 2);
  if (with("point_on_axis_1")) c = P1;
  if (with("point_on_surface_1")) c = P1 + r1 * n;
  if (with("point_at_proportion")) c = P1 + v * (r1 / R);
  if (with("point_radii_exchanged")) c = (P1 + P2) / 2 + n * ((r2 - r1) / 2);
  if (with("point_between_centres")) c = (C1 + C2) / 2;
  if (with("point_relative")) c -= C1;
  if (with("point_of_closest_pair")) c = (C1 + best_x * u1 + C2 + best_y * u2) / 2 + n * ((r1 - r2) / 2);

  out.uN = static_cast<double>(gap);
  out.normal = n.template cast<double>();
  out.point = c.template cast<double>();
  Real const onset = with("nearly_overlapping") ? 1e-10L * R : with("nearly_separated") ? -1e-9L * R : 0;
  out.status = status_of(intersect, gap < onset, with);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

/// Evaluates one case in eight with the closest pair (formula G) instead of the regularised pair (formula C).
inline void seventh_lane(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = i % 8 == 7 ? evaluate(in[i], "no_regularisation") : right(in[i]);
}
/// Evaluates all four cases of a block with the closest pair (formula G) if one of them is separated.
inline void branch_of_the_block(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t block = 0; block + 4 <= in.size(); block += 4) {
    bool any = false;
    for (std::size_t i = block; i < block + 4; ++i) any = any || out[i].status == Status::separated;
    for (std::size_t i = block; any && i < block + 4; ++i) out[i] = evaluate(in[i], "no_regularisation");
  }
}
/// Reuses the normal of the previous case if both normals are nearly parallel and the capsules are not separated.
inline void normal_remembered(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = right(in[i]);
    if (i > 0 && out[i].status != Status::separated && std::fabs(out[i - 1].normal.dot(out[i].normal)) > 0.999999)
      out[i].normal = out[i - 1].normal;
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"seventh_lane", "every eighth case is not regularised", "a wrong constant in the mask of a SIMD lane",
       seventh_lane},
      {"branch_of_the_block", "four cases are not regularised if one of the four is separated",
       "one branch for a whole SIMD vector", branch_of_the_block},
      {"normal_remembered", "a normal close to that of the case before is not computed again",
       "cached features: the answer depends on the order", normal_remembered},
  };
  Distortions const distortions{
      .read_as_float = "centre1 half1", .as_float = "normal point", .negated = "uN normal", .just_over = "uN"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::capsule_contact::mutants
