# Installs both components. Then a DEM code checks its own routines in its own CTest with the installed package, as a
# user would.
cmake_minimum_required(VERSION 3.25)
set(WORK "${BINARY}/consumer/harness")
set(CONSUMER "${CMAKE_CURRENT_LIST_DIR}/harness")
file(MAKE_DIRECTORY "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/tools.cmake")

install_components(harness harness)
file(MAKE_DIRECTORY "${WORK}/alone")
file(WRITE "${WORK}/alone/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(alone LANGUAGES NONE)\n"
  "find_package(Demeter 0.1 REQUIRED)\nif(TARGET Demeter::fast OR NOT TARGET Demeter::demeter)\n"
  "  message(FATAL_ERROR \"expected the harness alone\")\nendif()\n")
configure(0 "${WORK}/alone" alone_build "${WORK}/harness")

# The installation was moved. The installed command finds its own peers in the new folder.
run(0 "${BINARY}/demeter" list)
set(built "${OUTPUT}")
run(0 "${WORK}/harness/bin/demeter" list)
if(NOT OUTPUT STREQUAL built)
  message(FATAL_ERROR "the installed command lists\n${OUTPUT}\nand the built one\n${built}")
endif()

install_components(both fast harness)
configure(0 "${CONSUMER}" build "${WORK}/both")
run(0 ${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)
set(ctest ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build" --output-on-failure)
run(0 ${ctest} -R "^(library|path|accepted|program|vectors)$")
expect_text("${OUTPUT}" "100% tests passed, 0 tests failed out of 5" "what is right")

# Checks that a wrong routine is detected. The output has a command that shows a small case, and the JUnit file has the
# failure.
run(nonzero ${ctest} -R "^wrong$")
expect_text("${OUTPUT}" "fails capsule_mass_properties" "what is wrong")
expect_text("${OUTPUT}" "demeter explain capsule_mass_properties '{\"radius\":" "what is wrong")
file(READ "${WORK}/build/wrong.xml" junit)
expect_text("${junit}" "<failure" "JUnit")

# Checks that a wrong call of demeter_check prints the expected arguments.
file(GLOB_RECURSE function "${WORK}/both/*/DemeterCheck.cmake")
foreach(call IN ITEMS "NAME a|expected NAME name KERNELS kernel" "NAME a KERNELS b|TARGET target or SUBJECT what, one of"
    "NAME a KERNELS b TARGET c SUBJECT d|one of the two" "NAME a KERNELS b TARGET c|TARGET c is no target"
    "NAME a KERNELS b SUBJECT c MORE|got \"MORE\" besides")
  string(REGEX MATCH "^(.*)\\|(.*)$" both "${call}")
  set(wanted "${CMAKE_MATCH_2}")
  file(WRITE "${WORK}/call.cmake" "cmake_minimum_required(VERSION 3.25)\ninclude(\"${function}\")\n"
    "demeter_check(${CMAKE_MATCH_1})\n")
  run(nonzero ${CMAKE_COMMAND} -P "${WORK}/call.cmake")
  expect_text("${OUTPUT}" "${wanted}" "demeter_check")
endforeach()
message(STATUS "a code is judged in its own tests through the package")
