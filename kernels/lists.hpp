// Lists among outputs. These functions make the columns to which a batch form (ours, or behind the C interface) writes
// its answers. They also find errors in the lists of an answer.
#pragma once

#include "reference/spec/core/table.hpp"

#include <optional>
#include <string>

namespace demeter {

/// Returns true if an output has lists whose length the answer determines.
bool has_free_lists(Schema const& output);

/// Returns the columns for answers to `cases` before anything is written. Numbers and labels are "not computed", and
/// nullable outputs are present. A list that is as long as an input list has the offsets of that input list. The
/// columns of any other list have space for `room` elements, and their offsets are "not computed".
Table blank_outputs(Schema const& input, Schema const& output, Table const& cases, std::size_t room);

/// Turns columns from `blank_outputs` into a table of answers, after a batch form has written them. Returns an error of
/// the lists, or nothing. After an error the table is unusable. Labels are not checked.
std::optional<std::string> settle_outputs(Schema const& input, Schema const& output, Table const& cases,
                                          std::size_t room, Table& answers);

/// Returns an error of the lists of one answer, or nothing: a length other than that of the input's list, or missing
/// elements. Both tables must be valid for their schemas.
std::optional<std::string> list_flaw(Schema const& input, Schema const& output, Table const& cases, std::size_t row,
                                     Table const& answers, std::size_t answer_row);

/// Copies the numbers of row `from` to row `to`. If lists have different lengths, copies the elements that both have.
void copy_row(Schema const& schema, Table& answers, std::size_t to, std::size_t from);

}  // namespace demeter
