# Copies the headers of the component fast from SOURCE to TO, with includes by their installed names.
file(REMOVE_RECURSE "${TO}")
file(GLOB_RECURSE headers RELATIVE "${SOURCE}" "${SOURCE}/fast/*.hpp" "${SOURCE}/reference/spec/*.hpp")
foreach(header IN LISTS headers)
  file(READ "${SOURCE}/${header}" text)
  string(REGEX REPLACE "#include \"(fast|reference)/" "#include \"demeter/\\1/" text "${text}")
  file(WRITE "${TO}/${header}" "${text}")
endforeach()
