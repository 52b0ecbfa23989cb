// The memory that a model with a program of the learner takes, which nothing but a step tells.
#pragma once

#include "engine/models/model.h"
#include "engine/models/model_size.h"

namespace unroll {

// See model_size: measured in a training step on the inputs that the model holds.
ModelSize measured_size(Model& model);

// Ids (rows, positions) for such a step.
Tensor some_ids(int rows, int positions);

}  // namespace unroll
