#include "properties/core/accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {
namespace {

constexpr std::size_t histogram_bins = 2048;

std::size_t histogram_bin(double error) {
  if (!(error > 0)) return 0;
  double const position = (std::log2(error) + 16) * 16 + 1;
  if (!(position > 1)) return 1;
  return position >= histogram_bins - 1 ? histogram_bins - 1 : static_cast<std::size_t>(position);
}

}  // namespace

Accuracy nothing_judged(std::size_t regime, std::size_t budget) {
  Accuracy cell;
  cell.regime = regime;
  cell.budget = budget;
  cell.histogram.assign(histogram_bins, 0);
  return cell;
}

void add_error(Accuracy& cell, double error) {
  cell.sum_error += error;
  ++cell.histogram[histogram_bin(error)];
  cell.max_error = std::max(cell.max_error, error);
}

void merge(Accuracy& into, Accuracy const& from) {
  into.cases += from.cases;
  into.judged += from.judged;
  into.unsupported += from.unsupported;
  into.crash += from.crash;
  into.timeout += from.timeout;
  into.failed += from.failed;
  into.known += from.known;
  into.undecided += from.undecided;
  into.refined += from.refined;
  into.sum_error += from.sum_error;
  into.model_distance = std::max(into.model_distance, from.model_distance);
  into.model_cases += from.model_cases;
  into.max_relative = std::max(into.max_relative, from.max_relative);
  into.max_condition = std::max(into.max_condition, from.max_condition);
  for (std::size_t i = 0; i < histogram_bins; ++i) into.histogram[i] += from.histogram[i];
  // Ties go to the smaller id, so that the result does not depend on which thread was first.
  auto const keep_worse = [](std::optional<Example>& best, std::optional<Example> const& other) {
    if (other && (!best || other->error > best->error || (other->error == best->error && other->id < best->id)))
      best = other;
  };
  keep_worse(into.worst, from.worst);
  keep_worse(into.worst_failure, from.worst_failure);
  keep_worse(into.worst_finite, from.worst_finite);
  into.max_error = std::max(into.max_error, from.max_error);
}

double Accuracy::quantile(double share) const {
  if (judged == 0 || histogram.empty()) return 0;
  auto const wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(judged)));
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
    sum += histogram[bin];
    if (sum < std::max<std::uint64_t>(wanted, 1)) continue;
    if (bin == 0) return 0;
    return std::min(std::exp2((static_cast<double>(bin) - 0.5) / 16 - 16), max_error);
  }
  return max_error;
}

}  // namespace demeter
