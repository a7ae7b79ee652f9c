# Fails when a page in PAGES is not what GENERATOR writes today.
execute_process(COMMAND ${GENERATOR} ${HEADERS} ${SCRATCH} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the generator failed")
endif()
file(GLOB fresh RELATIVE ${SCRATCH} ${SCRATCH}/*.md)
foreach(page IN LISTS fresh)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${SCRATCH}/${page} ${PAGES}/${page}
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(differs)
    message(SEND_ERROR "docs/laws/${page} is out of date: run 'make docs'")
  endif()
endforeach()
