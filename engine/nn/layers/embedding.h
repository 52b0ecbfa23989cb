// A learned vector for each id.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

// ids (…) → vectors (…, E): row ids[…] of weight (V, E). The row of the id `padding`, if given, takes no gradient; no
// model uses it, `lab conform` compares it with values computed elsewhere.
struct Embedding {
  Embedding(Parameters& parameters, const std::string& name, int vocabulary, int size, int padding = -1)
      : weight(parameters.declare(name + ".weight", {vocabulary, size}, normal(1))), padding(padding) {}
  explicit Embedding(Tensor weight, int padding = -1) : weight(std::move(weight)), padding(padding) {}

  Tensor operator()(Operand ids) const {
    const Tensor vectors = gather(weight, ids);
    if (padding < 0) return vectors;
    const Tensor is_padding = reshape(equal(ids, padding), ids.shape().inserted(ids.rank()));
    return where(is_padding, detach(vectors), vectors);
  }

  Tensor weight;
  int padding;
};

}  // namespace unroll
