// How large a model may be, and what it would take, said before anything is allocated.
#pragma once

#include <compare>

#include "engine/models/config.h"
#include "engine/nn/recurrent.h"

namespace unroll {

constexpr int largest_embedding = 256, largest_hidden = 512, most_layers = 2;
constexpr double most_parameter_bytes = 64e6, most_activation_bytes = 256e6;

// A batch by its rows and the positions of sources and targets; a model of texts has no sources.
struct BatchSizes {
  int rows = 0, source = 0, target = 0;
  auto operator<=>(const BatchSizes&) const = default;
};

// What a model would take: numbers in its weights, and about how many a training step holds beside their gradients.
struct ModelSize {
  double parameters = 0, activations = 0;
  double step_bytes() const { return sizeof(float) * (parameters + activations); }
};

// The field that says how large a model is, 1 or more: what is above the limit waits for refuse_too_large, which says
// what it would take.
struct SizeField {
  const char* name = "hidden";
  int most = largest_hidden;
  const char* others = "embedding";  // fields that could be lowered as well
};
int asked_size(const Config& config, int otherwise, SizeField field = {});

// Throws Error(config) where the field's value or the bytes of the parameters are above the limit.
void refuse_too_large(int asked, double parameters, SizeField field = {});

// Throws Error(config) where a training step on the batches that config asks for would hold too much.
void refuse_large_batches(const Config& config, double activations);

// Throws Error(shape) where one training step on inputs of this shape would hold too much.
void refuse_too_many(const std::string& input, const Shape& shape, double activations);

// The numbers in the weights of a recurrent network whose lowest layer takes `input` values.
double stack_parameters(const RecurrentOptions& options, double input);

// About how many numbers a row holds for one position during training, gradients among them; as measured.
double cell_activations(CellKind kind, int hidden);
// And all rows together: the blocks of U, where the cell cuts them out.
double shared_cell_activations(CellKind kind, double hidden);
constexpr double logit_activations = 3.4;  // for each entry of the vocabulary

}  // namespace unroll
