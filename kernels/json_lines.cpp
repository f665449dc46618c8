#include "kernels/json_lines.hpp"

#include "reference/core/exact.hpp"

#include <simdjson.h>

#include <unistd.h>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

namespace demeter {
namespace {

namespace ondemand = simdjson::ondemand;

// An error while reading. Functions return the error and do not throw it. Each level of nested records adds its part of
// the path to the returned error.
struct Misread {
  std::string path;
  std::string what;
};
using Result = std::optional<Misread>;

Misread failure(std::string what) { return {"", std::move(what)}; }
Misread under(std::string_view name, Misread inner) {
  if (inner.path.empty() || inner.path.front() == '[') {
    inner.path = std::string(name) + inner.path;
  } else {
    inner.path = std::string(name) + "." + inner.path;
  }
  return inner;
}
Misread syntax(simdjson::error_code code) {
  return failure(fmt::format("not JSON: {}", simdjson::error_message(code)));
}

std::string shorten(std::string_view text) { return plain_text(text, 40); }

/// Returns true if the token follows JSON's number grammar. simdjson does not check the raw token of a number.
bool is_json_number(std::string_view t) {
  std::size_t i = 0;
  auto const digit = [&] { return i < t.size() && t[i] >= '0' && t[i] <= '9'; };
  if (i < t.size() && t[i] == '-') ++i;
  if (!digit()) return false;
  if (t[i] == '0')
    ++i;
  else
    while (digit()) ++i;
  if (i < t.size() && t[i] == '.') {
    ++i;
    if (!digit()) return false;
    while (digit()) ++i;
  }
  if (i < t.size() && (t[i] == 'e' || t[i] == 'E')) {
    ++i;
    if (i < t.size() && (t[i] == '+' || t[i] == '-')) ++i;
    if (!digit()) return false;
    while (digit()) ++i;
  }
  return i == t.size();
}

Result read_plain(std::string_view token, double& value) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\t' || token.back() == '\r' || token.back() == '\n'))
    token.remove_suffix(1);
  if (!is_json_number(token)) return failure(fmt::format("expected a number, got {}", shorten(token)));
  auto const [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc{} && end == token.data() + token.size()) return {};
  // Out of range: from_chars does not distinguish underflow from overflow. Underflow is rounded as usual, overflow is
  // an error.
  value = std::strtod(std::string(token).c_str(), nullptr);
  if (std::isfinite(value)) return {};
  return failure(fmt::format("{} is beyond binary64; expected a finite number, or the string \"inf\"", shorten(token)));
}

Result read_quoted(std::string_view text, double& value, std::string& exact) {
  if (text == "nan") return value = std::numeric_limits<double>::quiet_NaN(), Result{};
  if (text == "inf") return value = std::numeric_limits<double>::infinity(), Result{};
  if (text == "-inf") return value = -std::numeric_limits<double>::infinity(), Result{};
  std::string_view digits = text;
  bool const negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    // from_chars would also accept a second sign, "inf" and "nan".
    bool const number =
        !digits.empty() && (digits.front() == '.' || std::isxdigit(static_cast<unsigned char>(digits.front())));
    auto const [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
    if (number && error == std::errc{} && end == digits.data() + digits.size()) {
      if (negative) value = -value;
      return {};
    }
    if (number && error == std::errc::result_out_of_range) {
      value = std::strtod(std::string(text).c_str(), nullptr);
      if (std::isfinite(value)) return {};
    }
  } else if (auto rational = parse_exact(text)) {
    value = nearest(*rational);
    if (value == 0 && negative) value = -0.0;
    if (!std::isfinite(value) || Rational(value) != *rational) exact = text;
    return {};
  }
  return failure(
      fmt::format("\"{}\" is not a number; expected a decimal, a ratio like \"3/5\", a hexfloat like "
                  "\"0x1.8p+3\", \"nan\", \"inf\" or \"-inf\"",
                  shorten(text)));
}

Result read_number(ondemand::value value, Table& table, std::size_t column) {
  double number = 0;
  std::string exact;
  ondemand::json_type type;
  if (auto error = value.type().get(type)) return syntax(error);
  if (type == ondemand::json_type::number) {
    if (auto wrong = read_plain(value.raw_json_token(), number)) return wrong;
  } else if (type == ondemand::json_type::string) {
    std::string_view text;
    if (auto error = value.get_string().get(text)) return syntax(error);
    if (auto wrong = read_quoted(text, number, exact)) return wrong;
  } else {
    return failure(fmt::format("expected a number, got {}", shorten(value.raw_json_token())));
  }
  if (!exact.empty()) table.exact[{column, table.columns[column].size()}] = std::move(exact);
  table.columns[column].push_back(number);
  return {};
}

Result read_node(Node const& node, ondemand::value value, Table& table);

Result read_vector(Node const& node, ondemand::value value, Table& table) {
  auto const expected = [&] { return failure(fmt::format("expected an array of {} numbers", node.extent)); };
  ondemand::array array;
  if (value.get_array().get(array)) return expected();
  std::size_t i = 0;
  for (auto element : array) {
    ondemand::value number;
    if (auto error = element.get(number)) return syntax(error);
    if (i == node.extent) return failure(fmt::format("expected an array of {} numbers, got more", node.extent));
    if (auto wrong = read_number(number, table, node.values() + i)) return under(fmt::format("[{}]", i), *wrong);
    ++i;
  }
  if (i != node.extent) return failure(fmt::format("expected an array of {} numbers, got {}", node.extent, i));
  return {};
}

void append_null(Node const& node, Table& table) {
  table.columns[node.column].push_back(0);
  for (std::size_t i = node.values(); i < node.column + node.columns; ++i) table.columns[i].push_back(0);
}

/// Reads a record. If `partial` (for outputs), a missing key means "not computed". Otherwise (for inputs) every key is
/// required, except that a missing nullable key means null.
Result read_record(Node const& node, ondemand::object object, Table& table, bool partial) {
  unsigned long long seen = 0;
  std::size_t next = 0;  // writers keep the order of fields(), so the first guess is nearly always correct
  for (auto member : object) {
    std::string_view key;
    if (auto error = member.unescaped_key().get(key)) return syntax(error);
    if (next >= node.children.size() || node.children[next].name != key) {
      next = 0;
      while (next < node.children.size() && node.children[next].name != key) ++next;
    }
    if (next == node.children.size()) {
      std::string names;
      for (auto const& child : node.children) names += (names.empty() ? "" : ", ") + child.name;
      return failure(fmt::format("unknown key \"{}\"; expected {}", shorten(key), names));
    }
    Node const& child = node.children[next];
    if ((seen >> next & 1) != 0) return failure(fmt::format("key \"{}\" given twice", child.name));
    seen |= 1ull << next;
    ++next;
    ondemand::value value;
    if (auto error = member.value().get(value)) return under(child.name, syntax(error));
    if (auto wrong = read_node(child, value, table)) return under(child.name, *wrong);
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if ((seen >> i & 1) != 0) continue;
    if (partial) {
      append_not_computed(node.children[i], table);
    } else if (node.children[i].nullable) {
      append_null(node.children[i], table);
    } else {
      return failure(fmt::format("missing key \"{}\"", node.children[i].name));
    }
  }
  return {};
}

Result read_node(Node const& node, ondemand::value value, Table& table) {
  if (node.nullable) {
    bool null = false;
    if (auto error = value.is_null().get(null)) return syntax(error);
    if (null) {
      append_null(node, table);
      return {};
    }
    table.columns[node.column].push_back(1);
  }
  switch (node.kind) {
    case Node::Kind::number:
      return node.extent == 0 ? read_number(value, table, node.values()) : read_vector(node, value, table);
    case Node::Kind::enumeration: {
      std::string_view label;
      std::string expected;
      for (auto each : node.labels) expected += (expected.empty() ? "\"" : ", \"") + std::string(each) + "\"";
      if (value.get_string().get(label)) return failure("expected one of " + expected);
      for (std::size_t i = 0; i < node.labels.size(); ++i) {
        if (node.labels[i] != label) continue;
        table.columns[node.column].push_back(static_cast<double>(i));
        return {};
      }
      return failure(fmt::format("\"{}\" is not one of {}", shorten(label), expected));
    }
    case Node::Kind::record: {
      ondemand::object object;
      if (value.get_object().get(object)) return failure("expected an object");
      return read_record(node, object, table, false);
    }
    case Node::Kind::list: {
      ondemand::array array;
      if (value.get_array().get(array)) return failure("expected an array");
      double count = 0;
      for (auto element : array) {
        ondemand::value item;
        if (auto error = element.get(item)) return syntax(error);
        if (auto wrong = read_node(node.children.front(), item, table))
          return under(fmt::format("[{}]", static_cast<long>(count)), *wrong);
        ++count;
      }
      auto& offsets = table.columns[node.column];
      offsets.push_back(offsets.back() + count);
      return {};
    }
  }
  return {};
}

}  // namespace

