# `cmake --install build/release --component fast`: the fast kernels and their contracts, without multiprecision.
include(GNUInstallDirs)
install(TARGETS demeter_fast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT fast)
install(DIRECTORY fast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/demeter COMPONENT fast FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY reference/spec DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/demeter/reference COMPONENT fast
  FILES_MATCHING PATTERN "*.hpp")
install(TARGETS demeter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT harness)
