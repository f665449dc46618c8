# Files and targets that are derived from the list of kernels.

set(DEMETER_KERNEL_FILES
  "reference/spec/@.hpp" "reference/@.hpp" "reference/printed/@.hpp" "fast/@.hpp" "fast/@.cpp" "oracles/@.hpp"
  "properties/@.hpp" "tests/@.cpp" "bench/@.cpp" "oracles/vectors/@.jsonl" "mutants/@.hpp")

# Optional files of a kernel, in this order: instantiations of a reference that compiles slowly; the proof of an oracle,
# if it compiles slowly; regimes in a file of their own; a laboratory for the continuity of the kernel; methods that
# approximate the kernel.
set(DEMETER_OPTIONAL_FILES "reference/@.cpp" "oracles/@.cpp" "properties/regimes/@.hpp" "properties/continuity/@.hpp"
  "subjects/methods/@.cpp")

# Reports an error if a listed kernel lacks a file, or if a file belongs to a kernel that is not listed. Shared code is
# in the core/ folders.
function(demeter_check_kernel_files kernels)
  foreach(pattern IN LISTS DEMETER_KERNEL_FILES DEMETER_OPTIONAL_FILES)
    foreach(kernel IN LISTS kernels)
      string(REPLACE "@" "${kernel}" file "${pattern}")
      if(NOT EXISTS "${CMAKE_SOURCE_DIR}/${file}" AND pattern IN_LIST DEMETER_KERNEL_FILES)
        message(FATAL_ERROR "kernel ${kernel} is listed in CMakeLists.txt, but ${file} is missing")
      endif()
    endforeach()
    string(REPLACE "@" "*" glob "${pattern}")
    file(GLOB found RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${glob}")
    foreach(file IN LISTS found)
      get_filename_component(name "${file}" NAME_WE)
      if(NOT name IN_LIST kernels)
        message(FATAL_ERROR "${file} belongs to no kernel listed in CMakeLists.txt (shared code stands in core/)")
      endif()
    endforeach()
  endforeach()
endfunction()

# Embeds the text file `input` as the C++ source `output` of the library demeter_texts. The source is made again when
# the file changes.
function(demeter_embed input output namespace function)
  set_property(GLOBAL APPEND PROPERTY DEMETER_TEXTS "${output}")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${CMAKE_SOURCE_DIR}/${input}" "-DOUTPUT=${output}" -DNAMESPACE=${namespace}
      -DFUNCTION=${function} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS "${CMAKE_SOURCE_DIR}/${input}" "${CMAKE_SOURCE_DIR}/cmake/embed.cmake" VERBATIM)
endfunction()

