# Target demeter_peer_fcl_tight: FCL again, with its smallest tolerance. fcl.cmake has found the library.
set(DEMETER_PEER_fcl_tight_MISSING "no FCL found (Debian: libfcl-dev)")
if(TARGET demeter_peer_fcl)
  add_library(demeter_peer_fcl_tight INTERFACE)
  target_link_libraries(demeter_peer_fcl_tight INTERFACE demeter_peer_fcl)
  unset(DEMETER_PEER_fcl_tight_MISSING)
endif()
