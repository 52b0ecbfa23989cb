// y = x Wᵀ + b.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

// x (…, in) → y (…, out), with weight (out, in) and bias (out).
struct Linear {
  Linear(Parameters& parameters, const std::string& name, int in, int out, bool with_bias = true)
      : weight(parameters.declare(name + ".weight", {out, in}, xavier_uniform())),
        bias(with_bias ? parameters.declare(name + ".bias", {out}, constant(0)) : Tensor()) {}
  Linear(Tensor weight, Tensor bias) : weight(std::move(weight)), bias(std::move(bias)) {}

  Tensor operator()(Operand x) const {
    const Tensor product = matmul(x, weight, Transposed::b);
    return bias ? add_bias(product, bias) : product;
  }

  Tensor weight, bias;
};

}  // namespace unroll
