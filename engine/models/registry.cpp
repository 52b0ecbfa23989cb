#include "engine/models/registry.h"

#include <algorithm>

namespace unroll {

std::vector<std::string> model_kinds() {
  std::vector<std::string> names;
  for (const ModelKind& kind : linked_models()) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Model> make_model(const Config& config) {
  const std::string name = config.text("kind", "attention", model_kinds());
  return std::ranges::find(linked_models(), name, &ModelKind::name)->make(config);
}

}  // namespace unroll
