// Cases with an operation's outputs, gradients and training runs.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

using Forward = Results (*)(const Arguments& arguments);

// Compares the outputs, the gradients that the case has of parameters and inputs, and its optimiser runs.
// Without a "loss" among the outputs the loss is Σ over outputs of Σ(cotangent · output).
void check_differentiable(const Json& test, Forward forward, Findings& findings);

}  // namespace unroll::conform
