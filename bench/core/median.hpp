#pragma once

#include <boost/math/statistics/univariate_statistics.hpp>

#include <limits>
#include <vector>

namespace demeter::bench {

/// Returns the median: the mean of the two middle values if the number of values is even, and NaN if there are none.
inline double median(std::vector<double> values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : boost::math::statistics::median(values);
}

}  // namespace demeter::bench
