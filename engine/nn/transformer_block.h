// The blocks of the Transformer: attention mixes positions, a feed-forward network works on each by itself, and both
// add to what came in.
//
// Letters: B batch, T positions of x, S positions looked at, D model size, N heads, F hidden values of the feed-forward
// network.
#pragma once

#include <string>

#include "engine/nn/feed_forward.h"
#include "engine/nn/multi_head.h"
#include "engine/nn/norm.h"

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
  double dropout = 0;  // of what each sub-layer adds (Vaswani et al. 2017, §5.4)
};

// The norm of one sub-layer: `before` it in a pre-norm block, `after` its sum in a post-norm block; the other does
// nothing. On the tape it stands in the scope of its name.
class BlockNorm {
 public:
  BlockNorm(const BlockOptions& options, Parameters& parameters, const std::string& block, const std::string& name);
  BlockNorm(NormPlace place, Norm norm, std::string name);

  Tensor before(Operand x) const { return place_ == NormPlace::pre ? normalised(pass_on(x)) : Tensor(x); }
  Tensor after(Operand x) const { return place_ == NormPlace::post ? normalised(pass_on(x)) : Tensor(x); }

 private:
  Tensor normalised(Operand x) const;

  NormPlace place_;
  Norm norm_;
  std::string name_;
};

// What a block makes of x.
struct BlockOutput {
  Tensor x;             // (B, T, D)
  Tensor weights = {};  // (B, N, T, S), where the block looked: at its own positions, a decoder block at the memory
};

// Self-attention and feed-forward network. With a causal mask it is the block of a decoder-only language model.
//
// Parameters name.attention.W_Q.weight …, name.norm1.weight, name.feed_forward.W_1.weight …, name.norm2.weight. On the
// tape, in the scope that the caller opens: norm1/normed, attention/α, feed_forward/hidden, norm2/normed, and the sums
// "after attention" and "after feed_forward".
class EncoderBlock {
 public:
  EncoderBlock(const BlockOptions& options, Parameters& parameters, const std::string& name);
  EncoderBlock(MultiHeadAttention attention, BlockNorm norm1, FeedForward feed_forward, BlockNorm norm2,
               double dropout = 0);

  // x (B, T, D). The mask is additive and broadcasts against (B, N, T, T).
  BlockOutput operator()(Operand x, const Tensor& mask = {}) const;

  // The same for x behind the positions of `past`, which it looks at as well and which holds those of x afterwards: a
  // KV cache. Position by position, nothing hidden by the mask, it gives the bits of the whole pass with a causal mask.
  BlockOutput advance(Operand x, KeysValues& past, const Tensor& mask = {}) const;

 private:
  MultiHeadAttention attention_;
  BlockNorm norm1_;
  FeedForward feed_forward_;
  BlockNorm norm2_;
  double dropout_;
};

// Self-attention, attention to the memory that an encoder left, and feed-forward network. (Vaswani et al. 2017, §3.1.)
//
// Parameters name.self_attention…, name.norm1…, name.cross_attention…, name.norm2…, name.feed_forward…, name.norm3…,
// and the scopes of these names on the tape, with the sums "after self_attention", "after cross_attention" and
// "after feed_forward". Rotary positions turn what stands between target and memory too.
class DecoderBlock {
 public:
  DecoderBlock(const BlockOptions& options, Parameters& parameters, const std::string& name);
  DecoderBlock(MultiHeadAttention self_attention, BlockNorm norm1, MultiHeadAttention cross_attention, BlockNorm norm2,
               FeedForward feed_forward, BlockNorm norm3, double dropout = 0);

  // Keys and values of the memory (B, S, D): computed once, looked at from every position.
  KeysValues read(Operand memory) const;

  // x (B, T, D) behind the positions of `past`, as in EncoderBlock; the masks broadcast against (B, N, T, past and T)
  // and (B, N, T, S).
  BlockOutput advance(Operand x, KeysValues& past, const KeysValues& memory, const Tensor& mask = {},
                      const Tensor& memory_mask = {}) const;

 private:
  MultiHeadAttention self_attention_;
  BlockNorm norm1_;
  MultiHeadAttention cross_attention_;
  BlockNorm norm2_;
  FeedForward feed_forward_;
  BlockNorm norm3_;
  double dropout_;
};

// The numbers in the weights of a norm and of a block, and about how many a training step holds for one position of x
// that looks at S positions, gradients among them.
double norm_parameters(const BlockOptions& options);
double block_parameters(const BlockOptions& options, bool cross);
double block_activations(const BlockOptions& options, bool cross, int S);

}  // namespace unroll
