// Decimal texts of numbers in an enclosure.
#pragma once

#include "oracles/core/enclosure.hpp"

#include <string>

namespace demeter::detail {

/// Returns the middle of an enclosure with 30 digits. If `certain`, returns only the digits on which all numbers in the
/// enclosure agree. The sum `high + low` of the enclosure is computed exactly, which may need 128 bits or more.
std::string enclosure_text(Enclosure const& truth, bool certain);

}  // namespace demeter::detail
