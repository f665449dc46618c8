#include "reference/core/exact.hpp"

#include <fmt/format.h>
#include <cmath>

namespace demeter {

std::optional<Rational> parse_exact(std::string_view text) {
  bool negative = false;
  std::size_t at = 0;
  auto const digits = [&](std::string& into) {
    std::size_t const before = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') into += text[at++];
    return at > before;
  };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  std::string mantissa, denominator = "1";
  bool const integer_part = digits(mantissa);
  long exponent = 0;
  if (at < text.size() && text[at] == '/') {
    ++at;
    denominator.clear();
    if (!integer_part || !digits(denominator) || at != text.size()) return std::nullopt;
    if (denominator.find_first_not_of('0') == std::string::npos) return std::nullopt;
  } else {
    bool fraction_part = false;
    if (at < text.size() && text[at] == '.') {
      ++at;
      std::size_t const before = mantissa.size();
      fraction_part = digits(mantissa);
      exponent -= static_cast<long>(mantissa.size() - before);
    }
    if (!integer_part && !fraction_part) return std::nullopt;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      ++at;
      bool const down = at < text.size() && text[at] == '-';
      if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
      std::string power;
      if (!digits(power) || power.size() > 4) return std::nullopt;
      exponent += (down ? -1 : 1) * std::stol(power);
    }
    if (at != text.size()) return std::nullopt;
  }
  using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
  Integer numerator, below;
  if (mpz_set_str(numerator.backend().data(), mantissa.c_str(), 10) != 0) return std::nullopt;
  if (mpz_set_str(below.backend().data(), denominator.c_str(), 10) != 0) return std::nullopt;
  Integer power;
  mpz_ui_pow_ui(power.backend().data(), 10, static_cast<unsigned long>(exponent < 0 ? -exponent : exponent));
  if (exponent < 0) below *= power;
  if (exponent > 0) numerator *= power;
  Rational const value(numerator, below);
  return negative ? Rational(-value) : value;
}

double nearest(Rational const& value) {
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  // Rounds once in the exponent range of binary64. mpfr_subnormalize avoids double rounding of subnormals.
  mpfr_exp_t const low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  int const direction = mpfr_set_q(rounded, value.backend().data(), MPFR_RNDN);
  mpfr_subnormalize(rounded, direction, MPFR_RNDN);
  double const result = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  mpfr_clear(rounded);
  return result;
}

BasicTable<Multiprecision> exact_row(Schema const& input, Table const& cases, std::size_t row) {
  auto exact = empty_table<Multiprecision>(input);
  append_row_as(input, exact, cases, row, [&](std::size_t column, std::size_t at) {
    if (auto const found = cases.exact.find({column, at}); found != cases.exact.end())
      if (auto const value = parse_exact(found->second)) return ScalarCast<Multiprecision, Rational>::apply(*value);
    return Multiprecision(cases.columns[column][at]);
  });
  return exact;
}

std::string shortest(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

std::string decimal(mpfr_srcptr value, unsigned digits) {
  if (mpfr_nan_p(value)) return "nan";
  if (mpfr_inf_p(value)) return mpfr_sgn(value) > 0 ? "inf" : "-inf";
  if (mpfr_zero_p(value)) return mpfr_signbit(value) ? "-0" : "0";
  mpfr_exp_t exponent;
  char* const raw = mpfr_get_str(nullptr, &exponent, 10, digits, value, MPFR_RNDN);
  std::string text = raw;
  mpfr_free_str(raw);
  std::size_t const first = text[0] == '-' ? 1 : 0;
  if (text.size() > first + 1) text.insert(first + 1, ".");
  if (exponent != 1) text += fmt::format("e{}", exponent - 1);
  return text;
}

}  // namespace demeter
