#include "check/error_tally.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace demeter {
namespace {

constexpr int dropped_bits = 42;
constexpr std::uint64_t low_bits = (std::uint64_t{1} << 26) - 1;

std::uint32_t bin_of(double error) {
  // The bits of non-negative doubles have the same order as their values.
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(error);
  return static_cast<std::uint32_t>((bits + ((std::uint64_t{1} << dropped_bits) - 1)) >> dropped_bits);
}
double bound_of(std::uint32_t bin) { return std::bit_cast<double>(std::uint64_t{bin} << dropped_bits); }

}  // namespace

void ErrorTally::add(double error) {
  if (!std::isfinite(error)) {
    ++infinite;
    return;
  }
  ++finite;
  if (has_quantiles) ++bins[error > 0 ? bin_of(error) : 0];
  if (!(error > 0)) return;
  int exponent = 0;
  double const fraction = std::frexp(error, &exponent);
  auto const significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  Significands& sum = sums[exponent - 53];
  sum.high += significand >> 26;
  sum.low += significand & low_bits;
}

void ErrorTally::merge(ErrorTally const& other) {
  finite += other.finite;
  infinite += other.infinite;
  has_quantiles = has_quantiles && other.has_quantiles;
  for (auto const& [bin, errors] : other.bins) bins[bin] += errors;
  for (auto const& [exponent, sum] : other.sums) {
    sums[exponent].high += sum.high;
    sums[exponent].low += sum.low;
  }
}

double ErrorTally::quantile(double share) const {
  if (!has_quantiles) return std::numeric_limits<double>::quiet_NaN();
  auto const wanted = std::ceil(share * static_cast<double>(count()));
  std::uint64_t sum = 0;
  for (auto const& [bin, errors] : bins) {
    sum += errors;
    if (static_cast<double>(sum) >= wanted) return bound_of(bin);
  }
  return infinite > 0 ? std::numeric_limits<double>::infinity() : 0;
}

double ErrorTally::mean() const {
  if (finite == 0) return 0;
  long double sum = 0;
  for (auto const& [exponent, part] : sums)
    sum +=
        std::ldexp(std::ldexp(static_cast<long double>(part.high), 26) + static_cast<long double>(part.low), exponent);
  return static_cast<double>(sum / static_cast<long double>(finite));
}

}  // namespace demeter
