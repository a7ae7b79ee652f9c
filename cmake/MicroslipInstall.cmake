# cmake --install, find_package(microslip), pkg-config and Debian packages.
#
# Two components: `command` is what people run, `development` what programs are built with.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)

get_property(modules GLOBAL PROPERTY MICROSLIP_MODULES)
install(TARGETS microslip_all ${modules} EXPORT microslipTargets
  ARCHIVE COMPONENT development LIBRARY COMPONENT development)
install(DIRECTORY include/microslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET microslip)
  install(TARGETS microslip COMPONENT command)
  # Written by the command itself: manual pages from its help, completions from its options.
  install(DIRECTORY ${MICROSLIP_MANUAL}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT command OPTIONAL FILES_MATCHING PATTERN "*.1")
  foreach(completion bash:bash-completion/completions/microslip
      zsh:zsh/vendor-completions/_microslip fish:fish/vendor_completions.d/microslip.fish)
    string(REGEX MATCH "^([^:]+):(.+)/([^/]+)$" _ ${completion})
    install(FILES ${MICROSLIP_COMPLETIONS}/${CMAKE_MATCH_3} COMPONENT command OPTIONAL
      DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${CMAKE_MATCH_2})
  endforeach()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT command)
endif()

if(TARGET microslip_c)
  install(TARGETS microslip_c microslip_c_static EXPORT microslipTargets
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT development NAMELINK_COMPONENT development)
  install(FILES bindings/c/microslip.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT development)
endif()

install(EXPORT microslipTargets NAMESPACE microslip:: DESTINATION ${package_dir}
  COMPONENT development)

configure_package_config_file(cmake/microslipConfig.cmake.in microslipConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(microslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/microslipConfig.cmake
  ${PROJECT_BINARY_DIR}/microslipConfigVersion.cmake
  cmake/FindCeresJet.cmake
  cmake/FindCvode.cmake
  cmake/FindMatio.cmake
  DESTINATION ${package_dir} COMPONENT development)

# pkg-config --cflags --libs microslip. The libraries are static and use each other, hence a group;
# what they are built on follows them.
set(pc_libraries)
foreach(module IN LISTS modules)
  get_target_property(type ${module} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(APPEND pc_libraries " -l${module}")
  endif()
endforeach()
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/microslip.pc.in microslip.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/microslip.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

# Debian packages: `make deb`.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests are not packed
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_VENDOR "microslip")
  set(CPACK_PACKAGE_CONTACT "the microslip project")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_COMPONENTS_ALL command development)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME microslip)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS gnuplot-nox)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmicroslip-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libeigen3-dev, libboost-math-dev, libceres-dev, libsundials-dev, libfmt-dev, libtomlplusplus-dev, nlohmann-json3-dev, zlib1g-dev, libmatio-dev, libspectra-dev")
  include(CPack)
endif()
