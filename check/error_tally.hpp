// Statistics of errors: count, mean and quantiles. They do not depend on the order in which errors are added.
#pragma once

#include <cstdint>
#include <map>

namespace demeter {

/// A histogram of errors with bins of 10 significant bits. The bound of bin b is the double whose first 22 bits are b
/// and whose other bits are 0. Bin b contains the errors above the bound of bin b - 1 and up to its own bound.
/// Quantiles are bounds of bins, so they are never too small. They are too large by less than 0.1 %, and exact if the
/// error has few bits. The sum of the errors is exact: significands are added as integers, one sum per exponent.
struct ErrorTally {
  struct Significands {
    std::uint64_t high = 0, low = 0;  ///< the sum is high 2^26 + low
    bool operator==(Significands const&) const = default;
  };
  std::uint64_t finite = 0, infinite = 0;
  bool has_quantiles = true;  ///< false: the bins stay empty, so that memory is constant for any number of errors
  std::map<std::uint32_t, std::uint64_t> bins;
  std::map<int, Significands> sums;  ///< sums of significands, by exponent: each sum is in units of 2^key

  /// Adds an error, which is >= 0 or infinite.
  void add(double error);
  void merge(ErrorTally const& other);

  std::uint64_t count() const { return finite + infinite; }
  /// Returns the smallest bin bound that is at least as large as this fraction of the errors. Returns 0 if there are no
  /// errors, and NaN if `has_quantiles` is false.
  double quantile(double share) const;
  /// Returns the mean of the finite errors.
  double mean() const;

  bool operator==(ErrorTally const&) const = default;
};

}  // namespace demeter
