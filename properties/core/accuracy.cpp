#include "properties/core/accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

AccuracyCell nothing_judged(std::size_t regime, std::size_t budget) {
  AccuracyCell cell;
  cell.regime = regime;
  cell.budget = budget;
  return cell;
}

void merge(AccuracyCell& into, AccuracyCell const& from) {
  for (auto const count :
       {&AccuracyCell::cases, &AccuracyCell::judged, &AccuracyCell::unsupported, &AccuracyCell::not_representable,
        &AccuracyCell::not_asked, &AccuracyCell::missing, &AccuracyCell::malformed, &AccuracyCell::crash,
        &AccuracyCell::timeout, &AccuracyCell::known, &AccuracyCell::failed, &AccuracyCell::undecided,
        &AccuracyCell::not_a_number, &AccuracyCell::not_finite, &AccuracyCell::refined, &AccuracyCell::model_cases})
    into.*count += from.*count;
  for (auto const largest : {&AccuracyCell::max_error, &AccuracyCell::max_relative, &AccuracyCell::max_condition,
                             &AccuracyCell::model_distance})
    into.*largest = std::max(into.*largest, from.*largest);
  into.errors.merge(from.errors);
  for (auto const& [mixed_up, times] : from.labels) into.labels[mixed_up] += times;
  // Ties go to the smaller id, so that the result does not depend on which thread was first.
  for (auto const kept : {&AccuracyCell::worst, &AccuracyCell::worst_failure, &AccuracyCell::worst_finite}) {
    auto& best = into.*kept;
    auto const& other = from.*kept;
    if (other && (!best || other->error > best->error || (other->error == best->error && other->id < best->id)))
      best = other;
  }
}

std::size_t size_bin(double metres) {
  if (!(metres > 0)) return 0;
  if (std::isinf(metres)) return size_bins - 1;
  int exponent = 0;
  // 2^(exponent - 1) <= metres < 2^exponent, and a power of two belongs to the bin that it ends.
  if (std::frexp(metres, &exponent) == 0.5) --exponent;
  return static_cast<std::size_t>(std::clamp(exponent, least_size, largest_size + 1) - least_size);
}

double largest_of_bin(std::size_t bin) {
  return bin + 1 == size_bins ? std::numeric_limits<double>::infinity()
                              : std::ldexp(1.0, least_size + static_cast<int>(bin));
}

void merge(Sizing& into, Sizing const& from) {
  if (into.empty()) into.resize(from.size());
  for (std::size_t bin = 0; bin < from.size(); ++bin) {
    into[bin].judged += from[bin].judged;
    into[bin].failed += from[bin].failed;
    into[bin].max_error = std::max(into[bin].max_error, from[bin].max_error);
  }
}

}  // namespace demeter
