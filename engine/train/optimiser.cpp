#include "engine/train/optimiser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/lanes.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "engine/train/fused_adam.h"

namespace unroll {
namespace {

Scalar scalar(double value) { return static_cast<Scalar>(value); }

// βᵗ by multiplication, for the same bits on every machine.
double power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2) result *= base;
  return result;
}

// 1 − βᵗ: total weight of the values in a running mean that started at 0, after t steps (Adam's bias correction).
double bias_correction(double beta, int t) { return 1 - power(beta, t); }

// decay · mean + (1 − decay) · x, and below the same with x².
Tensor running_mean(Operand decay, Operand mean, Operand one_minus_decay, Operand x) {
  Tensor y(x.shape());
  y.array() = decay.item() * mean.array() + one_minus_decay.item() * x.array();
  return record({"running_mean", "elementwise", "{0} · {1} + {2} · {3}"}, y, Input{decay}, Input{mean},
                Input{one_minus_decay}, Input{x});
}
Tensor running_mean_of_squares(Operand decay, Operand mean, Operand one_minus_decay, Operand x) {
  Tensor y(x.shape());
  y.array() = decay.item() * mean.array() + one_minus_decay.item() * x.array() * x.array();
  return record({"running_mean_of_squares", "elementwise", "{0} · {1} + {2} · {3}²"}, y, Input{decay}, Input{mean},
                Input{one_minus_decay}, Input{x});
}

// State from the previous step, as an input on the live tape.
Tensor previous_state(const Tensor& slot, std::string_view name) {
  return input("", slot, Role::state, false).as(name);
}

// w − η g / (√v + ε)
Tensor rms_step(Operand w, Operand g, Operand v, double learning_rate, double epsilon) {
  const Tensor scaled = learning_rate * g;
  const Tensor step = (scaled / (sqrt(v) + epsilon)).as("step");
  return w - step;
}

}  // namespace

void Optimiser::prepare(const std::vector<Tensor>& parameters) {
  if (!state_.empty()) return;
  for (const Tensor& parameter : parameters)
    for (int slot = 0; slot < slots_; ++slot) state_.push_back(Tensor::full(parameter.shape(), 0));
}

void Optimiser::step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients, double scale) {
  prepare(parameters);
  ++steps;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!gradients[i]) continue;
    const Tensor& w = parameters[i];
    const Tensor* state = state_.data() + i * slots_;
    if (decays_gradient()) {
      const Tensor decayed(w.shape());
      decayed.array() = scalar(scale) * gradients[i].array() + scalar(weight_decay) * w.array();
      update(w.array(), decayed.array(), 1, state);
    } else {
      update(w.array(), gradients[i].array(), scalar(scale), state);
    }
  }
}

Tensor Optimiser::traced_step(std::size_t i, Operand w, Operand g) const {
  std::vector<Tensor> state;
  for (std::size_t slot = i * slots_; slot < (i + 1) * slots_; ++slot)
    state.push_back(state_.empty() ? Tensor::full(w.shape(), 0) : state_[slot]);
  if (!decays_gradient()) return traced_update(w, g, state.data());
  return traced_update(w, (g + weight_decay * w).as("g decayed", Role::gradient), state.data());
}

bool Optimiser::accepts_state(const std::vector<Tensor>& parameters, const std::vector<Tensor>& state,
                              int steps_done) const {
  if (state.empty() && steps_done == 0) return true;
  if (state.size() != parameters.size() * static_cast<std::size_t>(slots_)) return false;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (state[i].shape() != parameters[i / static_cast<std::size_t>(slots_)].shape()) return false;
  return true;
}

void Optimiser::restore_state(std::vector<Tensor> state, int steps_done) {
  state_ = std::move(state);
  steps = steps_done;
}

void Sgd::update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) {
  const auto g = scale * gradient;
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

Tensor Sgd::traced_update(Operand w, Operand g, const Tensor* state) const {
  if (momentum == 0) return w - (learning_rate * g).as("step");
  const Tensor previous = previous_state(state[0], "v before");
  const Tensor v = (momentum * previous + g).as("v");
  const Tensor direction = nesterov ? g + momentum * v : v;
  return w - (learning_rate * direction).as("step");
}

void Adam::fused_step(Tensor::Array w, Scalar weight_scale, const Tensor::Array& gradient, Scalar scale,
                      const Tensor* state) const {
  const fused::AdamStep step = {.weight_scale = weight_scale,
                                .gradient_scale = scale,
                                .beta1 = scalar(beta1),
                                .one_minus_beta1 = scalar(1 - beta1),
                                .beta2 = scalar(beta2),
                                .one_minus_beta2 = scalar(1 - beta2),
                                .rate = scalar(learning_rate / bias_correction(beta1, steps)),
                                .root = scalar(std::sqrt(bias_correction(beta2, steps))),
                                .epsilon = scalar(epsilon)};
  fused::adam(step, static_cast<std::size_t>(w.size()), gradient.data(), w.data(), state[0].data(), state[1].data());
}

// m̂ = m / (1 − β₁ᵗ) and v̂ = v / (1 − β₂ᵗ) correct the bias towards the initial zeros.
Tensor Adam::traced_update(Operand w, Operand g, const Tensor* state) const {
  const Tensor m_previous = previous_state(state[0], "m before"), v_previous = previous_state(state[1], "v before");
  const Tensor m = running_mean(beta1, m_previous, 1 - beta1, g).as("m");
  const Tensor v = running_mean_of_squares(beta2, v_previous, 1 - beta2, g).as("v");
  const Tensor scaled = (learning_rate / bias_correction(beta1, steps + 1) * m).as("η m̂");
  const Tensor root = (sqrt(v) / std::sqrt(bias_correction(beta2, steps + 1))).as("√v̂");
  return w - (scaled / (root + epsilon)).as("step");
}

void AdamW::update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) {
  fused_step(w, scalar(1 - learning_rate * weight_decay), gradient, scale, state);
}

