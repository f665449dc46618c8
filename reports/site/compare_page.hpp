// Two recorded runs side by side as a page of its own.
#pragma once

#include "reports/compare.hpp"

#include <string>

namespace demeter::report {

/// What changed, by kernel and subject: verdict, digits, laws and speed, and in words what the comparison found. One
/// file that needs no other.
std::string compare_page(Recorded const& old_run, Recorded const& new_run, Comparison const& comparison,
                         CompareOptions const& rules);

}  // namespace demeter::report
