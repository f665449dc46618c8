// Hard cases found by search: where an implementation errs most, and where a result is hardest to round.
#pragma once

#include "subjects/subjects.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

struct SearchOptions {
  std::uint64_t seed = 1;
  std::uint64_t cases = 2000;        ///< drawn in a regime
  std::uint64_t rounds = 400;        ///< of climbing, each with 64 candidates
  std::vector<std::size_t> regimes;  ///< empty: all
  std::string output;                ///< search_worst: that budget only; empty: whichever is worst
  std::atomic<bool> const* stop = nullptr;
};

struct HardCase {
  Table input;  ///< one row
  std::size_t regime = 0;
  std::size_t budget = 0;       ///< search_worst: the output that errs
  std::string output;           ///< search_hard_to_round: the path of the number
  double measure = 0;           ///< the error in the budget's measure, or the distance from a midpoint in ulps
  double budgets_exceeded = 0;  ///< search_worst: error over budget
};

/// The largest finite error of a subject that is found in each regime: the worst of the cases drawn, then climbed from
/// by moving numbers by ulps, exchanging, halving, doubling and simplifying them. A case may leave its regime's
/// description on the way. Deterministic.
std::vector<HardCase> search_worst(Kernel const& kernel, Subject const& subject, SearchOptions const& options);

/// In each regime and for each number of the output, the case drawn whose exact result is closest to the midpoint of
/// two doubles without being one (the worst case for correct rounding). Each case comes once; results below the normal
/// range and farther than 2^-6 ulp from a midpoint do not count.
std::vector<HardCase> search_hard_to_round(Kernel const& kernel, SearchOptions const& options);

/// The distance of a decimal (as Kernel::truth_text gives it) from the nearest midpoint of two doubles, in units in the
/// last place; nothing for zero, for results outside the normal range, and within 2^-43 of a midpoint, which 30 digits
/// do not tell from it.
std::optional<double> distance_from_midpoint(std::string const& decimal);

}  // namespace demeter