struct LineReader::Parser {
  explicit Parser(Kernel const& of) : kernel(of) {}

  Kernel const& kernel;
  ondemand::parser parser;
  std::set<std::string> keys;  ///< keys of the current line that were read so far

  Result read(std::string_view text, Table* cases, Table* outputs, Line& line) {
    ondemand::document document;
    if (auto error = parser.iterate(text.data(), text.size(), text.size() + padding()).get(document))
      return syntax(error);
    ondemand::object object;
    if (auto error = document.get_object().get(object))
      return error == simdjson::INCORRECT_TYPE ? failure("expected a JSON object") : syntax(error);
    bool answered = false;
    keys.clear();
    for (auto member : object) {
      std::string_view key;
      if (auto error = member.unescaped_key().get(key)) return syntax(error);
      ondemand::value value;
      if (auto error = member.value().get(value)) return syntax(error);
      bool const answer = key == "output" || key == "unsupported" || key == "error";
      if (answer && std::exchange(answered, true)) return failure("more than one of output, unsupported, error");
      if (!keys.emplace(key).second) return failure("key \"" + shorten(key) + "\" given twice");
      if (key == "output") {
        line.answer = Line::Answer::output;
        ondemand::object record;
        if (value.get_object().get(record)) return under("output", failure("expected an object"));
        if (outputs != nullptr) {
          if (auto wrong = read_record(kernel.output.root, record, *outputs, true)) return under("output", *wrong);
          ++outputs->rows;
        }
      } else if (answer) {
        line.answer = key == "error" ? Line::Answer::error : Line::Answer::unsupported;
        std::string_view message;
        if (value.get_string().get(message)) return under(std::string(key), failure("expected a string"));
        line.message = message;
      } else {
        if (key == "input") {
          ondemand::object record;
          if (value.get_object().get(record)) return under("input", failure("expected an object"));
          line.has_input = true;
          if (cases != nullptr) {
            if (auto wrong = read_record(kernel.input.root, record, *cases, false)) return under("input", *wrong);
            ++cases->rows;
          }
        } else if (key == "id") {
          if (line.id) return failure("key \"id\" given twice");
          std::uint64_t id = 0;
          if (value.get_uint64().get(id)) return under("id", failure("expected a non-negative integer"));
          line.id = id;
        } else if (key == "kernel") {
          std::string_view kernel_name;
          if (value.get_string().get(kernel_name)) return under("kernel", failure("expected a string"));
          if (kernel_name != kernel.name)
            return under("kernel", failure(fmt::format("\"{}\", expected \"{}\"", shorten(kernel_name), kernel.name)));
        } else if (key == "regime") {
          if (!line.regime.empty()) return failure("key \"regime\" given twice");
          std::string_view regime;
          if (value.get_string().get(regime)) return under("regime", failure("expected a string"));
          line.regime = regime;
        }
      }
    }
    // At the end of the document there is no current location.
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
      return failure("not JSON: something follows the object");
    return {};
  }
};

