#include "engine/models/attention_layer.h"
#include "engine/models/attention_model.h"
#include "engine/models/captioner.h"
#include "engine/models/language_model.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/registry.h"
#include "engine/models/seq2seq.h"
#include "engine/models/softmax_model.h"
#include "engine/models/transformer.h"
#include "engine/models/transformer_lm.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      {"attention", make_kind<AttentionModel>},     {"attention_layer", make_kind<AttentionLayer>},
      {"captioner", make_kind<Captioner>},          {"language_model", make_kind<LanguageModel>},
      {"recurrent", make_kind<RecurrentModel>},     {"seq2seq", make_kind<Seq2Seq>},
      {"softmax", make_kind<SoftmaxModel>},         {"transformer", make_kind<Transformer>},
      {"transformer_lm", make_kind<TransformerLm>},
  };
  return kinds;
}

}  // namespace unroll
