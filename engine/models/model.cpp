#include "engine/models/model.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/models/program/learner_parts.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_values(const ModelInput& input, const Tensor& value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Scalar x = value.data()[i];
    if (std::abs(x) <= max_abs_input || (input.is_mask && x == -INFINITY)) continue;
    fail(ErrorCode::input, input.is_mask ? "mask_value_too_large" : "input_value_too_large",
         value_name(input.name, value.shape(), i), x, max_abs_input);
  }
}

void check_ids(const ModelInput& input, const Tensor& value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Scalar id = value.data()[i];
    if (id >= 0 && id < static_cast<Scalar>(input.vocabulary) && id == std::floor(id)) continue;
    fail(ErrorCode::input, "input_is_no_token_id", value_name(input.name, value.shape(), i), id, input.vocabulary - 1);
  }
}

const ModelKind& chosen(const Config& config) {
  const std::string name = model_kind(config);
  const auto kind = std::ranges::find(linked_models(), name, &ModelKind::name);
  if (kind == linked_models().end()) fail(ErrorCode::config, "no_such_kind", name);
  return *kind;
}

}  // namespace

Model::Model(const Config& config) : parameters_(config.seed(), config.making()) {
  parameters_.replace(learner_parts(config, parameters_));
}

std::size_t Model::index_of(const std::string& name) const {
  const auto found = std::ranges::find(inputs_, name, &ModelInput::name);
  if (found != inputs_.end()) return static_cast<std::size_t>(found - inputs_.begin());
  std::vector<std::string> names;
  for (const ModelInput& input : inputs_) names.push_back(input.name);
  fail(ErrorCode::input, "no_such_input", name, names);
}

void Model::set_input(const std::string& name, const Tensor& value) {
  const ModelInput& input = inputs_[index_of(name)];
  check_shape(input, value.shape());
  input.vocabulary > 0 ? check_ids(input, value) : check_values(input, value);
  check_content(input, value);
  replace_input(name, value.copy());
  input_changed(name);
}

void Model::replace_input(const std::string& name, const Tensor& value) { inputs_[index_of(name)].value = value; }

Tensor Model::use_input(const std::string& name, CallSite where) const {
  const ModelInput& each = inputs_[index_of(name)];
  return input(each.name, each.value, each.role, each.takes_gradient, where);
}

bool Model::takes(const BatchSizes& batch) const {
  const auto holds = [&](const BatchSizes& larger) {
    return batch.rows <= larger.rows && batch.source <= larger.source && batch.target <= larger.target;
  };
  if (std::ranges::any_of(accepted_, holds)) return true;
  if (!activations_ || !fits(activations_(batch))) return false;
  accepted_.push_back(batch);
  return true;
}

void Model::check_memory(const ModelInput& input, const Shape& shape, const BatchSizes& batch) const {
  if (activations_ && !takes(batch)) check_activations(input.name, shape, activations_(batch));
}

void Model::check_shape(const ModelInput& input, const Shape& shape) const {
  if (shape != input.value.shape())
    fail(ErrorCode::shape, "input_shape_differs", input.name, shape, input.value.shape());
}

std::string model_kind(const Config& config) {
  return config.text("kind", std::string(linked_models().front().name), model_kinds());
}

std::unique_ptr<Model> make_model(const Config& config) {
  check_part(config);
  return chosen(config).make(config);
}

ModelSize model_size(const Config& config, const BatchSizes& batch) {
  check_part(config);
  const ModelKind& kind = chosen(config);
  if (!kind.size) fail(ErrorCode::config, "model_learns_no_task");
  return kind.size(config, batch);
}

}  // namespace unroll
