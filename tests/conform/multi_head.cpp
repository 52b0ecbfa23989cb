// Multi-head attention, in PyTorch's form and with grouped heads.
#include "engine/nn/attention/masks.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

Tensor rows(const Tensor& x, int block, int size) { return x ? slice(x, 0, block * size, size) : x; }

// The weights of queries (block 0), keys (1) and values (2): in one tensor or, if their widths differ, in three.
Linear in_projection(const Arguments& a, int block, const char* alone, int size) {
  const Tensor together = a.optional_param_ending("in_proj_weight");
  const Tensor weight = together ? rows(together, block, size) : a.param_ending(alone);
  return Linear(weight, rows(a.optional_param_ending("in_proj_bias"), block, size));
}

// Boolean masks hide; numeric masks are added.
Tensor additive(const Arguments& a, const char* name) {
  const Tensor given = a.optional_input(name);
  return given && !a.is_real(name) ? hidden_where(given, true) : given;
}

// (T, S), or (B · N, T, S) with a mask for each head.
Tensor score_mask(const Arguments& a, int heads) {
  const Tensor mask = additive(a, "attn_mask");
  if (!mask || mask.rank() == 2) return mask;
  return reshape(mask, {mask.shape()[0] / heads, heads, mask.shape()[1], mask.shape()[2]});
}

Tensor key_mask(const Arguments& a) {
  const Tensor mask = additive(a, "key_padding_mask");  // (B, S)
  return mask ? reshape(mask, {mask.shape()[0], 1, 1, mask.shape()[1]}) : mask;
}

Tensor input_or(const Arguments& a, const char* name, const Tensor& otherwise) {
  const Tensor given = a.optional_input(name);
  return given ? given : otherwise;
}

Results named(const AttentionOutput& found) { return {{"y", found.context}, {"weights", found.weights}}; }

}  // namespace

CASES(mha) {
  const int D = a.config().at("embed_dim"), heads = a.config().at("num_heads");
  const Tensor x = a.input("q"), of_keys = input_or(a, "k", x), of_values = input_or(a, "v", of_keys);
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
  const auto without_bias = [&](const char* name) { return Linear(a.param(name), Tensor()); };
  const MultiHeadAttention layer(
      {.model = x.shape()[2], .heads = heads, .key_value_heads = groups},
      {.W_Q = without_bias("wq"), .W_K = without_bias("wk"), .W_V = without_bias("wv"), .W_O = without_bias("wo")});
  const int T = x.shape()[1];
  return named(layer(x, x, x, a.option("causal", true) ? causal_mask(T, T) : Tensor()));
}

}  // namespace unroll::conform
