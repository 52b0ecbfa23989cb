#include "engine/nn/layers/feed_forward.h"

namespace unroll {
namespace {

Tensor activated(Activation activation, Operand x) {
  switch (activation) {
    case Activation::relu:
      return relu(x);
    case Activation::gelu:
      return gelu(x);
    case Activation::gelu_tanh:
      return gelu_tanh(x);
    default:
      return silu(x);
  }
}

}  // namespace

std::vector<std::string> activation_kinds() { return {"relu", "gelu", "gelu_tanh", "swiglu"}; }

FeedForward::FeedForward(Activation activation, Parameters& parameters, const std::string& name, int model, int hidden)
    : activation_(activation),
      W_1_(parameters, name + ".W_1", model, hidden, activation != Activation::swiglu),
      W_2_(parameters, name + ".W_2", hidden, model, activation != Activation::swiglu),
      V_(activation == Activation::swiglu ? Linear(parameters, name + ".V", model, hidden, false)
                                          : Linear(Tensor(), Tensor())) {}

FeedForward::FeedForward(Activation activation, Linear W_1, Linear W_2, Linear V)
    : activation_(activation), W_1_(std::move(W_1)), W_2_(std::move(W_2)), V_(std::move(V)) {}

Tensor FeedForward::operator()(Operand x) const {
  Tensor hidden = activated(activation_, W_1_(x).as("preactivation")).as("hidden");        // (…, F)
  if (activation_ == Activation::swiglu) hidden = (hidden * V_(x).as("V x")).as("gated");  // (…, F)
  return W_2_(hidden).as("y");                                                             // (…, D)
}

}  // namespace unroll
