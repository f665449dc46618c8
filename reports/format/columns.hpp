// Lists of like records in the columns of a table, as results.json has them: there the names of the keys would be half
// of the file.
//
//   [{"a": 1, "b": 2}, {"a": 3}, {"a": 4}]  as  {"columns": ["a", "b"], "rows": [[1, 2], [3, null], [4, null]]}
//
// A record of which only the first field is there stands as that field's value. What follows from one column, where the
// list has such a key, stands once for each value of it,
//
//   {"columns": ["a", "b"], "rows": [["x", 1], ["x", 2], ...], "with": {"columns": ["a", "c"], "rows": [["x", 5],
//   ...]}}
//
// and a list that an earlier record beside has too is {"same_as": "the first field of that record"}.
#pragma once

#include "reports/format/fields.hpp"

namespace demeter::report {

/// The same document with every list of three and more that its record marks `in_columns` as a table, and what records
/// of a list marked `alike` have in common once; `shape` is that of the document. What is no list of objects stays as
/// it is.
Json with_columns(Shape const& shape, Json json);

/// The same document with every table as the list it stands for. A table whose rows are not of the length of its
/// columns, or that lacks what it refers to, stays as it is: no list, which the reader says.
Json without_columns(Shape const& shape, Json json);

}  // namespace demeter::report
