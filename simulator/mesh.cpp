#include "simulator/mesh.hpp"

#include "simulator/reference/exact_number.hpp"
#include "simulator/reference/layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace demeter::simulations {
namespace {

using simulator::Number;
using Place = Vector2<Number>;

/// Reads the lines of a text and splits them into words.
class MeshLines {
 public:
  explicit MeshLines(std::string_view text) : rest_(text) {
    if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; rest_.starts_with(byte_order_mark))
      rest_.remove_prefix(byte_order_mark.size());
  }

  /// Returns the words of the next line, or nothing at the end.
  std::optional<std::vector<std::string_view>> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    auto const end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    std::vector<std::string_view> words;
    for (std::size_t at = 0;;) {
      at = line_.find_first_not_of(" \t\r", at);
      if (at == std::string_view::npos) return words;
      auto const stop = std::min(line_.find_first_of(" \t\r", at), line_.size());
      words.push_back(line_.substr(at, stop - at));
      at = stop;
    }
  }
  std::string wrong(std::string_view expected) const {
    if (rest_.empty() && ended_) return fmt::format("{}: got the end of the file, expected {}", number_, expected);
    std::string shown;
    for (char const c : line_.substr(0, 60))
      if (static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) != 127) shown += c;
    return fmt::format("{}: got \"{}\", expected {}", number_, shown, expected);
  }
  /// Returns the error for a missing line.
  std::string missing(std::string_view expected) {
    ended_ = true;
    return wrong(expected);
  }

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
  bool ended_ = false;
};

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads the section of the nodes.
std::optional<std::string> read_nodes(MeshLines& lines, std::map<std::uint64_t, Place>& nodes) {
  static constexpr std::string_view what = "a node: its number, x, y and z = 0";
  auto words = lines.next();
  if (!words) return lines.missing("the number of nodes");
  auto const count = words->size() == 1 ? whole(words->front()) : std::nullopt;
  if (!count) return lines.wrong("the number of nodes");
  for (std::uint64_t k = 0; k < *count; ++k) {
    words = lines.next();
    if (!words) return lines.missing(what);
    if (words->size() != 4) return lines.wrong(what);
    auto const id = whole((*words)[0]);
    auto const x = simulator::parse_number((*words)[1]), y = simulator::parse_number((*words)[2]),
               z = simulator::parse_number((*words)[3]);
    if (!id || !x || !y || !z || z->value != 0) return lines.wrong(what);
    if (!nodes.emplace(*id, Place(*x, *y)).second) return lines.wrong("a node with another number");
  }
  return std::nullopt;
}

std::optional<std::string> read_elements(MeshLines& lines, std::map<std::uint64_t, Place> const& nodes,
                                         std::vector<std::array<Place, 2>>& into) {
  static constexpr std::string_view what = "an element: its number, type, number of tags, tags, and nodes of this file";
  auto words = lines.next();
  if (!words) return lines.missing("the number of elements");
  auto const count = words->size() == 1 ? whole(words->front()) : std::nullopt;
  if (!count) return lines.wrong("the number of elements");
  for (std::uint64_t k = 0; k < *count; ++k) {
    words = lines.next();
    if (!words) return lines.missing(what);
    std::vector<std::uint64_t> numbers;
    for (auto const word : *words) {
      auto const number = whole(word);
      if (!number) return lines.wrong(what);
      numbers.push_back(*number);
    }
    if (numbers.size() < 4 || numbers[2] > numbers.size() - 4) return lines.wrong(what);
    if (numbers[1] != 1) continue;
    auto const first = nodes.find(numbers[numbers[2] + 3]);
    auto const second = numbers.size() == numbers[2] + 5 ? nodes.find(numbers[numbers[2] + 4]) : nodes.end();
    if (first == nodes.end() || second == nodes.end()) return lines.wrong(what);
    auto const &a = first->second, &b = second->second;
    if (simulator::same(a[0], b[0]) && simulator::same(a[1], b[1]))
      return lines.wrong("a line between two different points");
    into.push_back({a, b});
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_mesh(std::string const& text, std::vector<std::array<Place, 2>>& into) {
  MeshLines lines(text);
  std::map<std::uint64_t, Place> nodes;
  bool format = false, elements = false;
  while (auto const words = lines.next()) {
    if (words->empty()) continue;
    std::string const section(words->front());
    if (!format && (words->size() != 1 || section != "$MeshFormat")) return "1: expected $MeshFormat";
    if (words->size() != 1 || section.size() < 2 || section.front() != '$')
      return lines.wrong("a section such as $Nodes");
    std::string const end = "$End" + section.substr(1);
    std::optional<std::string> wrong;
    if (section == "$MeshFormat") {
      auto const version = lines.next();
      if (!version) return lines.missing("2.2 0 8 (text format)");
      if (version->size() != 3 || (*version)[0] != "2.2" || (*version)[1] != "0")
        return lines.wrong("2.2 0 8 (text format)");
      format = true;
    } else if (section == "$Nodes") {
      wrong = read_nodes(lines, nodes);
    } else if (section == "$Elements") {
      wrong = read_elements(lines, nodes, into);
      elements = true;
    } else {
      for (;;) {
        auto const passed = lines.next();
        if (!passed) return lines.missing(end);
        if (passed->size() == 1 && passed->front() == end) break;
      }
      continue;
    }
    if (wrong) return wrong;
    auto const last = lines.next();
    if (!last) return lines.missing(end);
    if (last->size() != 1 || last->front() != end) return lines.wrong(end);
  }
  if (!format) return lines.missing("$MeshFormat");
  if (!elements) return lines.missing("$Elements");
  if (into.empty()) return lines.missing("an element of type 1 (a line)");
  return std::nullopt;
}

std::string mesh_text(std::vector<simulator::Line> const& lines) {
  std::vector<Vector2<double>> nodes;
  auto const node = [&](Vector2<double> const& place) {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nodes[k] == place) return k + 1;
    nodes.push_back(place);
    return nodes.size();
  };
  std::string elements;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::size_t const from = node(lines[k].from), to = node(lines[k].to);
    elements += fmt::format("{} 1 2 1 1 {} {}\n", k + 1, from, to);
  }
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) text += fmt::format("{} {} {} 0\n", k + 1, nodes[k][0], nodes[k][1]);
  return text + fmt::format("$EndNodes\n$Elements\n{}\n{}$EndElements\n", lines.size(), elements);
}

}  // namespace demeter::simulations
