// Text for the report's formats: escaping, numbers for people and for machines, and the frame of a page.
#pragma once

#include "reports/format/model.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace demeter::report {

/// Not a template: {fmt}'s formatters would be compiled anew in every file.
void add_formatted(std::string& to, fmt::string_view format, fmt::format_args arguments);

template <class... Arguments>
void add(std::string& to, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  add_formatted(to, format, fmt::make_format_args(arguments...));
}

/// A table that scrolls by itself where it is too wide, up to its head; `label` is for those who cannot see it.
void open_table(std::string& html, std::string_view label, std::string_view classes = "");
void close_table(std::string& html);

/// For HTML text and double-quoted attributes.
std::string escaped(std::string_view text);

/// A name of a row or column, `escaped`, that may break after underscores and before "@".
std::string breakable(std::string_view name);

/// "51.8 million": for headlines.
std::string rounded(std::int64_t count);

/// Three significant digits: "0.260", "12.3", "1.50×10⁸", "NaN", "∞"; "–" if not available.
std::string readable(Number value, int significant = 3);

/// The shortest text that reads back as the same double: "nan", "inf"; empty if not available.
std::string exact(Number value);

/// A reported error or other number as a span whose tooltip is the exact value.
std::string number_span(Number value, std::string_view unit = "");

/// The attribute that the page's script sorts a cell by; without a value if the number is not finite.
std::string data_value(Number value);

/// "1 law", "2 laws"
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// At most `length` bytes, cut between characters, with an ellipsis if cut.
std::string shortened(std::string_view text, std::size_t length);

/// A command or other text to be copied; the button is added by the page's script.
std::string copyable(std::string_view text);

/// The fields of a case, one a line, in the order of `fields` (names unknown to it come last). Not escaped.
std::string case_text(Json const& value, std::vector<Field> const& fields);

/// The same on one line.
std::string case_line(Json const& value, std::vector<Field> const& fields);

/// The value at a dotted path ("sigma.point"), null if there is none.
Json at_path(Json const& value, std::string_view path);

/// An error in units u: "2.50 u"; from a million on the digits that are left, "8.3 digits", or "62 %"; "not finite".
std::string error_text(Number error, Contender const& of);

/// Of an error relative to its measure: "15.1 digits", "wrong" for less than one, "wrong (not finite)".
std::string digits_text(Number error);

/// "no failure in 36 (at most 8 %)": what few cases say.
std::string few_text(std::int64_t cases);

/// A name as part of an anchor: what may not stand in one is a hyphen.
std::string anchor(std::string_view name);

/// The cell that sums up a profile: "✓ 15.1 digits", "✗ 8 of 12", "✗ no", with n below it.
std::string profile_cell(Kernel const& kernel, Contender const& contender, std::string_view profile);

/// "fast" with its levels below it, or the name of the only one.
std::string line_name(Line const& line);

/// A command-line's words for how many cases there were: " --count segment_distance=5000,...".
std::string counts_option(Results const& results);

/// "held", "exceeded", ...: the class that colours a cell, and the mark that says the same without colour.
std::string_view style_class(Standing standing, Number ratio);
std::string_view mark(Standing standing);

/// A page of its own: `title` is escaped here, links of the bar on top, body and footer are HTML.
std::string framed(std::string_view title, std::string_view links, std::string_view body, std::string_view footer);

/// A page of the report. `title` is escaped here, `body` is HTML.
std::string page(Results const& results, std::string_view title, std::string_view body);

}  // namespace demeter::report
