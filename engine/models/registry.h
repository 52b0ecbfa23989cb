// The registry of the model kinds linked into a program.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/models/dry_run.h"
#include "engine/models/model.h"

namespace unroll {

struct ModelKind {
  std::string_view name;
  MakeModel make;
  ModelSize (*size)(const Config&, const BatchSizes&);  // nullptr for models that learn no task
};

template <typename M>
std::unique_ptr<Model> new_model(const Config& config) {
  return std::make_unique<M>(config);
}

// A kind that learns no task.
template <typename M>
constexpr ModelKind kind_of(std::string_view name) {
  return {name, new_model<M>, nullptr};
}

// A kind that learns tasks. The field `width` sets its size.
template <MakeModel make, const SizeField& width>
constexpr ModelKind task_kind_of(std::string_view name) {
  return {name, [](const Config& config) { return make_limited(make, config, width); },
          [](const Config& config, const BatchSizes& batch) { return size_of_step(make, config, batch, width); }};
}

// A kind that learns tasks and is the learner's as a whole: the budget of the program limits its size.
template <typename M>
constexpr ModelKind program_kind_of(std::string_view name) {
  return {name, new_model<M>,
          [](const Config& config, const BatchSizes& batch) { return full_run(*new_model<M>(config), batch); }};
}

// A model NAME defines ModelKind NAME_kind() beside its class, and is thereby registered: CMake lists what it finds
// (see models.cmake).
//
// The models linked into this program, in alphabetical order: all, but in a WebAssembly module of the page.
std::span<const ModelKind> linked_models();

// The parts of such a model that a function of the learner's can replace: see kinds.json.
std::vector<std::string> parts_of(std::string_view kind);

// What else is linked: the language of the learner's programs, and tasks to learn. A module of the page may lack
// either, and the linker then drops all code that only it needs.
extern const bool has_programs, has_tasks;

// Size of such a model and of a training step on such a batch. Throws Error(config) as make_model does, and for a kind
// that learns no task.
ModelSize model_size(const Config& config, const BatchSizes& batch);

}  // namespace unroll
