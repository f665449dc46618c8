// Regimes and laws of the contact of a disc and a segment.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/nonsmooth.hpp"
#include "reference/core/rational.hpp"
#include "reference/spec/disc_segment_contact.hpp"

namespace demeter::disc_segment_contact::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector2<double>;
using Wide = Vector2<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// The position of a disc of radius 1 beside a segment of this length. `along` is the distance from the first end to
/// the foot of the disc's centre. `across` is the distance of the centre from the line, > 0 to the left.
struct Place {
  double length, along, across, alert;
};
inline Case placed(Random& random, Place const& at) {
  Case in;
  in.p0 = square_point(random);
  Point const direction = unit_direction_in_plane(random), left(-direction[1], direction[0]);
  in.p1 = in.p0 + at.length * direction;
  in.centre = in.p0 + at.along * direction + at.across * left;
  in.radius = 1;
  in.alert = at.alert;
  return in;
}
inline Case reversed(Case in) {
  std::swap(in.p0, in.p1);
  return in;
}
/// Returns the case. In half of the cases, the ends of the segment are exchanged.
inline Case either_way(Random& random, Case const& in) { return random.chance(0.5) ? reversed(in) : in; }
inline Case nudged(Random& random, Case in, int k) {
  in.centre[0] = random.nudge(in.centre[0], k);
  in.centre[1] = random.nudge(in.centre[1], k);
  return in;
}
inline double either_side(Random& random, double low, double high) {
  double const sign = random.sign();
  return sign * random.uniform(low, high);
}

