#include "engine/nn/attention/efficient_attention.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/nn/attention/scores.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Running result of the blocks so far, per query.
struct OnlineSoftmax {
  Tensor m;  // (…, T, 1): the largest score
  Tensor l;  // (…, T, 1): Σ exp(e − m)
  Tensor o;  // (…, T, size): Σ exp(e − m) v
};

Tensor larger(Operand a, Operand b) { return where(greater(a, b), a, b); }

// The score that p is relative to: m, or 0 for a query that has seen no key yet, where m is −∞ and e − m would be NaN.
Tensor safe_max(Operand m) { return where(equal(m, -infinity), 0, m); }

// The first block, with scores e (…, T, block) and values v (…, block, size). m cancels in o / l and needs no gradient.
OnlineSoftmax first_block(Operand e, Operand v) {
  const Tensor m = max(e, -1, true, Gradient::none).as("m");  // (…, T, 1)
  const Tensor p = exp(e - safe_max(m)).as("p");              // (…, T, block)
  const Tensor l = sum(p, -1, true).as("l");                  // (…, T, 1)
  return {m, l, matmul(p, v).as("o")};
}

// A later block: the sums so far are relative to the old m, and r = exp(old m − new m) rescales them.
OnlineSoftmax next_block(const OnlineSoftmax& previous, Operand e, Operand v) {
  const Tensor m = larger(previous.m, max(e, -1, true, Gradient::none)).as("m");  // (…, T, 1)
  const Tensor shift = safe_max(m);
  const Tensor r = exp(previous.m - shift).as("r");  // (…, T, 1)
  const Tensor p = exp(e - shift).as("p");           // (…, T, block)
  const Tensor l = (previous.l * r).as("l rescaled"), o = (previous.o * r).as("o rescaled");
  return {m, (l + sum(p, -1, true)).as("l"), (o + matmul(p, v)).as("o")};
}

// The part of the mask for keys `start` to `start + length` − 1; a mask of one column applies to every key.
Tensor mask_of(const Tensor& mask, int start, int length) {
  return mask.shape()[-1] == 1 ? mask : slice(mask, -1, start, length);
}

}  // namespace

Tensor block_attention(Operand q, Operand k, Operand v, int block, const Tensor& mask) {
  if (block < 1) fail(ErrorCode::config, "block_attention_block_below_one", block);
  const int keys = k.shape()[checked_axis("block_attention", k.shape(), -2)];
  if (keys == 0) fail(ErrorCode::shape, "block_attention_without_keys", k.shape());
  OnlineSoftmax running;
  for (int start = 0; start < keys; start += block) {
    Scope scope("block" + std::to_string(start / block));
    const int length = std::min(block, keys - start);
    const Tensor scores = scaled_dot_score(q, slice(k, -2, start, length));  // (…, T, block)
    const Tensor e = (mask ? scores + mask_of(mask, start, length) : scores).as("e", Role::score);
    const Tensor values = slice(v, -2, start, length);  // (…, block, size)
    running = start == 0 ? first_block(e, values) : next_block(running, e, values);
  }
  const Tensor total = where(running.l, running.l, 1);  // l is 0 where no key is seen
  return (running.o / total).as("c");
}

Tensor positive_features(Operand x) {
  Scope scope("φ", x.where);
  return elu(x) + 1;
}

Tensor linear_attention(Operand q, Operand k, Operand v) {
  const Tensor phi_q = positive_features(q).as("φ(q)"), phi_k = positive_features(k).as("φ(k)");
  const Tensor S = matmul(phi_k, v, Transposed::a).as("S");                 // (…, K, size)
  const Tensor z = sum(phi_k, -2, true).as("z");                            // (…, 1, K)
  const Tensor denominator = matmul(phi_q, z, Transposed::b).as("φ(q) z");  // (…, T, 1)
  const Tensor numerator = matmul(phi_q, S).as("φ(q) S");                   // (…, T, size)
  return (numerator / denominator).as("y");
}

Tensor causal_linear_attention(Operand q, Operand k, Operand v) {
  constexpr const char* name = "causal_linear_attention";
  const int positions = q.shape()[checked_axis(name, q.shape(), -2)];
  const int keys = k.shape()[checked_axis(name, k.shape(), -2)];
  if (keys != positions)
    fail(ErrorCode::shape, "linear_attention_lengths_differ", std::string_view(name), positions, keys);
  const Tensor phi_q = positive_features(q).as("φ(q)"), phi_k = positive_features(k).as("φ(k)");
  Tensor S, z;
  std::vector<Operand> outputs;
  for (int t = 0; t < positions; ++t) {
    Scope scope("t" + std::to_string(t));
    const Tensor key = slice(phi_k, -2, t, 1), query = slice(phi_q, -2, t, 1);    // (…, 1, K)
    const Tensor outer_product = matmul(key, slice(v, -2, t, 1), Transposed::a);  // (…, K, size)
    S = (t == 0 ? outer_product : S + outer_product).as("S");
    z = (t == 0 ? key : z + key).as("z");
    const Tensor denominator = matmul(query, z, Transposed::b).as("φ(q) z");  // (…, 1, 1)
    const Tensor numerator = matmul(query, S).as("φ(q) S");                   // (…, 1, size)
    outputs.push_back((numerator / denominator).as("y"));
  }
  return concat(outputs, -2).as("y");
}

}  // namespace unroll
