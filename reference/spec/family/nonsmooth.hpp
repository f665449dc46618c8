// The plane: the words that the contracts of non-smooth contacts share.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

template <class Scalar>
using Vector2 = Eigen::Matrix<Scalar, 2, 1>;

}  // namespace demeter