inline Case draw_typical(Random& random) {
  double const length = random.log_uniform(0, 1.3), along = random.uniform(-1, length + 1),
               across = either_side(random, 0.9, 1.5), alert = random.uniform(0, 0.4);
  return placed(random, {length, along, across, alert});
}
inline Case draw_beyond_an_end(Random& random) {
  double const length = random.log_uniform(-1, 1), along = -random.uniform(0, 1.4),
               across = either_side(random, 0, 1.2), alert = random.uniform(0, 0.4);
  return either_way(random, placed(random, {length, along, across, alert}));
}
inline Case draw_overlapping(Random& random) {
  double const length = random.log_uniform(0, 1.3), along = random.uniform(0, length), sign = random.sign(),
               deep = random.log_uniform(-8, 0), alert = random.chance(0.3) ? 0 : random.log_uniform(-6, -1);
  return placed(random, {length, along, sign * (1 - deep), alert});
}
/// Draws gaps that are equal or nearly equal to the alert distance. The alert distance may be 0. In some cases, the
/// centre is beyond an end.
inline Case draw_just_present(Random& random) {
  double const alert = random.chance(0.3) ? 0 : random.uniform(0.01, 0.4), length = random.log_uniform(0, 1.3),
               distance = 1 + (alert + off_a_threshold(random));
  if (random.chance(0.3)) {
    Point const direction = unit_direction_in_plane(random);
    double const along = -std::fabs(direction[0]) * distance, across = direction[1] * distance;
    return nudged(random, either_way(random, placed(random, {length, along, across, alert})), 3);
  }
  double const along = random.uniform(0, length), sign = random.sign();
  return nudged(random, placed(random, {length, along, sign * distance, alert}), 3);
}
/// Draws cases in which the foot of the centre is at or near an end of the segment.
inline Case draw_at_an_end(Random& random) {
  double const length = random.log_uniform(-1, 1), across = either_side(random, 0.2, 1.5),
               alert = random.uniform(0, 0.4), off = off_a_threshold(random);
  return nudged(random, either_way(random, placed(random, {length, off, across, alert})), 3);
}
/// Draws cases in whole units and quarters. Often the foot is exactly an end, the centre is exactly on the segment, or
/// the gap is exactly 0 or equal to the alert distance.
inline Case draw_lattice(Random& random) {
  static constexpr int sides[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {4, 0, 4}, {0, 2, 2}, {1, 1, 1}, {7, 2, 7}};
  auto const& side = sides[random.integer(0, 6)];
  double const sx = random.sign(), sy = random.sign();
  Point const t(sx * side[0], sy * side[1]), left(-t[1], t[0]);
  double const x = few_bits(random, 4, 0), y = few_bits(random, 4, 0);
  double const along = static_cast<double>(random.integer(-2, 6)) / 4;
  double const across = static_cast<double>(random.integer(-3, 3)) / 4;
  Case in;
  in.p0 = {x, y};
  in.p1 = in.p0 + t;
  in.centre = in.p0 + along * t + across * left;
  in.radius =
      random.chance(0.5) ? std::max(std::fabs(across) * side[2], 0.25) : static_cast<double>(random.integer(1, 24)) / 4;
  in.alert = static_cast<double>(random.integer(0, 4)) / 2;
  return in;
}
inline Case draw_nearly_on_the_segment(Random& random) {
  double const length = random.log_uniform(0, 1), along = random.uniform(0, length), sign = random.sign(),
               across = random.log_uniform(-15, -3), alert = random.uniform(0, 0.4);
  return placed(random, {length, along, sign * across, alert});
}
inline Case draw_near_an_end(Random& random) {
  double const length = random.log_uniform(-1, 1), alert = random.uniform(0, 0.4);
  Case in = placed(random, {length, 0, 0, alert});
  double const off = random.log_uniform(-16, -3);
  in.centre = in.p0 + off * unit_direction_in_plane(random);
  if (random.chance(0.2)) in.centre = in.p0;
  return either_way(random, in);
}
template <int low, int high>
Case draw_of_length(Random& random) {
  double const length = random.log_uniform(low, high), across = either_side(random, 0.9, 1.5),
               alert = random.uniform(0, 0.4);
  double const from = random.log_uniform(-1, high), along = random.chance(0.5) ? std::fmod(from, length) : length / 3;
  return either_way(random, placed(random, {length, along, across, alert}));
}
inline Case draw_along_an_axis(Random& random) {
  Case in = draw_typical(random);
  std::int64_t const axis = random.integer(0, 1);
  if (in.p1[1 - axis] != in.p0[1 - axis]) in.p1[axis] = in.p0[axis];
  return in;
}
/// Draws centres on the line, up to rounding. Then moves them by up to 2 ulps.
inline Case draw_on_the_segment_to_ulps(Random& random) {
  double const length = random.log_uniform(0, 1), along = random.uniform(-0.1, 1.1) * length,
               alert = random.uniform(0, 0.4);
  return nudged(random, placed(random, {length, along, 0, alert}), 2);
}
inline Case draw_far(Random& random) {
  Case in = draw_typical(random);
  double const distance = random.log_uniform(4, 10);
  Point const shift = distance * unit_direction_in_plane(random);
  in.centre += shift;
  in.p0 += shift;
  in.p1 += shift;
  return in;
}
inline Case draw_global_scale(Random& random) {
  Case const in = draw_typical(random);
  return scaled_by(in, std::ldexp(1.0, static_cast<int>(random.integer(-250, 250))));
}
inline Case draw_mixed_scale(Random& random) {
  for (;;) {
    Case in = draw_lattice(random);
    auto const factor = [&] { return random.log_uniform(-80, 80); };
    in.centre[0] *= factor();
    in.centre[1] *= factor();
    in.p0 *= factor();
    in.p1[0] *= factor();
    in.p1[1] *= factor();
    in.radius *= factor();
    in.alert *= factor();
    if (in.p0 != in.p1) return in;
  }
}

