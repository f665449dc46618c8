// The version and build options of a program, for results.json and `--version`. In a separate header, because every
// build generates a file that includes it.
#pragma once

#include <string>

namespace demeter {

struct BuildInfo {
  std::string version, commit, compiler, flags;
};

}  // namespace demeter
