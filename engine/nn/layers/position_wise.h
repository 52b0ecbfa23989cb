// Layers that act on each position, or each value, by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/autograd/context.h"
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

// Dropout is active only while an instance is alive, i.e. in a training step: evaluation, generation and tracing drop
// nothing. Which values are dropped depends only on the seed, the step and the number of earlier draws in the step.
class DropoutStep {
 public:
  DropoutStep(std::uint64_t seed, int step);

 private:
  friend std::optional<Random> random_of_step();

  std::uint64_t seed_, step_;
  int calls_ = 0;
  Setting<DropoutStep*> current_;
};

// Random numbers of the training step in progress, none outside of one. Each call gets a stream of its own.
std::optional<Random> random_of_step();

// x with each value zeroed with probability `rate`, 0 ≤ rate < 1, and the others divided by 1 − rate, which keeps the
// mean. (Srivastava et al. 2014, §10.) Returns x itself and records nothing if rate is 0 or dropout is inactive.
Tensor dropout(Operand x, double rate);

}  // namespace unroll
