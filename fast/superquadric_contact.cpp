#include "fast/superquadric_contact.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"
#include "fast/family/superquadric/wide.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/superquadric/touch.hpp"

namespace demeter::superquadric_contact::fast {
/// Answers one row by the form for one double. Used for a lane whose search has not ended after `patience` evaluations.
void finish_row(double const* const in[], double* const out[]);
/// Answers one row in long double, from a start point relative to the centre of i. Used for a lane whose search ended
/// at a point that is not accurate enough.
void settle_row(double const* const in[], double const point[3], double* const out[]);
}  // namespace demeter::superquadric_contact::fast

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric_contact::fast::HWY_NAMESPACE {

using namespace demeter::superquadric::fast::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp. Every decision is a select. Each lane then follows the same path and ends at the same point as
// the form for one double.

template <class Number>
struct Pair {
  Record<Number> i, j;
  Number has_previous;
  Triple<Number> previous;
};

template <class Number>
struct Contact {
  Number sigma;
  Triple<Number> point;
  Number has_normal;
  Triple<Number> normal;
  Number has_b, b, has_n, n, has_phi, phi, status;
};

template <class Number>
HWY_INLINE Scaled<Number> scaled(Pair<Number> const& in) {
  Scaled<Number> of;
  of.of_bodies = power_of_two(maximum(largest(in.i.semi_axes), largest(in.j.semi_axes)));
  Twice<Number> d;
  difference(in.j.position, in.i.position, d);
  of.of_distance = power_of_two(largest(d.high));
  auto const shrink = inverse(of.of_bodies);
  auto const closer = inverse(of.of_distance);
  of.d.high = closer * d.high;
  of.d.low = closer * d.low;
  place(in.i, shrink, of.i);
  place(in.j, shrink, of.j);
  return of;
}

/// Returns a search that starts at the previous point or, without a previous point, between the centres.
template <class Number>
HWY_INLINE Search<Number> started(Pair<Number> const& in, Scaled<Number> const& pair) {
  auto const has_previous = in.has_previous != 0.0;
  Triple<Number> start = inverse(pair.of_distance) * (in.previous - in.i.position);
  if (!all(has_previous)) start = select(has_previous, start, between_centres(pair));
  return begun(pair, start);
}

/// The distance t from x, a point inside the body, to the surface along a unit vector. Newton's method starts at the
/// root of the tangent. This start is outside the body because the gauge is convex, and every step decreases t.
template <class Number>
struct Exit {
  Triple<Number> x, direction;
  Number t;
};
template <class Number>
HWY_INLINE void refine(Placed<Number> const& body, Exit<Number>& exit, Mask<Number>& going) {
  Triple<Number> const at = fma(exit.t, exit.direction, exit.x);
  Number N;
  Triple<Number> g;
  value_and_gradient(body, at, N, g);
  auto const change = (N - 1.0) / dot(g, exit.direction);
  exit.t = select(going, exit.t - change, exit.t);
  // Convergence is quadratic: the next change would be the square of this one.
  going = both(going, 0x1p-27 * exit.t < change);
}

/// Returns the outputs for the point that the search found. `found_here` is true if the search in double ended at `at`.
/// It is false after a search in long double: the gauges of `at` then belong to a point that is not a double.
template <class Number>
HWY_INLINE Contact<Number> answer(Pair<Number> const& in, Scaled<Number> const& pair, Meeting<Number> const& at,
                                  bool found_here) {
  Contact<Number> out;
  auto const one = set<Number>(1.0);
  auto const zero = set<Number>(0.0);
  auto const there = largest(pair.d.high) != 0.0;

  // Computes the gauges again. The point in the frame of each body is computed in double-double, because rounded
  // products alone would have an error of the aspect ratio times u.
  Twice<Number> from_i, from_j;
  from_i.high = at.x;
  from_i.low = zero * at.x;
  minus(at.x, pair.d, from_j);
  auto const Ni = found_here ? corrected_gauge(pair.i, from_i, at.x, at.Ni, at.gi) : exact_gauge(pair.i, from_i);
  auto const Nj =
      found_here ? corrected_gauge(pair.j, from_j, at.x - pair.d.high, at.Nj, at.gj) : exact_gauge(pair.j, from_j);
  auto const both_weights = at.weight_i + at.weight_j;
  // This combination is stationary at the solution. An error of x therefore changes it only to second order.
  auto const relative = fma(at.weight_j / both_weights, Ni, (at.weight_i / both_weights) * Nj);
  auto const factor = pair.of_distance * inverse(pair.of_bodies);
  auto const sigma = relative * factor;

  Triple<Number> const across = subtract_product((1.0 / at.weight_j) * at.gj, 1.0 / at.weight_i, at.gi);
  Triple<Number> const normal = (1.0 / length(across)) * across;
  auto const height_i = 1.0 / at.weight_i;
  auto const height_j = 1.0 / at.weight_j;

  out.sigma = zero_unless(there, sigma);
  out.point = select(there, fma(pair.of_distance, at.x, in.i.position), in.i.position);
  out.has_normal = out.has_b = out.has_n = out.has_phi = zero_unless(there, one);
  // Columns of null members contain 0.
  out.normal = {zero_unless(there, normal.x), zero_unless(there, normal.y), zero_unless(there, normal.z)};
  out.n = zero_unless(there, pair.of_bodies * ((1.0 - sigma) * (height_i + height_j)));
  auto const depth = [&](Number n) HWY_ATTR { return (1.0 / power(sigma, n - 1.0) - sigma) / n; };
  out.phi = zero_unless(there, pair.of_bodies * (depth(in.i.n1) * height_i + depth(in.j.n1) * height_j));

  auto const inside = both(there, sigma < 1.0);
  Exit<Number> exit_i, exit_j;
  exit_i.x = factor * at.x;
  exit_j.x = factor * from_j.high;
  exit_i.direction = (0.0 - one) * normal;
  exit_j.direction = normal;
  exit_i.t = (1.0 - sigma) * height_i;
  exit_j.t = (1.0 - sigma) * height_j;
  auto going_i = inside, going_j = inside;
  for (int k = 0; k < 100 && !none(either(going_i, going_j)); ++k) {
    refine(pair.i, exit_i, going_i);
    refine(pair.j, exit_j, going_j);
  }
  out.b = zero_unless(inside, pair.of_bodies * maximum(exit_i.t + exit_j.t, zero));

  auto apart = sigma < 0.0;  // false in every lane; the boxes decide only where sigma >= 1
  if (!none(no(sigma < 1.0))) apart = 1.0 < growth_of_boxes(pair.i, pair.j, pair.d) * factor;
  constexpr double far = 0, close = 1, intersect = 2, concentric = 3;
  out.status =
      select(there, select(sigma < 1.0, set<Number>(intersect), select(apart, set<Number>(far), set<Number>(close))),
             set<Number>(concentric));
  return out;
}

#if HWY_ONCE

HWY_INLINE void answer_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    auto const pair = load_columns<double, Pair>(in, row);
    Scaled<double> const of = scaled(pair);
    Search<double> s = started(pair, of);
    for (int k = 0; k < most_evaluations && !s.done; ++k) advance(of, s);
    bool const enough = largest(of.d.high) == 0 || s.at.residual < Limits<double>::enough;
    if (!enough) search_wide(of, s.at);
    store_columns(answer(pair, of, s.at, enough), out, row);
  }
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<answer_rows>(n, in, out);
}

