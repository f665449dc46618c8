// Writes a record as exact text and reads it back: one value per line, in the order of the fields.
#pragma once

#include "simulator/reference/exact_number.hpp"

#include <charconv>

namespace demeter::simulator::reference {

template <class T>
void save_into(std::string& text, T const& value) {
  if constexpr (fixed_vector<T>) {
    for (Index k = 0; k < value.size(); ++k) save_into(text, value[k]);
  } else if constexpr (list<T>) {
    save_into(text, static_cast<std::uint64_t>(value.size()));
    for (auto const& each : value) save_into(text, each);
  } else if constexpr (record<T>) {
    for_each_field<T>([&](auto const& each) { save_into(text, value.*(each.member)); });
  } else if constexpr (std::is_enum_v<T>) {
    save_into(text, static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    text += std::to_string(value) + "\n";
  } else {
    text += exact_text(value) + "\n";
  }
}

template <class T>
std::string saved(T const& value) {
  std::string text;
  save_into(text, value);
  return text;
}

/// Reads the lines of a text one by one.
class SavedLines {
 public:
  explicit SavedLines(std::string_view text) : rest_(text) {}
  /// Returns the next line, or nothing if no complete line remains.
  std::optional<std::string_view> next() {
    auto const end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    auto const line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  bool at_end() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

template <class T>
bool read_into(SavedLines& lines, T& value) {
  if constexpr (fixed_vector<T>) {
    for (Index k = 0; k < value.size(); ++k)
      if (!read_into(lines, value[k])) return false;
    return true;
  } else if constexpr (list<T>) {
    std::uint64_t size = 0;
    // An element needs at least one character. A number of elements above the number of characters is therefore wrong.
    if (!read_into(lines, size) || size > lines.size()) return false;
    value.resize(size);
    for (auto& each : value)
      if (!read_into(lines, each)) return false;
    return true;
  } else if constexpr (record<T>) {
    bool good = true;
    for_each_field<T>([&](auto const& each) { good = good && read_into(lines, value.*(each.member)); });
    return good;
  } else if constexpr (std::is_enum_v<T>) {
    std::uint64_t index = 0;
    if (!read_into(lines, index) || index >= labels(T{}).size()) return false;
    value = static_cast<T>(index);
    return true;
  } else {
    auto const line = lines.next();
    if (!line) return false;
    if constexpr (std::is_integral_v<T>) {
      auto const [end, error] = std::from_chars(line->data(), line->data() + line->size(), value);
      return error == std::errc{} && end == line->data() + line->size();
    } else {
      return read_exact_text(*line, value);
    }
  }
}

/// Reads a record. Returns nothing if the text is not exactly one record of this type.
template <class T>
std::optional<T> read_saved(std::string_view text) {
  SavedLines lines(text);
  T value{};
  if (!read_into(lines, value) || !lines.at_end()) return std::nullopt;
  return value;
}

}  // namespace demeter::simulator::reference
