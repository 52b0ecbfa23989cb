// The matrix product.
#include <algorithm>
#include <array>

#include "engine/autograd/tape.h"
#include "engine/kernels/gemm.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// The size of an operand's matrices, or of the row or column that a vector stands for.
struct Sizes {
  int rows, columns;
};

Sizes on_the_left(const Shape& shape, Transposed transposed) {
  if (shape.rank() == 1) return {1, shape[0]};
  return transposed == Transposed::a ? Sizes{shape[-1], shape[-2]} : Sizes{shape[-2], shape[-1]};
}
Sizes on_the_right(const Shape& shape, Transposed transposed) {
  if (shape.rank() == 1) return {shape[0], 1};
  return transposed == Transposed::b ? Sizes{shape[-1], shape[-2]} : Sizes{shape[-2], shape[-1]};
}

// Checks operands as they were given, so that errors show the shape of a vector before it becomes a row or a column.
void check_operands(const Shape& a, const Shape& b, Transposed transposed) {
  if (a.rank() == 0 || b.rank() == 0)
    fail(ErrorCode::shape, "[matmul] a is ", a, ", b is ", b, ": use multiply for a scalar.");
  const int of_a = on_the_left(a, transposed).columns, of_b = on_the_right(b, transposed).rows;
  if (of_a != of_b)
    fail(ErrorCode::shape, "[matmul] a is ", a, ", b is ", b, ": inner sizes ", of_a, " and ", of_b, " differ.");
}

kernels::Matrix memory_of(const Tensor& x, bool transposed) {
  const std::ptrdiff_t row = x.shape()[-1];
  return transposed ? kernels::Matrix{x.data(), 1, row} : kernels::Matrix{x.data(), row, 1};
}

// The stride of an operand along one batch axis: 0 where it is broadcast.
std::ptrdiff_t batch_step(const Tensor& x, int axis_from_end) {
  const int axis = axis_from_end + 2;
  if (axis > x.rank() || x.shape()[-axis] == 1) return 0;
  std::ptrdiff_t step = 1;
  for (int inner = 1; inner < axis; ++inner) step *= x.shape()[-inner];
  return step;
}

// The einsum rule, for two plain matrices or with leading batch axes.
const char* rule_of(Transposed transposed, int rank) {
  switch (transposed) {
    case Transposed::a:
      return rank == 2 ? "kn,km->nm" : "...kn,...km->...nm";
    case Transposed::b:
      return rank == 2 ? "nk,mk->nm" : "...nk,...mk->...nm";
    default:
      return rank == 2 ? "nk,km->nm" : "...nk,...km->...nm";
  }
}

// The result shape: `batch`, then n rows and m columns.
Shape shape_of(const Shape& batch, int n, int m) {
  std::array<int, Shape::max_rank> sizes{};
  const auto last = std::copy(batch.begin(), batch.end(), sizes.begin());
  last[0] = n, last[1] = m;
  return Shape(std::span<const int>(sizes.begin(), last + 2));
}

// (…, n, k) · (…, k, m) → (…, n, m) for compatible operands of rank 2 to 4.
Tensor product(const Operand& a, const Operand& b, Transposed transposed) {
  const bool transpose_a = transposed == Transposed::a, transpose_b = transposed == Transposed::b;
  const Shape batch = broadcast("matmul", a.shape(), b.shape(), 2);
  const auto [n, k] = on_the_left(a.shape(), transposed);
  const int m = on_the_right(b.shape(), transposed).columns;
  Tensor y(shape_of(batch, n, m));

  // All matrices of the batch share one b: treat the batch as one tall matrix.
  if (b.rank() == 2 && !transpose_a && a.rank() > 2) {
    const int rows = static_cast<int>(batch.size()) * n;
    kernels::gemm(rows, m, k, {a.data(), k, 1}, memory_of(b, transpose_b), y.data(), m);
    return y;
  }
  const int outer = batch.rank() > 1 ? batch[-2] : 1, inner = batch.rank() > 0 ? batch[-1] : 1;
  kernels::Matrix left_memory = memory_of(a, transpose_a), right_memory = memory_of(b, transpose_b);
  for (int i = 0; i < outer; ++i) {
    kernels::gemm_batched(inner, n, m, k, left_memory, batch_step(a, 1), right_memory, batch_step(b, 1),
                          y.data() + std::ptrdiff_t{i} * inner * n * m, m, std::ptrdiff_t{n} * m);
    left_memory.data += batch_step(a, 2);
    right_memory.data += batch_step(b, 2);
  }
  return y;
}

Tensor flat(Operand x) {
  const int rows = static_cast<int>(split_at(x.shape(), x.rank() - 1).outer);
  return reshape(x, {rows, x.shape()[-1]});
}

// aᵀ · b summed over a batch, as one product of tall matrices.
Tensor product_over_batch(Operand a, Operand b) {
  const Tensor tall = flat(a);
  return matmul(tall, flat(b), Transposed::a);
}

// ∂/∂a and ∂/∂b of the three forms are again of the three forms. They need only the shape of their own operand.
Tensor gradient_of_a(const Shape& a, Operand b, Transposed form, Operand dy) {
  switch (form) {
    case Transposed::none:
      return sum_to(matmul(dy, b, Transposed::b), a);
    case Transposed::b:
      return sum_to(matmul(dy, b), a);
    default:
      return sum_to(matmul(b, dy, Transposed::b), a);
  }
}

Tensor gradient_of_b(Operand a, const Shape& b, Transposed form, Operand dy) {
  const bool shared_by_batch = b.rank() == 2 && a.rank() > 2;
  if (shared_by_batch && form == Transposed::none) return product_over_batch(a, dy);
  if (shared_by_batch && form == Transposed::b) return product_over_batch(dy, a);
  switch (form) {
    case Transposed::none:
      return sum_to(matmul(a, dy, Transposed::a), b);
    case Transposed::b:
      return sum_to(matmul(dy, a, Transposed::a), b);
    default:
      return sum_to(matmul(a, dy), b);
  }
}

}  // namespace

Tensor matmul(Operand a, Operand b, Transposed transposed) {
  check_operands(a.shape(), b.shape(), transposed);
  if (a.rank() == 1) {  // a is a row; the result drops that axis
    const Transposed rest = transposed == Transposed::a ? Transposed::none : transposed;
    const Tensor y = matmul({reshape(forward_operand(a), {1, a.shape()[0]}), a.where}, forward_operand(b), rest);
    return reshape({y, a.where}, y.shape().without(b.rank() == 1 ? y.rank() - 1 : y.rank() - 2));
  }
  if (b.rank() == 1) {  // b is a column; the result drops that axis
    const Transposed rest = transposed == Transposed::b ? Transposed::none : transposed;
    const Tensor y = matmul(forward_operand(a), {reshape({b, a.where}, {b.shape()[0], 1}), b.where}, rest);
    return reshape({y, a.where}, y.shape().without(y.rank() - 1));
  }
  const Tensor y = product(a, b, transposed);
  return record({"matmul", rule_of(transposed, y.rank()), "Σ {0} · {1}"}, y,
                Input{a, [=, shape = a.shape()](const Tensor& dy) { return gradient_of_a(shape, b, transposed, dy); }},
                Input{b, [=, shape = b.shape()](const Tensor& dy) { return gradient_of_b(a, shape, transposed, dy); }});
}

}  // namespace unroll
