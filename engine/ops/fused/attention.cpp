// The fused scores of additive attention.
#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"

namespace unroll::fused {
namespace {

// q (batch, T, A), k (batch, S, A).
struct Sizes {
  int batch, T, S, A;
};

Sizes sizes_of(const Tensor& q, const Tensor& k) {
  const auto batch = static_cast<int>(split_at(q.shape(), q.rank() - 2).outer);
  return {batch, q.shape()[-2], k.shape()[-2], q.shape()[-1]};
}

// y (S, A) = q (A) + k (S, A)
void sums(int S, int A, const Scalar* q, const Scalar* k, Scalar* y) {
  for (int s = 0; s < S; ++s, k += A, y += A)
    for (int a = 0; a < A; ++a) y[a] = q[a] + k[a];
}

// The backward pass of one pair: to (A) += de · v · tanh', given t = tanh(q + k).
void add_grads(int A, Scalar de, const Scalar* v, const Scalar* t, Scalar* to) {
  for (int a = 0; a < A; ++a) to[a] += de * v[a] * (1 - t[a] * t[a]);
}

// The gradient of q or of k: pair (i, s) adds to row i or to row s. `t` is tanh(q + k) (batch, T, S, A).
enum class Side { query, key };

Tensor gradient_of(Side side, const Sizes& n, const Shape& shape, const Tensor& de, const Tensor& v, const Tensor& t) {
  Tensor dx = Tensor::full(shape, 0);
  const std::ptrdiff_t pairs = std::ptrdiff_t{n.T} * n.S;
  for_each_row(static_cast<std::size_t>(n.batch), static_cast<std::size_t>(pairs * n.A), cheap, [&](std::size_t row) {
    const auto b = static_cast<std::ptrdiff_t>(row);
    const Scalar *grad = de.data() + b * pairs, *values = t.data() + b * pairs * n.A;
    Scalar* block = dx.data() + b * (side == Side::query ? n.T : n.S) * n.A;
    for (int i = 0; i < n.T; ++i)
      for (int s = 0; s < n.S; ++s, values += n.A)
        add_grads(n.A, *grad++, v.data(), values, block + (side == Side::query ? i : s) * n.A);
  });
  return dx;
}

Tensor gradient_of_v(const Sizes& n, const Tensor& de, const Tensor& t) {
  Tensor dv(Shape{n.A});
  kernels::gemm(n.A, 1, n.batch * n.T * n.S, {t.data(), 1, n.A}, {de.data(), 1, 1}, dv.data(), 1);
  return dv;
}

}  // namespace

bool takes_additive_score(const Shape& q, const Shape& k, const Shape& v) {
  return q.rank() > 1 && q.rank() < Shape::max_rank && q.rank() == k.rank() && q.with(-2, 1) == k.with(-2, 1) &&
         v == Shape{q[-1]};
}

Tensor additive_score(Operand q, Operand k, Operand v) {
  const Sizes n = sizes_of(q, k);
  const std::size_t pairs = static_cast<std::size_t>(n.S) * static_cast<std::size_t>(n.A);
  Tensor e(q.shape().with(-1, n.S)), t({n.batch, n.T, n.S, n.A});
  for_each_row(static_cast<std::size_t>(n.batch * n.T), pairs, costly, [&](std::size_t query) {
    const std::size_t b = query / static_cast<std::size_t>(n.T);
    Scalar* values = t.data() + query * pairs;
    sums(n.S, n.A, q.data() + query * static_cast<std::size_t>(n.A), k.data() + b * pairs, values);
    kernels::tanh(values, values, pairs);
    kernels::gemm(n.S, 1, n.A, {values, n.A, 1}, {v.data(), 1, 1}, e.data() + query * static_cast<std::size_t>(n.S), 1);
  });
  const auto gradient = [=](Side side, const Shape& shape) {
    return [=](const Tensor& de) { return gradient_of(side, n, shape, de, v, t); };
  };
  return record({"additive_score"}, e, Input{q, gradient(Side::query, q.shape())},
                Input{k, gradient(Side::key, k.shape())},
                Input{v, [=](const Tensor& de) { return gradient_of_v(n, de, t); }});
}

}  // namespace unroll::fused
