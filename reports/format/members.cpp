#include "reports/format/members.hpp"

#include "kernels/json_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter::report {
namespace {

using Kind = Shape::Kind;
using Presence = Member::Presence;

// ---------------------------------------------------------------------------------------------------------- writing

Json number_as_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  // Integers are written without ".0", which would increase the size of a file by a tenth.
  constexpr double exact = 1e15;
  if (std::abs(value) < exact && value == std::trunc(value) && !(value == 0 && std::signbit(value)))
    return static_cast<std::int64_t>(value);
  return value;
}

template <class Value>
Value const& as(void const* value) {
  return *static_cast<Value const*>(value);
}
template <class Value>
Value& as(void* value) {
  return *static_cast<Value*>(value);
}

void const* element_at(Shape const& shape, void const* value, std::size_t i) {
  return shape.at(const_cast<void*>(value), i);
}

bool is_empty(Shape const& shape, void const* value) {
  switch (shape.kind) {
    case Kind::text:
      return as<std::string>(value).empty();
    case Kind::flag:
      return !as<bool>(value);
    case Kind::count:
      return as<std::int64_t>(value) == 0;
    case Kind::whole:
      return as<std::uint64_t>(value) == 0;
    case Kind::number:
      return as<double>(value) == 0;
    case Kind::of_kernel:
      return as<KernelJson>(value)->is_null();
    case Kind::record:
      return std::ranges::all_of(shape.members.list,
                                 [&](Member const& member) { return is_empty(member.shape(), member.in(value)); });
    case Kind::optional:
    case Kind::list:
    case Kind::by_name:
      return shape.size(value) == 0;
  }
  return false;
}

