# Copies the headers of the component `fast` from SOURCE to TO and replaces the names in their includes by the installed
# names. The headers are those of the fast forms, the contracts, and the headers that these include. A header that only
# fast/*.cpp includes is not copied.
cmake_policy(PUSH)
cmake_policy(SET CMP0057 NEW)  # IN_LIST
file(REMOVE_RECURSE "${TO}")
file(GLOB waiting RELATIVE "${SOURCE}" "${SOURCE}/fast/*.hpp")
file(GLOB contracts RELATIVE "${SOURCE}" "${SOURCE}/reference/spec/*.hpp" "${SOURCE}/reference/spec/core/*.hpp")
list(APPEND waiting ${contracts})
set(done "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST done)
    continue()
  endif()
  list(APPEND done "${header}")
  file(READ "${SOURCE}/${header}" text)
  string(REGEX MATCHALL "#include \"(fast|reference)/[^\"]*\"" included "${text}")
  list(TRANSFORM included REPLACE "#include \"(.*)\"" "\\1")
  list(APPEND waiting ${included})
  string(REGEX REPLACE "#include \"(fast|reference)/" "#include \"demeter/\\1/" text "${text}")
  file(WRITE "${TO}/${header}" "${text}")
endwhile()
cmake_policy(POP)
