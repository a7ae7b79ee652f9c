# Copies the shared libraries that `library` needs, besides those that every Linux has, into `folder`.
cmake_minimum_required(VERSION 3.25)
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${library}
  RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)\\.so")
if(missing)
  message(FATAL_ERROR "${library} needs ${missing}, which was not found")
endif()
foreach(file IN LISTS found)
  file(COPY ${file} DESTINATION ${folder} FOLLOW_SYMLINK_CHAIN)
endforeach()
# One file each, by the name under which it is looked for.
file(GLOB copies ${folder}/*.so*)
foreach(file IN LISTS copies)
  if(IS_SYMLINK ${file})
    file(REAL_PATH ${file} real)
    file(REMOVE ${file})
    file(RENAME ${real} ${file})
  endif()
endforeach()
