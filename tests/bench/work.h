// What the benchmark runs again and again: a training step, or a pass forward.
#pragma once

#include <vector>

#include "engine/autograd/tensor.h"

struct Work {
  virtual ~Work() = default;
  virtual float run() = 0;             // → the loss before a step; of a pass, one of the logits
  virtual double multiply_adds() = 0;  // of its matrix products

  std::vector<unroll::Tensor> values;  // inputs, then the model's parameters in order
};
