// sdpa, attention_local, alibi, linear_attention.
#include <cmath>
#include <limits>

#include "engine/nn/local_attention.h"
#include "engine/nn/masks.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {
namespace {

constexpr Scalar hidden = -std::numeric_limits<Scalar>::infinity();

// (N, T, S): −slope · distance to the key, and −∞ for later ones; head i of N has the slope 2^(−8 (i + 1) / N).
Tensor alibi_bias(int heads, int queries, int keys) {
  Tensor bias({heads, queries, keys});
  Scalar* at = bias.data();
  for (int head = 0; head < heads; ++head)
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j)
        *at++ = j > i ? hidden : static_cast<Scalar>(std::exp2(-8.0 * (head + 1) / heads) * (j - i));
  return bias;
}

// 1 where query i may see key j, else 0.
Tensor ones_to_the_left(int size) { return exp(causal_mask(size, size)); }

}  // namespace

Tensor hidden_where(const Tensor& marks, bool mark) {
  Tensor mask(marks.shape());
  for (std::size_t i = 0; i < marks.size(); ++i) mask.data()[i] = (marks.data()[i] != 0) == mark ? hidden : Scalar(0);
  return mask;
}

Results dot_product_attention(const Arguments& a) {
  const Tensor marks = a.optional_input("mask");  // True = may attend
  const Attended attended = scaled_dot_product_attention(a.input("q"), a.input("k"), a.input("v"),
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
  const Attended attended = attend_near(general_score(h, k, a.param("Wa")), k, p, a.option("sigma", 1.0));
  return {{"p", p}, {"weights", attended.weights}, {"context", attended.context}};
}

Results alibi(const Arguments& a) {
  const Tensor q = a.input("q"), k = a.input("k");
  const Tensor bias = alibi_bias(q.shape()[-3], q.shape()[-2], k.shape()[-2]);
  const Attended attended = scaled_dot_product_attention(q, k, a.input("v"), bias);
  return {{"weights", attended.weights}, {"y", attended.context}};
}

Results linear_attention(const Arguments& a) {
  if (const std::string map = a.option<std::string>("feature_map", "elu(x)+1"); map != "elu(x)+1")
    throw Skip("the engine has no feature map \"" + map + "\" yet");
  const Tensor q = elu(a.input("q")) + 1, k = elu(a.input("k")) + 1;
  const Tensor all = matmul(q, k, Transposed::b);  // (B, T, S)
  const Tensor similarity = a.option("causal", false) ? all * ones_to_the_left(q.shape()[-2]) : all;
  return {{"y", matmul(similarity, a.input("v")) / sum(similarity, -1, true)}};
}

}  // namespace unroll::conform