HWY_INLINE void settle_point(double const* const* in, double* const* out, double const* point) {
  auto const pair = load_columns<double, Pair>(in, 0);
  Scaled<double> const of = scaled(pair);
  Meeting<double> at;
  at.x = {point[0], point[1], point[2]};
  search_wide(of, at);
  store_columns(answer(pair, of, at, false), out, 0);
}

#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::size_t columns_in = 28, columns_out = 15;

// All lanes wait for the slowest lane. After this number of evaluations, unfinished lanes are therefore left to the
// form for one double. A lane that ended but needs long double continues from its point.
constexpr int patience = 48;

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  auto const solve_rows = [](Columns<columns_in, columns_out> const& columns, std::size_t rows) HWY_ATTR {
    double const* from[columns_in];
    double* to[columns_out];
    for (std::size_t k = 0; k < columns_in; ++k) from[k] = columns.in(k);
    for (std::size_t k = 0; k < columns_out; ++k) to[k] = columns.out(k);
    for (std::size_t row = 0; row < rows; row += width) {
      auto const pair = load_columns<Register, Pair>(from, row);
      Scaled<Register> const of = scaled(pair);
      Search<Register> s = started(pair, of);
      for (int k = 0; k < patience && !all(s.done); ++k) advance(of, s);
      store_columns(answer(pair, of, s.at, true), to, row);
      auto const settled = both(s.done, either(s.at.residual < Limits<Register>::enough, largest(of.d.high) == 0.0));
      if (all(settled)) continue;
      std::size_t const ended = bits_of(s.done), good = bits_of(settled);
      double x[width], y[width], z[width];
      store(s.at.x.x, x);
      store(s.at.x.y, y);
      store(s.at.x.z, z);
      for (std::size_t lane = 0; lane < width; ++lane) {
        if ((good >> lane & 1) != 0) continue;
        double const* single_in[columns_in];
        double* single_out[columns_out];
        for (std::size_t k = 0; k < columns_in; ++k) single_in[k] = from[k] + row + lane;
        for (std::size_t k = 0; k < columns_out; ++k) single_out[k] = to[k] == nullptr ? nullptr : to[k] + row + lane;
        double const point[3] = {x[lane], y[lane], z[lane]};
        if ((ended >> lane & 1) != 0)
          settle_row(single_in, point, single_out);
        else
          finish_row(single_in, single_out);
      }
    }
  };
  for_whole_vectors<columns_in, columns_out>(n, in, out, n, solve_rows);
}

#endif

}  // namespace demeter::superquadric_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::superquadric_contact::fast {

void finish_row(double const* const in[], double* const out[]) { HWY_NAMESPACE::evaluate_rows(1, in, out); }
void settle_row(double const* const in[], double const point[3], double* const out[]) {
  fast_core::call_fused<HWY_NAMESPACE::settle_point>(in, out, point);
}

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::superquadric_contact::fast

#endif
