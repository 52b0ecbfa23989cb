// Attention with dot products, windows, penalties, and without a matrix of scores.
#include "engine/nn/attention/linear_attention.h"
#include "engine/nn/attention/local_attention.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/positions.h"
#include "tests/conform/torch.h"

namespace unroll::conform {

CASES(sdpa) {
  const Tensor marks = a.optional_input("mask");  // True = may attend
  const AttentionOutput attended = scaled_dot_product_attention(a.input("q"), a.input("k"), a.input("v"),
                                                                marks ? hidden_where(marks, false) : Tensor());
  return {{"y", attended.context},
          {"output", attended.context},
          {"context", attended.context},
          {"weights", attended.weights}};
}

CASES(attention_local) {
  const Tensor h = a.input("h"), k = a.input("k");
  const Tensor last = Tensor::full({h.shape()[0], 1}, static_cast<Scalar>(k.shape()[-2] - 1));
  const Tensor p = predicted_position(h, last, a.param("Wp"), a.param("vp"));
  const AttentionOutput attended = attend_local_p(general_score(h, k, a.param("Wa")), k, p, a.option("sigma", 1.0));
  return {{"p", p}, {"weights", attended.weights}, {"context", attended.context}};
}

CASES(alibi) {
  const Tensor q = a.input("q"), k = a.input("k");
  const int queries = q.shape()[-2], keys = k.shape()[-2];
  const Tensor bias = alibi_bias(q.shape()[-3], queries, keys) + causal_mask(queries, keys);
  const AttentionOutput attended = scaled_dot_product_attention(q, k, a.input("v"), bias);
  return {{"weights", attended.weights}, {"y", attended.context}};
}

CASES(linear_attention) {
  if (const std::string map = a.option<std::string>("feature_map", "elu(x)+1"); map != "elu(x)+1")
    throw Skip("the engine has no feature map \"" + map + "\" yet");
  const auto layer = a.option("causal", false) ? causal_linear_attention : unroll::linear_attention;
  return {{"y", layer(a.input("q"), a.input("k"), a.input("v"))}};
}

}  // namespace unroll::conform
