// Gradients of whole models, and random models and inputs for them.
#pragma once

#include "engine/models/model.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/settings.h"

namespace unroll {

// ReLU has a kink at 0, where differences are no derivative: these parameters keep its inputs away from there.
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

inline Text one_of(Samples& random, const std::vector<Text>& names) {
  return names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))];
}

// Ids (rows, positions) from 1 to vocabulary − 1, each row with 0 to positions − 1 of padding at its end.
inline Tensor padded_ids(Samples& random, int rows, int positions, int vocabulary) {
  Tensor ids = Tensor::full({rows, positions}, 0);
  for (int row = 0; row < rows; ++row)
    for (int i = random.up_to(positions) - 1; i >= 0; --i)
      ids.data()[row * positions + i] = static_cast<Scalar>(random.up_to(vocabulary - 1));
  return ids;
}

inline Tensors values_of(const std::vector<Parameter>& parameters) {
  Tensors values;
  for (const Parameter& parameter : parameters) values.push_back(parameter.value);
  return values;
}

// The gradients of a model's loss and logits with respect to these parameters.
inline double model_error(Model& model, const Tensors& parameters, Samples& random) {
  const auto f = [&](const Tensors&) {
    const Tensor loss = model.loss();
    return side_by_side(loss, model.output());
  };
  return gradient_error({parameters, f}, random);
}

inline double model_error(Model& model, Samples& random) {
  return model_error(model, values_of(model.parameters().all()), random);
}

// Sets all inputs that take ids: at most so many rows, and so many positions of the source and of the targets.
inline void set_padded(Model& model, Samples& random, int rows, int positions_read, int positions) {
  const int B = random.up_to(rows), S = random.up_to(positions_read), T = random.up_to(positions);
  for (const ModelInput& each : std::vector<ModelInput>(model.inputs()))
    if (each.vocabulary > 0)
      model.set_input(each.name, padded_ids(random, B, each.name == "source" ? S : T, each.vocabulary));
}

// At least 4 values to normalise: two always become −1 and 1.
inline Config any_transformer(Samples& random, const std::vector<Text>& positions) {
  const int heads = random.up_to(3), head_size = heads == 1 ? 4 : 2 * random.up_to(2);
  return {{"model_size", double(heads * head_size)},
          {"heads", double(heads)},
          {"key_value_heads", random.coin() ? 1.0 : double(heads)},
          {"feed_forward", double(random.up_to(5))},
          {"layers", double(random.up_to(2))},
          {"norm_place", one_of(random, {"pre", "post"})},
          {"norm", one_of(random, {"layer", "rms"})},
          {"activation", one_of(random, activation_kinds())},
          {"positions", one_of(random, positions)},
          {"tied_embedding", random.coin()},
          {"label_smoothing", random.coin() ? 0.1 : 0},
          {"seed", double(random.below(1000))}};
}

}  // namespace unroll