LineReader::LineReader(Kernel const& kernel) : parser_(new Parser(kernel)) {}
LineReader::~LineReader() = default;

std::size_t LineReader::padding() { return simdjson::SIMDJSON_PADDING; }

std::optional<std::string> LineReader::read(std::string_view text, Table* cases, Table* outputs, Line& line) {
  line = {};
  std::optional<TableMark> cases_before, outputs_before;
  if (cases != nullptr) cases_before.emplace(*cases);
  if (outputs != nullptr) outputs_before.emplace(*outputs);
  auto wrong = parser_->read(text, cases, outputs, line);
  if (!wrong) return std::nullopt;
  if (cases_before) cases_before->restore(*cases);
  if (outputs_before) outputs_before->restore(*outputs);
  return wrong->path.empty() ? wrong->what : wrong->path + ": " + wrong->what;
}

LineSource::LineSource(std::FILE* stream) : stream_(stream) {}

std::vector<std::string_view> const& LineSource::next_block() {
  constexpr std::size_t chunk = 1 << 18;
  lines_.clear();
  while (lines_.empty()) {
    if (ended_) {
      if (begin_ < end_) lines_.emplace_back(buffer_.data() + begin_, end_ - begin_);  // a last line without newline
      begin_ = end_;
      break;
    }
    buffer_.erase(0, begin_);
    end_ -= begin_;
    begin_ = 0;
    buffer_.resize(end_ + chunk + LineReader::padding());
    // read(2) returns the data that a pipe has now. fread would wait for more data, but the cases must be answered now.
    ssize_t const got = ::read(::fileno(stream_), buffer_.data() + end_, chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      failed_ = got < 0;
      ended_ = true;
      continue;
    }
    std::size_t const fresh = end_;
    end_ += static_cast<std::size_t>(got);
    char const* at = buffer_.data() + fresh;
    char const* const stop = buffer_.data() + end_;
    while (auto const* newline = static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(stop - at)))) {
      char const* const start = buffer_.data() + begin_;
      lines_.emplace_back(start, static_cast<std::size_t>(newline - start));
      begin_ = static_cast<std::size_t>(newline - buffer_.data()) + 1;
      at = newline + 1;
    }
    if (end_ - begin_ > longest) {
      endless_ = ended_ = true;
      begin_ = end_;  // the incomplete line is discarded
    }
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (!std::exchange(begun_, true) && !lines_.empty() && lines_.front().starts_with(byte_order_mark))
    lines_.front().remove_prefix(byte_order_mark.size());
  return lines_;
}

