# Toolchain file: the CMake platform of whichever Emscripten em++ belongs to.

find_program(MICROSLIP_EMXX em++)
if(NOT MICROSLIP_EMXX)
  message(FATAL_ERROR
    "The WebAssembly check needs em++, which was not found (Debian package: emscripten).")
endif()
file(REAL_PATH ${MICROSLIP_EMXX} emxx)
cmake_path(GET emxx PARENT_PATH emscripten_root)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
