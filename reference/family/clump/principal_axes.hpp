// The inertia tensor of a body: its rotation, its transfer to another point, and its principal axes with a unique
// choice of signs and order. The reference and the printed formulas of clumps use this file.
#pragma once

#include "reference/spec/clump_mass_properties.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace demeter::clump_mass_properties::reference {

template <field_scalar Scalar>
Scalar magnitude(Scalar const& x) {
  return x < Scalar(0) ? Scalar(-x) : x;
}

/// Returns the rotation matrix (Euler-Rodrigues, local to global) of a quaternion of any length except 0.
template <field_scalar Scalar>
Matrix3<Scalar> rotation(Quaternion<Scalar> const& q) {
  Scalar const w = q[0], x = q[1], y = q[2], z = q[3], two(2);
  Scalar const square = w * w + x * x + y * y + z * z;
  Matrix3<Scalar> matrix{w * w + x * x - y * y - z * z, two * (x * y - w * z),         two * (x * z + w * y),
                         two * (x * y + w * z),         w * w - x * x + y * y - z * z, two * (y * z - w * x),
                         two * (x * z - w * y),         two * (y * z + w * x),         w * w - x * x - y * y + z * z};
  return matrix / square;
}

/// Returns R diag(moments) R^T: the tensor in global axes of a body with these principal moments.
template <field_scalar Scalar>
Matrix3<Scalar> turned(Vector3<Scalar> const& moments, Matrix3<Scalar> const& R) {
  Matrix3<Scalar> tensor;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      tensor(i, j) = R(i, 0) * moments[0] * R(j, 0) + R(i, 1) * moments[1] * R(j, 1) + R(i, 2) * moments[2] * R(j, 2);
  return tensor;
}

/// Returns m (d.d 1 - d d^T): the inertia of a mass at distance vector d from the reference point (parallel-axis
/// theorem).
template <field_scalar Scalar>
Matrix3<Scalar> transferred(Scalar const& mass, Vector3<Scalar> const& arm) {
  Scalar const square = arm.dot(arm);
  Matrix3<Scalar> tensor;
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) tensor(i, j) = mass * ((i == j ? square : Scalar(0)) - arm[i] * arm[j]);
  return tensor;
}

/// Principal moments, and principal axes in the columns of `axes`.
template <class Scalar>
struct Principal {
  Vector3<Scalar> moments;
  Matrix3<Scalar> axes;
};

/// Diagonalises by Jacobi rotations until each off-diagonal entry is so small that adding it to the largest diagonal
/// entry does not change that entry.
template <real_scalar Scalar>
Principal<Scalar> diagonalised(Matrix3<Scalar> A) {
  using std::sqrt;
  Scalar const zero(0), one(1), two(2);
  Matrix3<Scalar> V;
  V.setIdentity();
  for (int sweep = 0; sweep < 60; ++sweep) {
    Scalar size = zero, rest = zero;
    for (Index i = 0; i < 3; ++i) size = std::max(size, magnitude<Scalar>(A(i, i)));
    rest = magnitude<Scalar>(A(0, 1)) + magnitude<Scalar>(A(0, 2)) + magnitude<Scalar>(A(1, 2));
    if (!(size < size + rest)) break;
    for (auto const& [p, q] : {std::pair<Index, Index>{0, 1}, {0, 2}, {1, 2}}) {
      Scalar const twice = two * A(p, q);
      if (!(zero < magnitude<Scalar>(twice))) continue;
      Scalar const step = A(q, q) - A(p, p);
      Scalar const root = sqrt(Scalar(step * step + twice * twice));
      Scalar const t = twice / (step < zero ? Scalar(step - root) : Scalar(step + root));
      Scalar const c = one / sqrt(Scalar(one + t * t)), s = t * c;
      Index const r = 3 - p - q;
      A(p, p) -= t * (twice / two);
      A(q, q) += t * (twice / two);
      A(p, q) = A(q, p) = zero;
      Scalar const rp = A(r, p), rq = A(r, q);
      A(r, p) = A(p, r) = c * rp - s * rq;
      A(r, q) = A(q, r) = s * rp + c * rq;
      for (Index i = 0; i < 3; ++i) {
        Scalar const ip = V(i, p), iq = V(i, q);
        V(i, p) = c * ip - s * iq;
        V(i, q) = s * ip + c * iq;
      }
    }
  }
  return {{A(0, 0), A(1, 1), A(2, 2)}, V};
}

