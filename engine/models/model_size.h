// Limits on model size, and memory estimates made before anything is allocated.
#pragma once

#include <compare>

#include "engine/models/config.h"
#include "engine/nn/recurrent/recurrent.h"

namespace unroll {

constexpr int max_embedding = 256, max_hidden = 512, max_layers = 2;
constexpr double max_activation_bytes = 256e6;

// Rows of a batch, and its source and target positions; a language model has no source.
struct BatchSizes {
  int rows = 0, source = 0, target = 0;
  auto operator<=>(const BatchSizes&) const = default;
};

// Parameter count, and the approximate number of floats a training step keeps alive besides the parameters' gradients.
// step_bytes covers both, but neither the parameters themselves nor the optimiser state.
struct ModelSize {
  double parameters = 0, activations = 0;
  double step_bytes() const { return sizeof(float) * (parameters + activations); }
};

// The field that sets a model's width, at least 1. read_size lets values above the limit through to check_model_size,
// which reports the memory they would take.
struct SizeField {
  const char* name = "hidden";
  int max = max_hidden;
  const char* others = "embedding";  // other fields that could be lowered
};
int read_size(const Config& config, int fallback, SizeField field = {});

// Throws Error(config) if the field's value or the bytes of the parameters exceed the limit.
void check_model_size(int requested, double parameters, SizeField field = {});

// Throws Error(config) if a training step on the batches that config asks for would exceed max_activation_bytes.
void check_batches(const Config& config, double activations);

// Throws Error(shape) if a training step on inputs of this shape would exceed max_activation_bytes.
void check_activations(const std::string& input, const Shape& shape, double activations);

// Parameter count of a recurrent network whose lowest layer takes `input` values.
double stack_parameters(const RecurrentOptions& options, double input);

// Approximate number of floats kept alive per row and position in training, including gradients; measured.
double cell_activations(CellKind kind, int hidden);
// The same, shared by all rows: the blocks of U, if the cell slices them out.
double shared_cell_activations(CellKind kind, double hidden);
constexpr double logit_activations = 3.4;  // per vocabulary entry

}  // namespace unroll
