// The turning of rotary positions in one.
#include "engine/autograd/tape.h"
#include "engine/ops/fused.h"

namespace unroll::fused {
namespace {

// There: y = x turned. Back: dx = dy turned by the opposite angle, and a −0 among its values becomes 0, for in the
// composite each half of a pair is filled up with zeros before the two are added.
enum class Way { there, back };

// One pair, in place.
template <Way way>
void turn(Scalar& first, Scalar& second, Scalar cosine, Scalar sine) {
  const Scalar x = first, y = second;
  if constexpr (way == Way::there) {
    first = x * cosine - y * sine;
    second = x * sine + y * cosine;
  } else {
    first = y * sine + x * cosine + 0;
    second = y * cosine - x * sine + 0;
  }
}

// x (2 · pairs) → y, with angles (pairs).
template <Way way>
void turn_neighbours(int pairs, const Scalar* x, const Scalar* cosine, const Scalar* sine, Scalar* __restrict y) {
  for (int i = 0; i < pairs; ++i) {
    Scalar first = x[2 * i], second = x[2 * i + 1];
    turn<way>(first, second, cosine[i], sine[i]);
    y[2 * i] = first;
    y[2 * i + 1] = second;
  }
}

template <Way way>
void turn_halves(int pairs, const Scalar* x, const Scalar* cosine, const Scalar* sine, Scalar* __restrict y) {
  for (int i = 0; i < pairs; ++i) {
    Scalar first = x[i], second = x[i + pairs];
    turn<way>(first, second, cosine[i], sine[i]);
    y[i] = first;
    y[i + pairs] = second;
  }
}

// x (…, T, K), angles (T, K/2)
template <Way way>
Tensor turned(const Tensor& x, const Tensor& cosine, const Tensor& sine, bool neighbours) {
  const auto turn_row = neighbours ? turn_neighbours<way> : turn_halves<way>;
  const int T = cosine.shape()[0], pairs = cosine.shape()[1];
  Tensor y(x.shape());
  const std::size_t positions = around(x.shape(), x.rank() - 1).outer, K = static_cast<std::size_t>(2 * pairs);
  for (std::size_t at = 0; at < positions; ++at) {
    const std::size_t angle = at % static_cast<std::size_t>(T) * static_cast<std::size_t>(pairs);
    turn_row(pairs, x.data() + at * K, cosine.data() + angle, sine.data() + angle, y.data() + at * K);
  }
  return y;
}

}  // namespace

Tensor rotary(Operand x, const Tensor& cosine, const Tensor& sine, bool neighbours) {
  return record({"rotary"}, turned<Way::there>(x, cosine, sine, neighbours),
                Input{x, [=](const Tensor& dy) { return turned<Way::back>(dy, cosine, sine, neighbours); }});
}

}  // namespace unroll::fused
