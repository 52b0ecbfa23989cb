#include <doctest/doctest.h>

#include <functional>
#include <memory>

#include "engine/nn/dropout.h"
#include "engine/nn/masks.h"
#include "engine/nn/positioned_embedding.h"
#include "engine/nn/transformer_block.h"
#include "tests/engine/support/gradient_check.h"

using namespace unroll;

namespace {

using Relative = MultiHeadOptions::Relative;
using Layer = std::function<Tensor(const Tensor& x)>;

// A layer by x and by the parameters that `make` declares.
GradientCase by_parameters(Samples& random, const Tensor& x, const std::function<Layer(Parameters&)>& make) {
  const auto parameters = std::make_shared<Parameters>(static_cast<std::uint64_t>(random.below(1000)));
  const Layer layer = make(*parameters);
  Tensors inputs{x};
  for (const Parameter& parameter : parameters->all()) inputs.push_back(parameter.value);
  return {inputs, [=](const Tensors& now) {
            parameters->watch();
            return layer(now[0]);
          }};
}

// The activations whose gradient has no kink.
Activation smooth_activation(Samples& random) { return static_cast<Activation>(1 + random.below(3)); }

GradientCase norm(Samples& random) {
  const int D = 1 + random.size();
  const NormKind kind = random.coin() ? NormKind::layer : NormKind::rms;
  return by_parameters(random, random.away_from_zero(joined(random.shape(0, 2), {D})), [=](Parameters& parameters) {
    const Norm norm(kind, parameters, "norm", D);
    return [=](const Tensor& x) { return norm(x); };
  });
}

GradientCase feed_forward(Samples& random) {
  const int D = random.size(), F = random.size();
  const Activation activation = smooth_activation(random);
  return by_parameters(random, random.tensor(joined(random.shape(0, 2), {D})), [=](Parameters& parameters) {
    const FeedForward layer(activation, parameters, "layer", D, F);
    return [=](const Tensor& x) { return layer(x); };
  });
}

GradientCase dropped(Samples& random) {
  const double rate = random.between(0.1, 0.9);
  return {{random.tensor()}, [=](const Tensors& x) {
            const DropoutStep dropping(1, 1);
            return dropout(x[0], rate);
          }};
}

GradientCase embedding(Samples& random) {
  const int vocabulary = random.size(), T = random.size(), D = random.size(), first = random.below(4);
  const auto kind = static_cast<AbsolutePositions>(random.below(4));
  const Tensor ids = random.ids({random.up_to(3), T}, vocabulary);
  return by_parameters(random, random.tensor({1}), [=](Parameters& parameters) {
    const PositionedEmbedding words(parameters, "words", vocabulary, D, kind, first + T);
    return [=](const Tensor& x) { return side_by_side(words(ids, first), x); };
  });
}

BlockOptions block_options(Samples& random, int D) {
  return {.attention = {.model = D,
                        .heads = 2,
                        .key_value_heads = random.up_to(2),
                        .relative = static_cast<Relative>(random.below(3))},
          .feed_forward = random.up_to(3),
          .activation = smooth_activation(random),
          .norm = random.coin() ? NormKind::layer : NormKind::rms,
          .place = random.coin() ? NormPlace::pre : NormPlace::post};
}

GradientCase block_norm(Samples& random) {
  const BlockOptions options = block_options(random, 4);
  return by_parameters(random, random.away_from_zero({2, 4}), [=](Parameters& parameters) {
    const BlockNorm norm(options, parameters, "block", "norm");
    return [=](const Tensor& x) { return options.place == NormPlace::pre ? norm.before(x) : norm.after(x); };
  });
}

GradientCase memory(Samples& random) {
  BlockOptions options = block_options(random, 4);
  options.attention.relative = Relative::none;
  return by_parameters(random, random.tensor({random.up_to(2), random.size(), 4}), [=](Parameters& parameters) {
    const DecoderBlock block(options, parameters, "b");
    return [=](const Tensor& x) {
      const KeysValues found = block.read(x);
      return side_by_side(found.keys, found.values);
    };
  });
}

constexpr std::uint64_t seeds = 24;
constexpr double tolerance = 1e-5;  // norms of four values are so curved that differences miss by 1e-6

void check_layer(const std::function<GradientCase(Samples&)>& make) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    CHECK(gradient_error(make(random), random) < tolerance);
  }
}

GradientCase encoder_block(Samples& random) {
  const int T = random.up_to(3);
  const BlockOptions options = block_options(random, 4);
  const Tensor mask = random.coin() ? causal_mask(T, T) : Tensor();
  return by_parameters(random, random.tensor({random.up_to(2), T, 4}), [=](Parameters& parameters) {
    const EncoderBlock block(options, parameters, "b");
    return [=](const Tensor& x) {
      const BlockOutput y = block(x, mask);
      return side_by_side(y.x, y.weights);
    };
  });
}

GradientCase decoder_block(Samples& random) {
  const int B = random.up_to(2), T = random.up_to(3);
  const BlockOptions options = block_options(random, 4);
  const Tensor hidden = random.coin() ? for_all_heads(random.mask({B, 1, 3})) : Tensor();
  return by_parameters(random, random.tensor({B, T + 3, 4}), [=](Parameters& parameters) {
    const DecoderBlock block(options, parameters, "b");
    return [=](const Tensor& x) {
      KeysValues past;
      const KeysValues memory = block.read(slice(x, 1, T, 3));
      const BlockOutput y = block.advance(slice(x, 1, 0, T), past, memory, causal_mask(T, T), hidden);
      return side_by_side(y.x, y.weights);
    };
  });
}

const GradientCases cases = {
    {"Norm(x)", norm},
    {"FeedForward(x)", feed_forward},
    {"dropout(x, rate)", dropped},
    {"PositionedEmbedding(ids, first_position)", embedding},
    {"positions_of(count, first_position)", embedding},
    {"read(memory)", memory},
    {"before(x)", block_norm},
    {"after(x)", block_norm},
    {"normalised(x)", block_norm},
};

}  // namespace

TEST_CASE("gradients of norms, feed-forward networks, dropout and positioned embeddings") { cases.check(); }
TEST_CASE("gradients of an encoder block") { check_layer(encoder_block); }
TEST_CASE("gradients of a decoder block") { check_layer(decoder_block); }
