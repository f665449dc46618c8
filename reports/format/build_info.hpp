// What a program was built from, as results.json and `--version` say it. Apart, because every build makes a file that
// includes it.
#pragma once

#include <string>

namespace demeter {

struct BuildInfo {
  std::string version, commit, compiler, flags;
};

}  // namespace demeter
