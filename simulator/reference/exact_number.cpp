#include "simulator/reference/exact_number.hpp"

#include <charconv>
#include <cmath>

namespace demeter::simulator {
namespace {

/// A rational number, and whether it is multiplied by pi.
struct Parts {
  Rational ratio;
  bool pi = false;
};

std::optional<Parts> parts_of(std::string_view text) {
  auto const at = text.find("pi");
  if (at == std::string_view::npos) {
    auto const ratio = parse_exact(text);
    return ratio ? std::optional<Parts>({*ratio, false}) : std::nullopt;
  }
  std::string_view before = text.substr(0, at), after = text.substr(at + 2);
  Rational factor(1);
  if (before == "-") {
    factor = -1;
  } else if (!before.empty()) {
    if (before.find('/') != std::string_view::npos) return std::nullopt;
    auto const value = parse_exact(before);
    if (!value) return std::nullopt;
    factor = *value;
  }
  if (!after.empty()) {
    if (after.front() != '/') return std::nullopt;
    after.remove_prefix(1);
    if (after.empty() || after.front() < '0' || after.front() > '9') return std::nullopt;
    auto const value = parse_exact(after);
    if (!value || *value == 0) return std::nullopt;
    factor /= *value;
  }
  return Parts{factor, true};
}

Multiprecision value_of(Parts const& parts) {
  Multiprecision const ratio = ScalarCast<Multiprecision, Rational>::apply(parts.ratio);
  return parts.pi ? ratio * pi<Multiprecision>() : ratio;
}

}  // namespace

std::optional<Number> parse_number(std::string_view text, bool may_be_infinite) {
  if (may_be_infinite && text == "inf") return Number("inf", std::numeric_limits<double>::infinity());
  if (text.size() > 4096) return std::nullopt;
  auto const parts = parts_of(text);
  if (!parts) return std::nullopt;
  // A multiple of pi is never a double or the midpoint of two doubles. 120 digits are enough to round it correctly.
  double const nearest_double =
      parts->pi ? with_digits(120, [&] { return static_cast<double>(value_of(*parts)); }) : nearest(parts->ratio);
  if (!std::isfinite(nearest_double)) return std::nullopt;
  return Number(std::string(text), nearest_double);
}

std::optional<Rational> exact_ratio(Number const& number) {
  if (!std::isfinite(number.value)) return std::nullopt;
  if (number.text.empty()) return Rational(number.value);
  auto const parts = parts_of(number.text);
  if (!parts || parts->pi) return std::nullopt;
  return parts->ratio;
}

Multiprecision exactly(Number const& number) {
  if (number.text.empty() || std::isinf(number.value)) return Multiprecision(number.value);
  auto const parts = parts_of(number.text);
  return parts ? value_of(*parts) : Multiprecision(number.value);
}

std::string exact_text(double x) { return shortest(x); }

std::string exact_text(long double x) {
  return with_digits(30, [&] { return decimal(Multiprecision(x).get(), 21); });
}

std::string exact_text(Multiprecision const& x) {
  auto const bits = static_cast<unsigned>(mpfr_get_prec(x.get()));
  return decimal(x.get(), bits * 302 / 1000 + 3);
}

bool read_exact_text(std::string_view text, double& x) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_exact_text(std::string_view text, long double& x) {
  Multiprecision value;
  bool const read = with_digits(60, [&] { return read_exact_text(text, value); });
  x = static_cast<long double>(value);
  return read;
}

bool read_exact_text(std::string_view text, Multiprecision& x) {
  std::string const ended(text);
  Multiprecision value;  // has the digits of the innermost `Precision` object, not those of x
  bool const read = !ended.empty() && mpfr_set_str(value.get(), ended.c_str(), 10, MPFR_RNDN) == 0;
  x = value;
  return read;
}

}  // namespace demeter::simulator