Tensor AdamW::traced_update(Operand w, Operand g, const Tensor* state) const {
  return Adam::traced_update(((1 - learning_rate * weight_decay) * w).as("w decayed", Role::parameter), g, state);
}

void RmsProp::update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) {
  const auto g = scale * gradient;
  Tensor::Array v = state[0].array();
  v = scalar(decay) * v + scalar(1 - decay) * g * g;
  w -= scalar(learning_rate) * g / (v.sqrt() + scalar(epsilon));
}

Tensor RmsProp::traced_update(Operand w, Operand g, const Tensor* state) const {
  const Tensor previous = previous_state(state[0], "v before");
  const Tensor v = running_mean_of_squares(decay, previous, 1 - decay, g).as("v");
  return rms_step(w, g, v, learning_rate, epsilon);
}

void Adagrad::update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) {
  const auto g = scale * gradient;
  Tensor::Array v = state[0].array();
  v += g * g;
  w -= scalar(learning_rate) * g / (v.sqrt() + scalar(epsilon));
}

Tensor Adagrad::traced_update(Operand w, Operand g, const Tensor* state) const {
  const Tensor previous = previous_state(state[0], "v before");
  const Tensor v = (previous + g * g).as("v");
  return rms_step(w, g, v, learning_rate, epsilon);
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
  if (found == optimisers.end()) fail(ErrorCode::config, "no_such_optimiser", kind, optimiser_kinds());
  return found->second(learning_rate);
}

double gradient_norm(const std::vector<Tensor>& gradients) {
  double squared = 0;
  for (const Tensor& g : gradients)
    if (g) squared += static_cast<double>(sum_of(g.data(), g.size(), [](auto x) { return x * x; }));
  return std::sqrt(squared);
}

double clip_factor(double norm, double max_norm) { return norm > max_norm ? max_norm / (norm + 1e-6) : 1; }

namespace {

Tensor record_norm(const std::vector<Tensor>& gradients, double norm,
                   Operand::CallSite where = Operand::CallSite::current()) {
  std::vector<Operand> reached;
  for (const Tensor& g : gradients)
    if (g) reached.emplace_back(g, where);
  std::vector<Input> inputs;
  for (const Operand& each : reached) inputs.push_back({each});
  return record({"gradient_norm", "norm", "√Σ ∂²"}, Tensor::scalar(scalar(norm)), std::span<const Input>(inputs));
}

Tensor record_factor(Operand norm, Operand max_norm, double factor) {
  return record({"clip_factor", "elementwise", "{0} > {1} ? {1} / ({0} + 10⁻⁶) : 1"}, Tensor::scalar(scalar(factor)),
                Input{norm}, Input{max_norm});
}

}  // namespace

// Norm and factor are computed in double; the tape records the results.
Tensor traced_clip_factor(const std::vector<Tensor>& gradients, double max_norm) {
  const double norm = gradient_norm(gradients);
  const Tensor recorded = record_norm(gradients, norm).as("norm");
  return record_factor(recorded, max_norm, clip_factor(norm, max_norm)).as("clip");
}

namespace {

constexpr int max_schedule_steps = 1'000'000;
const std::vector<std::string> kinds = {"constant", "linear", "cosine", "noam"};

}  // namespace

Schedule::Schedule(const Config& config)
    : kind_(config.choice("schedule", Kind::constant, kinds)),
      warmup_(config.integer("warmup", 0, 0, max_schedule_steps)),
      total_(config.integer("steps", 1000, 1, max_schedule_steps)) {
  if (kind_ == Kind::noam && warmup_ == 0) fail(ErrorCode::config, "noam_without_warmup");
}

double Schedule::factor(int step) const { return step < warmup_ ? (step + 1.0) / warmup_ : after_warmup(step); }

double Schedule::after_warmup(int step) const {
  const int period = std::max(total_ - warmup_, 1);
  const double done = ((step - warmup_) % period + 1.0) / (period + 1.0);
  if (kind_ == Kind::constant) return 1;
  if (kind_ == Kind::linear) return 1 - done;
  if (kind_ == Kind::noam) return std::sqrt(warmup_ / (step + 1.0));
  return (1 + static_cast<double>(kernels::cos(static_cast<Scalar>(std::numbers::pi * done)))) / 2;
}

}  // namespace unroll
