// When a check without a failure is a verdict.
#pragma once

#include "check/check_types.hpp"

#include <cstdint>
#include <string>

namespace demeter {

/// Judged cases of a profile from which on "no failure" is a verdict: 1 % of failures would have been seen with 95 %,
/// since 0.99^299 < 0.05.
inline constexpr std::uint64_t enough_cases = 299;
constexpr bool is_enough(std::uint64_t judged) { return judged >= enough_cases; }

/// The cases of a profile that were judged in any output.
std::uint64_t judged_cases_of(Kernel const& kernel, SubjectCheck const& check, Profile profile);

/// Why a check without a failure is not a verdict: "not refuted in 44 degenerate cases", or a part that was left out.
/// Empty for a whole check, also of a regime of Demeter's recorded cases of which all were judged.
std::string why_not_a_verdict(Kernel const& kernel, SubjectCheck const& check, CheckOptions const& options);

}  // namespace demeter
