# Fails when docs/design/house.svg is not the picture of the includes below `root`.
include(${design}/house.cmake)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${output} ${design}/house.svg RESULT_VARIABLE differs
  OUTPUT_QUIET ERROR_QUIET)
if(differs)
  message(FATAL_ERROR "docs/design/house.svg is not the picture of the includes: run 'make docs'.")
endif()
