// The option that limits the number of cases that a subject may decline. A run passes only if answers were judged.
#pragma once

#include "check/check.hpp"
#include "cli/core/options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace demeter::cli {

struct Declining {
  double share = 1;  ///< largest share of the cases that may be declined
  bool given = false;
};

/// Adds --allow-unsupported.
void add_declining(Verb& verb, Declining& allowed);

/// Returns why too few cases were judged, or nothing if there were enough. It is an error if no case was judged, unless
/// all cases were declined and the option allows that. `judged` counts the cases with at least one judged output.
/// `declined` counts unsupported and not representable cases.
std::optional<std::string> too_little_judged(Declining const& allowed, std::uint64_t cases, std::uint64_t declined,
                                             std::uint64_t judged);

/// Returns why too few cases of a check were judged, or nothing. Counts only the regimes that decide the verdict.
std::optional<std::string> too_little_judged(Declining const& allowed, SubjectCheck const& check);

}  // namespace demeter::cli
