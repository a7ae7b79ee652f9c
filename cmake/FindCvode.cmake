# CVODE of SUNDIALS with its serial vectors and dense matrices: target Cvode::Cvode.
# SUNDIALS' own package file asks for every optional library it was built with.

find_path(Cvode_INCLUDE_DIR cvode/cvode.h)
set(Cvode_libraries)
foreach(part cvode nvecserial sunmatrixdense sunlinsoldense generic)
  # The archive, if there is one: a library less to load.
  find_library(Cvode_${part}_LIBRARY
    NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}sundials_${part}${CMAKE_STATIC_LIBRARY_SUFFIX} sundials_${part})
  mark_as_advanced(Cvode_${part}_LIBRARY)
  list(APPEND Cvode_libraries Cvode_${part}_LIBRARY)
endforeach()
mark_as_advanced(Cvode_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cvode REQUIRED_VARS Cvode_INCLUDE_DIR ${Cvode_libraries})

if(Cvode_FOUND AND NOT TARGET Cvode::Cvode)
  add_library(Cvode::Cvode INTERFACE IMPORTED)
  target_include_directories(Cvode::Cvode INTERFACE ${Cvode_INCLUDE_DIR})
  foreach(library IN LISTS Cvode_libraries)
    target_link_libraries(Cvode::Cvode INTERFACE ${${library}})
  endforeach()
endif()
