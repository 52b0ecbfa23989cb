// The module `engine_transformer`: Transformer models.
#include "engine/models/transformer.h"

#include "engine/models/registry.h"
#include "engine/models/transformer_lm.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      kind_of<Transformer>("transformer"),
      kind_of<TransformerLm>("transformer_lm"),
  };
  return kinds;
}

}  // namespace unroll
