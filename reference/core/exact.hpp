// Exact numbers in text: what "0.1" and "3/5" mean, rows of a table read at any precision, and numbers written with
// as many correctly rounded digits as asked for.
#pragma once

#include "reference/core/rational.hpp"
#include "reference/spec/core/columns.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// A decimal ("-1.5e-3") or a ratio of integers ("3/5"), exactly; nothing if the text is neither, or if its exponent
/// is beyond +-9999 (which would need gigabytes).
std::optional<Rational> parse_exact(std::string_view text);

/// The binary64 nearest to a rational, ties to even, gradual underflow included.
double nearest(Rational const& value);

/// Row `row` of cases as a table of its own, exact texts included.
BasicTable<Multiprecision> exact_row(Schema const& input, Table const& cases, std::size_t row);

/// The shortest decimal that reads back as the same double; "nan", "inf", "-inf" without quotes.
std::string shortest(double value);

/// `digits` significant digits, correctly rounded to nearest: "-1.2345e-7".
std::string decimal(mpfr_srcptr value, unsigned digits);

}  // namespace demeter
