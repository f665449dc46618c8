// Regimes and laws of the box test of two superquadrics.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/superquadric.hpp"
#include "reference/spec/superquadric_box_test.hpp"

#include <array>

namespace demeter::superquadric_box_test::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Body = Superquadric<double>;
using Point = Vector3<double>;
using Turn = Quaternion<double>;
using Wide = Vector3<long double>;

// --------------------------------------------------------------------------------------------------------- regimes

/// Returns the product of two quaternions with the components w, x, y, z.
inline Turn product(Turn const& p, Turn const& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// Returns a typical exponent. The answer of this kernel does not depend on exponents.
inline double exponent(Random& random) {
  return random.chance(0.3) ? static_cast<double>(random.integer(2, 20)) : 2 * random.log_uniform(0, 2);
}

/// Returns semi-axes of 10^low to 1.
inline Point semi_axes(Random& random, double low) {
  double const a = random.log_uniform(low, 0), b = random.log_uniform(low, 0), c = random.log_uniform(low, 0);
  return {a, b, c};
}

inline Body body(Random& random, Turn const& orientation, Point const& axes) {
  double const n1 = exponent(random), n2 = exponent(random);
  return {Point::Zero(), orientation, axes, n1, n2};
}

using superquadric::pairs::half_edge;

/// Returns the six half-edges of a pair: three of i and three of j.
template <class Scalar>
std::array<Vector3<Scalar>, 6> half_edges(Case const& in) {
  std::array<Vector3<Scalar>, 6> all;
  for (std::size_t m = 0; m < 6; ++m) all[m] = half_edge<Scalar>(m < 3 ? in.i : in.j, m % 3);
  return all;
}

/// Places j at `factor` times a point of the Minkowski sum of the boxes. This point is the sum of the half-edges, each
/// multiplied by a share from -1 to 1. If some shares are exactly 1 or -1, the point may be on a facet, an edge or a
/// corner of the sum of the boxes.
inline Case placed(Case in, Random& random, double factor) {
  double const at_corner = random.unit();
  auto const edges = half_edges<double>(in);
  Point d = Point::Zero();
  for (Point const& edge : edges) {
    double const share = random.chance(at_corner) ? random.sign() : random.uniform(-1, 1);
    for (Index k = 0; k < 3; ++k) d[k] += share * edge[k];
  }
  for (Index k = 0; k < 3; ++k) in.j.position[k] = in.i.position[k] + factor * d[k];
  return in;
}
/// Places j. In most cases, the distance is near the distance at which the boxes touch.
inline Case placed(Case const& in, Random& random) {
  double const kind = random.unit();
  double const factor = kind < 0.4   ? random.uniform(0.8, 1.6)
                        : kind < 0.7 ? 1 + signed_log_uniform(random, -16, -2)
                        : kind < 0.9 ? random.log_uniform(-2, 0.5)
                                     : random.log_uniform(0, 3);
  return placed(in, random, factor);
}

inline Case draw_typical(Random& random) {
  Turn const p = unit_quaternion(random), q = unit_quaternion(random);
  Point const a = semi_axes(random, -1), b = semi_axes(random, -1);
  Body const i = body(random, p, a), j = body(random, q, b);
  return placed({i, j}, random);
}

inline Case draw_far(Random& random) {
  Case in = draw_typical(random);
  double const distance = random.log_uniform(0.5, 3);
  in.j.position = distance * unit_direction(random);
  return in;
}

/// Returns a rotation after which edges are parallel. It maps axes onto axes. In half of the cases, a rotation about
/// one of the axes follows.
inline Turn parallel_turn(Random& random) {
  Turn const on_axes = axis_rotation(random);
  if (random.chance(0.5)) return of_length_1(on_axes);
  Turn about{random.uniform(-1, 1), 0, 0, 0};
  about[static_cast<Index>(random.integer(1, 3))] = random.uniform(-1, 1);
  Turn const both = product(on_axes, about);
  return of_length_1(both);
}

inline Case pair_with_turn(Random& random, Turn const& relative, double low) {
  Turn const p = unit_quaternion(random), q = product(p, relative);
  Point const a = semi_axes(random, low), b = semi_axes(random, low);
  Body const i = body(random, p, a), j = body(random, of_length_1(q), b);
  return placed({i, j}, random);
}

inline Case draw_near_parallel(Random& random) {
  Turn relative = parallel_turn(random);
  double const tilt = random.log_uniform(-17, -1);
  relative += tilt * unit_quaternion(random);
  return pair_with_turn(random, relative, -1);
}

/// Draws parallel boxes. They are parallel up to rounding. If both orientations are equal, they are exactly parallel.
inline Case draw_parallel(Random& random) {
  Case in = pair_with_turn(random, parallel_turn(random), -1);
  if (random.chance(0.4)) in.j.orientation = random.chance(0.5) ? in.i.orientation : Turn(-in.i.orientation);
  return placed(in, random);
}

/// Draws quaternions with few bits. Their length is usually not 1. Parallel edges are then exactly parallel, and equal
/// values are exactly equal.
inline Case draw_lattice(Random& random) {
  auto const digits = [&random] {
    Turn q;
    do {
      for (double& each : q) each = static_cast<double>(random.integer(-2, 2));
    } while (q.isZero());
    return q;
  };
  auto const axes = [&random] {
    Point x;
    for (double& each : x) each = static_cast<double>(random.integer(1, 4));
    return x;
  };
  Turn const p = digits(), q = random.chance(0.5) ? product(p, axis_rotation(random)) : digits();
  Point const a = axes(), b = axes();
  Body const i = body(random, p, a);
  Body j = body(random, q, b);
  for (double& each : j.position) each = static_cast<double>(random.integer(-6, 6));
  return {i, j};
}

/// Draws boxes along the axes of the frame. The facets of the sum of the boxes have whole numbers as coordinates.
inline Case draw_axis_aligned(Random& random) {
  Case in = draw_lattice(random);
  in.i.orientation = of_length_1(axis_rotation(random));
  in.j.orientation = of_length_1(axis_rotation(random));
  return in;
}

inline Case draw_equal_centres(Random& random) {
  Case in = random.chance(0.5) ? draw_typical(random) : draw_near_parallel(random);
  in.j.position = in.i.position;
  if (random.chance(0.5)) {
    double const distance = random.log_uniform(-17, -3);
    in.j.position += distance * unit_direction(random);
  }
  return in;
}

inline Case draw_cubes(Random& random) {
  double const ratio = random.chance(0.5) ? 1 : random.log_uniform(-1, 0);
  Turn relative = unit_quaternion(random);
  if (random.chance(0.5)) {
    relative = parallel_turn(random);
    double const tilt = random.log_uniform(-17, -1);
    relative += tilt * unit_quaternion(random);
  }
  Case in = pair_with_turn(random, relative, -1);
  in.i.semi_axes.setConstant(1);
  in.j.semi_axes.setConstant(ratio);
  return placed(in, random);
}

/// Draws long or flat boxes (rods, plates and strips). Some of them are nearly parallel.
inline Case elongated(Random& random, double low, double high) {
  Turn relative = unit_quaternion(random);
  if (random.chance(0.3)) {
    relative = parallel_turn(random);
    double const tilt = random.log_uniform(-12, -1);
    relative += tilt * unit_quaternion(random);
  }
  Case in = pair_with_turn(random, relative, -0.5);
  for (Body* of : {&in.i, &in.j})
    for (double& axis : of->semi_axes)
      if (random.chance(0.5)) axis *= random.log_uniform(low, high);
  return placed(in, random);
}
inline Case draw_elongated(Random& random) { return elongated(random, -1.7, -0.5); }
inline Case draw_needles(Random& random) { return elongated(random, -5, -1.7); }

inline Case draw_unequal(Random& random) {
  Case in = draw_typical(random);
  double const ratio = random.log_uniform(-9, -1);
  Body& smaller = random.chance(0.5) ? in.i : in.j;
  smaller.semi_axes *= ratio;
  return placed(in, random);
}

/// Draws bodies of size 1 at any distance from each other: sigma_box is 1e-20 to 1e20.
inline Case draw_any_distance(Random& random) {
  Case in = draw_typical(random);
  double const distance = random.log_uniform(-20, 20);
  in.j.position = distance * unit_direction(random);
  return in;
}

inline Case draw_odd_quaternions(Random& random) {
  Case in = draw_typical(random);
  for (Body* of : {&in.i, &in.j}) of->orientation *= quaternion_length(random);
  return in;
}
inline Case draw_range_of_quaternion(Random& random) {
  Case in = random.chance(0.5) ? draw_odd_quaternions(random) : draw_near_parallel(random);
  for (Body* of : {&in.i, &in.j}) {
    auto const power = static_cast<int>(random.integer(-1000, 1000));
    for (double& each : of->orientation) each = std::ldexp(each, power);
  }
  return in;
}

/// Draws quaternions in which each component has its own magnitude.
inline Case draw_sparse_quaternions(Random& random) {
  Case in = draw_typical(random);
  for (Body* of : {&in.i, &in.j}) {
    for (double& each : of->orientation) each = random.chance(0.2) ? 0 : signed_log_uniform(random, -20, 0);
    if (of->orientation.isZero()) of->orientation[3] = 1;
  }
  return placed(in, random);
}

inline Case draw_global_scale(Random& random) {
  Case const in = random.chance(0.5) ? draw_typical(random) : draw_near_parallel(random);
  return scaled_by(in, std::ldexp(1.0, static_cast<int>(random.integer(-960, 1000))));
}

/// Draws one magnitude for the bodies and another magnitude for the distance. Both are from 1e-150 to 1e150.
inline Case draw_mixed_scale(Random& random) {
  Case in = draw_typical(random);
  double const bodies = random.log_uniform(-150, 150), distance = random.log_uniform(-150, 150);
  in.i.semi_axes *= bodies;
  in.j.semi_axes *= bodies;
  in.j.position = distance * unit_direction(random);
  return in;
}

/// Draws subnormal numbers, but not for semi-axes: the fast form is not accurate enough for such flat bodies.
inline Case draw_subnormals(Random& random) {
  Case const in = draw_typical(random);
  Case changed = with_subnormals<Contract>(in, random);
  changed.i.semi_axes = in.i.semi_axes;
  changed.j.semi_axes = in.j.semi_axes;
  return changed;
}

// The list of regimes. Everyday and degenerate cases are `sized`, or `sized_exactly` if they are built of numbers with
// few bits.

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "aspect ratio up to 10, any orientation, mostly near contact, d also at a face, an edge or a corner of the "
       "sum of the boxes; sizes of 10 um to 10 m",
       sized<draw_typical>},
      {"far", Profile::everyday, "as typical, 3 to 1000 sizes apart", sized<draw_far>},
      {"elongated", Profile::everyday, "rods, plates and laths with an aspect ratio of up to 50",
       sized<draw_elongated>},
      {"near_parallel", Profile::degenerate, "edges parallel up to 1e-17 to 0.1, in any order of the axes",
       sized<draw_near_parallel>},
      {"parallel", Profile::degenerate, "edges parallel up to rounding, or equal orientations", sized<draw_parallel>},
      {"axis_aligned", Profile::degenerate, "aligned with the frame up to rounding; integer semi-axes and distances",
       sized_exactly<draw_axis_aligned>},
      {"equal_centres", Profile::degenerate, "centres equal, or 1e-17 to 1e-3 apart", sized<draw_equal_centres>},
      {"cubes", Profile::degenerate, "two cubes, nearly parallel or not", sized<draw_cubes>},
      {"needles", Profile::extreme, "aspect ratios of 50 to 3e5, some nearly parallel", draw_needles},
      {"unequal", Profile::extreme, "one body 10 to 1e9 times as large as the other", draw_unequal},
      {"lattice", Profile::extreme, "small integers: exactly parallel edges, and ties", draw_lattice},
      {"any_distance", Profile::extreme, "bodies of size 1 with distances of 1e-20 to 1e20", draw_any_distance},
      {"odd_quaternions", Profile::degenerate, "quaternions with lengths of 0.01 to 100, or nearly 1",
       sized<draw_odd_quaternions>},
      {"sparse_quaternions", Profile::extreme, "components of quaternions of 1e-20 to 1, or 0",
       draw_sparse_quaternions},
      {"global_scale", Profile::extreme, "lengths times 2^-960 to 2^1000: any unit of length", draw_global_scale},
      {"mixed_scale", Profile::extreme, "bodies and distances each of 1e-150 to 1e150", draw_mixed_scale},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, sized_exactly<draw_axis_aligned>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary coordinates and components of quaternions",
       draw_subnormals},
      {"range_of_quaternion", Profile::extreme, "quaternions times 2^-1000 to 2^1000", draw_range_of_quaternion},
      {"just_separated", Profile::degenerate,
       "ellipsoids that touch, exactly or up to 1e-15 to 1e-3 of their distance; their boxes may overlap",
       sized<superquadric::pairs::draw_just_separated<Case>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline Wide between(Case const& in) { return wide(in.j.position) - wide(in.i.position); }
/// Return the radius of a ball inside the sum of the boxes, and the radius of a ball around the sum.
inline long double inner_radius(Case const& in) {
  return static_cast<long double>(in.i.semi_axes.minCoeff()) + in.j.semi_axes.minCoeff();
}
inline long double outer_radius(Case const& in) { return wide(in.i.semi_axes).norm() + wide(in.j.semi_axes).norm(); }

/// Returns how laws judge answers that are not finite. They are wrong unless sigma_box may overflow. sigma_box is at
/// most the distance divided by the inner radius.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  return unusable_unless(inputs, outputs,
                         [](Case const& in) { return between(in).norm() / inner_radius(in) > largest_double / 2; });
}

