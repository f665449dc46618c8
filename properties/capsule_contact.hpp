// Regimes and laws of the contact of two capsules.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/capsule_segments.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <algorithm>
#include <utility>

namespace demeter::capsule_contact::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Wide = Vector3<long double>;
using capsule::segments::Segments;
namespace segments = capsule::segments;

// --------------------------------------------------------------------------------------------------------- regimes

inline double axis_distance(Case const& in) { return static_cast<double>(conditioning(in).distance); }

/// Returns capsules whose axes are the two segments. The radii are zero. The caller sets them later.
inline Case about_segments(Segments const& axes) {
  Case in;
  in.centre1 = 0.5 * axes.p0 + 0.5 * axes.p1;
  in.half1 = 0.5 * axes.p1 - 0.5 * axes.p0;
  in.centre2 = 0.5 * axes.q0 + 0.5 * axes.q1;
  in.half2 = 0.5 * axes.q1 - 0.5 * axes.q0;
  in.radius1 = in.radius2 = 0;
  return in;
}

/// Divides R, the sum of the radii, between the two radii. The parts are equal or random, or one radius is as small as
/// 10^low_exponent R.
inline void share_radii(Case& in, double R, Random& random, double low_exponent = -6) {
  std::int64_t const kind = random.integer(0, 3);
  double const part = kind == 0 ? 0.5 : kind == 1 ? random.log_uniform(low_exponent, -0.4) : random.uniform(0.1, 0.9);
  double const limited = std::clamp(R, 8 * std::numeric_limits<double>::denorm_min(), 0x1p1015);
  in.radius1 = std::max(part * limited, std::numeric_limits<double>::denorm_min());
  in.radius2 = std::max(limited - in.radius1, std::numeric_limits<double>::denorm_min());
  if (random.chance(0.5)) std::swap(in.radius1, in.radius2);
}

inline double longest_half(Case const& in) {
  return std::max(in.half1.cwiseAbs().maxCoeff(), in.half2.cwiseAbs().maxCoeff());
}

/// Sets radii for which the distance of the axes is 0.3 to 1.5 times R, the sum of the radii, as for typical grains.
/// The capsules overlap in three of four cases. In one third of these cases, the overlap is at most 10 % of R.
inline Case with_everyday_radii(Case in, Random& random) {
  double const kind = random.unit();
  double const part = kind < 0.5    ? random.uniform(0.3, 1)
                      : kind < 0.75 ? 1 - random.log_uniform(-4, -1)
                                    : random.uniform(1, 1.5);
  share_radii(in, axis_distance(in) / part, random, -1.5);
  return in;
}

/// Sets radii with the sum R. The distance of the axes becomes a random multiple of R: 0.3 to 1.5 in most cases, down
/// to 10^deepest_exponent (deep contact) in some, and about 1 (onset of contact) in others. If this R is at most
/// `thinnest` times the longest half-shaft component, because the axes almost meet, R becomes 0.01 to 3 times this
/// component.
inline Case with_radii(Case in, Random& random, double thinnest, double deepest_exponent) {
  double const kind = random.unit(), off = off_a_threshold(random);
  double const part = kind < 0.6    ? random.uniform(0.3, 1)
                      : kind < 0.75 ? random.uniform(1, 1.5)
                      : kind < 0.9  ? random.log_uniform(deepest_exponent, -0.5)
                                    : random.nudge(1, 4) + off;
  double const length = longest_half(in);
  double R = axis_distance(in) / part;
  if (!(R > thinnest * length)) R = (length > 0 ? length : 1) * random.log_uniform(-2, 0.5);
  share_radii(in, R, random);
  return in;
}

/// Returns capsules of everyday radii whose axes are segments that a regime of segment_distance draws.
template <Segments (*draw)(Random&)>
Case everyday_about(Random& random) {
  Segments const axes = draw(random);
  return with_everyday_radii(about_segments(axes), random);
}
template <Segments (*draw)(Random&)>
Case grains_about(Random& random) {
  Segments const axes = draw(random);
  return with_radii(about_segments(axes), random, 1e-3, -2);
}
template <Segments (*draw)(Random&)>
Case fibres_about(Random& random) {
  Segments const axes = draw(random);
  return with_radii(about_segments(axes), random, 0, -2);
}
/// Returns capsules whose radii may be very large: the distance of the axes is 1e-9 to 1.5 times the sum of the radii.
template <Segments (*draw)(Random&)>
Case any_about(Random& random) {
  Segments const axes = draw(random);
  return with_radii(about_segments(axes), random, 0, -9);
}

