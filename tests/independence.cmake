# Checks which folders include which. Truth and subject share no code. Includes between folders only go down. core/ and
# cli/ include no kernel. Prints each breach and fails.
set(breaches "")

# Checks the files that match `glob` below `folder`: they may include only project headers with the `allowed` prefixes.
function(check folder glob)
  set(allowed ${ARGN})
  if(glob MATCHES "[*]")
    file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/${folder}/${glob}")
  else()
    set(files "${folder}/${glob}")  # only this file, not files with the same name in subfolders
  endif()
  foreach(file IN LISTS files)
    file(STRINGS "${SOURCE}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" header "${line}")
      set(good FALSE)
      foreach(prefix IN LISTS allowed)
        string(FIND "${header}" "${prefix}" at)
        if(at EQUAL 0)
          set(good TRUE)
        endif()
      endforeach()
      if(NOT good)
        set(breaches "${breaches}\n  ${file} includes \"${header}\"" PARENT_SCOPE)
        set(breaches "${breaches}\n  ${file} includes \"${header}\"")
      endif()
    endforeach()
  endforeach()
endfunction()

check(reference/spec "*.hpp" reference/spec/)
check(fast "*.[ch]pp" fast/ reference/spec/)
check(oracles "*.[ch]pp" oracles/ reference/spec/)
check(reference/core "*.hpp" reference/spec/core/ reference/core/)
check(reference/family "*.hpp" reference/spec/ reference/core/ reference/family/)

check(mutants/core "*.hpp" kernels/mutant.hpp)
check(mutants/family "*.hpp" kernels/mutant.hpp reference/spec/ mutants/core/)

# The reference simulator uses the reference formulas of these kernels for contacts, force laws and masses. Its oracle
# and its fast form share only the scene and the state with it (simulator/spec/).
check(simulator/spec "*.hpp" reference/spec/ simulator/spec/)
check(simulator/fast "*.[ch]pp" fast/ reference/spec/ simulator/spec/ simulator/fast/)
check(simulator/oracle "*.[ch]pp" oracles/ reference/spec/ simulator/spec/ simulator/oracle/)
check(simulator/reference "*.[ch]pp" reference/spec/ simulator/spec/ reference/core/ simulator/reference/ reference/printed/
  reference/capsule_contact.hpp reference/wall_capsule_contact.hpp reference/contact_force.hpp
  reference/capsule_mass_properties.hpp reference/clump_mass_properties.hpp reference/clump_union_mass_properties.hpp
  reference/disc_disc_contact.hpp reference/disc_segment_contact.hpp)

# A mutant is an implementation of its own. It is not a modified copy of the code that the check must accept.
file(GLOB mutants RELATIVE "${SOURCE}/mutants" "${SOURCE}/mutants/*.hpp")
foreach(file IN LISTS mutants)
  # One exception: mutants of the union may use the patches of spheres from the reference. The mutants and the reference
  # differ in the balls that count, and in the use of the patches. The oracle that judges the mutants does not use
  # patches.
  set(patches "")
  if(file STREQUAL clump_union_mass_properties.hpp)
    set(patches reference/clump_union_mass_properties.hpp)
  endif()
  check(mutants "${file}" reference/spec/ kernels/mutant.hpp mutants/core/ mutants/family/
    ${patches})
endforeach()

# The reference of a kernel may include its contract, the scalars, and the references of kernels that it builds on. It
# may not include printed formulas. Printed formulas may include references and printed formulas, because the oracle
# judges them.
file(GLOB references RELATIVE "${SOURCE}/reference" "${SOURCE}/reference/*.[ch]pp")
list(TRANSFORM references PREPEND reference/ OUTPUT_VARIABLE built_on)
foreach(file IN LISTS references)
  check(reference "${file}" reference/spec/ reference/core/ reference/family/ ${built_on})
endforeach()
check(reference/printed "*.hpp" reference/spec/ reference/core/ reference/family/ reference/printed/ ${built_on})

# Regimes and laws may include contracts only, and no implementation.
file(GLOB laws RELATIVE "${SOURCE}/properties" "${SOURCE}/properties/*.hpp" "${SOURCE}/properties/regimes/*.hpp")
foreach(file IN LISTS laws)
  file(STRINGS "${SOURCE}/properties/${file}" includes REGEX "#include \"(fast|oracles|reference/[a-z_]+.hpp|reference/printed)")
  if(includes)
    set(breaches "${breaches}\n  properties/${file}: ${includes}")
  endif()
endforeach()

# Includes between folders only go down. Files that are generated from kernels/generated/ belong to no folder: they
# combine the files of a kernel from all folders.
set(floor_0 base reference/spec)
set(floor_1 reference fast oracles)
set(floor_2 kernels)
set(floor_3 properties mutants subjects)
set(floor_4 check bench simulator)
set(floor_5 reports)
set(floor_6 cli tests)
set(generated peers.hpp demeter_subject.h)
set(below "")
foreach(floor RANGE 6)
  list(TRANSFORM floor_${floor} APPEND / OUTPUT_VARIABLE folders)
  list(APPEND below ${folders})
  foreach(folder IN LISTS floor_${floor})
    check(${folder} "*.[ch]pp" ${below} ${generated})
  endforeach()
endforeach()

