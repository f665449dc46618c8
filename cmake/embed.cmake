# Turns the text file INPUT into OUTPUT, a C++ source that defines `std::string_view FUNCTION()` in namespace NAMESPACE.
cmake_minimum_required(VERSION 3.25)

file(READ "${INPUT}" text)
string(FIND "${text}" ")embedded\"" at)
if(NOT at EQUAL -1)
  message(FATAL_ERROR "${INPUT}: the text )embedded\" ends the C++ literal it is put in")
endif()
get_filename_component(name "${INPUT}" NAME)
file(WRITE "${OUTPUT}"
  "// Generated from ${name}.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n"
  "std::string_view ${FUNCTION}();\n\n"
  "std::string_view ${FUNCTION}() { return R\"embedded(${text})embedded\"; }\n\n}  // namespace ${NAMESPACE}\n")
