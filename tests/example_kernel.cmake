# Tests that a new kernel needs only its own files and one word in the list. Works in a copy of the sources. Runs `./run
# new-kernel`, which makes a kernel from docs/example_kernel, builds the command with this kernel alone, and checks the
# kernel. CTest runs this script with SOURCE, BINARY and the OPTIONS of the current build. With equal options, ccache
# already has all objects that do not depend on the list.
cmake_minimum_required(VERSION 3.25)

set(KERNEL overlap_of_spheres)
set(WORK "${BINARY}/example_kernel")
set(TREE "${WORK}/tree")

# Defines DEMETER_KERNEL_FILES.
include("${SOURCE}/kernels/kernels.cmake")
list(TRANSFORM DEMETER_KERNEL_FILES REPLACE "@" "${KERNEL}" OUTPUT_VARIABLE OWN_FILES)

# ------------------------------------------------------------------------------------------------------------- tools

# Runs a command in WORK and fails unless the exit code is `expected` ("nonzero": any code except 0). Sets OUTPUT to the
# standard output and ERRORS to the standard error.
function(run expected)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code OUTPUT_VARIABLE output
    ERROR_VARIABLE errors)
  if(NOT (code STREQUAL expected OR (expected STREQUAL nonzero AND NOT code STREQUAL 0)))
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit ${code}, expected ${expected}: ${command}\n${output}\n${errors}")
  endif()
  set(OUTPUT "${output}" PARENT_SCOPE)
  set(ERRORS "${errors}" PARENT_SCOPE)
endfunction()

function(expect_text text wanted what)
  string(FIND "${text}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${what}: expected \"${wanted}\" in:\n${text}")
  endif()
endfunction()

# Configures the tree with the given kernels. The build folder is as deep as the folders of the presets, because ccache
# uses relative paths.
function(configure expected folder)
  list(JOIN ARGN "\n  " kernels)
  file(READ "${SOURCE}/CMakeLists.txt" text)
  string(REGEX REPLACE "set\\(DEMETER_KERNELS[^)]*\\)" "set(DEMETER_KERNELS\n  ${kernels}\n)" text "${text}")
  file(WRITE "${TREE}/CMakeLists.txt" "${text}")
  run(${expected} ${CMAKE_COMMAND} -S "${TREE}" -B "${TREE}/build/${folder}" ${OPTIONS} -DDEMETER_TESTS=OFF -Wno-dev)
  string(REGEX REPLACE "[ \n]+" " " ERRORS "${ERRORS}")  # CMake wraps its messages
  set(ERRORS "${ERRORS}" PARENT_SCOPE)
endfunction()

# ------------------------------------------------------------------------------------------------------- the sources

file(REMOVE_RECURSE "${TREE}")
file(MAKE_DIRECTORY "${TREE}")
file(GLOB entries "${SOURCE}/*")
foreach(entry IN LISTS entries)
  string(FIND "${BINARY}/" "${entry}/" holds_binary)
  get_filename_component(name "${entry}" NAME)
  if(NOT holds_binary EQUAL 0 AND NOT name MATCHES "^build")
    file(COPY "${entry}" DESTINATION "${TREE}")
  endif()
endforeach()

file(READ "${SOURCE}/CMakeLists.txt" text)
if(NOT text MATCHES "set\\(DEMETER_KERNELS([^)]*)\\)")
  message(FATAL_ERROR "CMakeLists.txt has no list DEMETER_KERNELS")
endif()
string(REGEX MATCHALL "[a-z0-9_]+" others "${CMAKE_MATCH_1}")

# If the name is refused, the error is one line and no file changes. A test below finds changed files.
list(GET others 0 other)
foreach(name IN ITEMS "" Overlap overlap "overlap of spheres" overlap-of-spheres ../overlap_of_spheres ${other})
  if(name STREQUAL "")
    run(2 "${TREE}/run" new-kernel)
  else()
    run(2 "${TREE}/run" new-kernel "${name}")
  endif()
  expect_text("${ERRORS}" "run: new-kernel" "new-kernel \"${name}\"")
  if(NOT ERRORS MATCHES "^[^\n]*expected [^\n]*name[^\n]*\n$")
    message(FATAL_ERROR "new-kernel \"${name}\": expected one line that says what was expected:\n${ERRORS}")
  endif()
endforeach()
run(0 "${TREE}/run" new-kernel ${KERNEL})
run(2 "${TREE}/run" new-kernel ${KERNEL})
file(READ "${TREE}/CMakeLists.txt" text)
expect_text("${text}" "\n  ${KERNEL}\n)" "the list in CMakeLists.txt")
file(COPY "${TREE}/oracles/vectors/${KERNEL}.jsonl" DESTINATION "${WORK}")

# Checks that all sources that the kernel cites exist. Without the section in docs/mathematics, one of them is missing.
set(SECTION docs/mathematics/${KERNEL}.md)
run(0 ${CMAKE_COMMAND} -DSOURCE=${TREE} -P "${TREE}/tests/sources.cmake")
file(RENAME "${TREE}/${SECTION}" "${WORK}/section")
run(nonzero ${CMAKE_COMMAND} -DSOURCE=${TREE} -P "${TREE}/tests/sources.cmake")
expect_text("${ERRORS}" "${KERNEL} has 0 sections" "missing section")
file(RENAME "${WORK}/section" "${TREE}/${SECTION}")

# ----------------------------------------------------------------------------------------- beside the other kernels

configure(0 all ${others} ${KERNEL})

