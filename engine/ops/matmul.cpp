// The matrix product.
#include <algorithm>
#include <array>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
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
  if (a.rank() == 0 || b.rank() == 0) fail(ErrorCode::shape, "matmul_with_scalar", a, b);
  const int of_a = on_the_left(a, transposed).columns, of_b = on_the_right(b, transposed).rows;
  if (of_a != of_b) fail(ErrorCode::shape, "matmul_inner_sizes", a, b, of_a, of_b);
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

// The einsum rules of Transposed::none, a and b: for two plain matrices, and with leading batch axes.
constexpr const char* rules[][2] = {
    {"nk,km->nm", "...nk,...km->...nm"}, {"kn,km->nm", "...kn,...km->...nm"}, {"nk,mk->nm", "...nk,...mk->...nm"}};

// The result shape: `batch`, then n rows and m columns.
Shape shape_of(const Shape& batch, int n, int m) {
  std::array<int, Shape::max_rank> sizes{};
  const auto last = std::copy(batch.begin(), batch.end(), sizes.begin());
  last[0] = n, last[1] = m;
  return Shape(std::span<const int>(sizes.begin(), last + 2));
}

Shape shape_of_product(const Tensor& a, const Tensor& b, Transposed transposed) {
  return shape_of(broadcast("matmul", a.shape(), b.shape(), 2), on_the_left(a.shape(), transposed).rows,
                  on_the_right(b.shape(), transposed).columns);
}

// The places of the operands' matrices along the batch axes of y but the last, along which one call multiplies all.
BroadcastPlan plan_batch(const Tensor& y, const Tensor& a, const Tensor& b) {
  BroadcastPlan plan{{}, {}, {}, 1, 0, 0};
  std::ranges::fill(plan.sizes, 1);
  for (int back = 2; back <= y.rank() - 2; ++back) {
    const int place = BroadcastPlan::axes + 1 - back;
    plan.sizes[place] = y.shape()[-back - 2];
    plan.a[place] = batch_step(a, back), plan.b[place] = batch_step(b, back);
  }
  return plan;
}

// y (…, n, m) [+]= a (…, n, k) · b (…, k, m) for compatible operands of rank 2 or more.
void multiply_into(const Tensor& y, const Tensor& a, const Tensor& b, Transposed transposed, bool add = false) {
  const bool transpose_a = transposed == Transposed::a, transpose_b = transposed == Transposed::b;
  const auto [n, k] = on_the_left(a.shape(), transposed);
  const int m = on_the_right(b.shape(), transposed).columns;

  // All matrices of the batch share one b: treat the batch as one tall matrix.
  if (b.rank() == 2 && !transpose_a && a.rank() > 2) {
    const int rows = static_cast<int>(split_at(y.shape(), y.rank() - 1).outer);
    kernels::gemm(rows, m, k, {a.data(), k, 1}, memory_of(b, transpose_b), y.data(), m, add);
    return;
  }
  const int inner = y.rank() > 2 ? y.shape()[-3] : 1;
  const auto multiply = [&, each = std::ptrdiff_t{n} * m](std::ptrdiff_t a_start, std::ptrdiff_t b_start, Scalar* to) {
    kernels::Matrix left = memory_of(a, transpose_a), right = memory_of(b, transpose_b);
    left.data += a_start, right.data += b_start;
    kernels::gemm_batched(inner, n, m, k, left, batch_step(a, 1), right, batch_step(b, 1), to, m, each, add);
    return to + inner * each;
  };
  if (y.rank() <= 3) return static_cast<void>(multiply(0, 0, y.data()));
  const BroadcastPlan plan = plan_batch(y, a, b);
  RunPlace at(plan, 0);
  for (Scalar *to = y.data(), *end = to + y.size(); to < end; at.next()) to = multiply(at.a, at.b, to);
}

Tensor flat(Operand x) {
  const int rows = static_cast<int>(split_at(x.shape(), x.rank() - 1).outer);
  return reshape(x, {rows, x.shape()[-1]});
}

// ∂/∂a and ∂/∂b of the three forms are again products of the three forms: product(left, right, form).
template <typename Product>
auto gradient_of_a(Operand b, Transposed form, Operand dy, const Product& product) {
  if (form == Transposed::a) return product(b, dy, Transposed::b);
  return product(dy, b, form == Transposed::none ? Transposed::b : Transposed::none);
}

// aᵀ · b summed over a batch, as one product of tall matrices.
template <typename Product>
auto product_over_batch(Operand a, Operand b, const Product& product) {
  const Tensor tall = flat(a);
  return product(tall, flat(b), Transposed::a);
}

template <typename Product>
auto gradient_of_b(Operand a, Transposed form, Operand dy, bool shared_by_batch, const Product& product) {
  if (shared_by_batch && form != Transposed::a)
    return form == Transposed::none ? product_over_batch(a, dy, product) : product_over_batch(dy, a, product);
  if (form == Transposed::b) return product(dy, a, Transposed::a);
  return product(a, dy, form == Transposed::none ? Transposed::a : Transposed::none);
}

// The gradient of an operand of this shape: the product, summed over the axes along which the operand was broadcast.
// `gradient` is one of the above: it calls what it is given with dy.
template <typename Gradient>
struct ProductVjp {
  Shape shape;
  Gradient gradient;

  Tensor operator()(const Tensor& dy) const {
    return gradient(dy, [&](Operand left, Operand right, Transposed form) {
      return sum_to({matmul(forward_operand(left), forward_operand(right), form), left.where}, shape);
    });
  }
  // Without a result of its own, if nothing is left to sum.
  void accumulate(const Tensor& dy, const Tensor& sum) const {
    gradient(dy, [&](const Tensor& left, const Tensor& right, Transposed form) {
      if (shape_of_product(left, right, form) == shape) return multiply_into(sum, left, right, form, true);
      const Tensor summed = sum_to(matmul(left, right, form), shape);
      add_to(summed.data(), sum.data(), sum.size());
    });
  }
};
template <typename Gradient>
ProductVjp(Shape, Gradient) -> ProductVjp<Gradient>;

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
  const Tensor y(shape_of_product(a, b, transposed));
  multiply_into(y, a, b, transposed);
  const auto to_a = [=](const Tensor& dy, const auto& product) { return gradient_of_a(b, transposed, dy, product); };
  const bool shared_by_batch = b.rank() == 2 && a.rank() > 2;
  const auto to_b = [=](const Tensor& dy, const auto& product) {
    return gradient_of_b(a, transposed, dy, shared_by_batch, product);
  };
  const char* rule = rules[static_cast<std::size_t>(transposed)][y.rank() == 2 ? 0 : 1];
  return record({"matmul", rule, "Σ {0} · {1}"}, y, Input{a, ProductVjp{a.shape(), to_a}},
                Input{b, ProductVjp{b.shape(), to_b}});
}

}  // namespace unroll
