// What turns needs more than roots.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter {

namespace detail {
using std::cos, std::sin;
template <class Scalar>
concept has_angles = requires(Scalar a) {
  Scalar(cos(a));
  Scalar(sin(a));
};
}  // namespace detail

/// A `real_scalar` with sines and cosines, found unqualified after `using std::sin`.
template <class Scalar>
concept turning_scalar = real_scalar<Scalar> && detail::has_angles<Scalar>;

}  // namespace demeter
