#include "engine/models/program/measured_size.h"

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/models/program/learner_parts.h"
#include "engine/models/registry.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/pool.h"

namespace unroll {

ModelSize measured_size(Model& model) {
  const std::size_t before = pool_stats().in_use;
  pool_trim();
  Tape tape(Tape::Detail::training);
  const RecordingGuard recording(&tape);
  backward(model.loss());
  const double parameters = static_cast<double>(model.parameters().count());
  return {parameters, static_cast<double>(pool_stats().peak - before) / sizeof(Scalar) - parameters};
}

Tensor some_ids(int rows, int positions) { return Tensor::full({rows, positions}, bos_id); }

std::optional<ModelSize> size_with_part(const Config& config, const BatchSizes& batch) {
  if (!has_programs || !config.has("part")) return std::nullopt;
  const std::unique_ptr<Model> model = make_model(config);
  if (model->inputs()[0].name == "source") model->set_input("source", some_ids(batch.rows, batch.source));
  model->set_input("target_in", some_ids(batch.rows, batch.target));
  return measured_size(*model);
}

}  // namespace unroll
