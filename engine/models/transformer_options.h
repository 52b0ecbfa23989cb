// What an encoder–decoder Transformer is made of.
#pragma once

#include "engine/models/stack_options.h"

namespace unroll {

struct TransformerOptions {
  StackOptions stack;  // of the encoder and of the decoder
  int source_vocabulary = 0, target_vocabulary = 0;
  bool tied_embedding = false;
  double label_smoothing = 0;
};

// From the fields that Transformer lists. Throws Error(config), for a model that is too large with its estimated size.
TransformerOptions read_transformer_options(const Config& config);

// How many numbers the parameters are, and about how many a training step holds beside their gradients, for rows of S
// source and T target positions.
double parameter_count(const TransformerOptions& options);
double activation_count(const TransformerOptions& options, int rows, int S, int T);

}  // namespace unroll
