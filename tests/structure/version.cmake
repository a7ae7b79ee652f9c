# Other files state the version too.
foreach(place
    "CITATION.cff:version: "
    "vcpkg.json:  \"version-semver\": \""
    "packaging/conda/recipe.yaml:  version: \""
    "packaging/spack/package.py:    version(\""
    "web/package.json:  \"version\": \"")
  string(REGEX MATCH "^([^:]+):(.*)$" _ "${place}")
  set(file ${CMAKE_MATCH_1})
  set(before "${CMAKE_MATCH_2}")
  file(READ ${root}/${file} text)
  string(FIND "${text}" "${before}${version}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${file} has no '${before}${version}'; include/microslip/version.hpp says ${version}.")
  endif()
endforeach()
