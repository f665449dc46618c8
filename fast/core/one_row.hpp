// Answers one case with the batch form: the case becomes one row of columns in fields() order.
#pragma once

#include "fast/core/forms.hpp"
#include "reference/spec/core/schema.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace demeter::fast_core {

/// Calls visit(member, first column of the member) for every member of a record. `column` is the first column of the
/// record. All column numbers are constants after inlining.
template <class Record, class Visit>
inline void for_each_member(Record& value, std::size_t column, Visit const& visit) {
  using Fields = std::remove_cvref_t<Record>;
  [&]<std::size_t... field>(std::index_sequence<field...>) {
    auto const next = [&](auto& member) {
      visit(member, column);
      column += detail::column_count<std::remove_cvref_t<decltype(member)>>();
    };
    (next(value.*(std::get<field>(fields_of<Fields>).member)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Fields::fields())>>());
}

/// Addresses of the numbers of an input, one per column. Labels and presence flags are not doubles in the record, so
/// `others` stores them as doubles.
template <record Input>
struct InputRow {
  double const* from[detail::column_count<Input>()];
  double others[detail::column_count<Input>()];

  explicit InputRow(Input const& in) { list(in, 0); }

 private:
  void hold(double value, std::size_t column) {
    others[column] = value;
    from[column] = &others[column];
  }
  template <class T>
  void list(T const& value, std::size_t column) {
    if constexpr (fixed_vector<T>) {
      for (double const& each : value) from[column++] = &each;
    } else if constexpr (nullable<T>) {
      hold(value ? 1 : 0, column);
      for (std::size_t i = 1; i < detail::column_count<T>(); ++i) hold(0, column + i);
      if (value) list(*value, column + 1);
    } else if constexpr (labelled<T>) {
      hold(static_cast<double>(value), column);
    } else if constexpr (record<T>) {
      for_each_member(value, column, [this](auto const& member, std::size_t at) { this->list(member, at); });
    } else {
      from[column] = &value;
    }
  }
};

/// Addresses to which the numbers of an output are written, one per column. Labels and nullable members are written to
/// `others`; finish() copies them to the output.
template <record Output>
struct OutputRow {
  double* to[detail::column_count<Output>()];
  double others[detail::column_count<Output>()];

  explicit OutputRow(Output& out) { list(out, 0); }
  void finish(Output& out) const { take(out, 0); }

 private:
  template <class T>
  void list(T& value, std::size_t column) {
    if constexpr (fixed_vector<T>) {
      for (double& each : value) to[column++] = &each;
    } else if constexpr (nullable<T> || labelled<T>) {
      for (std::size_t i = 0; i < detail::column_count<T>(); ++i) to[column + i] = &others[column + i];
    } else if constexpr (record<T>) {
      for_each_member(value, column, [this](auto& member, std::size_t at) { this->list(member, at); });
    } else {
      to[column] = &value;
    }
  }
  template <class T>
  void take(T& value, std::size_t column) const {
    if constexpr (nullable<T>) {
      if (!(others[column] > 0)) return value.reset();
      auto& present = value.emplace();
      if constexpr (fixed_vector<typename T::value_type>)
        for (double& each : present) each = others[++column];
      else
        present = others[column + 1];
    } else if constexpr (labelled<T>) {
      value = static_cast<T>(static_cast<int>(others[column]));
    } else if constexpr (record<T>) {
      for_each_member(value, column, [this](auto& member, std::size_t at) { this->take(member, at); });
    }
  }
};

/// Returns the answer of the batch form `rows` to one case.
template <Batch* rows, record Output, record Input>
Output answer_one(Input const& in) {
  InputRow<Input> const row(in);
  Output out;
  OutputRow<Output> results(out);
  rows(1, row.from, results.to);
  results.finish(out);
  return out;
}

}  // namespace demeter::fast_core
