// Lists of like records in the columns of a table, as results.json has them: there the names of the keys would be half
// of the file.
//
//   [{"a": 1, "b": 2}, {"a": 3}, {"a": 4}]  as  {"columns": ["a", "b"], "rows": [[1, 2], [3, null], [4, null]]}
#pragma once

#include "reports/format/fields.hpp"

namespace demeter::report {

/// The same document with every list of three and more that its record marks `in_columns` as a table; `shape` is that
/// of the document. What is no list of objects stays as it is.
Json with_columns(Shape const& shape, Json json);

/// The same document with every table as the list it stands for. A table whose rows are not of the length of its
/// columns stays as it is: no list, which the reader says.
Json without_columns(Shape const& shape, Json json);

}  // namespace demeter::report
