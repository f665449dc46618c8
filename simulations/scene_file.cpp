#include "simulations/scene_file.hpp"

#include "reference/simulator/exact_number.hpp"
#include "simulations/files.hpp"
#include "simulations/mesh.hpp"

#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/impl/preprocessor.h>
// What it asserts, and with clang assumes, of a table's header does not hold for "[&": toml++ 3.3, its issue 294. Code
// behind that says so in a message, as it should.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>

#include <cmath>

namespace demeter::simulations {
namespace {

std::string place_of(toml::source_region const& region) {
  return fmt::format("{}:{}", region.begin.line, region.begin.column);
}

/// A value of the file in a few words.
std::string shown(toml::node const& node) {
  if (auto const* text = node.as_string()) return fmt::format("\"{}\"", text->get().substr(0, 60));
  if (auto const* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (auto const* number = node.as_integer()) return fmt::format("{}", number->get());
  if (auto const* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (auto const* array = node.as_array()) return fmt::format("a list of {}", array->size());
  if (node.is_table()) return "a table";
  return "a date or a time";
}

template <class Record>
std::string keys_of() {
  std::string keys;
  for_each_field<Record>([&](auto const& each) { keys += (keys.empty() ? "" : ", ") + std::string(each.name); });
  return keys;
}

template <class Record>
concept has_shorthand = requires {
  Record::shorthand;
};

/// Reads what `fields()` declare from a table.
class Reader {
 public:
  /// In a scene in the plane two numbers do for three, of which the last is 0.
  Reader(SceneFile& file, bool plane) : file_(&file), plane_(plane) {}

  std::optional<std::string> const& wrong() const { return wrong_; }

  template <class T>
  void read(toml::node const& node, T& value, std::string const& path, bool may_be_infinite = false) {
    if (wrong_) return;
    // What was set from outside has no place.
    if (node.source().begin.line > 0) file_->places[path] = place_of(node.source());
    if constexpr (std::is_same_v<T, Number>) {
      read_number(node, value, path, may_be_infinite);
    } else if constexpr (fixed_vector<T>) {
      auto const* array = node.as_array();
      auto const size = static_cast<std::size_t>(T::RowsAtCompileTime);
      std::size_t const given = plane_ && size == 3 && array != nullptr && array->size() == 2 ? 2 : size;
      if (array == nullptr || array->size() != given)
        return expected(path, node,
                        fmt::format("a list of {} numbers", plane_ && size == 3 ? "2 or 3" : std::to_string(size)));
      for (std::size_t k = 0; k < given; ++k)
        read((*array)[k], value[static_cast<Eigen::Index>(k)], fmt::format("{}[{}]", path, k));
    } else if constexpr (list<T>) {
      auto const* array = node.as_array();
      if (array == nullptr) return expected(path, node, record<typename T::value_type> ? "a list of tables" : "a list");
      value.resize(array->size());
      for (std::size_t k = 0; k < array->size(); ++k) read((*array)[k], value[k], fmt::format("{}[{}]", path, k));
    } else if constexpr (nullable<T>) {
      read(node, value.emplace(), path, may_be_infinite);
    } else if constexpr (record<T>) {
      read_record(node, value, path);
    } else if constexpr (labelled<T>) {
      auto const names = labels(T{});
      if (auto const* text = node.as_string())
        for (std::size_t k = 0; k < names.size(); ++k)
          if (names[k] == text->get()) {
            value = static_cast<T>(k);
            return;
          }
      expected(path, node, fmt::format("one of {}", fmt::join(names, ", ")));
    } else if constexpr (std::is_same_v<T, bool>) {
      auto const* flag = node.as_boolean();
      flag != nullptr ? static_cast<void>(value = flag->get()) : expected(path, node, "true or false");
    } else if constexpr (std::is_integral_v<T>) {
      auto const* number = node.as_integer();
      if (number == nullptr || (std::is_unsigned_v<T> && number->get() < 0))
        return expected(path, node, std::is_unsigned_v<T> ? "a whole number of at least 0" : "a whole number");
      value = static_cast<T>(number->get());
    } else {
      auto const* text = node.as_string();
      text != nullptr ? static_cast<void>(value = text->get()) : expected(path, node, "a text");
    }
  }

 private:
  void expected(std::string const& path, toml::node const& node, std::string const& what) {
    wrong_ = file_->message(path, fmt::format("{}, expected {}", shown(node), what));
  }

  void read_number(toml::node const& node, Number& value, std::string const& path, bool may_be_infinite) {
    static constexpr std::string_view what = "a finite number, or a text such as \"0.1\", \"3/5\" or \"-pi/8\"";
    if (auto const* number = node.as_floating_point()) {
      if (!std::isfinite(number->get())) return expected(path, node, std::string(what));
      value = Number(number->get());
    } else if (auto const* whole = node.as_integer()) {
      value = std::llabs(whole->get()) <= (1LL << 53)
                  ? Number(static_cast<double>(whole->get()))
                  : Number(std::to_string(whole->get()), static_cast<double>(whole->get()));
    } else if (auto const* text = node.as_string()) {
      auto const parsed = simulator::parse_number(text->get(), may_be_infinite);
      if (!parsed) return expected(path, node, std::string(what));
      value = *parsed;
    } else {
      expected(path, node, std::string(what));
    }
  }

  template <class T>
  void read_record(toml::node const& node, T& value, std::string const& path) {
    auto const* table = node.as_table();
    if constexpr (has_shorthand<T>) {
      if (table == nullptr) {
        for_each_field<T>([&](auto const& each) {
          if (each.name == T::shorthand) read(node, value.*(each.member), path);
        });
        return;
      }
    }
    if (table == nullptr) return expected(path, node, fmt::format("a table of {}", keys_of<T>()));
    for (auto const& entry : *table) {
      auto const& key = entry.first;
      toml::node const& inner = entry.second;
      std::string const name(key.str()), below = path.empty() ? name : path + "." + name;
      bool known = false;
      for_each_field<T>([&](auto const& each) {
        if (each.name != name) return;
        known = true;
        file_->given.insert(below);
        read(inner, value.*(each.member), below, each.infinite);
      });
      if (!known && !wrong_) {
        if (key.source().begin.line > 0) file_->places[below] = place_of(key.source());
        wrong_ = file_->message(below, fmt::format("unknown key, expected one of {}", keys_of<T>()));
      }
      if (wrong_) return;
    }
  }

  SceneFile* file_;
  bool plane_;
  std::optional<std::string> wrong_;
};

/// The element of an array of tables that a part of a key names, by its number from 0 or by its name.
toml::node* element(toml::array& array, std::string_view name) {
  for (auto& each : array)
    if (auto* table = each.as_table())
      if (auto const named = (*table)["name"].value<std::string>(); named && *named == name) return &each;
  return nullptr;
}

/// Puts what --set says into the table. Returns what is wrong with it.
std::optional<std::string> apply(toml::table& root, std::string const& set) {
  auto const equals = set.find('=');
  std::string const bad =
      fmt::format("--set {}: expected KEY=VALUE with a key such as scene.start or body.ball.velocity", set);
  if (equals == std::string::npos || equals == 0) return bad;
  std::string const value = set.substr(equals + 1);
  // As TOML has it, or else a text: raw and 3/5 need no quotes.
  toml::parse_result parsed = toml::parse("value = " + value);
  toml::table holder;
  if (parsed) {
    holder = std::move(parsed).table();
  } else {
    holder.insert("value", value);
  }
  if (!holder.contains("value") || holder.size() != 1) return bad;

  toml::node* at = &root;
  std::string_view rest = std::string_view(set).substr(0, equals);
  for (;;) {
    auto const end = rest.find_first_of(".[");
    std::string_view const name = rest.substr(0, end);
    auto* table = at->as_table();
    if (auto* array = at->as_array(); array != nullptr && !name.empty()) {
      at = element(*array, name);
      if (at == nullptr) return fmt::format("--set {}: none is named \"{}\"", set, name);
      if (end == std::string_view::npos) return bad;
      rest.remove_prefix(end + 1);
      continue;
    }
    if (table == nullptr || name.empty()) return bad;
    if (end == std::string_view::npos) {
      // A copy has no place in a file.
      holder.get("value")->visit([&](auto& concrete) { table->insert_or_assign(name, concrete); });
      return std::nullopt;
    }
    bool const indexed = rest[end] == '[';
    auto* next = table->get(name);
    if (next == nullptr) {
      if (indexed) return fmt::format("--set {}: there is no {}", set, name);
      table->insert(name, toml::table{});
      next = table->get(name);
    }
    rest.remove_prefix(end + 1);
    at = next;
    if (!indexed) continue;
    auto const close = rest.find(']');
    auto* array = at->as_array();
    std::size_t index = 0;
    std::string const digits(rest.substr(0, close));
    if (array == nullptr || close == std::string_view::npos || digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != std::string::npos)
      return bad;
    index = std::stoul(digits);
    if (index >= array->size()) return fmt::format("--set {}: there are {} of them, from 0", set, array->size());
    at = array->get(index);
    rest.remove_prefix(close + 1);
    if (rest.empty() || rest.front() != '.') return bad;
    rest.remove_prefix(1);
  }
}

/// Reads the meshes that polylines name.
std::optional<std::string> read_meshes(SceneFile& file) {
  for (std::size_t k = 0; k < file.scene.body.size(); ++k) {
    auto& body = file.scene.body[k];
    if (body.file.empty()) continue;
    std::string const key = fmt::format("body[{}].file", k);
    if (!file.folder) return file.message(key, "expected points: there is no folder that a mesh could be in");
    std::filesystem::path const named(body.file), path = *file.folder / (file.kept ? named.filename() : named);
    auto const text = read_whole(path);
    if (!text) return file.message(key, fmt::format("\"{}\" cannot be read, expected a mesh of gmsh 2.2", body.file));
    file.meshes[body.file] = *text;
    if (auto const wrong = read_mesh(*text, body.lines)) return fmt::format("{}:{}", path.string(), *wrong);
  }
  return std::nullopt;
}

}  // namespace

std::string SceneFile::message(std::string const& key, std::string const& what) const {
  std::string nearest = key;
  for (;;) {
    if (auto const found = places.find(nearest); found != places.end())
      return fmt::format("{}:{}: {}: {}", name, found->second, key, what);
    auto const cut = nearest.find_last_of(".[");
    if (cut == std::string::npos) break;
    nearest.resize(cut);
  }
  return key.empty() ? fmt::format("{}: {}", name, what) : fmt::format("{}: {}: {}", name, key, what);
}

std::optional<std::string> read_scene(SceneFile& file, Sets const& sets) {
  toml::parse_result parsed = toml::parse(file.text, file.name);
  if (!parsed) {
    auto const& error = parsed.error();
    return fmt::format("{}:{}: {}", file.name, place_of(error.source()), error.description());
  }
  toml::table root = std::move(parsed).table();
  for (auto const& set : sets)
    if (auto wrong = apply(root, set)) return wrong;
  bool const plane = root["model"]["dynamics"].value<std::string>() == "nonsmooth";
  Reader reader(file, plane);
  file.scene = {};
  file.given.clear();
  file.meshes.clear();
  reader.read(root, file.scene, "");
  if (reader.wrong()) return reader.wrong();
  for (auto& body : file.scene.body)
    if (body.mass.mass || body.mass.moments) body.mass.rule = simulator::MassRule::given;
  if (auto wrong = read_meshes(file)) return wrong;
  return invalid(file);
}

}  // namespace demeter::simulations
