#include "engine/models/model_size.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/context.h"
#include "engine/autograd/tape.h"
#include "engine/kernels/gemm.h"
#include "engine/models/model.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

constexpr double bytes_each = 4;  // per float, in every build
constexpr double max_activation_bytes = 256e6;

Message megabytes(double bytes) { return phrase("megabytes", std::ceil(bytes / 1e6)); }

}  // namespace

int read_size(const Config& config, int fallback, SizeField field) {
  const auto entry = config.fields().find(field.name);
  const double* requested = entry == config.fields().end() ? nullptr : std::get_if<double>(&entry->second);
  if (requested && *requested > field.max) return static_cast<int>(std::min(*requested, 1e6));
  return config.integer(field.name, fallback, 1, field.max);
}

int read_attention_size(const Config& config, int hidden) {
  return config.integer("attention_size", std::min(hidden, max_hidden), 1, max_hidden);
}

bool fits(double activations) { return bytes_each * activations <= max_activation_bytes; }

void check_batches(const Config& config, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::config, "batch_too_large", config.integer("batch", 64, 1, 256), megabytes(bytes),
         megabytes(max_activation_bytes));
}

void check_activations(const std::string& input, const Shape& shape, double activations) {
  const double bytes = bytes_each * activations;
  if (!fits(activations))
    fail(ErrorCode::shape, "input_too_large", input, shape, megabytes(bytes), megabytes(max_activation_bytes));
}

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

// Counts the parameters before any is made: throws Error(config) if the field's value or their bytes exceed the limit.
void check_parameters(MakeModel make, const Config& config, const SizeField& field) {
  const std::unique_ptr<Model> model = make(without_part(config).with(Making::counted));
  const double bytes = bytes_each * static_cast<double>(model->parameters().count());
  const int requested = read_size(config, 1, field);
  if (requested > field.max)
    fail(ErrorCode::config, "parameters_too_large_for_field", FieldName{field.name}, requested, megabytes(bytes),
         field.max);
  const double most = Context::current().parameter_bytes;
  if (bytes > most)
    fail(ErrorCode::config, "parameters_too_large", megabytes(bytes), megabytes(most), FieldName{field.name},
         std::string_view(field.others));
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
  const auto without = kernels::without_products();
  return dry_run(*make(config.with(Making::zero)), batch);
}

ModelSize full_run(Model& model, const BatchSizes& batch) {
  return size_of(model, static_cast<double>(std::ranges::max(bytes_of_step(model, batch))));
}

}  // namespace unroll
