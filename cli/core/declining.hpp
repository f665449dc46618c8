// How much of what it is asked a subject may decline before that is a failure: green needs judged answers.
#pragma once

#include "check/check.hpp"
#include "cli/core/options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace demeter::cli {

struct Declining {
  double share = 1;  ///< of the cases, that may be declined
  bool given = false;
};

/// --allow-unsupported
void add_declining(Verb& verb, Declining& allowed);

/// Why too little was judged, if that is so: nothing at all, unless all was declined and may be, or less than was
/// wanted. Of `cases`, `judged` were judged in any output, and `declined` are unsupported or not representable.
std::optional<std::string> too_little_judged(Declining const& allowed, std::uint64_t cases, std::uint64_t declined,
                                             std::uint64_t judged);

/// The same of a check, in what decides.
std::optional<std::string> too_little_judged(Declining const& allowed, SubjectCheck const& check);

}  // namespace demeter::cli
