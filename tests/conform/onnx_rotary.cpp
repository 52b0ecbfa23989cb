// ONNX's RotaryEmbedding on the engine's rotation of pairs. (ONNX operator set 23.)
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/positions.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

enum Place { vectors, cosines, sines, position_ids };

// (B, T, pairs): with position ids, the node gives a table (positions, pairs) from which they select rows.
Tensor angles(const Node& node, Place place) {
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

}  // namespace

ONNX(RotaryEmbedding) {
  const Tensor& x = node[vectors];
  if (x.rank() == 4) return {turned(node, x)};
  return {join_heads(turned(node, split_heads(x, node.attribute("num_heads", 1))))};
}

}  // namespace unroll::conform
