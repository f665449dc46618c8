cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
string(STRIP "${FLAGS}" FLAGS)
string(REGEX REPLACE " +" " " FLAGS "${FLAGS}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Generated at every build.
#include \"cli/core/version.hpp\"

namespace demeter::cli {

BuildInfo const& this_build() {
  static BuildInfo const build{\"@VERSION@\", \"@commit@\", \"@COMPILER@\", \"@FLAGS@\"};
  return build;
}

}  // namespace demeter::cli
")
file(CONFIGURE OUTPUT ${COMMIT_OUTPUT} @ONLY CONTENT
"// Generated at every build.
#include <string_view>

namespace demeter {

std::string_view commit();
std::string_view commit() { return \"@commit@\"; }

}  // namespace demeter
")
