#include "engine/train/optimiser.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/tensor/error.h"
#include "engine/tensor/sums.h"

namespace unroll {
namespace {

Scalar scalar(double value) { return static_cast<Scalar>(value); }

// βᵗ by multiplication, so that every machine gets the same bits.
double power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2) result *= base;
  return result;
}

}  // namespace

void Optimiser::prepare(const std::vector<Tensor>& parameters) {
  if (!state_.empty()) return;
  for (const Tensor& parameter : parameters)
    for (int slot = 0; slot < slots_; ++slot) state_.push_back(Tensor::full(parameter.shape(), 0));
}

void Optimiser::step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients) {
  prepare(parameters);
  ++steps;
  begin_step();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!gradients[i]) continue;
    Tensor g = gradients[i];
    if (weight_decay != 0 && decay_in_gradient()) {
      g = g.copy();
      g.array() += scalar(weight_decay) * parameters[i].array();
    }
    update(parameters[i].array(), g.array(), state_.data() + i * slots_);
  }
}

bool Optimiser::takes_state(const std::vector<Tensor>& parameters, const std::vector<Tensor>& state) const {
  if (state.empty()) return true;
  if (state.size() != parameters.size() * static_cast<std::size_t>(slots_)) return false;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (state[i].shape() != parameters[i / static_cast<std::size_t>(slots_)].shape()) return false;
  return true;
}

void Optimiser::restore_state(std::vector<Tensor> state, int steps_done) {
  state_ = std::move(state);
  steps = steps_done;
}

void Sgd::update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) {
  if (momentum == 0) {
    w -= scalar(learning_rate) * g;
    return;
  }
  Tensor::Array v = state[0].array();
  v = scalar(momentum) * v + g;
  if (nesterov)
    w -= scalar(learning_rate) * (g + scalar(momentum) * v);
  else
    w -= scalar(learning_rate) * v;
}

void Adam::begin_step() {
  correction1_ = 1 - power(beta1, steps);
  correction2_ = 1 - power(beta2, steps);
}

void Adam::update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) {
  const Scalar keep1 = scalar(beta1), take1 = scalar(1 - beta1), keep2 = scalar(beta2), take2 = scalar(1 - beta2);
  const Scalar rate = scalar(learning_rate / correction1_), root = scalar(std::sqrt(correction2_));
  const Scalar small = scalar(epsilon), *slope = g.data();
  Scalar *weight = w.data(), *m = state[0].data(), *v = state[1].data();
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    m[i] = keep1 * m[i] + take1 * slope[i];
    v[i] = keep2 * v[i] + take2 * slope[i] * slope[i];
    weight[i] -= rate * m[i] / (std::sqrt(v[i]) / root + small);
  }
}

void AdamW::update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) {
  w *= scalar(1 - learning_rate * weight_decay);
  Adam::update(w, g, state);
}

void RmsProp::update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) {
  Tensor::Array v = state[0].array();
  v = scalar(decay) * v + scalar(1 - decay) * g * g;
  w -= scalar(learning_rate) * g / (v.sqrt() + scalar(epsilon));
}

void Adagrad::update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) {
  Tensor::Array v = state[0].array();
  v += g * g;
  w -= scalar(learning_rate) * g / (v.sqrt() + scalar(epsilon));
}

namespace {

const std::map<std::string, std::unique_ptr<Optimiser> (*)(double)> optimisers = {
    {"sgd", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<Sgd>(rate); }},
    {"momentum", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<Sgd>(rate, 0.9); }},
    {"nesterov", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<Sgd>(rate, 0.9, true); }},
    {"adam", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<Adam>(rate); }},
    {"adamw", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<AdamW>(rate); }},
    {"rmsprop", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<RmsProp>(rate); }},
    {"adagrad", [](double rate) -> std::unique_ptr<Optimiser> { return std::make_unique<Adagrad>(rate); }},
};

}  // namespace

std::vector<std::string> optimiser_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, make] : optimisers) kinds.push_back(kind);
  return kinds;
}

std::unique_ptr<Optimiser> make_optimiser(const std::string& kind, double learning_rate) {
  const auto found = optimisers.find(kind);
  if (found == optimisers.end()) fail(ErrorCode::config, "optimiser is \"", kind, "\", which is not an optimiser.");
  return found->second(learning_rate);
}

double clip_gradients(const std::vector<Tensor>& gradients, double max_norm) {
  double squared = 0;
  for (const Tensor& g : gradients)
    if (g) squared += static_cast<double>(sum_run(g.data(), g.size(), [](auto x) { return x * x; }));
  const double norm = std::sqrt(squared);
  if (!(norm > max_norm)) return norm;
  for (auto g = gradients.begin(); g != gradients.end(); ++g) {
    // x + y gives both the same tensor as their gradient.
    const bool scaled = std::any_of(gradients.begin(), g,
                                    [&](const Tensor& other) { return other && *g && other.data() == g->data(); });
    if (*g && !scaled) g->array() *= scalar(max_norm / (norm + 1e-6));
  }
  return norm;
}

}  // namespace unroll
