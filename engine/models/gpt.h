// The plain GPT: see gpt.cpp.
#pragma once

#include "engine/models/sequence_model.h"

namespace unroll {

struct GptOptions {
  int vocabulary = 0, size = 0, heads = 1, feed_forward = 0, layers = 1;
  double dropout = 0;
};

// A language model with the parameters, the tape and the bits of a TransformerLm with these options and otherwise
// sinusoidal positions, pre-norm blocks, GELU and a tied embedding.
std::unique_ptr<Model> make_gpt(const Config& config, const GptOptions& options);

}  // namespace unroll