# A missing file is an error, and so is a file of a kernel that is not listed. The error names the file.
foreach(missing IN ITEMS "oracles/${KERNEL}.hpp" "oracles/vectors/${KERNEL}.jsonl")
  file(RENAME "${TREE}/${missing}" "${WORK}/missing")
  configure(nonzero refused ${others} ${KERNEL})
  expect_text("${ERRORS}" "kernel ${KERNEL} is listed in CMakeLists.txt, but ${missing} is missing" "missing file")
  file(RENAME "${WORK}/missing" "${TREE}/${missing}")
endforeach()
configure(nonzero refused ${others})
expect_text("${ERRORS}" "${KERNEL}.hpp belongs to no kernel listed in CMakeLists.txt" "stray file")

# Checks that only the files of the kernel and the list differ from the original sources.
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${TREE}" "${TREE}/*")
foreach(file IN LISTS files)
  if(file IN_LIST OWN_FILES OR file STREQUAL SECTION OR file STREQUAL "CMakeLists.txt" OR file MATCHES "^build/")
    continue()
  endif()
  file(SHA256 "${TREE}/${file}" copied)
  file(SHA256 "${SOURCE}/${file}" original)
  if(NOT copied STREQUAL original)
    message(FATAL_ERROR "${file} differs from the sources: a kernel must touch its own files and the list only")
  endif()
endforeach()

# ------------------------------------------------------------------------------------------------ alone, and at work

foreach(other IN LISTS others)
  foreach(pattern IN LISTS DEMETER_KERNEL_FILES DEMETER_OPTIONAL_FILES)
    string(REPLACE "@" "${other}" file "${pattern}")
    file(REMOVE "${TREE}/${file}")
  endforeach()
endforeach()
configure(0 alone ${KERNEL})
run(0 ${CMAKE_COMMAND} --build "${TREE}/build/alone" --target demeter --parallel 2)

# A misspelt name of an optional part is an error that states the name.
foreach(misspelt IN ITEMS "oracles case_divisr=5" "properties wrkloads=nullptr" "fast correctly_ronded=nullptr")
  string(REGEX MATCH "([a-z]+) ([a-z_]+)=([a-z0-9]+)" unused "${misspelt}")
  set(name "${CMAKE_MATCH_2}")
  set(file "${CMAKE_MATCH_1}/${KERNEL}.hpp")
  file(READ "${TREE}/${file}" text)
  string(REPLACE "hooks{}" "hooks{.${name} = ${CMAKE_MATCH_3}}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${file} has no empty hooks")
  endif()
  file(WRITE "${TREE}/${file}" "${changed}")
  run(nonzero ${CMAKE_COMMAND} --build "${TREE}/build/alone" --target kernel_${KERNEL} --parallel 2)
  expect_text("${OUTPUT}" "${name}" "a misspelt part of ${file}")
  file(WRITE "${TREE}/${file}" "${text}")
endforeach()

set(demeter "${TREE}/build/alone/demeter")
run(0 "${demeter}" list "${KERNEL}")
foreach(wanted IN ITEMS "${KERNEL}: overlap of two spheres" "radius: number, m" "expanded" "touching" "swap")
  expect_text("${OUTPUT}" "${wanted}" "list")
endforeach()


# If a verb needs a kernel that is not in this build, the error states the kernel.
run(2 "${demeter}" clump -)
expect_text("${ERRORS}" "demeter clump: this build does not have the kernel clump_union_mass_properties\n"
  "clump without its kernels")

run(0 sh -c "'${demeter}' generate ${KERNEL} --count 1000 > cases.jsonl")
run(0 sh -c "'${demeter}' evaluate ${KERNEL} --implementation fast < cases.jsonl > answers.jsonl")
run(0 sh -c "'${demeter}' verify ${KERNEL} --count 1000 < answers.jsonl")
expect_text("${OUTPUT}" "1000 answers, 1000 pass, 0 fail" "verify")
run(0 sh -c "'${demeter}' evaluate ${KERNEL} < cases.jsonl | '${demeter}' verify ${KERNEL} --cases cases.jsonl")
expect_text("${OUTPUT}" "1000 answers, 1000 pass, 0 fail" "verify the reference")
run(0 sh -c "'${demeter}' generate ${KERNEL} --regime touching --count 100 | '${demeter}' evaluate ${KERNEL}")
string(REGEX MATCHALL "\"output\":{\"overlap\":0,\"status\":\"touching\"}" touching "${OUTPUT}")
list(LENGTH touching count)
if(NOT count EQUAL 100)
  message(FATAL_ERROR "${count} of 100 exactly touching pairs are touching")
endif()

run(0 "${demeter}" check ${KERNEL} --subject fast --count 1000)
run(0 "${demeter}" vectors --check ${KERNEL})
run(0 sh -c "'${demeter}' vectors ${KERNEL} | '${demeter}' evaluate ${KERNEL} | '${demeter}' verify ${KERNEL}")
expect_text("${OUTPUT}" "0 fail" "verify the vectors")
file(WRITE "${TREE}/oracles/vectors/${KERNEL}.jsonl" "")
run(0 sh -c "'${demeter}' vectors ${KERNEL} | '${demeter}' vectors --add ${KERNEL} --directory tree/oracles/vectors")
file(SHA256 "${TREE}/oracles/vectors/${KERNEL}.jsonl" added)
file(SHA256 "${WORK}/${KERNEL}.jsonl" original)
if(NOT added STREQUAL original)
  message(FATAL_ERROR "the vectors are not written as they were")
endif()
run(1 "${demeter}" check ${KERNEL} --subject expanded --count 1000)
expect_text("${ERRORS}" "expanded@double fails ${KERNEL}" "check of a wrong formula")

run(0 "${demeter}" check --mutants)
expect_text("${OUTPUT}" "mutants killed (100.0 %)" "check --mutants")
message(STATUS "${KERNEL} works with nothing but its own files and one word on the list")
