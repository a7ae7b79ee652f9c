# cmake --install, find_package(microslip), pkg-config (microslip for C++, microslip-c for C). Debian packages are made of
# what is installed: packaging/debian.
#
# Components: `command` is what people run, `runtime` the shared libraries, `development` what programs are built with,
# `python` the module for the system's Python, `documentation` pages, data and examples.

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
endif()
if(TARGET microslip_python)
  # The command is that of the system, so that of the build is left out, and what FMUs are made of with it.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/microslip DESTINATION lib/python3/dist-packages
    COMPONENT python OPTIONAL EXCLUDE_FROM_ALL
    PATTERN fmu EXCLUDE PATTERN __pycache__ EXCLUDE REGEX "microslip/microslip$" EXCLUDE)
endif()
install(DIRECTORY docs data examples DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/microslip-doc
  COMPONENT documentation EXCLUDE_FROM_ALL
  FILES_MATCHING REGEX "\\.(md|svg|png|csv|toml|py|cpp|c|h|f90|m|mtx|json|inp|txt)$")

if(TARGET microslip_c)
  install(TARGETS microslip_c microslip_c_static EXPORT microslipTargets
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
  install(FILES bindings/c/microslip.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT development)
endif()

# A program without optimisation shares no template with the installed libraries (own_copies.cmake). The
# tools are those of GNU; elsewhere a program that is compiled without optimisation slows down what it shares.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(archives "")
  foreach(module IN LISTS modules ITEMS microslip_c_static)
    if(TARGET ${module})
      get_target_property(type ${module} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND archives $<TARGET_FILE_NAME:${module}>)
      endif()
    endif()
  endforeach()
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
    set(libraries \"${archives}\")
    set(linker \"${CMAKE_LINKER}\")
    set(objcopy \"${CMAKE_OBJCOPY}\")
    set(ar \"${CMAKE_AR}\")
    set(nm \"${CMAKE_NM}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/own_copies.cmake\")" COMPONENT development)
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
configure_file(cmake/microslip-c.pc.in microslip-c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/microslip.pc ${PROJECT_BINARY_DIR}/microslip-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
