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
  /// Correct digits of the worst case, per rung of the ladder. A rung is a precision. Infinite if every case was exact,
  /// NaN if no case could be judged.
  std::array<double, ladder.size()> right{};
};

/// Returns the digits of a precision minus the correct digits of the reference in this precision. Returns 0 if the
/// reference keeps all digits, and NaN if no case was judged.
double digits_lost(LadderRow const& row, std::size_t rung);

/// Runs the reference in every precision over the first `cases` cases of each regime, in `jobs` threads. Outputs that
/// are not unique have no row.
std::vector<LadderRow> climb_ladder(Kernel const& kernel, std::uint64_t seed, std::uint64_t cases, unsigned jobs = 1,
                                    std::atomic<bool> const* stop = nullptr);

}  // namespace demeter
