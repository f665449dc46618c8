// Conversion between records and rows of tables. A table is a structure of arrays. The harness passes cases, answers
// and truths as tables, and the C ABI receives pointers to their columns.
#pragma once

#include "reference/spec/core/schema.hpp"

#include <type_traits>

namespace demeter {

/// Returns the label that marks an output as not computed. Its cell in a table contains `not_computed()`.
template <labelled Label>
constexpr Label no_label() {
  return static_cast<Label>(255);
}

/// Returns whether a subject computed this output. Checks only the first number. An empty list and a null count as
/// computed.
template <class T>
bool is_computed(T const& value) {
  if constexpr (fixed_vector<T>)
    return !is_not_computed(value[0]);
  else if constexpr (list<T>)
    return value.empty() || is_computed(value.front());
  else if constexpr (nullable<T>)
    return !value || is_computed(*value);
  else if constexpr (labelled<T>)
    return value != no_label<T>();
  else if constexpr (record<T>)
    return is_computed(value.*std::get<0>(T::fields()).member);
  else
    return !is_not_computed(value);
}

/// Marks a value as not computed.
template <class T>
void fill_not_computed(T& value) {
  if constexpr (fixed_vector<T>) {
    for (Index i = 0; i < value.size(); ++i) fill_not_computed(value[i]);
  } else if constexpr (list<T>) {
    value.clear();
  } else if constexpr (nullable<T>) {
    fill_not_computed(value.emplace());
  } else if constexpr (labelled<T>) {
    value = no_label<T>();
  } else if constexpr (record<T>) {
    for_each_field<T>([&](auto const& each) { fill_not_computed(value.*(each.member)); });
  } else {
    value = T(not_computed());
  }
}
/// Marks the outputs with these names as not computed.
template <record Output, class Names>
void leave_out(Output& out, Names const& names) {
  for_each_field<Output>([&](auto const& each) {
    for (auto const& name : names)
      if (each.name == name) fill_not_computed(out.*(each.member));
  });
}

namespace detail {

template <class T, class Get>
void load_cells(T& value, std::size_t column, std::size_t row, Get&& get) {
  if constexpr (fixed_vector<T>) {
    for (Index i = 0; i < value.size(); ++i) get.number(value[i], column + static_cast<std::size_t>(i), row);
  } else if constexpr (list<T>) {
    std::size_t const begin = get.index(column, row), end = get.index(column, row + 1);
    value.resize(end - begin);
    for (std::size_t i = begin; i < end; ++i) load_cells(value[i - begin], column + 1, i, get);
  } else if constexpr (nullable<T>) {
    if (get.index(column, row) == 0) return value.reset();
    value.emplace();
    load_cells(*value, column + 1, row, get);
  } else if constexpr (labelled<T>) {
    value = get.template label<T>(column, row);
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
    for (Index i = 0; i < value.size(); ++i) put.number(column + static_cast<std::size_t>(i), value[i]);
  } else if constexpr (list<T>) {
    for (auto const& element : value) append_cells(element, column + 1, put);
    put.end_list(column, value.size());
  } else if constexpr (nullable<T>) {
    put.index(column, value ? 1 : 0);
    using Value = typename T::value_type;
    if (value) return append_cells(*value, column + 1, put);
    append_cells(Value{}, column + 1, put);
  } else if constexpr (labelled<T>) {
    put.label(column, value);
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

template <class Cell>
struct CellReader {
  BasicTable<Cell> const& table;
  template <class Scalar>
  void number(Scalar& value, std::size_t column, std::size_t row) const {
    if constexpr (std::is_same_v<Scalar, Cell>) {
      value = table.columns[column][row];
    } else {
      value = ScalarCast<Scalar, Cell>::apply(table.columns[column][row]);
    }
  }
  std::size_t index(std::size_t column, std::size_t row) const {
    return IndexCell<Cell>::read(table.columns[column][row]);
  }
  template <labelled Label>
  Label label(std::size_t column, std::size_t row) const {
    if constexpr (std::is_same_v<Cell, double>)
      if (is_not_computed(table.columns[column][row])) return no_label<Label>();
    return static_cast<Label>(index(column, row));
  }
};

template <class Cell>
struct CellWriter {
  BasicTable<Cell>& table;
  template <class Scalar>
  void number(std::size_t column, Scalar const& value) {
    if constexpr (std::is_same_v<Scalar, Cell>) {
      table.columns[column].push_back(value);
    } else {
      table.columns[column].push_back(ScalarCast<Cell, Scalar>::apply(value));
    }
  }
  void index(std::size_t column, std::size_t value) { table.columns[column].push_back(IndexCell<Cell>::write(value)); }
  template <labelled Label>
  void label(std::size_t column, Label value) {
    bool const none = value == no_label<Label>();
    if constexpr (std::is_same_v<Cell, double>)
      if (none) return table.columns[column].push_back(not_computed());
    index(column, none ? 0 : static_cast<std::size_t>(value));
  }
  void end_list(std::size_t column, std::size_t size) {
    auto& offsets = table.columns[column];
    offsets.push_back(IndexCell<Cell>::write(IndexCell<Cell>::read(offsets.back()) + size));
  }
};

}  // namespace detail

/// Returns row `row` as a record of any scalar type. Exact texts are ignored: reference/core/exact.hpp reads them.
template <record Record, class Cell>
void load(Record& value, BasicTable<Cell> const& table, std::size_t row) {
  detail::load_cells(value, 0, row, detail::CellReader<Cell>{table});
}
template <record Record, class Cell>
Record load(BasicTable<Cell> const& table, std::size_t row) {
  Record value;
  load(value, table, row);
  return value;
}

/// Appends a record as the last row of the table.
template <class Cell, record Record>
void append(BasicTable<Cell>& table, Record const& value) {
  detail::append_cells(value, 0, detail::CellWriter<Cell>{table});
  ++table.rows;
}

}  // namespace demeter
