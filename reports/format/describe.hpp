// Kernels, subjects and check results as the records behind `list --json`, `check --json`, results.json and the site.
#pragma once

#include "check/check.hpp"
#include "reports/format/records.hpp"

#include <string>

namespace demeter {

/// "3 numbers", "list of records", ...
std::string shape_of(Node const& node);
/// "8 u |truth|", "8 u S".
std::string budget_text(Budget const& budget);
/// "bounded" or "estimated", the word by which files and pages name the certainty of a kernel's truth.
std::string_view certainty_word(Certainty const& of);
/// The same as a clause: "estimated, not bounded: the error of its quadrature ...".
std::string certainty_text(Certainty const& of);
/// "relative", "scale", ...
std::string measure_name(Measure measure);
/// As records count.
constexpr std::int64_t count(std::uint64_t number) { return static_cast<std::int64_t>(number); }
/// Everything `list` says of a kernel.
report::Kernel describe(Kernel const& kernel);
/// Those found on this machine, and those not.
std::vector<report::Subject> describe_subjects();
std::vector<report::MissingPeer> missing_peers();
/// As many significant digits: for eyes.
double rounded(double value, int digits = 6);
/// The same, but for what would then be on the other side of the limit that it is held against.
double rounded_beside(double limit, double value);
/// Row `row` of a table as a JSON object.
nlohmann::ordered_json record_json(Schema const& schema, Table const& table, std::size_t row);
/// A truth as a JSON object: of each number the digits that are certain, as a string.
nlohmann::ordered_json truth_json(Kernel const& kernel, Truths const& truths, std::size_t row);
/// A number, or "nan", "inf", "-inf".
nlohmann::ordered_json number_json(double value);
/// The results of one subject, with the commands that reproduce what failed.
report::Contender describe(Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                           CheckOptions const& options);
/// "the formula geometric, in growing precision", or what the recommended one's truth is: by what a verdict is reached.
/// `formula` as `SubjectCheck` has it.
std::string truth_words(Kernel const& kernel, std::string_view formula);
/// `demeter explain ...` for a case, with single quotes for a shell.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, std::string_view subject);
/// `held`: what the subject was held to, if that was said.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held);
/// The same for a law, if one is named, with the salt of its random choices.
std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held, std::string_view law, std::uint64_t salt);
/// What shows a recorded failure again: `demeter explain`, or of one in a way of calling the check.
std::string command_again(Kernel const& kernel, RecordedFailure const& failure, Subject const& subject,
                          std::optional<Held> const& held);

}  // namespace demeter
