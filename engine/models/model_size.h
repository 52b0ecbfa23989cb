// Limits on model size.
#pragma once

#include <compare>

#include "engine/models/config.h"
#include "engine/tensor/shape.h"

namespace unroll {

constexpr int max_embedding = 256, max_hidden = 512, max_layers = 2;
constexpr double max_activation_bytes = 256e6;

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

// The field that sets a model's width, at least 1. read_size lets values above the limit through to check_model_size,
// which reports the memory they would take.
struct SizeField {
  const char* name;
  int max;
  const char* others;  // other fields that could be lowered
};
inline constexpr SizeField hidden_field{"hidden", max_hidden, "embedding"};
inline constexpr SizeField model_size_field{"model_size", 768, "feed_forward, layers"};
int read_size(const Config& config, int fallback, SizeField field = hidden_field);

// Throws Error(config) if the field's value or the bytes of the parameters exceed the limit.
void check_model_size(const Config& config, double parameters, SizeField field);

// Whether a training step with so many activations keeps to max_activation_bytes.
bool fits(double activations);

// Throws Error(config) if a training step on the batches that config asks for would exceed max_activation_bytes.
void check_batches(const Config& config, double activations);

// Throws Error(shape) if a training step on inputs of this shape would exceed max_activation_bytes.
void check_activations(const std::string& input, const Shape& shape, double activations);

}  // namespace unroll
