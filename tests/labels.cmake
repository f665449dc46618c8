# Run by CTest: gives a GoogleTest the labels that its name has. A label is a word behind an underscore in the name of a
# suite, of a test or of an instance: MutantsOf.AreAllKilled_long, Seed_many_seeds/FalseAlarms.None/7.
#
#   long        takes more than some ten seconds of a processor
#   timing      compares times
#   browser     opens a page in a browser, if there is one
#   rebuilds    builds a tree of its own
#   programs    runs other people's programs, if they are installed
#   many_seeds  repeats a test with another seed
foreach(tests IN LISTS TEST_LISTS)
  foreach(test IN LISTS ${tests})
    set(labels "")
    foreach(label IN ITEMS long timing browser rebuilds programs many_seeds)
      if(test MATCHES "_${label}([_./]|$)")
        list(APPEND labels ${label})
      endif()
    endforeach()
    if(labels)
      set_tests_properties("${test}" PROPERTIES LABELS "${labels}")
    endif()
  endforeach()
endforeach()
