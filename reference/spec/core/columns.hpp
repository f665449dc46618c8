// Schemas and tables as plain data, independent of the record types. Most of the harness uses only these.
#pragma once

#include "reference/spec/core/kind.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter {

/// One node of the tree that describes a record. The columns of a node are consecutive and start at `column`. The first
/// column of a nullable node is its presence column (1 or 0). The first column of a list is its offsets column. One
/// column for each number follows.
struct Node {
  enum class Kind { number, enumeration, record, list };

  std::string name;
  std::string unit;
  std::string doc;
  Kind kind = Kind::number;
  demeter::Kind geometry = demeter::Kind::number;  ///< how its numbers change when the frame changes
  std::size_t extent = 0;                          ///< for a number: 0 for a scalar, n for a vector of n components
  bool nullable = false;
  std::vector<std::string_view> labels;  ///< for an enumeration
  std::vector<Node> children;            ///< for a record its fields, for a list its element type
  std::string length_of;                 ///< for a list in an output: the input list of the same length, or empty
  bool infinite = false;                 ///< for an input: infinity is allowed
  std::size_t column = 0;
  std::size_t columns = 0;

  /// Returns the index of the first column with numbers (skips the presence column).
  std::size_t values() const { return column + (nullable ? 1 : 0); }
};

/// Describes one column of a table.
struct ColumnInfo {
  enum class Kind { number, label, presence, offsets };
  std::string path;  ///< for example "p0[1]" or "members.force[2]"
  Kind kind;
  std::size_t list;  ///< the offsets column of the list that contains this column, or `Schema::top`
};

struct Schema {
  static constexpr std::size_t top = static_cast<std::size_t>(-1);
  Node root;
  std::vector<ColumnInfo> columns;
};

/// A table with columns in the order of fields(). Nested records have no columns of their own. A column inside a list
/// has one cell for each element of the lists of all rows. The elements of the list in row r have the indices from
/// offsets[r] up to, but not including, offsets[r + 1]. Labels are stored as their index.
template <class Cell>
struct BasicTable {
  std::size_t rows = 0;
  std::vector<std::vector<Cell>> columns;
};

/// Reads and writes an index in a cell: the index of a label, an offset, or 1/0 for presence.
template <class Cell>
struct IndexCell {
  static std::size_t read(Cell const& cell) {
    auto const value = static_cast<double>(cell);
    return value > 0 ? static_cast<std::size_t>(value) : 0;  // the cell of a label that was not computed is NaN
  }
  static Cell write(std::size_t index) { return Cell(static_cast<double>(index)); }
};
template <>
struct IndexCell<std::string> {
  static std::size_t read(std::string const& cell) { return std::stoul(cell); }
  static std::string write(std::size_t index) { return std::to_string(index); }
};

/// Empties a table and gives it the columns of a schema. Each offsets column starts with one 0.
template <class Cell>
void clear(BasicTable<Cell>& table, Schema const& schema) {
  table.rows = 0;
  table.columns.resize(schema.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    table.columns[i].clear();
    if (schema.columns[i].kind == ColumnInfo::Kind::offsets) table.columns[i].push_back(IndexCell<Cell>::write(0));
  }
}
template <class Cell>
BasicTable<Cell> empty_table(Schema const& schema) {
  BasicTable<Cell> table;
  clear(table, schema);
  return table;
}

/// Appends row `row` of `from` to `to`. Both tables have the schema `schema`. `number(column, index)` returns the new
/// cell for a number.
template <class To, class From, class Number>
void append_row_as(Schema const& schema, BasicTable<To>& to, BasicTable<From> const& from, std::size_t row,
                   Number const& number) {
  auto const copy = [&](auto const& self, Node const& node, std::size_t at) -> void {
    auto const index = [&](std::size_t column, std::size_t of) {
      return IndexCell<From>::read(from.columns[column][of]);
    };
    auto const append_index = [&](std::size_t column, std::size_t value) {
      to.columns[column].push_back(IndexCell<To>::write(value));
    };
    if (node.nullable) append_index(node.column, index(node.column, at));
    switch (node.kind) {
      case Node::Kind::number:
        for (std::size_t column = node.values(); column < node.column + node.columns; ++column)
          to.columns[column].push_back(number(column, at));
        break;
      case Node::Kind::enumeration:
        append_index(node.column, index(node.column, at));
        break;
      case Node::Kind::record:
        for (auto const& child : node.children) self(self, child, at);
        break;
      case Node::Kind::list: {
        std::size_t const begin = index(node.column, at), end = index(node.column, at + 1);
        for (std::size_t i = begin; i < end; ++i) self(self, node.children.front(), i);
        append_index(node.column, IndexCell<To>::read(to.columns[node.column].back()) + end - begin);
        break;
      }
    }
  };
  copy(copy, schema.root, row);
  ++to.rows;
}

