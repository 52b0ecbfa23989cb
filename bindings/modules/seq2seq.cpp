// The module `engine_seq2seq`: recurrent models that write words.
#include "engine/models/seq2seq.h"

#include "engine/models/language_model.h"
#include "engine/models/registry.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      {"language_model", make_kind<LanguageModel>},
      {"seq2seq", make_kind<Seq2Seq>},
  };
  return kinds;
}

}  // namespace unroll
