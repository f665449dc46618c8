// Exact numbers as text. Reads the values of "0.1" and "3/5", reads rows of a table at any precision, and prints
// numbers with any number of correctly rounded digits.
#pragma once

#include "reference/core/rational.hpp"
#include "reference/spec/core/columns.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// Returns the exact value of a decimal ("-1.5e-3") or of a ratio of integers ("3/5"). Returns nullopt if the text is
/// neither, or if its exponent is beyond +-9999 (which would need gigabytes).
std::optional<Rational> parse_exact(std::string_view text);

/// Returns the binary64 number nearest to a rational: ties to even, with gradual underflow.
double nearest(Rational const& value);

/// Returns row `row` of the cases as a table of one row. If a number is stored as an exact text ("0.1"), the text gives
/// its value.
BasicTable<Multiprecision> exact_row(Schema const& input, Table const& cases, std::size_t row);

/// Returns the shortest decimal that is read as the same double, or nan, inf or -inf.
std::string shortest(double value);

/// Returns `digits` significant digits, rounded to nearest: "-1.2345e-7".
std::string decimal(mpfr_srcptr value, unsigned digits);

}  // namespace demeter
