#include "engine/nn/transformer_block.h"

#include "engine/autograd/tape.h"
#include "engine/nn/layers/position_wise.h"

namespace unroll {
namespace {

// `cache` with the positions of `now` appended. (B, G, S, K)
KeysValues append(const KeysValues& cache, const KeysValues& now) {
  if (!cache.keys) return now;
  return {concat({cache.keys, now.keys}, 2), concat({cache.values, now.values}, 2)};
}

// x (B, T, D) attends to the cached positions and to itself.
AttentionOutput attend_to_self(const char* name, const MultiHeadAttention& attention, Operand x, KeysValues& cache,
                               const Tensor& mask) {
  Scope scope(name, x.where);
  const int position = cached_length(cache);
  cache = append(cache, attention.keys_and_values(x, x, position));
  return attention.attend_to(x, cache, mask, position);
}

AttentionOutput attend_to_memory(const MultiHeadAttention& attention, Operand x, const KeysValues& memory,
                                 const Tensor& mask, int position) {
  Scope scope("cross_attention", x.where);
  return attention.attend_to(x, memory, mask, position);
}

Tensor apply_feed_forward(const LayerFunction& feed_forward, Operand x) {
  Scope scope("feed_forward", x.where);
  return feed_forward(x);
}

// Cross-attention keeps rotary positions: target position t is rotated like source position t, which tells it roughly
// where to attend; among tokens that are alike, nothing else does. It drops ALiBi, whose penalty is for the distance
// between two positions of one sequence.
MultiHeadOptions cross_attention_options(MultiHeadOptions options) {
  if (options.relative == MultiHeadOptions::Relative::alibi) options.relative = MultiHeadOptions::Relative::none;
  return options;
}

LayerFunction make_feed_forward(const BlockOptions& options, Parameters& parameters, const std::string& block) {
  const std::string name = block + ".feed_forward";
  const int D = options.attention.model;
  return replaced_or(parameters.parts().feed_forward(name, D),
                     [&] { return FeedForward(options.activation, parameters, name, D, options.feed_forward); });
}

}  // namespace

LayerFunction make_norm(const BlockOptions& options, Parameters& parameters, const std::string& name) {
  const int D = options.attention.model;
  return replaced_or(parameters.parts().norm(name, D), [&] { return Norm(options.norm, parameters, name, D); });
}

BlockNorm::BlockNorm(const BlockOptions& options, Parameters& parameters, const std::string& block,
                     const std::string& name)
    : BlockNorm(options.place, make_norm(options, parameters, block + "." + name), name) {}

BlockNorm::BlockNorm(NormPlace place, LayerFunction norm, std::string name)
    : place_(place), norm_(std::move(norm)), name_(std::move(name)) {}

Tensor BlockNorm::normalised(Operand x) const {
  Scope scope(name_, x.where);
  return norm_(x);
}

TransformerBlock::TransformerBlock(const BlockOptions& options, Parameters& parameters, const std::string& name)
    : attention_(options.attention, parameters, name + ".attention"),
      norm1_(options, parameters, name, "norm1"),
      feed_forward_(make_feed_forward(options, parameters, name)),
      norm2_(options, parameters, name, "norm2"),
      dropout_(options.dropout) {}

TransformerBlock::TransformerBlock(MultiHeadAttention attention, BlockNorm norm1, LayerFunction feed_forward,
                                   BlockNorm norm2, double dropout)
    : attention_(std::move(attention)),
      norm1_(std::move(norm1)),
      feed_forward_(std::move(feed_forward)),
      norm2_(std::move(norm2)),
      dropout_(dropout) {}

BlockOutput TransformerBlock::operator()(Operand x, const Tensor& mask) const {
  KeysValues none;
  return advance(x, none, mask);
}

BlockOutput TransformerBlock::advance(Operand x, KeysValues& cache, const Tensor& mask) const {
  const Tensor a = norm1_.before(x);                                                   // (B, T, D)
  const auto [c, weights] = attend_to_self("attention", attention_, a, cache, mask);   // (B, T, D), (B, N, T, S)
  const Tensor h = norm1_.after((x + dropout(c, dropout_)).as("after attention"));     // (B, T, D)
  const Tensor f = apply_feed_forward(feed_forward_, norm2_.before(h));                // (B, T, D)
  const Tensor y = norm2_.after((h + dropout(f, dropout_)).as("after feed_forward"));  // (B, T, D)
  return {y, weights};
}

std::unique_ptr<const Block> Parts::block(const std::string&, int) const { return nullptr; }

std::unique_ptr<const Block> make_block(const BlockOptions& options, Parameters& parameters, const std::string& name) {
  return replaced_or(parameters.parts().block(name, options.attention.model),
                     [&] { return std::make_unique<TransformerBlock>(options, parameters, name); });
}

DecoderBlock::DecoderBlock(const BlockOptions& options, Parameters& parameters, const std::string& name)
    : self_attention_(options.attention, parameters, name + ".self_attention"),
      norm1_(options, parameters, name, "norm1"),
      cross_attention_(cross_attention_options(options.attention), parameters, name + ".cross_attention"),
      norm2_(options, parameters, name, "norm2"),
      feed_forward_(make_feed_forward(options, parameters, name)),
      norm3_(options, parameters, name, "norm3"),
      dropout_(options.dropout) {}

DecoderBlock::DecoderBlock(MultiHeadAttention self_attention, BlockNorm norm1, MultiHeadAttention cross_attention,
                           BlockNorm norm2, LayerFunction feed_forward, BlockNorm norm3, double dropout)
    : self_attention_(std::move(self_attention)),
      norm1_(std::move(norm1)),
      cross_attention_(std::move(cross_attention)),
      norm2_(std::move(norm2)),
      feed_forward_(std::move(feed_forward)),
      norm3_(std::move(norm3)),
      dropout_(dropout) {}

KeysValues DecoderBlock::project_memory(Operand memory) const {
  Scope scope("cross_attention", memory.where);
  return cross_attention_.keys_and_values(memory, memory);
}

BlockOutput DecoderBlock::advance(Operand x, KeysValues& cache, const KeysValues& memory, const Tensor& mask,
                                  const Tensor& memory_mask) const {
  const int position = cached_length(cache);
  const Tensor a = norm1_.before(x);                                                           // (B, T, D)
  const Tensor s = attend_to_self("self_attention", self_attention_, a, cache, mask).context;  // (B, T, D)
  const Tensor g = norm1_.after((x + dropout(s, dropout_)).as("after self_attention"));        // (B, T, D)
  const Tensor b = norm2_.before(g);                                                           // (B, T, D)
  const auto [c, weights] =
      attend_to_memory(cross_attention_, b, memory, memory_mask, position);               // (B, T, D), (B, N, T, S)
  const Tensor h = norm2_.after((g + dropout(c, dropout_)).as("after cross_attention"));  // (B, T, D)
  const Tensor f = apply_feed_forward(feed_forward_, norm3_.before(h));                   // (B, T, D)
  const Tensor y = norm3_.after((h + dropout(f, dropout_)).as("after feed_forward"));     // (B, T, D)
  return {y, weights};
}

}  // namespace unroll
