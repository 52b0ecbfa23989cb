// ONNX's Attention on the engine's attention: heads are an axis of the batch (ONNX operator set 24); and its
// RotaryEmbedding on the engine's rotation of pairs (set 23).
#include "engine/nn/positions.h"
#include "tests/conform/onnx.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

enum Place { query, key, value, attn_mask, past_key, past_value, nonpad_kv_seqlen };

// (B, T, N · size) → (B, N, T, size).
Tensor with_heads(const Tensor& x, int heads) {
  if (x.rank() == 4) return x;
  if (heads < 1 || x.shape()[-1] % heads != 0) throw std::runtime_error("its heads do not divide its size");
  return split_heads(x, heads);
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

ONNX(Attention) {
  const int kv_heads = node.attribute("kv_num_heads", 0);
  const Tensor q = with_heads(node[query], node.attribute("q_num_heads", 0));
  const Tensor k = with_past(node.optional(past_key), with_heads(node[key], kv_heads));
  const Tensor v = with_past(node.optional(past_value), with_heads(node[value], kv_heads));
  const int heads = q.shape()[1], keys = k.shape()[2];

  const Tensor repeated = repeat_kv(k, heads);
  const Tensor e =
      node.has("scale") ? dot_score(q, repeated) * node.attribute("scale", 1.0) : scaled_dot_score(q, repeated);
  const Tensor capped = softcapped(e, node.attribute("softcap", 0.0));
  const Tensor mask = whole_mask(node, q.shape()[0], q.shape()[2], keys);
  const AttentionOutput attended = attend(capped, repeat_kv(v, heads), mask);

  const Tensor shown[] = {e, capped, capped + mask, attended.weights};  // the scores as the mode asks for them
  return {node[query].rank() == 3 ? join_heads(attended.context) : attended.context, k, v,
          shown[node.attribute("qk_matmul_output_mode", 0)]};
}

enum RotaryPlace { vectors, cosines, sines, position_ids };

// (B, T, pairs): with position ids, the node gives a table (positions, pairs) from which they select rows.
Tensor angles(const Node& node, RotaryPlace place) {
  const Tensor ids = node.optional(position_ids);
  return ids ? gather(node[place], ids) : node[place];
}

// Rotates the first values of each vector, or all if the node gives no number; each sequence of the batch has its own
// angles. x (B, N, T, size)
Tensor turned(const Node& node, const Tensor& x) {
  const bool interleaved = node.attribute("interleaved", 0) != 0;
  const Tensor cosine = angles(node, cosines), sine = angles(node, sines);
  const int size = x.shape()[-1], given = node.attribute("rotary_embedding_dim", 0), turning = given ? given : size;
  std::vector<Operand> sequences;
  for (int b = 0; b < x.shape()[0]; ++b) {
    const auto own = [&](const Tensor& of_all) { return reshape(slice(of_all, 0, b, 1), of_all.shape().without(0)); };
    sequences.emplace_back(rotate_pairs(slice(slice(x, 0, b, 1), -1, 0, turning), own(cosine), own(sine), interleaved));
  }
  return concat({concat(sequences, 0), slice(x, -1, turning, size - turning)}, -1);
}

ONNX(RotaryEmbedding) {
  const Tensor& x = node[vectors];
  if (x.rank() == 4) return {turned(node, x)};
  return {join_heads(turned(node, with_heads(x, node.attribute("num_heads", 1))))};
}

}  // namespace
}  // namespace unroll::conform
