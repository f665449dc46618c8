// Penetration depth of two superquadrics, fast: one pair, or many in columns.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_depth.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_depth::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar};

/// Penetration depth and its direction; apart, minus the distance, and its direction.
///
/// Domain: exponents 2 to 200, semi-axes > 0 within a factor of 1e100 of each other and of the distance of the centres,
/// the largest of one body at most 10,000 times that of the other, quaternions of any length but 0 whose components are
/// 0 or within 1e140 of the largest. Outside of it the answer means nothing. The budgets of the contract hold, but for
/// some pairs of more than 8,000 times each other's size, of which the search for where they touch does not end. 2^k
/// times all lengths gives 2^k times the depth, bit for bit, as long as nothing is subnormal. Source:
/// docs/mathematics/superquadrics.md#superquadric_depth-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns, bit for bit.
///
/// `in`: 24 columns in fields() order: of i, then of j, position x y z, orientation w x y z, semi-axes, n1, n2. `out`:
/// 4 columns: depth, direction x y z; a null column is not wanted. No output column overlaps another column. Any n, any
/// alignment. All levels run one scalar loop: what takes the time is a search whose course differs from pair to pair.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_depth::fast