inline Segments draw_in_a_row(Random& random) {
  return random.chance(0.5) ? segments::draw_collinear_rounded(random) : segments::draw_end_on(random);
}

inline Segments draw_any_near_parallel(Random& random) {
  return random.chance(0.5) ? segments::draw_near_parallel(random) : segments::draw_parallel_rounded(random);
}

template <Segments (*draw_points)(Random&)>
Case draw_spheres(Random& random) {
  Segments const axes = random.chance(0.5) ? draw_points(random) : segments::draw_typical(random);
  Case in = about_segments(axes);
  std::int64_t const which = random.integer(0, 2);
  if (which != 0) in.half1.setZero();
  if (which != 1) in.half2.setZero();
  return with_radii(in, random, 1e-3, -2);
}

/// Draws capsules with an end of axis 1 (or of axis 2, after an exchange) at the distance R from the other axis. R is
/// the sum of the radii. The distance is exact, within 3 ulps of R, or differs from R by a relative 1e-15 to 1e-3. At
/// this distance, formulas that interpolate between ends begin to use one more end.
inline Case draw_ends(Random& random) {
  Segments const axes = random.chance(0.3)   ? segments::draw_parallel(random)
                        : random.chance(0.5) ? segments::draw_crossing(random)
                                             : segments::draw_typical(random);
  Case in = about_segments(axes);
  Point const end = random.chance(0.5) ? axes.p0 : axes.p1;
  auto R = static_cast<double>(segments::point_segment(wide(end), wide(axes.q0), wide(axes.q1)));
  if (!(R > 0)) R = 1;
  double const off = off_a_threshold(random);
  share_radii(in, random.chance(0.3) ? random.nudge(R, 3) : R * (1 + off), random);
  return random.chance(0.5) ? in : Case{in.centre2, in.half2, in.radius2, in.centre1, in.half1, in.radius1};
}

/// Draws axes at a right angle. In half of the cases, the axes consist of numbers with few bits and the angle is exact.
/// In the other half, the angle is as accurate as doubles allow.
inline Case draw_perpendicular(Random& random) {
  Case in;
  in.centre1 = few_bits_vector(random, 10, -8);
  in.centre2 = few_bits_vector(random, 10, -8);
  if (random.chance(0.5)) {
    Point const direction = segments::few_bits_direction(random);
    in.half1 = direction;
    in.half2 = direction.cross(few_bits_vector(random, 5, -3));
  } else {
    Point const direction = unit_direction(random);
    double const half1 = random.log_uniform(-1, 0), half2 = random.log_uniform(-1, 0);
    in.half1 = half1 * direction;
    in.half2 = half2 * unit_perpendicular(direction, random);
  }
  in.radius1 = in.radius2 = 0;
  return with_radii(in, random, 1e-3, -2);
}

inline Case draw_stubby(Random& random) {
  Case in = about_segments(segments::draw_typical(random));
  in.half1 *= random.log_uniform(-14, -1);
  in.half2 *= random.chance(0.5) ? random.log_uniform(-14, -1) : 1;
  return with_radii(in, random, 1e-3, -2);
}

inline Case draw_unequal(Random& random) {
  double const one = random.size(), other = random.size(), longer = std::max(one, other);
  Segments const axes = segments::unequal(random, std::min(one, other) / longer);
  return sized(with_radii(about_segments(axes), random, 0, -2), random, longer);
}

