// Exact products of quaternions.
#pragma once

#include <array>

namespace demeter {

/// Returns Hamilton's product; components in the order w, x, y, z.
template <class First, class Second>
auto hamilton_product(std::array<First, 4> const& p, std::array<Second, 4> const& q) {
  using Product = decltype(p[0] * q[0]);
  return std::array<Product, 4>{
      p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
      p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

}  // namespace demeter
