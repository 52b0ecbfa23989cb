# Which models there are: each source in this folder that defines "ModelKind NAME_kind()" is one. Sets `model_kinds`.
set(models_folder ${CMAKE_CURRENT_LIST_DIR})
find_registered(model_kinds ${models_folder} ModelKind kind)

# What else is known of each: its module of the page, and its parts that a function of the learner's can replace. Sets
# `kinds_of_MODULE`, and `kinds_with_parts`.
file(READ ${models_folder}/kinds.json kinds_json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${models_folder}/kinds.json)
foreach(kind ${model_kinds})
  string(JSON module GET ${kinds_json} ${kind} module)
  list(APPEND kinds_of_${module} ${kind})
  string(JSON parts ERROR_VARIABLE has_none GET ${kinds_json} ${kind} parts)
  if(NOT has_none)
    list(APPEND kinds_with_parts ${kind})
    string(REGEX REPLACE "\\[(.*)\\]" "\\1" parts ${parts})
    string(APPEND UNROLL_PARTS "  if (kind == \"${kind}\") return {${parts}};\n")
  endif()
endforeach()

# list_models(FILE KIND… [WITHOUT PROGRAMS TASKS LINALG INTERVENTIONS]): writes a source that links these models, in
# alphabetical order, and the learner's language, tasks, linear algebra and interventions unless it goes without.
function(list_models file)
  cmake_parse_arguments(PARSE_ARGV 1 list "" "" WITHOUT)
  foreach(feature PROGRAMS TASKS LINALG INTERVENTIONS)
    set(UNROLL_HAS_${feature} true)
  endforeach()
  foreach(feature ${list_WITHOUT})
    set(UNROLL_HAS_${feature} false)
  endforeach()
  list(JOIN model_kinds "\", \"" names)
  set(UNROLL_NAMES "\"${names}\"")
  list(SORT list_UNPARSED_ARGUMENTS)
  list_registered(${file} ${models_folder}/linked_models.cpp.in ModelKind kind ${list_UNPARSED_ARGUMENTS})
endfunction()