// The list of regimes. Everyday and degenerate cases are `sized`, or `sized_exactly` if they are built of numbers with
// few bits.

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "ends of axes uniform in a cube, 3 of 4 pairs in contact; sizes of 10 um to 10 m",
       sized<everyday_about<segments::draw_typical>>},
      {"crossing", Profile::everyday, "crossing inside both at a large angle, radii of .01 to 1 of the length",
       sized<everyday_about<segments::draw_crossing>>},
      {"near_parallel", Profile::degenerate, "angles log-uniform from 1e-16 to 1, or parallel up to rounding",
       sized<grains_about<draw_any_near_parallel>>},
      {"near_parallel_crossing", Profile::degenerate,
       "nearly parallel, crossing inside both, with or without intersection",
       sized<grains_about<segments::draw_near_parallel_crossing>>},
      {"parallel", Profile::degenerate,
       "exactly parallel, any overlap of the shadows (projections on the common direction)",
       sized_exactly<grains_about<segments::draw_parallel>>},
      {"perpendicular", Profile::degenerate, "at a right angle, exactly or up to rounding",
       sized_exactly<draw_perpendicular>},
      {"in_a_row", Profile::degenerate, "on one line, exactly or nearly: overlapping, touching or separated",
       either<sized_exactly<grains_about<segments::draw_collinear_exact>>, sized<grains_about<draw_in_a_row>>>},
      {"ends", Profile::degenerate, "an end at the distance R from the other axis, exactly or nearly",
       sized_exactly<draw_ends>},
      {"spheres", Profile::degenerate, "one or both half-shafts are zero or a few ulps",
       either<sized_exactly<draw_spheres<segments::draw_degenerate_exact>>,
              sized<draw_spheres<segments::draw_degenerate_rounded>>>},
      {"axes_intersect", Profile::degenerate, "axes that intersect inside or at an end, exactly or up to a few ulps",
       either<sized_exactly<grains_about<segments::draw_touching_exact>>,
              sized<grains_about<segments::draw_touching_rounded>>>},
      {"lattice", Profile::degenerate, "ends at -3 to 3 units: all kinds of ties and degeneracies",
       sized_exactly<grains_about<segments::draw_lattice>>},
      {"stubby", Profile::degenerate, "half-shafts of 1e-14 to 1e-1 of the radii", sized<draw_stubby>},
      {"slender", Profile::degenerate, "nearly parallel fibres, radii about 1e-5 of the length",
       sized<fibres_about<segments::draw_long_thin>>},
      {"unequal", Profile::degenerate, "each capsule has its own length of 10 um to 10 m: lengths differ by up to 1e6",
       draw_unequal},
      {"micro", Profile::extreme, "grains with sizes of 1e-8 to 1e-5", any_about<segments::draw_micro>},
      {"offset", Profile::extreme, "unit geometry up to 1e8 away from the origin", any_about<segments::draw_offset>},
      {"mixed_scale", Profile::extreme, "each coordinate has its own magnitude from 1e-140 to 1e140",
       any_about<segments::draw_mixed_scale>},
      {"global_scale", Profile::extreme, "unit geometry times 2^-1040 to 2^1010: any unit of length",
       any_about<segments::draw_global_scale>},
      {"thresholds", Profile::degenerate, "sines, cosines and relative differences of length from 1e-12 to 1e-6",
       sized<grains_about<segments::draw_thresholds>>},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, sized_exactly<grains_about<segments::draw_lattice>>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers",
       with_subnormals<Contract, any_about<segments::draw_typical>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline long double sum_of_radii(Case const& in) { return static_cast<long double>(in.radius1) + in.radius2; }

/// Returns whether infinite outputs can be correct: in so large a case, uN or the point may overflow.
inline bool may_overflow(Case const& in) {
  return 4 * (Contract::scale(in).uN + wide(in.centre1).norm() + wide(in.centre2).norm()) > largest_double;
}
inline bool is_finite(Answer const& out) { return all_finite(out); }
/// Returns whether an answer is not finite. Only the law `finite` reports such an answer. Other laws skip the answer
/// and report only other mistakes.
inline bool unusable(std::span<Answer const> outputs) {
  return !std::all_of(outputs.begin(), outputs.end(), is_finite);
}

/// Returns whether a case has everyday size, shafts that are not short, and axes that are not nearly parallel. Some
/// laws remove a shaft or make the capsules parallel. They skip such a case, because the everyday case would become
/// degenerate.
inline bool is_generic(Case const& in, Sizes const& sizes = {}) {
  if (!has_everyday_size(in, sizes)) return false;
  Wide const A1 = wide(in.half1), A2 = wide(in.half2);
  long double const h1 = A1.norm(), h2 = A2.norm();
  return std::min(h1, h2) > 1e-3L * size_of_case(in) && A1.cross(A2).norm() > 1e-3L * (h1 * h2);
}

inline long double largest(Wide const& x) { return x.cwiseAbs().maxCoeff(); }

