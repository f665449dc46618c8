// The precision ladder of a kernel's reference, regime by regime.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/ladder.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace demeter {

struct LadderRow {
  std::size_t regime = 0, budget = 0;
  /// Digits right in the worst case, by rung; infinite where every case was exact, NaN where none could be judged.
  std::array<double, ladder.size()> right{};
};

/// Digits that the arithmetic has and the reference loses; 0 if it keeps them all, NaN if nothing was judged.
double digits_lost(LadderRow const& row, std::size_t rung);

/// Runs the reference on every rung over the first `cases` cases of each regime, in `jobs` threads. Outputs that are
/// not unique have no row.
std::vector<LadderRow> climb_ladder(Kernel const& kernel, std::uint64_t seed, std::uint64_t cases, unsigned jobs = 1,
                                    std::atomic<bool> const* stop = nullptr);

}  // namespace demeter
