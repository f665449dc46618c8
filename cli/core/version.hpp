// The version and the commit of this build. Every build updates the one file that defines them, so that a new commit
// recompiles only this file.
#pragma once

#include "reports/format/build_info.hpp"

namespace demeter::cli {

BuildInfo const& this_build();

}  // namespace demeter::cli