/// Draws a case, scales it to an everyday size, and moves it by up to a thousand sizes. If `exactly` is true, the
/// factor is a power of two.
template <auto draw, bool exactly = false>
Case everyday(Random& random) {
  Case const unit = draw(random);
  double const size = random.size();
  double const metre = exactly ? exact_factor_to_size(unit, size, random.sizes()) : factor_to_size(unit, size);
  Case in = scaled_by(unit, metre);
  Vector3<double> const shift = exactly ? everyday_place_of_few_bits(random, size) : everyday_place(random, size);
  Case moved = in;
  bool exact = true;
  for (auto const point : {&Case::centre, &Case::p0, &Case::p1})
    for (Index k = 0; k < 2; ++k) {
      exact = exact && adds_exactly((in.*point)[k], shift[k]);
      (moved.*point)[k] += shift[k];
    }
  return exactly && !exact ? in : moved;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "discs of 10 um to 10 m, segments of 1 to 20 radii, gaps of -0.1 to 0.5 radii, alert distances of up to "
       "0.4 radii",
       everyday<draw_typical>},
      {"beyond_an_end", Profile::everyday, "the foot is outside the segment", everyday<draw_beyond_an_end>},
      {"overlapping", Profile::everyday, "overlaps of 1e-8 to 1 radii", everyday<draw_overlapping>},
      {"just_present", Profile::degenerate, "the gap equals the alert distance, up to some ulps or 1e-15 to 1e-3 radii",
       everyday<draw_just_present>},
      {"at_an_end", Profile::degenerate, "the foot is at an end, up to some ulps or 1e-15 to 1e-3 radii",
       everyday<draw_at_an_end>},
      {"lattice", Profile::degenerate,
       "integer lengths and quarters: exact feet and gaps, including centres on the segment",
       everyday<draw_lattice, true>},
      {"nearly_on_the_segment", Profile::degenerate, "the centre is 1e-15 to 1e-3 radii from the segment",
       everyday<draw_nearly_on_the_segment>},
      {"near_an_end", Profile::degenerate, "the centre is 1e-16 to 1e-3 radii from an end, or on it",
       everyday<draw_near_an_end>},
      {"long", Profile::degenerate, "segments of a hundred to a thousand radii", everyday<draw_of_length<2, 3>>},
      {"short", Profile::degenerate, "segments of 1e-9 to 1e-3 radii", everyday<draw_of_length<-9, -3>>},
      {"along_an_axis", Profile::degenerate, "the segment is parallel to an axis", everyday<draw_along_an_axis>},
      {"on_the_segment_to_ulps", Profile::extreme,
       "the centre is on the line up to some ulps: the last bits decide the side",
       everyday<draw_on_the_segment_to_ulps>},
      {"very_long", Profile::extreme, "segments of 1e3 to 1e9 radii", draw_of_length<3, 9>},
      {"far", Profile::extreme, "typical pairs, 1e4 to 1e10 away from the origin", draw_far},
      {"global_scale", Profile::extreme, "the metre times 2^-250 to 2^250", draw_global_scale},
      {"mixed_scale", Profile::extreme, "each quantity has its own magnitude, 1e-80 to 1e80", draw_mixed_scale},
      {"ratios", Profile::degenerate, "segments of 1e3 to 1e9 radii", everyday<draw_of_length<3, 9>>},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, everyday<draw_lattice, true>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers",
       with_subnormals<Contract, either<draw_typical, draw_lattice>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

using Inputs = std::span<Case const>;
using Outputs = std::span<Answer const>;

inline Unusable unusable(Inputs in, Outputs out) {
  return unusable_unless(in, out, [](Case const&) { return false; });
}

inline Wide between(Point const& a, Point const& b) { return a.cast<long double>() - b.cast<long double>(); }
inline long double dot(Wide const& a, Wide const& b) { return a[0] * b[0] + a[1] * b[1]; }
inline long double cross(Wide const& a, Wide const& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Returns the side of the line on which the centre is: 1 for left, -1 for right, 0 for on the line. If long doubles
/// cannot decide, computes with rationals.
inline int side(Case const& in, Wide const& t, Wide const& from) {
  long double const area = cross(t, from), size = std::fabs(t[0] * from[1]) + std::fabs(t[1] * from[0]);
  if (std::fabs(area) > 0x1p-60L * size) return area > 0 ? 1 : -1;
  Rational const x0(in.p0[0]), y0(in.p0[1]);
  Rational const exact = (Rational(in.p1[0]) - x0) * (Rational(in.centre[1]) - y0) -
                         (Rational(in.p1[1]) - y0) * (Rational(in.centre[0]) - x0);
  return exact.sign();
}

/// Centre and segment in long double, measured from the nearer end.
struct Seen {
  Wide t, from;        ///< t = p1 - p0; from = the centre minus the nearer end
  bool second;         ///< the nearer end is p1
  long double length;  ///< length of t
  Wide towards;        ///< unit vector from the segment to the centre; 0 if the centre is on the segment
};
inline Seen seen(Case const& in) {
  Seen is;
  Wide const s = between(in.centre, in.p0), q = between(in.centre, in.p1);
  is.t = between(in.p1, in.p0);
  is.length = is.t.norm();
  bool const after0 = dot(s, is.t) > 0, before1 = dot(q, is.t) < 0;
  is.second = after0 && (!before1 || q.norm() < s.norm());
  is.from = is.second ? q : s;
  if (after0 && before1) {
    is.towards = Wide(-is.t[1], is.t[0]) * (static_cast<long double>(side(in, is.t, is.from)) / is.length);
  } else {
    long double const distance = is.from.norm();
    is.towards = distance > 0 ? Wide(is.from / distance) : Wide(0, 0);
  }
  return is;
}

/// Returns the distance by which the foot would have to move to make this feature correct. Returns 0 if the feature is
/// correct.
inline long double off(Case const& in, Feature feature) {
  Wide const t = between(in.p1, in.p0);
  long double const length = t.norm(), after0 = dot(between(in.centre, in.p0), t) / length,
                    after1 = dot(between(in.centre, in.p1), t) / length;
  switch (feature) {
    case Feature::end0:
      return std::max(after0, 0.0L);
    case Feature::end1:
      return std::max(-after1, 0.0L);
    case Feature::interior:
      return std::max({-after0, after1, 0.0L});
  }
  return infinite;
}
inline long double off_allowed(Case const& in, Tolerance const& held) {
  return allowance<Contract>(held, "feature", Contract::scale(in).gap);
}
inline Feature exchanged(Feature feature) {
  return feature == Feature::end0 ? Feature::end1 : feature == Feature::end1 ? Feature::end0 : feature;
}

inline std::optional<double> has_unit_length(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!out[0].normal) return std::nullopt;
  long double const error = out[0].normal->cast<long double>().norm() - 1;
  return in_tolerances(std::fabs(error), 2 * allowance<Contract>(held, "normal", 1));
}

