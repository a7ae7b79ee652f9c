# core, numerics, kernels and models compile for WebAssembly: one object per file, nothing linked.

# -I/usr/include would put the host's C library before Emscripten's, so the three libraries that
# the public headers need are linked into an include folder of their own.
set(stage ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${stage})
foreach(marker Eigen/Core boost/version.hpp ceres/jet.h)
  string(REGEX REPLACE "/.*" "" folder ${marker})
  find_path(MICROSLIP_HOST_${folder} ${marker}
    PATHS /usr/include /usr/local/include PATH_SUFFIXES eigen3
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${MICROSLIP_HOST_${folder}}/${folder} ${stage}/${folder} SYMBOLIC)
endforeach()

file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/include/microslip/core/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/numerics/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/kernels/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/models/*.hpp)
file(GLOB sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/core/*.cpp ${PROJECT_SOURCE_DIR}/src/numerics/*.cpp
  ${PROJECT_SOURCE_DIR}/src/kernels/*.cpp ${PROJECT_SOURCE_DIR}/src/models/*.cpp)
microslip_lone_headers(units wasm ${headers})

# Whether a header includes Eigen, itself or through others of ours.
function(microslip_sees_eigen out header)
  file(STRINGS ${PROJECT_SOURCE_DIR}/include/${header} includes REGEX "^#include")
  set(sees OFF)
  foreach(include IN LISTS includes)
    if(include MATCHES "<(Eigen|ceres)/")
      set(sees ON)
    elseif(include MATCHES "\"(microslip/.*)\"")
      microslip_sees_eigen(sees ${CMAKE_MATCH_1})
    endif()
    if(sees)
      break()
    endif()
  endforeach()
  set(${out} ${sees} PARENT_SCOPE)
endfunction()

# Eigen is most of what there is to read, and is compiled once; a header that forgot to include it
# would not be found so, hence headers that do not include it are compiled without.
foreach(header unit IN ZIP_LISTS headers units)
  microslip_sees_eigen(sees ${header})
  if(NOT sees)
    set_source_files_properties(${unit} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endforeach()

# A law is a template: including it checks little, so each one is instantiated; in two units, for
# two cores, because each of them has to read what all laws share.
microslip_read_laws(laws)
set(turn 0)
foreach(law IN LISTS laws)
  string(REPLACE ":" ";" law "${law}")
  list(GET law 0 header)
  list(GET law 1 class)
  string(APPEND laws_${turn} "#include <microslip/models/${header}.hpp>\n"
    "template class microslip::${class}<double>;\n"
    "template class microslip::${class}<microslip::Dual<2>>;\n")
  math(EXPR turn "1 - ${turn}")
endforeach()
foreach(turn 0 1)
  set(unit ${PROJECT_BINARY_DIR}/generated/wasm/laws_${turn}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include <microslip/core/dual.hpp>\n${laws_${turn}}" @ONLY)
  list(PREPEND sources ${unit})  # they take longest
endforeach()

add_library(microslip_wasm_check OBJECT ${sources} ${units})
set_target_properties(microslip_wasm_check PROPERTIES CXX_EXTENSIONS OFF)
target_compile_features(microslip_wasm_check PRIVATE cxx_std_20)
target_compile_options(microslip_wasm_check PRIVATE -Wall -Wextra -Werror
  -Wno-mismatched-tags -O0)
target_include_directories(microslip_wasm_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_include_directories(microslip_wasm_check SYSTEM PRIVATE ${stage})
target_precompile_headers(microslip_wasm_check PRIVATE <Eigen/Core> <ceres/jet.h>)
