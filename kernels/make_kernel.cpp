#include "kernels/make_kernel.hpp"

#include "reference/core/exact.hpp"

#include <cmath>

namespace demeter::detail {

std::string enclosure_text(Enclosure const& truth, bool certain) {
  // A long double's bits below 2^-16400 do not occur, so that 192 bits hold high + low exactly unless low is far below
  // high, where 30 digits do not see it.
  mpfr_t high, low;
  mpfr_init2(high, 192);
  mpfr_init2(low, 64);
  mpfr_set_ld(high, truth.high, MPFR_RNDN);
  mpfr_set_ld(low, truth.low, MPFR_RNDN);
  mpfr_add(high, high, low, MPFR_RNDN);
  double const digits = std::log10(std::fabs(static_cast<double>(truth.high / truth.radius)));
  bool const all = !certain || truth.radius == 0 || digits > 30;
  std::string text = all ? decimal(high, 30) : digits > 0 ? decimal(high, static_cast<unsigned>(digits) + 1) : "0";
  if (all && text.find('.') != std::string::npos) {
    // Trailing zeros of an exact value say nothing.
    std::size_t const exponent = std::min(text.find('e'), text.size());
    std::size_t last = text.find_last_not_of('0', exponent - 1);
    if (text[last] == '.') --last;
    text.erase(last + 1, exponent - last - 1);
  }
  mpfr_clear(high);
  mpfr_clear(low);
  return text;
}

}  // namespace demeter::detail
