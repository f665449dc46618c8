// Texts of numbers that are known to lie in an enclosure.
#pragma once

#include "oracles/core/enclosure.hpp"

#include <string>

namespace demeter::detail {

/// 30 digits of the middle of an enclosure (high + low is exact in the 128 bits and more that it may need), or those of
/// them that are certain.
std::string enclosure_text(Enclosure const& truth, bool certain);

}  // namespace demeter::detail
