// Fuzzes exact numbers in text: decimals and ratios.
#include "reference/core/exact.hpp"
#include "tests/fuzz/expect.hpp"

#include <cmath>

namespace demeter::fuzz::exact_numbers {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string ratio(Rational const& value) {
  char* const raw = mpq_get_str(nullptr, 10, value.backend().data());
  std::string text = raw;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(raw, text.size() + 1);
  return text;
}

void check(std::string const& text) {
  auto const value = parse_exact(text);
  if (!value) return;
  expect(text.find_first_not_of("0123456789+-./eE") == std::string::npos, "only a number is a number", text);
  auto const again = parse_exact(ratio(*value));
  expect(again && *again == *value, "a number written as a ratio is the same number", text);

  double const rounded = nearest(*value);
  if (text.find('/') == std::string::npos) {
    // strtod of the C library rounds decimals correctly with another algorithm. The sign of zero is not compared,
    // because a rational zero has no sign.
    double const other = std::strtod(text.c_str(), nullptr);
    expect(rounded == 0 ? other == 0 : same_bits(rounded, other), "a decimal is rounded to nearest", text);
  }
  if (!std::isfinite(rounded)) return;
  expect(nearest(Rational(rounded)) == rounded, "a double is its own nearest", text);
  auto const read = parse_exact(shortest(rounded));
  expect(read && nearest(*read) == rounded, "the shortest decimal reads back", shortest(rounded));
  mpfr_t number;
  mpfr_init2(number, 53);
  mpfr_set_d(number, rounded, MPFR_RNDN);
  std::string const digits = decimal(number, 17);
  mpfr_clear(number);
  auto const long_read = parse_exact(digits);
  expect(long_read && nearest(*long_read) == rounded, "17 digits read back", digits);
}

}  // namespace

void hold(std::string_view text) { check(std::string(text)); }

}  // namespace demeter::fuzz::exact_numbers
