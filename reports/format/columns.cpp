#include "reports/format/columns.hpp"

#include <algorithm>
#include <map>
#include <numeric>
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

/// Calls `change(member, list)` with every list of the document that is written in another form than its records say.
template <class Change>
void for_each_list(Shape const& shape, Json& json, Order order, Change const& change) {
  switch (shape.kind) {
    case Kind::optional:
      return for_each_list(*shape.element, json, order, change);
    case Kind::list:
      if (json.is_array())
        for (Json& each : json) for_each_list(*shape.element, each, order, change);
      return;
    case Kind::by_name:
      if (json.is_object())
        for (auto& [name, each] : json.items()) for_each_list(*shape.element, each, order, change);
      return;
    case Kind::record:
      if (!json.is_object()) return;
      for (Member const& member : shape.fields.members) {
        if (member.presence == Member::Presence::inline_) {
          for_each_list(member.shape(), json, order, change);
          continue;
        }
        auto const found = json.find(member.name);
        if (found == json.end()) continue;
        bool const changes = member.in_columns || member.alike;
        if (changes && order == Order::outer_first) change(member, *found);
        for_each_list(member.shape(), *found, order, change);
        if (changes && order == Order::inner_first) change(member, *found);
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

/// The field that a record of this column stands for where it has no other; empty where the column has no records.
std::string_view lone_field(Member const* column) {
  if (column == nullptr) return "";
  Shape const& shape = column->shape().kind == Kind::optional ? *column->shape().element : column->shape();
  if (shape.kind != Kind::record) return "";
  Member const& first = shape.fields.members.front();
  return first.presence == Member::Presence::always ? first.name : "";
}

// Somebody else's file of a megabyte must not become one of gigabytes: what is said once for many is short, and few.
constexpr std::size_t most_columns_that_follow = 32, longest_that_follows = 40, most_like_one = 20;

bool may_follow(Json const& value) {
  return value.is_primitive() &&
         (!value.is_string() || value.get_ref<std::string const&>().size() <= longest_that_follows);
}

/// Moves the columns whose values follow from the one named `key` to a table of their own, a row a value of the key.
void move_what_follows(std::string const& key, Json& table) {
  Json &columns = table["columns"], &rows = table["rows"];
  auto const at = static_cast<std::size_t>(std::ranges::find(columns, Json(key)) - columns.begin());
  if (at == columns.size()) return;
  std::vector<std::size_t> first;  // rows, one for each value of the key
  std::map<std::string, std::size_t> first_with;
  std::vector<bool> follows(columns.size(), true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const [found, is_new] = first_with.try_emplace(rows[i][at].dump(), i);
    if (is_new) first.push_back(i);
    for (std::size_t column = 0; column < columns.size(); ++column)
      follows[column] =
          follows[column] && may_follow(rows[i][column]) && rows[i][column] == rows[found->second][column];
  }
  if (2 * first.size() > rows.size() || columns.size() > most_columns_that_follow) return;
  follows[at] = false;
  auto const part = [&](Json const& row, bool following) {
    Json result = Json::array();
    for (std::size_t column = 0; column < columns.size(); ++column)
      if (follows[column] == following) result.push_back(row[column]);
    return result;
  };
  Json with{{"columns", part(columns, true)}, {"rows", Json::array()}};
  if (with["columns"].empty()) return;
  with["columns"].insert(with["columns"].begin(), key);
  for (std::size_t const i : first) {
    with["rows"].push_back(part(rows[i], true));
    with["rows"].back().insert(with["rows"].back().begin(), rows[i][at]);
  }
  for (Json& row : rows) row = part(row, false);
  columns = part(columns, false);
  table["with"] = std::move(with);
}

void to_table(Member const& member, Json& list) {
  constexpr std::size_t worth_it = 3;  // the names of the columns cost as much as two records' keys
  if (!list.is_array() || list.size() < worth_it ||
      !std::ranges::all_of(list, [](Json const& each) { return each.is_object(); }))
    return;
  Shape const& record = *member.shape().element;
  std::vector<std::string> const columns = columns_of(record, list);
  std::vector<std::string_view> lone;
  for (std::string const& column : columns) lone.push_back(lone_field(find_member(record, column)));
  Json rows = Json::array();
  for (Json& each : list) {
    Json row = Json::array();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto const found = each.find(columns[i]);
      Json value = found == each.end() ? Json(nullptr) : std::move(*found);
      if (!lone[i].empty() && value.size() == 1) {
        if (auto const only = value.find(lone[i]); only != value.end() && only->is_primitive()) value = Json(*only);
      }
      row.push_back(std::move(value));
    }
    rows.push_back(std::move(row));
  }
  list = {{"columns", columns}, {"rows", std::move(rows)}};
  if (!member.key.empty()) move_what_follows(std::string(member.key), list);
}

bool is_table(Json const& json) {
  if (!json.is_object() || !json.contains("columns") || !json.contains("rows")) return false;
  Json const &columns = json["columns"], &rows = json["rows"];
  auto const is_row = [&](Json const& row) { return row.is_array() && row.size() == columns.size(); };
  return columns.is_array() && !columns.empty() &&
         std::ranges::all_of(columns, [](Json const& name) { return name.is_string(); }) && rows.is_array() &&
         std::ranges::all_of(rows, is_row);
}

/// Moves back what `move_what_follows` has moved. False if something is missing for that.
bool join(Json& table) {
  Json const with = std::move(table["with"]);
  Json &columns = table["columns"], &rows = table["rows"];
  if (!is_table(with) || with["columns"].size() > most_columns_that_follow + 1) return false;
  for (Json const& row : with["rows"])
    if (!std::ranges::all_of(row, may_follow)) return false;
  auto const at = static_cast<std::size_t>(std::ranges::find(columns, with["columns"][0]) - columns.begin());
  if (at == columns.size()) return false;
  std::map<std::string, Json const*> row_of;
  for (Json const& row : with["rows"]) row_of.emplace(row[0].dump(), &row);
  columns.insert(columns.end(), with["columns"].begin() + 1, with["columns"].end());
  for (Json& row : rows) {
    auto const found = row_of.find(row[at].dump());
    if (found == row_of.end()) return false;
    row.insert(row.end(), found->second->begin() + 1, found->second->end());
  }
  return true;
}

void to_list(Shape const& record, Json& table) {
  if (!is_table(table) || (table.contains("with") && !join(table))) return;
  Json const& columns = table["columns"];
  // As the writer has them: fields first, in their order.
  std::set<std::string> present;
  for (Json const& name : columns) present.insert(name.get<std::string>());
  std::vector<std::string> fields;
  add_names(record, present, fields);
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t column) {
    return std::ranges::find(fields, columns[column].get_ref<std::string const&>()) - fields.begin();
  });
  std::vector<Member const*> members;
  for (Json const& name : columns) members.push_back(find_member(record, name.get_ref<std::string const&>()));
  Json list = Json::array();
  for (Json& row : table["rows"]) {
    Json object = Json::object();
    for (std::size_t const i : order) {
      Json& value = row[i];
      // Null is "has none" of what may be left out, and a value of what may be null.
      if (value.is_null() && (members[i] == nullptr || members[i]->presence == Member::Presence::if_any)) continue;
      auto const lone = lone_field(members[i]);
      bool const stands_for_a_record = !lone.empty() && value.is_primitive() && !value.is_null();
      object[columns[i].get_ref<std::string const&>()] = stands_for_a_record ? Json{{lone, value}} : std::move(value);
    }
    list.push_back(std::move(object));
  }
  table = std::move(list);
}

