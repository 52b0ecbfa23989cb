// The models of the core module: those of the lessons in which nothing is written or read. The page holds the same list
// in web/src/engine/modules.ts.
#include "engine/models/attention_model.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/registry.h"
#include "engine/models/softmax_model.h"

namespace unroll {

std::span<const ModelKind> linked_models() {
  static constexpr ModelKind kinds[] = {
      {"attention", make_kind<AttentionModel>},
      {"recurrent", make_kind<RecurrentModel>},
      {"softmax", make_kind<SoftmaxModel>},
  };
  return kinds;
}

}  // namespace unroll
