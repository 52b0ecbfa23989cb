// How much memory a model and its training step take: limits, and dry runs, which find it out before they take it.
#pragma once

#include <compare>
#include <memory>

#include "engine/models/config.h"
#include "engine/tensor/shape.h"

namespace unroll {

class Model;

constexpr int max_embedding = 256, max_hidden = 512, max_layers = 2;

// Rows of a batch, and its source and target positions; a language model has no source.
struct BatchSizes {
  int rows = 0, source = 0, target = 0;
  auto operator<=>(const BatchSizes&) const = default;
};

// Parameter count, and the number of floats a training step keeps alive besides the parameters' gradients.
// step_bytes covers both, but neither the parameters themselves nor the optimiser state.
struct ModelSize {
  double parameters = 0, activations = 0;
  double step_bytes() const { return sizeof(float) * (parameters + activations); }
};

// The field that sets a model's width, at least 1. read_size lets values above the limit through to make_limited, which
// reports the memory they would take.
struct SizeField {
  const char* name;
  int max;
  const char* others;  // other fields that could be lowered
};
inline constexpr SizeField hidden_field{"hidden", max_hidden, "embedding"};
inline constexpr SizeField model_size_field{"model_size", 768, "feed_forward, layers"};
int read_size(const Config& config, int fallback, SizeField field = hidden_field);
// The field "attention_size", which is by default the size of the hidden layer.
int read_attention_size(const Config& config, int hidden);

// Whether a training step with so many activations keeps to the limit of 256 MB.
bool fits(double activations);

// Throws Error(config) if a training step on the batches that config asks for would exceed the limit.
void check_batches(const Config& config, double activations);

// Throws Error(shape) if a training step on inputs of this shape would exceed the limit.
void check_activations(const std::string& input, const Shape& shape, double activations);

using MakeModel = std::unique_ptr<Model> (*)(const Config&);

// A model that refuses inputs for which a training step takes too much memory. Throws Error(config) if its parameters
// do; then none has been made.
std::unique_ptr<Model> make_limited(MakeModel make, const Config& config, const SizeField& width);

// The size of such a model and of a training step on such a batch, by a step on a few rows: every allocation of a step
// takes bytes that are linear in the rows of the batch. The matrix products, which take nearly all of the time, are
// left out, unless the model has a part of the learner's, which may depend on values.
ModelSize size_of_step(MakeModel make, const Config& config, const BatchSizes& batch, const SizeField& width);

// The size of a model and of a step on the whole batch.
ModelSize full_run(Model& model, const BatchSizes& batch);

}  // namespace unroll
