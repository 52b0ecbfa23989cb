#include "engine/nn/attention/multi_head.h"

#include <utility>

#include "engine/nn/positions.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using Relative = MultiHeadOptions::Relative;

HeadProjections declare(const MultiHeadOptions& options, Parameters& parameters, const std::string& name) {
  const MultiHeadOptions o = with_defaults(options);
  const auto linear = [&](const char* which, int in, int out) {
    return Linear(parameters, name + "." + which, in, out, o.bias);
  };
  return {.W_Q = linear("W_Q", o.model, o.heads * o.head_size),
          .W_K = linear("W_K", o.key_input, o.key_value_heads * o.head_size),
          .W_V = linear("W_V", o.value_input, o.key_value_heads * o.value_size),
          .W_O = linear("W_O", o.heads * o.value_size, o.model)};
}

Tensor projected(const std::optional<Linear>& W, Operand x) { return W ? (*W)(forward_operand(x)) : Tensor(x); }

Tensor by_dot_product(const Operand& q, const Operand& k) {
  return scaled_dot_score(forward_operand(q), forward_operand(k));
}

void check_heads(const MultiHeadOptions& o) {
  if (o.heads < 1) fail(ErrorCode::config, "heads_below_one", o.heads);
  if (o.head_size == 0 && o.model % o.heads != 0)
    fail(ErrorCode::config, "heads_do_not_divide_model", o.heads, o.model);
  if (o.key_value_heads < 0 || (o.key_value_heads > 0 && o.heads % o.key_value_heads != 0))
    fail(ErrorCode::config, "key_value_heads_do_not_divide_heads", o.key_value_heads, o.heads);
}

}  // namespace

MultiHeadOptions with_defaults(MultiHeadOptions o) {
  check_heads(o);
  const auto set_default = [](int& field, int fallback) { field = field ? field : fallback; };
  set_default(o.key_value_heads, o.heads);
  set_default(o.head_size, o.model / o.heads);
  set_default(o.value_size, o.head_size);
  set_default(o.key_input, o.model);
  set_default(o.value_input, o.model);
  if (o.relative == Relative::rotary && o.head_size % 2 != 0)
    fail(ErrorCode::config, "rotary_head_size_is_odd", o.head_size);
  return o;
}

int cached_length(const KeysValues& memory) { return memory.keys ? memory.keys.shape()[2] : 0; }

MultiHeadAttention::MultiHeadAttention(const MultiHeadOptions& options, Parameters& parameters, const std::string& name)
    : MultiHeadAttention(options, declare(options, parameters, name), name, parameters.parts()) {}

MultiHeadAttention::MultiHeadAttention(const MultiHeadOptions& options, HeadProjections projections,
                                       const std::string& name, const Parts& parts)
    : options_(with_defaults(options)), projections_(std::move(projections)) {
  const int K = options_.head_size;
  score_ = replaced_or(parts.score(name, K, K), [] { return by_dot_product; });
  using Self = const MultiHeadAttention&;
  if (const AttentionFunction replacement = parts.attention(name, K, K, options_.value_size))
    attend_ = [=](Self self, const Operand& q, const KeysValues& memory, const Tensor& mask, int) {
      const int N = self.options_.heads;
      return replacement(q, repeat_kv(memory.keys, N), repeat_kv(memory.values, N), mask);
    };
  else
    attend_ = [](Self self, const Operand& q, const KeysValues& memory, const Tensor& mask, int first_position) {
      return self.attend_heads(forward_operand(q), memory, mask, first_position);
    };
}

AttentionOutput MultiHeadAttention::operator()(Operand x, Operand key_input, Operand value_input,
                                               const Tensor& mask) const {
  const Tensor q = queries(x);
  return attend_and_join(q, keys_and_values(key_input, value_input), mask, 0);
}

AttentionOutput MultiHeadAttention::attend_to(Operand x, const KeysValues& memory, const Tensor& mask,
                                              int first_position) const {
  return attend_and_join(queries(x, first_position), memory, mask, first_position);
}

Tensor MultiHeadAttention::queries(Operand x, int first_position) const {
  const Tensor q = split_heads(projected(projections_.W_Q, x), options_.heads);  // (B, N, T, K)
  return (options_.relative == Relative::rotary ? rotary(q, first_position) : q).as("q");
}

KeysValues MultiHeadAttention::keys_and_values(Operand key_input, Operand value_input, int first_position) const {
  const Tensor k = split_heads(projected(projections_.W_K, key_input), options_.key_value_heads);    // (B, G, S, K)
  const Tensor v = split_heads(projected(projections_.W_V, value_input), options_.key_value_heads);  // (B, G, S, …)
  return {.keys = (options_.relative == Relative::rotary ? rotary(k, first_position) : k).as("k"), .values = v.as("v")};
}

AttentionOutput MultiHeadAttention::attend_heads(Operand q, const KeysValues& memory, const Tensor& mask,
                                                 int first_position) const {
  const Tensor k = repeat_kv(memory.keys, options_.heads);    // (B, N, S, K)
  const Tensor v = repeat_kv(memory.values, options_.heads);  // (B, N, S, value_size)
  // Without Tensor(), q would be an Operand of the caller's line, and the scores would be shown there.
  Tensor e = score_(Tensor(q), k).as("e", Role::score);  // (B, N, T, S)
  if (options_.relative == Relative::alibi) {
    const Tensor bias = alibi_bias(options_.heads, q.shape()[2], k.shape()[2], first_position).as("bias", Role::input);
    e = (e + bias).as("e biased", Role::score);
  }
  if (mask) e = (e + mask).as("e masked", Role::score);
  return attend(e, v);
}

AttentionOutput MultiHeadAttention::attend_and_join(Operand q, const KeysValues& memory, const Tensor& mask,
                                                    int first_position) const {
  const AttentionOutput heads = attend_(*this, q, memory, mask, first_position);
  return {output(heads.context), heads.weights};
}

Tensor MultiHeadAttention::output(Operand contexts) const {
  return projected(projections_.W_O, join_heads(contexts)).as("o");
}

Tensor split_heads(Operand x, int heads) {
  const Shape& shape = x.shape();  // (B, T, N · size)
  return permute(reshape(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

Tensor join_heads(Operand x) {
  const Shape& shape = x.shape();  // (B, N, T, size)
  return reshape(permute(x, {0, 2, 1, 3}), {shape[0], shape[2], shape[1] * shape[3]});
}

Tensor repeat_kv(Operand x, int heads) {
  const Shape& shape = x.shape();  // (B, G, S, size)
  const int group = heads / shape[1];
  if (group == 1) return x;
  const Tensor one = reshape(x, {shape[0] * shape[1], 1, shape[2], shape[3]});
  return reshape(broadcast_to(one, {shape[0] * shape[1], group, shape[2], shape[3]}),
                 {shape[0], heads, shape[2], shape[3]});
}

}  // namespace unroll
