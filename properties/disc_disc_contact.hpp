// Regimes and laws of the contact of two discs.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/nonsmooth.hpp"
#include "reference/spec/disc_disc_contact.hpp"

namespace demeter::disc_disc_contact::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector2<double>;
using Wide = Vector2<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns two discs with this gap, in a random direction from each other. Disc j is near the origin.
inline Case pair_at(Random& random, double radius_i, double radius_j, double gap, double alert) {
  Case in;
  in.centre_j = square_point(random);
  Point const direction = unit_direction_in_plane(random);
  in.centre_i = in.centre_j + (radius_i + radius_j + gap) * direction;
  in.radius_i = radius_i;
  in.radius_j = radius_j;
  in.alert = alert;
  return in;
}
/// Two radii. The larger radius is 1.
struct Radii {
  double i, j;
};
inline Radii radii(Random& random, double low = 0.2) {
  double const smaller = random.uniform(low, 1);
  return random.chance(0.5) ? Radii{smaller, 1} : Radii{1, smaller};
}

inline Case draw_typical(Random& random) {
  Radii const r = radii(random);
  double const gap = random.uniform(-0.1, 0.5), alert = random.uniform(0, 0.4);
  return pair_at(random, r.i, r.j, gap, alert);
}
/// Draws cases in which disc j has the radius 0: a point, such as the end of a boundary.
inline Case draw_end_point(Random& random) {
  double const gap = random.uniform(-0.5, 0.5), alert = random.uniform(0, 0.4);
  return pair_at(random, 1, 0, gap, alert);
}
inline Case draw_overlapping(Random& random) {
  Radii const r = radii(random);
  double const deep = random.log_uniform(-8, 0), alert = random.chance(0.3) ? 0 : random.log_uniform(-6, -1);
  return pair_at(random, r.i, r.j, -deep * (r.i + r.j), alert);
}
/// Draws gaps equal or nearly equal to the alert distance, which may be 0.
inline Case draw_just_present(Random& random) {
  Radii const r = radii(random);
  double const alert = random.chance(0.3) ? 0 : random.uniform(0.01, 0.4), off = off_a_threshold(random);
  Case in = pair_at(random, r.i, r.j, alert + off, alert);
  in.centre_i[0] = random.nudge(in.centre_i[0], 3);
  in.centre_i[1] = random.nudge(in.centre_i[1], 3);
  return in;
}
/// Draws cases in whole units and quarters. The vector between the centres has the sides of a Pythagorean triangle, so
/// that the gap is exact. The gap is often 0 or the alert distance.
inline Case draw_lattice(Random& random) {
  static constexpr int sides[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {1, 0, 1}, {0, 1, 1}, {0, 0, 0}};
  auto const& side = sides[random.integer(0, 5)];
  auto const times = static_cast<double>(random.integer(1, 3));
  double const sx = random.sign(), sy = random.sign();
  double const x = few_bits(random, 4, 0), y = few_bits(random, 4, 0);
  double const distance = side[2] * times, share = static_cast<double>(random.integer(1, 4)) / 4;
  Case in;
  in.centre_j = {x, y};
  in.centre_i = {x + sx * side[0] * times, y + sy * side[1] * times};
  in.radius_i = std::max(distance * share, 0.5);
  in.radius_j = random.chance(0.2) ? 0 : static_cast<double>(random.integer(1, 12)) / 4;
  in.alert = static_cast<double>(random.integer(0, 4)) / 2;
  return in;
}
inline Case draw_nearly_equal_centres(Random& random) {
  Radii const r = radii(random);
  Case in = pair_at(random, r.i, r.j, 0, 0.1);
  double const off = random.log_uniform(-16, -3);
  in.centre_i = in.centre_j + off * unit_direction_in_plane(random);
  if (random.chance(0.2)) in.centre_i = in.centre_j;
  return in;
}
/// Draws pairs in which one radius is 1e-9 to 1e-3 of the other.
inline Case draw_unequal(Random& random) {
  double const small = random.log_uniform(-9, -3), gap = random.uniform(-1, 2) * small,
               alert = random.uniform(0, 2) * small;
  return random.chance(0.5) ? pair_at(random, 1, small, gap, alert) : pair_at(random, small, 1, gap, alert);
}
inline Case draw_along_an_axis(Random& random) {
  Case in = draw_typical(random);
  std::int64_t const axis = random.integer(0, 1);
  double const off = random.chance(0.5) ? 0 : off_a_threshold(random);
  in.centre_i[axis] = in.centre_j[axis] + off;
  return in;
}
inline Case draw_far(Random& random) {
  Case in = draw_typical(random);
  double const distance = random.log_uniform(4, 10);
  Point const shift = distance * unit_direction_in_plane(random);
  in.centre_i += shift;
  in.centre_j += shift;
  return in;
}
inline Case draw_global_scale(Random& random) {
  Case const in = draw_typical(random);
  return scaled_by(in, std::ldexp(1.0, static_cast<int>(random.integer(-250, 250))));
}
inline Case draw_mixed_scale(Random& random) {
  Case in = draw_lattice(random);
  auto const factor = [&] { return random.log_uniform(-80, 80); };
  in.centre_i[0] *= factor();
  in.centre_i[1] *= factor();
  in.centre_j *= factor();
  in.radius_i *= factor();
  in.radius_j *= factor();
  in.alert *= factor();
  return in;
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
  for (Index k = 0; k < 2; ++k) {
    exact = exact && adds_exactly(in.centre_i[k], shift[k]) && adds_exactly(in.centre_j[k], shift[k]);
    moved.centre_i[k] += shift[k];
    moved.centre_j[k] += shift[k];
  }
  return exactly && !exact ? in : moved;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "discs of 10 um to 10 m, gaps of -0.1 to 0.5 radii, alert distances of up to 0.4 radii", everyday<draw_typical>},
      {"end_point", Profile::everyday, "disc j is a point", everyday<draw_end_point>},
      {"overlapping", Profile::everyday, "overlaps of 1e-8 to 1 times the sum of the radii",
       everyday<draw_overlapping>},
      {"just_present", Profile::degenerate, "the gap equals the alert distance, up to some ulps or 1e-15 to 1e-3 radii",
       everyday<draw_just_present>},
      {"lattice", Profile::degenerate, "triangles with integer sides: exact gaps, including equal centres",
       everyday<draw_lattice, true>},
      {"nearly_equal_centres", Profile::degenerate, "centres 1e-16 to 1e-3 apart, or equal",
       everyday<draw_nearly_equal_centres>},
      {"unequal", Profile::degenerate, "one radius is 1e-9 to 1e-3 of the other", everyday<draw_unequal>},
      {"along_an_axis", Profile::degenerate, "one coordinate is equal, or differs by 1e-15 to 1e-3 radii",
       everyday<draw_along_an_axis>},
      {"far", Profile::extreme, "typical pairs, 1e4 to 1e10 away from the origin", draw_far},
      {"global_scale", Profile::extreme, "the metre times 2^-250 to 2^250", draw_global_scale},
      {"mixed_scale", Profile::extreme, "each quantity has its own magnitude, 1e-80 to 1e80", draw_mixed_scale},
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

