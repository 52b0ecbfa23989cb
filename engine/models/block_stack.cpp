#include "engine/models/block_stack.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/shared_options.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/attention/masks.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_heads = 32, max_feed_forward = 4096, max_blocks = 12, max_table = 256;

}  // namespace

StackOptions read_stack_options(const Config& config) {
  const PositionKind positions = read_positions(config, "sinusoidal");
  const int D = read_size(config, 32, model_size_field);
  const int heads = config.integer("heads", 4, 1, max_heads);
  const MultiHeadOptions attention = {.model = D,
                                      .heads = heads,
                                      .key_value_heads = config.integer("key_value_heads", heads, 1, heads),
                                      .relative = positions.relative};
  const int four_times = std::min(4 * D, max_feed_forward);
  return {.block = {.attention = with_defaults(attention),
                    .feed_forward = config.integer("feed_forward", four_times, 1, max_feed_forward),
                    .activation = config.choice("activation", Activation::relu, activation_kinds()),
                    .norm = config.choice("norm", NormKind::layer, {"layer", "rms"}),
                    .place = config.choice("norm_place", NormPlace::pre, {"pre", "post"}),
                    .dropout = config.number("dropout", 0, 0, 0.9)},
          .layers = config.integer("layers", 1, 1, max_blocks),
          .positions = positions.absolute,
          .longest = config.integer("longest", max_positions, 1, max_table)};
}

void check_positions(const StackOptions& options, const std::string& input, int positions) {
  if (options.positions == AbsolutePositions::learned && positions > options.longest)
    fail(ErrorCode::shape, "longest_below_positions", options.longest, input, positions, max_positions);
}

Blocks make_blocks(const StackOptions& options, Parameters& parameters, const std::string& name) {
  Blocks blocks;
  for (int i = 0; i < options.layers; ++i)
    blocks.push_back(make_block(options.block, parameters, name + "." + std::to_string(i)));
  return blocks;
}

std::vector<DecoderBlock> make_decoder_blocks(const StackOptions& options, Parameters& parameters,
                                              const std::string& name) {
  std::vector<DecoderBlock> blocks;
  for (int i = 0; i < options.layers; ++i)
    blocks.emplace_back(options.block, parameters, name + "." + std::to_string(i));
  return blocks;
}

Tensor causal_mask_after(int first, int count) {
  return count > 1 ? causal_mask(count, first + count, first) : Tensor();
}

LayerFunction make_final_norm(const StackOptions& options, Parameters& parameters, const std::string& name) {
  return options.block.place == NormPlace::post ? LayerFunction()
                                                : make_norm(options.block, parameters, name + ".norm");
}

Tensor normalised(const LayerFunction& norm, Operand x) {
  if (!norm) return x;
  Scope scope("norm", x.where);
  return norm(x);
}

Linear make_output_layer(const PositionedEmbedding& embedding, bool tied, int vocabulary, const StackOptions& options,
                         Parameters& parameters) {
  return tied ? Linear(embedding.table(), Tensor()) : Linear(parameters, "out", options.model(), vocabulary);
}

}  // namespace unroll
