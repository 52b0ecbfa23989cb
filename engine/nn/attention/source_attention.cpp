#include "engine/nn/attention/source_attention.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/nn/positions.h"

namespace unroll {
namespace {

std::optional<Linear> projection(Projection kind, Parameters& parameters, const std::string& name, int in, int out) {
  if (kind == Projection::none) return std::nullopt;
  return Linear(parameters, name, in, out);
}

Tensor activated(Projection kind, Operand y) {
  if (kind == Projection::tanh) return tanh(y);
  if (kind == Projection::sigmoid) return sigmoid(y);
  return kind == Projection::relu ? relu(y) : y;
}

Tensor projected(Projection kind, const std::optional<Linear>& W, Operand x, const char* name) {
  if (kind == Projection::none) return x;
  return activated(kind, (*W)(forward_operand(x))).as(name);
}

int projected_size(Projection kind, int size, int attention) { return kind == Projection::none ? size : attention; }

ScoreSizes score_sizes(const SourceAttentionOptions& options) {
  return {.query = projected_size(options.queries, options.query, options.attention),
          .key = projected_size(options.keys, options.state, options.attention),
          .attention = options.attention,
          .positions = options.positions};
}

Tensor last_positions(const std::vector<int>& lengths) {
  Tensor last({static_cast<int>(lengths.size()), 1});
  std::ranges::transform(lengths, last.data(), [](int length) { return static_cast<Scalar>(length - 1); });
  return last;
}

// Hides padding and, for local-m, the keys outside the window.
Tensor mask_at(int position, const Memory& memory, const SourceAttentionOptions& options) {
  if (options.window != Window::local_m) return memory.mask;
  const Tensor window = window_mask(memory.last, memory.values.shape()[1], position, options.half_width);
  return memory.mask ? memory.mask + window : window;
}

}  // namespace

SourceAttention::SourceAttention(const SourceAttentionOptions& options, Parameters& parameters, const std::string& name)
    : options_(options) {
  const ScoreSizes sizes = score_sizes(options);
  W_query_ = projection(options.queries, parameters, name + ".queries", options.query, sizes.query);
  W_key_ = projection(options.keys, parameters, name + ".keys", options.state, sizes.key);
  W_value_ = projection(options.values, parameters, name + ".values", options.state, options.state);
  using Self = const SourceAttention&;
  if (const auto replacement = parameters.parts().attention(name, sizes.query, sizes.key, options.state)) {
    attend_ = [=](Self, const Operand& q, const Memory& memory, const Tensor& mask, double) {
      return replacement(q, memory.keys, memory.values, mask);
    };
  } else {
    score_ = make_score(options.score, parameters, name, sizes);
    attend_ = [](Self self, const Operand& q, const Memory& memory, const Tensor& mask, double temperature) {
      return self.attend_by_scores(forward_operand(q), memory, mask, temperature);
    };
  }
  if (options.window != Window::local_p) return;
  W_p_ = parameters.declare(name + ".W_p", {options.attention, sizes.query}, xavier_uniform());
  v_p_ = parameters.declare(name + ".v_p", {options.attention}, xavier_uniform());
}

Memory SourceAttention::project_memory(Operand h, const std::vector<int>& lengths) const {
  Scope scope("attention", h.where);
  const int positions = h.shape()[1];
  const bool padded = std::ranges::any_of(lengths, [=](int length) { return length < positions; });
  const Tensor k = projected(options_.keys, W_key_, h, "k");      // (B, S, …)
  const Tensor v = projected(options_.values, W_value_, h, "v");  // (B, S, state)
  return {.keys = score_.keys(k),
          .values = v,
          .mask = padded ? padding_mask(lengths, positions) : Tensor(),
          .last = last_positions(lengths)};
}

AttentionOutput SourceAttention::attend_to(Operand s, const Memory& memory, int position, double temperature) const {
  Scope scope("attention", s.where);
  const Tensor state = reshape(s, s.shape().inserted(1));              // (B, 1, query)
  const Tensor q = projected(options_.queries, W_query_, state, "q");  // (B, 1, …)
  const Tensor mask = mask_at(position, memory, options_);
  const AttentionOutput output = attend_(*this, q, memory, mask, temperature);
  return {reshape(output.context, output.context.shape().without(1)), output.weights};
}

AttentionOutput SourceAttention::attend_by_scores(Operand q, const Memory& memory, const Tensor& mask,
                                                  double temperature) const {
  const Tensor e = score_.of_keys(q, memory.keys).as("e", Role::score);  // (B, 1, S)
  if (options_.window != Window::local_p) return attend(e, memory.values, mask, temperature);
  const Tensor p = predicted_position(q, memory.last, W_p_, v_p_).as("p");  // (B, 1)
  return attend_local_p(e, memory.values, p, options_.half_width / 2.0, mask, temperature);
}

Tensor window_mask(const Tensor& last, int keys, int position, int half_width) {
  const int batch = last.shape()[0];
  Tensor mask({batch, 1, keys});
  for (int b = 0; b < batch; ++b) {
    const int centre = std::min(position, static_cast<int>(last.data()[b]));
    for (int s = 0; s < keys; ++s) mask.data()[b * keys + s] = std::abs(s - centre) <= half_width ? Scalar(0) : masked;
  }
  return mask;
}

Tensor predicted_position(Operand q, Operand last, Operand W, Operand v) {
  const Tensor hidden = tanh(matmul(q, W, Transposed::b));  // (B, T, A)
  return last * sigmoid(matmul(hidden, v));                 // (B, T)
}

AttentionOutput attend_local_p(Operand e, Operand v, Operand p, double deviation, const Tensor& mask,
                               double temperature) {
  const int keys = e.shape()[-1];
  const Tensor masked_scores = mask ? e + mask : Tensor(e);                               // (B, T, S)
  const Tensor positions = index_positions(keys).reshaped({keys});                        // (S)
  const Tensor offset = positions - reshape(p, p.shape().inserted(p.rank()));             // (B, T, S)
  const Tensor gaussian = exp(-square(offset) / (2 * deviation * deviation)).as("near");  // (B, T, S)
  const Tensor global_weights = softmax(masked_scores, -1, temperature);                  // (B, T, S)
  const Tensor weights = (global_weights * gaussian).as("α", Role::weight);               // (B, T, S)
  const Tensor context = matmul(weights, v).as("c");                                      // (B, T, size)
  return {context, weights};
}

}  // namespace unroll
