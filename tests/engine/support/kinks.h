// ReLU has a kink at 0, where no difference is a slope. Parameters for which nothing that enters it comes near.
#pragma once

#include "engine/nn/parameters.h"
#include "tests/engine/support/samples.h"

namespace unroll {

// Of every feed-forward network (name.W_1.bias): biases that its products do not outweigh, on both sides of 0.
void keep_feed_forward_off_the_kink(const Parameters& parameters, Samples& random);

// The same of every recurrent cell (name.W, name.U, name.b and name.c), with weights so small that no state grows.
void keep_cells_off_the_kink(const Parameters& parameters, Samples& random);

}  // namespace unroll
