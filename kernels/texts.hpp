// Decimal texts of numbers in an enclosure.
#pragma once

#include "oracles/core/enclosure.hpp"

#include <string>

namespace demeter::detail {

/// Returns 30 digits of the middle of an enclosure, or only the certain ones of these digits. high + low is exact in
/// the 128 bits or more that it may need.
std::string enclosure_text(Enclosure const& truth, bool certain);

}  // namespace demeter::detail
