// Evaluates a subject at places of a laboratory's paths. All searches along paths use it.
#pragma once

#include "kernels/laboratory.hpp"
#include "subjects/subjects.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace demeter {

/// Returns the change of one quantity between two observations, or 0 if the quantity is NaN in one of them.
double change(Quantity const& quantity, std::span<double const> before, std::span<double const> after);

inline bool stopped(std::atomic<bool> const* stop) { return stop != nullptr && stop->load(); }

namespace path_search {

constexpr std::size_t most_numbers = 24, most_quantities = 8;
using Numbers = std::array<double, most_numbers>;     ///< the numbers of one observation
using Changes = std::array<double, most_quantities>;  ///< one change per quantity

constexpr int grid = 32;  ///< number of intervals of a path before refinement

/// The observation at one parameter of a path.
struct Sample {
  double parameter = 0;
  Numbers numbers{};
  std::uint32_t state = 0;
};

/// Returns the ends of `intervals` equal intervals of every path, path by path.
std::vector<Place> places_on_grid(Table const& paths, int intervals);

/// Returns one row of a table of paths. Replaces -0 by 0, which means the same in a path.
Table one_path(Laboratory const& lab, Table const& paths, std::size_t row);

/// Visits the numbers of paths, but not the offsets of their lists.
template <class Rows, class Visit>
void for_each_number(Laboratory const& lab, Rows& paths, Visit visit) {
  for (std::size_t k = 0; k < paths.columns.size(); ++k) {
    if (lab.path.columns[k].kind != ColumnInfo::Kind::number) continue;
    for (auto& value : paths.columns[k]) visit(value);
  }
}

class Probe {
 public:
  /// The arguments must outlive the probe.
  Probe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject);

  /// Evaluates the subject at places. Sets `inputs`, `replies`, `observations` and `states`, one row per place. The
  /// next call overwrites them.
  void look(Table const& paths, std::vector<Place> const& places);
  Numbers numbers(std::size_t row) const;
  /// Returns the observation at one of the places of the last call of look().
  Sample sample(std::span<Place const> places, std::size_t row) const {
    return {places[row].parameter, numbers(row), states[row]};
  }
  Changes changes(Numbers const& a, Numbers const& b) const;

  Kernel const& kernel() const { return kernel_; }
  Schema const& input_schema() const { return kernel_.input; }
  /// Returns true if the subject runs in its own process. Then each call costs process switches, so the search makes
  /// fewer and larger calls.
  bool is_dear() const { return !ours_; }
  /// Returns the number of parts into which one step of a bisection divides an interval.
  std::size_t sections() const { return ours_ ? 2 : 4; }
  /// Returns the number of paths that are evaluated together.
  std::size_t block() const { return ours_ ? 192 : 2048; }
  /// Returns the unit roundoff of the subject divided by that of binary64.
  double coarseness() const { return binary32_ ? 0x1p29 : 1; }
  /// Returns the smallest change that the search examines, in natural units. Smaller changes are judged by the accuracy
  /// budgets.
  double floor() const { return binary32_ ? 1e-4 : 1e-10; }

  Laboratory const& lab;
  Table inputs;
  Answers replies;
  std::vector<double> observations;
  std::vector<std::uint32_t> states;
  std::uint64_t answers = 0, unanswered = 0;
  std::function<bool()> late = [] { return false; };  ///< returns true if unfinished work must be given up

 private:
  Kernel const& kernel_;
  bool ours_, binary32_;
  Interview interview_;
  std::size_t first_ = 0;  ///< index in an observation of a number that every answer contains
};

}  // namespace path_search
}  // namespace demeter
