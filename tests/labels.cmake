# CTest runs this file. It sets the labels of each GoogleTest from the name of the test. A label is a word after an
# underscore in the name of the suite, the test or the instance: Check.FastPasses_long,
# CapsuleContactBy.IsRightOver20Seeds_many_seeds/woo.
#
#   long        takes more than about ten seconds of processor time
#   timing      compares times
#   browser     opens a page in a browser, if one is installed
#   rebuilds    builds a separate tree
#   programs    runs external programs, if they are installed
#   many_seeds  repeats a test with other seeds
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