/// Returns the largest difference between answer `b` and the expected values, divided by its tolerance. The expected
/// values are the uN of answer `a`, `normal` and `point`. Each tolerance is the sum of the budgets of both answers.
inline double differs(Tolerance const& held, Case const& in_a, Answer const& a, Case const& in_b, Answer const& b,
                      Wide const& normal, Wide const& point) {
  std::array<Case, 2> const cases{in_a, in_b};
  std::array<Answer, 2> const answers{a, b};
  auto const both = allowance<Contract>(held, cases, answers);
  double const uN = in_tolerances(std::fabs(static_cast<long double>(b.uN) - a.uN), both.uN);
  double const n = in_tolerances(largest(wide(b.normal) - normal), both.normal[0]);
  double const c = in_tolerances(largest(wide(b.point) - point), both.point[0]);
  std::span<Answer const> const all = answers;
  return worst_answered(
      {{answered(all, &Answer::uN), uN}, {answered(all, &Answer::normal), n}, {answered(all, &Answer::point), c}});
}

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) {
  inputs.push_back(Case{in.centre2, in.half2, in.radius2, in.centre1, in.half1, in.radius1});
}
inline std::optional<double> swapped(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (unusable(out)) return std::nullopt;
  return differs(held, in[0], out[0], in[1], out[1], -wide(out[0].normal), wide(out[0].point));
}

inline void derive_reversal(Case const& in, Random&, std::vector<Case>& inputs) {
  Case one = in, two = in;
  one.half1 = -one.half1;
  two.half2 = -two.half2;
  inputs.push_back(one);
  inputs.push_back(two);
}
inline std::optional<double> reversed(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (unusable(out)) return std::nullopt;
  double worst = 0;
  for (std::size_t i = 1; i < in.size(); ++i)
    worst = std::max(worst, differs(held, in[0], out[0], in[i], out[i], wide(out[0].normal), wide(out[0].point)));
  return worst;
}

struct Invariant {
  using Contract = capsule_contact::Contract;
  static std::vector<std::string_view> outputs() {
    return {"uN", "normal", "point"};
  }  // the status is not compared: near its limit, both values are correct
  static Unusable unusable(std::span<Case const>, std::span<Answer const> out) {
    return {properties::unusable(out), std::nullopt};
  }
  /// Returns the magnitudes of the numbers from which the outputs are computed. The contract's scales are larger if the
  /// case magnifies errors.
  static Output<long double> sizes(Case const& in) {
    long double const S = Contract::scale(in).uN;
    return {S, Wide::Ones(), Wide::Constant(S), Status::separated};
  }
  /// Returns whether no component of a contact normal is rounded in the subnormal range. In another unit of length,
  /// this component might not be rounded.
  static bool stays_normal(Case const& in) {
    long double least = infinite, most = 0;
    for_each_quantity(in, [&](auto const& quantity, auto const&) {
      for_each_number(quantity, [&](double x) {
        long double const size = std::fabs(x);
        if (size > 0) least = std::min(least, size), most = std::max(most, size);
      });
    });
    return !(least < 0x1p-1000L * most);
  }
};
using Shared = Invariances<Invariant>;

inline std::optional<double> finite(std::span<Case const> in, std::span<Answer const> out, Tolerance const&) {
  return is_finite(out[0]) || may_overflow(in[0]) ? 0 : infinite;
}

inline std::optional<double> unit_normal(std::span<Case const>, std::span<Answer const> out, Tolerance const& held) {
  if (unusable(out.first(1))) return std::nullopt;
  // The tolerance is four roundings. The length has one rounding, and the division by the length has one. Both count
  // twice, because some codes divide twice. Errors of the direction do not change the length.
  return in_tolerances(std::fabs(wide(out[0].normal).norm() - 1), roundings_or_held<Contract>(held, "normal", 4));
}

/// Checks that the status agrees with uN. If the status is axes_intersect, the distance uN + R of the axes must be
/// zero. The tolerance is three times the budget of uN: it covers the errors of uN and of the status, and may exceed R.
inline std::optional<double> status_agrees(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  if (unusable(out.first(1))) return std::nullopt;
  if (out[0].status == Status::axes_intersect)
    return in_tolerances(out[0].uN + sum_of_radii(in[0]), 3 * allowance<Contract>(held, in[0], out[0]).uN);
  // An overlap below half of the least subnormal is rounded to uN = 0. The status may still be `overlapping`.
  if (out[0].uN == 0 && out[0].status == Status::overlapping &&
      allowance<Contract>(held, in[0], out[0]).uN < 8 * half_least)
    return 0;
  if (!held.to_the_bit && std::fabs(out[0].uN) <= allowance<Contract>(held, in[0], out[0]).uN) return 0;
  return (out[0].uN < 0) == (out[0].status == Status::overlapping) ? 0 : infinite;
}