/// A table of binary64 cells. A case may give a number as an exact decimal or ratio that no double represents. Then the
/// cell contains the nearest double, and `exact` contains the text under the key (column, index).
struct Table : BasicTable<double> {
  std::map<std::pair<std::size_t, std::size_t>, std::string> exact;

  Table() = default;
  explicit Table(Schema const& schema) { clear(schema); }

  /// Empties the table and gives it the columns of the schema. Each offsets column starts with one 0.
  void clear(Schema const& schema) {
    exact.clear();
    demeter::clear<double>(*this, schema);
  }
};

/// Returns the cell value of an output that a subject did not compute. It is a quiet NaN with bits that no computed NaN
/// has.
inline double not_computed() { return std::bit_cast<double>(std::uint64_t{0x7ff8'dece'0000'0001}); }
inline bool is_not_computed(double value) {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(not_computed());
}

/// Returns whether a subject computed at least one number of this node in row `at`. An empty list and a null count as
/// computed. A list that was not computed is stored as one element that was not computed.
inline bool is_computed(Node const& node, Table const& table, std::size_t at) {
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (is_computed(child, table, at)) return true;
      return false;
    case Node::Kind::list: {
      auto const begin = static_cast<std::size_t>(table.columns[node.column][at]);
      auto const end = static_cast<std::size_t>(table.columns[node.column][at + 1]);
      return begin == end || is_computed(node.children.front(), table, begin);
    }
    default:
      return (node.nullable && table.columns[node.column][at] == 0) ||
             !is_not_computed(table.columns[node.values()][at]);
  }
}

/// Appends a node and marks all its numbers as not computed.
inline void append_not_computed(Node const& node, Table& table) {
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children) append_not_computed(child, table);
      break;
    case Node::Kind::list: {
      append_not_computed(node.children.front(), table);
      auto& offsets = table.columns[node.column];
      offsets.push_back(offsets.back() + 1);
      break;
    }
    default:
      if (node.nullable) table.columns[node.column].push_back(1);
      for (std::size_t i = node.values(); i < node.column + node.columns; ++i)
        table.columns[i].push_back(not_computed());
  }
}

/// Appends row `row` of `from` to `to`. Both tables have the schema `schema`. Copies the exact texts of the cells too.
inline void append_row(Schema const& schema, Table& to, Table const& from, std::size_t row) {
  auto const copy = [&](auto const& self, Node const& node, std::size_t at) -> void {
    auto const move_cell = [&](std::size_t column) {
      if (auto found = from.exact.find({column, at}); found != from.exact.end())
        to.exact[{column, to.columns[column].size()}] = found->second;
      to.columns[column].push_back(from.columns[column][at]);
    };
    switch (node.kind) {
      case Node::Kind::record:
        for (auto const& child : node.children) self(self, child, at);
        break;
      case Node::Kind::list: {
        auto const begin = static_cast<std::size_t>(from.columns[node.column][at]);
        auto const end = static_cast<std::size_t>(from.columns[node.column][at + 1]);
        for (std::size_t i = begin; i < end; ++i) self(self, node.children.front(), i);
        auto& offsets = to.columns[node.column];
        offsets.push_back(offsets.back() + static_cast<double>(end - begin));
        break;
      }
      default:
        for (std::size_t i = 0; i < node.columns; ++i) move_cell(node.column + i);
    }
  };
  copy(copy, schema.root, row);
  ++to.rows;
}

/// Stores the sizes of the columns of a table, so that rows that are appended later can be removed again.
struct TableMark {
  std::vector<std::size_t> sizes;
  std::size_t rows;

  explicit TableMark(Table const& table) : rows(table.rows) {
    for (auto const& column : table.columns) sizes.push_back(column.size());
  }
  void restore(Table& table) const {
    for (std::size_t i = 0; i < sizes.size(); ++i) table.columns[i].resize(sizes[i]);
    std::erase_if(table.exact, [&](auto const& entry) { return entry.first.second >= sizes[entry.first.first]; });
    table.rows = rows;
  }
};

}  // namespace demeter
