# libmatio, which reads MAT files: target Matio::Matio. It is not linked but loaded when a MAT file comes (src/io),
# since it brings 35 libraries along (HDF5, curl, Kerberos, …); MICROSLIP_MATIO is the name to load it by.

find_path(Matio_INCLUDE_DIR matio.h)
find_library(Matio_LIBRARY matio)
mark_as_advanced(Matio_INCLUDE_DIR Matio_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Matio REQUIRED_VARS Matio_INCLUDE_DIR Matio_LIBRARY)

if(Matio_FOUND AND NOT TARGET Matio::Matio)
  add_library(Matio::Matio INTERFACE IMPORTED)
  set(Matio_name ${Matio_LIBRARY})
  if(CMAKE_OBJDUMP AND Matio_LIBRARY MATCHES "\\.so$")
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${Matio_LIBRARY} OUTPUT_VARIABLE Matio_headers ERROR_QUIET)
    if(Matio_headers MATCHES "SONAME +([^ \n]+)")
      set(Matio_name ${CMAKE_MATCH_1})
    endif()
  endif()
  target_include_directories(Matio::Matio INTERFACE ${Matio_INCLUDE_DIR})
  target_compile_definitions(Matio::Matio INTERFACE MICROSLIP_MATIO="${Matio_name}")
  target_link_libraries(Matio::Matio INTERFACE ${CMAKE_DL_LIBS})
endif()
