// Principal moments and axes of an inertia tensor in intervals: shared by the oracles of clumps.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/interval.hpp"
#include "oracles/core/quaternion.hpp"
#include "reference/spec/family/clump.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace demeter::clump::oracle {

/// Row and column of xx, yy, zz, xy, xz, yz in the matrix.
inline constexpr std::array<std::array<std::size_t, 2>, 6> places{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

using Intervals = std::array<Interval, 6>;
using Matrix = std::array<std::array<BigInteger, 3>, 3>;

/// A rotation in integers. The columns of `axes` are the images of the coordinate axes, multiplied by |q|^2. `square`
/// is |q|^2. q is in units of its own grid.
struct Turn {
  Matrix axes;
  BigInteger square;
};
inline Turn turn(Quaternion<double> const& orientation) {
  CommonGrid grid;
  for (Index i = 0; i < 4; ++i) grid.add(orientation[i]);
  std::array<BigInteger, 4> q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = on_grid<BigInteger>(orientation[static_cast<Index>(i)], grid.exponent());
  std::array<BigInteger, 4> const conjugate{q[0], -q[1], -q[2], -q[3]};
  Turn result;
  result.square = hamilton_product(q, conjugate)[0];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<BigInteger, 4> local{};
    local[axis + 1] = 1;
    auto const image = hamilton_product(hamilton_product(q, local), conjugate);
    for (std::size_t i = 0; i < 3; ++i) result.axes[i][axis] = image[i + 1];
  }
  return result;
}

/// Returns the principal moments of a positive semidefinite tensor, ascending.
inline std::array<Interval, 3> moments(Intervals const& tensor, mpfr_prec_t bits) {
  auto const& [xx, yy, zz, xy, xz, yz] = tensor;
  auto const integer = [&](int x) { return Interval::exactly(x, bits); };
  auto const is_zero = [](Interval const& x) { return mpfr_zero_p(x.low()) != 0 && mpfr_zero_p(x.high()) != 0; };
  if (is_zero(xy) && is_zero(xz) && is_zero(yz)) {
    Interval const low = minimum(xx, yy), high = maximum(xx, yy);
    return {minimum(low, zz), maximum(low, minimum(high, zz)), maximum(high, zz)};
  }
  Interval const mean = (xx + yy + zz) / integer(3);
  Interval const bx = xx - mean, by = yy - mean, bz = zz - mean;
  Interval const spread =
      (square(bx) + square(by) + square(bz) + integer(2) * (square(xy) + square(xz) + square(yz))) / integer(6);
  Interval const root = square_root(spread);
  if (mpfr_sgn(spread.low()) <= 0) {
    Interval const any = hull(mean - integer(2) * root, mean + integer(2) * root);
    return {any, any, any};
  }
  Interval const determinant = bx * (by * bz - square(yz)) - xy * (xy * bz - yz * xz) + xz * (xy * yz - by * xz);
  // The eigenvalues are real, so the cosine is in [-1, 1].
  Interval angle = minimum(maximum(determinant / (integer(2) * spread * root), integer(-1)), integer(1));
  mpfi_acos(angle.get(), angle.get());
  angle = angle / integer(3);
  Interval third(bits);
  mpfi_const_pi(third.get());
  third = integer(2) * third / integer(3);
  Interval const radius = integer(2) * root, zero = integer(0);
  return {maximum(mean + radius * cosine(angle + third), zero), maximum(mean + radius * cosine(third - angle), zero),
          mean + radius * cosine(angle)};
}

/// Returns an enclosure as an interval with `bits` bits.
inline Interval interval(Enclosure const& x, mpfr_prec_t bits) {
  Interval const middle = Interval::exactly(x.high, bits) + Interval::exactly(x.low, bits);
  Interval const radius = Interval::exactly(x.radius, bits);
  return hull(middle - radius, middle + radius);
}

