// Searches for hard cases: cases in which an implementation has large errors, and results that are hard to round.
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
  std::uint64_t cases = 2000;        ///< number of cases drawn per regime
  std::uint64_t rounds = 400;        ///< rounds of climbing with 64 candidates each
  std::vector<std::size_t> regimes;  ///< indices of the regimes; empty: all
  std::string output;                ///< search_worst: only this output; empty: all outputs
  std::atomic<bool> const* stop = nullptr;
};

struct HardCase {
  Table input;  ///< the case, as a table of one row
  std::size_t regime = 0;
  std::size_t budget = 0;       ///< search_worst: the output with the error
  std::string output;           ///< search_worst: the name of the output; search_hard_to_round: the path of the number
  double measure = 0;           ///< the error in the budget's measure, or the distance from a midpoint in ulps
  double budgets_exceeded = 0;  ///< search_worst: the error divided by the budget
};

/// Searches for the largest finite error of a subject in each regime. Starts with the worst of the drawn cases and
/// climbs by random changes of numbers: moves by some ulps, exchanges, halving, doubling, simplification. The result
/// may not fit the description of its regime any more. Deterministic.
std::vector<HardCase> search_worst(Kernel const& kernel, Subject const& subject, SearchOptions const& options);

/// Returns, for each regime and each number of the output, the drawn case whose exact result is closest to a midpoint
/// of two adjacent doubles (the worst case for correct rounding). Exact midpoints, results below the normal range and
/// distances of 2^-6 ulp or more do not count. Returns each case once.
std::vector<HardCase> search_hard_to_round(Kernel const& kernel, SearchOptions const& options);

/// Returns the distance of a decimal (from Kernel::truth_text) from the nearest midpoint of two adjacent doubles, in
/// ulp. Returns nothing for zero and results outside the normal range. Returns nothing within 2^-43 ulp of a midpoint,
/// because 30 digits cannot distinguish such a result from a midpoint.
std::optional<double> distance_from_midpoint(std::string const& decimal);

}  // namespace demeter
