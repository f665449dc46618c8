// Text for the report's formats: escaping, numbers for readers and for programs, and the frame of a page.
#pragma once

#include "reports/format/model.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace demeter::report {

/// Appends formatted text. This function is not a template, because each file would then compile {fmt} again.
void add_formatted(std::string& to, fmt::string_view format, fmt::format_args arguments);

template <class... Arguments>
void add(std::string& to, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  add_formatted(to, format, fmt::make_format_args(arguments...));
}

/// Opens a table that scrolls horizontally if it is too wide. `label` is read by screen readers.
void open_table(std::string& html, std::string_view label, std::string_view classes = "");
void close_table(std::string& html);

/// Returns `text` escaped for HTML text and double-quoted attributes.
std::string escaped(std::string_view text);

/// Returns the escaped name of a row or column, which may be broken after underscores and before "@".
std::string breakable(std::string_view name);

/// Returns a count for headlines, for example "51.8 million".
std::string rounded(std::int64_t count);

/// Returns the value with `significant` digits: "0.260", "12.3", "1.50×10⁸", "NaN", "∞"; "–" if not available.
std::string readable(Number value, int significant = 3);

/// Returns the shortest text that reads back as the same double, or "nan", "inf"; empty if not available.
std::string exact(Number value);

/// Returns a span that shows a rounded number and has the exact value as tooltip.
std::string number_span(Number value, std::string_view unit = "");

/// Returns the attribute by which the page's script sorts a cell. Its value is empty if the number is not finite.
std::string data_value(Number value);

/// Returns a link to a page outside of the report. Only an address that begins with "https://" becomes a link.
std::string outside_link(std::string_view address, std::string_view text);

/// Returns for example "1 law", "2 laws".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// Returns at most `length` bytes of `text`, cut between characters, followed by an ellipsis if it was cut.
std::string shortened(std::string_view text, std::size_t length);

/// Returns a block with a command or other text to copy. The page's script adds the copy button.
std::string copyable(std::string_view text);

/// Returns the fields of a case, one per line, in the order of `fields` (other names come last). Not escaped.
std::string case_text(Json const& value, std::vector<Field> const& fields);

/// Returns the fields of a case on one line, in the order of `case_text`. Not escaped.
std::string case_line(Json const& value, std::vector<Field> const& fields);

/// Returns the value at a dotted path ("sigma.point"), or null if there is none.
Json at_path(Json const& value, std::string_view path);

/// Returns an error in u: "2.50 u". For errors of at least 10^6 u it returns the correct digits, "8.3 digits", and for
/// errors of at least 1 % the percentage, "62 %". Returns "not finite" for infinity and NaN.
std::string error_text(Number error, Contender const& of);

/// Returns the number of correct digits of a relative error: "15.1 digits", "wrong" for less than one digit, "wrong
/// (not finite)".
std::string digits_text(Number error);

/// Returns for example "no failure in 36 (≤ 8 % fail)": an upper bound of the failure rate for few cases.
std::string few_text(std::int64_t cases);

/// Returns a name as part of an anchor. Characters that are not allowed become hyphens.
std::string anchor(std::string_view name);

/// Returns the cell that summarizes a profile: "✓ 15.1 digits", "✗ 8 of 12", with n below it.
std::string profile_cell(Kernel const& kernel, Contender const& contender, std::string_view profile);

/// Returns "fast" with its instruction sets below it, or the name of the only contender of the line.
std::string line_name(Line const& line);

/// Returns the command-line option with the number of cases per kernel: " --count segment_distance=5000,...".
std::string counts_option(Results const& results);

/// Return the style class that colours a cell ("held", "exceeded", ...), and a mark with the same meaning for readers
/// who do not see the colour.
std::string_view style_class(Standing standing, Number ratio);
std::string_view mark(Standing standing);

/// Returns a complete HTML page. The function escapes `title`; `links` (the bar at the top), `body` and `footer` are
/// HTML.
std::string framed(std::string_view title, std::string_view links, std::string_view body, std::string_view footer);

/// Returns a page of the report. The function escapes `title`; `body` is HTML.
std::string page(Results const& results, std::string_view title, std::string_view body);

}  // namespace demeter::report
