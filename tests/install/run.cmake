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

# A program of one's own to start from: it ranks laws for a record.
set(template ${examples}/template-project)
run(${CMAKE_COMMAND} -S ${template} -B ${scratch}/template -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${scratch}/prefix)
run(${CMAKE_COMMAND} --build ${scratch}/template)
execute_process(COMMAND ${scratch}/template/rank ${examples}/../data/bolted-joint.csv OUTPUT_VARIABLE ranking
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT ranking MATCHES "^iwan4 ")
  message(FATAL_ERROR "The template project ranks another law than iwan4 first:\n${ranking}")
endif()

# The engine keeps its speed in a program without optimisation: of a template in both, a linker takes one copy
# for all. So no library has a weak function, but explicit instantiations.
file(GLOB_RECURSE libraries ${scratch}/prefix/libmicroslip*.a)
foreach(library IN LISTS libraries)
  execute_process(COMMAND ${nm} -C --defined-only ${library} OUTPUT_VARIABLE symbols
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n[0-9a-f]+ W [^\n]*" weak "${symbols}")
  list(FILTER weak EXCLUDE REGEX "Expression::evaluate<double>|jobs::(to|from)_text<")
  if(NOT symbols OR weak)
    message(FATAL_ERROR "${library} shares functions with programs: ${weak}")
  endif()
endforeach()
string(TIMESTAMP begin "%s%f" UTC)
run(${scratch}/build/unoptimised bouc-wen ${examples}/../data/bolted-joint.csv)
string(TIMESTAMP between "%s%f" UTC)
run(${scratch}/build/optimised bouc-wen ${examples}/../data/bolted-joint.csv)
string(TIMESTAMP end "%s%f" UTC)
math(EXPR unoptimised "${between} - ${begin}")
math(EXPR optimised "${end} - ${between}")
math(EXPR bound "5 * ${optimised}")
message("A fit takes ${unoptimised} µs in a program without optimisation, ${optimised} µs with it.")
if(unoptimised GREATER bound)  # 25 times as long where the program's copies were taken
  message(FATAL_ERROR "A program without optimisation slows the engine down.")
endif()

# The same program by pkg-config alone.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc ${scratch}/prefix/microslip.pc)
file(GLOB_RECURSE shared_library ${scratch}/prefix/libmicroslip.so)
if(pkg_config)
  cmake_path(GET pc PARENT_PATH pc_folder)
  set(ENV{PKG_CONFIG_PATH} ${pc_folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs microslip OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${compiler} ${consumer}/main.cpp ${flags} -o ${scratch}/by_pkg_config)
  run(${scratch}/by_pkg_config)
  if(shared_library)
    execute_process(COMMAND ${pkg_config} --cflags --libs microslip-c OUTPUT_VARIABLE flags
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    cmake_path(GET shared_library PARENT_PATH library_folder)
    run(${compiler} -x c ${consumer}/main.c -x none ${flags} -Wl,-rpath,${library_folder} -lm -o ${scratch}/c_by_pkg_config)
    run(${scratch}/c_by_pkg_config)
  endif()
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