inline Wide between(Case const& in) { return in.centre_i.cast<long double>() - in.centre_j.cast<long double>(); }

inline std::optional<double> has_unit_length(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!out[0].normal) return std::nullopt;
  long double const off = out[0].normal->cast<long double>().norm() - 1;
  return in_tolerances(std::fabs(off), 2 * allowance<Contract>(held, "normal", 1));
}

inline std::optional<double> points_to_i(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  Wide const d = between(in[0]);
  if (!out[0].normal) {
    if (d.norm() > 0) return infinite;
    return std::nullopt;
  }
  if (!(d.norm() > 0)) return infinite;
  Wide const n = out[0].normal->cast<long double>();
  if (!(n.dot(d) > 0)) return infinite;
  return in_tolerances(std::fabs(n[0] * d[1] - n[1] * d[0]) / d.norm(), 2 * allowance<Contract>(held, "normal", 1));
}

/// Checks that disc j touches disc i after it has moved by the gap along the normal.
inline std::optional<double> gap_is_closed(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  if (!out[0].normal) return std::nullopt;
  Wide const n = out[0].normal->cast<long double>(), d = between(in[0]) - static_cast<long double>(out[0].gap) * n;
  auto const may = allowance<Contract>(held, in[0], out[0]);
  // The error of the normal's direction moves the end of the gap across the normal. The error of the normal's length
  // moves it along the normal.
  long double const size = Contract::scale(in[0]).gap;
  return in_tolerances(std::fabs(n.dot(d) - (static_cast<long double>(in[0].radius_i) + in[0].radius_j)),
                       may.gap + 6 * size * allowance<Contract>(held, "normal", 1));
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
  using Contract = disc_disc_contact::Contract;
  static std::vector<std::string_view> outputs() { return {"gap", "normal"}; }
  static Unusable unusable(Inputs inputs, Outputs outputs) { return properties::unusable(inputs, outputs); }
};
using Shared = Invariances<Invariant>;

