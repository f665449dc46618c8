// Many records as columns (structure of arrays): the form in which cases and answers travel through the harness, and,
// pointer by pointer, the C ABI's.
#pragma once

#include "reference/spec/core/schema.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace demeter {

/// Columns in fields() order, nested fields flattened. A column inside a list is as long as all its lists together;
/// row r of a list has the elements offsets[r] to offsets[r + 1]. Labels are stored as their index.
template <class Cell>
struct BasicTable {
  std::size_t rows = 0;
  std::vector<std::vector<Cell>> columns;
};

/// Cells of binary64. Where a case gave a number as an exact decimal or ratio that no double holds, `exact` keeps its
/// text by (column, index), and the cell its value rounded to nearest.
struct Table : BasicTable<double> {
  std::map<std::pair<std::size_t, std::size_t>, std::string> exact;

  Table() = default;
  explicit Table(Schema const& schema) { clear(schema); }

  /// Empties the table and gives it the schema's columns; each offsets column starts with its leading 0.
  void clear(Schema const& schema) {
    rows = 0;
    exact.clear();
    columns.resize(schema.columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].clear();
      if (schema.columns[i].kind == ColumnInfo::Kind::offsets) columns[i].push_back(0);
    }
  }
};

/// The cell of an output that a subject did not compute: a quiet NaN of its own bit pattern, so that a subject's
/// computed NaN is never taken for it.
inline double not_computed() { return std::bit_cast<double>(std::uint64_t{0x7ff8'dece'0000'0001}); }
inline bool is_not_computed(double value) {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(not_computed());
}

/// Whether a subject computed anything of a node's part of row `at`. An empty list and a null are answers; of a list
/// that was not computed there is one element, which was not computed either.
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

/// Appends a node that was not computed.
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

namespace detail {

template <class T, class Get>
void load_cells(T& value, std::size_t column, std::size_t row, Get&& get) {
  if constexpr (fixed_vector<T>) {
    for (Eigen::Index i = 0; i < value.size(); ++i) get.number(value[i], column + static_cast<std::size_t>(i), row);
  } else if constexpr (list<T>) {
    std::size_t const begin = get.index(column, row), end = get.index(column, row + 1);
    value.resize(end - begin);
    for (std::size_t i = begin; i < end; ++i) load_cells(value[i - begin], column + 1, i, get);
  } else if constexpr (nullable<T>) {
    if (get.index(column, row) == 0) return value.reset();
    value.emplace();
    load_cells(*value, column + 1, row, get);
  } else if constexpr (labelled<T>) {
    value = static_cast<T>(get.index(column, row));
  } else if constexpr (record<T>) {
    for_each_field<T>([&](auto const& each) {
      auto& member = value.*(each.member);
      load_cells(member, column, row, get);
      column += column_count<std::remove_cvref_t<decltype(member)>>();
    });
  } else {
    get.number(value, column, row);
  }
}

template <class T, class Put>
void append_cells(T const& value, std::size_t column, Put&& put) {
  if constexpr (fixed_vector<T>) {
    for (Eigen::Index i = 0; i < value.size(); ++i) put.number(column + static_cast<std::size_t>(i), value[i]);
  } else if constexpr (list<T>) {
    for (auto const& element : value) append_cells(element, column + 1, put);
    put.end_list(column, value.size());
  } else if constexpr (nullable<T>) {
    put.index(column, value ? 1 : 0);
    using Value = typename T::value_type;
    if (value) return append_cells(*value, column + 1, put);
    Value none{};
    if constexpr (fixed_vector<Value>)  // Eigen leaves its numbers as they are
      for (Eigen::Index i = 0; i < none.size(); ++i) none[i] = typename Value::Scalar{};
    append_cells(none, column + 1, put);
  } else if constexpr (labelled<T>) {
    put.index(column, static_cast<std::size_t>(value));
  } else if constexpr (record<T>) {
    for_each_field<T>([&](auto const& each) {
      auto const& member = value.*(each.member);
      append_cells(member, column, put);
      column += column_count<std::remove_cvref_t<decltype(member)>>();
    });
  } else {
    put.number(column, value);
  }
}

struct DoubleReader {
  Table const& table;
  void number(double& value, std::size_t column, std::size_t row) const { value = table.columns[column][row]; }
  template <class Scalar>
  void number(Scalar& value, std::size_t column, std::size_t row) const {
    value = ScalarCast<Scalar, double>::apply(table.columns[column][row]);
  }
  std::size_t index(std::size_t column, std::size_t row) const {
    double const cell = table.columns[column][row];
    return cell > 0 ? static_cast<std::size_t>(cell) : 0;  // a label that was not computed is a NaN
  }
};

struct DoubleWriter {
  Table& table;
  void number(std::size_t column, double value) { table.columns[column].push_back(value); }
  template <class Scalar>
  void number(std::size_t column, Scalar const& value) {
    table.columns[column].push_back(ScalarCast<double, Scalar>::apply(value));
  }
  void index(std::size_t column, std::size_t value) { table.columns[column].push_back(static_cast<double>(value)); }
  void end_list(std::size_t column, std::size_t size) {
    auto& offsets = table.columns[column];
    offsets.push_back(offsets.back() + static_cast<double>(size));
  }
};

}  // namespace detail

/// Row `row` as a record (any scalar; exact texts are not looked at, see reference/core/exact.hpp for that).
template <record Record>
void load(Record& value, Table const& table, std::size_t row) {
  detail::load_cells(value, 0, row, detail::DoubleReader{table});
}
template <record Record>
Record load(Table const& table, std::size_t row) {
  Record value;
  load(value, table, row);
  return value;
}

/// Appends a record as the table's last row.
template <record Record>
void append(Table& table, Record const& value) {
  detail::append_cells(value, 0, detail::DoubleWriter{table});
  ++table.rows;
}

/// Appends row `row` of `from`, a table of the same schema.
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

/// A table as it was, to go back to.
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
