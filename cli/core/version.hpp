// What this program was built from. Defined in a file of its own that every build looks after, so that a new commit
// compiles nothing else again.
#pragma once

#include "reports/format/build_info.hpp"

namespace demeter::cli {

BuildInfo const& this_build();

}  // namespace demeter::cli
