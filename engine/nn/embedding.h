// A learned vector for each id.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

// ids (…) → vectors (…, E): row ids[…] of weight (V, E).
struct Embedding {
  Embedding(Parameters& parameters, const std::string& name, int vocabulary, int size)
      : weight(parameters.declare(name + ".weight", {vocabulary, size}, normal(1))) {}
  explicit Embedding(Tensor weight) : weight(std::move(weight)) {}

  Tensor operator()(Operand ids) const { return gather(weight, ids); }

  Tensor weight;
};

}  // namespace unroll
