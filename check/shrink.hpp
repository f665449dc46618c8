// From a failing case to a small readable one.
#pragma once

#include "reference/spec/core/table.hpp"

#include <functional>
#include <vector>

namespace demeter {

/// Which rows of a table of candidates still fail. Called with many candidates at once, because asking an outside
/// subject costs a process.
using StillFails = std::function<std::vector<bool>(Table const& candidates)>;

/// Appends cases with shorter lists, see Kernel::simpler; empty: elements of lists are left out.
using Simpler = std::function<void(Table const& cases, std::size_t row, Table& into)>;

/// Greedy descent toward zeros, small integers and few-bit dyadic numbers and toward short lists: each round tries
/// every simplification of every number and list of the case and keeps the simplest that still fails, until none does.
/// Deterministic. `cases` row `row` must fail; the result is a table of one row, which fails.
Table shrink(Schema const& schema, Table const& cases, std::size_t row, StillFails const& still_fails,
             Simpler const& simpler = {});

/// How complicated a number looks: 0 for 0, otherwise the bits of its significand and the size of its exponent.
double complexity(double value);
/// The same as a reader sees it: a short decimal is as simple as a short binary number.
double reading_complexity(double value);
/// Simpler numbers in the neighbourhood of `value`, and far ones worth a try.
std::vector<double> simpler_numbers(double value);

}  // namespace demeter
