#include "kernels/laboratory.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {
namespace {

using Cells = BasicTable<Multiprecision>;

/// Returns the change of one quantity, or 0 if the quantity does not count on one of the two sides.
double change_of(Laboratory const& laboratory, std::size_t index, ExactObservation const& a,
                 ExactObservation const& b) {
  if (!a.counts[index] || !b.counts[index]) return 0;
  Quantity const& quantity = laboratory.quantities[index];
  Multiprecision square(0);
  for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i) {
    Multiprecision const difference = a.numbers[i] - b.numbers[i];
    square += difference * difference;
  }
  double const distance = static_cast<double>(sqrt(square));
  return quantity.direction ? 2 * std::asin(std::min(1.0, distance / 2)) : distance;
}

}  // namespace

Promoted promote(Kernel const& kernel, Laboratory const& laboratory, std::size_t formula, Table const& paths,
                 std::size_t row, double before, double after, std::size_t quantity, double size,
                 std::function<bool()> const& late) {
  Precision const guard(80);
  using Scalar = Multiprecision;
  auto const observed = [&](Scalar const& t) {
    auto inputs = empty_table<Scalar>(kernel.input), outputs = empty_table<Scalar>(kernel.output);
    laboratory.at_exactly(paths, row, t, inputs);
    kernel.evaluate.in_multiprecision(formula, inputs, 0, outputs);
    return laboratory.observe_exactly(inputs, outputs, 0);
  };
  auto const change = [&](auto const& a, auto const& b) { return change_of(laboratory, quantity, a, b); };
  Promoted result;
  result.sizes.assign(laboratory.quantities.size(), 0);
  Promoted const given_up{.in_time = false, .sizes = result.sizes, .transition = {}};
  // Rounding in binary64 may have moved a jump by some parameter steps. Therefore wider intervals are examined too.
  Scalar const width = Scalar(after) - Scalar(before);
  for (double const steps : {1.0, 0x1p5, 0x1p10, 0x1p20}) {
    Scalar low = Scalar(before) - width * Scalar(steps - 1), high = Scalar(after) + width * Scalar(steps - 1);
    if (low < Scalar(0)) low = Scalar(0);
    if (high > Scalar(1)) high = Scalar(1);
    if (late()) return given_up;
    auto at_low = observed(low), at_high = observed(high);
    double left = change(at_low, at_high);
    if (left < size / 2) continue;
    // If there is no jump, half of an interval has about half of the change. A steep function is therefore recognised
    // long before the interval is 1e-40 wide.
    while (high - low > Scalar("1e-40") && left >= size / 4) {
      if (late()) return given_up;
      Scalar const middle = (low + high) / 2;
      auto const at_middle = observed(middle);
      double const below = change(at_low, at_middle), above = change(at_middle, at_high);
      left = std::max(below, above);
      if (below >= above) {
        high = middle, at_high = at_middle;
      } else {
        low = middle, at_low = at_middle;
      }
    }
    result.width = static_cast<double>(high - low);
    for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
      result.sizes[k] = change_of(laboratory, k, at_low, at_high);
    result.jump = result.sizes[quantity] >= size / 2;
    Scalar const margin = (high - low) * 16;
    Cells ends = empty_table<Scalar>(kernel.input);
    laboratory.at_exactly(paths, row, low - margin, ends);
    laboratory.at_exactly(paths, row, high + margin, ends);
    result.transition = laboratory.transition_exactly(ends, 0, 1);
    if (result.jump) return result;
  }
  return result;
}

}  // namespace demeter
