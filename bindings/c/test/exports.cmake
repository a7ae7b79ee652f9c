# The shared library exports the functions that microslip.h declares, and nothing else.
# header, library, nm

cmake_minimum_required(VERSION 3.25)
file(READ ${header} text)
string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" text "${text}")
string(REGEX MATCHALL "microslip_[a-z_]+\\(" declared "${text}")
list(TRANSFORM declared REPLACE "\\($" "")
list(SORT declared)
execute_process(COMMAND ${nm} -D --defined-only ${library}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(exported)
foreach(symbol IN LISTS symbols)
  if(symbol MATCHES " A MICROSLIP_1$")
    continue()  # the version itself
  endif()
  string(REGEX REPLACE "^[0-9a-f]* *. " "" symbol "${symbol}")
  string(REGEX REPLACE "@@MICROSLIP_1$" "" symbol "${symbol}")
  list(APPEND exported ${symbol})
endforeach()
list(SORT exported)
list(LENGTH declared count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} functions were found in ${header}")
endif()
if(NOT declared STREQUAL exported)
  message(FATAL_ERROR "declared: ${declared}\nexported: ${exported}")
endif()
