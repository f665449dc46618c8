# demeter_check(NAME name KERNELS kernel... TARGET target | SUBJECT what
#               [COUNT cases] [SEED seed] [BUDGET factor] [KNOWN file] [JUNIT file] [TIMEOUT seconds] [OPTIONS ...])
#
# Adds a CTest test with the label "demeter" that judges code with `demeter check`.
#   TARGET   a shared library or module with the C interface (demeter_subject.h), or a program that answers JSON lines
#   SUBJECT  a value of --subject: lib:PATH, pipe:COMMAND or file:PATH; a path alone is a library
#   COUNT    cases per regime
#   SEED     another seed draws other cases
#   BUDGET   a factor for all budgets
#   KNOWN    a baseline of accepted failures: only new failures count
#   JUNIT    also write the verdicts as JUnit XML
#   OPTIONS  further options of `demeter check`
function(demeter_check)
  cmake_parse_arguments(PARSE_ARGV 0 CHECK "" "NAME;TARGET;SUBJECT;COUNT;SEED;BUDGET;KNOWN;JUNIT;TIMEOUT"
    "KERNELS;OPTIONS")
  set(usage "demeter_check: expected NAME name KERNELS kernel... and TARGET target or SUBJECT what")
  if(CHECK_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${usage}; got \"${CHECK_UNPARSED_ARGUMENTS}\" besides")
  endif()
  if(NOT CHECK_NAME OR NOT CHECK_KERNELS)
    message(FATAL_ERROR "${usage}")
  endif()
  if(CHECK_TARGET AND CHECK_SUBJECT OR NOT CHECK_TARGET AND NOT CHECK_SUBJECT)
    message(FATAL_ERROR "${usage}, one of the two")
  endif()
  if(CHECK_TARGET)
    if(NOT TARGET ${CHECK_TARGET})
      message(FATAL_ERROR "demeter_check: TARGET ${CHECK_TARGET} is no target")
    endif()
    get_target_property(type ${CHECK_TARGET} TYPE)
    if(type STREQUAL EXECUTABLE)
      set(subject "pipe:$<TARGET_FILE:${CHECK_TARGET}>")
    elseif(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
      set(subject "lib:$<TARGET_FILE:${CHECK_TARGET}>")
    else()
      message(FATAL_ERROR "demeter_check: TARGET ${CHECK_TARGET} is a ${type}; expected a shared library, a module or \
an executable")
    endif()
  elseif(CHECK_SUBJECT MATCHES "^(lib|pipe|file):")
    set(subject "${CHECK_SUBJECT}")
  else()
    set(subject "lib:${CHECK_SUBJECT}")
  endif()
  set(options)
  foreach(option IN ITEMS count seed budget known junit)
    string(TOUPPER ${option} variable)
    if(DEFINED CHECK_${variable})
      set(value "${CHECK_${variable}}")
      if(option STREQUAL known)
        cmake_path(ABSOLUTE_PATH value BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      elseif(option STREQUAL junit)
        cmake_path(ABSOLUTE_PATH value BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
      endif()
      list(APPEND options --${option} "${value}")
    endif()
  endforeach()
  add_test(NAME "${CHECK_NAME}"
    COMMAND Demeter::demeter check ${CHECK_KERNELS} --subject "${subject}" ${options} ${CHECK_OPTIONS})
  set_tests_properties("${CHECK_NAME}" PROPERTIES LABELS demeter)
  if(DEFINED CHECK_TIMEOUT)
    set_tests_properties("${CHECK_NAME}" PROPERTIES TIMEOUT "${CHECK_TIMEOUT}")
  endif()
endfunction()
