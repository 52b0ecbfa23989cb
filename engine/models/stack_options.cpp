#include "engine/models/stack_options.h"

#include <algorithm>

#include "engine/models/position_options.h"
#include "engine/models/token_inputs.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int most_heads = 32, largest_feed_forward = 4096, most_blocks = 8;

}  // namespace

StackOptions read_stack_options(const Config& config) {
  const PositionKind positions = read_positions(config, "sinusoidal");
  const int D = asked_size(config, 32, model_size_field);
  const int heads = config.integer("heads", 4, 1, most_heads);
  const MultiHeadOptions attention = {.model = D,
                                      .heads = heads,
                                      .key_value_heads = config.integer("key_value_heads", heads, 1, heads),
                                      .relative = positions.relative};
  const int four_times = std::min(4 * D, largest_feed_forward);
  return {.block = {.attention = complete(attention),
                    .feed_forward = config.integer("feed_forward", four_times, 1, largest_feed_forward),
                    .activation = config.choice("activation", Activation::relu, activation_kinds()),
                    .norm = config.choice("norm", NormKind::layer, {"layer", "rms"}),
                    .place = config.choice("norm_place", NormPlace::pre, {"pre", "post"}),
                    .dropout = config.number("dropout", 0, 0, 0.9)},
          .layers = config.integer("layers", 1, 1, most_blocks),
          .positions = positions.absolute,
          .longest = config.integer("longest", most_positions, 1, most_positions)};
}

void refuse_too_long(const StackOptions& options, const std::string& input, int positions) {
  if (options.positions == AbsolutePositions::learned && positions > options.longest)
    fail(ErrorCode::shape, "longest is ", options.longest, ", and ", input, " has ", positions, " positions: use ",
         positions, " to ", most_positions, ", shorter rows, or other positions than \"learned\".");
}

double stack_parameters(const StackOptions& options, bool cross) {
  const double norm = options.block.place == NormPlace::pre ? norm_parameters(options.block) : 0;
  return options.layers * block_parameters(options.block, cross) + norm;
}

double embedding_parameters(const StackOptions& options, int vocabulary) {
  const double rows = vocabulary + (options.positions == AbsolutePositions::learned ? options.longest : 0);
  return rows * options.model();
}

}  // namespace unroll
