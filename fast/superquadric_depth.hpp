// Penetration depth of two superquadrics, fast: one pair, or many in columns.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_depth.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_depth::fast {

/// The instruction-set levels for which this kernel has its own code. The other levels run the scalar code.
inline constexpr std::array levels{Level::scalar};

/// Returns the penetration depth and its direction. For separated bodies: minus the distance, and the direction of the
/// distance.
///
/// Domain: exponents 2 to 200; semi-axes > 0 within a factor of 1e100 of each other and of the distance of the centres;
/// the largest semi-axis of one body at most 10,000 times that of the other; nonzero quaternions of any length whose
/// components are 0 or within 1e140 of the largest. For other inputs the answer is meaningless.
///
/// The errors are within the contract's budgets, except for some pairs whose sizes differ by more than a factor of
/// 8,000. For these pairs the search for the touching point does not converge. If all lengths are multiplied by 2^k,
/// the depth is multiplied by 2^k, bit for bit, as long as no number is subnormal.
///
/// Source: docs/mathematics/superquadrics.md#superquadric_depth-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 24 columns in fields() order, first body i, then body j: position x y z, orientation w x y z, semi-axes, n1,
/// n2. `out`: 4 columns: depth, direction x y z. A null output column is skipped. Output columns must not overlap any
/// other column. Any n, any alignment. All levels run one scalar loop, because most of the time is spent in a search
/// whose steps differ from pair to pair.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_depth::fast
