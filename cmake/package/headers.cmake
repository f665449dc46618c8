# Copies the headers of the component fast from SOURCE to TO, with includes by their installed names.
file(REMOVE_RECURSE "${TO}")
# What only fast/*.cpp include stays behind.
file(GLOB headers RELATIVE "${SOURCE}" "${SOURCE}/fast/*.hpp")
file(GLOB_RECURSE contracts RELATIVE "${SOURCE}" "${SOURCE}/reference/spec/*.hpp")
list(APPEND headers fast/core/level.hpp ${contracts})
foreach(header IN LISTS headers)
  file(READ "${SOURCE}/${header}" text)
  string(REGEX REPLACE "#include \"(fast|reference)/" "#include \"demeter/\\1/" text "${text}")
  file(WRITE "${TO}/${header}" "${text}")
endforeach()
