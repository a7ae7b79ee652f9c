# Gives each installed library its own copies of the templates that it uses.
# folder: where the libraries are; libraries: their files; linker, objcopy, ar, nm: tools.
#
# A template that a library and a program both instantiate is a weak function in both, and the linker keeps the
# program's copy, also for calls inside the library: in a program without optimisation fits and responses
# became 25 times slower. So each library becomes one object whose weak functions are local. Those
# that another library asks for are explicit instantiations (`extern template`) and stay.

function(symbols out file)
  execute_process(COMMAND ${nm} -P ${ARGN} ${file} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^ \n]+ [A-Za-z][ \n]" symbols "${text}")
  set(${out} ${symbols} PARENT_SCOPE)
endfunction()

# The names of those symbols of a given kind.
function(names out kind)
  list(FILTER ARGN INCLUDE REGEX " ${kind}[ \n]$")
  list(TRANSFORM ARGN REPLACE " .*" "")
  set(${out} ${ARGN} PARENT_SCOPE)
endfunction()

set(wanted "")
foreach(library IN LISTS libraries)
  set(object ${folder}/${library}.o)
  execute_process(COMMAND ${linker} -r --force-group-allocation --whole-archive ${folder}/${library}
    -o ${object} COMMAND_ERROR_IS_FATAL ANY)
  symbols(undefined ${object} --undefined-only)
  names(undefined U ${undefined})
  list(APPEND wanted ${undefined})
endforeach()
foreach(library IN LISTS libraries)
  set(object ${folder}/${library}.o)
  symbols(defined ${object} --defined-only)
  names(weak W ${defined})
  list(REMOVE_ITEM weak ${wanted})
  # Variables of templates stay one in the whole program.
  names(unique u ${defined})
  foreach(list weak unique)
    list(JOIN ${list} "\n" text)
    file(WRITE ${object}.${list} "${text}\n")
  endforeach()
  execute_process(COMMAND ${objcopy} --localize-symbols=${object}.weak --weaken-symbols=${object}.unique
    ${object} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${folder}/${library})
  execute_process(COMMAND ${ar} qcs ${folder}/${library} ${object} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${object} ${object}.weak ${object}.unique)
endforeach()
