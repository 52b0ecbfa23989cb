# What registers itself: a source is listed by what it defines, and nothing else lists it.

# find_registered(VARIABLE FOLDER TYPE SUFFIX): the NAMEs of all "TYPE NAME_SUFFIX()" that the folder's sources define, in
# alphabetical order.
function(find_registered variable folder type suffix)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(names)
  foreach(source ${sources})
    file(STRINGS ${source} definitions REGEX "^${type} [a-z0-9_]+_${suffix}\\(\\)")
    foreach(definition ${definitions})
      string(REGEX REPLACE "^${type} ([a-z0-9_]+)_${suffix}\\(\\).*" "\\1" name ${definition})
      list(APPEND names ${name})
    endforeach()
  endforeach()
  list(SORT names)
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# list_registered(FILE TEMPLATE TYPE SUFFIX NAME…): writes a source that links these.
function(list_registered file template type suffix)
  set(UNROLL_DECLARATIONS)
  foreach(name ${ARGN})
    string(APPEND UNROLL_DECLARATIONS "${type} ${name}_${suffix}();\n")
  endforeach()
  list(TRANSFORM ARGN APPEND "_${suffix}()" OUTPUT_VARIABLE calls)
  list(JOIN calls ", " UNROLL_LINKED)
  configure_file(${template} ${file} @ONLY)
endfunction()
