#include "engine/nn/transformer_block.h"

#include "engine/autograd/tape.h"
#include "engine/nn/layers/dropout.h"

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

Tensor apply_feed_forward(const FeedForward& feed_forward, Operand x) {
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

FeedForward make_feed_forward(const BlockOptions& options, Parameters& parameters, const std::string& name) {
  const LayerFunction* instead = options.parts->feed_forward(name + ".feed_forward", options.attention.model);
  if (instead) return FeedForward(*instead);
  return {options.activation, parameters, name + ".feed_forward", options.attention.model, options.feed_forward};
}

}  // namespace

BlockNorm::BlockNorm(const BlockOptions& options, Parameters& parameters, const std::string& block,
                     const std::string& name)
    : place_(options.place),
      norm_(options.norm, parameters, block + "." + name, options.attention.model, *options.parts),
      name_(name) {}

BlockNorm::BlockNorm(NormPlace place, Norm norm, std::string name)
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

TransformerBlock::TransformerBlock(MultiHeadAttention attention, BlockNorm norm1, FeedForward feed_forward,
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
  std::unique_ptr<const Block> instead = options.parts->block(name, options.attention.model);
  return instead ? std::move(instead) : std::make_unique<TransformerBlock>(options, parameters, name);
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
                           BlockNorm norm2, FeedForward feed_forward, BlockNorm norm3, double dropout)
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

double norm_parameters(const BlockOptions& options) {
  return (options.norm == NormKind::layer ? 2.0 : 1.0) * options.attention.model;
}

double block_parameters(const BlockOptions& options, bool cross) {
  const MultiHeadOptions o = with_defaults(options.attention);
  const double D = o.model, F = options.feed_forward, N = o.heads, G = o.key_value_heads;
  const double K = o.head_size, V = o.value_size, biases = o.bias ? N * K + G * (K + V) + D : 0;
  const double attention = N * K * D + G * K * o.key_input + G * V * o.value_input + D * N * V + biases;
  const double feed_forward = options.activation == Activation::swiglu ? 3 * D * F : 2 * D * F + F + D;
  const double parts = cross ? 2 : 1;
  return parts * attention + feed_forward + (parts + 1) * norm_parameters(options);
}

double block_activations(const BlockOptions& options, bool cross, int S) {
  const double D = options.attention.model, N = options.attention.heads;
  constexpr double of_features = 11, of_scores = 2;
  const double of_hidden = options.activation == Activation::relu ? 2 : 4.5;
  return (cross ? 1.7 : 1) * of_features * D + of_hidden * options.feed_forward + (cross ? 2 : 1) * of_scores * N * S;
}

}  // namespace unroll
