// The module `engine_core`: models that learn no task, for the first page and the lessons without generation. Keep the
// list of every module in sync with web/src/engine/modules.ts.
#include "engine/models/attention_layer.h"
#include "engine/models/attention_model.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/registry.h"
#include "engine/models/softmax_model.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      kind_of<AttentionModel>("attention"),
      kind_of<AttentionLayer>("attention_layer"),
      kind_of<RecurrentModel>("recurrent"),
      kind_of<SoftmaxModel>("softmax"),
  };
  return kinds;
}

}  // namespace unroll