/// Checks the normal of intersecting axes: by convention, it is perpendicular to both axes. The tolerance is divided by
/// the sine of the angle between the axes.
inline std::optional<double> conventional(std::span<Case const> in, std::span<Answer const> out,
                                          Tolerance const& held) {
  if (unusable(out.first(1))) return std::nullopt;
  if (out[0].status != Status::axes_intersect) return std::nullopt;
  Wide const A1 = wide(in[0].half1), A2 = wide(in[0].half2), n = wide(out[0].normal);
  long double const h1 = A1.norm(), h2 = A2.norm();
  bool const one = h1 > 0, two = h2 > 0;
  if (!one && !two) return std::nullopt;
  long double sine = one && two ? Wide(A1 / h1).cross(Wide(A2 / h2)).norm() : 1;
  long double const first = one ? std::fabs(n.dot(A1)) / h1 : 0, second = two ? std::fabs(n.dot(A2)) / h2 : 0;
  if (!(sine > 0)) sine = 1;  // both axes are on one line; the normal is perpendicular to this line
  // The tolerance is eight roundings: of the cross product of two unit vectors, and of its length.
  return in_tolerances(std::max(first, second), roundings_or_held<Contract>(held, "normal", 8) / sine);
}

/// Checks that uN + R, the distance of the axes, is at most the distance of the two axis points that `conditioning`
/// finds. The distance of any two axis points is an upper bound.
inline std::optional<double> not_above_distance(std::span<Case const> in, std::span<Answer const> out,
                                                Tolerance const& held) {
  if (unusable(out.first(1))) return std::nullopt;
  Conditioning const of = conditioning(in[0]);
  return in_tolerances(out[0].uN + sum_of_radii(in[0]) - of.distance,
                       allowance<Contract>(held, in[0], out[0]).uN + 0x1p-58L * of.size);
}

/// Bounds the angle between the normal and the line through the closest points. This line has the direction of the
/// gradient of uN with respect to C2. `least` is the smallest cosine of the angle that the recommended formula can
/// have. For the geometric formula, the angle is zero.
inline std::optional<double> near_gradient(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  if (unusable(out.first(1))) return std::nullopt;
  Conditioning const of = conditioning(in[0]);
  long double const R = sum_of_radii(in[0]), d = of.distance;
  if (!(d > 0)) return std::nullopt;
  long double const least = d < R ? d / std::sqrt((3 * d * d + R * R) / 4) : 1;
  long double const cosine = wide(out[0].normal).dot(of.connection) / d;
  // The length of an error vector is at most sqrt(3) times the error of a component.
  return in_tolerances(least - cosine, 2 * allowance<Contract>(held, in[0], out[0]).normal[0]);
}

/// Returns whether a b = c d exactly. No product may underflow or overflow.
inline bool equal_products(double a, double b, double c, double d) {
  double const p = a * b, q = c * d;
  return p == q && std::fma(a, b, -p) == std::fma(c, d, -q);
}
inline bool exactly_parallel(Point const& a, Point const& b) {
  return equal_products(a[1], b[2], a[2], b[1]) && equal_products(a[2], b[0], a[0], b[2]) &&
         equal_products(a[0], b[1], a[1], b[0]);
}

/// Checks that the normal of parallel axes is perpendicular to them. The errors of both points along parallel axes
/// cancel. Therefore the tolerance is the budget of uN divided by the distance d of the axes, for every mu.
inline std::optional<double> perpendicular_if_parallel(std::span<Case const> in, std::span<Answer const> out,
                                                       Tolerance const& held) {
  Case const& c = in[0];
  Wide const A1 = wide(c.half1), A2 = wide(c.half2), w = wide(c.centre2) - wide(c.centre1);
  long double const h1 = A1.norm(), h2 = A2.norm();
  if (!(std::min(h1, h2) > 0x1p-500L && std::max(h1, h2) < 0x1p500L) || !exactly_parallel(c.half1, c.half2))
    return std::nullopt;
  if (std::fabs(w.dot(A1)) / h1 > (h1 + h2) * (1 - 0x1p-40L)) return std::nullopt;  // the axes are not side by side
  if (unusable(out.first(1))) return std::nullopt;
  Conditioning const of = conditioning(c);
  if (out[0].status == Status::axes_intersect || !(out[0].uN < 0)) return std::nullopt;
  long double const along = std::fabs(wide(out[0].normal).dot(A1)) / h1;
  return in_tolerances(along, allowance<Contract>(held, c, out[0]).uN / of.distance);
}

