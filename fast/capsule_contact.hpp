// Contact of two capsules, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/level.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <cstddef>

namespace demeter::capsule_contact::fast {

/// Overlap, normal, contact point and status of two capsules, by centred, regularised closest points.
///
/// Lengths in any one unit, vectors in the global frame; `half1` and `half2` are half-shaft vectors. uN is the distance
/// of the axes less both radii, negative when the capsules overlap; the normal has length 1 within 4 u and points from
/// capsule 1 to capsule 2; the point is the middle of the overlap. Force and torque of any law in uN along the normal
/// at the point are continuous.
///
/// Every finite input with radii > 0 is in the domain: spheres (half-shafts of zero), parallel, collinear and
/// intersecting axes, coincident capsules, subnormal sizes and sizes near the largest double, and any mixture of
/// scales. The errors are within the contract's budgets. Axes nearer than 8 u S, S = h1 + h2 + r1 + r2 + |w| with
/// w = centre2 - centre1, have the status axes_intersect and the contract's conventional normal. No result is NaN, and
/// none infinite unless the exact one overflows. The results for 2^k times the input are 2^k times uN and point and the
/// same normal, bit for bit, unless an input, a result or a part of 2^-400 of the pair's size underflows.
///
/// The same arithmetic as the batch form, bit for bit. Source: spec, capsule section 3, formula C.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 14 columns of n doubles in fields() order, centre1x centre1y centre1z half1x ... radius2. `out`: 8 columns,
/// uN, normal (3), point (3) and the status as its index; a null column is not wanted, and uN and status alone are
/// cheaper. No output column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or
/// written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

}  // namespace demeter::capsule_contact::fast
