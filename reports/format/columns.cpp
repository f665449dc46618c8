#include "reports/format/columns.hpp"

#include <algorithm>
#include <set>

namespace demeter::report {
namespace {

using Kind = Shape::Kind;

Member const* find_member(Shape const& record, std::string_view name) {
  for (Member const& member : record.fields.members) {
    if (member.name == name) return &member;
    if (member.presence != Member::Presence::inline_) continue;
    if (Member const* const found = find_member(member.shape(), name)) return found;
  }
  return nullptr;
}

enum class Order { outer_first, inner_first };

/// Calls `change(record, list)` with every list of the document that is to be a table or is one.
template <class Change>
void for_each_in_columns(Shape const& shape, Json& json, Order order, Change const& change) {
  switch (shape.kind) {
    case Kind::optional:
      return for_each_in_columns(*shape.element, json, order, change);
    case Kind::list:
      if (json.is_array())
        for (Json& each : json) for_each_in_columns(*shape.element, each, order, change);
      return;
    case Kind::by_name:
      if (json.is_object())
        for (auto& [name, each] : json.items()) for_each_in_columns(*shape.element, each, order, change);
      return;
    case Kind::record:
      if (!json.is_object()) return;
      for (Member const& member : shape.fields.members) {
        if (member.presence == Member::Presence::inline_) {
          for_each_in_columns(member.shape(), json, order, change);
          continue;
        }
        auto const found = json.find(member.name);
        if (found == json.end()) continue;
        if (member.in_columns && order == Order::outer_first) change(*member.shape().element, *found);
        for_each_in_columns(member.shape(), *found, order, change);
        if (member.in_columns && order == Order::inner_first) change(*member.shape().element, *found);
      }
      return;
    default:
      return;
  }
}

void add_names(Shape const& record, std::set<std::string> const& present, std::vector<std::string>& columns) {
  for (Member const& member : record.fields.members) {
    if (member.presence == Member::Presence::inline_) add_names(member.shape(), present, columns);
    if (present.contains(std::string(member.name))) columns.emplace_back(member.name);
  }
}

/// Of all keys of which any of the records has a value, those that are fields first and in their order.
std::vector<std::string> columns_of(Shape const& record, Json const& list) {
  std::vector<std::string> others;
  std::set<std::string> present;
  for (Json const& each : list)
    for (auto const& [name, value] : each.items()) {
      Member const* const member = find_member(record, name);
      bool const says = !value.is_null() || (member != nullptr && member->presence != Member::Presence::if_any);
      if (says && present.insert(name).second && member == nullptr) others.push_back(name);
    }
  std::vector<std::string> columns;
  add_names(record, present, columns);
  columns.insert(columns.end(), others.begin(), others.end());
  return columns;
}

void to_table(Shape const& record, Json& list) {
  constexpr std::size_t worth_it = 3;  // the names of the columns cost as much as two records' keys
  if (!list.is_array() || list.size() < worth_it ||
      !std::ranges::all_of(list, [](Json const& each) { return each.is_object(); }))
    return;
  std::vector<std::string> const columns = columns_of(record, list);
  Json rows = Json::array();
  for (Json& each : list) {
    Json row = Json::array();
    for (std::string const& column : columns) {
      auto const found = each.find(column);
      row.push_back(found == each.end() ? Json(nullptr) : std::move(*found));
    }
    rows.push_back(std::move(row));
  }
  list = {{"columns", columns}, {"rows", std::move(rows)}};
}

void to_list(Shape const& record, Json& table) {
  if (!table.is_object() || !table.contains("columns") || !table.contains("rows")) return;
  Json& columns = table["columns"];
  Json& rows = table["rows"];
  auto const is_row = [&](Json const& row) { return row.is_array() && row.size() == columns.size(); };
  if (!columns.is_array() || !std::ranges::all_of(columns, [](Json const& name) { return name.is_string(); }) ||
      !rows.is_array() || !std::ranges::all_of(rows, is_row))
    return;
  Json list = Json::array();
  for (Json& row : rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto const& name = columns[i].get_ref<std::string const&>();
      Member const* const member = find_member(record, name);
      // Null is "has none" of what may be left out, and a value of what may be null.
      if (row[i].is_null() && (member == nullptr || member->presence == Member::Presence::if_any)) continue;
      object[name] = std::move(row[i]);
    }
    list.push_back(std::move(object));
  }
  table = std::move(list);
}

}  // namespace

Json with_columns(Shape const& shape, Json json) {
  for_each_in_columns(shape, json, Order::inner_first, to_table);
  return json;
}

Json without_columns(Shape const& shape, Json json) {
  for_each_in_columns(shape, json, Order::outer_first, to_list);
  return json;
}

}  // namespace demeter::report
