// Gradients of whole models, and random models and inputs for them.
#pragma once

#include "engine/models/model.h"
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/kinks.h"

namespace unroll {

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

// Checks random models, one per seed, to 10⁻⁶.
inline void check_on_seeds(const std::function<double(Samples&)>& error) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    CHECK(error(random) < 1e-6);
  }
}

}  // namespace unroll
