// The kinds of model that a program has.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/models/model.h"

namespace unroll {

struct ModelKind {
  std::string_view name;
  std::unique_ptr<Model> (*make)(const Config&);
};

template <typename M>
std::unique_ptr<Model> make_kind(const Config& config) {
  return std::make_unique<M>(config);
}

// By name, in the order of the alphabet. A program that defines this itself has only the models it lists; any other is
// linked with all_models.cpp.
std::span<const ModelKind> linked_models();

}  // namespace unroll
