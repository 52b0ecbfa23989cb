// Where the first NaN or infinity of a run came from.
#pragma once

#include <optional>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/program/place.h"
#include "engine/program/value.h"

namespace unroll {

bool has_nan(const Tensor& x);
// Whether it is NaN, or a list or tuple with a NaN in it.
bool has_nan(const program::Value& value);

struct NotFinite {
  program::Place place;  // of the operation in the learner's text
  Message message;       // "log(x) made NaN at [0, 2] from −1; …", with a hint at what may help
};

// The first operation of the forward pass on the tape that made a NaN of operands that have none. The tape must be
// tracing.
std::optional<NotFinite> first_nan(const Tape& tape);

// After backward of this loss: what made the loss or a gradient infinite or NaN of finite numbers (a program may write
// -inf itself).
std::optional<NotFinite> first_not_finite(const Tape& tape, const Tensor& loss);

// Runs the model once more, forward and backward: throws Error(diverged) that names the operation, its place in the
// learner's text and what may help, if the loss or a gradient is not finite and one is found.
void explain_divergence_of(Model& model);

}  // namespace unroll
