// Oracle of superquadric_box_test: the gauge of a zonotope, in exact integers.
//
// Let d be the vector between the centres. Two boxes scaled by s touch if d is on the surface of s times the Minkowski
// sum of the boxes. This sum is the zonotope of six generators, the half-edges of both boxes. Two generators span each
// facet, so the gauge of d is the largest |det(g, h, d)| / sum of |det(g, h, generator)| over the 15 pairs g, h that
// are not parallel. On a common grid of each quaternion, the directions of the half-edges times |q|^2 are integers.
// Only the last division is rounded.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/superquadric_box_test.hpp"

#include <array>

namespace demeter::superquadric_box_test::oracle {

namespace exact {

using Direction = std::array<BigInteger, 3>;

template <class Numbers>
CommonGrid grid_of(Numbers const& numbers) {
  CommonGrid grid;
  for (double const each : numbers) grid.add(each);
  return grid;
}

/// The rotated axes of a body in integers, multiplied by `square`. `square` is |q|^2 in units of the quaternion's grid.
struct Edges {
  std::array<Direction, 3> along;
  BigInteger square;
};

/// Returns Hamilton's q e q* for each axis e. The scalar part of q e is -v_k, the vector part is w e + v x e.
inline Edges edges(Quaternion<double> const& orientation) {
  int const exponent = grid_of(orientation).exponent();
  BigInteger const w = on_grid<BigInteger>(orientation[0], exponent);
  Direction v;
  for (std::size_t k = 0; k < 3; ++k) v[k] = on_grid<BigInteger>(orientation[static_cast<Index>(k) + 1], exponent);
  Edges result;
  result.square = w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  for (std::size_t k = 0; k < 3; ++k) {
    Direction part;
    std::size_t const next = (k + 1) % 3, last = (k + 2) % 3;
    part[k] = w;
    part[next] = v[last];
    part[last] = -v[next];
    // (-v_k, part) times (w, -v) has the vector part v_k v + w part + v x part.
    for (std::size_t m = 0; m < 3; ++m) {
      std::size_t const m1 = (m + 1) % 3, m2 = (m + 2) % 3;
      result.along[k][m] = v[k] * v[m] + w * part[m] + v[m1] * part[m2] - v[m2] * part[m1];
    }
  }
  return result;
}

inline Direction cross(Direction const& x, Direction const& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}
inline BigInteger dot(Direction const& x, Direction const& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

/// The number above / below 2^exponent; above and below are >= 0.
struct Ratio {
  BigInteger above, below;
  int exponent;

  bool is_above_one() const { return exponent < 0 ? below << -exponent < above : below < above << exponent; }
};

inline Ratio growth_distance(Input<double> const& in) {
  CommonGrid places = grid_of(in.i.position), halves = grid_of(in.i.semi_axes);
  for (double const each : in.j.position) places.add(each);
  for (double const each : in.j.semi_axes) halves.add(each);
  Direction d;
  for (std::size_t m = 0; m < 3; ++m) {
    auto const at = static_cast<Index>(m);
    d[m] = on_grid<BigInteger>(in.j.position[at], places.exponent()) -
           on_grid<BigInteger>(in.i.position[at], places.exponent());
  }
  Edges const i = edges(in.i.orientation), j = edges(in.j.orientation);
  BigInteger const both = i.square * j.square;
  // The six generators, multiplied by |q_i|^2 |q_j|^2. A direction already contains |q|^2 of its own body, so its
  // half-length is multiplied by |q|^2 of the other body.
  std::array<Direction, 6> along;
  std::array<BigInteger, 6> half;
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<Index>(k);
    along[k] = i.along[k];
    along[k + 3] = j.along[k];
    half[k] = on_grid<BigInteger>(in.i.semi_axes[at], halves.exponent()) * j.square;
    half[k + 3] = on_grid<BigInteger>(in.j.semi_axes[at], halves.exponent()) * i.square;
  }
  Ratio largest{0, 1, places.exponent() - halves.exponent()};
  for (std::size_t g = 0; g < 6; ++g)
    for (std::size_t h = g + 1; h < 6; ++h) {
      Direction const normal = cross(along[g], along[h]);
      BigInteger below;
      for (std::size_t m = 0; m < 6; ++m)
        if (m != g && m != h) below += half[m] * abs(dot(normal, along[m]));
      if (below.is_zero()) continue;  // g and h are parallel; for other pairs, some generator is not in their plane
      BigInteger above = abs(dot(normal, d)) * both;
      if (largest.above * below < above * largest.below) {
        largest.above = std::move(above);
        largest.below = std::move(below);
      }
    }
  return largest;
}

inline Output<Interval> answer(Input<double> const& in, mpfr_prec_t bits) {
  Ratio const ratio = growth_distance(in);
  AtPrecision const at{bits};
  return {scaled(at.number(ratio.above, 0) / at.number(ratio.below, 0), ratio.exponent),
          ratio.is_above_one() ? Separated::yes : Separated::no};
}

}  // namespace exact

/// Returns the certified growth distance, with a relative radius of 2^-120, and the exact label, for every input in the
/// domain.
inline Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const intervals = exact::answer(in, 192);
  return {enclosure_of(intervals.sigma_box), intervals.separated};
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) { return exact::answer(in, bits); }

/// Returns the distance of sigma_box from 1 if the answer's label is wrong, otherwise 0.
inline Enclosure excess(Input<double> const&, Output<Enclosure> const& truth, Output<double> const& answer) {
  if (answer.separated == truth.separated) return {};
  Enclosure const beyond = difference(truth.sigma_box, {1, 0, 0});
  return truth.separated == Separated::yes ? beyond : Enclosure{-beyond.high, -beyond.low, beyond.radius};
}
inline Interval refined_excess(Input<double> const&, Output<Interval> const& truth, Output<double> const& answer) {
  mpfr_prec_t const bits = truth.sigma_box.precision();
  if (answer.separated == truth.separated) return Interval::exactly(0, bits);
  return magnitude(truth.sigma_box - Interval::exactly(1, bits));
}

inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess, .case_divisor = 5};

}  // namespace demeter::superquadric_box_test::oracle
