// Convolution, pooling and attention in pictures.
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/pooling.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

// A number, or one for rows and one for columns.
std::pair<int, int> both(const Arguments& a, const char* name, int otherwise) {
  const Json given = a.option<Json>(name, otherwise);
  return given.is_array() ? std::pair(given[0].get<int>(), given[1].get<int>())
                          : std::pair(given.get<int>(), given.get<int>());
}

Conv2d conv_named(const Arguments& a, const std::string& name) {
  return {a.param(name + ".weight"), a.optional_param(name + ".bias")};
}

Linear linear_of(const Arguments& a, const std::string& number) {
  return {a.param("w" + number), a.param("b" + number)};
}

}  // namespace

CASES(conv2d) {
  const auto [vertical, horizontal] = both(a, "padding", 0);
  const Conv2d conv(a.param("conv.weight"), a.optional_param("conv.bias"), a.option("stride", 1),
                    {vertical, vertical, horizontal, horizontal});
  return {{"y", conv(a.input("x"))}};
}

CASES(maxpool2d) {
  const auto [height, width] = both(a, "kernel", 1);
  return {{"y", max_pool2d(a.input("x"), {height, width, a.option("stride", height)})}};
}

CASES(se) {
  const Gated found = squeeze_and_excitation(a.input("x"), linear_of(a, "1"), linear_of(a, "2"));
  return {{"y", found.y}, {"gate", found.channels}};
}

CASES(cbam) {
  Conv2d conv = conv_named(a, "conv");
  conv.padding = Padding::around(a.option("kernel", 7) / 2);
  const Gated found = convolutional_block_attention(a.input("x"), linear_of(a, "1"), linear_of(a, "2"), conv);
  return {{"y", found.y}, {"channel", found.channels}, {"spatial", found.spatial}};
}

CASES(sagan_attention) {
  const GridAttention layer(conv_named(a, "q"), conv_named(a, "k"), conv_named(a, "v"), a.param("gamma"));
  const GridAttentionOutput found = layer(a.input("x"));
  return {{"y", found.y}, {"weights", found.weights}};
}

CASES(conv_grid_attention) {
  Conv2d conv = conv_named(a, "conv");
  conv.padding = Padding::around(1);
  const Tensor features = relu(conv(a.input("x")));
  const Tensor tokens = places_of(features) + a.param("pos");  // (B, H·W, d)
  const Tensor x = norm(a, "norm.")(tokens);
  const auto [context, weights] = heads(a, a.option("d", 0), "mha.")(x, x, x);
  const Tensor attended = tokens + context;
  const Tensor logits = linear(a, "fc.")(mean(attended, 1));
  return {{"features", features}, {"tokens", tokens}, {"weights", weights},
          {"attended", attended}, {"logits", logits}, {"loss", cross_entropy(logits, a.input("target"))}};
}

CASES(caption_attention) {
  const Tensor places = a.input("a"), h = a.input("h");
  const int B = h.shape()[0];
  const Tensor query = reshape(h, {B, 1, h.shape()[1]});
  const Tensor e = additive_score(query, places, a.param("Wh"), a.param("Wa"), a.param("b"), a.param("v"));
  const auto [c, weights] = attend(e, places);
  const Tensor w = reshape(a.param("Wg"), {1, h.shape()[1]});
  const GatedContext found = gated_context(h, reshape(c, {B, c.shape()[2]}), Linear(w, a.param("bg")));
  return {{"weights", reshape(weights, {B, weights.shape()[2]})},
          {"gate", reshape(found.gate, {B})},
          {"context", found.context}};
}

}  // namespace unroll::conform
