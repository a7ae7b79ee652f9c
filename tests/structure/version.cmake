# CITATION.cff states the version too.
file(STRINGS ${root}/CITATION.cff line REGEX "^version:")
if(NOT line STREQUAL "version: ${version}")
  message(FATAL_ERROR "CITATION.cff says '${line}', include/microslip/version.hpp says ${version}.")
endif()