/// Returns an enclosure. If the number may be 0, the midpoint of the enclosure is 0.
inline Enclosure enclosed(Interval const& x) {
  Enclosure const found = enclosure_of(x);
  if (found.radius == 0 || std::fabs(found.high) > found.radius) return found;
  return {0, 0, (std::fabs(found.high) + std::fabs(found.low) + found.radius) * (1 + 0x1p-60L)};
}

/// Returns the error of the axes of quaternion q, compared with principal axes in the order of the moments. The error
/// is the sum of two parts:
/// - the largest magnitude of an entry of R^T I R - diag(moments); if both axes of the entry belong to one cluster, the
///   difference of the largest and the smallest moment of the cluster is subtracted;
/// - | |q|^2 - 1 | times the largest moment.
/// Neighbouring moments belong to one cluster if they differ by at most 2 `cluster_step` times the largest moment. The
/// factor 2 keeps the clusters of answers whose moments are rounded. The error is infinite if q is not finite or is 0.
inline Interval axes_excess(Intervals const& tensor, std::array<Interval, 3> const& moments,
                            Quaternion<double> const& q, mpfr_prec_t bits) {
  Interval const infinite = Interval::exactly(std::numeric_limits<long double>::infinity(), bits);
  if (!q.allFinite() || q.isZero()) return infinite;
  AtPrecision const at{bits};
  Turn const R = turn(q);
  Interval const square = at.number(BigInteger(R.square * R.square), 0);
  Interval const binding = Interval::exactly(2 * static_cast<long double>(cluster_step), bits) * moments[2];
  auto const bound = [&](std::size_t i) { return !certainly_less(binding, moments[i + 1] - moments[i]); };
  std::array<std::size_t, 3> first{0, 1, 2}, last{0, 1, 2};  // first and last index of the cluster of each axis
  if (bound(0)) first[1] = 0, last[0] = 1;
  if (bound(1)) {
    first[2] = first[1];
    last[1] = 2;
    if (bound(0)) last[0] = 2;
  }
  Interval worst = Interval::exactly(0, bits);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) {
      Interval entry = Interval::exactly(0, bits);
      for (std::size_t k = 0; k < 6; ++k) {
        auto const [a, b] = places[k];
        BigInteger factor = R.axes[a][i] * R.axes[b][j];
        if (a != b) factor += R.axes[b][i] * R.axes[a][j];
        entry = entry + tensor[k] * at.number(factor, 0);
      }
      entry = entry / square;
      if (i == j) entry = entry - moments[i];
      Interval beyond = magnitude(entry);
      if (first[i] == first[j]) beyond = beyond - (moments[last[i]] - moments[first[i]]);
      worst = maximum(worst, beyond);
    }
  Interval off = Interval::exactly(-1, bits);
  for (Index i = 0; i < 4; ++i) {
    Interval const component = Interval::exactly(q[i], bits);
    off = off + component * component;
  }
  return worst + magnitude(off) * moments[2];
}

/// Returns the excess of an answer's axes, with the tensor and the moments of a truth in intervals.
template <class Truth>
Interval axes_excess(Truth const& truth, Quaternion<double> const& q, mpfr_prec_t bits) {
  Intervals tensor;
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = truth.inertia[static_cast<Index>(k)];
  return axes_excess(tensor, {truth.principal[0], truth.principal[1], truth.principal[2]}, q, bits);
}
/// Returns the excess of an answer's axes, with the tensor and the moments of a truth in enclosures.
template <class Truth>
Enclosure enclosed_axes_excess(Truth const& truth, Quaternion<double> const& q, mpfr_prec_t bits) {
  Intervals tensor;
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = interval(truth.inertia[static_cast<Index>(k)], bits);
  std::array<Interval, 3> moments;
  for (std::size_t i = 0; i < 3; ++i) moments[i] = interval(truth.principal[static_cast<Index>(i)], bits);
  Interval const loss = axes_excess(tensor, moments, q, bits);
  if (mpfr_inf_p(loss.low()) != 0) return {std::numeric_limits<long double>::infinity(), 0, 0};
  return enclosure_of(loss);
}

}  // namespace demeter::clump::oracle
