// Normalisation with learned weights.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/nn/parts.h"
#include "engine/ops/ops.h"

namespace unroll {

enum class NormKind { layer, rms };

// x (…, D) → (…, D): layer_norm with weight and bias (D), or rms_norm, which has no bias.
struct Norm {
  Norm(NormKind kind, Parameters& parameters, const std::string& name, int size, const Parts& parts = no_parts)
      : instead(parts.norm(name, size)) {
    if (instead) return;
    weight = parameters.declare(name + ".weight", {size}, constant(1));
    if (kind == NormKind::layer) bias = parameters.declare(name + ".bias", {size}, constant(0));
  }
  explicit Norm(Tensor weight, Tensor bias = {}) : weight(std::move(weight)), bias(std::move(bias)) {}

  Tensor operator()(Operand x) const {
    return (instead ? (*instead)(x) : bias ? layer_norm(x, weight, bias) : rms_norm(x, weight)).as("normed");
  }

  Tensor weight, bias;
  const LayerFunction* instead = nullptr;
};

}  // namespace unroll
