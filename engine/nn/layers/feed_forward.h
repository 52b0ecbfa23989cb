// The position-wise feed-forward network: what a Transformer computes at each position by itself.
#pragma once

#include <string>
#include <vector>

#include "engine/nn/layers/linear.h"

namespace unroll {

enum class Activation { relu, gelu, gelu_tanh, swiglu };

std::vector<std::string> activation_kinds();  // names, in enum order

// x (…, D) → (…, D), through F hidden values:
//   relu       W_2 max(W_1 x + b_1, 0) + b_2 (Vaswani et al. 2017, §3.3)
//   gelu       W_2 gelu(W_1 x + b_1) + b_2 (Hendrycks & Gimpel 2016); gelu_tanh with the tanh approximation
//   swiglu     W_2 (silu(W_1 x) · V x), without biases (Shazeer 2020, §2)
class FeedForward {
 public:
  // Declares name.W_1 (F, D), name.W_2 (D, F), and name.V (F, D) for swiglu; each a Linear.
  FeedForward(Activation activation, Parameters& parameters, const std::string& name, int model, int hidden);
  FeedForward(Activation activation, Linear W_1, Linear W_2, Linear V = {Tensor(), Tensor()});

  Tensor operator()(Operand x) const;

 private:
  Activation activation_;
  Linear W_1_, W_2_, V_;
};

}  // namespace unroll
