#include "check/probe.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace demeter {

double change(Quantity const& quantity, std::span<double const> before, std::span<double const> after) {
  double square = 0;
  for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i)
    square += (before[i] - after[i]) * (before[i] - after[i]);
  if (!(square > 0)) return 0;  // no change, or a NaN on one side: the quantity does not count there
  double const distance = std::sqrt(square);
  return quantity.direction ? 2 * std::asin(std::min(1.0, distance / 2)) : distance;
}

namespace path_search {

std::vector<Place> places_on_grid(Table const& paths, int intervals) {
  std::vector<Place> places;
  for (std::size_t path = 0; path < paths.rows; ++path)
    for (int i = 0; i <= intervals; ++i) places.push_back({path, static_cast<double>(i) / intervals});
  return places;
}

Table one_path(Laboratory const& lab, Table const& paths, std::size_t row) {
  Table result(lab.path);
  append_row(lab.path, result, paths, row);
  for_each_number(lab, result, [](double& value) { value += 0.0; });
  return result;
}

Probe::Probe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject)
    : lab(laboratory),
      kernel_(kernel),
      ours_(subject.ours()),
      binary32_(subject.binary32),
      interview_(subject, kernel) {
  if (lab.numbers > most_numbers || lab.quantities.size() > most_quantities)
    throw std::invalid_argument("too many quantities in the laboratory of " + lab.kernel);
  first_ = lab.quantities[lab.of_contacts() ? lab.overlap : 0].first;
}

void Probe::look(Table const& paths, std::vector<Place> const& places) {
  inputs.clear(kernel_.input);
  lab.at(paths, places, inputs);
  interview_(inputs, replies);
  observations.resize(inputs.rows * lab.numbers);
  lab.observe(inputs, replies, observations);
  states.resize(inputs.rows);
  lab.states(inputs, states);
  answers += inputs.rows;
  // A place without an answer counts as unanswered, unless its observation is known without an answer ("no contact").
  for (std::size_t row = 0; row < inputs.rows; ++row)
    if (replies.status[row] != Status::answered && std::isnan(observations[row * lab.numbers + first_])) ++unanswered;
}

Numbers Probe::numbers(std::size_t row) const {
  Numbers result{};
  std::copy_n(observations.begin() + static_cast<std::ptrdiff_t>(row * lab.numbers), lab.numbers, result.begin());
  return result;
}

Changes Probe::changes(Numbers const& a, Numbers const& b) const {
  Changes result{};
  for (std::size_t k = 0; k < lab.quantities.size(); ++k) result[k] = change(lab.quantities[k], a, b);
  return result;
}

}  // namespace path_search
}  // namespace demeter
