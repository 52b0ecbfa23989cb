#include "engine/ops/ops.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/samples.h"

namespace unroll {
namespace {

std::vector<Tensor> tensors_in(const program::Value& value) {
  if (const auto* tensor = value.as<program::TypedTensor>()) return {tensor->tensor};
  std::vector<Tensor> all;
  for (const program::Value& each : *program::items_of(value)) all.push_back(tensors_in(each).at(0));
  return all;
}

}  // namespace

RandomModel::RandomModel(const std::string& text, std::uint64_t seed) : model_({{"program", text}}) {
  Samples random(seed);
  for (const ModelInput& each : model_.inputs())
    if (each.takes_gradient) variables_.emplace_back(each.name, each.value);
  for (const Parameter& each : model_.parameters().all()) {
    for (Scalar& value : each.value.values()) value = static_cast<Scalar>(random.between(-1, 1));
    variables_.emplace_back(each.name, each.value);
  }
  model_.loss();
  for (const Tensor& each : tensors_in(model_.result())) weights_.push_back(random.tensor(each.shape(), -1, 1));
}

Tensor RandomModel::loss() {
  model_.loss();
  results_ = tensors_in(model_.result());
  Tensor total = Tensor::scalar(0);
  for (std::size_t i = 0; i < results_.size(); ++i) total = total + sum(results_[i] * weights_[i]);
  return total;
}

}  // namespace unroll
