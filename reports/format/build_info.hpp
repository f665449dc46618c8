// The version and build options of a program, for results.json and `--version`. This header is separate, because every
// build generates a source file that includes it.
#pragma once

#include <string>

namespace demeter {

struct BuildInfo {
  std::string version, commit, compiler, flags;
};

}  // namespace demeter