inline long double sigma(Answer const& out) { return out.sigma_box; }

/// Returns the sum of the allowed errors of both answers.
inline long double both(Tolerance const& held, std::span<Case const> in, std::span<Answer const> out) {
  return allowance<Contract>(held, in, out).sigma_box;
}

/// Checks that the last answer is `factor` times the answer before it. `rounding` is the rounding error of the derived
/// case.
inline std::optional<double> proportional(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held,
                                          long double factor, long double rounding) {
  in = in.last(2), out = out.last(2);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const first = allowance<Contract>(held, in[0], out[0]).sigma_box,
                    second = allowance<Contract>(held, in[1], out[1]).sigma_box;
  return in_tolerances(std::fabs(sigma(out[1]) - factor * sigma(out[0])), factor * first + second + rounding);
}

inline std::optional<double> same(std::span<Case const> in, std::span<Answer const> out, Tolerance const& held) {
  return proportional(in, out, held, 1, 0);
}

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) { inputs.push_back({in.j, in.i}); }

inline void derive_exponents(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case other = in;
  other.i.n1 = exponent(random);
  other.i.n2 = exponent(random);
  other.j.n1 = exponent(random);
  other.j.n2 = exponent(random);
  inputs.push_back(other);
}

inline void derive_negative(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case negative = in;
  for (double& each : (random.chance(0.5) ? negative.i : negative.j).orientation) each = -each;
  inputs.push_back(negative);
}

