// The plane: the words that the contracts of non-smooth contacts share.
#pragma once

#include "reference/spec/core/fields.hpp"

namespace demeter {

namespace unit {
inline constexpr std::string_view impulse = "N s";
}

template <class Scalar>
using Vector2 = Eigen::Matrix<Scalar, 2, 1>;

/// A mass of a domain that ends at 1e60 which no contact moves. (Where 1e100 is infinite itself, in float, only that
/// is.)
template <class Scalar>
bool is_infinite(Scalar const& mass) {
  return Scalar(1e100) < mass || (Scalar(0) < mass && !(mass < mass + mass));
}

}  // namespace demeter
