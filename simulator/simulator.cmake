# Builds the library of the simulator: the reference simulator in each scalar type, its oracle, the code that runs
# scenes, and the scenes as built-in text. Simulations need the kernels below. If the build lacks one of these kernels,
# sets DEMETER_SIMULATES to OFF and builds no simulator.
set(DEMETER_SIMULATES ON)
foreach(kernel IN ITEMS capsule_mass_properties capsule_contact wall_capsule_contact clump_mass_properties
    clump_union_mass_properties contact_force disc_disc_contact disc_segment_contact)
  if(NOT kernel IN_LIST DEMETER_KERNELS)
    set(DEMETER_SIMULATES OFF)
  endif()
endforeach()

function(demeter_simulator)
  file(GLOB steps CONFIGURE_DEPENDS simulator/reference/*.cpp simulator/oracle/*.cpp)
  file(GLOB runs CONFIGURE_DEPENDS simulator/*.cpp)
  demeter_embed(simulator/film.html ${CMAKE_BINARY_DIR}/generated/film_page.cpp demeter::simulations film_page)
  demeter_embed_each(simulator/scenes toml demeter::simulations scene)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/scenes.cpp" @ONLY CONTENT
"// Generated from simulator/scenes/.
#include \"simulator/scene_file.hpp\"

namespace demeter::simulations {

@declarations@
std::vector<BuiltIn> const& built_in_scenes() {
  static std::vector<BuiltIn> const all{
@entries@  };
  return all;
}

}  // namespace demeter::simulations
")
  add_library(demeter_simulator STATIC ${steps} ${runs} ${CMAKE_BINARY_DIR}/generated/scenes.cpp)
  demeter_unity(demeter_simulator ${runs})
  demeter_compile_lightly(demeter_simulator)
  # The files in which a simulation spends its time.
  set(hot formulas.cpp smooth.cpp smooth_in_multiprecision.cpp nonsmooth.cpp)
  list(TRANSFORM hot PREPEND simulator/reference/)
  set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS "-O2")
  target_link_libraries(demeter_simulator PUBLIC demeter_harness)
endfunction()
