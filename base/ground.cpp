#include "base/ground.hpp"

#include <cfenv>
#include <cfloat>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace demeter {
namespace {

/// Passes `value` through a volatile variable, so that the compiler cannot compute with it at compile time.
template <class Number>
Number at_run_time(Number value) {
  Number volatile kept = value;
  return kept;
}

/// Returns the name of a rounding mode. The two bits mean the same in the control words of SSE and x87.
char const* rounding_name(unsigned bits) {
  switch (bits & 3) {
    case 1:
      return "downwards";
    case 2:
      return "upwards";
    case 3:
      return "towards zero";
    default:
      return "to nearest";
  }
}

std::optional<std::string> wrong_control() {
#if defined(__x86_64__)
  unsigned const vectors = _mm_getcsr();
  if ((vectors & 0x6000U) != 0)
    return std::string("doubles are rounded ") + rounding_name(vectors >> 13) + ", expected to nearest";
  if ((vectors & 0x8000U) != 0) return "subnormal results are flushed to zero";
  if ((vectors & 0x0040U) != 0) return "subnormal operands are treated as zero";
  if ((vectors & 0x1f80U) != 0x1f80U) return "floating-point exceptions trap";
  unsigned short stack = 0;
  __asm__ volatile("fnstcw %0" : "=m"(stack));
  if ((stack & 0x0c00U) != 0)
    return std::string("long doubles are rounded ") + rounding_name(stack >> 10) + ", expected to nearest";
  if ((stack & 0x0300U) != 0x0300U) return "long doubles are rounded to fewer than 64 bits";
  if ((stack & 0x3fU) != 0x3fU) return "floating-point exceptions trap";
#else
  if (std::fegetround() != FE_TONEAREST) return "doubles are not rounded to nearest";
#endif
  return std::nullopt;
}

/// Checks the arithmetic by its results. Control words are not enough: an emulator such as valgrind may ignore them.
std::optional<std::string> wrong_results() {
  static_assert(LDBL_MANT_DIG >= 64, "verdicts of laws are computed in long double");
  long double const one = at_run_time(1.0L), bit = at_run_time(0x1p-63L), less = at_run_time(0x1p-65L);
  if (at_run_time(one + bit) == one || at_run_time(one + less) != one || at_run_time(-one - less) != -one)
    return "long double has fewer than 64 bits (valgrind has this effect)";
  double const tiny = at_run_time(0x1p-1074), small = at_run_time(0x1p-1022);
  if (at_run_time(tiny + tiny) != 0x1p-1073 || at_run_time(small / 2) != 0x1p-1023 || at_run_time(tiny * 3) == 0)
    return "subnormal doubles are lost";
  // Ties must round to even, in both directions and for both signs. No other rounding mode gives these four results.
  double const unit = at_run_time(1.0), half = at_run_time(0x1p-53), more = at_run_time(0x1.8p-52);
  if (at_run_time(unit + half) != 1.0 || at_run_time(unit + more) != 1.0 + 0x1p-51 ||
      at_run_time(-unit - half) != -1.0 || at_run_time(-unit - more) != -1.0 - 0x1p-51)
    return "doubles are not rounded to nearest";
  float const single = at_run_time(1.0F), single_half = at_run_time(0x1p-24F);
  if (at_run_time(single + single_half) != 1.0F) return "floats are not rounded to nearest";
  // Error-free transformations represent a sum or a product exactly by two doubles. They need exact remainders of
  // Knuth's sum and of Dekker's product.
  double const a = at_run_time(0x1p53), b = at_run_time(3.0), sum = at_run_time(a + b), from_b = at_run_time(sum - a);
  double const rest = at_run_time(at_run_time(a - at_run_time(sum - from_b)) + at_run_time(b - from_b));
  if (sum != 0x1p53 + 4 || rest != -1) return "the remainder of a sum is not exact";
  double const factor = at_run_time(0x1.fffffffffffffp+0), product = at_run_time(factor * factor);
  if (at_run_time(std::fma(factor, factor, -product)) != 0x1p-104) return "the remainder of a product is not exact";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unsound_arithmetic() {
  if (auto wrong = wrong_control()) return wrong;
  return wrong_results();
}

void require_sound_arithmetic() {
  if (auto const wrong = unsound_arithmetic()) throw UnsoundArithmetic("floating-point environment: " + *wrong);
}

}  // namespace demeter