inline void derive_quaternion_scaling(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case scaled = in;
  Turn& q = (random.chance(0.5) ? scaled.i : scaled.j).orientation;
  auto const longer = lengthened(q, random);
  if (!longer) return;
  q = *longer;
  inputs.push_back(scaled);
}

/// Derives the case after half a turn of a body about one of its own axes. The product of the quaternion with i, j or k
/// only exchanges components and changes signs, so that nothing is rounded.
inline void derive_half_turn(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case turned = in;
  Turn& q = (random.chance(0.5) ? turned.i : turned.j).orientation;
  Turn about = Turn::Zero();
  about[static_cast<Index>(random.integer(1, 3))] = 1;
  q = product(q, about);
  inputs.push_back(turned);
}

inline bool products_fit(Turn const& q) {
  double const greatest = q.cwiseAbs().maxCoeff();
  return greatest < 0x1p1000 && greatest > 0x1p-900;
}

/// Derives two cases: the case with i at the origin, and this case in a rotated frame. The rotation maps axes onto axes
/// and does not round positions.
inline void derive_frame(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (!products_fit(in.i.orientation) || !products_fit(in.j.orientation)) return;
  Case from = in;
  from.i.position.setZero();
  from.j.position = in.j.position - in.i.position;
  if (!from.j.position.allFinite()) return;
  Case turned = from;
  Turn const frame = axis_rotation(random);
  Matrix3<long double> const image =
      matrix_of(frame.cast<long double>()) / static_cast<long double>(frame.squaredNorm());
  turned.j.position = (image * wide(from.j.position)).cast<double>();  // exchanges coordinates and signs
  for (Body* of : {&turned.i, &turned.j}) of->orientation = product(frame, of->orientation) / frame.norm();
  inputs.push_back(from);
  inputs.push_back(turned);
}
/// Checks that sigma_box does not depend on the frame. If a body rotates by a small angle, its extent grows by at most
/// the angle times the outer radius. The sum of the boxes contains a ball of the inner radius. Therefore the relative
/// change of sigma_box is at most the angle times the outer radius, divided by the inner radius.
inline std::optional<double> frame_is_free(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  // A component of a rotated quaternion has up to four roundings. Each rounding is at most u times the sum of all
  // components of q, which is at most 2 |q|. The angle of each body is therefore wrong by at most 26 roundings.
  long double const turned = roundings(26) * outer_radius(in[0]) / inner_radius(in[0]);
  return proportional(in, out, held, 1, turned * sigma(out[2]));
}