void write_members(Shape const& shape, void const* record, Json& object) {
  for (Member const& member : shape.members.list) {
    Shape const& of_member = member.shape();
    void const* const value = member.in(record);
    if (member.presence == Presence::inline_) {
      write_members(of_member, value, object);
    } else if (member.presence == Presence::other_keys) {
      Json const others = write(of_member, value);
      for (auto const& [name, other] : others.items()) object[name] = other;
    } else if (member.presence != Presence::if_any || !is_empty(of_member, value)) {
      object[std::string(member.name)] = write(of_member, value);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------- reading

/// The position of a value in a document. Its text is made only if there is a mistake to report.
struct Where {
  Where const* outer;
  std::string_view key;  ///< if its data is null, `index` is used instead
  std::size_t index = 0;

  std::string text() const {
    if (outer == nullptr) return std::string(key);
    std::string const before = outer->text();
    if (key.data() == nullptr) return fmt::format("{}[{}]", before, index);
    return before + (before.empty() ? "" : ".") + plain_text(key, 60);
  }
};

std::string shown(Json const& json) {
  if (json.is_array()) return json.empty() ? "an empty array" : "an array";
  if (json.is_object()) return "an object";
  return plain_text(json.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

bool has_key(Shape const& record, std::string_view key) {
  return std::ranges::any_of(record.members.list, [&](Member const& member) {
    return member.presence == Presence::inline_ ? has_key(member.shape(), key) : member.name == key;
  });
}

struct Reader {
  Mistakes& mistakes;

  void expected(std::string what, Json const* found, Where const& where) {
    // The text is only made for mistakes that are stored.
    if (mistakes.count >= Mistakes::most) {
      ++mistakes.count;
    } else {
      mistakes.add({where.text(), std::move(what), found == nullptr ? "" : shown(*found)});
    }
  }

  void number(Json const& json, double& into, Member::Least least, Where const& where) {
    double value = 0;
    if (json.is_number()) {
      value = json.get<double>();
    } else if (json == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (json == "inf") {
      value = std::numeric_limits<double>::infinity();
    } else if (json == "-inf") {
      value = -std::numeric_limits<double>::infinity();
    } else {
      return expected("a number", &json, where);
    }
    if (least == Member::Least::above_zero && !(value > 0 && std::isfinite(value)))
      return expected("a number above 0", &json, where);
    if (least == Member::Least::zero && value < 0) return expected("a number that is not negative", &json, where);
    into = value;
  }

  void count(Json const& json, std::int64_t& into, Where const& where) {
    // No run has a larger count, and sums of such counts stay below 2^63.
    constexpr std::int64_t most = 1'000'000'000'000'000;
    bool const fits = json.is_number_unsigned()  ? json.get<std::uint64_t>() < most
                      : json.is_number_integer() ? json.get<std::int64_t>() >= 0
                                                 : false;
    if (!fits) return expected("a count", &json, where);
    into = json.get<std::int64_t>();
  }

  void members(Shape const& shape, Json const& json, void* record, Where const& where) {
    for (Member const& member : shape.members.list) {
      Shape const& of_member = member.shape();
      void* const into = member.in(record);
      if (member.presence == Presence::inline_) {
        members(of_member, json, into, where);
        continue;
      }
      if (member.presence == Presence::other_keys) {
        others(shape, of_member, json, into, where);
        continue;
      }
      Where const here{&where, member.name};
      auto const found = json.find(member.name);
      if (found == json.end()) {
        if (member.presence != Presence::if_any) expected(expectation(member, of_member), nullptr, here);
      } else if (found->is_null() && of_member.kind == Kind::optional && member.presence != Presence::or_null) {
        expected(expectation(member, of_member), &*found, here);
      } else {
        value(of_member, *found, into, &member, here);
      }
    }
  }

  /// Reads the keys that are not fields of the record. `shape` is the shape of the ByName that receives these keys.
  void others(Shape const& record, Shape const& shape, Json const& json, void* into, Where const& where) {
    for (auto const& [name, found] : json.items()) {
      if (has_key(record, name)) continue;
      void* const added = shape.append(into);
      *shape.name_at(into, shape.size(into) - 1) = name;
      value(*shape.element, found, added, nullptr, {&where, name});
    }
  }

  static std::string expectation(Member const& member, Shape const& shape) {
    if (!member.choices.empty()) {
      std::string text;
      for (auto const choice : member.choices) text += fmt::format("{}\"{}\"", text.empty() ? "" : " or ", choice);
      return text;
    }
    switch (shape.kind) {
      case Kind::text:
        return "a string";
      case Kind::flag:
        return "true or false";
      case Kind::count:
        return "a count";
      case Kind::whole:
        return "a whole number";
      case Kind::number:
        return member.least == Member::Least::above_zero ? "a number above 0"
               : member.least == Member::Least::zero     ? "a number that is not negative"
                                                         : "a number";
      case Kind::of_kernel:
      case Kind::record:
      case Kind::by_name:
        return "an object";
      case Kind::list:
        return "an array";
      case Kind::optional:
        return expectation(member, *shape.element);
    }
    return "";
  }

  void value(Shape const& shape, Json const& json, void* into, Member const* member, Where const& where) {
    switch (shape.kind) {
      case Kind::text: {
        if (!json.is_string()) return expected("a string", &json, where);
        auto const& text = json.get_ref<std::string const&>();
        if (member != nullptr && !member->choices.empty()) {
          bool known = false;
          for (auto const choice : member->choices) known = known || choice == text;
          if (!known) expected(expectation(*member, shape), &json, where);
        }
        as<std::string>(into) = text;
        return;
      }
      case Kind::flag:
        if (!json.is_boolean()) return expected("true or false", &json, where);
        as<bool>(into) = json.get<bool>();
        return;
      case Kind::count:
        return count(json, as<std::int64_t>(into), where);
      case Kind::whole:
        if (!json.is_number_integer() || (!json.is_number_unsigned() && json.get<std::int64_t>() < 0))
          return expected("a whole number", &json, where);
        as<std::uint64_t>(into) = json.get<std::uint64_t>();
        return;
      case Kind::number:
        return number(json, as<double>(into), member != nullptr ? member->least : Member::Least::any, where);
      case Kind::of_kernel:
        if (!json.is_object()) return expected("an object", &json, where);
        as<KernelJson>(into) = KernelJson(json);
        return;
      case Kind::record:
        if (!json.is_object()) return expected("an object", &json, where);
        return members(shape, json, into, where);
      case Kind::optional: {
        if (json.is_null()) return;
        std::size_t const before = mistakes.count;
        value(*shape.element, json, shape.append(into), member, where);
        // A record with mistakes is kept, because its other fields may be correct.
        if (mistakes.count != before && !(shape.element->kind == Kind::record && json.is_object()))
          shape.drop_last(into);
        return;
      }
      case Kind::list: {
        if (!json.is_array()) return expected("an array", &json, where);
        std::size_t index = 0;
        for (Json const& each : json) {
          std::size_t const before = mistakes.count;
          value(*shape.element, each, shape.append(into), member, {&where, {}, index++});
          bool const keeps = shape.element->kind == Kind::record || shape.element->kind == Kind::optional;
          if (mistakes.count != before && !keeps) shape.drop_last(into);
        }
        return;
      }
      case Kind::by_name:
        if (!json.is_object()) return expected("an object", &json, where);
        for (auto const& [name, each] : json.items()) {
          void* const added = shape.append(into);
          *shape.name_at(into, shape.size(into) - 1) = name;
          value(*shape.element, each, added, member, {&where, name});
        }
        return;
    }
  }
};

// ----------------------------------------------------------------------------------------------------------- schema

Json reference(std::string_view name) { return {{"$ref", fmt::format("#/$defs/{}", name)}}; }

Json schema_of_member(Member const& member, Shape const& shape) {
  if (shape.kind == Kind::optional && member.presence != Presence::or_null)
    return schema_of_member(member, *shape.element);
  Json schema = schema_of(shape);
  if (!member.choices.empty()) schema = {{"enum", member.choices}};
  if (member.least == Member::Least::above_zero) {
    Json const positive = {{"type", "number"}, {"exclusiveMinimum", 0}};
    if (shape.kind == Kind::list) {
      schema["items"] = positive;
    } else {
      schema = positive;
    }
  }
  return schema;
}

void add_properties(Shape const& shape, Json& schema) {
  for (Member const& member : shape.members.list) {
    if (member.presence == Presence::inline_) {
      add_properties(member.shape(), schema);
      continue;
    }
    Json of_member = member.presence == Presence::other_keys ? schema_of(*member.shape().element)
                                                             : schema_of_member(member, member.shape());
    of_member["description"] = member.doc;
    if (member.presence == Presence::other_keys) {
      schema["additionalProperties"] = std::move(of_member);
      continue;
    }
    schema["properties"][std::string(member.name)] = std::move(of_member);
    if (member.presence != Presence::if_any) schema["required"].push_back(member.name);
  }
}

}  // namespace

KernelJson::KernelJson() {
  static auto const null = std::make_shared<Json const>();
  value_ = null;
}

KernelJson::KernelJson(Json value) : value_(std::make_shared<Json const>(std::move(value))) {}

std::string Mistake::text() const {
  std::string const place = where.empty() ? "the document" : where;
  if (found.empty()) return fmt::format("{}: missing; expected {}", place, expected);
  return fmt::format("{}: expected {}, found {}", place, expected, found);
}

void Mistakes::add(Mistake mistake) {
  if (++count <= most) first.push_back(std::move(mistake));
}

Json write(Shape const& shape, void const* value) {
  switch (shape.kind) {
    case Kind::text:
      return as<std::string>(value);
    case Kind::flag:
      return as<bool>(value);
    case Kind::count:
      return as<std::int64_t>(value);
    case Kind::whole:
      return as<std::uint64_t>(value);
    case Kind::number:
      return number_as_json(as<double>(value));
    case Kind::of_kernel:
      return *as<KernelJson>(value);
    case Kind::record: {
      Json object = Json::object();
      write_members(shape, value, object);
      return object;
    }
    case Kind::optional:
      return shape.size(value) == 0 ? Json(nullptr) : write(*shape.element, element_at(shape, value, 0));
    case Kind::list: {
      Json array = Json::array();
      for (std::size_t i = 0; i < shape.size(value); ++i)
        array.push_back(write(*shape.element, element_at(shape, value, i)));
      return array;
    }
    case Kind::by_name: {
      Json object = Json::object();
      for (std::size_t i = 0; i < shape.size(value); ++i)
        object[*shape.name_at(const_cast<void*>(value), i)] = write(*shape.element, element_at(shape, value, i));
      return object;
    }
  }
  return nullptr;
}

void read(Shape const& shape, Json const& json, void* into, std::string const& where, Mistakes& mistakes) {
  Reader{mistakes}.value(shape, json, into, nullptr, {nullptr, where});
}

Json schema_of(Shape const& shape) {
  switch (shape.kind) {
    case Kind::text:
      return {{"type", "string"}};
    case Kind::flag:
      return {{"type", "boolean"}};
    case Kind::count:
    case Kind::whole:
      return {{"type", "integer"}, {"minimum", 0}};
    case Kind::number:
      return reference("number");
    case Kind::of_kernel:
      return {{"type", "object"}};
    case Kind::record:
      return reference(shape.members.name);
    case Kind::optional:
      return {{"anyOf", Json::array({schema_of(*shape.element), {{"type", "null"}}})}};
    case Kind::list:
      return {{"type", "array"}, {"items", schema_of(*shape.element)}};
    case Kind::by_name:
      return {{"type", "object"}, {"additionalProperties", schema_of(*shape.element)}};
  }
  return nullptr;
}

void add_definitions(Shape const& shape, Json& definitions) {
  if (shape.element != nullptr) return add_definitions(*shape.element, definitions);
  if (shape.kind == Kind::number && !definitions.contains("number"))
    definitions["number"] = {
        {"description", "a number; NaN and infinities are strings"},
        {"anyOf", Json::array({{{"type", "number"}}, {{"enum", Json::array({"nan", "inf", "-inf"})}}})}};
  if (shape.kind != Kind::record) return;
  std::string const name(shape.members.name);
  if (definitions.contains(name)) return;
  Json schema{{"description", shape.members.doc}, {"type", "object"}, {"properties", Json::object()}};
  add_properties(shape, schema);
  definitions[name] = std::move(schema);
  for (Member const& member : shape.members.list) add_definitions(member.shape(), definitions);
}

}  // namespace demeter::report
