// Comparison of two answers bit by bit.
#pragma once

#include "reference/spec/core/table.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace demeter {

/// Returns the first difference within `node` between row `at` of the answers and the expected row, such as "distance:
/// got 2, expected 1". Returns nothing if both have the same bits.
std::optional<std::string> difference(Schema const& schema, Node const& node, Table const& answer, std::size_t at,
                                      Table const& expected, std::size_t expected_at);

}  // namespace demeter