/// Returns the factor for the distance: a whole number from 2 to 9 or its reciprocal. The factor depends only on the
/// case, so that `violation` can compute it again.
inline double stretch_of(Case const& in) {
  Random random = chosen_by(in);
  double const digits = static_cast<double>(random.integer(2, 9));
  return random.chance(0.5) ? digits : 1 / digits;
}
inline void derive_stretch(Case const& in, Random&, std::vector<Case>& inputs) {
  Case from = in;
  from.i.position.setZero();
  from.j.position = in.j.position - in.i.position;
  Case stretched = from;
  stretched.j.position *= stretch_of(in);
  if (!stretched.j.position.allFinite() || !from.j.position.allFinite()) return;
  inputs.push_back(from);
  inputs.push_back(stretched);
}
inline std::optional<double> linear_in_distance(std::span<Case const> in, std::span<Answer const> out,
                                                Tolerance const& held) {
  long double const factor = stretch_of(in[0]);
  // The roundings of the coordinates: relative to the distance, or absolute below the normal range.
  long double const rounded = (roundings(2) * between(in[2]).norm() + 4 * half_least) / inner_radius(in[0]);
  return proportional(in, out, held, factor, rounded);
}

inline void derive_growth(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case grown = in;
  double const factor = 1 + random.log_uniform(-15, 0);
  (random.chance(0.5) ? grown.i : grown.j).semi_axes[static_cast<Index>(random.integer(0, 2))] *= factor;
  if (!Contract::domain_error(grown)) inputs.push_back(grown);
}
inline std::optional<double> not_larger_when_grown(std::span<Case const> in, std::span<Answer const> out,
                                                   Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  return in_tolerances(sigma(out[1]) - sigma(out[0]), both(held, in, out));
}

