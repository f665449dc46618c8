// A subject on places of a laboratory's paths: what every search along paths asks, and what it sees.
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

/// The change of one quantity between two observations; 0 where it does not count on both sides.
double change(Quantity const& quantity, std::span<double const> before, std::span<double const> after);

inline bool stopped(std::atomic<bool> const* stop) { return stop != nullptr && stop->load(); }

namespace path_search {

constexpr std::size_t most_numbers = 24, most_quantities = 8;
using Numbers = std::array<double, most_numbers>;     ///< of an observation
using Changes = std::array<double, most_quantities>;  ///< of every quantity

constexpr int grid = 32;  ///< intervals of a path before it is refined

/// What was seen at one parameter of a path.
struct Sample {
  double parameter = 0;
  Numbers numbers{};
  std::uint32_t state = 0;
};

/// The ends of so many equal intervals of every path, path after path.
std::vector<Place> places_on_grid(Table const& paths, int intervals);

/// One row of a table of paths; a path has no use for -0.
Table one_path(Laboratory const& lab, Table const& paths, std::size_t row);

/// The numbers of paths, without the offsets of their lists.
template <class Rows, class Visit>
void for_each_number(Laboratory const& lab, Rows& paths, Visit visit) {
  for (std::size_t k = 0; k < paths.columns.size(); ++k) {
    if (lab.path.columns[k].kind != ColumnInfo::Kind::number) continue;
    for (auto& value : paths.columns[k]) visit(value);
  }
}

class Probe {
 public:
  /// All must outlive it.
  Probe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject);

  /// Inputs, answers, observations and states at the places, until the next call.
  void look(Table const& paths, std::vector<Place> const& places);
  Numbers numbers(std::size_t row) const;
  /// What the last look saw at one of its places.
  Sample sample(std::span<Place const> places, std::size_t row) const {
    return {places[row].parameter, numbers(row), states[row]};
  }
  Changes changes(Numbers const& a, Numbers const& b) const;

  Kernel const& kernel() const { return kernel_; }
  Schema const& input_schema() const { return kernel_.input; }
  /// A subject in a process of its own: every question costs switches, so that it is asked rarely and much at once.
  bool is_dear() const { return !ours_; }
  /// How many parts an interval is cut into.
  std::size_t sections() const { return ours_ ? 2 : 4; }
  /// How many paths are looked at together.
  std::size_t block() const { return ours_ ? 192 : 2048; }
  /// u of the subject over that of binary64.
  double coarseness() const { return binary32_ ? 0x1p29 : 1; }
  /// Changes below this, in natural units, are left to the accuracy budgets.
  double floor() const { return binary32_ ? 1e-4 : 1e-10; }

  Laboratory const& lab;
  Table inputs;
  Answers replies;
  std::vector<double> observations;
  std::vector<std::uint32_t> states;
  std::uint64_t answers = 0, unanswered = 0;
  std::function<bool()> late = [] { return false; };  ///< whether what has not come to its end is to be given up

 private:
  Kernel const& kernel_;
  bool ours_, binary32_;
  Interview interview_;
  std::size_t first_ = 0;  ///< of the quantity that every answer has
};

}  // namespace path_search
}  // namespace demeter
