#include "engine/models/registry.h"

#include <algorithm>

namespace unroll {

std::vector<std::string> model_kinds() {
  std::vector<std::string> names;
  for (const ModelKind& kind : linked_models()) names.emplace_back(kind.name);
  return names;
}

std::string model_kind(const Config& config) {
  return config.text("kind", std::string(linked_models().front().name), model_kinds());
}

std::unique_ptr<Model> make_model(const Config& config) {
  return std::ranges::find(linked_models(), model_kind(config), &ModelKind::name)->make(config);
}

}  // namespace unroll