/// Checks that sigma_box is between its values for the ball around and for the ball inside the sum of the boxes.
inline std::optional<double> between_balls(std::span<Case const> in, std::span<Answer const> out,
                                           Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const distance = between(in[0]).norm(), least = distance / outer_radius(in[0]),
                    most = distance / inner_radius(in[0]);
  return in_tolerances(std::max(least - sigma(out[0]), sigma(out[0]) - most),
                       allowance<Contract>(held, "sigma_box", most));
}

inline std::optional<double> label_agrees(std::span<Case const> in, std::span<Answer const> out,
                                          Tolerance const& held) {
  if (auto const bad = unusable(in.first(1), out.first(1)); bad.decided) return bad.verdict;
  if (!held.to_the_bit && std::fabs(sigma(out[0]) - 1) <= allowance<Contract>(held, in[0], out[0]).sigma_box) return 0;
  return (sigma(out[0]) > 1) == (out[0].separated == Separated::yes) ? 0 : infinite;
}

/// Quadruple precision (113 bits), for facets between two nearly parallel edges.
__extension__ typedef __float128 Quad;

/// Derives a case in which the centre of j is on a facet of the Minkowski sum of the boxes. Two half-edges span the
/// facet and have random shares. The other half-edges have the share 1 or -1, or 0 if they are nearly perpendicular to
/// the normal. In most cases, the two half-edges belong to different bodies. If they are parallel up to 1e-12, no case
/// is derived.
inline void derive_facet(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (!products_fit(in.i.orientation) || !products_fit(in.j.orientation)) return;
  using Edge = std::array<Quad, 3>;
  std::array<Edge, 6> edges;
  std::array<Quad, 6> length;
  auto const dot = [](Edge const& x, Edge const& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
  auto const of_case = half_edges<Quad>(in);
  for (std::size_t m = 0; m < 6; ++m) {
    edges[m] = {of_case[m][0], of_case[m][1], of_case[m][2]};
    length[m] = std::sqrt(static_cast<long double>(dot(edges[m], edges[m])));
  }
  bool const of_both = random.chance(0.7);
  auto const g = static_cast<std::size_t>(random.integer(0, of_both ? 2 : 5));
  std::size_t const h = of_both ? static_cast<std::size_t>(random.integer(3, 5))
                                : (g + static_cast<std::size_t>(random.integer(1, 5))) % 6;
  Edge normal;
  for (std::size_t k = 0; k < 3; ++k) {
    std::size_t const k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    normal[k] = (edges[g][k1] * edges[h][k2] - edges[g][k2] * edges[h][k1]) / (length[g] * length[h]);
  }
  long double const sine = std::sqrt(static_cast<long double>(dot(normal, normal)));
  if (!(sine > 1e-12L)) return;
  Edge d{0, 0, 0};
  for (std::size_t m = 0; m < 6; ++m) {
    Quad const along = dot(normal, edges[m]), share = random.uniform(-1, 1);
    bool const at_end = m != g && m != h, beside = (along < 0 ? -along : along) <= 0x1p-54 * sine * length[m];
    for (std::size_t k = 0; k < 3; ++k)
      if (!at_end)
        d[k] += share * edges[m][k];
      else if (!beside)
        d[k] += along < 0 ? -edges[m][k] : edges[m][k];
  }
  Case at = in;
  at.i.position.setZero();
  for (std::size_t k = 0; k < 3; ++k) at.j.position[static_cast<Index>(k)] = static_cast<double>(d[k]);
  inputs.push_back(at);
}
/// Checks that sigma_box is 1 on a facet. d is rounded once. `derive_facet` omits half-edges that are nearly
/// perpendicular to the normal: their component along the normal is less than half a rounding. The errors of the other
/// half-edges are much smaller.
inline std::optional<double> touching_at_facet(std::span<Case const> in, std::span<Answer const> out,
                                               Tolerance const& held) {
  in = in.last(1), out = out.last(1);
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const rounding = roundings(2) * outer_radius(in[0]) / inner_radius(in[0]);  // one of d, one of the normal
  return in_tolerances(std::fabs(sigma(out[0]) - 1), allowance<Contract>(held, in[0], out[0]).sigma_box + rounding);
}

/// Derives the case after a translation of j by 1e-15 to 1 times the largest semi-axis.
inline void derive_motion(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case moved = in;
  double const size = std::max(in.i.semi_axes.maxCoeff(), in.j.semi_axes.maxCoeff());
  double const step = size * random.log_uniform(-15, 0);
  moved.j.position += step * unit_direction(random);
  if (moved.j.position.allFinite()) inputs.push_back(moved);
}
inline std::optional<double> follows_motion(std::span<Case const> in, std::span<Answer const> out,
                                            Tolerance const& held) {
  if (auto const bad = unusable(in, out); bad.decided) return bad.verdict;
  long double const bound = (wide(in[1].j.position) - wide(in[0].j.position)).norm() / inner_radius(in[0]);
  return in_tolerances(std::fabs(sigma(out[1]) - sigma(out[0])) - (1 + 0x1p-60L) * bound, both(held, in, out));
}

struct Invariant {
  using Contract = superquadric_box_test::Contract;
  // The label is not compared: near its limit either value is right.
  static std::vector<std::string_view> outputs() { return {"sigma_box"}; }
  static constexpr auto unusable = properties::unusable;
  /// Returns the magnitude of sigma_box: the upper bound that follows from the inner ball.
  static Output<long double> sizes(Case const& in) { return {between(in).norm() / inner_radius(in), Separated::no}; }
  /// Returns whether all semi-axes are far from the subnormal range. In this range, products have few bits. The fast
  /// form replaces an axis below 2^-400 of the largest axis by 2^-400 of the largest axis.
  static bool stays_normal(Case const& in) {
    for (Body const* of : {&in.i, &in.j})
      for (double const each : of->semi_axes)
        if (each < 0x1p-960) return false;
    return true;
  }
  /// Returns whether the kernel has this symmetry. Only mirrors and half turns are symmetries. A body's own axes must
  /// keep their order, because the exponents distinguish them.
  static bool turns(Case const&, CubeMotion const& motion) { return motion.from == std::array<Index, 3>{0, 1, 2}; }
};
using Shared = Invariances<Invariant>;

using Rule = Law<Case, Answer>;

inline std::vector<Rule> about_the_bodies() {
  return {
      {.name = "swap",
       .doc = "an exchange of the bodies changes nothing",
       .tolerance = "both budgets",
       .uses = {"sigma_box"},
       .derive = derive_swap,
       .violation = same},
      {.name = "exponents",
       .doc = "the exponents do not change any bit of the answer",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = {"sigma_box"},
       .derive = derive_exponents,
       .violation = Shared::equal},
      {.name = "sign",
       .doc = "q and -q give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = {"sigma_box"},
       .derive = derive_negative,
       .violation = Shared::equal},
      {.name = "quaternion_scaling",
       .doc = "q and 2^k q give the same bits",
       .tolerance = "0 with tolerance strict, otherwise both budgets",
       .compares = {"sigma_box"},
       .derive = derive_quaternion_scaling,
       .violation = Shared::equal},
      {.name = "half_turn",
       .doc = "half a turn of a body about one of its axes changes nothing",
       .tolerance = "both budgets",
       .uses = {"sigma_box"},
       .derive = derive_half_turn,
       .violation = same},
      {.name = "growth",
       .doc = "sigma_box does not increase if a semi-axis grows",
       .tolerance = "both budgets",
       .uses = {"sigma_box"},
       .derive = derive_growth,
       .violation = not_larger_when_grown},
  };
}

inline std::vector<Rule> about_the_sum() {
  return {
      {.name = "balls",
       .doc =
           "sigma_box is between the distance over the sum of the boxes' half-diagonals and over that of their least "
           "semi-axes",
       .tolerance = "its budget",
       .uses = {"sigma_box"},
       .violation = between_balls},
      {.name = "label",
       .doc = "separated is yes exactly if sigma_box > 1",
       .tolerance = "0 with tolerance strict, otherwise its budget",
       .uses = {"sigma_box", "separated"},
       .violation = label_agrees},
      {.name = "facet",
       .doc = "if d is on a face of the sum of the boxes, sigma_box is 1",
       .tolerance = "its budget + the rounding of d",
       .uses = {"sigma_box"},
       .derive = derive_facet,
       .violation = touching_at_facet},
      {.name = "linear",
       .doc = "s times d multiplies sigma_box by s",
       .tolerance = "both budgets + the rounding of d",
       .uses = {"sigma_box"},
       .derive = derive_stretch,
       .violation = linear_in_distance},
      {.name = "motion",
       .doc = "sigma_box changes by at most the motion of a centre over the sum of the least semi-axes",
       .tolerance = "both budgets + the motion",
       .uses = {"sigma_box"},
       .derive = derive_motion,
       .violation = follows_motion},
  };
}

inline std::vector<Rule> motions() {
  return {
      {.name = "frame",
       .doc = "a rotation of the frame that maps axes to axes changes nothing",
       .tolerance = "both budgets + the rounding of the quaternions",
       .uses = {"sigma_box"},
       .derive = derive_frame,
       .violation = frame_is_free},
      Shared::translation(),
      Shared::axis_permutation(),
      Shared::scaling(),
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({about_the_bodies(), about_the_sum(), motions()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_box_test::properties
