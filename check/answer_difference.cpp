#include "check/answer_difference.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace demeter {
namespace {

bool same_cell(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return is_not_computed(a) == is_not_computed(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string cell_text(Node const& node, double cell) {
  if (is_not_computed(cell)) return "nothing";
  if (node.kind == Node::Kind::enumeration && cell >= 0 && cell < static_cast<double>(node.labels.size()))
    return std::string(node.labels[static_cast<std::size_t>(cell)]);
  return fmt::format("{}", cell);
}

}  // namespace

std::optional<std::string> difference(Schema const& schema, Node const& node, Table const& answer, std::size_t at,
                                      Table const& expected, std::size_t expected_at) {
  auto const differ = [&](std::size_t column, std::string const& a, std::string const& b) {
    return fmt::format("{}: got {}, expected {}", schema.columns[column].path, a, b);
  };
  if (node.nullable) {
    bool const null = answer.columns[node.column][at] == 0,
               expected_null = expected.columns[node.column][expected_at] == 0;
    if (null && expected_null) return std::nullopt;
    if (null != expected_null) return differ(node.values(), null ? "null" : "a value", null ? "a value" : "null");
  }
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (auto found = difference(schema, child, answer, at, expected, expected_at)) return found;
      return std::nullopt;
    case Node::Kind::list: {
      auto const begin = [&](Table const& table, std::size_t row) {
        return static_cast<std::size_t>(table.columns[node.column][row]);
      };
      std::size_t const first = begin(answer, at), length = begin(answer, at + 1) - first;
      std::size_t const expected_first = begin(expected, expected_at),
                        expected_length = begin(expected, expected_at + 1) - expected_first;
      if (length != expected_length)
        return differ(node.column, fmt::format("{} elements", length), fmt::format("{}", expected_length));
      for (std::size_t i = 0; i < length; ++i)
        if (auto found = difference(schema, node.children.front(), answer, first + i, expected, expected_first + i))
          return found;
      return std::nullopt;
    }
    default:
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column) {
        double const a = answer.columns[column][at], b = expected.columns[column][expected_at];
        if (!same_cell(a, b)) return differ(column, cell_text(node, a), cell_text(node, b));
      }
      return std::nullopt;
  }
}

}  // namespace demeter
