# How every target of the project is made.

if(PROJECT_IS_TOP_LEVEL AND NOT EMSCRIPTEN AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(MICROSLIP_CCACHE ccache)
  if(MICROSLIP_CCACHE)
    # What ccache asks for before it keeps what was compiled with a precompiled header; and paths
    # relative to the checkout, so that another clone finds the same objects.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${MICROSLIP_CCACHE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
  endif()
endif()

if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Templates fill GCC's heap, and collecting garbage in it took a sixth of the time to compile.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()

# Flags of our own code; they never reach a program that uses the library.
function(microslip_flags target)
  # Position-independent: the same objects go into programs and into the shared library of the C
  # interface.
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # No contraction to fused multiply-add: results agree between machines.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Nobody replaces our functions at load time, so they may be inlined.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    # GCC 12 sees an overlap in "text" + std::string where there is none (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(MICROSLIP_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
endfunction()

# By default GCC lets a unit grow by 40 % when it inlines functions, which leaves operations of dual
# numbers as calls; laws that carry derivatives take a quarter less time without them. A precompiled
# header brings this setting along, so those who share it have the same.
function(microslip_inline_all target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE --param=inline-unit-growth=300)
  endif()
endfunction()

# microslip_together(target files...): eight files at a time are compiled as one, which reads what they
# share once; laws take half as long so. A target may have another number in its property
# MICROSLIP_GROUP_SIZE. An archive is linked by its objects, so a file that needs a
# library which other programs should not need stays by itself. The preset `dev` has it off: there a
# change compiles one file.
function(microslip_together target)
  if(NOT MICROSLIP_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_property(group TARGET ${target} PROPERTY MICROSLIP_GROUPS)
  get_property(most TARGET ${target} PROPERTY MICROSLIP_GROUP_SIZE)
  if(NOT most)
    set(most 8)
  endif()
  set(members ${most})
  foreach(file IN LISTS ARGN)
    if(members EQUAL most)
      math(EXPR group "${group} + 1")
      set(members 0)
    endif()
    math(EXPR members "${members} + 1")
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP together_${group})
  endforeach()
  set_property(TARGET ${target} PROPERTY MICROSLIP_GROUPS ${group})
endfunction()

# What nearly every file of the library includes from elsewhere, compiled once for all modules:
# microslip_foreign for files that compute, microslip_foreign_light for the rest. A precompiled header
# brings its options along, so each level of optimisation has its own.
# Nothing of our own: a header of ours is compiled as often as it changes.
function(microslip_foreign_headers)
  set(nothing ${PROJECT_BINARY_DIR}/generated/nothing.cpp)
  file(CONFIGURE OUTPUT ${nothing} CONTENT "")
  foreach(target microslip_foreign microslip_foreign_light)
    add_library(${target} OBJECT ${nothing})
    microslip_flags(${target})
    target_link_libraries(${target} PRIVATE ${ARGN})
    target_precompile_headers(${target} PRIVATE <Eigen/Dense> <Eigen/SparseCore>
      <ceres/jet.h>
      <algorithm> <cmath> <cstddef> <functional> <limits> <map> <memory> <numeric> <optional> <span>
      <string> <string_view> <tuple> <utility> <variant> <vector>)
  endforeach()
  microslip_inline_all(microslip_foreign)
  microslip_light_flags(microslip_foreign_light)
endfunction()

function(microslip_light_flags target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For libraries whose files read, write and prepare: they call what computes, and compile in half the
# time.
function(microslip_light target)
  microslip_light_flags(${target})
  target_precompile_headers(${target} REUSE_FROM microslip_foreign_light)
endfunction()

# microslip_module(name [SEES module...] [OPEN header...: in src/<name>, for those who see it] [PUBLIC library...] [PRIVATE library...] [SOURCES file...]
#                  [TOGETHER "file..."...: each is a list of files in src/<name>, or of patterns as of file(GLOB),
#                    that are compiled together, generated/ being those of SOURCES; `.` is all that are left]
#                  [ALONE file...: files or patterns of those that are not]
#                  [LIGHT folder...: folders in src/<name> that are compiled with less optimisation; `.` is
#                    src/<name> without those inside])
# The library of one folder and its rooms: include/microslip/<name>/**.hpp,
# include/microslip/detail/<name>/**.hpp and src/<name>/**.cpp.
function(microslip_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SEES;OPEN;PUBLIC;PRIVATE;SOURCES;TOGETHER;ALONE;LIGHT")
  set_property(GLOBAL APPEND_STRING PROPERTY MICROSLIP_RULES "set(${name}_sees ${arg_SEES})\nset(${name}_open ${arg_OPEN})\n")
  set_property(GLOBAL APPEND PROPERTY MICROSLIP_FOLDERS ${name})

  file(GLOB_RECURSE headers CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/microslip/${name}/*.hpp
    ${PROJECT_SOURCE_DIR}/include/microslip/detail/${name}/*.hpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(APPEND sources ${arg_SOURCES})
  if(NOT headers AND NOT sources)
    return()
  endif()

  set(target microslip_${name})
  set(scope PUBLIC)
  if(sources)
    set(light "")
    foreach(folder IN LISTS arg_LIGHT)
      cmake_path(SET folder NORMALIZE ${PROJECT_SOURCE_DIR}/src/${name}/${folder}/)
      file(GLOB files CONFIGURE_DEPENDS ${folder}*.cpp)
      list(APPEND light ${files})
    endforeach()
    if(light)
      list(REMOVE_ITEM sources ${light})
    endif()
    list(TRANSFORM arg_ALONE PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
    set(alone "")
    if(arg_ALONE)
      file(GLOB alone CONFIGURE_DEPENDS ${arg_ALONE})
    endif()
    # The light files come last in the archive: of a template that both instantiate, a linker takes the
    # first.
    add_library(${target} STATIC ${sources})
    if(sources)
      microslip_module_files(${target} ${name} "${sources}" "${alone}" ${arg_TOGETHER})
      microslip_inline_all(${target})
      if(NOT name STREQUAL "catalog")
        target_precompile_headers(${target} REUSE_FROM microslip_foreign)
      endif()
    endif()
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
    if(light)
      set(files ${target}_light)
      add_library(${files} OBJECT ${light})
      microslip_module_files(${files} ${name} "${light}" "${alone}" ${arg_TOGETHER})
      microslip_light(${files})
      target_include_directories(${files} PRIVATE ${PROJECT_SOURCE_DIR}/include)
      list(TRANSFORM arg_SEES PREPEND microslip_ OUTPUT_VARIABLE seen)
      target_link_libraries(${files} PRIVATE ${arg_PRIVATE} ${arg_PUBLIC} ${seen})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${files}>)
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
      if("." IN_LIST arg_LIGHT)  # not a room or two
        set_target_properties(${target} PROPERTIES MICROSLIP_LIGHT ON)
      endif()
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(microslip::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} ${arg_PUBLIC})
  foreach(seen IN LISTS arg_SEES)
    target_link_libraries(${target} ${scope} microslip_${seen})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY MICROSLIP_MODULES ${target})
endfunction()

# microslip_rooms(module room... "room: what it may see"...): directions between the rooms of a module, which
# tests/structure holds the includes to. A room that is not named may see nothing but itself.
function(microslip_rooms module)
  set(rules "")
  set(rooms "")
  foreach(rule IN LISTS ARGN)
    string(REGEX MATCH "^([a-z_]+):? *(.*)$" matched "${rule}")
    list(APPEND rooms ${CMAKE_MATCH_1})
    string(APPEND rules "set(${module}_${CMAKE_MATCH_1}_sees ${CMAKE_MATCH_2})\n")
  endforeach()
  string(REPLACE ";" " " rooms "${rooms}")
  set_property(GLOBAL APPEND_STRING PROPERTY MICROSLIP_RULES "set(${module}_rooms ${rooms})\n${rules}")
endfunction()

# How the files of a module are compiled: those that stay alone, and the groups of the others.
function(microslip_module_files target name sources alone)
  microslip_flags(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # As with -Wno-restrict; seen where GCC 12 reads std::string from a precompiled header.
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(alone)
    list(REMOVE_ITEM sources ${alone})
  endif()
  foreach(group IN LISTS ARGN)
    set(together ${sources})
    if(NOT group STREQUAL ".")
      separate_arguments(group)
      list(TRANSFORM group PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
      list(TRANSFORM group REPLACE "^.*/generated/" "${PROJECT_BINARY_DIR}/generated/${name}/")
      file(GLOB wanted CONFIGURE_DEPENDS ${group})
      foreach(file IN LISTS sources)
        if(NOT file IN_LIST wanted)
          list(REMOVE_ITEM together ${file})
        endif()
      endforeach()
    endif()
    if(together)
      list(REMOVE_ITEM sources ${together})
      microslip_together(${target} ${together})
    endif()
  endforeach()
endfunction()

# microslip::microslip: the whole library.
function(microslip_umbrella)
  get_property(modules GLOBAL PROPERTY MICROSLIP_MODULES)
  add_library(microslip_all INTERFACE)
  add_library(microslip::microslip ALIAS microslip_all)
  set_target_properties(microslip_all PROPERTIES EXPORT_NAME microslip)
  target_link_libraries(microslip_all INTERFACE ${modules})
endfunction()

# Several files instantiate the same templates, and the linker keeps the copy that it meets first. In
# programs that are compiled without optimisation, because they only call the engine, that copy would be
# slow inside the engine too. So the modules come before the files of the program, and among them those
# first that compute. All modules, or those that are named.
function(microslip_engine_first target)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  set(modules ${ARGN})
  if(NOT modules)
    get_property(modules GLOBAL PROPERTY MICROSLIP_MODULES)
  endif()
  set(first "")
  set(last "")
  foreach(module IN LISTS modules)
    get_target_property(type ${module} TYPE)
    if(NOT type STREQUAL "STATIC_LIBRARY")
      continue()
    endif()
    get_target_property(light ${module} MICROSLIP_LIGHT)
    if(light)
      list(APPEND last $<TARGET_FILE:${module}>)
    else()
      list(APPEND first $<TARGET_FILE:${module}>)
    endif()
  endforeach()
  list(APPEND first ${last})
  list(JOIN first "," first)
  target_link_options(${target} PRIVATE "LINKER:--whole-archive,${first},--no-whole-archive")
endfunction()

# A program or shared library loads the shared libraries that it calls, not all that others name for their
# own sake; see dense_ceres.cpp. That file is for a Ceres that is linked as an archive.
function(microslip_few_libraries target)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  target_link_options(${target} PRIVATE LINKER:--as-needed)
  foreach(property IN ITEMS LOCATION IMPORTED_LOCATION)
    get_target_property(ceres Ceres::ceres ${property})
    if(ceres MATCHES "\\.a$")
      target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/dense_ceres.cpp)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/cmake/dense_ceres.cpp
        TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
      return()
    endif()
  endforeach()
endfunction()

# In a wheel, the libraries of others lie in the folder libs beside the binary, and find one another there: the old
# kind of run path also counts for what they need. `cmake --install` removes it.
function(microslip_libraries_beside target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN/libs")
    target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  endif()
endfunction()

# A list of translation units, one per header, each including its header twice and nothing else.
function(microslip_lone_headers out folder)
  set(units)
  foreach(header IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER ${header} name)
    set(unit ${PROJECT_BINARY_DIR}/generated/${folder}/${name}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND units ${unit})
  endforeach()
  set(${out} ${units} PARENT_SCOPE)
endfunction()
