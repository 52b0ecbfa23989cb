#include "engine/models/registry.h"

#include <algorithm>

#include "engine/models/program/learner_parts.h"
#include "engine/tensor/error.h"

namespace unroll {

std::string model_kind(const Config& config) {
  return config.text("kind", std::string(linked_models().front().name), model_kinds());
}

namespace {

const ModelKind& chosen(const Config& config) {
  const std::string name = model_kind(config);
  const auto kind = std::ranges::find(linked_models(), name, &ModelKind::name);
  if (kind == linked_models().end()) fail(ErrorCode::config, "no_such_kind", name);
  return *kind;
}

}  // namespace

std::unique_ptr<Model> make_model(const Config& config) {
  check_part(config);
  return chosen(config).make(config);
}

ModelSize model_size(const Config& config, const BatchSizes& batch) {
  check_part(config);
  const ModelKind& kind = chosen(config);
  if (!kind.size) fail(ErrorCode::config, "model_learns_no_task");
  return kind.size(config, batch);
}

}  // namespace unroll
