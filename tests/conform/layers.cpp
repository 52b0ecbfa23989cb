// Functions, layers, positions and losses.
#include "engine/nn/attention/scores.h"
#include "engine/nn/layers/embedding.h"
#include "engine/nn/layers/feed_forward.h"
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

}  // namespace

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
  const Tensor weight = a.param_ending("weight"), bias = a.optional_param_ending("bias");
  const Tensor zeros = Tensor::full(weight.shape(), 0);
  return {{"y", layer_norm(a.input("x"), weight, bias ? bias : zeros, a.option("eps", 1e-5))}};
}

CASES(rmsnorm) { return {{"y", rms_norm(a.input("x"), a.param("g"), a.option("eps", 1e-5))}}; }

CASES(ffn) {
  const Tensor hidden = linear(a, "linear1.")(a.input("x"));  // before the activation
  const Tensor y = linear(a, "linear2.")(activate(a.option<std::string>("activation", "relu"), hidden));
  return {{"hidden", hidden}, {"y", y}};
}

CASES(ffn_swiglu) {
  const auto without_bias = [&](const char* name) { return Linear(a.param(name), Tensor()); };
  const FeedForward layer(Activation::swiglu, without_bias("w1"), without_bias("w2"), without_bias("w3"));
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

}  // namespace unroll::conform
