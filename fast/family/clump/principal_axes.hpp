// Principal moments and axes of a tensor of inertia, with one choice of what is not unique: what the fast mass
// properties share.
#pragma once

#include "reference/spec/family/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace demeter::fast_core {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

struct Principal {
  Vector moments;
  Matrix axes;  // axes[k] is the k-th
};

inline Vector cross(Vector const& a, Vector const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Jacobi's rotations. What is below 2^-70 of the largest entry of the diagonal counts as nothing, so no square of what
/// is left underflows: the tensor is about 1. Converges quadratically: four sweeps are the most that was seen.
inline Principal diagonalised(std::array<double, 6> const& tensor) {
  auto const [xx, yy, zz, xy, xz, yz] = tensor;
  Matrix A = {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  Matrix V = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double const negligible = 0x1p-70 * std::max({xx, yy, zz});
  for (int sweep = 0; sweep < 20; ++sweep) {
    bool turned = false;
    for (std::size_t r = 3; r-- > 0;) {  // planes xy, zx, yz
      std::size_t const p = (r + 1) % 3, q = (r + 2) % 3;
      double const off = A[p][q];
      if (!(std::abs(off) > negligible)) continue;
      turned = true;
      double const step = A[q][q] - A[p][p], root = std::sqrt(step * step + 4 * (off * off));
      double const t = 2 * off / (step < 0 ? step - root : step + root);
      double const c = 1 / std::sqrt(1 + t * t), s = t * c;
      A[p][p] -= t * off;
      A[q][q] += t * off;
      A[p][q] = A[q][p] = 0;
      double const rp = A[r][p], rq = A[r][q];
      A[r][p] = A[p][r] = c * rp - s * rq;
      A[r][q] = A[q][r] = s * rp + c * rq;
      for (std::size_t i = 0; i < 3; ++i) {
        double const ip = V[p][i], iq = V[q][i];
        V[p][i] = c * ip - s * iq;
        V[q][i] = s * ip + c * iq;
      }
    }
    if (!turned) break;
  }
  return {{std::max(A[0][0], 0.0), std::max(A[1][1], 0.0), std::max(A[2][2], 0.0)}, V};
}

/// One choice of the order, of the signs and, in clusters, of the axes: see the header.
inline void make_canonical(Principal& principal) {
  Vector& moments = principal.moments;
  Matrix& axes = principal.axes;
  auto const exchange = [&moments, &axes](std::size_t i) {
    if (!(moments[i + 1] < moments[i])) return;
    std::swap(moments[i], moments[i + 1]);
    std::swap(axes[i], axes[i + 1]);
  };
  exchange(0);
  exchange(1);
  exchange(0);
  double const agree = cluster_step * moments[2];
  bool const low = !(moments[1] - moments[0] > agree), high = !(moments[2] - moments[1] > agree);
  if (low && high) {
    axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return;
  }
  for (Vector& axis : axes) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(axis[i]) > std::abs(axis[largest])) largest = i;
    if (axis[largest] < 0)
      for (double& component : axis) component = -component;
  }
  if (low || high) {
    Vector const simple = axes[low ? 2 : 0];
    std::size_t least = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(simple[i]) < std::abs(simple[least])) least = i;
    Vector first;
    for (std::size_t i = 0; i < 3; ++i) first[i] = (i == least ? 1.0 : 0.0) - simple[least] * simple[i];
    double const length = std::sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (double& component : first) component /= length;
    axes[low ? 0 : 1] = first;
    axes[low ? 1 : 2] = cross(simple, first);
    return;
  }
  Vector const third = cross(axes[0], axes[1]);
  if (third[0] * axes[2][0] + third[1] * axes[2][1] + third[2] * axes[2][2] < 0)
    for (double& component : axes[2]) component = -component;
}

/// The unit quaternion of the rotation whose columns are the axes (Shepperd 1978).
inline std::array<double, 4> quaternion(Matrix const& axes) {
  auto const R = [&axes](std::size_t row, std::size_t column) { return axes[column][row]; };
  double const xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  std::array<double, 4> const squares = {1 + (xx + yy + zz), 1 + (xx - yy - zz), 1 + (yy - xx - zz),
                                         1 + (zz - xx - yy)};
  auto const largest = static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  double const wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  double const xy = R(1, 0) + R(0, 1), xz = R(0, 2) + R(2, 0), yz = R(2, 1) + R(1, 2);
  std::array<double, 4> q = largest == 0   ? std::array{squares[0], wx, wy, wz}
                            : largest == 1 ? std::array{wx, squares[1], xy, xz}
                            : largest == 2 ? std::array{wy, xy, squares[2], yz}
                                           : std::array{wz, xz, yz, squares[3]};
  double length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  std::size_t first = 0;
  while (first < 3 && q[first] == 0) ++first;
  if (q[first] < 0) length = -length;
  for (double& component : q) component /= length;
  for (double& component : q) component += 0.0;  // no -0
  return q;
}

}  // namespace demeter::fast_core
