// What the recommended formula of a kernel takes: operations, and columns of the input.
#pragma once

#include "kernels/kernel.hpp"
#include "reference/core/counted.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace demeter {

/// Appends to `answers` what the reference answers to row `row`, as `EvaluateRow`.
using CountRow = void (*)(BasicTable<Counted> const& cases, std::size_t row, BasicTable<Counted>& answers);

/// Null for a kernel that is not in the list. Generated.
CountRow find_count(std::string_view kernel);

struct FormulaCost {
  /// A case, in the mean. Nothing if it was not counted, takes millions, goes on in more digits, or takes powers,
  /// angles and the like, whose operations nobody sees.
  std::optional<Operations> operations;
  std::vector<bool> reads;  ///< of each column of the input whether it is needed; all of a formula that is not counted
};

/// As the reference evaluates it, for the output columns that are `wanted`: what these do not need is not counted. From
/// some of the cases.
FormulaCost formula_cost(Kernel const& kernel, Table const& cases, std::vector<bool> const& wanted);

}  // namespace demeter
