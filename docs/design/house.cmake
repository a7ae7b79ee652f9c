# Draws the house from its includes: cmake -D root=… -D output=house.svg -P house.cmake
#
# An arrow goes from who includes to who is included. What follows from other arrows is left out, and so are those
# to core and numerics, which all see. tests/structure compares the picture of the repository with the tree.

cmake_minimum_required(VERSION 3.25)

# From the files below `places` to `out`_nodes and `out`_<node>_sees: `own` finds the node of a file and `other` that
# of an include, as the last group of a regular expression.
macro(read_edges out own other)
  set(${out}_nodes "")
  set(files "")
  foreach(place ${ARGN})
    file(GLOB_RECURSE found RELATIVE ${root} ${root}/${place}/*.hpp ${root}/${place}/*.cpp)
    list(APPEND files ${found})
  endforeach()
  foreach(file IN LISTS files)
    if(file MATCHES "${own}")
      set(node ${CMAKE_MATCH_${CMAKE_MATCH_COUNT}})
      list(APPEND ${out}_nodes ${node})
      file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include")
      foreach(line IN LISTS lines)
        if(line MATCHES "${other}")
          list(APPEND ${out}_${node}_sees ${CMAKE_MATCH_${CMAKE_MATCH_COUNT}})
        endif()
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES ${out}_nodes)
  list(SORT ${out}_nodes)
  foreach(node IN LISTS ${out}_nodes)
    list(REMOVE_DUPLICATES ${out}_${node}_sees)
    set(seen "")
    foreach(other_node IN LISTS ${out}_${node}_sees)
      if(other_node IN_LIST ${out}_nodes AND NOT other_node STREQUAL node)
        list(APPEND seen ${other_node})
      endif()
    endforeach()
    list(SORT seen)
    set(${out}_${node}_sees ${seen})
  endforeach()
endmacro()

# The row of each node, from the bottom: above all that it sees; and the arrows that do not follow from others.
macro(arrange name)
  set(left ${${name}_nodes})
  set(rows 0)
  while(left)
    set(row "")
    foreach(node IN LISTS left)
      set(free ON)
      foreach(seen IN LISTS ${name}_${node}_sees)
        if(seen IN_LIST left)
          set(free OFF)
        endif()
      endforeach()
      if(free)
        list(APPEND row ${node})
      endif()
    endforeach()
    if(NOT row)
      message(FATAL_ERROR "These include one another in a circle: ${left}")
    endif()
    foreach(node IN LISTS row)
      set(all "")
      foreach(seen IN LISTS ${name}_${node}_sees)
        list(APPEND all ${${name}_${seen}_below})
      endforeach()
      set(${name}_${node}_arrows ${${name}_${node}_sees})
      if(all)
        list(REMOVE_ITEM ${name}_${node}_arrows ${all})
      endif()
      set(${name}_${node}_below ${all} ${${name}_${node}_sees})
    endforeach()
    list(REMOVE_ITEM left ${row})
    set(${name}_row_${rows} ${row})
    math(EXPR rows "${rows} + 1")
  endwhile()
  set(${name}_rows ${rows})
endmacro()

set(body "")
set(width 700)
set(y 20)
macro(draw name title)
  string(APPEND body "  <text x=\"20\" y=\"${y}\" font-weight=\"bold\">${title}</text>\n")
  math(EXPR last "${${name}_rows} - 1")
  foreach(below RANGE ${last})
    math(EXPR row "${last} - ${below}")
    math(EXPR top "${y} + 20 + 64 * ${below}")
    list(LENGTH ${name}_row_${row} count)
    set(index 0)
    foreach(node IN LISTS ${name}_row_${row})
      math(EXPR x_${node} "${width} * (2 * ${index} + 1) / (2 * ${count})")
      math(EXPR left "${x_${node}} - 55")
      math(EXPR base "${top} + 20")
      string(APPEND body
        "  <rect x=\"${left}\" y=\"${top}\" width=\"110\" height=\"30\" rx=\"6\"/>"
        "<text x=\"${x_${node}}\" y=\"${base}\" text-anchor=\"middle\">${node}</text>\n")
      set(y_${node} ${top})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  foreach(node IN LISTS ${name}_nodes)
    math(EXPR from "${y_${node}} + 30")
    foreach(seen IN LISTS ${name}_${node}_arrows)
      math(EXPR to "${y_${seen}} - 2")
      string(APPEND body "  <path d=\"M${x_${node}},${from} L${x_${seen}},${to}\"/>\n")
    endforeach()
  endforeach()
  math(EXPR y "${y} + 64 * ${${name}_rows} + 50")
endmacro()

read_edges(house
  "^(include/microslip/|src/)?(detail/)?([a-z]+)/" "[\"<](microslip/)?(detail/)?([a-z]+)/"
  include/microslip src apps bindings reproduce web/engine)
list(REMOVE_ITEM house_nodes core numerics include)  # `include`: the umbrella header
foreach(node IN LISTS house_nodes)
  list(REMOVE_ITEM house_${node}_sees core numerics)
endforeach()
read_edges(room "^(include/microslip|src)/dynamics/([a-z]+)/" "[\"<](microslip/)?dynamics/([a-z]+)/"
  include/microslip/dynamics src/dynamics)
arrange(house)
arrange(room)
draw(house "Modules (all see core and numerics)")
draw(room "Rooms of dynamics")

file(WRITE ${output} "<!-- Drawn from the includes by docs/design/house.cmake; `make docs` writes it. -->
<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ${width} ${y}\" font-family=\"sans-serif\" font-size=\"14\">
  <style>rect { fill: #eef3f8; stroke: #35618f; stroke-width: 1.2 } text { fill: #1c1c1c }
    path { fill: none; stroke: #777; stroke-width: 1.2; marker-end: url(#arrow) }</style>
  <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">
    <path d=\"M0,0 L8,4 L0,8 z\" style=\"fill:#777;stroke:none;marker-end:none\"/></marker></defs>
  <rect width=\"${width}\" height=\"${y}\" style=\"fill:white;stroke:none\"/>
${body}</svg>
")
