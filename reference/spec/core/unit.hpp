// The dimension of a field's unit ("kg m^2") as exponents of the base units.
#pragma once

#include <optional>
#include <string_view>

namespace demeter {

/// Exponents of metre, kilogram and second.
struct Dimension {
  int metre = 0, kilogram = 0, second = 0;
  constexpr bool operator==(Dimension const&) const = default;
};

/// Returns the dimension of a unit that is written as factors with powers: "kg m^2", "N m", "kg/m^3", "rad/s", "1/m". A
/// slash divides only by the factor after it. Returns nullopt if a factor is not known.
constexpr std::optional<Dimension> dimension_of(std::string_view unit) {
  Dimension result;
  bool divided = false;
  while (!unit.empty()) {
    if (unit.front() == ' ' || unit.front() == '/') {
      divided = unit.front() == '/';
      unit.remove_prefix(1);
      continue;
    }
    std::string_view factor = unit.substr(0, unit.find_first_of(" /"));
    unit.remove_prefix(factor.size());
    int power = divided ? -1 : 1;
    divided = false;
    if (auto const caret = factor.find('^'); caret != std::string_view::npos) {
      if (caret + 2 != factor.size() || factor[caret + 1] < '0' || factor[caret + 1] > '9') return std::nullopt;
      power *= factor[caret + 1] - '0';
      factor = factor.substr(0, caret);
    }
    if (factor == "m")
      result.metre += power;
    else if (factor == "kg")
      result.kilogram += power;
    else if (factor == "s")
      result.second += power;
    else if (factor == "N")
      result.metre += power, result.kilogram += power, result.second -= 2 * power;
    else if (factor != "1" && factor != "rad")
      return std::nullopt;
  }
  return result;
}

}  // namespace demeter
