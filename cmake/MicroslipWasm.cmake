# What is compiled for WebAssembly.
# microslip_wasm_check, part of `make test`: core, numerics, kernels and models; nothing is linked.
# microslip_web, built by `make web`: the engine of the explorer, web/; `make test-wasm` compiles
# the modules that it is made of and does not link them.

# -I/usr/include would put the host's C library before Emscripten's, so the libraries that are
# headers only are linked into an include folder of their own.
set(stage ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${stage})
foreach(marker Eigen/Core unsupported/Eigen/FFT boost/version.hpp ceres/jet.h fmt/format.h nlohmann/json.hpp
    toml++/toml.h Spectra/SymGEigsShiftSolver.h CLI/CLI.hpp)
  string(REGEX REPLACE "/.*" "" folder ${marker})
  string(MAKE_C_IDENTIFIER ${folder} name)
  find_path(MICROSLIP_HOST_${name} ${marker}
    PATHS /usr/include /usr/local/include PATH_SUFFIXES eigen3
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${MICROSLIP_HOST_${name}}/${folder} ${stage}/${folder} SYMBOLIC)
endforeach()

file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/include/microslip/core/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/detail/numerics/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/detail/kernels/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/detail/kernels/comparison/*.hpp
  ${PROJECT_SOURCE_DIR}/include/microslip/models/*.hpp)
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

# Objects for browsers. The foundation is shared by the check and the explorer.
function(microslip_wasm_objects name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS;FIRST")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror -Wno-mismatched-tags -msimd128
    -fwasm-exceptions ${arg_OPTIONS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/apps/microslip
    ${PROJECT_SOURCE_DIR}/bindings/c)
  target_include_directories(${name} SYSTEM PRIVATE ${stage})
  target_compile_definitions(${name} PRIVATE FMT_HEADER_ONLY)
  target_precompile_headers(${name} PRIVATE ${arg_FIRST})
endfunction()

file(GLOB_RECURSE foundation CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/core/*.cpp ${PROJECT_SOURCE_DIR}/src/numerics/*.cpp
  ${PROJECT_SOURCE_DIR}/src/kernels/*.cpp ${PROJECT_SOURCE_DIR}/src/models/*.cpp)
microslip_wasm_objects(microslip_web_foundation SOURCES ${foundation}
  OPTIONS -O2 FIRST <Eigen/Dense> <ceres/jet.h>)
microslip_wasm_objects(microslip_wasm_check SOURCES ${sources} ${units}
  OPTIONS -O0 FIRST <Eigen/Core> <ceres/jet.h>)
set_target_properties(microslip_web_foundation microslip_wasm_check PROPERTIES
  EXCLUDE_FROM_ALL OFF)

# The explorer's engine: the modules, the C interface and the command, linked for browsers. What a
# browser does not have stays behind one file for each use of it; web/engine/absent.cpp stands for
# them.
set(not_for_browsers
  src/fit/least_squares.cpp          # Ceres: minimisation inside bounds
  src/friction/comparison/regularised.cpp # SUNDIALS: sliders with a smoothed sign
  src/dynamics/comparison/time_cvode.cpp # SUNDIALS: time integration by Adams methods
  src/io/gnuplot.cpp                 # gnuplot, a program: pictures
  src/io/gzip.cpp                    # zlib: compressed tables
  src/catalog/files/joint_file.cpp   # loops from geometry, which the page does not offer
  src/catalog/files/matrix_joint_file.cpp
  src/catalog/files/cracks_file.cpp
  src/jobs/joint.cpp
  src/jobs/joint_file.cpp
  src/jobs/cracks.cpp
  src/catalog/files/identification_file.cpp # identification and FMUs, likewise
  src/jobs/identify.cpp
  src/jobs/identify_parts.cpp
  src/jobs/identify_text.cpp
  src/jobs/export_fmu.cpp
  src/jobs/fmu/description.cpp
  src/jobs/fmu/structure_contents.cpp
  src/jobs/fmu/variables.cpp
  src/jobs/run_elsewhere.cpp)
list(TRANSFORM not_for_browsers PREPEND ${PROJECT_SOURCE_DIR}/)
function(microslip_sources_of out)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND found ${files})
  endforeach()
  list(REMOVE_ITEM found ${not_for_browsers})
  set(${out} ${found} PARENT_SCOPE)
endfunction()
microslip_sources_of(engine src/friction src/loops src/reduce src/fit src/dynamics)
microslip_sources_of(texts src/io src/catalog src/jobs)
file(GLOB interface CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/c/*.cpp)
microslip_sources_of(command apps/microslip)
list(FILTER command EXCLUDE REGEX
  "/(reproduce|export-fmu|completion|joint|cracks|ringdown|identify|study|serve|dakota)/|/(commands|progress|posterior)\\.cpp$")
microslip_law_entries(entries)

microslip_wasm_objects(microslip_web_laws SOURCES ${entries}
  OPTIONS -O2 FIRST <microslip/catalog/registry/law_entry.hpp>)
microslip_together(microslip_web_laws ${entries})
microslip_wasm_objects(microslip_web_engine SOURCES ${engine}
  OPTIONS -Os FIRST <Eigen/Dense> <ceres/jet.h>)
microslip_wasm_objects(microslip_web_texts SOURCES ${texts} ${interface}
  OPTIONS -Oz FIRST <Eigen/Dense> <ceres/jet.h>)
microslip_wasm_objects(microslip_web_command SOURCES ${command}
    ${PROJECT_SOURCE_DIR}/web/engine/absent.cpp ${PROJECT_SOURCE_DIR}/web/engine/explorer.cpp
  OPTIONS -Oz FIRST <microslip/catalog/catalog.hpp>)
set(engine_parts microslip_web_foundation microslip_web_laws microslip_web_engine
  microslip_web_texts microslip_web_command)
add_custom_target(microslip_web_objects)
add_dependencies(microslip_web_objects ${engine_parts})

add_executable(microslip_web EXCLUDE_FROM_ALL)
set_target_properties(microslip_web PROPERTIES OUTPUT_NAME microslip LINKER_LANGUAGE CXX
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/engine)
target_link_libraries(microslip_web PRIVATE ${engine_parts})
# Emscripten shortens its few lines of JavaScript with a parser that Debian packages apart; a node
# that is not Debian's does not look there by itself.
set_property(TARGET microslip_web PROPERTY
  RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
# One thread in a worker, so that the page needs no headers of a server; memory that grows.
target_link_options(microslip_web PRIVATE -Oz -fwasm-exceptions -sMODULARIZE=1
  -sEXPORT_NAME=createMicroslip -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH=1
  -sMAXIMUM_MEMORY=2147483648 -sTOTAL_STACK=8388608 -sINVOKE_RUN=0 -sEXIT_RUNTIME=0
  -sFORCE_FILESYSTEM=1
  "-sEXPORTED_FUNCTIONS=['_main','_malloc','_free']"
  "-sEXPORTED_RUNTIME_METHODS=['callMain','FS','UTF8ToString','stringToUTF8','lengthBytesUTF8']")
