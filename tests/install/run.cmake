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
if(EXISTS ${build}/microslip)
  run(${scratch}/prefix/bin/microslip --version)
endif()
