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

/// "held", "exceeded", ...: the class that colours a cell, and the mark that says the same without colour.
std::string_view style_class(Standing standing, Number ratio);
std::string_view mark(Standing standing);

/// A whole page. `title` is escaped here, `body` is HTML.
std::string page(Results const& results, std::string_view title, std::string_view body);

}  // namespace demeter::report
