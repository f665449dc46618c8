# Installs with `cmake --install build/release --prefix P [--component fast|harness]`. Each component has its part of
# the CMake package Demeter and works without the other. `fast` has the fast forms and the contracts, without
# multiprecision. `harness` has the command and the files that are needed to judge other code.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(DEMETER_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/Demeter)

# ------------------------------------------------------------------------------------------------------------- fast

set_target_properties(demeter_fast PROPERTIES EXPORT_NAME fast)
target_include_directories(demeter_fast INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS demeter_fast EXPORT DemeterFast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT fast)
# Installed headers include each other by their installed names, so that a user may have folders `fast/` and
# `reference/` too.
install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}\")\nset(TO \"${CMAKE_BINARY_DIR}/installed_headers\")" COMPONENT fast)
install(SCRIPT cmake/package/headers.cmake COMPONENT fast)
install(DIRECTORY ${CMAKE_BINARY_DIR}/installed_headers/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/demeter COMPONENT fast)
install(EXPORT DemeterFast NAMESPACE Demeter:: DESTINATION ${DEMETER_PACKAGE} FILE DemeterFast.cmake COMPONENT fast)

# ---------------------------------------------------------------------------------------------------------- harness

install(TARGETS demeter EXPORT DemeterHarness RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT harness)
set(installed_peers ${CMAKE_INSTALL_LIBDIR}/demeter/peers)
if(DEMETER_PEER_MODULES)
  install(TARGETS ${DEMETER_PEER_MODULES} LIBRARY DESTINATION ${installed_peers} COMPONENT harness)
endif()
# Uses the same run path for the build and the installation. Otherwise CMake would pad the shorter run path with colons,
# and the loader reads an empty entry as the current folder.
file(RELATIVE_PATH from_build ${CMAKE_BINARY_DIR} ${DEMETER_PEER_FOLDER})
file(RELATIVE_PATH from_command "/${CMAKE_INSTALL_BINDIR}" "/${installed_peers}")
set_target_properties(demeter PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/${from_build};$ORIGIN/${from_command}")
install(EXPORT DemeterHarness NAMESPACE Demeter:: DESTINATION ${DEMETER_PACKAGE} FILE DemeterHarness.cmake
  COMPONENT harness)
install(FILES subjects/demeter_subject.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/demeter COMPONENT harness)
install(DIRECTORY subjects/adapters subjects/recorded DESTINATION ${CMAKE_INSTALL_DATADIR}/demeter COMPONENT harness)
install(DIRECTORY oracles/vectors DESTINATION ${CMAKE_INSTALL_DATADIR}/demeter COMPONENT harness)
install(FILES docs/results.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/demeter COMPONENT harness)
install(FILES cmake/package/DemeterCheck.cmake DESTINATION ${DEMETER_PACKAGE} COMPONENT harness)
install(FILES docs/check-your-code.md docs/glossary.md docs/how-to-read.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT harness)
install(DIRECTORY docs/mathematics DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT harness)

# ---------------------------------------------------------------------------------------------------------- package

configure_package_config_file(cmake/package/DemeterConfig.cmake.in
  ${CMAKE_BINARY_DIR}/generated/DemeterConfig.cmake INSTALL_DESTINATION ${DEMETER_PACKAGE}
  PATH_VARS CMAKE_INSTALL_DATADIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/DemeterConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
foreach(component IN ITEMS fast harness)
  install(FILES ${CMAKE_BINARY_DIR}/generated/DemeterConfig.cmake
    ${CMAKE_BINARY_DIR}/generated/DemeterConfigVersion.cmake DESTINATION ${DEMETER_PACKAGE} COMPONENT ${component})
endforeach()
