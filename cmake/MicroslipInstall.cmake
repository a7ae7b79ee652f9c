# cmake --install, and find_package(microslip) for those who use the library.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)

get_property(modules GLOBAL PROPERTY MICROSLIP_MODULES)
install(TARGETS microslip_all ${modules} EXPORT microslipTargets)
install(DIRECTORY include/microslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET microslip)
  install(TARGETS microslip)
endif()

if(TARGET microslip_c)
  install(TARGETS microslip_c microslip_c_static EXPORT microslipTargets)
  install(FILES bindings/c/microslip.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

install(EXPORT microslipTargets NAMESPACE microslip:: DESTINATION ${package_dir})

configure_package_config_file(cmake/microslipConfig.cmake.in microslipConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(microslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/microslipConfig.cmake
  ${PROJECT_BINARY_DIR}/microslipConfigVersion.cmake
  cmake/FindCeresJet.cmake
  cmake/FindCvode.cmake
  cmake/FindMatio.cmake
  DESTINATION ${package_dir})