/// Returns ascending moments and one unique choice of axes.
/// - An axis whose moment agrees with no other moment has its largest component positive (the first, if several are
///   equal).
/// - If two moments agree, the first axis of the pair is the projection of the coordinate axis with the largest angle
///   to the third axis.
/// - If all three agree, the axes are the coordinate axes.
/// The axes are right-handed. If no moments agree, the sign of the last axis ensures this. Moments agree if they differ
/// by at most `cluster_step` of the largest (1e-30 for scalars with more precision than long double).
template <real_scalar Scalar>
Principal<Scalar> canonical(Principal<Scalar> const& found) {
  using std::sqrt;
  Scalar const zero(0), one(1);
  std::array<Index, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return found.moments[a] < found.moments[b] || (!(found.moments[b] < found.moments[a]) && a < b);
  });
  Principal<Scalar> result;
  for (Index k = 0; k < 3; ++k) {
    Index const from = order[static_cast<std::size_t>(k)];
    result.moments[k] = found.moments[from];
    result.axes.col(k) = found.axes.col(from);
  }
  Scalar step(cluster_step);
  if constexpr (!std::is_floating_point_v<Scalar>) {
    step = one;
    for (int digit = 0; digit < 30; ++digit) step = step / Scalar(10);
  }
  Scalar const agree = step * result.moments[2];
  bool const low = !(agree < result.moments[1] - result.moments[0]);
  bool const high = !(agree < result.moments[2] - result.moments[1]);
  auto& axes = result.axes;
  if (low && high) {
    axes.setIdentity();
    return result;
  }
  for (Index k = 0; k < 3; ++k) {
    Index largest = 0;
    for (Index i = 1; i < 3; ++i)
      if (magnitude<Scalar>(axes(largest, k)) < magnitude<Scalar>(axes(i, k))) largest = i;
    if (axes(largest, k) < zero) axes.col(k) = -axes.col(k);
  }
  if (low || high) {
    Vector3<Scalar> const simple = axes.col(low ? 2 : 0);
    Index least = 0;
    for (Index i = 1; i < 3; ++i)
      if (magnitude<Scalar>(simple[i]) < magnitude<Scalar>(simple[least])) least = i;
    Vector3<Scalar> first = -simple[least] * simple;
    first[least] += one;
    first = first / sqrt(Scalar(first.dot(first)));
    axes.col(low ? 0 : 1) = first;
    axes.col(low ? 1 : 2) = simple.cross(first);
  } else if (axes.col(0).cross(axes.col(1)).dot(axes.col(2)) < zero) {
    axes.col(2) = -axes.col(2);
  }
  return result;
}

/// Returns the unit quaternion of a rotation matrix, from its largest component (Shepperd 1978). The first component
/// that is not zero is positive.
template <real_scalar Scalar>
Quaternion<Scalar> quaternion(Matrix3<Scalar> const& R) {
  using std::sqrt;
  Scalar const zero(0), one(1), xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  // Four times the squared components, and four times the products of the largest component with the others.
  Quaternion<Scalar> const squares(one + xx + yy + zz, one + xx - yy - zz, one - xx + yy - zz, one - xx - yy + zz);
  Index largest = 0;
  for (Index k = 1; k < 4; ++k)
    if (squares[largest] < squares[k]) largest = k;
  Scalar const wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  Scalar const xy = R(1, 0) + R(0, 1), xz = R(0, 2) + R(2, 0), yz = R(2, 1) + R(1, 2);
  Quaternion<Scalar> q;
  if (largest == 0) q = {squares[0], wx, wy, wz};
  if (largest == 1) q = {wx, squares[1], xy, xz};
  if (largest == 2) q = {wy, xy, squares[2], yz};
  if (largest == 3) q = {wz, xz, yz, squares[3]};
  Scalar length = sqrt(Scalar(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
  Index first = 0;
  while (first < 3 && !(zero < magnitude<Scalar>(q[first]))) ++first;
  if (q[first] < zero) length = -length;
  return q / length;
}

/// Returns mass and centroid unchanged, the inertia tensor, and its principal moments and axes.
template <real_scalar Scalar>
Output<Scalar> described(Scalar const& mass, Vector3<Scalar> const& centroid, Matrix3<Scalar> const& I) {
  Principal<Scalar> const principal = canonical<Scalar>(diagonalised<Scalar>(I));
  Tensor<Scalar> tensor{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  return {mass, centroid, tensor, principal.moments, quaternion<Scalar>(principal.axes)};
}

}  // namespace demeter::clump_mass_properties::reference
