#include "bench/core/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace demeter::bench {
namespace {

struct Ranks {
  /// Twice the midrank of every value. This is an integer even for ties. The values of `larger` come first.
  std::vector<std::size_t> doubled;
  double tie_term = 0;  ///< sum of t^3 - t over groups of t equal values
};

Ranks ranks_of(std::span<double const> larger, std::span<double const> smaller) {
  std::vector<double> values(larger.begin(), larger.end());
  values.insert(values.end(), smaller.begin(), smaller.end());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  Ranks ranks;
  for (double const value : values) {
    auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    // Equal values at the positions first + 1 to last get the mean of these positions.
    ranks.doubled.push_back(static_cast<std::size_t>((first - sorted.begin()) + 1 + (last - sorted.begin())));
  }
  for (auto at = sorted.begin(); at != sorted.end();) {
    auto const last = std::upper_bound(at, sorted.end(), *at);
    auto const t = static_cast<double>(last - at);
    ranks.tie_term += t * t * t - t;
    at = last;
  }
  return ranks;
}

/// Returns which fraction of all choices of `count` ranks have a sum of at least `least`.
double share_at_least(std::vector<std::size_t> const& ranks, std::size_t count, std::size_t least) {
  std::size_t total = 0;
  for (std::size_t const rank : ranks) total += rank;
  // ways[k][s]: number of choices of k ranks with sum s, at most C(60, 30) = 1.2e17. It is a sum of positive numbers,
  // so no digits cancel.
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1;
  std::size_t sum = 0, taken = 0;
  for (std::size_t const rank : ranks) {
    sum += rank;
    taken = std::min(taken + 1, count);
    for (std::size_t k = taken; k >= 1; --k)
      for (std::size_t s = sum; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
  }
  double reached = 0, all = 0;
  for (std::size_t s = 0; s <= total; ++s) {
    all += ways[count][s];
    if (s >= least) reached += ways[count][s];
  }
  return reached / all;
}

}  // namespace

MannWhitney mann_whitney(std::span<double const> larger, std::span<double const> smaller, std::size_t most_exact) {
  MannWhitney result;
  if (larger.empty() || smaller.empty()) return result;
  Ranks const ranks = ranks_of(larger, smaller);
  std::size_t doubled_sum = 0;
  for (std::size_t i = 0; i < larger.size(); ++i) doubled_sum += ranks.doubled[i];
  auto const m = static_cast<double>(larger.size()), n = static_cast<double>(smaller.size()), all = m + n;
  result.u = static_cast<double>(doubled_sum) / 2 - m * (m + 1) / 2;
  if (ranks.doubled.size() <= most_exact) {
    result.exact = true;
    result.p = share_at_least(ranks.doubled, larger.size(), doubled_sum);
    return result;
  }
  double const variance = m * n / 12 * (all + 1 - ranks.tie_term / (all * (all - 1)));
  if (variance > 0) result.p = std::erfc((result.u - m * n / 2 - 0.5) / std::sqrt(2 * variance)) / 2;
  return result;
}

double least_p(std::size_t larger, std::size_t smaller) {
  double p = 1;
  for (std::size_t i = 1; i <= larger; ++i) p *= static_cast<double>(i) / static_cast<double>(smaller + i);
  return p;
}

}  // namespace demeter::bench
