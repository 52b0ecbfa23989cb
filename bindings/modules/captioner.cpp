// The module `engine_captioner`: the image captioner.
#include "engine/models/captioner.h"

#include "engine/models/registry.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {kind_of<Captioner>("captioner")};
  return kinds;
}

}  // namespace unroll
