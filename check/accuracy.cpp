#include "check/accuracy.hpp"

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
        &AccuracyCell::not_a_number, &AccuracyCell::not_finite, &AccuracyCell::refined, &AccuracyCell::model_cases,
        &AccuracyCell::given, &AccuracyCell::left_out})
    into.*count += from.*count;
  for (auto const largest : {&AccuracyCell::max_error, &AccuracyCell::max_relative, &AccuracyCell::max_condition,
                             &AccuracyCell::model_distance})
    into.*largest = std::max(into.*largest, from.*largest);
  into.errors.merge(from.errors);
  for (auto const& [mixed_up, times] : from.labels) into.labels[mixed_up] += times;
  // If two errors are equal, the case with the smaller id is kept, so that the result does not depend on the order of
  // the threads.
  for (auto const kept : {&AccuracyCell::worst, &AccuracyCell::worst_failure, &AccuracyCell::worst_finite}) {
    auto& best = into.*kept;
    auto const& other = from.*kept;
    if (other && (!best || other->error > best->error || (other->error == best->error && other->id < best->id)))
      best = other;
  }
  if (auto const& first = from.first_left_out; first && (!into.first_left_out || first->id < into.first_left_out->id))
    into.first_left_out = first;
}

bool is_left_out(Node const& node, Table const& answers, std::size_t row, bool judged) {
  if (node.nullable && answers.columns[node.column][row] == 0) return false;
  auto const in_child = [&](Node const& child, std::size_t at) { return is_left_out(child, answers, at, judged); };
  switch (node.kind) {
    case Node::Kind::number:
    case Node::Kind::enumeration:
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column) {
        double const cell = answers.columns[column][row];
        if (is_not_computed(cell) || (!judged && std::isnan(cell))) return true;
      }
      return false;
    case Node::Kind::record:
      return std::any_of(node.children.begin(), node.children.end(),
                         [&](Node const& child) { return in_child(child, row); });
    case Node::Kind::list: {
      auto const end = static_cast<std::size_t>(answers.columns[node.column][row + 1]);
      for (auto i = static_cast<std::size_t>(answers.columns[node.column][row]); i < end; ++i)
        if (in_child(node.children.front(), i)) return true;
      return false;
    }
  }
  return false;
}

bool says_separated(Schema const& output, Table const& answers, std::size_t row) {
  return std::any_of(output.root.children.begin(), output.root.children.end(), [&](Node const& node) {
    if (node.kind != Node::Kind::enumeration) return false;
    std::size_t const label = IndexCell<double>::read(answers.columns[node.column][row]);
    return label < node.labels.size() && node.labels[label] == "separated";
  });
}

std::string left_out_text(std::string_view output, std::uint64_t left_out, std::uint64_t answers,
                          std::string const& first) {
  return std::string(output) + " is missing in " + std::to_string(left_out) + " of " + std::to_string(answers) +
         " answers, first in " + first + "; expected in all answers or in none (use unsupported to decline a case)";
}

std::size_t size_bin(double metres) {
  if (!(metres > 0)) return 0;
  if (std::isinf(metres)) return size_bins - 1;
  int exponent = 0;
  // 2^(exponent - 1) <= metres < 2^exponent. A power of two is the upper end of its bin.
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
