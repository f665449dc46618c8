// Tensors of inertia and principal axes: the words that the contracts of clumps share.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
template <class Scalar>
using Tensor = Vector<Scalar, 6>;

/// Steps of neighbouring principal moments up to this times the largest one make a cluster: which axes within it are
/// taken is then a matter of choice, not of the body.
inline constexpr double cluster_step = 0x1p-40;

}  // namespace demeter
