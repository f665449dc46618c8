# Functions for the scripts that build a consumer. CTest runs the scripts with BINARY (Demeter's build folder),
# GENERATOR, COMPILER and FLAGS.

# Runs a command and fails unless the exit code is `expected` ("nonzero": any code except 0). Sets OUTPUT to the printed
# text.
function(run expected)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT (code STREQUAL expected OR (expected STREQUAL nonzero AND NOT code STREQUAL 0)))
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit ${code}, expected ${expected}: ${command}\n${output}")
  endif()
  set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

function(expect_text text wanted what)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")  # CMake wraps its messages
  string(FIND "${text}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${what}: expected \"${wanted}\" in:\n${text}")
  endif()
endfunction()

# Installs components and then moves them to WORK/folder. The move shows whether an installed file contains its original
# path.
function(install_components folder)
  file(REMOVE_RECURSE "${WORK}/first" "${WORK}/${folder}")
  foreach(component IN LISTS ARGN)
    run(0 ${CMAKE_COMMAND} --install "${BINARY}" --component ${component} --prefix "${WORK}/first")
  endforeach()
  file(RENAME "${WORK}/first" "${WORK}/${folder}")
  file(GLOB_RECURSE texts "${WORK}/${folder}/*.cmake" "${WORK}/${folder}/*.hpp" "${WORK}/${folder}/*.h")
  foreach(file IN LISTS texts)
    file(READ "${file}" text)
    foreach(place IN ITEMS "${BINARY}" "${SOURCE}" "${WORK}")
      string(FIND "${text}" "${place}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} names ${place}: the installation cannot be moved")
      endif()
    endforeach()
  endforeach()
endfunction()

# configure(EXPECTED PROJECT FOLDER PREFIX [OPTIONS...]) configures a project. EXPECTED is the expected exit code, as in
# run().
function(configure expected project folder prefix)
  file(REMOVE_RECURSE "${WORK}/${folder}")
  run(${expected} ${CMAKE_COMMAND} -S "${project}" -B "${WORK}/${folder}" -G "${GENERATOR}"
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS} -Wall -Wextra" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  set(OUTPUT "${OUTPUT}" PARENT_SCOPE)
endfunction()