std::size_t json_depth(std::string_view text) {
  std::size_t now = 0, most = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++now);
    } else if ((c == ']' || c == '}') && now > 0) {
      --now;
    }
  }
  return most;
}

void write_string(std::string_view text, Buffer& out) {
  auto const is_ordinary = [](char c) { return ' ' <= c && c < 127 && c != '"' && c != '\\'; };
  out.push_back('"');
  while (!text.empty()) {
    auto const ordinary = std::find_if_not(text.begin(), text.end(), is_ordinary) - text.begin();
    out.append(text.substr(0, static_cast<std::size_t>(ordinary)));
    text.remove_prefix(static_cast<std::size_t>(ordinary));
    if (text.empty()) break;
    auto const next = first_character(text);
    if (text.front() == '"' || text.front() == '\\') {
      out.push_back('\\');
      out.push_back(text.front());
    } else if (text.front() == '\n') {
      out.append(std::string_view("\\n"));
    } else if (!next.is_utf8) {  // the path of a file may contain any byte
      out.append(std::string_view("\xEF\xBF\xBD"));
    } else if (next.is_harmless) {
      out.append(text.substr(0, next.bytes));
    } else {
      fmt::format_to(fmt::appender(out), "\\u{:04x}", next.code);
    }
    text.remove_prefix(next.bytes);
  }
  out.push_back('"');
}