/// Checks that the contact point is inside both capsules. The point is the middle of the overlap of the two spheres
/// about the closest points. If one sphere can contain the other, the point may be outside the smaller sphere: such
/// cases are skipped.
inline std::optional<double> point_inside(std::span<Case const> in, std::span<Answer const> out,
                                          Tolerance const& held) {
  Case const& c = in[0];
  if (unusable(out.first(1))) return std::nullopt;
  Conditioning const of = conditioning(c);
  long double const R = sum_of_radii(c);
  if (!(of.distance < R) || of.distance < std::fabs(static_cast<long double>(c.radius1) - c.radius2))
    return std::nullopt;
  Wide const point = wide(out[0].point);
  auto const outside = [&](Point const& centre, Point const& half, double radius) {
    return segments::point_segment(point, wide(centre) - wide(half), wide(centre) + wide(half)) - radius;
  };
  long double const most = std::max(outside(c.centre1, c.half1, c.radius1), outside(c.centre2, c.half2, c.radius2));
  return in_tolerances(most, 2 * allowance<Contract>(held, c, out[0]).point[0]);
}

inline void derive_spheres(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (is_generic(in, random.sizes())) return;
  Case both = in, one = in, two = in;
  both.half1.setZero();
  both.half2.setZero();
  one.half1.setZero();
  two.half2.setZero();
  inputs.push_back(both);
  inputs.push_back(one);
  inputs.push_back(two);
}
/// Checks cases in which one or both capsules are spheres. The contact must be the contact of the sphere with the
/// nearest point of the other axis.
inline std::optional<double> sphere_contacts(std::span<Case const> in, std::span<Answer const> out,
                                             Tolerance const& held) {
  in = in.subspan(1), out = out.subspan(1);
  if (unusable(out)) return std::nullopt;
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    Case const& c = in[i];
    Wide const A1 = wide(c.half1), A2 = wide(c.half2), w = wide(c.centre2) - wide(c.centre1);
    auto const clamp = [](long double x) { return std::max(-1.0L, std::min(x, 1.0L)); };
    long double const x = A1.squaredNorm() > 0 ? clamp(w.dot(A1) / A1.squaredNorm()) : 0;
    long double const y = A2.squaredNorm() > 0 ? clamp(-w.dot(A2) / A2.squaredNorm()) : 0;
    Wide const v = w + y * A2 - x * A1;
    if (!(v.norm() > 0)) continue;
    Wide const n = v / v.norm();
    long double const unequal = static_cast<long double>(c.radius1) - c.radius2;
    Wide const middle = (wide(c.centre1) + wide(c.centre2) + x * A1 + y * A2 + unequal * n) / 2;
    auto const may = allowance<Contract>(held, c, out[i]);
    long double const uN = v.norm() - sum_of_radii(c);
    std::span<Answer const> const one = out.subspan(i, 1);
    worst = std::max(
        worst,
        worst_answered({{answered(one, &Answer::uN), in_tolerances(std::fabs(out[i].uN - uN), may.uN * (1 + 0x1p-5L))},
                        {answered(one, &Answer::normal),
                         in_tolerances(largest(wide(out[i].normal) - n), may.normal[0] * (1 + 0x1p-5L))},
                        {answered(one, &Answer::point),
                         in_tolerances(largest(wide(out[i].point) - middle), may.point[0] * (1 + 0x1p-5L))}}));
  }
  return worst;
}

inline void derive_growth(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case grown = in;
  double const factor = 1 + random.log_uniform(-6, has_everyday_size(in, random.sizes()) ? 0 : 1);
  (random.chance(0.5) ? grown.radius1 : grown.radius2) *= factor;
  if (std::isfinite(grown.radius1) && std::isfinite(grown.radius2)) inputs.push_back(grown);
}
/// Checks that uN decreases by the growth of the radii.
inline std::optional<double> grown(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  if (unusable(out)) return std::nullopt;
  long double const change = static_cast<long double>(out[1].uN) - out[0].uN;
  long double const growth = (static_cast<long double>(in[1].radius1) - in[0].radius1) +
                             (static_cast<long double>(in[1].radius2) - in[0].radius2);
  return in_tolerances(std::fabs(change + growth), allowance<Contract>(held, in, out).uN);
}

