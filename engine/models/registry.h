// The kinds of model that a program has.
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
  ModelSize (*size)(const Config&, const BatchSizes&);  // of a model that learns tasks; none of any other
};

template <typename M>
constexpr ModelKind kind_of(std::string_view name) {
  ModelKind kind{name, [](const Config& config) -> std::unique_ptr<Model> { return std::make_unique<M>(config); },
                 nullptr};
  if constexpr (requires(const Config& config, const BatchSizes& batch) { M::size(config, batch); })
    kind.size = M::size;
  return kind;
}

// By name, in the order of the alphabet. A program that defines this itself has only the models it lists; any other is
// linked with all_models.cpp.
std::span<const ModelKind> linked_models();

// What such a model, and a training step on such a batch, would take: nothing of it is made. Throws Error(config) as
// make_model does, and for a kind that learns no task.
ModelSize model_size(const Config& config, const BatchSizes& batch);

}  // namespace unroll
