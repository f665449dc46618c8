// Decides whether a check without a failure is a verdict.
#pragma once

#include "check/check_types.hpp"

#include <cstdint>
#include <string>

namespace demeter {

/// The number of judged cases of a profile that a check without a failure needs to be a verdict. If 1 % of cases fail,
/// 299 cases show a failure with 95 % probability, because 0.99^299 < 0.05.
inline constexpr std::uint64_t enough_cases = 299;
constexpr bool is_enough(std::uint64_t judged) { return judged >= enough_cases; }

/// Returns the number of judged cases of a profile: the sum, over its deciding regimes, of the largest count among the
/// outputs.
std::uint64_t judged_cases_of(Kernel const& kernel, SubjectCheck const& check, Profile profile);

/// Returns why a check without a failure is not a verdict: "not refuted in 44 degenerate cases", or the parts that were
/// not tried. Returns "" for a complete check. A profile whose cases are all recorded is complete when all were drawn.
std::string why_not_a_verdict(Kernel const& kernel, SubjectCheck const& check, CheckOptions const& options);

}  // namespace demeter