/// Derives cases in which capsule 2 has moved: by 1e-12 to 0.1 of the size of the case, and by a few ulps. If the case
/// is not generic, also derives a case in which capsule 2 is parallel to capsule 1, or in which its deviation from the
/// parallel direction is multiplied by 0 to 2.
inline void derive_motion(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  auto const size = static_cast<double>(Contract::scale(original).uN);
  if (!(size > 0) || size > 0x1p1000) return;
  double const h1 = wide_length(original.half1), h2 = wide_length(original.half2);
  auto const add = [&](Case const& moved) {
    if (moved.centre2.allFinite() && moved.half2.allFinite()) inputs.push_back(moved);
  };
  for (int repeat = 0; repeat < 2; ++repeat) {
    Case moved = original;
    double const reach = size * random.log_uniform(-12, -1);
    Point const step = reach * cube_point(random);
    if (random.chance(0.5) || !(h2 > 0)) {
      moved.centre2 += step;
    } else {
      moved.half2 += std::min(h2 / size, 1.0) * step;  // rotates the axis; the next line restores its length
      moved.half2 *= h2 / wide_length(moved.half2);
    }
    add(moved);
  }
  Case nudged = original;
  nudged.centre2 = nudge(original.centre2, random, 2);
  nudged.half2 = nudge(original.half2, random, 2);
  add(nudged);
  if (h1 > 0 && h2 > 0 && !is_generic(original, random.sizes())) {
    Case turned = original;
    Point const parallel = (original.half1 / h1) * (original.half1.dot(original.half2) < 0 ? -h2 : h2);
    turned.half2 = random.chance(0.5) ? parallel : Point(parallel + random.uniform(0, 2) * (original.half2 - parallel));
    add(turned);
  }
}
inline long double centre_motion(Case const& a, Case const& b) { return (wide(b.centre2) - wide(a.centre2)).norm(); }
inline long double half_motion(Case const& a, Case const& b) { return (wide(b.half2) - wide(a.half2)).norm(); }

/// Checks that uN changes by at most the motion of the ends of capsule 2. The distance of the axes changes by at most
/// this motion.
inline std::optional<double> overlap_follows(std::span<Case const> in, std::span<Answer const> out,
                                             Tolerance const& held) {
  if (unusable(out)) return std::nullopt;
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = i + 1; k < in.size(); ++k) {
      long double const bound = (1 + 0x1p-60L) * (centre_motion(in[i], in[k]) + half_motion(in[i], in[k]));
      long double const change = std::fabs(static_cast<long double>(out[i].uN) - out[k].uN);
      worst = std::max(worst, in_tolerances(change - bound, allowance<Contract>(held, in[i], out[i]).uN +
                                                                allowance<Contract>(held, in[k], out[k]).uN));
    }
  return worst;
}

/// Force on capsule 1 at unit stiffness, and the torque of this force about C1.
struct Wrench {
  Wide force, torque;
};
inline Wrench wrench(Case const& in, Answer const& out) {
  Wide const force = -std::max(0.0L, -static_cast<long double>(out.uN)) * wide(out.normal);
  return {force, (wide(out.point) - wide(in.centre1)).cross(force)};
}

