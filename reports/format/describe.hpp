// Describes kernels, subjects and check results as records, for `list --json`, `check --json`, results.json and the
// site.
#pragma once

#include "check/check.hpp"
#include "reports/format/records.hpp"

#include <string>

namespace demeter {

/// Returns the shape of a field: "3 numbers", "list of records", ...
std::string shape_of(Node const& node);
/// Returns a budget as text: "8 u |truth|", "8 u S".
std::string budget_text(Budget const& budget);
/// Returns "bounded" or "estimated", the word for the certainty of a kernel's truth in files and pages.
std::string_view certainty_word(Certainty const& of);
/// Returns the certainty as a clause, with the reason: "estimated, not bounded: the error of its quadrature ...".
std::string certainty_text(Certainty const& of);
/// Returns the name of a measure: "relative", "scale", ...
std::string measure_name(Measure measure);
/// Converts a count to the type used in records.
constexpr std::int64_t count(std::uint64_t number) { return static_cast<std::int64_t>(number); }
/// Returns everything that `list` prints about a kernel.
report::Kernel describe(Kernel const& kernel);
/// Return the subjects that are available on this machine, and the peers that are not available.
std::vector<report::Subject> describe_subjects(std::vector<Subject const*> const& outside = {});
std::vector<report::MissingPeer> missing_peers();
/// Returns a value rounded to significant digits, for display.
double rounded(double value, int digits = 6);
/// Returns a rounded value. If rounding would move the value across `limit`, returns the value itself.
double rounded_beside(double limit, double value);
/// Returns row `row` of a table as a JSON object.
nlohmann::ordered_json record_json(Schema const& schema, Table const& table, std::size_t row);
/// Returns a truth as a JSON object. Each number is a string with only those digits that are certain.
nlohmann::ordered_json truth_json(Kernel const& kernel, Truths const& truths, std::size_t row);
/// Returns a finite number as a number, and other numbers as "nan", "inf" or "-inf".
nlohmann::ordered_json number_json(double value);
/// Says which examples have an input, an answer and a truth. whole: all. brief: failing cases that are not long. The
/// other examples are drawn again by their commands. They would take most of the space of a report.
enum class Examples { whole, brief };
/// Returns the results of one subject, with commands that reproduce its failures.
report::Contender describe(Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                           CheckOptions const& options, Examples examples = Examples::whole);
/// Returns in words the truth that a verdict is based on: "the formula geometric, in growing precision", or the
/// certainty of the recommended formula's truth. `formula` has the meaning of `SubjectCheck::formula`.
std::string truth_words(Kernel const& kernel, std::string_view formula);
/// Returns the command `demeter explain ...` for a case, with single quotes for a shell.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, std::string_view subject);
/// Returns the command with the options of the subject. `held` is the tolerance of the subject, if the user has set it.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held);
/// Returns the command for a case that is drawn again by its id.
std::string explain_drawn(Kernel const& kernel, std::uint64_t id, std::string_view regime, std::uint64_t seed,
                          Subject const& subject, std::optional<Held> const& held);
/// Returns the command with a law, if `law` is not empty, and with the salt of the law's random choices.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held, std::string_view law, std::uint64_t salt);
/// Returns the command that reproduces a recorded failure. This is `demeter check` for a failure of a call pattern, and
/// otherwise `demeter explain`.
std::string command_again(Kernel const& kernel, RecordedFailure const& failure, Subject const& subject,
                          std::optional<Held> const& held);

}  // namespace demeter
