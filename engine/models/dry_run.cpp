#include "engine/models/dry_run.h"

#include <algorithm>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/kernels/gemm.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

using Bytes = std::vector<std::size_t>;

void set_batch(Model& model, const BatchSizes& batch) {
  const auto set = [&](const char* input, int positions) {
    model.set_input(input, Tensor::full({batch.rows, positions}, bos_id));
  };
  if (model.inputs()[0].name == "source") set("source", batch.source);
  set("target_in", batch.target);
}

// The bytes in use at each allocation of a step, besides those in use before. None for a batch that the model refuses
// for its lengths: memory is not what forbids it.
Bytes bytes_of_step(Model& model, const BatchSizes& batch) {
  try {
    set_batch(model, batch);
  } catch (const Error&) {
    return {0};
  }
  AllocationLog log;
  Tape tape(Tape::Detail::training);
  const RecordingGuard recording(&tape);
  backward(model.loss());
  for (std::size_t& each : log.in_use) each -= std::min(each, log.before);
  return std::move(log.in_use);
}

ModelSize size_of(const Model& model, double bytes) {
  const auto parameters = static_cast<double>(model.parameters().count());
  return {parameters, std::max(0.0, bytes / sizeof(Scalar) - parameters)};
}

// The configuration without the part of the learner's.
Config without_part(Config config) {
  config.erase("part");
  config.erase("program");
  return config;
}

// Counts the parameters before any is made.
void check_parameters(MakeModel make, const Config& config, const SizeField& width) {
  const std::unique_ptr<Model> model = make(without_part(config).with(Making::counted));
  check_model_size(config, static_cast<double>(model->parameters().count()), width);
}

ModelSize dry_run(Model& model, const BatchSizes& batch) {
  constexpr int few = 2, twice = 2 * few;  // the blocks of the pool double with the rows
  Bytes first = bytes_of_step(model, {few, batch.source, batch.target});
  Bytes second = bytes_of_step(model, {twice, batch.source, batch.target});
  if (first.size() != second.size()) {  // a part of the learner's does other things with other rows
    first = {std::ranges::max(first)};
    second = {std::ranges::max(second)};
  }
  double most = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double at_first = static_cast<double>(first[i]), at_second = static_cast<double>(second[i]);
    most = std::max(most, at_first + (at_second - at_first) / (twice - few) * (batch.rows - few));
  }
  return size_of(model, most);
}

}  // namespace

std::unique_ptr<Model> make_limited(MakeModel make, const Config& config, const SizeField& width) {
  check_parameters(make, config, width);
  std::unique_ptr<Model> model = make(config);
  model->limit_memory([make, lab = without_part(config), &width](const BatchSizes& batch) {
    return size_of_step(make, lab, batch, width).activations;
  });
  return model;
}

ModelSize size_of_step(MakeModel make, const Config& config, const BatchSizes& batch, const SizeField& width) {
  check_parameters(make, config, width);
  if (config.has("part")) return dry_run(*make(config), batch);
  const kernels::WithoutProducts without;
  return dry_run(*make(config.with(Making::zero)), batch);
}

ModelSize full_run(Model& model, const BatchSizes& batch) {
  return size_of(model, static_cast<double>(std::ranges::max(bytes_of_step(model, batch))));
}

}  // namespace unroll
