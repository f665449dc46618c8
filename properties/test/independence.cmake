# Truth and subject share no code: which folders may include which. Prints every breach and fails.
set(breaches "")

# Files matching `glob` (below `folder`) may include project headers under the `allowed` prefixes only.
function(check folder glob)
  set(allowed ${ARGN})
  if(glob MATCHES "[*]")
    file(GLOB_RECURSE files RELATIVE "${SOURCE}" "${SOURCE}/${folder}/${glob}")
  else()
    set(files "${folder}/${glob}")  # this one, not those of its name further down
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
check(reference/core "*.hpp" reference/spec/ reference/core/)

# What the check must refute is written anew, not bent from what it must uphold.
file(GLOB mutants RELATIVE "${SOURCE}/subjects/mutants" "${SOURCE}/subjects/mutants/*.hpp")
foreach(file IN LISTS mutants)
  # But for the patches of the union's spheres: its mutants differ in which balls count and in what is made of patches,
  # and are judged by an oracle that knows of none.
  set(patches "")
  if(file STREQUAL clump_union_mass_properties.hpp)
    set(patches reference/clump_union_mass_properties.hpp)
  endif()
  check(subjects/mutants "${file}" reference/spec/ subjects/core/mutant.hpp ${patches})
endforeach()

# A kernel's reference includes its spec, the scalars and references of the kernels it builds on, never printed
# formulas. Those may build on either: they are judged by the oracle, not by the reference.
file(GLOB references RELATIVE "${SOURCE}/reference" "${SOURCE}/reference/*.[ch]pp")
list(TRANSFORM references PREPEND reference/ OUTPUT_VARIABLE built_on)
foreach(file IN LISTS references)
  check(reference "${file}" reference/spec/ reference/core/ ${built_on})
endforeach()
check(reference/printed "*.hpp" reference/spec/ reference/core/ reference/printed/ ${built_on})

# What draws and judges by laws knows contracts only; the check engine in core/ drives subjects.
file(GLOB laws RELATIVE "${SOURCE}/properties" "${SOURCE}/properties/*.hpp")
foreach(file IN LISTS laws)
  file(STRINGS "${SOURCE}/properties/${file}" includes REGEX "#include \"(fast|oracles|reference/[a-z_]+.hpp|reference/printed)")
  if(includes)
    set(breaches "${breaches}\n  properties/${file}: ${includes}")
  endif()
endforeach()

if(NOT breaches STREQUAL "")
  message(FATAL_ERROR "truth and subject must share no code:${breaches}")
endif()
message(STATUS "fast, oracles, references and printed formulas are independent of each other")
