// Two answers compared bit for bit.
#pragma once

#include "reference/spec/core/table.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace demeter {

/// The first part of `node` in which row `at` of the answers differs from the expected row: "distance 2 for 1". Nothing
/// if both are the same to the bit.
std::optional<std::string> difference(Schema const& schema, Node const& node, Table const& answer, std::size_t at,
                                      Table const& expected, std::size_t expected_at);

}  // namespace demeter
