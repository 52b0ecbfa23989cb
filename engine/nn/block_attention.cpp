#include "engine/nn/block_attention.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/nn/scores.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What the blocks so far come to, for each query.
struct Running {
  Tensor m;  // (…, T, 1): the largest score
  Tensor l;  // (…, T, 1): Σ exp(e − m)
  Tensor o;  // (…, T, size): Σ exp(e − m) v
};

Tensor larger(Operand a, Operand b) { return where(greater(a, b), a, b); }

// A query that has seen no key yet has m = −∞, and e − m would be NaN.
Tensor reference(Operand m) { return where(equal(m, -infinity), 0, m); }

// The scores of one block e (…, T, block) with its values v (…, block, size). m cancels in o / l and takes no gradient.
Running first_block(Operand e, Operand v) {
  const Tensor m = max(e, -1, true, Gradient::none).as("m");  // (…, T, 1)
  const Tensor p = exp(e - reference(m)).as("p");             // (…, T, block)
  const Tensor l = sum(p, -1, true).as("l");                  // (…, T, 1)
  return {m, l, matmul(p, v).as("o")};
}

// The same behind others: what was summed up to here was measured from a smaller m, and shrinks by r.
Running next_block(const Running& before, Operand e, Operand v) {
  const Tensor m = larger(before.m, max(e, -1, true, Gradient::none)).as("m");  // (…, T, 1)
  const Tensor shift = reference(m);
  const Tensor r = exp(before.m - shift).as("r");  // (…, T, 1)
  const Tensor p = exp(e - shift).as("p");         // (…, T, block)
  const Tensor l = (before.l * r).as("l rescaled"), o = (before.o * r).as("o rescaled");
  return {m, (l + sum(p, -1, true)).as("l"), (o + matmul(p, v)).as("o")};
}

// The part of a mask that speaks of keys `start` on; one that is the same for all keys speaks of each.
Tensor mask_of(const Tensor& mask, int start, int length) {
  return mask.shape()[-1] == 1 ? mask : slice(mask, -1, start, length);
}

}  // namespace

Tensor block_attention(Operand q, Operand k, Operand v, int block, const Tensor& mask) {
  if (block < 1) fail(ErrorCode::config, "[block_attention] block is ", block, ": use 1 key or more at a time.");
  const int keys = k.shape()[checked_axis("block_attention", k.shape(), -2)];
  if (keys == 0) fail(ErrorCode::shape, "[block_attention] k is ", k.shape(), ": give at least one key.");
  Running running;
  for (int start = 0; start < keys; start += block) {
    Scope scope("block" + std::to_string(start / block));
    const int length = std::min(block, keys - start);
    const Tensor scores = scaled_dot_score(q, slice(k, -2, start, length));  // (…, T, block)
    const Tensor e = (mask ? scores + mask_of(mask, start, length) : scores).as("e", Role::score);
    const Tensor values = slice(v, -2, start, length);  // (…, block, size)
    running = start == 0 ? first_block(e, values) : next_block(running, e, values);
  }
  const Tensor total = where(running.l, running.l, 1);  // 0 where no key is seen
  return (running.o / total).as("c");
}

}  // namespace unroll
