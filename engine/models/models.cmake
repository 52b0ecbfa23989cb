# Which models there are: each source in this folder that defines "ModelKind NAME_kind()" is one. Sets `model_kinds`.
set(models_folder ${CMAKE_CURRENT_LIST_DIR})
find_registered(model_kinds ${models_folder} ModelKind kind)

# list_models(FILE KIND…): writes a source that links these models, in alphabetical order.
function(list_models file)
  list(JOIN model_kinds "\", \"" names)
  set(UNROLL_NAMES "\"${names}\"")
  list_registered(${file} ${models_folder}/linked_models.cpp.in ModelKind kind ${ARGN})
endfunction()
