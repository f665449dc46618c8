#include "kernels/vectors.hpp"

#include "kernels/json_lines.hpp"
#include "reference/core/exact.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>

namespace demeter {
namespace {

using Json = nlohmann::ordered_json;
using Problem = std::optional<std::string>;

constexpr int digits_recorded = 30;
/// Number of digits of the reference's value. This value is compared with the recorded digits.
constexpr unsigned digits_of_reference = 40;

constexpr std::array<std::string_view, 8> keys{"id",       "kernel", "regime", "input",
                                               "expected", "flags",  "source", "comment"};

std::string listed(auto const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

detail::VectorSource const* find_source(std::string_view kernel) {
  for (auto const& source : detail::vector_sources())
    if (source.kernel == kernel) return &source;
  return nullptr;
}

VectorFlag const* find_flag(std::string_view name) {
  for (auto const& flag : vector_flags())
    if (flag.name == name) return &flag;
  return nullptr;
}

// ------------------------------------------------------------------------------------------------ recorded decimals

/// Returns true for a text like "-1.25e-7": sign, at most 30 significant digits with one before the point, and an
/// exponent without plus sign and leading zeros.
bool is_recorded_number(std::string_view text) {
  std::size_t at = 0, digits = 0;
  auto const digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  if (text == "0") return true;
  if (at < text.size() && text[at] == '-') ++at;
  if (!digit() || text[at] == '0') return false;
  ++at, ++digits;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digit()) return false;
    for (; digit(); ++at) ++digits;
  }
  if (digits > digits_recorded) return false;
  if (at < text.size() && text[at] == 'e') {
    ++at;
    if (at < text.size() && text[at] == '-') ++at;
    if (!digit() || text[at] == '0') return false;
    std::size_t const begin = at;
    while (digit()) ++at;
    if (at - begin > 5) return false;
  }
  return at == text.size();
}

int significant_digits(std::string_view recorded) {
  auto const mantissa = recorded.substr(0, recorded.find('e'));
  return static_cast<int>(std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

/// Returns true if a recorded number agrees with the reference's value, which has 40 digits. A number with fewer than
/// 30 digits must be exact. Otherwise it may differ by half a unit of its last digit.
bool agree(std::string const& recorded, std::string const& reference) {
  auto const value = parse_exact(recorded), other = parse_exact(reference);
  if (!value || !other) return recorded == reference;
  int const digits = significant_digits(recorded);
  if (*value == 0 || digits < digits_recorded) return *value == *other;
  std::size_t const e = recorded.find('e');
  int const exponent = e == std::string::npos ? 0 : std::stoi(recorded.substr(e + 1));
  auto const half_a_digit = *parse_exact(fmt::format("5.000001e{}", exponent - digits_recorded));
  return abs(Rational(*value - *other)) <= half_a_digit;
}

// ----------------------------------------------------------------------------------------------------- expected values

/// Returns the flags that follow from the expected values and from the certainty of the oracle.
std::vector<std::string> derive_flags(Kernel const& kernel, TextTable const& expected) {
  Schema const& schema = kernel.output;
  bool not_unique = false, overflow = false, underflow = false;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind != ColumnInfo::Kind::number) continue;
    for (auto const& text : expected.columns[i]) {
      double const value = std::strtod(text.c_str(), nullptr);
      not_unique = not_unique || text.empty();
      overflow = overflow || std::isinf(value);
      underflow = underflow || (!text.empty() && text != "0" && std::fabs(value) < std::numeric_limits<double>::min());
    }
  }
  std::vector<std::string> flags;
  if (not_unique) flags.push_back("NotUnique");
  if (overflow) flags.push_back("Overflow");
  if (underflow) flags.push_back("Underflow");
  if (!kernel.certainty.bounded()) flags.push_back("Estimated");
  return flags;
}

/// Returns where the values of oracle and reference differ, or nothing.
Problem disagreement(Schema const& output, TextTable const& expected, TextTable const& reference) {
  for (std::size_t i = 0; i < output.columns.size(); ++i) {
    auto const& info = output.columns[i];
    if (expected.columns[i].size() != reference.columns[i].size())
      return fmt::format("{}: oracle and reference give lists of different lengths", info.path);
    for (std::size_t k = 0; k < expected.columns[i].size(); ++k) {
      auto const &mine = expected.columns[i][k], &theirs = reference.columns[i][k];
      bool const number = info.kind == ColumnInfo::Kind::number;
      if (mine.empty() || (number ? agree(mine, theirs) : mine == theirs)) continue;
      return fmt::format("{}: the oracle gives {}, the reference {}", info.path, mine, theirs);
    }
  }
  return {};
}

/// Returns the oracle's values for row `row`, after a comparison with the reference's values. The first precision at
/// which both agree is enough: they share no code, so they do not agree in thirty digits by chance. A hundred digits
/// are tried first. They are enough if nothing cancels. If the values still differ, a correctly rounded result is
/// computed. It may need thousands of digits for numbers of very different size.
std::optional<TextTable> derive_expected(Kernel const& kernel, Table const& cases, std::size_t row,
                                         std::string& wrong) {
  if (find_source(kernel.name) == nullptr) return wrong = "the kernel is not one of this build", std::nullopt;
  TextTable expected = empty_text(kernel.output);
  auto truth = empty_table<Enclosure>(kernel.output);
  kernel.oracle.recorded_truth(cases, row, truth);
  append_row_as(kernel.output, expected, truth, 0,
                [&](std::size_t column, std::size_t at) { return recorded_digits(truth.columns[column][at]); });
  for (std::size_t i = 0; i < expected.columns.size(); ++i)
    for (std::string const& cell : expected.columns[i])
      if (cell == "?")
        return wrong = fmt::format("{}: the oracle does not certify {} digits", kernel.output.columns[i].path,
                                   digits_recorded),
               std::nullopt;
  for (Arithmetic const arithmetic : {Arithmetic{Arithmetic::Kind::multiprecision, 100}, Arithmetic{}}) {
    TextTable reference = empty_text(kernel.output);
    kernel.evaluate_text(0, arithmetic, digits_of_reference, cases, row, reference);
    Problem const apart = disagreement(kernel.output, expected, reference);
    if (!apart) return wrong.clear(), expected;
    wrong = *apart;
  }
  return std::nullopt;
}

Problem lint_expected(Node const& node, Json const& value, std::string const& path) {
  auto const number = [](Json const& text, std::string const& where) -> Problem {
    if (text.is_string() && is_recorded_number(text.get_ref<std::string const&>())) return {};
    return fmt::format("{}: expected a decimal of at most {} digits in a string, like \"-1.25e-7\", got {}", where,
                       digits_recorded, text.dump(-1, ' ', true, Json::error_handler_t::replace));
  };
  if (node.nullable && value.is_null()) return {};
  switch (node.kind) {
    case Node::Kind::number:
      if (node.extent == 0) return number(value, path);
      if (!value.is_array() || value.size() != node.extent)
        return fmt::format("{}: expected an array of {} decimals in strings", path, node.extent);
      for (std::size_t i = 0; i < node.extent; ++i)
        if (auto wrong = number(value[i], fmt::format("{}[{}]", path, i))) return wrong;
      return {};
    case Node::Kind::enumeration:
      for (auto label : node.labels)
        if (value.is_string() && value.get_ref<std::string const&>() == label) return {};
      return fmt::format("{}: expected one of {}", path, listed(node.labels));
    case Node::Kind::list:
      if (!value.is_array()) return fmt::format("{}: expected an array", path);
      for (std::size_t i = 0; i < value.size(); ++i)
        if (auto wrong = lint_expected(node.children.front(), value[i], fmt::format("{}[{}]", path, i))) return wrong;
      return {};
    case Node::Kind::record:
      if (!value.is_object()) return fmt::format("{}: expected an object", path);
      for (auto const& [key, inner] : value.items()) {
        auto const child = std::find_if(node.children.begin(), node.children.end(),
                                        [&name = key](Node const& each) { return each.name == name; });
        if (child == node.children.end()) {
          std::vector<std::string> names;
          for (auto const& each : node.children) names.push_back(each.name);
          return fmt::format("{}: unknown key \"{}\"; expected {}", path, key, listed(names));
        }
        if (auto wrong = lint_expected(*child, inner, path + "." + key)) return wrong;
      }
      return {};
  }
  return {};
}

/// Returns the first difference between recorded and derived expected values, or nothing.
Problem first_difference(Json const& recorded, Json const& derived, std::string const& path) {
  auto const text = [](Json const& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  if (recorded == derived) return {};
  if (recorded.is_object() && derived.is_object()) {
    for (auto const& [key, value] : derived.items()) {
      if (!recorded.contains(key)) return fmt::format("{}.{}: missing; the oracle gives {}", path, key, text(value));
      if (auto wrong = first_difference(recorded[key], value, path + "." + key)) return wrong;
    }
    for (auto const& [key, value] : recorded.items())
      if (!derived.contains(key))
        return fmt::format("{}.{}: {} is recorded, but the output is not unique", path, key, text(value));
    return {};  // only the order of the keys differs: the comparison of the whole line reports this
  }
  if (recorded.is_array() && derived.is_array() && recorded.size() == derived.size()) {
    for (std::size_t i = 0; i < derived.size(); ++i)
      if (auto wrong = first_difference(recorded[i], derived[i], fmt::format("{}[{}]", path, i))) return wrong;
    return {};
  }
  return fmt::format("{}: {} is recorded, the oracle gives {}", path, text(recorded), text(derived));
}

// ----------------------------------------------------------------------------------------------------------- lines

Problem lint_flags(Json const& flags, std::vector<std::string>& into) {
  if (!flags.is_array()) return "flags: expected an array of names";
  for (auto const& flag : flags) {
    if (!flag.is_string()) return "flags: expected an array of names";
    auto const name = flag.get<std::string>();
    if (find_flag(name) == nullptr) {
      std::vector<std::string> names;
      for (auto const& each : vector_flags()) names.push_back(each.name);
      return fmt::format("flags: unknown flag \"{}\"; oracles/vectors/flags.json has {}", name, listed(names));
    }
    if (std::find(into.begin(), into.end(), name) != into.end()) return fmt::format("flags: \"{}\" given twice", name);
    into.push_back(name);
  }
  return {};
}

/// Reads the lines of a vectors file in order.
class VectorReader {
 public:
  explicit VectorReader(Kernel const& kernel) : kernel_(kernel), reader_(kernel) {}

  /// Appends the vector of the line, or returns an error. `json` is set to the whole line.
  Problem read(std::string_view text, Vectors& into, Json& json) {
    VectorNotes notes;
    TableMark const before(into.cases);
    auto wrong = read_line(text, into.cases, notes, json);
    if (wrong) {
      before.restore(into.cases);
      return wrong;
    }
    last_id_ = notes.id;
    into.notes.push_back(std::move(notes));
    return {};
  }

 private:
  Problem read_line(std::string_view text, Table& cases, VectorNotes& notes, Json& json) {
    padded_.assign(text);
    padded_.reserve(padded_.size() + LineReader::padding());
    Line line;
    if (auto wrong = reader_.read(padded_, &cases, nullptr, line)) return wrong;
    json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return "expected a JSON object";
    for (auto const& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return fmt::format("unknown key \"{}\"; expected {}", key, listed(keys));
    for (auto const key : keys)
      if (key != "comment" && !json.contains(key)) return fmt::format("missing key \"{}\"", key);

    notes.id = *line.id;
    if (notes.id <= last_id_)
      return fmt::format("id: {}, expected more than {}, the one before (ids are unique and ascend)", notes.id,
                         last_id_);
    auto const regime = std::find_if(kernel_.regimes.begin(), kernel_.regimes.end(), [&](RegimeInfo const& each) {
      return each.name == line.regime && each.size == 0;
    });
    if (regime == kernel_.regimes.end()) {
      std::vector<std::string> names;
      for (auto const& each : kernel_.regimes) names.push_back(each.name);
      return fmt::format("regime: unknown regime \"{}\" of {}; expected {}", line.regime, kernel_.name, listed(names));
    }
    notes.regime = static_cast<std::size_t>(regime - kernel_.regimes.begin());
    if (!cases.exact.empty()) {
      auto const exact = cases.exact.begin()->second;
      return fmt::format("input: \"{}\" is not a binary64; expected numbers in their shortest form", exact);
    }
    if (auto const outside = kernel_.domain_error(cases, cases.rows - 1))
      return fmt::format("input: {}: expected {}", outside->field, outside->expected);
    if (auto wrong = lint_expected(kernel_.output.root, json["expected"], "expected")) return wrong;
    if (auto wrong = lint_flags(json["flags"], notes.flags)) return wrong;
    for (auto const key : {"source", "comment"}) {
      if (!json.contains(key)) continue;
      bool const good = json[key].is_string() && !json[key].get_ref<std::string const&>().empty();
      if (!good) return fmt::format("{}: expected a text that is not empty", key);
    }
    notes.source = json["source"];
    if (json.contains("comment")) notes.comment = json["comment"];
    return {};
  }

  Kernel const& kernel_;
  LineReader reader_;
  std::string padded_;
  std::uint64_t last_id_ = 0;
};

/// Calls `each(line, number)` for every line. The last line may have no newline.
template <class Each>
void for_each_line(std::string_view text, Each&& each) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    each(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Returns an error message of one line. The line is safe to print in a terminal, whatever the file contains.
std::string message(std::uint64_t number, std::string_view wrong) {
  return fmt::format("line {}: {}", number, plain_message(wrong));
}

std::string input_text(Kernel const& kernel, Table const& cases, std::size_t row) {
  Buffer buffer;
  write_record(kernel.input, cases, row, buffer);
  return fmt::to_string(buffer);
}

}  // namespace

// ------------------------------------------------------------------------------------------------- public functions

std::string recorded_digits(Enclosure const& truth) {
  if (std::isinf(truth.radius)) return "";
  // The bounds are rounded outwards, so they are valid in all cases. 320 bits are enough for an exact high + low in
  // usual cases.
  mpfr_t low, high, part;
  mpfr_inits2(320, low, high, part, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_ld(low, truth.high, MPFR_RNDN);
  mpfr_set(high, low, MPFR_RNDN);
  mpfr_set_ld(part, truth.low, MPFR_RNDN);
  mpfr_add(low, low, part, MPFR_RNDD);
  mpfr_add(high, high, part, MPFR_RNDU);
  mpfr_set_ld(part, truth.radius, MPFR_RNDN);
  mpfr_sub(low, low, part, MPFR_RNDD);
  mpfr_add(high, high, part, MPFR_RNDU);
  std::string text = decimal(low, digits_recorded);
  if (mpfr_zero_p(low) && mpfr_zero_p(high)) {
    text = "0";
  } else if (text != decimal(high, digits_recorded)) {
    text = "?";
  } else if (mpfr_equal_p(low, high)) {
    // Trailing zeros of an exact number are redundant. In any other number they are significant digits.
    auto const value = parse_exact(text);
    if (value && mpfr_cmp_q(low, value->backend().data()) == 0) {
      std::size_t const exponent = std::min(text.find('e'), text.size());
      std::size_t last = text.find_last_not_of('0', exponent - 1);
      if (text[last] == '.') --last;
      text.erase(last + 1, exponent - last - 1);
    }
  }
  mpfr_clears(low, high, part, static_cast<mpfr_ptr>(nullptr));
  return text;
}

std::vector<VectorFlag> const& vector_flags() {
  static std::vector<VectorFlag> const flags = [] {
    std::vector<VectorFlag> read;
    Json const table = Json::parse(detail::vector_flags_text());
    for (auto const& [name, flag] : table.items())
      read.push_back({name, flag.at("description"), flag.at("failing_means"), flag.value("derived", false)});
    return read;
  }();
  return flags;
}

void add_vectors_regime(Kernel& kernel) {
  std::string_view const text = vectors_text(kernel);
  auto const lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines == 0) return;
  std::size_t const index = kernel.regimes.size();
  kernel.regimes.push_back({"vectors", "the recorded cases of oracles/vectors: bugs, edges, hard cases", lines});
  kernel.draw = [index, name = kernel.name, others = kernel.draw](std::size_t regime, std::uint64_t seed,
                                                                  std::uint64_t id, Sizes const& sizes, Table& into) {
    if (regime != index) return others(regime, seed, id, sizes, into);
    Kernel const& listed = *find_batch_kernel(name);
    Vectors const& vectors = vectors_of(listed);
    append_row(listed.input, into, vectors.cases, id % vectors.cases.rows);
  };
}

std::string_view vectors_text(Kernel const& kernel) {
  auto const* source = find_source(kernel.name);
  return source == nullptr ? std::string_view() : source->text;
}

Vectors const& vectors_of(Kernel const& kernel) {
  static std::mutex mutex;
  static std::map<std::string, Vectors, std::less<>> read;
  std::lock_guard const guard(mutex);
  auto const [at, fresh] = read.try_emplace(kernel.name);
  if (fresh) {
    if (auto const wrong = read_vectors(kernel, vectors_text(kernel), at->second))
      throw std::runtime_error(fmt::format("the vectors of {} built in: {}", kernel.name, *wrong));
  }
  return at->second;
}

std::optional<std::string> read_vectors(Kernel const& kernel, std::string_view text, Vectors& into) {
  into.cases.clear(kernel.input);
  into.notes.clear();
  VectorReader reader(kernel);
  Problem first;
  for_each_line(text, [&](std::string_view line, std::uint64_t number) {
    if (first) return;
    Json json;
    if (auto wrong = reader.read(line, into, json)) first = message(number, *wrong);
  });
  return first;
}

std::vector<std::string> check_vectors(Kernel const& kernel, std::string_view text) {
  std::vector<std::string> problems;
  Vectors vectors;
  vectors.cases.clear(kernel.input);
  VectorReader reader(kernel);
  std::map<std::string, std::uint64_t> seen;
  auto const check_line = [&](std::string_view line, std::uint64_t number) -> Problem {
    Json json;
    if (auto wrong = reader.read(line, vectors, json)) return wrong;
    std::size_t const row = vectors.cases.rows - 1;
    auto const [before, fresh] = seen.try_emplace(input_text(kernel, vectors.cases, row), number);
    if (!fresh) return fmt::format("input: the same as on line {}", before->second);
    std::string wrong;
    auto const derived = vector_line(kernel, vectors.cases, row, vectors.notes.back(), wrong);
    if (!derived) return wrong;
    Json const right = Json::parse(*derived);
    if (auto difference = first_difference(json["expected"], right["expected"], "expected")) return difference;
    if (json["flags"] != right["flags"])
      return fmt::format("flags: {}, expected {}", json["flags"].dump(), right["flags"].dump());
    if (line != *derived) {
      auto const at = std::mismatch(line.begin(), line.end(), derived->begin(), derived->end());
      auto const column = static_cast<std::size_t>(at.first - line.begin());
      return fmt::format("column {}: \"{}\" is not as the tool writes it, expected \"{}\"", column + 1,
                         line.substr(column, 20), derived->substr(std::min(column, derived->size()), 20));
    }
    return {};
  };
  for_each_line(text, [&](std::string_view line, std::uint64_t number) {
    if (auto wrong = check_line(line, number)) problems.push_back(message(number, *wrong));
  });
  if (!text.empty() && text.back() != '\n')
    problems.push_back(
        fmt::format("line {}: expected a newline at the end", std::count(text.begin(), text.end(), '\n') + 1));
  return problems;
}

std::optional<std::string> vector_line(Kernel const& kernel, Table const& cases, std::size_t row,
                                       VectorNotes const& notes, std::string& wrong) {
  auto const expected = derive_expected(kernel, cases, row, wrong);
  if (!expected) return std::nullopt;
  auto const derived = derive_flags(kernel, *expected);
  auto const has = [](std::vector<std::string> const& flags, std::string const& name) {
    return std::find(flags.begin(), flags.end(), name) != flags.end();
  };

  Buffer line;
  auto const put = [&](std::string_view text) { line.append(text); };
  put(fmt::format("{{\"id\":{},\"kernel\":\"{}\",\"regime\":\"{}\",\"input\":", notes.id, kernel.name,
                  kernel.regimes[notes.regime].name));
  put(input_text(kernel, cases, row));
  put(",\"expected\":");
  write_record(kernel.output, *expected, 0, true, line);
  put(",\"flags\":[");
  bool first = true;
  for (auto const& flag : vector_flags()) {
    if (!has(flag.derived ? derived : notes.flags, flag.name)) continue;
    put(std::exchange(first, false) ? "\"" : ",\"");
    put(flag.name);
    put("\"");
  }
  put("],\"source\":");
  write_string(notes.source, line);
  if (!notes.comment.empty()) {
    put(",\"comment\":");
    write_string(notes.comment, line);
  }
  put("}");
  return fmt::to_string(line);
}

}  // namespace demeter
