# cmake --install, find_package(microslip), pkg-config (microslip for C++, microslip-c for C) and Debian packages.
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

# Debian packages: `make deb`.
if(PROJECT_IS_TOP_LEVEL)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  math(EXPR python_next "0${Python3_VERSION_MINOR} + 1")
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests are not packed
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_VENDOR "microslip")
  set(CPACK_PACKAGE_CONTACT "the microslip project")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_COMPONENTS_ALL command runtime development documentation)
  if(TARGET microslip_python)
    list(APPEND CPACK_COMPONENTS_ALL python)
  endif()
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(same "(= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME microslip)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gnuplot-nox, libmatio11")
  set(CPACK_DEBIAN_COMMAND_DESCRIPTION "frictional hysteresis: simulated, measured, fitted, reduced
 The command microslip: laws of joints under a load history, loops and damping of
 a record, fits with their uncertainty, vibration of structures with joints.")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libmicroslip${so_version})
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libmatio11)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
  set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "laws of frictional hysteresis for programs (shared libraries)
 The C interface of microslip, its entry points for Fortran user routines and its
 MFront behaviours.")
  set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME microslip-doc)
  set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
  set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_DOCUMENTATION_DESCRIPTION "laws of frictional hysteresis (pages, data, examples)
 The documentation of microslip as Markdown with its pictures, records to try it
 on, and examples for the command, C, C++, Fortran, Octave and Python.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-microslip)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}), python3 (<< ${Python3_VERSION_MAJOR}.${python_next}), python3-numpy, microslip ${same}")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas")
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION "laws of frictional hysteresis for Python
 Laws on numpy arrays, fits, loops, and vibration of structures with joints.")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmicroslip-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "laws of frictional hysteresis for programs (headers, static libraries)
 Headers and static libraries of microslip for C++ and C, with files for CMake and
 pkg-config.")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libmicroslip${so_version} ${same}, libeigen3-dev, libboost-math-dev, libceres-dev, libsundials-dev, libfmt-dev, libtomlplusplus-dev, nlohmann-json3-dev, zlib1g-dev, libspectra-dev")
  # Each package has its copyright, its changelog (written by deb.sh), and what lintian should pass over, with the reason.
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
    install(FILES packaging/debian/copyright ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc}
      COMPONENT ${component} OPTIONAL EXCLUDE_FROM_ALL)
    install(FILES packaging/debian/${component}.overrides DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides
      RENAME ${package} COMPONENT ${component} OPTIONAL EXCLUDE_FROM_ALL)
  endforeach()
  include(CPack)
endif()
