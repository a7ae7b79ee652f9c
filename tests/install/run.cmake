# Installs into an empty prefix, then configures, builds and runs the consumer against it.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${scratch})
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)
run(${CMAKE_COMMAND} -S ${consumer} -B ${scratch}/build -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${scratch}/prefix)
run(${CMAKE_COMMAND} --build ${scratch}/build)
foreach(program consumer consumer_c consumer_c_static)
  run(${scratch}/build/${program})
endforeach()
# The same program by pkg-config alone.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc ${scratch}/prefix/microslip.pc)
if(pkg_config)
  cmake_path(GET pc PARENT_PATH pc_folder)
  set(ENV{PKG_CONFIG_PATH} ${pc_folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs microslip OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${compiler} ${consumer}/main.cpp ${flags} -o ${scratch}/by_pkg_config)
  run(${scratch}/by_pkg_config)
endif()
# Manual pages and completions were written by the command and are installed.
if(EXISTS ${build}/manual)
  execute_process(COMMAND ${scratch}/prefix/bin/microslip help OUTPUT_VARIABLE help
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n  [a-z][a-z-]+  " commands "${help}")
  list(TRANSFORM commands STRIP)
  list(TRANSFORM commands REPLACE "(.+)" "man/man1/microslip-\\1.1")
  foreach(file man/man1/microslip.1 ${commands} bash-completion/completions/microslip
      zsh/vendor-completions/_microslip fish/vendor_completions.d/microslip.fish)
    if(NOT EXISTS ${scratch}/prefix/share/${file})
      message(FATAL_ERROR "share/${file} was not installed")
    endif()
  endforeach()
endif()
if(EXISTS ${build}/microslip)
  run(${scratch}/prefix/bin/microslip --version)
endif()
