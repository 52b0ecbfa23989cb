// What models that are stacks of blocks are made of: the blocks, the norm behind them, the output layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/models/stack_options.h"

namespace unroll {

// The blocks of a stack, names name.0, name.1 …
template <typename Block>
std::vector<Block> make_blocks(const StackOptions& options, Parameters& parameters, const std::string& name) {
  std::vector<Block> blocks;
  for (int i = 0; i < options.layers; ++i)
    blocks.emplace_back(options.block, parameters, name + "." + std::to_string(i));
  return blocks;
}

// For positions behind `first` others, of which each sees those before it and itself: (count, first + count). A single
// one sees all there is, and needs none.
Tensor causal_mask_behind(int first, int count);

// The norm behind pre-norm blocks, name.norm; none behind post-norm blocks, which end in one. (Xiong et al. 2020, §3.)
std::optional<Norm> make_last_norm(const StackOptions& options, Parameters& parameters, const std::string& name);

// x (…, D) after that norm, where there is one, in the scope "norm".
Tensor normalised(const std::optional<Norm>& norm, Operand x);

// The output layer, name out: s (…, D) → logits (…, V) = W s + b; tied, E s, with the words' own table E and no weights
// of its own (Press & Wolf 2017).
Linear make_out(const PositionedEmbedding& words, bool tied, Parameters& parameters);

}  // namespace unroll
