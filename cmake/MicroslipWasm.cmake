# core and models compile for WebAssembly: one object per file, nothing linked.

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
  ${PROJECT_SOURCE_DIR}/include/microslip/core/*.hpp)
file(GLOB sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/core/*.cpp ${PROJECT_SOURCE_DIR}/src/models/*.cpp)
microslip_lone_headers(units wasm ${headers})

# A law is a template: including it checks little, so each one is instantiated, in a unit that
# includes its header first.
microslip_read_laws(laws)
foreach(law IN LISTS laws)
  string(REPLACE ":" ";" law "${law}")
  list(GET law 0 header)
  list(GET law 1 class)
  set(unit ${PROJECT_BINARY_DIR}/generated/wasm/law_${header}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/wasm_law.cpp.in ${unit} @ONLY)
  list(APPEND units ${unit})
endforeach()

add_library(microslip_wasm_check OBJECT ${sources} ${units})
set_target_properties(microslip_wasm_check PROPERTIES CXX_EXTENSIONS OFF)
target_compile_features(microslip_wasm_check PRIVATE cxx_std_20)
target_compile_options(microslip_wasm_check PRIVATE -Wall -Wextra -Werror
  -Wno-mismatched-tags -O0)
target_include_directories(microslip_wasm_check PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_include_directories(microslip_wasm_check SYSTEM PRIVATE ${stage})
