// Lists among outputs: the columns that a batch form (of ours, or behind the C interface) writes its answers to, and
// what may be wrong with the lists of an answer.
#pragma once

#include "reference/spec/core/table.hpp"

#include <optional>
#include <string>

namespace demeter {

/// Whether an output has lists of a length that its answer tells.
bool has_free_lists(Schema const& output);

/// The columns of answers to `cases` before anything is written to them. Numbers and labels are "not computed", a
/// nullable one is present, a list as long as one of the input's has that one's offsets, and the columns of any other
/// list have room for `room` elements and offsets that are "not computed".
Table blank_outputs(Schema const& input, Schema const& output, Table const& cases, std::size_t room);

/// Makes a table of answers of columns as `blank_outputs` makes them, once a batch form has written to them; or says
/// what is wrong with the lists, and leaves the table of no use. Labels are not looked at.
std::optional<std::string> settle_outputs(Schema const& input, Schema const& output, Table const& cases,
                                          std::size_t room, Table& answers);

/// What is wrong with the lists of one answer: another length than that of the input's list, or elements that were left
/// out of a list. Both tables are sound in themselves.
std::optional<std::string> list_flaw(Schema const& input, Schema const& output, Table const& cases, std::size_t row,
                                     Table const& answers, std::size_t answer_row);

/// Gives row `to` the numbers of row `from`; of lists, as far as both go.
void copy_row(Schema const& schema, Table& answers, std::size_t to, std::size_t from);

}  // namespace demeter
