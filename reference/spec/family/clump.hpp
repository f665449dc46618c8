// Inertia tensors and principal axes: shared by the contracts of clumps.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

/// A symmetric tensor in the order xx, yy, zz, xy, xz, yz.
template <class Scalar>
using Tensor = Vector<Scalar, 6>;

/// Relative difference up to which neighbouring principal moments form a cluster (as a part of the largest moment). The
/// axes within a cluster are not determined by the body: any choice is right.
inline constexpr double cluster_step = 0x1p-40;

}  // namespace demeter