# Builds all embedded texts as a library that depends on no other library. Reason: ninja generates a file of a target
# only after all dependencies of the target are built. Targets that need the texts would wait for these dependencies.
function(demeter_texts)
  get_property(texts GLOBAL PROPERTY DEMETER_TEXTS)
  add_library(demeter_texts OBJECT ${texts})
  if(DEMETER_UNITY)
    set_target_properties(demeter_texts PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# Compiles the sources of each folder in groups of at most nine, so that their includes and instantiations are compiled
# once. This saves a third of the time of a full build. The names in the files of a folder must therefore differ, also
# in anonymous namespaces.
function(demeter_unity target)
  list(LENGTH ARGN files)
  if(NOT DEMETER_UNITY OR files EQUAL 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(folder "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    # Uses no absolute path, so that another working tree finds the objects in ccache.
    get_filename_component(of "${source}" DIRECTORY)
    cmake_path(RELATIVE_PATH of BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    if(NOT of STREQUAL folder)
      set(folder "${of}")
      set(count 0)
    endif()
    math(EXPR part "${count} / 9")
    math(EXPR count "${count} + 1")
    string(MAKE_C_IDENTIFIER "${folder}_${part}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# Uses -O1 for code that only coordinates other code. Such code then compiles in 67 to 75 % of the usual time.
function(demeter_compile_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Adds the kernel's objects to KERNEL_OBJECTS.
function(demeter_kernel kernel)
  set(KERNEL ${kernel})
  set(generated "${CMAKE_BINARY_DIR}/generated/${kernel}")
  configure_file(kernels/generated/kernel.cpp.in ${generated}.cpp @ONLY)
  configure_file(kernels/generated/kernel_arithmetic.cpp.in ${generated}_arithmetic.cpp @ONLY)
  configure_file(kernels/generated/kernel_oracle.cpp.in ${generated}_oracle.cpp @ONLY)
  configure_file(kernels/generated/kernel_mutants.cpp.in ${generated}_mutants.cpp @ONLY)
  demeter_embed(oracles/vectors/${kernel}.jsonl ${generated}_vectors_text.cpp demeter vectors_text_${kernel})
  add_library(kernel_${kernel} OBJECT ${generated}.cpp ${generated}_arithmetic.cpp ${generated}_oracle.cpp
    ${generated}_mutants.cpp bench/${kernel}.cpp)
  target_link_libraries(kernel_${kernel} PRIVATE Eigen3::Eigen Boost::headers fmt::fmt PkgConfig::HWY)
  set(together ${generated}.cpp ${generated}_arithmetic.cpp ${generated}_mutants.cpp)
  if(EXISTS "${CMAKE_SOURCE_DIR}/properties/continuity/${kernel}.hpp")
    configure_file(kernels/generated/kernel_continuity.cpp.in ${generated}_continuity.cpp @ONLY)
    target_sources(kernel_${kernel} PRIVATE ${generated}_continuity.cpp)
    list(APPEND together ${generated}_continuity.cpp)
  endif()
  foreach(pattern IN LISTS DEMETER_OPTIONAL_FILES)
    string(REPLACE "@" "${kernel}" optional "${pattern}")
    if(optional MATCHES "\\.cpp$" AND EXISTS "${CMAKE_SOURCE_DIR}/${optional}")
      target_sources(kernel_${kernel} PRIVATE ${optional})
    endif()
  endforeach()
  # Files that share headers and formulas are compiled as one unit. This takes three quarters of the compile time of
  # four units. The truth is a separate unit.
  if(DEMETER_UNITY)
    set_target_properties(kernel_${kernel} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${together} reference/${kernel}.cpp PROPERTIES UNITY_GROUP ${kernel})
    set_source_files_properties(${generated}_oracle.cpp oracles/${kernel}.cpp PROPERTIES UNITY_GROUP ${kernel}_truth)
  endif()
  # Comparison routines that the compiler vectorises. They are compiled once per instruction set, with vectors of full
  # width.
  if(EXISTS "${CMAKE_SOURCE_DIR}/bench/vectorised/${kernel}.cpp")
    foreach(level IN ITEMS avx2 avx512)
      add_library(vectorised_${kernel}_${level} OBJECT bench/vectorised/${kernel}.cpp)
      target_compile_definitions(vectorised_${kernel}_${level} PRIVATE DEMETER_LEVEL=${level})
      target_compile_options(vectorised_${kernel}_${level} PRIVATE -O3 -fno-math-errno -fno-trapping-math)
      if(level STREQUAL avx2)
        target_compile_options(vectorised_${kernel}_${level} PRIVATE -mavx2 -mfma)
      else()
        target_compile_options(vectorised_${kernel}_${level} PRIVATE
          -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
      endif()
      list(APPEND KERNEL_OBJECTS $<TARGET_OBJECTS:vectorised_${kernel}_${level}>)
    endforeach()
  endif()
  list(APPEND KERNEL_OBJECTS $<TARGET_OBJECTS:kernel_${kernel}>)
  set(KERNEL_OBJECTS ${KERNEL_OBJECTS} PARENT_SCOPE)
endfunction()

# Adds the objects of a kernel that this build does not judge to KERNEL_OBJECTS: its fast form, regimes and contract.
function(demeter_kernel_fast_alone kernel)
  set(KERNEL ${kernel})
  set(generated "${CMAKE_BINARY_DIR}/generated/${kernel}")
  configure_file(kernels/generated/kernel_fast_alone.cpp.in ${generated}_fast_alone.cpp @ONLY)
  demeter_embed(oracles/vectors/${kernel}.jsonl ${generated}_vectors_text.cpp demeter vectors_text_${kernel})
  add_library(kernel_${kernel} OBJECT ${generated}_fast_alone.cpp)
  target_link_libraries(kernel_${kernel} PRIVATE Eigen3::Eigen Boost::headers fmt::fmt PkgConfig::HWY)
  # The simulator calls the reference, so the instantiations of the reference are compiled too.
  if(EXISTS "${CMAKE_SOURCE_DIR}/reference/${kernel}.cpp")
    target_sources(kernel_${kernel} PRIVATE reference/${kernel}.cpp)
  endif()
  list(APPEND KERNEL_OBJECTS $<TARGET_OBJECTS:kernel_${kernel}>)
  set(KERNEL_OBJECTS ${KERNEL_OBJECTS} PARENT_SCOPE)
endfunction()

# Writes generated/<file>.inc with one line `<macro>(<name>)` per name. kernels/generated/list.cpp.in defines the macro.
function(demeter_list_file file macro)
  set(text "// Generated from the list in CMakeLists.txt.\n")
  foreach(name IN LISTS ARGN)
    string(APPEND text "${macro}(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${file}.inc" CONTENT "${text}" @ONLY)
endfunction()

# Writes generated/list.cpp and the lists that it includes: the judged kernels, the kernels with only a fast form, the
# judged kernels with a laboratory, and those with methods.
function(demeter_list_files judged fast_alone)
  set(laboratories "")
  set(methods "")
  foreach(kernel IN LISTS judged)
    if(EXISTS "${CMAKE_SOURCE_DIR}/properties/continuity/${kernel}.hpp")
      list(APPEND laboratories ${kernel})
    endif()
    if(EXISTS "${CMAKE_SOURCE_DIR}/subjects/methods/${kernel}.cpp")
      list(APPEND methods ${kernel})
    endif()
  endforeach()
  demeter_list_file(kernels DEMETER_KERNEL ${judged})
  demeter_list_file(fast_alone DEMETER_FAST_ALONE ${fast_alone})
  demeter_list_file(laboratories DEMETER_LABORATORY ${laboratories})
  demeter_list_file(methods DEMETER_METHODS ${methods})
  configure_file(kernels/generated/list.cpp.in ${CMAKE_BINARY_DIR}/generated/list.cpp COPYONLY)
  demeter_embed(oracles/vectors/flags.json ${CMAKE_BINARY_DIR}/generated/vector_flags.cpp demeter::detail
    vector_flags_text)
endfunction()

# Builds one adapter per peer as a module beside the command. subjects/peers/<name>.cmake finds the library and defines
# the target demeter_peer_<name>, or sets DEMETER_PEER_<name>_MISSING to the reason. The list is generated/peers.cpp.
# The targets of the modules are in DEMETER_PEER_MODULES.
macro(demeter_peers)
  set(DEMETER_PEER_MODULES)
  set(peers "")
  # The headers that a module shares with the command.
  file(GLOB_RECURSE shared CONFIGURE_DEPENDS kernels/*.hpp reference/spec/*.hpp subjects/isolation/*.hpp
    subjects/peers/*.hpp)
  set(interface ${CMAKE_BINARY_DIR}/generated/peer_interface.cpp)
  add_custom_command(OUTPUT ${interface}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} "-DHEADERS=${shared}" -DOUTPUT=${interface}
      -P ${CMAKE_SOURCE_DIR}/cmake/fingerprint.cmake
    DEPENDS ${shared} cmake/fingerprint.cmake VERBATIM)
  add_library(peer_interface OBJECT ${interface})
  set_target_properties(peer_interface PROPERTIES POSITION_INDEPENDENT_CODE ON)
  file(GLOB peer_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/subjects/peers/*.cmake")
  foreach(peer_file IN LISTS peer_files)
    get_filename_component(peer "${peer_file}" NAME_WE)
    if(DEMETER_PEERS)
      include(${peer_file})
    else()
      set(DEMETER_PEER_${peer}_MISSING "left out by DEMETER_PEERS=OFF")
    endif()
    if(TARGET demeter_peer_${peer})
      add_library(peer_${peer} MODULE subjects/peers/${peer}.cpp $<TARGET_OBJECTS:peer_interface>)
      set_target_properties(peer_${peer} PROPERTIES PREFIX "" OUTPUT_NAME demeter_peer_${peer}
        LIBRARY_OUTPUT_DIRECTORY ${DEMETER_PEER_FOLDER} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
      target_link_libraries(peer_${peer} PRIVATE demeter_peer_${peer} Eigen3::Eigen)
      list(APPEND DEMETER_PEER_MODULES peer_${peer})
      string(APPEND peers "      {\"${peer}\", \"\"},\n")
      message(STATUS "Peer ${peer}: found")
    else()
      string(APPEND peers "      {\"${peer}\", \"${DEMETER_PEER_${peer}_MISSING}\"},\n")
      message(STATUS "Peer ${peer}: ${DEMETER_PEER_${peer}_MISSING}")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/peers.cpp" @ONLY CONTENT
"// Generated from subjects/peers/.
#include \"subjects/peers.hpp\"

namespace demeter::peers {
std::vector<Listed> const& all() {
  static std::vector<Listed> const list{
@peers@  };
  return list;
}
}  // namespace demeter::peers
")
endmacro()

# Embeds every file with an extension in a folder as text, as a function `<prefix>_<name>` of a namespace. Sets
# `declarations` to the functions and `entries` to a list of names and texts.
macro(demeter_embed_each folder extension namespace prefix)
  set(declarations "")
  set(entries "")
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.${extension}")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    set(output ${CMAKE_BINARY_DIR}/generated/${prefix}_${name}.cpp)
    demeter_embed(${folder}/${name}.${extension} ${output} ${namespace} ${prefix}_${name})
    string(APPEND declarations "std::string_view ${prefix}_${name}();\n")
    string(APPEND entries "      {\"${name}\", ${prefix}_${name}()},\n")
  endforeach()
endmacro()

# Embeds the adapters of programs that are run unchanged: subjects/programs/<name>.py. The list is
# generated/programs.cpp.
function(demeter_programs)
  demeter_embed(subjects/programs/core/adapter.py ${CMAKE_BINARY_DIR}/generated/program_adapter.cpp demeter::programs
    common_text)
  demeter_embed_each(subjects/programs py demeter::programs text)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/programs.cpp" @ONLY CONTENT
"// Generated from subjects/programs/.
#include \"subjects/outside/programs.hpp\"

namespace demeter::programs {

@declarations@
std::vector<std::pair<std::string_view, std::string_view>> const& texts() {
  static std::vector<std::pair<std::string_view, std::string_view>> const all{
@entries@  };
  return all;
}

}  // namespace demeter::programs
")
endfunction()

# Determines the commit at every build. The two generated files (version.cpp for cli/core/version.hpp, and commit.cpp)
# are rewritten only if the commit changed.
function(demeter_version)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  add_custom_target(demeter_version
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
      "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -ffp-contract=off"
      -DOUTPUT=${CMAKE_BINARY_DIR}/generated/version.cpp -DCOMMIT_OUTPUT=${CMAKE_BINARY_DIR}/generated/commit.cpp -P ${CMAKE_SOURCE_DIR}/cmake/version.cmake
    BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/version.cpp ${CMAKE_BINARY_DIR}/generated/commit.cpp VERBATIM)
  target_sources(demeter PRIVATE ${CMAKE_BINARY_DIR}/generated/version.cpp)
  add_dependencies(demeter demeter_version)
endfunction()

# Converts the documents of docs/ to pages of the report. The list is generated/documents.cpp.
function(demeter_documents)
  pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c-html)
  add_executable(make_documents reports/documents/make_documents.cpp reports/documents/mathml.cpp)
  target_link_libraries(make_documents PRIVATE PkgConfig::MD4C)
  file(GLOB documents CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} docs/*.md docs/mathematics/*.md)
  list(TRANSFORM documents PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE depends)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/generated/documents.cpp
    COMMAND make_documents ${CMAKE_BINARY_DIR}/generated/documents.cpp ${CMAKE_SOURCE_DIR} ${documents}
    DEPENDS make_documents ${depends} VERBATIM)
endfunction()

# Embeds the curves of docs/hourglass for 5000 discs as text for the report.
function(demeter_recorded_curves)
  foreach(file IN ITEMS curves solvers)
    demeter_embed(docs/hourglass/${file}_5000.csv ${CMAKE_BINARY_DIR}/generated/hourglass_${file}.cpp
      demeter::nonsmooth ${file}_of_5000)
  endforeach()
endfunction()
