// Paths sampled and bisected, and what is left at adjacent parameters told apart into jumps, steep slopes and rounding.
#pragma once

#include "check/continuity_types.hpp"
#include "check/probe.hpp"

#include <optional>
#include <string>

namespace demeter::path_search {

/// A jump that a bisection ended with.
struct Finding {
  std::size_t path = 0;
  double before = 0, after = 0;
  std::string transition;
  Changes sizes{};
  std::array<bool, most_quantities> persists{};  ///< which quantities jump
  Numbers at_before{}, at_after{};
};

/// What is seen on the way to findings, for who wants it.
struct Sights {
  Continuity* totals = nullptr;            ///< its bisections, changes, residuals and slopes are added to
  std::vector<Changes>* slopes = nullptr;  ///< the steepest of each path; only with `totals`
};

/// Samples, refines and bisects every path of a table; of one quantity alone, if one is named. Where that is given up
/// because it is too late nothing is found and nothing added.
std::vector<Finding> scan(Probe& probe, Table const& paths, std::optional<std::size_t> quantity, Sights const& sights);

}  // namespace demeter::path_search
