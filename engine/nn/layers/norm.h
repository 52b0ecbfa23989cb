// Normalisation with learned weights.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

enum class NormKind { layer, rms };

// x (…, D) → (…, D): layer_norm with weight and bias (D), or rms_norm, which has no bias.
struct Norm {
  Norm(NormKind kind, Parameters& parameters, const std::string& name, int size)
      : weight(parameters.declare(name + ".weight", {size}, constant(1))),
        bias(kind == NormKind::layer ? parameters.declare(name + ".bias", {size}, constant(0)) : Tensor()) {}
  explicit Norm(Tensor weight, Tensor bias = {}) : weight(std::move(weight)), bias(std::move(bias)) {}

  Tensor operator()(Operand x) const { return (bias ? layer_norm(x, weight, bias) : rms_norm(x, weight)).as("normed"); }

  Tensor weight, bias;
};

}  // namespace unroll
