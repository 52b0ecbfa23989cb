// Optimisers from a case's settings, and the cases about them.
#pragma once

#include <memory>

#include "engine/train/optimiser.h"
#include "tests/conform/case.h"

namespace unroll::conform {

// {type or optimizer, lr, momentum, betas, eps, …} with PyTorch's names and defaults. Throws Skip for an option the
// engine lacks.
std::unique_ptr<Optimiser> read_optimiser(const Json& plan);

void check_optimiser(const Json& test, Findings& findings);   // given gradients, the parameter after every step
void check_clipping(const Json& test, Findings& findings);    // gradients scaled by their global norm
void check_regression(const Json& test, Findings& findings);  // a Linear trained from zeros

}  // namespace unroll::conform
