// Scores, attention with dot products, windows, penalties and without a matrix of scores, and multi-head attention.
#include "engine/nn/attention/attention.h"

#include <cmath>

#include "engine/nn/attention/efficient_attention.h"
#include "engine/nn/attention/source_attention.h"
#include "engine/nn/positions.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

// A score that is a sum over tanh: without projections and weights it is the additive one with identities and ones.
Tensor identity(int size) {
  Tensor result = Tensor::full({size, size}, 0);
  for (int i = 0; i < size; ++i) result.data()[i * size + i] = 1;
  return result;
}

Tensor plain_additive(const Tensor& q, const Tensor& k) {
  const int size = q.shape()[-1];
  const Tensor same = identity(size);
  return additive_score(q, k, same, same, Tensor::full({size}, 0), Tensor::full({size}, 1));
}

Tensor additive(const Arguments& a, const Tensor& q, const Tensor& k) {
  const Tensor W = a.param("W");
  return additive_score(q, k, W, a.param("U"), a.param_or("b", Tensor::full({W.shape()[0]}, 0)), a.param("v"));
}

// AllenNLP's divides by the root of a given scale instead of the vectors' size.
Tensor scaled_dot(const Arguments& a, const Tensor& q, const Tensor& k) {
  const double scale = a.option("scale", 0.0);
  return scale > 0 ? dot_score(q, k) / std::sqrt(scale) : scaled_dot_score(q, k);
}

Tensor score_of(const std::string& kind, const Arguments& a, const Tensor& q, const Tensor& k) {
  if (kind == "dot") return dot_score(q, k);
  if (kind == "scaled_dot") return scaled_dot(a, q, k);
  if (kind == "cosine") return cosine_score(q, k);
  if (kind == "cosine_t") return cosine_score(q, k, a.param("beta"));
  if (kind == "general") return general_score(q, k, a.param("W"));
  if (kind == "biased_general") return general_score(q, k, a.param("W"), a.param("b"));
  if (kind == "concat") return concat_score(q, k, a.param("W"), a.param("v"));
  if (kind == "location") return location_score(q, k, a.param("W"));
  if (kind == "additive") return additive(a, q, k);
  if (kind == "sum(tanh(q+k))") return plain_additive(q, k);
  if (kind == "linear" || kind == "w.[q;k]+b")
    return linear_score(q, k, a.param("w"), a.param_or("b", Tensor::full({1}, 0)));
  throw Skip("the engine has no score function \"" + kind + "\" yet");
}

// The padding mask (B, 1, S), if any; True = padding.
Tensor mask_of(const Arguments& a) {
  const Tensor marks = a.optional_input("key_padding_mask");
  if (!marks) return {};
  return marks.rank() == 2 ? padding_mask(marks) : hidden_where(marks, true);
}

// The shape of a result for queries without an axis of their own: (B, 1, …) → (B, …).
Tensor one_query(const Tensor& x, bool single) { return single ? reshape(x, x.shape().without(x.rank() - 2)) : x; }

Tensor rows(const Tensor& x, int block, int size) { return x ? slice(x, 0, block * size, size) : x; }

// The weights of queries (block 0), keys (1) and values (2): in one tensor or, if their widths differ, in three.
Linear in_projection(const Arguments& a, int block, const char* alone, int size) {
  const Tensor together = a.optional_param_ending("in_proj_weight");
  const Tensor weight = together ? rows(together, block, size) : a.param_ending(alone);
  return Linear(weight, rows(a.optional_param_ending("in_proj_bias"), block, size));
}

// Boolean masks hide; numeric masks are added.
Tensor additive_mask(const Arguments& a, const char* name) {
  const Tensor given = a.optional_input(name);
  return given && !a.is_real(name) ? hidden_where(given, true) : given;
}

// (T, S), or (B · N, T, S) with a mask for each head.
Tensor score_mask(const Arguments& a, int heads) {
  const Tensor mask = additive_mask(a, "attn_mask");
  if (!mask || mask.rank() == 2) return mask;
  return reshape(mask, {mask.shape()[0] / heads, heads, mask.shape()[1], mask.shape()[2]});
}

Tensor key_mask(const Arguments& a) {
  const Tensor mask = additive_mask(a, "key_padding_mask");  // (B, S)
  return mask ? reshape(mask, {mask.shape()[0], 1, 1, mask.shape()[1]}) : mask;
}

Results named(const AttentionOutput& found) { return {{"y", found.context}, {"weights", found.weights}}; }

// Every score function, then softmax over the keys and the mix of the values.
CASES(attention_score) {
  const Tensor k = a.input("k"), given_q = a.input("q"), v = a.input_or("v", k), mask = mask_of(a);
  const bool single = given_q.rank() == k.rank() - 1;  // one query a row: (B, Q)
  const Tensor q = single ? reshape(given_q, given_q.shape().inserted(given_q.rank() - 1)) : given_q;
  const Tensor e = score_of(a.option<std::string>("score", ""), a, q, k);
  const AttentionOutput attended = attend(e, v, mask);
  Results results = {{"scores", one_query(e, single)},
                     {"weights", one_query(attended.weights, single)},
                     {"context", one_query(attended.context, single)}};
  for (const Json& temperature : a.option("temperatures", Json::array()))
    results["weights_T" + temperature.dump()] =
        one_query(attend(e, v, mask, temperature.get<double>()).weights, single);
  return results;
}

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

// In PyTorch's form, and with grouped heads.
CASES(mha) {
  const int D = a.config().at("embed_dim"), heads = a.config().at("num_heads");
  const Tensor x = a.input("q"), of_keys = a.input_or("k", x), of_values = a.input_or("v", of_keys);
  const MultiHeadAttention layer(
      {.model = D, .heads = heads},
      {.W_Q = in_projection(a, 0, "q_proj_weight", D),
       .W_K = in_projection(a, 1, "k_proj_weight", D),
       .W_V = in_projection(a, 2, "v_proj_weight", D),
       .W_O = Linear(a.param_ending("out_proj.weight"), a.optional_param_ending("out_proj.bias"))});
  return named(layer(x, of_keys, of_values, combined_mask(score_mask(a, heads), key_mask(a))));
}

CASES(gqa) {
  const int heads = a.config().at("heads"), groups = a.config().at("kv_heads");
  const Tensor x = a.input("x");  // (B, T, D)
  const MultiHeadAttention layer({.model = x.shape()[2], .heads = heads, .key_value_heads = groups},
                                 {.W_Q = without_bias(a, "wq"),
                                  .W_K = without_bias(a, "wk"),
                                  .W_V = without_bias(a, "wv"),
                                  .W_O = without_bias(a, "wo")});
  const int T = x.shape()[1];
  return named(layer(x, x, x, a.option("causal", true) ? causal_mask(T, T) : Tensor()));
}

}  // namespace
}  // namespace unroll::conform
