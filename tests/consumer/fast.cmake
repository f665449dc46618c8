# Installs the component `fast` into a separate folder and builds a DEM code that uses this installation. Proves that
# the headers and the library need no multiprecision, no harness and no source tree.
cmake_minimum_required(VERSION 3.25)
set(WORK "${BINARY}/consumer/fast")
set(CONSUMER "${CMAKE_CURRENT_LIST_DIR}/fast")
file(MAKE_DIRECTORY "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/tools.cmake")

install_components(fast fast)
file(GLOB_RECURSE installed RELATIVE "${WORK}/fast" "${WORK}/fast/*")
foreach(file IN LISTS installed)
  if(NOT file MATCHES "^include/demeter/(fast|reference/spec)/.*\\.hpp$|/libdemeter_fast\\.a$|/cmake/Demeter/")
    message(FATAL_ERROR "the component fast installs ${file}")
  endif()
endforeach()

# The DEM code consists of a program and a module. The build uses the installation alone.
configure(0 "${CONSUMER}" build "${WORK}/fast")
run(0 ${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)
expect_text("${OUTPUT}" "Linking CXX" "the build")
run(0 ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build" --output-on-failure)

file(GLOB archive "${WORK}/fast/lib*/libdemeter_fast.a" "${WORK}/fast/lib/*/libdemeter_fast.a")
set(foreign "mpfr_|mpfi_|__gmp|mpz_|mpq_|gmp_rational|libgmp|libmpf|simdjson|nlohmann")
foreach(tool IN ITEMS "nm;--undefined-only;${archive}" "nm;-D;--undefined-only;${WORK}/build/libmodule.so"
    "ldd;${WORK}/build/solver" "ldd;${WORK}/build/libmodule.so")
  run(0 ${tool})
  if(OUTPUT MATCHES "${foreign}")
    message(FATAL_ERROR "${tool}: needs ${CMAKE_MATCH_0}:\n${OUTPUT}")
  endif()
  expect_text("${OUTPUT}" "hwy" "${tool}")  # the library needs Highway
endforeach()

# Checks that every installed header compiles alone.
file(GLOB_RECURSE headers RELATIVE "${WORK}/fast/include" "${WORK}/fast/include/*.hpp")
set(text "")
foreach(header IN LISTS headers)
  string(APPEND text "#include <${header}>\n")
endforeach()
file(MAKE_DIRECTORY "${WORK}/headers")
file(WRITE "${WORK}/headers/all.cpp" "${text}int main() {}\n")
file(WRITE "${WORK}/headers/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(headers LANGUAGES CXX)\n"
  "find_package(Demeter REQUIRED)\nadd_executable(headers all.cpp)\ntarget_link_libraries(headers Demeter::fast)\n"
  "if(TARGET Demeter::demeter)\n  message(FATAL_ERROR \"the harness is not installed here\")\nendif()\n")
configure(0 "${WORK}/headers" headers_build "${WORK}/fast")
run(0 ${CMAKE_COMMAND} --build "${WORK}/headers_build")

# Checks that find_package reports missing components and versions.
foreach(asked IN ITEMS "REQUIRED COMPONENTS harness|the component harness is not installed in ${WORK}/fast"
    "REQUIRED COMPONENTS slow|there is no component \"slow\"; expected fast or harness" "0.2 REQUIRED|version: 0.1"
    "1 REQUIRED|version: 0.1")
  string(REGEX MATCH "^(.*)\\|(.*)$" both "${asked}")
  set(arguments "${CMAKE_MATCH_1}")
  set(wanted "${CMAKE_MATCH_2}")
  file(MAKE_DIRECTORY "${WORK}/asked")
  file(WRITE "${WORK}/asked/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(asked LANGUAGES CXX)\n"
    "find_package(Demeter ${arguments})\n")
  configure(nonzero "${WORK}/asked" asked_build "${WORK}/fast")
  expect_text("${OUTPUT}" "${wanted}" "find_package(Demeter ${arguments})")
endforeach()
message(STATUS "fast is used alone, without multiprecision")
