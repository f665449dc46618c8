// A separate page that compares two recorded runs side by side.
#pragma once

#include "reports/compare.hpp"

#include <string>

namespace demeter::report {

/// Returns a self-contained page with all changes per kernel and subject: verdict, digits, laws, speed and the findings
/// of the comparison in words.
std::string compare_page(Recorded const& old_run, Recorded const& new_run, Comparison const& comparison,
                         CompareOptions const& rules);

}  // namespace demeter::report
