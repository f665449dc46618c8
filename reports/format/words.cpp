#include "reports/format/words.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace demeter::report {

std::string grouped(std::int64_t count) {
  std::string const digits = grouped_digits(static_cast<std::size_t>(count < 0 ? -count : count));
  return count < 0 ? "-" + digits : digits;
}

std::string percent(double share) {
  double const percent = 100 * share;
  if (percent == 0) return "0 %";
  if (percent < 1) {
    // Two significant digits, without zeros at the end.
    int const decimals = 1 - static_cast<int>(std::floor(std::log10(percent)));
    std::string text = fmt::format("{:.{}f}", percent, decimals);
    text.erase(text.find_last_not_of('0') + 1);
    return text + (text.ends_with('.') ? "0 %" : " %");
  }
  if (percent < 9.95) return fmt::format("{:.1f} %", percent);
  if (share < 1 && percent >= 99.5) return "over 99 %";
  return fmt::format("{:.0f} %", percent);
}

std::string length_rounded_up(double metres) {
  struct Unit {
    double size;
    std::string_view name;
  };
  static constexpr std::array<Unit, 4> units{{{1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "um"}}};
  int exponent = static_cast<int>(std::floor(std::log10(metres)));
  // A rounding error of the quotient must not turn exactly 3 mm into 4 mm.
  double digit = std::ceil(metres / std::pow(10.0, exponent) * (1 - 1e-12));
  if (digit > 9) digit = 1, ++exponent;
  double const rounded = digit * std::pow(10.0, exponent);
  for (auto const& unit : units)
    if (rounded >= unit.size * (1 - 1e-12)) return fmt::format("{:.0f} {}", rounded / unit.size, unit.name);
  return fmt::format("{:.0e} m", rounded);
}

std::string phrase_of(std::string_view regime) {
  std::string text(regime);
  for (auto& each : text)
    if (each == '_') each = ' ';
  if (text.starts_with("near ")) text.insert(4, "ly");
  return text;
}

std::string_view entity(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "";
  }
}

}  // namespace demeter::report
