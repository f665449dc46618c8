// What many errors come to: how many, their mean, and any quantile, whatever the order in which they were added.
#pragma once

#include <cstdint>
#include <map>

namespace demeter {

/// Errors counted by their size, to 10 bits: bin b has the errors up to the double whose first 22 bits are b, and above
/// that of bin b - 1. So quantiles are true bounds, too large by less than a thousandth, and exact where the error is a
/// number of a few bits. The sum is exact: significands add up as integers, by exponent.
struct ErrorTally {
  struct Significands {
    std::uint64_t high = 0, low = 0;  ///< high 2^26 + low
    bool operator==(Significands const&) const = default;
  };
  std::uint64_t finite = 0, infinite = 0;
  bool has_quantiles = true;  ///< false: the bins stay empty, so that a stream of any length takes constant memory
  std::map<std::uint32_t, std::uint64_t> bins;
  std::map<int, Significands> sums;  ///< in units of 2^key

  /// 0 or more, infinity included.
  void add(double error);
  void merge(ErrorTally const& other);

  std::uint64_t count() const { return finite + infinite; }
  /// The least bound of a bin that this share of the errors does not exceed, at least one of them; 0 if there are no
  /// errors, NaN without quantiles.
  double quantile(double share) const;
  /// Of the finite ones.
  double mean() const;

  bool operator==(ErrorTally const&) const = default;
};

}  // namespace demeter
