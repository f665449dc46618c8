#include "properties/core/accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

Accuracy nothing_judged(std::size_t regime, std::size_t budget) {
  Accuracy cell;
  cell.regime = regime;
  cell.budget = budget;
  return cell;
}

void merge(Accuracy& into, Accuracy const& from) {
  for (auto const count : {&Accuracy::cases, &Accuracy::judged, &Accuracy::unsupported, &Accuracy::not_representable,
                           &Accuracy::not_asked, &Accuracy::missing, &Accuracy::malformed, &Accuracy::crash,
                           &Accuracy::timeout, &Accuracy::known, &Accuracy::failed, &Accuracy::undecided,
                           &Accuracy::not_a_number, &Accuracy::not_finite, &Accuracy::refined, &Accuracy::model_cases})
    into.*count += from.*count;
  for (auto const largest :
       {&Accuracy::max_error, &Accuracy::max_relative, &Accuracy::max_condition, &Accuracy::model_distance})
    into.*largest = std::max(into.*largest, from.*largest);
  into.errors.merge(from.errors);
  for (auto const& [mixed_up, times] : from.labels) into.labels[mixed_up] += times;
  // Ties go to the smaller id, so that the result does not depend on which thread was first.
  for (auto const kept : {&Accuracy::worst, &Accuracy::worst_failure, &Accuracy::worst_finite}) {
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
