// The module `engine_captioner`: the model that writes what it sees.
#include "engine/models/captioner.h"

#include "engine/models/registry.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {{"captioner", make_kind<Captioner>}};
  return kinds;
}

}  // namespace unroll
