// Samples and bisects paths, and classifies the change at adjacent parameters as a jump, a steep slope or rounding.
#pragma once

#include "check/continuity_types.hpp"
#include "check/probe.hpp"

#include <optional>
#include <string>

namespace demeter::path_search {

/// A jump at the end of a bisection.
struct Finding {
  std::size_t path = 0;
  double before = 0, after = 0;
  std::string transition;
  Changes sizes{};
  std::array<bool, most_quantities> persists{};  ///< true for each quantity that jumps
  Numbers at_before{}, at_after{};
};

/// Optional results of a scan besides the jumps.
struct Sights {
  Continuity* totals = nullptr;            ///< bisections, changes, residuals and slopes are added here
  std::vector<Changes>* slopes = nullptr;  ///< the steepest slope per path; only together with `totals`
};

/// Samples, refines and bisects every path of a table. If `quantity` is given, examines only that quantity. If the time
/// is over before the end, returns no finding and adds nothing to `sights`.
std::vector<Finding> scan(Probe& probe, Table const& paths, std::optional<std::size_t> quantity, Sights const& sights);

}  // namespace demeter::path_search