namespace {

void write_double(double value, Buffer& out) {
  if (value == 0) {
    // Many readers parse "-0" as an integer and lose its sign.
    out.append(std::string_view(std::signbit(value) ? "-0.0" : "0"));
  } else if (std::isfinite(value)) {
    fmt::format_to(fmt::appender(out), "{}", value);
  } else {
    fmt::format_to(fmt::appender(out), "\"{}\"", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  }
}

/// Access to the cells of a table of doubles, for writing a record.
struct DoubleCells {
  Table const& table;
  bool skip(std::size_t column, std::size_t at) const { return is_not_computed(table.columns[column][at]); }
  std::size_t index(std::size_t column, std::size_t at) const {
    return static_cast<std::size_t>(table.columns[column][at]);
  }
  void write(std::size_t column, std::size_t at, Buffer& out) const {
    if (!table.exact.empty()) {
      if (auto found = table.exact.find({column, at}); found != table.exact.end())
        return write_string(found->second, out);
    }
    write_double(table.columns[column][at], out);
  }
};

/// Access to the cells of a table of texts, for writing a record.
struct TextCells {
  TextTable const& table;
  bool quoted;
  bool skip(std::size_t column, std::size_t at) const { return table.columns[column][at].empty(); }
  std::size_t index(std::size_t column, std::size_t at) const { return std::stoul(table.columns[column][at]); }
  void write(std::size_t column, std::size_t at, Buffer& out) const {
    std::string const& text = table.columns[column][at];
    bool const special = text == "nan" || text == "inf" || text == "-inf";
    if (quoted || special) return write_string(text, out);
    out.append(text);
  }
};

template <class Cells>
bool skipped(Node const& node, Cells const& cells, std::size_t at) {
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (!skipped(child, cells, at)) return false;
      return true;
    case Node::Kind::list: {
      std::size_t const begin = cells.index(node.column, at);
      return begin < cells.index(node.column, at + 1) && skipped(node.children.front(), cells, begin);
    }
    default:
      if (node.nullable && cells.index(node.column, at) == 0) return false;
      return cells.skip(node.values(), at);
  }
}

template <class Cells>
void write_node(Node const& node, Cells const& cells, std::size_t at, Buffer& out) {
  if (node.nullable && cells.index(node.column, at) == 0) return out.append(std::string_view("null"));
  switch (node.kind) {
    case Node::Kind::number:
      if (node.extent == 0) return cells.write(node.values(), at, out);
      out.push_back('[');
      for (std::size_t i = 0; i < node.extent; ++i) {
        if (i > 0) out.push_back(',');
        cells.write(node.values() + i, at, out);
      }
      out.push_back(']');
      return;
    case Node::Kind::enumeration:
      return write_string(node.labels[cells.index(node.column, at)], out);
    case Node::Kind::record: {
      out.push_back('{');
      bool first = true;
      for (auto const& child : node.children) {
        if (skipped(child, cells, at)) continue;
        if (!std::exchange(first, false)) out.push_back(',');
        out.push_back('"');
        out.append(child.name);
        out.append(std::string_view("\":"));
        write_node(child, cells, at, out);
      }
      out.push_back('}');
      return;
    }
    case Node::Kind::list: {
      out.push_back('[');
      std::size_t const begin = cells.index(node.column, at), end = cells.index(node.column, at + 1);
      for (std::size_t i = begin; i < end; ++i) {
        if (i > begin) out.push_back(',');
        write_node(node.children.front(), cells, i, out);
      }
      out.push_back(']');
      return;
    }
  }
}

}  // namespace

void write_record(Schema const& schema, Table const& table, std::size_t row, Buffer& out) {
  write_node(schema.root, DoubleCells{table}, row, out);
}

void write_record(Schema const& schema, TextTable const& table, std::size_t row, bool quoted, Buffer& out) {
  write_node(schema.root, TextCells{table, quoted}, row, out);
}

std::optional<std::string> read_case(Kernel const& kernel, std::string_view text, Table& cases) {
  std::string padded(text);
  padded.reserve(text.size() + LineReader::padding());
  LineReader reader(kernel);
  Line line;
  std::size_t const before = cases.rows;
  auto wrong = reader.read(padded, &cases, nullptr, line);
  if (!wrong && cases.rows > before) return std::nullopt;
  if (wrong && line.has_input) return wrong;
  std::string whole = "{\"input\":" + padded + "}";
  whole.reserve(whole.size() + LineReader::padding());
  return reader.read(whole, &cases, nullptr, line);
}

}  // namespace demeter
