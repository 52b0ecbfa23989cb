// The fused rotation of rotary position embeddings.
#include "engine/autograd/tape.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"

namespace unroll::fused {
namespace {

// forward: y = x rotated. backward: dx = dy rotated by the opposite angle, with −0 turned into 0, because the composite
// pads each half of a pair with zeros before adding the two.
enum class Direction { forward, backward };

// Rotates one pair in place.
template <Direction direction>
void rotate(Scalar& first, Scalar& second, Scalar cosine, Scalar sine) {
  const Scalar x = first, y = second;
  if constexpr (direction == Direction::forward) {
    first = x * cosine - y * sine;
    second = x * sine + y * cosine;
  } else {
    first = y * sine + x * cosine + 0;
    second = y * cosine - x * sine + 0;
  }
}

// x (2 · pairs) → y, with angles (pairs).
template <Direction direction, bool interleaved>
void rotate_row(int pairs, const Scalar* x, const Scalar* cosine, const Scalar* sine, Scalar* __restrict y) {
  for (int i = 0; i < pairs; ++i) {
    const int at = interleaved ? 2 * i : i, partner = interleaved ? at + 1 : at + pairs;
    Scalar first = x[at], second = x[partner];
    rotate<direction>(first, second, cosine[i], sine[i]);
    y[at] = first;
    y[partner] = second;
  }
}

// x (…, T, K), angles (T, K/2)
template <Direction direction>
Tensor rotated(const Tensor& x, const Tensor& cosine, const Tensor& sine, bool interleaved) {
  const auto rotate_this = interleaved ? rotate_row<direction, true> : rotate_row<direction, false>;
  const int T = cosine.shape()[0], pairs = cosine.shape()[1];
  Tensor y(x.shape());
  const std::size_t positions = split_at(x.shape(), x.rank() - 1).outer, K = static_cast<std::size_t>(2 * pairs);
  for_each_row(positions, K, cheap, [&](std::size_t at) {
    const std::size_t angle = at % static_cast<std::size_t>(T) * static_cast<std::size_t>(pairs);
    rotate_this(pairs, x.data() + at * K, cosine.data() + angle, sine.data() + angle, y.data() + at * K);
  });
  return y;
}

}  // namespace

Tensor rotary(Operand x, const Tensor& cosine, const Tensor& sine, bool interleaved) {
  return record(
      {"rotary"}, rotated<Direction::forward>(x, cosine, sine, interleaved),
      Input{x, [=](const Tensor& dy) { return rotated<Direction::backward>(dy, cosine, sine, interleaved); }});
}

}  // namespace unroll::fused
