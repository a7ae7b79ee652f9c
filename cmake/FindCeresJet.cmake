# The dual number ceres::Jet, header only: target CeresJet::CeresJet.
# find_package(Ceres) would bring the solver and its many libraries, which Jet does not need.

find_path(CeresJet_INCLUDE_DIR ceres/jet.h)
mark_as_advanced(CeresJet_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CeresJet REQUIRED_VARS CeresJet_INCLUDE_DIR)

if(CeresJet_FOUND AND NOT TARGET CeresJet::CeresJet)
  add_library(CeresJet::CeresJet INTERFACE IMPORTED)
  target_include_directories(CeresJet::CeresJet INTERFACE ${CeresJet_INCLUDE_DIR})
  target_link_libraries(CeresJet::CeresJet INTERFACE Eigen3::Eigen)
endif()
