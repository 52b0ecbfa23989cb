#include "engine/models/attention_model.h"
#include "engine/models/language_model.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/registry.h"
#include "engine/models/seq2seq.h"
#include "engine/models/softmax_model.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      {"attention", make_kind<AttentionModel>}, {"language_model", make_kind<LanguageModel>},
      {"recurrent", make_kind<RecurrentModel>}, {"seq2seq", make_kind<Seq2Seq>},
      {"softmax", make_kind<SoftmaxModel>},
  };
  return kinds;
}

}  // namespace unroll
