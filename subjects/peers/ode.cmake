# Target demeter_peer_ode: the Open Dynamics Engine in double precision.
set(DEMETER_PEER_ode_MISSING "no ODE found (Debian: libode-dev)")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(DEMETER_ODE QUIET IMPORTED_TARGET GLOBAL ode)
endif()
if(DEMETER_ODE_FOUND)
  # The headers define the precision of the library. Demeter needs double.
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::DEMETER_ODE)
  check_cxx_source_compiles("
    #include <ode/ode.h>
    static_assert(sizeof(dReal) == sizeof(double), \"\");
    int main() { return dCheckConfiguration(\"ODE_double_precision\") ? 0 : 1; }" DEMETER_ODE_IS_DOUBLE)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(DEMETER_ODE_IS_DOUBLE)
    add_library(demeter_peer_ode INTERFACE)
    target_link_libraries(demeter_peer_ode INTERFACE PkgConfig::DEMETER_ODE)
    unset(DEMETER_PEER_ode_MISSING)
  else()
    set(DEMETER_PEER_ode_MISSING
        "ODE ${DEMETER_ODE_VERSION} found, but not in double precision (Debian: libode-dev)")
  endif()
endif()
