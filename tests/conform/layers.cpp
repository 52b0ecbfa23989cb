// Functions, layers, positions and losses; convolution, pooling and attention in pictures.
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convolution.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

const std::map<std::string, Tensor (*)(Operand)> functions = {
    {"relu", relu}, {"tanh", tanh},         {"sigmoid", sigmoid},
    {"gelu", gelu}, {"gelu_exact", gelu},   {"gelu_tanh", gelu_tanh},
    {"silu", silu}, {"softplus", softplus}, {"exp", exp},
    {"log", log},   {"erf", erf},           {"identity", [](Operand x) -> Tensor { return x * 1; }},
};

Tensor activate(const std::string& name, Operand x, double alpha = 1) {
  if (name == "elu") return elu(x, alpha);
  if (!functions.contains(name)) throw Skip("the engine has no activation \"" + name + "\" yet");
  return functions.at(name)(x);
}

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

CASES(activation) {
  return {{"y", activate(a.option<std::string>("activation", ""), a.input("x"), a.option("alpha", 1.0))}};
}

CASES(softmax) {
  const Tensor x = a.input("x");
  const int axis = a.option("axis", -1);
  return {{"softmax", softmax(x, axis)}, {"log_softmax", log_softmax(x, axis)}, {"logsumexp", logsumexp(x, axis)}};
}

CASES(linear) {
  const Linear layer(a.param_ending("weight"), a.optional_param_ending("bias"));
  return {{"y", layer(a.input("x"))}};
}

CASES(embedding) {
  const Embedding layer(a.param_ending("weight"), a.option("padding_idx", -1));
  return {{"y", layer(a.input("ids"))}};
}

CASES(layernorm) {
  const Tensor weight = a.param_ending("weight"), zeros = Tensor::full(weight.shape(), 0);
  const Tensor bias = a.optional_param_ending("bias");
  return {{"y", layer_norm(a.input("x"), weight, bias ? bias : zeros, a.option("eps", 1e-5))}};
}

CASES(rmsnorm) { return {{"y", rms_norm(a.input("x"), a.param("g"), a.option("eps", 1e-5))}}; }

CASES(ffn) {
  const Tensor hidden = linear(a, "linear1.")(a.input("x"));  // before the activation
  const Tensor y = linear(a, "linear2.")(activate(a.option<std::string>("activation", "relu"), hidden));
  return {{"hidden", hidden}, {"y", y}};
}

CASES(ffn_swiglu) {
  const FeedForward layer(Activation::swiglu, without_bias(a, "w1"), without_bias(a, "w2"), without_bias(a, "w3"));
  return {{"y", layer(a.input("x"))}};
}

CASES(rope) {
  const RotaryLayout layout = a.option("interleaved", true) ? RotaryLayout::interleaved : RotaryLayout::half;
  const auto turned = [&](const Tensor& x) { return rotary(x, 0, layout, a.option("base", 10000.0)); };
  const Tensor q = turned(a.input("q"));
  if (!a.optional_input("k")) return {{"q_rot", q}};
  const Tensor k = turned(a.input("k"));
  return {{"q_rot", q}, {"k_rot", k}, {"scores", dot_score(q, k)}};
}

CASES(sinusoidal_pe) { return {{"pe", sinusoidal_positions(a.config().at("T"), a.config().at("d_model"))}}; }

CASES(cross_entropy) {
  const std::string reduction = a.option<std::string>("reduction", "mean");
  if (reduction != "mean" && reduction != "sum") throw Skip("the engine has no reduction \"" + reduction + "\"");
  const CrossEntropyOptions options{.ignored = a.option("ignore_index", -100),
                                    .label_smoothing = a.option("label_smoothing", 0.0),
                                    .reduction = reduction == "sum" ? Reduction::sum : Reduction::mean};
  return {{"loss", cross_entropy(a.input("logits"), a.input("target"), options)}};
}

CASES(mse) { return {{"loss", mean_squared_error(a.input("x"), a.input("y"))}}; }

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

}  // namespace
}  // namespace unroll::conform
