// The registry of the model kinds linked into a program.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/models/model.h"
#include "engine/models/model_size.h"

namespace unroll {

struct ModelKind {
  std::string_view name;
  std::unique_ptr<Model> (*make)(const Config&);
  ModelSize (*size)(const Config&, const BatchSizes&);  // nullptr for models that learn no task
};

template <typename M>
constexpr ModelKind kind_of(std::string_view name) {
  ModelKind kind{name, [](const Config& config) -> std::unique_ptr<Model> { return std::make_unique<M>(config); },
                 nullptr};
  if constexpr (requires(const Config& config, const BatchSizes& batch) { M::size(config, batch); })
    kind.size = M::size;
  return kind;
}

// A model NAME defines ModelKind NAME_kind() beside its class, and is thereby registered: CMake lists what it finds
// (see models.cmake).
//
// The models linked into this program, in alphabetical order: all, but in a WebAssembly module of the page.
std::span<const ModelKind> linked_models();

// What else is linked: the language of the learner's programs, and tasks to learn. A module of the page may lack
// either, and the linker then drops all code that only it needs.
extern const bool has_programs, has_tasks;

// Size of such a model and of a training step on such a batch, without creating the model. Throws Error(config) as
// make_model does, and for a kind that learns no task.
ModelSize model_size(const Config& config, const BatchSizes& batch);

}  // namespace unroll
