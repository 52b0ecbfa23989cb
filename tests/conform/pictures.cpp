// conv2d, maxpool2d, se, cbam, sagan_attention, conv_grid_attention, caption_attention.
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/layers/pooling.h"
#include "tests/conform/forwards.h"

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

// Row `which` of three of PyTorch's in_proj: 0 queries, 1 keys, 2 values.
Linear in_projection(const Arguments& a, int which) {
  const Tensor weight = a.param("mha.in_proj_weight"), bias = a.param("mha.in_proj_bias");
  const int D = weight.shape()[1];
  return {slice(weight, 0, which * D, D), slice(bias, 0, which * D, D)};
}

MultiHeadAttention heads_of(const Arguments& a) {
  return {{.model = a.option("d", 0), .heads = a.option("heads", 1)},
          {.W_Q = in_projection(a, 0),
           .W_K = in_projection(a, 1),
           .W_V = in_projection(a, 2),
           .W_O = Linear(a.param("mha.out_proj.weight"), a.param("mha.out_proj.bias"))}};
}

}  // namespace

Results conv2d(const Arguments& a) {
  const auto [vertical, horizontal] = both(a, "padding", 0);
  const Conv2d conv(a.param("conv.weight"), a.optional_param("conv.bias"), a.option("stride", 1),
                    {vertical, vertical, horizontal, horizontal});
  return {{"y", conv(a.input("x"))}};
}

Results max_pooling(const Arguments& a) {
  const auto [height, width] = both(a, "kernel", 1);
  return {{"y", max_pool2d(a.input("x"), {height, width, a.option("stride", height)})}};
}

Results channel_attention(const Arguments& a) {
  const Gated found = squeeze_and_excitation(a.input("x"), linear_of(a, "1"), linear_of(a, "2"));
  return {{"y", found.y}, {"gate", found.channels}};
}

Results block_attention(const Arguments& a) {
  Conv2d conv = conv_named(a, "conv");
  conv.padding = Padding::around(a.option("kernel", 7) / 2);
  const Gated found = convolutional_block_attention(a.input("x"), linear_of(a, "1"), linear_of(a, "2"), conv);
  return {{"y", found.y}, {"channel", found.channels}, {"spatial", found.spatial}};
}

Results grid_attention(const Arguments& a) {
  const GridAttention layer(conv_named(a, "q"), conv_named(a, "k"), conv_named(a, "v"), a.param("gamma"));
  const GridAttentionOutput found = layer(a.input("x"));
  return {{"y", found.y}, {"weights", found.weights}};
}

Results attention_in_convnet(const Arguments& a) {
  Conv2d conv = conv_named(a, "conv");
  conv.padding = Padding::around(1);
  const Tensor features = relu(conv(a.input("x")));
  const Tensor tokens = places_of(features) + a.param("pos");  // (B, H·W, d)
  const Tensor x = layer_norm(tokens, a.param("norm.weight"), a.param("norm.bias"));
  const auto [context, weights] = heads_of(a)(x, x, x);
  const Tensor attended = tokens + context;
  const Tensor logits = Linear(a.param("fc.weight"), a.param("fc.bias"))(mean(attended, 1));
  return {{"features", features}, {"tokens", tokens}, {"weights", weights},
          {"attended", attended}, {"logits", logits}, {"loss", cross_entropy(logits, a.input("target"))}};
}

Results caption_attention(const Arguments& a) {
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