inline void derive_swapped(Case const& in, Random&, std::vector<Case>& inputs) {
  if (in.radius_j > 0) inputs.push_back({in.centre_j, in.radius_j, in.centre_i, in.radius_i, in.alert});
}
inline std::optional<double> is_reversed(Inputs in, Outputs out, Tolerance const& held) {
  std::array const cases{in[0], in[0]};
  std::array answers{out[0], out[1]};
  if (answers[1].normal) *answers[1].normal = -*answers[1].normal;
  return Shared::equal(cases, answers, held);
}

/// Derives the case with a larger radius of disc i. The gap must decrease by the amount by which the radius grows.
inline void derive_grown(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const factor = random.uniform(1, 2);
  Case grown = in;
  grown.radius_i *= factor;
  if (!Contract::domain_error(grown)) inputs.push_back(grown);
}
inline std::optional<double> shrinks_by_growth(Inputs in, Outputs out, Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const growth = static_cast<long double>(in[1].radius_i) - in[0].radius_i,
                    change = static_cast<long double>(out[0].gap) - out[1].gap;
  return in_tolerances(std::fabs(growth - change), allowance<Contract>(held, in, out).gap);
}

/// Derives the case after a translation that does not round any coordinate.
inline void derive_moved(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case moved = in;
  for (Index k = 0; k < 2; ++k) {
    double const most = std::max(std::fabs(in.centre_i[k]), std::fabs(in.centre_j[k]));
    // Uses two statements, because the compiler may evaluate two draws of one expression in any order.
    int const power = static_cast<int>(random.integer(-2, 3));
    double const sign = random.sign(), shift = most > 0 ? sign * std::ldexp(1.0, std::ilogb(most) + power) : 0;
    if (!adds_exactly(in.centre_i[k], shift) || !adds_exactly(in.centre_j[k], shift)) continue;
    moved.centre_i[k] += shift;
    moved.centre_j[k] += shift;
  }
  if (moved.centre_i != in.centre_i && !Contract::domain_error(moved)) inputs.push_back(moved);
}

inline std::span<Law<Case, Answer> const> laws() {
  static Law<Case, Answer> const list[] = {
      {.name = "unit_normal",
       .doc = "the normal has length 1",
       .tolerance = "twice the budget of the normal",
       .uses = {"normal"},
       .violation = has_unit_length},
      {.name = "direction",
       .doc = "the normal points from j to i and is null only for equal centres",
       .tolerance = "twice the budget of the normal",
       .uses = {"normal"},
       .violation = points_to_i},
      {.name = "closing",
       .doc = "if a disc is moved by the gap along the normal, the discs touch",
       .tolerance = "the budget of the gap, plus six times that of the normal times the scale of the gap",
       .uses = {"gap", "normal"},
       .violation = gap_is_closed},
      {.name = "alert",
       .doc = "present is yes exactly if the gap is below the alert distance",
       .tolerance = "twice the budget of the gap",
       .uses = {"gap", "present"},
       .violation = present_is_the_gap},
      {.name = "swap",
       .doc = "an exchange of the discs reverses the normal and does not change the gap",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"gap", "normal"},
       .derive = derive_swapped,
       .violation = is_reversed},
      {.name = "growth",
       .doc = "the gap decreases by the growth of a radius",
       .tolerance = "both budgets",
       .uses = {"gap"},
       .derive = derive_grown,
       .violation = shrinks_by_growth},
      {.name = "translation",
       .doc = "an exact translation changes nothing",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .uses = {"gap", "normal"},
       .derive = derive_moved,
       .violation = Shared::equal},
      Shared::scaling(),
      Shared::axis_permutation(),
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::disc_disc_contact::properties
