// linear, embedding, layernorm, rmsnorm, ffn, ffn_swiglu.
#include "engine/nn/layers/embedding.h"
#include "engine/nn/layers/feed_forward.h"
#include "engine/ops/ops.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {
namespace {

Linear linear_named(const Arguments& arguments, const std::string& prefix) {
  return Linear(arguments.param(prefix + "weight"), arguments.optional_param(prefix + "bias"));
}

}  // namespace

Results linear(const Arguments& arguments) {
  const Linear layer(arguments.param_ending("weight"), arguments.optional_param_ending("bias"));
  return {{"y", layer(arguments.input("x"))}};
}

Results embedding(const Arguments& arguments) {
  const Embedding layer(arguments.param_ending("weight"), arguments.option("padding_idx", -1));
  return {{"y", layer(arguments.input("ids"))}};
}

Results layernorm(const Arguments& arguments) {
  const Tensor weight = arguments.param_ending("weight"), bias = arguments.optional_param_ending("bias");
  const Tensor zeros = Tensor::full(weight.shape(), 0);
  return {{"y", layer_norm(arguments.input("x"), weight, bias ? bias : zeros, arguments.option("eps", 1e-5))}};
}

Results rmsnorm(const Arguments& arguments) {
  return {{"y", rms_norm(arguments.input("x"), arguments.param("g"), arguments.option("eps", 1e-5))}};
}

Results feed_forward(const Arguments& arguments) {
  const Linear first = linear_named(arguments, "linear1."), second = linear_named(arguments, "linear2.");
  const Tensor hidden = first(arguments.input("x"));  // before the activation
  return {{"hidden", hidden}, {"y", second(activate(arguments.option<std::string>("activation", "relu"), hidden))}};
}

Results swiglu(const Arguments& arguments) {
  const auto without_bias = [&](const char* name) { return Linear(arguments.param(name), Tensor()); };
  const FeedForward layer(Activation::swiglu, without_bias("w1"), without_bias("w2"), without_bias("w3"));
  return {{"y", layer(arguments.input("x"))}};
}

}  // namespace unroll::conform
