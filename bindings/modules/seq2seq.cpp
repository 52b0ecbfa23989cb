// The module `engine_seq2seq`: recurrent models that generate text.
#include "engine/models/seq2seq.h"

#include "engine/models/recurrent_lm.h"
#include "engine/models/registry.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      kind_of<RecurrentLm>("language_model"),
      kind_of<Seq2Seq>("seq2seq"),
  };
  return kinds;
}

}  // namespace unroll