// ---------------------------------------------------------------------------------------------------- like another

constexpr char const* same_as = "same_as";

/// What tells a record of a list from the others.
std::string_view first_field(Member const& list) { return list.shape().element->fields.members.front().name; }

bool is_named(Json const& record, std::string_view name) {
  return record.is_object() && record.contains(name) && record[name].is_string();
}

/// Of the lists that two records have alike the second is said by the name of the first.
void name_the_like(Member const& member, Json& list) {
  if (!list.is_array()) return;
  constexpr std::size_t worth_it = 100;
  std::string_view const name = first_field(member);
  struct First {
    std::string whose;
    std::size_t times = 0;
  };
  std::map<std::pair<std::string, std::string>, First> first_with;  // of a key and its value
  std::set<std::string> names;
  for (Json& record : list) {
    if (!is_named(record, name) || !names.insert(record[name].get<std::string>()).second) continue;
    for (auto& [key, value] : record.items()) {
      if (!value.is_array() && !is_table(value)) continue;
      std::string text = value.dump();
      if (text.size() < worth_it) continue;
      auto const [found, is_new] = first_with.try_emplace({key, std::move(text)}, First{record[name]});
      if (!is_new && found->second.times++ < most_like_one) value = {{same_as, found->second.whose}};
    }
  }
}

/// What refers to a record that is not there, or not before it, stays as it is.
void copy_the_like(Member const& member, Json& list) {
  if (!list.is_array()) return;
  std::string_view const name = first_field(member);
  std::map<std::string, std::size_t> place, times;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!is_named(list[i], name)) continue;
    for (auto& [key, value] : list[i].items()) {
      if (!value.is_object() || value.size() != 1 || !is_named(value, same_as)) continue;
      auto const found = place.find(value[same_as].get<std::string>());
      if (found == place.end() || !list[found->second].contains(key)) continue;
      if (times[found->first + ' ' + key]++ < most_like_one) value = Json(list[found->second][key]);
    }
    place.try_emplace(list[i][name].get<std::string>(), i);
  }
}

}  // namespace

Json with_columns(Shape const& shape, Json json) {
  for_each_list(shape, json, Order::inner_first, [](Member const& member, Json& list) {
    if (member.in_columns) to_table(member, list);
    if (member.alike) name_the_like(member, list);
  });
  return json;
}

Json without_columns(Shape const& shape, Json json) {
  for_each_list(shape, json, Order::outer_first, [](Member const& member, Json& list) {
    if (member.alike) copy_the_like(member, list);
    if (member.in_columns) to_list(*member.shape().element, list);
  });
  return json;
}

}  // namespace demeter::report
