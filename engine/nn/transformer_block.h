// Transformer blocks: attention mixes positions, a feed-forward network acts on each position by itself, and each adds
// its output to its input.
//
// Letters: B batch, T positions of x, S positions attended to, D model size, N heads, F hidden size of the feed-forward
// network.
#pragma once

#include <memory>
#include <string>

#include "engine/nn/attention/multi_head.h"
#include "engine/nn/layers/position_wise.h"

namespace unroll {

// Where the norm of a sub-layer f stands:
//   post: norm(x + f(x)) (Vaswani et al. 2017, §3.1)
//   pre:  x + f(norm(x)), with one more norm after the last block (Xiong et al. 2020, §3)
enum class NormPlace { pre, post };

struct BlockOptions {
  MultiHeadOptions attention;  // its `model` is D
  int feed_forward = 0;        // F
  Activation activation = Activation::relu;
  NormKind norm = NormKind::layer;
  NormPlace place = NormPlace::pre;
  double dropout = 0;  // on the output of each sub-layer (Vaswani et al. 2017, §5.4)
};

// A Norm, or its replacement.
LayerFunction make_norm(const BlockOptions& options, Parameters& parameters, const std::string& name);

// The norm of one sub-layer: pre-norm applies it in `before`, to the input; post-norm in `after`, to the sum. The other
// call is the identity. Recorded in the scope `name`.
class BlockNorm {
 public:
  BlockNorm(const BlockOptions& options, Parameters& parameters, const std::string& block, const std::string& name);
  BlockNorm(NormPlace place, LayerFunction norm, std::string name);

  Tensor before(Operand x) const { return place_ == NormPlace::pre ? normalised(forward_operand(x)) : Tensor(x); }
  Tensor after(Operand x) const { return place_ == NormPlace::post ? normalised(forward_operand(x)) : Tensor(x); }

 private:
  Tensor normalised(Operand x) const;

  NormPlace place_;
  LayerFunction norm_;
  std::string name_;
};

struct BlockOutput {
  Tensor x;             // (B, T, D)
  Tensor weights = {};  // (B, N, T, S): attention weights; in a decoder block, those over the memory
};

// A block whose only sequence is its input.
class Block {
 public:
  virtual ~Block() = default;

  // x (B, T, D). The mask is additive and broadcasts against (B, N, T, T).
  virtual BlockOutput operator()(Operand x, const Tensor& mask = {}) const = 0;

  // The same for x at the positions after those in `cache`, a KV cache: x also attends to the cached positions, and its
  // own keys and values are appended. One position at a time without a mask, the result has the same bits as one pass
  // over all positions with a causal mask.
  virtual BlockOutput advance(Operand x, KeysValues& cache, const Tensor& mask = {}) const = 0;
  // A block without a cache is given all positions at once.
  virtual bool has_cache() const { return true; }
};

// Self-attention and feed-forward network: the block of an encoder, and with a causal mask that of a decoder-only
// language model.
//
// Parameters name.attention.W_Q.weight …, name.norm1.weight, name.feed_forward.W_1.weight …, name.norm2.weight.
// Recorded inside the caller's scope: norm1/normed, attention/α, feed_forward/hidden, norm2/normed, and the sums
// "after attention" and "after feed_forward".
class TransformerBlock : public Block {
 public:
  TransformerBlock(const BlockOptions& options, Parameters& parameters, const std::string& name);
  TransformerBlock(MultiHeadAttention attention, BlockNorm norm1, LayerFunction feed_forward, BlockNorm norm2,
                   double dropout = 0);

  BlockOutput operator()(Operand x, const Tensor& mask = {}) const override;
  BlockOutput advance(Operand x, KeysValues& cache, const Tensor& mask = {}) const override;

 private:
  MultiHeadAttention attention_;
  BlockNorm norm1_;
  LayerFunction feed_forward_;  // a FeedForward, or its replacement
  BlockNorm norm2_;
  double dropout_;
};

// A TransformerBlock, or its replacement.
std::unique_ptr<const Block> make_block(const BlockOptions& options, Parameters& parameters, const std::string& name);

// Self-attention, cross-attention to the encoder's output (the memory), and feed-forward network. (Vaswani et al. 2017,
// §3.1.)
//
// Parameters name.self_attention…, name.norm1…, name.cross_attention…, name.norm2…, name.feed_forward…, name.norm3…,
// recorded in scopes of these names, with the sums "after self_attention", "after cross_attention" and
// "after feed_forward". Rotary positions apply to cross-attention too, ALiBi does not.
class DecoderBlock {
 public:
  DecoderBlock(const BlockOptions& options, Parameters& parameters, const std::string& name);
  DecoderBlock(MultiHeadAttention self_attention, BlockNorm norm1, MultiHeadAttention cross_attention, BlockNorm norm2,
               LayerFunction feed_forward, BlockNorm norm3, double dropout = 0);

  // Keys and values of the memory (B, S, D), computed once and attended to from every target position.
  KeysValues project_memory(Operand memory) const;

  // x (B, T, D) at the positions after the P in `cache`, as in TransformerBlock. `mask` broadcasts against (B, N, T, P
  // + T), `memory_mask` against (B, N, T, S).
  BlockOutput advance(Operand x, KeysValues& cache, const KeysValues& memory, const Tensor& mask = {},
                      const Tensor& memory_mask = {}) const;

 private:
  MultiHeadAttention self_attention_;
  BlockNorm norm1_;
  MultiHeadAttention cross_attention_;
  BlockNorm norm2_;
  LayerFunction feed_forward_;  // a FeedForward, or its replacement
  BlockNorm norm3_;
  double dropout_;
};

}  // namespace unroll