inline std::optional<double> points_to_the_centre(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const towards = seen(in[0]).towards;
  if (out[0].normal.has_value() != (towards[0] != 0 || towards[1] != 0)) return infinite;
  if (!out[0].normal) return std::nullopt;
  Wide const n = out[0].normal->cast<long double>();
  if (!(dot(n, towards) > 0)) return infinite;
  return in_tolerances(std::fabs(cross(n, towards)), 2 * allowance<Contract>(held, "normal", 1));
}

/// Checks that centre - (gap + radius) normal is a point of the segment. This is the contact point after the disc has
/// moved by the gap against the normal.
inline std::optional<double> gap_is_closed(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  auto const may = allowance<Contract>(held, in[0], out[0]);
  long double const reach = static_cast<long double>(out[0].gap) + in[0].radius;
  if (!out[0].normal) return in_tolerances(std::fabs(reach), may.gap);
  Seen const is = seen(in[0]);
  // The position of the contact point relative to the nearer end.
  Wide const at = is.from - reach * out[0].normal->cast<long double>();
  long double const here = dot(at, is.t) / is.length;
  long double const inwards = is.second ? -here : here, beyond = std::max({-inwards, inwards - is.length, 0.0L});
  // The error of the normal's direction moves the point across the normal. The error of its length moves the point
  // along the normal.
  long double const across = cross(is.t, at) / is.length, by_normal = 2 * allowance<Contract>(held, "normal", 1);
  return in_tolerances(std::hypot(across, beyond), may.gap + by_normal * Contract::scale(in[0]).gap);
}

/// Checks 17 points of the segment: none of them may be nearer to the centre than gap + radius.
inline std::optional<double> nothing_is_nearer(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Seen const is = seen(in[0]);
  Wide const back = is.second ? Wide(-is.t) : is.t;
  long double least = is.from.norm();
  for (int k = 1; k <= 16; ++k) least = std::min(least, (is.from - back * (static_cast<long double>(k) / 16)).norm());
  long double const over = static_cast<long double>(out[0].gap) + in[0].radius - least;
  return in_tolerances(std::max(over, 0.0L), allowance<Contract>(held, in[0], out[0]).gap);
}

inline std::optional<double> feature_is_the_foot(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(off(in[0], out[0].feature), off_allowed(in[0], held));
}

/// Checks answers whose feature is an end. The gap must be the distance of the centre from this end minus the radius.
inline std::optional<double> ends_are_points(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (out[0].feature == Feature::interior) return std::nullopt;
  Wide const from = between(in[0].centre, out[0].feature == Feature::end0 ? in[0].p0 : in[0].p1);
  auto const may = allowance<Contract>(held, in[0], out[0]);
  // The foot may be inside the segment by at most its tolerance. The distances of the foot and of the end then differ
  // by at most this tolerance.
  long double const may_be_off = off_allowed(in[0], held);
  return in_tolerances(std::fabs(from.norm() - in[0].radius - out[0].gap), may.gap + may_be_off);
}

inline std::optional<double> present_is_the_gap(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  bool const near = out[0].gap < in[0].alert;
  if (near == (out[0].present == Present::yes)) return 0;
  return in_tolerances(std::fabs(static_cast<long double>(out[0].gap) - in[0].alert),
                       2 * allowance<Contract>(held, in[0], out[0]).gap);
}

