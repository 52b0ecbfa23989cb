// Cases that give an operation's outputs, its gradients, and what training with it does.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

using Forward = Results (*)(const Arguments& arguments);

// Compares the outputs; the gradients of every parameter and input, where the case has them; and its optimiser runs.
// Without a "loss" among the outputs the loss is Σ over outputs of Σ(cotangent · output).
void check_differentiable(const Json& test, Forward forward, Findings& findings);

}  // namespace unroll::conform
