// The rotation of rotary position embeddings.
#include "engine/autograd/tape.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_rotation(const Shape& x, const Shape& cosine, const Shape& sine) {
  const int T = x[checked_axis("rotary", x, -2)], K = x[-1];
  if (K % 2 != 0) fail(ErrorCode::shape, "rotary_size_is_odd", x, K);
  if (cosine != Shape{T, K / 2} || sine != cosine)
    fail(ErrorCode::shape, "rotary_table_shapes", x, cosine, sine, Shape{T, K / 2});
}

}  // namespace

Tensor composite::rotate_pairs(const Operand& x, const Tensor& cosine, const Tensor& sine, bool interleaved) {
  check_rotation(x.shape(), cosine.shape(), sine.shape());
  Scope scope("rotary", x.where);
  const int T = x.shape()[-2], K = x.shape()[-1], pair = interleaved ? 3 : 2;
  const int rows = static_cast<int>(split_at(x.shape(), x.rank() - 2).outer);
  const Tensor pairs = reshape(x, interleaved ? Shape{rows, T, K / 2, 2} : Shape{rows, T, 2, K / 2});
  const Tensor first = slice(pairs, pair, 0, 1), second = slice(pairs, pair, 1, 1);
  const Shape each = first.shape().with(0, 1).without(0);
  const Tensor c = cosine.reshaped(each), s = sine.reshaped(each);
  const Tensor first_along = first * c, first_across = first * s;
  const Tensor rotated_first = first_along - second * s, rotated_second = first_across + second * c;
  return reshape(concat({rotated_first, rotated_second}, pair), x.shape());
}

}  // namespace unroll
