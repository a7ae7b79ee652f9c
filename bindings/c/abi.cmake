# The binary interface of libmicroslip.so against the one that is kept in abi/: symbols of the library, and what the
# header says about each of them, structures with their layout included. Functions may be added, nothing else may change.
# -D update=ON writes the file anew: for a new minor version, whose name the library carries.
#
# The library has no debugger information, so variables of the types of its functions stand for them.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET baseline FILENAME name)
file(MAKE_DIRECTORY ${scratch})

function(run out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

run(symbols ${nm} -D --defined-only ${library})
string(REGEX MATCHALL "microslip_[a-z0-9_]+" functions "${symbols}")
list(SORT functions)
list(REMOVE_DUPLICATES functions)
set(source "#include <microslip.h>\n")
foreach(function IN LISTS functions)
  string(APPEND source "__typeof__(&${function}) abi_${function};\n")
endforeach()
file(WRITE ${scratch}/interface.c "${source}")
run(_ ${compiler} -std=gnu11 -g -O0 -fPIC -shared -I ${header_folder} -o ${scratch}/libinterface.so ${scratch}/interface.c)

if(update)
  run(text ${abidw} --no-comp-dir-path --no-corpus-path --no-show-locs --type-id-style hash ${scratch}/libinterface.so)
  file(WRITE ${baseline} "${text}")
  message("${baseline} is written")
  return()
endif()
if(NOT EXISTS ${baseline})
  message(FATAL_ERROR "${name} is missing: a new version of the interface is written with -D update=ON (make abi UPDATE=ON)")
endif()
execute_process(COMMAND ${abidiff} --no-added-syms ${baseline} ${scratch}/libinterface.so OUTPUT_VARIABLE text
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "The binary interface is another than that of ${name}:\n${text}")
endif()
list(LENGTH functions count)
message("${count} functions, as ${name} has them")
