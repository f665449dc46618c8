// Inertia tensors and principal axes: shared by the contracts of clumps.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

/// A symmetric tensor in the order xx, yy, zz, xy, xz, yz.
template <class Scalar>
using Tensor = Vector<Scalar, 6>;

/// Neighbouring principal moments form a cluster if they differ by at most this part of the largest moment. The body
/// does not determine the axes within a cluster: any choice is right.
inline constexpr double cluster_step = 0x1p-40;

}  // namespace demeter
