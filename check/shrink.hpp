// Shrinks a failing case to a small, readable one.
#pragma once

#include "reference/spec/core/table.hpp"

#include <functional>
#include <vector>

namespace demeter {

/// Returns which rows of a table of candidates still fail. The table has many candidates, because a call of an outside
/// subject costs a process.
using StillFails = std::function<std::vector<bool>(Table const& candidates)>;

/// Appends cases with shorter lists, see Kernel::simpler. Empty: `shrink` removes elements of lists itself.
using Simpler = std::function<void(Table const& cases, std::size_t row, Table& into)>;

/// Shrinks a case that fails towards zeros, small integers, numbers with few bits and short lists. Each round tries all
/// simplifications and keeps the simplest case that still fails. Ends when no simplification fails, or when the limit
/// of work is reached. Row `row` of `cases` must fail. Returns a table of one row, which fails. Deterministic.
Table shrink(Schema const& schema, Table const& cases, std::size_t row, StillFails const& still_fails,
             Simpler const& simpler = {});

/// Returns the complexity of a number: 0 for 0, otherwise the bits of its significand plus the size of its exponent.
double complexity(double value);
/// Returns the complexity of a number for a reader: a short decimal is as simple as a short binary number.
double reading_complexity(double value);
/// Returns numbers that are simpler than `value`: some are near to it, others far away.
std::vector<double> simpler_numbers(double value);

}  // namespace demeter
