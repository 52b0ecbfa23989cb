# Which models there are: each source in this folder that defines "ModelKind NAME_kind()" is one. Sets `model_kinds`.
set(models_folder ${CMAKE_CURRENT_LIST_DIR})
find_registered(model_kinds ${models_folder} ModelKind kind)

# list_models(FILE KIND… [WITHOUT PROGRAMS TASKS]): writes a source that links these models, in alphabetical order, and
# the learner's language and tasks unless it goes without.
function(list_models file)
  cmake_parse_arguments(PARSE_ARGV 1 list "" "" WITHOUT)
  foreach(feature PROGRAMS TASKS)
    set(UNROLL_HAS_${feature} true)
  endforeach()
  foreach(feature ${list_WITHOUT})
    set(UNROLL_HAS_${feature} false)
  endforeach()
  list(JOIN model_kinds "\", \"" names)
  set(UNROLL_NAMES "\"${names}\"")
  list_registered(${file} ${models_folder}/linked_models.cpp.in ModelKind kind ${list_UNPARSED_ARGUMENTS})
endfunction()
