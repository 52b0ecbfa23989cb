// sdpa, attention_local, alibi, linear_attention.
#include <limits>

#include "engine/nn/attention/linear_attention.h"
#include "engine/nn/attention/local_attention.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/positions.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {
Tensor hidden_where(const Tensor& marks, bool mark) {
  Tensor mask(marks.shape());
  for (std::size_t i = 0; i < marks.size(); ++i) mask.data()[i] = (marks.data()[i] != 0) == mark ? masked : Scalar(0);
  return mask;
}

Results dot_product_attention(const Arguments& a) {
  const Tensor marks = a.optional_input("mask");  // True = may attend
  const AttentionOutput attended = scaled_dot_product_attention(a.input("q"), a.input("k"), a.input("v"),
                                                                marks ? hidden_where(marks, false) : Tensor());
  return {{"y", attended.context},
          {"output", attended.context},
          {"context", attended.context},
          {"weights", attended.weights}};
}

Results local_attention(const Arguments& a) {
  const Tensor h = a.input("h"), k = a.input("k");
  const Tensor last = Tensor::full({h.shape()[0], 1}, static_cast<Scalar>(k.shape()[-2] - 1));
  const Tensor p = predicted_position(h, last, a.param("Wp"), a.param("vp"));
  const AttentionOutput attended = attend_local_p(general_score(h, k, a.param("Wa")), k, p, a.option("sigma", 1.0));
  return {{"p", p}, {"weights", attended.weights}, {"context", attended.context}};
}

Results alibi(const Arguments& a) {
  const Tensor q = a.input("q"), k = a.input("k");
  const int queries = q.shape()[-2], keys = k.shape()[-2];
  const Tensor bias = alibi_bias(q.shape()[-3], queries, keys) + causal_mask(queries, keys);
  const AttentionOutput attended = scaled_dot_product_attention(q, k, a.input("v"), bias);
  return {{"weights", attended.weights}, {"y", attended.context}};
}

Results linear_attention(const Arguments& a) {
  if (const std::string map = a.option<std::string>("feature_map", "elu(x)+1"); map != "elu(x)+1")
    throw Skip("the engine has no feature map \"" + map + "\" yet");
  const auto layer = a.option("causal", false) ? causal_linear_attention : unroll::linear_attention;
  return {{"y", layer(a.input("q"), a.input("k"), a.input("v"))}};
}

}  // namespace unroll::conform
