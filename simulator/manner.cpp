#include "simulator/manner.hpp"

#include <fmt/format.h>

#include <charconv>

namespace demeter::simulations {

bool read_implementation(std::string_view text, Manner& manner) {
  auto const at = text.find('@');
  if (text == "fast" || text == "fast@double") {
    manner.arithmetic = {};
    manner.fast = true;
    manner.implementation = "fast@double";
    return true;
  }
  if (text.substr(0, at) != "reference") return false;
  manner.fast = false;
  std::string_view const arithmetic = at == std::string_view::npos ? "double" : text.substr(at + 1);
  using Kind = simulator::reference::InArithmetic::Kind;
  if (arithmetic == "double") {
    manner.arithmetic = {Kind::binary64, 0};
  } else if (arithmetic == "long-double") {
    manner.arithmetic = {Kind::long_double, 0};
  } else if (arithmetic.starts_with("mpfr:")) {
    unsigned digits = 0;
    auto const number = arithmetic.substr(5);
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), digits);
    if (error != std::errc{} || end != number.data() + number.size() || digits < 2 || digits > 100000) return false;
    manner.arithmetic = {Kind::multiprecision, digits};
  } else {
    return false;
  }
  manner.implementation = fmt::format("reference@{}", arithmetic);
  return true;
}

}  // namespace demeter::simulations
