// PyTorch's layers, by the beginning of their parameters' names: "fc." for fc.weight and fc.bias.
#pragma once

#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/layers/position_wise.h"
#include "tests/conform/case.h"

namespace unroll::conform {

inline Linear linear(const Arguments& a, const std::string& prefix) {
  return {a.param(prefix + "weight"), a.optional_param(prefix + "bias")};
}

inline Linear without_bias(const Arguments& a, const std::string& weight) { return {a.param(weight), Tensor()}; }

inline Norm norm(const Arguments& a, const std::string& prefix) {
  return Norm(a.param(prefix + "weight"), a.param(prefix + "bias"));
}

// The projection to queries (0), keys (1) or values (2) of a layer that computes all three.
inline Linear third(const Linear& all, int which) {
  const int D = all.weight.shape()[0] / 3;
  return {slice(all.weight, 0, which * D, D), all.bias ? slice(all.bias, 0, which * D, D) : Tensor()};
}

inline MultiHeadAttention heads(const Arguments& a, int D, const Linear& in, const Linear& out) {
  return {{.model = D, .heads = a.option("heads", 1)},
          {.W_Q = third(in, 0), .W_K = third(in, 1), .W_V = third(in, 2), .W_O = out}};
}

inline MultiHeadAttention heads(const Arguments& a, int D, const std::string& prefix) {
  return heads(a, D, {a.param(prefix + "in_proj_weight"), a.param(prefix + "in_proj_bias")},
               linear(a, prefix + "out_proj."));
}

// Additive: −∞ where the mark is (true) or is not (false), else 0.
inline Tensor hidden_where(const Tensor& marks, bool mark) {
  Tensor mask(marks.shape());
  for (std::size_t i = 0; i < marks.size(); ++i) mask.data()[i] = (marks.data()[i] != 0) == mark ? masked : Scalar(0);
  return mask;
}

}  // namespace unroll::conform
