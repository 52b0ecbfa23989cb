// Dry runs: how much memory a model and its training step take, before they take it.
#pragma once

#include <memory>

#include "engine/models/model.h"

namespace unroll {

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