/// Selects the outputs for the laws of properties/core/invariance.hpp.
struct Invariant {
  using Contract = disc_segment_contact::Contract;
  static std::vector<std::string_view> outputs() { return {"gap", "normal"}; }
  static Unusable unusable(Inputs inputs, Outputs outputs) { return properties::unusable(inputs, outputs); }
};
using Shared = Invariances<Invariant>;
/// Also compares the labels. It is for laws that change a case without rounding.
struct InvariantToTheBit : Invariant {
  static std::vector<std::string_view> outputs() { return {"gap", "normal", "feature", "present"}; }
};
using SharedToTheBit = Invariances<InvariantToTheBit>;

/// Derives the case with a larger alert distance. Of the answer, only the label `present` may change, and only from no
/// to yes.
inline void derive_alerted(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case alerted = in;
  alerted.alert = in.alert > 0 ? in.alert * random.uniform(1, 4) : in.radius * random.uniform(0, 1);
  if (!Contract::domain_error(alerted)) inputs.push_back(alerted);
}
inline std::optional<double> stays_present(Inputs in, Outputs out, Tolerance const& held) {
  auto const same = Shared::equal(in, out, held);
  if (!same) return same;
  bool const lost = out[0].present == Present::yes && out[1].present == Present::no;
  if (!lost) return same;
  // The tolerance covers the errors of both answers.
  long double const beyond = std::fabs(static_cast<long double>(out[1].gap) - in[1].alert);
  return std::max(*same, in_tolerances(beyond, 2 * allowance<Contract>(held, in, out).gap));
}

/// Compares the answers to two cases. In the second case, the ends of the segment are exchanged, or the centre is
/// rotated by half a turn about the middle of the segment. The half turn reverses the normal (`opposite`). Both changes
/// exchange the features of the two ends.
inline std::optional<double> exchanges_ends(Inputs in, Outputs out, Tolerance const& held, bool opposite) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (out[0].normal.has_value() != out[1].normal.has_value()) return infinite;
  auto const may = allowance<Contract>(held, in, out);
  double worst = in_tolerances(std::fabs(static_cast<long double>(out[0].gap) - out[1].gap), may.gap);
  if (out[0].normal) {
    Wide const other = out[1].normal->cast<long double>();
    Wide const error = out[0].normal->cast<long double>() - (opposite ? Wide(-other) : other);
    worst = std::max(worst, worst_component(error, *may.normal));
  }
  Feature const again = exchanged(out[1].feature);
  if (out[0].feature != again)
    worst = std::max(
        worst, in_tolerances(std::max(off(in[0], out[0].feature), off(in[0], again)), 2 * off_allowed(in[0], held)));
  return worst;
}
inline void derive_reversed(Case const& in, Random&, std::vector<Case>& inputs) { inputs.push_back(reversed(in)); }
inline std::optional<double> is_reversed(Inputs in, Outputs out, Tolerance const& held) {
  return exchanges_ends(in, out, held, false);
}
/// Derives the case with the centre rotated by half a turn about the middle of the segment, if this does not round a
/// coordinate.
inline void derive_half_turn(Case const& in, Random&, std::vector<Case>& inputs) {
  Case turned = in;
  for (Index k = 0; k < 2; ++k) {
    double const both = in.p0[k] + in.p1[k];
    if (!adds_exactly(in.p0[k], in.p1[k]) || !adds_exactly(both, -in.centre[k])) return;
    turned.centre[k] = both - in.centre[k];
  }
  if (!Contract::domain_error(turned)) inputs.push_back(turned);
}
inline std::optional<double> is_opposite(Inputs in, Outputs out, Tolerance const& held) {
  return exchanges_ends(in, out, held, true);
}

/// Derives the case with a larger radius. The gap must decrease by the amount by which the radius grows.
inline void derive_grown(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const factor = random.uniform(1, 2);
  Case grown = in;
  grown.radius *= factor;
  if (!Contract::domain_error(grown)) inputs.push_back(grown);
}
inline std::optional<double> shrinks_by_growth(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const growth = static_cast<long double>(in[1].radius) - in[0].radius,
                    change = static_cast<long double>(out[0].gap) - out[1].gap;
  return in_tolerances(std::fabs(growth - change), allowance<Contract>(held, in, out).gap);
}

