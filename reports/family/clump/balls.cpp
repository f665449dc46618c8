#include "reports/family/clump/balls.hpp"

#include "kernels/json_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace demeter::clump_file {
namespace {

/// Returns the index of the quantity that a column name means, or 4 for a diameter.
std::optional<std::size_t> quantity_named(std::string_view name) {
  std::string word;
  for (char const c : name) {
    if (c == '[' || c == '(') break;  // a unit
    if (c != '"' && c != '\'' && c != ' ' && c != '_' && c != '-' && c != '.' && c != ':')
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::string const letter(quantities[axis]), number = std::to_string(axis);
    for (std::string_view const before : {"", "c", "p", "pos", "position", "centre", "center", "coord", "coordinate"})
      if (word == std::string(before) + letter) return axis;
    if (word == "points" + number || word == "coordinates" + number) return axis;
  }
  for (std::string_view const alias : {"r", "radius", "rad", "radii"})
    if (word == alias) return 3;
  for (std::string_view const alias : {"d", "diameter", "diam"})
    if (word == alias) return 4;
  return std::nullopt;
}

void split(std::string_view line, bool commas, std::vector<std::string_view>& cells) {
  cells.clear();
  if (commas) {
    constexpr std::string_view around = " \t\r\"";
    for (std::size_t at = 0;;) {
      std::size_t const comma = line.find(',', at);
      std::string_view cell = line.substr(at, comma - at);
      cell.remove_prefix(std::min(cell.find_first_not_of(around), cell.size()));
      cells.push_back(cell.substr(0, cell.find_last_not_of(around) + 1));
      if (comma == std::string_view::npos) return;
      at = comma + 1;
    }
  }
  constexpr std::string_view blank = " \t\r";
  for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;) {
    std::size_t const end = line.find_first_of(blank, at);
    cells.push_back(line.substr(at, end - at));
    at = end == std::string_view::npos ? end : line.find_first_not_of(blank, end);
  }
}

/// Returns the beginning of a word of the file, for a message.
std::string quoted(std::string_view word) { return plain_text(word, 100); }

/// Reads a finite number. Returns the error, or nothing.
std::optional<std::string> read_number(std::string_view text, double& value) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+') digits.remove_prefix(1);
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty() || error == std::errc::invalid_argument)
    return fmt::format("\"{}\", expected a number", quoted(text));
  if (error == std::errc::result_out_of_range) return fmt::format("{}, out of the range of a double", quoted(text));
  if (!std::isfinite(value)) return fmt::format("{}, expected a finite number", quoted(text));
  return std::nullopt;
}

/// Reads balls line by line. Errors do not contain the number of the line.
class LineOfBalls {
 public:
  LineOfBalls(double scale, std::vector<Ball>& balls) : scale_(scale), balls_(balls) {}

  std::optional<std::string> read(std::string_view line) {
    line = line.substr(0, line.find_first_of("#;%"));
    if (line.find_first_not_of(" \t\r,") == std::string_view::npos) return std::nullopt;
    if (!begun_) {
      begun_ = true;
      commas_ = line.find(',') != std::string_view::npos;
      split(line, commas_, cells_);
      double ignored;
      if (read_number(cells_[0], ignored) && is_header()) return read_header();
    } else {
      split(line, commas_, cells_);
    }
    return read_row();
  }

 private:
  bool is_header() const {
    return std::any_of(cells_.begin(), cells_.end(), [](std::string_view cell) { return quantity_named(cell); });
  }

  std::optional<std::string> read_header() {
    std::array<bool, 4> found{};
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      auto const named = quantity_named(cells_[i]);
      if (!named) continue;
      std::size_t const which = std::min<std::size_t>(*named, 3);
      if (found[which]) return fmt::format("column \"{}\": a second {}", quoted(cells_[i]), quantities[which]);
      found[which] = true;
      column_[which] = i;
      if (which == 3) diameter_ = *named == 4;
    }
    for (std::size_t which = 0; which < 4; ++which)
      if (!found[which]) return fmt::format("no column for {}", quantities[which]);
    columns_ = cells_.size();
    return std::nullopt;
  }

  std::optional<std::string> read_row() {
    if (cells_.size() != columns_)
      return fmt::format("ball {}: {} values, expected {}{}", balls_.size(), cells_.size(), columns_,
                         columns_ == 4 && cells_.size() > 4 ? ": x y z radius (a header names other columns)" : "");
    std::array<double, 4> values;
    for (std::size_t which = 0; which < 4; ++which) {
      auto wrong = read_number(cells_[column_[which]], values[which]);
      double const given = values[which];
      if (!wrong && which == 3 && diameter_) values[which] /= 2;
      if (!wrong) values[which] *= scale_;
      if (!wrong && !std::isfinite(values[which])) wrong = fmt::format("{} times {}, out of range", given, scale_);
      if (!wrong && which == 3 && !(values[which] > 0))
        wrong = given > 0 ? fmt::format("{} times {}, below the least double", given, scale_)
                          : fmt::format("{}, expected > 0", given);
      if (wrong) return fmt::format("ball {}: {}: {}", balls_.size(), quantities[which], *wrong);
    }
    balls_.push_back({{values[0], values[1], values[2]}, values[3]});
    return std::nullopt;
  }

  double scale_;
  std::vector<Ball>& balls_;
  std::vector<std::string_view> cells_;
  std::array<std::size_t, 4> column_{0, 1, 2, 3};
  std::size_t columns_ = 4;
  bool begun_ = false, commas_ = false, diameter_ = false;
};

}  // namespace

std::optional<std::string> read_balls(std::string_view text, double scale, std::vector<Ball>& balls) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  LineOfBalls lines(scale, balls);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    ++number;
    if (auto const wrong = lines.read(text.substr(at, end - at))) return fmt::format("line {}: {}", number, *wrong);
    at = end + 1;
  }
  if (balls.empty()) return "no balls: expected lines of x, y, z and radius";
  return std::nullopt;
}

}  // namespace demeter::clump_file
