// ReLU has a kink at 0, where differences are no derivative. These parameters keep its inputs away from there.
#pragma once

#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/samples.h"

namespace unroll {

inline void fill_far_from_zero(const Tensor& x, double low, double high, Samples& random) {
  for (Scalar& value : x.values()) value = static_cast<Scalar>((random.coin() ? 1 : -1) * random.between(low, high));
}

// For every feed-forward network (name.W_1.bias): biases on both sides of 0 that its products do not outweigh.
inline void keep_feed_forward_off_the_kink(const Parameters& parameters, Samples& random) {
  for (const auto& [name, value] : parameters.all())
    if (name.ends_with("W_1.bias")) fill_far_from_zero(value, 12, 13, random);
}

// The same for every recurrent cell (name.W, name.U, name.b and name.c), with weights so small that no state grows.
inline void keep_cells_off_the_kink(const Parameters& parameters, Samples& random) {
  for (const auto& [name, c] : parameters.all()) {
    if (!name.ends_with(".c")) continue;
    const auto beside = [&, cell = name.substr(0, name.size() - 1)](const char* letter) {
      return parameters.find(cell + letter)->value;
    };
    beside("W").array() *= Scalar(0.1);
    beside("U").array() *= Scalar(0.1);
    fill_far_from_zero(c, 1, 1.5, random);
    beside("b").array() = 2 * c.array();
  }
}

// A cell of any kind.
inline CellKind any_cell(Samples& random) {
  return static_cast<CellKind>(random.below(static_cast<int>(cell_kinds().size())));
}

}  // namespace unroll
