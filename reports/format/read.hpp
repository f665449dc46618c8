// How results.json is read: whatever is missing or of a wrong type is empty, so that no file can take the report down.
#pragma once

#include "reports/format/model.hpp"

#include <charconv>
#include <string>
#include <system_error>
#include <vector>

namespace demeter::report {

inline Json const& member(Json const& object, char const* key) {
  static Json const nothing;
  if (!object.is_object()) return nothing;
  auto const found = object.find(key);
  return found == object.end() ? nothing : *found;
}

/// A scalar as text: seeds and ids may be numbers or strings.
inline std::string text(Json const& object, char const* key) {
  Json const& value = member(object, key);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null() || value.is_structured()) return {};
  return value.dump();
}

inline Number number(Json const& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  auto const& written = value.get_ref<std::string const&>();
  double parsed = 0;
  char const* const end = written.data() + written.size();
  auto const [stop, error] = std::from_chars(written.data(), end, parsed);
  if (error != std::errc() || stop != end) return std::nullopt;
  return parsed;
}

inline Number number(Json const& object, char const* key) { return number(member(object, key)); }

inline std::int64_t count(Json const& object, char const* key) {
  Number const value = number(object, key);
  // No run has more; sums of counts stay below 2^63.
  return value && *value >= 0 && *value < 1e15 ? static_cast<std::int64_t>(*value) : 0;
}

inline bool flag(Json const& object, char const* key) {
  Json const& value = member(object, key);
  return value.is_boolean() && value.get<bool>();
}

template <class Read>
auto list(Json const& object, char const* key, Read read) {
  std::vector<decltype(read(object))> all;
  Json const& value = member(object, key);
  if (value.is_array()) {
    for (Json const& element : value) all.push_back(read(element));
  }
  return all;
}

inline std::vector<std::string> texts(Json const& object, char const* key) {
  return list(object, key,
              [](Json const& value) { return value.is_string() ? value.get<std::string>() : value.dump(); });
}

}  // namespace demeter::report
