// ONNX's Attention on the engine's attention: heads are an axis of the batch. (ONNX operator set 24, Attention.)
#include <cmath>

#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/masks.h"
#include "tests/conform/onnx.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

enum Place { query, key, value, attn_mask, past_key, past_value, nonpad_kv_seqlen };

// (B, T, N · size) → (B, N, T, size).
Tensor split_heads(const Tensor& x, int heads) {
  if (x.rank() == 4) return x;
  if (heads < 1 || x.shape()[-1] % heads != 0) throw std::runtime_error("its heads do not divide its size");
  return permute(reshape(x, {x.shape()[0], x.shape()[1], heads, x.shape()[2] / heads}), {0, 2, 1, 3});
}

// (B, N, T, size) → (B, T, N · size).
Tensor join_heads(const Tensor& x) {
  const Shape& shape = x.shape();
  return reshape(permute(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

// Repeats each head, with copies adjacent, to make `heads` of them.
Tensor repeat_heads(const Tensor& x, int heads) {
  const Shape& shape = x.shape();
  if (shape[1] == heads) return x;
  std::vector<Operand> copies;
  for (int head = 0; head < heads; ++head) copies.push_back(slice(x, 1, head * shape[1] / heads, 1));
  return concat(copies, 1);
}

Tensor with_past(const Tensor& past, const Tensor& x) { return past ? concat({past, x}, 2) : x; }

// The mask's last axis may be shorter than the keys; keys beyond it are hidden.
Tensor given_mask(const Node& node, int keys) {
  const Tensor given = node.optional(attn_mask);
  if (!given) return Tensor::full({1, 1}, 0);
  const Tensor mask = node.is_bool(attn_mask) ? hidden_where(given, false) : given;
  const int missing = keys - mask.shape()[-1];
  return missing > 0 ? concat({mask, Tensor::full(mask.shape().with(-1, missing), masked)}, -1) : mask;
}

// (B, 1, T, S): query i sees key j when j ≤ i + offset[b], and when j < length[b].
Tensor visible(const std::vector<int>& offsets, const std::vector<int>& lengths, int queries, int keys) {
  Tensor mask({static_cast<int>(offsets.size()), 1, queries, keys});
  Scalar* at = mask.data();
  for (std::size_t b = 0; b < offsets.size(); ++b)
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j) *at++ = j <= i + offsets[b] && j < lengths[b] ? Scalar(0) : masked;
  return mask;
}

Tensor whole_mask(const Node& node, int batch, int queries, int keys) {
  const Tensor counted = node.optional(nonpad_kv_seqlen), past = node.optional(past_key);
  std::vector<int> offsets(batch, keys), lengths(batch, keys);
  for (int b = 0; b < batch; ++b) {
    if (counted) lengths[b] = static_cast<int>(counted.data()[b]);
    if (node.attribute("is_causal", 0) == 0) continue;
    offsets[b] = past ? past.shape()[2] : counted ? lengths[b] - queries : 0;
  }
  return given_mask(node, keys) + visible(offsets, lengths, queries, keys);
}

Tensor softcapped(const Tensor& e, double cap) { return cap > 0 ? cap * tanh(e / cap) : e; }

// The scores for the fourth output: 0 raw, 1 after the soft cap, 2 with the mask, 3 the weights.
Tensor shown_scores(int mode, const Tensor& e, const Tensor& capped, const Tensor& mask, const Tensor& weights) {
  switch (mode) {
    case 0:
      return e;
    case 1:
      return capped;
    case 2:
      return capped + mask;
    default:
      return weights;
  }
}

}  // namespace

ONNX(Attention) {
  const int kv_heads = node.attribute("kv_num_heads", 0);
  const Tensor q = split_heads(node[query], node.attribute("q_num_heads", 0));
  const Tensor k = with_past(node.optional(past_key), split_heads(node[key], kv_heads));
  const Tensor v = with_past(node.optional(past_value), split_heads(node[value], kv_heads));
  const int heads = q.shape()[1], keys = k.shape()[2];

  const double default_scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Tensor repeated = repeat_heads(k, heads);
  const Tensor e = node.has("scale") ? dot_score(q, repeated) * node.attribute("scale", default_scale)
                                     : scaled_dot_score(q, repeated);
  const Tensor capped = softcapped(e, node.attribute("softcap", 0.0));
  const Tensor mask = whole_mask(node, q.shape()[0], q.shape()[2], keys);
  const AttentionOutput attended = attend(capped, repeat_heads(v, heads), mask);

  return {node[query].rank() == 3 ? join_heads(attended.context) : attended.context, k, v,
          shown_scores(node.attribute("qk_matmul_output_mode", 0), e, capped, mask, attended.weights)};
}

}  // namespace unroll::conform
