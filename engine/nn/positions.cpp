#include "engine/nn/positions.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// base^−x for x ≥ 0, from the binary digits of x: only products and square roots, which every machine rounds alike.
double inverse_power(double base, double x) {
  double power = 1, root = 1 / base;
  for (; x >= 1; --x) power *= root;
  while (x > 0) {
    root = std::sqrt(root);
    x *= 2;
    if (x < 1) continue;
    power *= root;
    --x;
  }
  return power;
}

// The angle reduced to −π … π in double: rounding a large angle to single precision would change the rotation.
Scalar reduce_angle(double angle) {
  const double two_pi = 2 * std::numbers::pi;
  return static_cast<Scalar>(angle - two_pi * std::floor(angle / two_pi + 0.5));
}

// (T, pairs): the angle of pair i at position p, p / base^(2i/size).
Tensor angles_of(int positions, int pairs, int size, int first_position, double base) {
  Tensor angles({positions, pairs});
  for (int i = 0; i < pairs; ++i) {
    const double of_one = inverse_power(base, 2.0 * i / size);
    Scalar* at = angles.data() + i;
    for (int p = 0; p < positions; ++p, at += pairs) *at = reduce_angle((first_position + p) * of_one);
  }
  return angles;
}

// Slope of a head counted from 0: 256^−x is 2^(−8x); see alibi_bias.
double alibi_slope(int head, int heads) {
  const int below = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
  return head < below ? inverse_power(256, (head + 1.0) / below)
                      : inverse_power(256, (2.0 * (head - below) + 1) / (2.0 * below));
}

using Positions = std::function<Tensor(int count, int first_position)>;

// The rows from `first` on of what a function makes for all positions.
Positions rows_of(const PositionFunction& all, int size) {
  if (!all) return {};
  return [=](int count, int first) { return slice(all(first + count, size), 0, first, count).as("positions"); };
}

Positions learned_in(const LearnedPositions& table) {
  return [=](int count, int first) { return table(count, first).as("positions"); };
}

Positions fixed(AbsolutePositions kind, int size) {
  if (kind == AbsolutePositions::none) return {};
  return [=](int count, int first) { return fixed_positions(kind, count, size, first).as("positions", Role::input); };
}

}  // namespace

Tensor index_positions(int positions, int first_position) {
  Tensor result({positions, 1});
  for (int i = 0; i < positions; ++i) result.data()[i] = static_cast<Scalar>(first_position + i);
  return result;
}

Tensor sinusoidal_positions(int positions, int size, int first_position) {
  const Tensor angles = angles_of(positions, (size + 1) / 2, size, first_position, 10000);
  Tensor result({positions, size});
  const Scalar* angle = angles.data();
  Scalar* at = result.data();
  for (int p = 0; p < positions; ++p)
    for (int d = 0; d < size; d += 2, ++angle) {
      *at++ = kernels::sin(*angle);
      if (d + 1 < size) *at++ = kernels::cos(*angle);
    }
  return result;
}

Tensor fixed_positions(AbsolutePositions kind, int positions, int size, int first_position) {
  return kind == AbsolutePositions::index ? index_positions(positions, first_position)
                                          : sinusoidal_positions(positions, size, first_position);
}

LearnedPositions::LearnedPositions(Parameters& parameters, const std::string& name, int max_positions, int size)
    : table(parameters.declare(name, {max_positions, size}, normal(Scalar(0.02)))) {}

Tensor LearnedPositions::operator()(int positions, int first_position) const {
  const int max_positions = table.shape()[0], needed = first_position + positions;
  if (needed > max_positions) fail(ErrorCode::shape, "positions_table_too_short", needed, max_positions);
  return slice(table, 0, first_position, positions);
}

Tensor alibi_bias(int heads, int queries, int keys, int first_position) {
  Tensor bias({heads, queries, keys});
  Scalar* at = bias.data();
  for (int head = 0; head < heads; ++head) {
    const double slope = alibi_slope(head, heads);
    for (int i = first_position; i < first_position + queries; ++i)
      for (int j = 0; j < keys; ++j) *at++ = static_cast<Scalar>(-slope * std::abs(i - j));
  }
  return bias;
}

Tensor rotary(Operand x, int first_position, RotaryLayout layout, double base) {
  const int T = x.shape()[checked_axis("rotary", x.shape(), -2)], K = x.shape()[-1];
  const Tensor angles = angles_of(T, K / 2, K, first_position, base);
  const Tensor cosine(angles.shape()), sine(angles.shape());
  kernels::cos(angles.data(), cosine.data(), angles.size());
  kernels::sin(angles.data(), sine.data(), angles.size());
  return rotate_pairs(forward_operand(x), cosine, sine, layout == RotaryLayout::interleaved);
}

PositionedEmbedding::PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                                         AbsolutePositions positions, int max_positions)
    : embedding_(
          parameters.declare(name + ".weight", {vocabulary, size}, normal(1 / std::sqrt(static_cast<Scalar>(size))))),
      positions_(replaced_or(rows_of(parameters.parts().positions(name + ".positions", size), size), [&] {
        return positions == AbsolutePositions::learned
                   ? learned_in({parameters, name + ".positions", max_positions, size})
                   : fixed(positions, size);
      })) {}

Tensor PositionedEmbedding::operator()(Operand ids, int first_position) const {
  const double scale = std::sqrt(static_cast<double>(embedding_.weight.shape()[1]));
  const Tensor x = (scale * embedding_(ids)).as("words");  // (B, T, D)
  return positions_ ? (x + positions_(ids.shape()[1], first_position)).as("x") : x;
}

}  // namespace unroll
