#include "subjects/isolation/frames.hpp"

#include <array>
#include <cstdio>
#include <span>

namespace demeter {
namespace isolation {
namespace {

void put_cells(Writer& writer, Table const& table) {
  writer.put(table.columns.size());
  for (auto const& column : table.columns) writer.put_all(column);
  writer.put(table.exact.size());
  for (auto const& [cell, text] : table.exact) {
    writer.put(cell.first);
    writer.put(cell.second);
    writer.put_text(text);
  }
}

/// Returns a message for a cell that is not an index of `labels`: "column 3, load, holds 7, expected 0 none, 1 light".
std::string no_index(Schema const& schema, std::size_t column, double cell, std::span<std::string_view const> labels) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", cell);
  std::string expected;
  for (std::size_t i = 0; i < labels.size(); ++i)
    expected += (i == 0 ? "" : ", ") + std::to_string(i) + " " + std::string(labels[i]);
  return "column " + std::to_string(column) + ", " + schema.columns[column].path + ", holds " + number + ", expected " +
         expected;
}

/// Returns what is wrong with the columns of `node`, or nothing. They must have `cells` valid elements. Valid elements
/// can be indexed and cast without further checks.
std::optional<std::string> node_flaw(Schema const& schema, Node const& node, Table const& table, std::size_t cells) {
  auto const is_index = [](double value, std::size_t limit) {
    return value >= 0 && value < static_cast<double>(limit) &&
           value == static_cast<double>(static_cast<std::size_t>(value));
  };
  auto const wrong_size = [&](std::size_t column, std::size_t expected) -> std::optional<std::string> {
    std::size_t const size = table.columns[column].size();
    if (size == expected) return std::nullopt;
    return "column " + std::to_string(column) + " has " + std::to_string(size) + " cells, expected " +
           std::to_string(expected);
  };
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (auto found = node_flaw(schema, child, table, cells)) return found;
      return std::nullopt;
    case Node::Kind::list: {
      if (auto found = wrong_size(node.column, cells + 1)) return found;
      auto const& offsets = table.columns[node.column];
      // Offsets count elements that were sent, so they are far below 2^53.
      bool ordered = offsets.front() == 0;
      for (std::size_t i = 0; ordered && i < cells; ++i)
        ordered = offsets[i] <= offsets[i + 1] && is_index(offsets[i + 1], std::size_t{1} << 53);
      if (!ordered) return "column " + std::to_string(node.column) + " does not hold list offsets";
      return node_flaw(schema, node.children.front(), table, static_cast<std::size_t>(offsets.back()));
    }
    case Node::Kind::enumeration:
    case Node::Kind::number:
      for (std::size_t i = 0; i < node.columns; ++i) {
        if (auto found = wrong_size(node.column + i, cells)) return found;
        static constexpr std::array<std::string_view, 2> presence{"null", "a value"};
        std::span<std::string_view const> labels;
        if (node.kind == Node::Kind::enumeration) labels = node.labels;
        if (node.nullable && i == 0) labels = presence;
        if (labels.empty()) continue;
        for (double cell : table.columns[node.column + i])
          if (!is_not_computed(cell) && !is_index(cell, labels.size()))
            return no_index(schema, node.column + i, cell, labels);
      }
      return std::nullopt;
  }
  return std::nullopt;
}

constexpr char damaged[] = "an unreadable answer";

/// Reads the output of put_cells(). This output must be all remaining bytes. `table.rows` must be set before. Returns
/// what is wrong, or nothing.
std::optional<std::string> get_cells(Reader& reader, Schema const& schema, Table& table) {
  std::size_t count;
  if (!reader.get(count)) return damaged;
  if (count != schema.columns.size())
    return std::to_string(count) + " columns, expected " + std::to_string(schema.columns.size());
  table.columns.resize(count);
  for (auto& column : table.columns)
    if (!reader.get_all(column)) return damaged;
  if (auto found = node_flaw(schema, schema.root, table, table.rows)) return found;
  if (!reader.get(count)) return damaged;
  for (std::size_t i = 0; i < count; ++i) {
    std::pair<std::size_t, std::size_t> cell;
    std::string text;
    if (!reader.get(cell.first) || !reader.get(cell.second) || !reader.get_text(text)) return damaged;
    if (cell.first >= table.columns.size() || cell.second >= table.columns[cell.first].size()) return damaged;
    table.exact[cell] = std::move(text);
  }
  if (!reader.at_end()) return damaged;
  return std::nullopt;
}

}  // namespace

std::string encode(Answers const& answers) {
  Writer writer;
  writer.put(answers.output.rows);
  writer.put_all(answers.status);
  writer.put(answers.message.size());
  for (auto const& [row, text] : answers.message) {
    writer.put(row);
    writer.put_text(text);
  }
  put_cells(writer, answers.output);
  return writer.bytes();
}

std::string encode(Table const& cases) {
  Writer writer;
  writer.put(cases.rows);
  put_cells(writer, cases);
  return writer.bytes();
}

std::optional<std::string> decode(std::string_view bytes, Schema const& schema, std::size_t rows, Answers& answers) {
  Reader reader(bytes);
  Table& table = answers.output;
  if (!reader.get(table.rows) || !reader.get_all(answers.status)) return damaged;
  if (table.rows != rows || answers.status.size() != rows)
    return std::to_string(table.rows) + " rows and " + std::to_string(answers.status.size()) +
           " statuses in answer to a batch of " + std::to_string(rows);
  for (Status each : answers.status)
    if (static_cast<std::size_t>(each) >= labels(Status{}).size()) return "a status that does not exist";
  std::size_t count;
  if (!reader.get(count)) return damaged;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t row;
    std::string text;
    if (!reader.get(row) || !reader.get_text(text) || row >= rows) return damaged;
    answers.message[row] = tidy(text);
  }
  return get_cells(reader, schema, table);
}

std::optional<std::string> decode(std::string_view bytes, Schema const& schema, Table& cases) {
  Reader reader(bytes);
  cases.clear(schema);
  if (!reader.get(cases.rows)) return damaged;
  return get_cells(reader, schema, cases);
}

}  // namespace isolation

std::optional<std::string> flaw(Schema const& schema, Table const& table, std::size_t rows) {
  if (table.columns.size() != schema.columns.size())
    return std::to_string(table.columns.size()) + " columns, expected " + std::to_string(schema.columns.size());
  return isolation::node_flaw(schema, schema.root, table, rows);
}

}  // namespace demeter