/// Derives two cases, each with one half of the segment, if the coordinates of the middle are doubles.
inline void derive_halves(Case const& in, Random&, std::vector<Case>& inputs) {
  Case first = in, second = in;
  for (Index k = 0; k < 2; ++k) {
    if (!adds_exactly(in.p0[k], in.p1[k])) return;
    first.p1[k] = second.p0[k] = (in.p0[k] + in.p1[k]) / 2;
  }
  if (Contract::domain_error(first) || Contract::domain_error(second)) return;
  inputs.push_back(first);
  inputs.push_back(second);
}
inline std::optional<double> is_the_nearer_half(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const nearer = std::min(out[1].gap, out[2].gap);
  return in_tolerances(std::fabs(nearer - out[0].gap), allowance<Contract>(held, in, out).gap);
}

/// Derives the case after a translation that does not round any coordinate.
inline void derive_moved(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case moved = in;
  for (Index k = 0; k < 2; ++k) {
    double const most = std::max({std::fabs(in.centre[k]), std::fabs(in.p0[k]), std::fabs(in.p1[k])});
    double const sign = random.sign();
    auto const larger = static_cast<int>(random.integer(-2, 3));
    double const shift = most > 0 ? sign * std::ldexp(1.0, std::ilogb(most) + larger) : 0;
    bool exact = true;
    for (auto const point : {&Case::centre, &Case::p0, &Case::p1}) exact = exact && adds_exactly((in.*point)[k], shift);
    if (!exact) continue;
    for (auto const point : {&Case::centre, &Case::p0, &Case::p1}) (moved.*point)[k] += shift;
  }
  if (moved.centre != in.centre && !Contract::domain_error(moved)) inputs.push_back(moved);
}

inline std::span<Law<Case, Answer> const> laws() {
  static Law<Case, Answer> const list[] = {
      {.name = "unit_normal",
       .doc = "the normal has length 1",
       .tolerance = "twice the budget of the normal",
       .uses = {"normal"},
       .violation = has_unit_length},
      {.name = "direction",
       .doc = "the normal points from the segment to the centre and is null only for a centre on the segment",
       .tolerance = "twice the budget of the normal",
       .uses = {"normal"},
       .violation = points_to_the_centre},
      {.name = "closing",
       .doc = "if the disc is moved by the gap against the normal, it touches the segment",
       .tolerance = "the budget of the gap, plus twice that of the normal times the scale of the gap",
       .uses = {"gap", "normal"},
       .violation = gap_is_closed},
      {.name = "nearest",
       .doc = "no point of the segment is nearer to the disc than the gap",
       .tolerance = "the budget of the gap",
       .uses = {"gap"},
       .violation = nothing_is_nearer},
      {.name = "feature",
       .doc = "the feature is interior if the foot is inside, otherwise the nearer end",
       .tolerance = "the budget of the feature",
       .uses = {"feature"},
       .violation = feature_is_the_foot},
      {.name = "ends",
       .doc = "if the feature is an end, the gap is that of a point at this end",
       .tolerance = "the budgets of gap and feature",
       .uses = {"gap", "feature"},
       .violation = ends_are_points},
      {.name = "alert",
       .doc = "present is yes exactly if the gap is below the alert distance",
       .tolerance = "twice the budget of the gap",
       .uses = {"gap", "present"},
       .violation = present_is_the_gap},
      {.name = "larger_alert",
       .doc = "a larger alert distance keeps present contacts and does not change gap and normal",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"gap", "normal", "present"},
       .derive = derive_alerted,
       .violation = stays_present},
      {.name = "reversal",
       .doc = "an exchange of the ends exchanges their features and does not change gap and normal",
       .tolerance = "both budgets",
       .uses = {"gap", "normal", "feature"},
       .derive = derive_reversed,
       .violation = is_reversed},
      {.name = "half_turn",
       .doc = "half a turn of the centre about the middle of the segment reverses the normal, exchanges the features "
              "of the ends and does not change the gap",
       .tolerance = "both budgets",
       .uses = {"gap", "normal", "feature"},
       .derive = derive_half_turn,
       .violation = is_opposite},
      {.name = "growth",
       .doc = "the gap decreases by the growth of a radius",
       .tolerance = "both budgets",
       .uses = {"gap"},
       .derive = derive_grown,
       .violation = shrinks_by_growth},
      {.name = "halves",
       .doc = "the gap is that of the half of the segment that is closer",
       .tolerance = "the budgets of all three",
       .uses = {"gap"},
       .derive = derive_halves,
       .violation = is_the_nearer_half},
      {.name = "translation",
       .doc = "an exact translation changes nothing",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = {"gap", "normal", "feature", "present"},
       .derive = derive_moved,
       .violation = SharedToTheBit::equal},
      SharedToTheBit::scaling(),
      Shared::axis_permutation(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::disc_segment_contact::properties
