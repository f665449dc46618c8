# Target demeter_peer_simbody: the source file that includes Simbody's headers, and Simbody's libraries of mathematics.
# The headers cannot be compiled as C++20. Simbody's package files are not used: one requires -std=c++11, and both link
# the multibody library.
set(DEMETER_PEER_simbody_MISSING "no Simbody found (Debian: libsimbody-dev)")
find_path(DEMETER_SIMBODY_INCLUDE_DIR SimTKmath.h PATH_SUFFIXES simbody)
set(libraries "")
foreach(name SimTKmath SimTKcommon)
  find_library(DEMETER_${name}_LIBRARY ${name})
  mark_as_advanced(DEMETER_${name}_LIBRARY)
  list(APPEND libraries ${DEMETER_${name}_LIBRARY})
endforeach()
mark_as_advanced(DEMETER_SIMBODY_INCLUDE_DIR)
if(DEMETER_SIMBODY_INCLUDE_DIR AND NOT libraries MATCHES "NOTFOUND")
  add_library(demeter_peer_simbody STATIC subjects/peers/simbody/ellipsoids.cpp)
  set_target_properties(demeter_peer_simbody PROPERTIES CXX_STANDARD 17 POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(demeter_peer_simbody SYSTEM PRIVATE ${DEMETER_SIMBODY_INCLUDE_DIR})
  target_link_libraries(demeter_peer_simbody PRIVATE ${libraries})
  unset(DEMETER_PEER_simbody_MISSING)
endif()
unset(libraries)
