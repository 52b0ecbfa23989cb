// The module `engine_transformer`: models of blocks of attention.
#include "engine/models/transformer.h"

#include "engine/models/registry.h"
#include "engine/models/transformer_lm.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      {"transformer", make_kind<Transformer>},
      {"transformer_lm", make_kind<TransformerLm>},
  };
  return kinds;
}

}  // namespace unroll