/// Checks |dF|/k <= L eta with eta = |dw| + h1 |du1| + h2 |du2|, if the distance d of the axes stays above d0 during
/// the motion: docs/mathematics/capsules.md#capsule_contact-laws-and-continuity. The bound of the torque is 2 (h1 + R)
/// L eta, because the arm is at most h1 + R and the arm changes by at most L eta.
inline std::optional<double> force_follows(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  if (unusable(out)) return std::nullopt;
  std::optional<double> worst;
  Conditioning const of = conditioning(in[0]);
  long double const R = sum_of_radii(in[0]), h1 = wide(in[0].half1).norm(), h2 = wide(in[0].half2).norm();
  long double const h = std::min(h1, h2), size = of.size;
  if (!(h > 0)) return std::nullopt;
  Wrench const before = wrench(in[0], out[0]);
  for (std::size_t i = 1; i < in.size(); ++i) {
    long double const length = wide(in[i].half2).norm();
    if (std::fabs(length - h2) > 0x1p-40L * half_motion(in[0], in[i]) + 0x1p-50L * h2)
      continue;  // capsule 2 must not stretch
    long double const eta = centre_motion(in[0], in[i]) + half_motion(in[0], in[i]);
    long double const d0 = of.distance - eta;
    if (!(d0 > 0.05L * R)) continue;
    long double const rho = R / h, root2 = std::sqrt(2.0L);
    long double const K = root2 * (1 + rho) + root2 / 4 * rho * (1 + 2 * rho) + root2 / 8 * rho * rho * (4 + 2 * rho);
    long double const L = 1 + (R + root2 * K * std::max(32 * h * h / R, 2 * R)) / d0;
    Wrench const after = wrench(in[i], out[i]);
    auto const first = allowance<Contract>(held, in[0], out[0]), moved = allowance<Contract>(held, in[i], out[i]);
    long double const of_uN = first.uN + moved.uN, of_normal = first.normal[0] + moved.normal[0],
                      of_point = first.point[0] + moved.point[0];
    long double const overlap = std::max(before.force.norm(), after.force.norm()), arm = h1 + R + size;
    long double const force_rounding = 2 * (of_uN + overlap * of_normal);
    long double const force = (after.force - before.force).norm() - L * eta;
    long double const torque = (after.torque - before.torque).norm() - 2 * (h1 + R) * L * eta;
    double const broken = std::max(in_tolerances(force, force_rounding),
                                   in_tolerances(torque, 2 * arm * force_rounding + 2 * overlap * of_point));
    worst = std::max(worst.value_or(0), broken);
  }
  return worst;
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> symmetries() {
  return {
      {.name = "swap",
       .doc = "an exchange of the capsules reverses the normal and does not change overlap and point",
       .tolerance = "both budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_swap,
       .violation = swapped},
      {.name = "reversal",
       .doc = "an exchange of the ends of a capsule changes nothing",
       .tolerance = "both budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_reversal,
       .violation = reversed},
      Shared::axis_permutation(),
      Shared::translation(),
      Shared::scaling(),
  };
}

inline std::vector<Rule> about_the_normal_and_status() {
  return {
      {.name = "finite",
       .doc = "no answer is NaN, also if the axes intersect",
       .tolerance = "0",
       .compares = {"uN", "normal", "point"},
       .violation = finite},
      {.name = "unit_normal",
       .doc = "the normal has length 1",
       .tolerance = "4 roundings with tolerance strict, otherwise its budget",
       .uses = {"normal"},
       .violation = unit_normal},
      {.name = "status",
       .doc = "the status is the sign of uN; where the axes intersect, uN is -R",
       .tolerance = "0 for the sign, three budgets for -R; its budget with another tolerance",
       .uses = {"uN", "status"},
       .violation = status_agrees},
      {.name = "convention",
       .doc = "if the axes intersect, the normal is perpendicular to both",
       .tolerance = "8 roundings with tolerance strict, otherwise its budget; over the sine of the angle",
       .uses = {"normal", "status"},
       .violation = conventional},
  };
}

inline std::vector<Rule> about_the_geometry() {
  return {
      {.name = "overlap_bound",
       .doc = "the distance of the axes is at least uN + R",
       .tolerance = "its budget",
       .uses = {"uN"},
       .violation = not_above_distance},
      {.name = "gradient",
       .doc = "the normal encloses no larger angle with the gradient of uN than formula C may: n.n* >= "
              "d/sqrt((3d^2+R^2)/4)",
       .tolerance = "2 budgets of the normal",
       .uses = {"normal"},
       .violation = near_gradient},
      {.name = "parallel",
       .doc = "if exactly parallel axes have overlapping shadows, the normal is perpendicular to the axes",
       .tolerance = "the budget of uN over d",
       .uses = {"uN", "normal"},
       .compares = {"status"},
       .violation = perpendicular_if_parallel},
      {.name = "inside",
       .doc = "the contact point is inside both capsules",
       .tolerance = "2 budgets of the point",
       .uses = {"point"},
       .violation = point_inside},
      {.name = "spheres",
       .doc = "if a half-shaft is 0, the contact is that of a sphere with the nearest point of the other axis",
       .tolerance = "the budgets",
       .compares = {"uN", "normal", "point"},
       .derive = derive_spheres,
       .violation = sphere_contacts},
  };
}

inline std::vector<Rule> motions() {
  return {
      {.name = "growth",
       .doc = "uN decreases by the growth of a radius",
       .tolerance = "both budgets",
       .uses = {"uN"},
       .derive = derive_growth,
       .violation = grown},
      {.name = "overlap_motion",
       .doc = "uN changes by at most the motion of the ends",
       .tolerance = "both budgets + the motion",
       .uses = {"uN"},
       .derive = derive_motion,
       .violation = overlap_follows},
      {.name = "force_motion",
       .doc = "no jumps: force and torque change by at most the Lipschitz bound of formula C times the motion",
       .tolerance = "the Lipschitz bound and the budgets",
       .uses = {"uN", "normal", "point"},
       .derive = derive_motion,
       .violation = force_follows},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({symmetries(), about_the_normal_and_status(), about_the_geometry(), motions()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::capsule_contact::properties
