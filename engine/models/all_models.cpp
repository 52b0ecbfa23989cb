#include "engine/models/attention_layer.h"
#include "engine/models/attention_model.h"
#include "engine/models/captioner.h"
#include "engine/models/recurrent_lm.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/registry.h"
#include "engine/models/seq2seq.h"
#include "engine/models/softmax_model.h"
#include "engine/models/transformer.h"
#include "engine/models/transformer_lm.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      kind_of<AttentionModel>("attention"),     kind_of<AttentionLayer>("attention_layer"),
      kind_of<Captioner>("captioner"),          kind_of<RecurrentLm>("language_model"),
      kind_of<RecurrentModel>("recurrent"),     kind_of<Seq2Seq>("seq2seq"),
      kind_of<SoftmaxModel>("softmax"),         kind_of<Transformer>("transformer"),
      kind_of<TransformerLm>("transformer_lm"),
  };
  return kinds;
}

}  // namespace unroll
