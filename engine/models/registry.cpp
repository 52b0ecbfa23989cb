#include "engine/models/registry.h"

#include <algorithm>

#include "engine/tensor/error.h"

namespace unroll {

std::vector<std::string> model_kinds() {
  std::vector<std::string> names;
  for (const ModelKind& kind : linked_models()) names.emplace_back(kind.name);
  return names;
}

std::string model_kind(const Config& config) {
  return config.text("kind", std::string(linked_models().front().name), model_kinds());
}

namespace {

const ModelKind& chosen(const Config& config) {
  return *std::ranges::find(linked_models(), model_kind(config), &ModelKind::name);
}

}  // namespace

std::unique_ptr<Model> make_model(const Config& config) { return chosen(config).make(config); }

ModelSize model_size(const Config& config, const BatchSizes& batch) {
  const ModelKind& kind = chosen(config);
  if (!kind.size) fail(ErrorCode::config, "This kind of model learns no task: to see what one takes, use \"seq2seq\".");
  return kind.size(config, batch);
}

}  // namespace unroll