# Files in core/ folders and in kernels/ may name no kernel and no family.
file(GLOB kernels RELATIVE "${SOURCE}/reference/spec" "${SOURCE}/reference/spec/*.hpp")
list(TRANSFORM kernels REPLACE "[.]hpp$" "")
list(JOIN kernels "|" kernels)
file(GLOB_RECURSE common RELATIVE "${SOURCE}" "${SOURCE}/*/core/*.[ch]pp" "${SOURCE}/kernels/*.[ch]pp")
foreach(file IN LISTS common)
  if(file MATCHES "^(tests|build)/")
    continue()
  endif()
  file(STRINGS "${SOURCE}/${file}" named
    REGEX "(namespace [a-z_:]*(${kernels})|#include \"[a-z_/]*(/family/|/(${kernels})[.]hpp))")
  if(named)
    string(APPEND breaches "\n  ${file}: ${named}")
  endif()
endforeach()

# The truth, the laws and the fast form of a kernel may include the kernel's own files, files of its family, and core/.
# They may not include files of another kernel. Shared code is in family/, which includes contracts only.
foreach(room IN ITEMS oracles properties properties/regimes properties/continuity fast)
  file(GLOB files RELATIVE "${SOURCE}" "${SOURCE}/${room}/*.[ch]pp" "${SOURCE}/${room}/family/*.[ch]pp"
    "${SOURCE}/${room}/family/*/*.[ch]pp" "${SOURCE}/${room}/family/*/*/*.[ch]pp")
  foreach(file IN LISTS files)
    get_filename_component(own "${file}" NAME_WE)
    if(file MATCHES "/family/")
      set(own "")
    endif()
    file(STRINGS "${SOURCE}/${file}" lines REGEX "#include \"[a-z_/]*/(${kernels})[.]hpp\"")
    foreach(line IN LISTS lines)
      if(line MATCHES "/${own}[.]hpp\"" OR (own STREQUAL "" AND line MATCHES "\"reference/spec/"))
        continue()
      endif()
      string(APPEND breaches "\n  ${file} includes a sister's: ${line}")
    endforeach()
  endforeach()
endforeach()

# Only contracts may contain the numbers of budgets. Laws get their tolerances from allowance<Contract>(). They write
# units of rounding as roundings(n), and the reason is in a comment on the same line or on the line above.
file(GLOB_RECURSE laws RELATIVE "${SOURCE}" "${SOURCE}/properties/*.hpp" "${SOURCE}/docs/example_kernel/properties/*.hpp")
foreach(file IN LISTS laws)
  if(file MATCHES "/(core|continuity)/")
    continue()
  endif()
  file(STRINGS "${SOURCE}/${file}" lines)
  set(above "")
  foreach(line IN LISTS lines)
    if(line MATCHES "(u_wide|unit_roundoff|epsilon\\(\\)|0x1p-53|Contract::budgets|[0-9] u[^a-zA-Z_0-9])")
      string(APPEND breaches "\n  ${file} has a tolerance of its own: ${line}")
    endif()
    if(line MATCHES "roundings\\(" AND NOT line MATCHES "//" AND NOT above MATCHES "//")
      string(APPEND breaches "\n  ${file} does not say why: ${line}")
    endif()
    set(above "${line}")
  endforeach()
endforeach()

# Verbs and reports find kernels by name at run time. They therefore compile with any list of kernels. Only one file
# includes CLI11, because CLI11 takes longer to compile than all verbs.
file(GLOB_RECURSE asking RELATIVE "${SOURCE}" "${SOURCE}/cli/*.[ch]pp" "${SOURCE}/reports/*.[ch]pp")
foreach(file IN LISTS asking)
  file(STRINGS "${SOURCE}/${file}" included REGEX "#include \"[a-z_/]*/(${kernels})[.]hpp")
  if(NOT file STREQUAL "cli/core/options.cpp")
    file(STRINGS "${SOURCE}/${file}" parsed REGEX "#include [<\"]CLI/")
    list(APPEND included ${parsed})
  endif()
  if(included)
    string(APPEND breaches "\n  ${file}: ${included}")
  endif()
endforeach()

# Code that draws cases must give equal results on every machine. It may call only exact or correctly rounded functions
# of the mathematical library. From std::, it may use nothing whose result the standard leaves open. Code below the
# heading of the laws is not checked: it draws only in derive(), and tests/core/streams.cpp tests these streams.
file(GLOB_RECURSE drawing RELATIVE "${SOURCE}" "${SOURCE}/properties/*.hpp" "${SOURCE}/bench/*.[ch]pp"
  "${SOURCE}/docs/example_kernel/properties/*.hpp" "${SOURCE}/docs/example_kernel/bench/*.[ch]pp")
list(FILTER drawing EXCLUDE REGEX "^bench/core/")
list(APPEND drawing kernels/random.hpp kernels/motion.hpp check/search.cpp)
set(inexact "pow|powl|exp|expl|exp2|exp10|expm1|log|logl|log2|log10|log1p|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|\
cbrt|hypot|erf|tgamma|lgamma|stableNorm")
foreach(file IN LISTS drawing)
  file(READ "${SOURCE}/${file}" text)
  string(REGEX REPLACE "\n// -+ laws\n.*" "" text "${text}")
  string(REGEX REPLACE "//[^\n]*|\"[^\"\n]*\"" "" text "${text}")
  string(REGEX MATCHALL "[^a-z_A-Z0-9](${inexact})\\(|std::[a-z_]*_distribution|std::shuffle|std::random_device" called "${text}")
  if(called)
    string(APPEND breaches "\n  ${file} draws by ${called}, which differs between machines")
  endif()
endforeach()

if(NOT breaches STREQUAL "")
  message(FATAL_ERROR "rules that are broken:${breaches}")
endif()
message(STATUS "fast, oracles, references and printed formulas are independent; includes go down only; verbs name no kernel; "
  "drawing is exact; budgets stand in contracts")
