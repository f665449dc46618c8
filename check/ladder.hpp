// The precision ladder of a kernel's reference, per regime.
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
  /// Digits of the worst case per rung (precision). Infinite if every case was exact, NaN if no case could be judged.
  std::array<double, ladder.size()> right{};
};

/// Returns the digits that the reference loses of those that the precision has. Returns 0 if it keeps all digits, and
/// NaN if no case was judged.
double digits_lost(LadderRow const& row, std::size_t rung);

/// Runs the reference in every precision over the first `cases` cases of each regime, in `jobs` threads. Outputs that
/// are not unique have no row.
std::vector<LadderRow> climb_ladder(Kernel const& kernel, std::uint64_t seed, std::uint64_t cases, unsigned jobs = 1,
                                    std::atomic<bool> const* stop = nullptr);

}  // namespace demeter
