// Optimisers from a case's settings, the cases about them, and ONNX's.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/autograd/tape.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/ops/ops.h"
#include "engine/train/optimiser.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

std::string type_of(const Json& plan) {
  std::string type = plan.value("type", plan.value("optimizer", ""));
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

// Skips a case with an active option that the engine lacks.
void refuse_other_options(const std::string& type, const Json& plan, const std::set<std::string>& known) {
  static const std::set<std::string> about_the_run = {
      "type", "optimizer", "lr",     "lrs",          "steps",  "clip_norm", "grad_norms_before_clip",
      "loss", "model",     "losses", "params_after", "f32_err"};
  static const std::set<std::string> of_others = {"betas", "eps", "momentum", "weight_decay", "nesterov", "alpha"};
  for (const auto& [option, value] : plan.items()) {
    const bool asks = !(value.is_null() || value == Json(false) || value == Json(0) || value == Json(0.0));
    const bool of_no_use_here = plan.contains("optimizer") && of_others.contains(option);
    if (asks && !of_no_use_here && !about_the_run.contains(option) && !known.contains(option))
      throw Skip("the engine's " + type + " has no option " + option);
  }
}

double option(const Json& plan, const char* name, double otherwise) { return plan.value(name, otherwise); }
double rate_of(const Json& plan) { return plan.at("lr").get<double>(); }
double decay_of(const Json& plan, double otherwise = 0) { return option(plan, "weight_decay", otherwise); }

std::unique_ptr<Optimiser> sgd(const Json& plan) {
  return std::make_unique<Sgd>(rate_of(plan), option(plan, "momentum", 0), plan.value("nesterov", false),
                               decay_of(plan));
}

template <typename AdamLike>
std::unique_ptr<Optimiser> adam(const Json& plan, double weight_decay) {
  const auto betas = plan.value("betas", std::vector<double>{0.9, 0.999});
  return std::make_unique<AdamLike>(rate_of(plan), betas.at(0), betas.at(1), option(plan, "eps", 1e-8),
                                    decay_of(plan, weight_decay));
}

std::unique_ptr<Optimiser> rmsprop(const Json& plan) {
  return std::make_unique<RmsProp>(rate_of(plan), option(plan, "alpha", 0.99), option(plan, "eps", 1e-8),
                                   decay_of(plan));
}

std::unique_ptr<Optimiser> adagrad(const Json& plan) {
  return std::make_unique<Adagrad>(rate_of(plan), option(plan, "eps", 1e-10), decay_of(plan));
}

struct OptimiserKind {
  std::set<std::string> options;
  std::unique_ptr<Optimiser> (*make)(const Json& plan);
};

const std::map<std::string, OptimiserKind> kinds = {
    {"sgd", {{"momentum", "nesterov", "weight_decay"}, sgd}},
    {"adam", {{"betas", "eps", "weight_decay"}, [](const Json& plan) { return adam<Adam>(plan, 0); }}},
    {"adamw", {{"betas", "eps", "weight_decay"}, [](const Json& plan) { return adam<AdamW>(plan, 0.01); }}},
    {"rmsprop", {{"alpha", "eps", "weight_decay"}, rmsprop}},
    {"adagrad", {{"eps", "weight_decay"}, adagrad}},
};

Tensor row(const Tensor& rows, int i) { return slice(rows, 0, i, 1).copy().reshaped(rows.shape().without(0)); }

// The parameter before the first step. The cases with given gradients list the parameter after each step, so the start
// is found by iteration: w ← w + (wanted − step(w)) converges at once, as steps hardly depend on w.
Tensor solve_start(const Json& config, const Tensor& first_gradient, const Tensor& after_first) {
  Tensor start = after_first.copy();
  for (int round = 0; round < 8; ++round) {
    const Tensor moved = start.copy();
    read_optimiser(config)->step({moved}, {first_gradient.copy()});
    start.array() += after_first.array() - moved.array();
  }
  return start;
}

bool holds(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && ((a.array() - b.array()).abs() <= 1e-6f * (1 + b.array().abs())).all();
}

}  // namespace

std::unique_ptr<Optimiser> read_optimiser(const Json& plan) {
  const std::string type = type_of(plan);
  const auto kind = kinds.find(type);
  if (kind == kinds.end()) throw Skip("the engine has no optimiser \"" + type + "\" yet");
  refuse_other_options(type, plan, kind->second.options);
  return kind->second.make(plan);
}

namespace {

// Given gradients, the parameter after every step.
void check_optimiser(const Json& test, Findings& findings) {
  const Arguments arguments(test);
  const Tensor gradients = arguments.input("grads");
  const Tensor expected = read_tensor(test.at("outputs").at("p_after_each_step"));
  const int steps = gradients.shape()[0];
  const Tensor given = arguments.param("p");
  const Tensor p = holds(given, row(expected, steps - 1))
                       ? solve_start(arguments.config(), row(gradients, 0), row(expected, 0))
                       : given.copy();

  const std::unique_ptr<Optimiser> optimiser = read_optimiser(arguments.config());
  Tensor after_each(expected.shape());
  for (int i = 0; i < steps; ++i) {
    optimiser->step({p}, {row(gradients, i)});
    std::ranges::copy(p.values(), after_each.data() + static_cast<std::size_t>(i) * p.size());
  }
  compare_outputs(test, {{"p_after_each_step", after_each}}, findings);
}

// Gradients scaled by their global norm.
void check_clipping(const Json& test, Findings& findings) {
  const Arguments arguments(test);
  Results results = arguments.inputs();
  std::vector<Tensor> gradients;
  for (const auto& [name, tensor] : results) gradients.push_back(tensor);
  const double norm = gradient_norm(gradients), max_norm = arguments.config().at("max_norm").get<double>();
  for (const Tensor& g : gradients) g.array() *= static_cast<Scalar>(clip_factor(norm, max_norm));
  results["total_norm"] = Tensor::scalar(static_cast<Scalar>(norm));
  compare_outputs(test, results, findings);
}

// A Linear trained from zeros.
void check_regression(const Json& test, Findings& findings) {
  const Arguments arguments(test);
  const Tensor x = arguments.input("x"), y = arguments.input("y");
  const int in = x.shape()[-1], out = y.shape()[-1];
  const Linear model(Tensor::full({out, in}, 0), Tensor::full({out}, 0));
  const std::unique_ptr<Optimiser> optimiser = read_optimiser(arguments.config());
  for (int i = 0; i < arguments.config().at("steps").get<int>(); ++i) {
    Tape tape(Tape::Detail::training);
    RecordingGuard recording(&tape);
    input("weight", model.weight, Role::parameter);
    input("bias", model.bias, Role::parameter);
    backward(sum(square(model(x) - y)));
    optimiser->step({model.weight, model.bias}, {gradient(model.weight), gradient(model.bias)});
  }
  compare_outputs(test, {{"weight", model.weight}, {"bias", model.bias}}, findings);
}

const Kind cases[] = {{"optimizer", check_optimiser}, {"clip_grad_norm", check_clipping}, {"train", check_regression}};

// ── ONNX's: one step of the engine's optimisers from the node's state (ONNX training operator set 1) ─────────────────

enum Place { rate, step_count, first_tensor };

double rate_of(const Node& node) { return static_cast<double>(node[rate].item()); }
int steps_of(const Node& node) { return static_cast<int>(node[step_count].item()); }
double weight_decay_of(const Node& node) { return node.attribute("norm_coefficient", 0.0); }

// The node lists all weights, then all gradients, then all first values of the state, then all second ones.
struct Step {
  Step(const Node& node, int slots) : slots(slots), count((node.inputs() - first_tensor) / (2 + slots)) {
    const auto at = [&](int group, std::size_t i) { return node[first_tensor + group * count + i]; };
    for (std::size_t i = 0; i < count; ++i) {
      weights.push_back(at(0, i).copy());
      gradients.push_back(at(1, i).copy());
      for (int slot = 0; slot < slots; ++slot) state.push_back(at(2 + slot, i).copy());
    }
  }

  // All weights after the step, then each value of the state, in the node's order.
  std::vector<Tensor> by(Optimiser& optimiser, int steps_before) const {
    optimiser.restore_state(state, steps_before);
    optimiser.step(weights, gradients);
    std::vector<Tensor> results = weights;
    for (int slot = 0; slot < slots; ++slot)
      for (std::size_t i = 0; i < count; ++i) results.push_back(optimiser.state()[i * slots + slot]);
    return results;
  }

  int slots;
  std::size_t count;
  std::vector<Tensor> weights, gradients, state;
};

// ONNX divides by √h + ε, with the bias correction in the rate; the engine by √(h / (1 − βᵗ)) + ε. So rate and ε are
// converted: to the engine's step 1 for T = 0, which has no correction, else to step T.
ONNX(Adam) {
  const double alpha = node.attribute("alpha", 0.9), beta = node.attribute("beta", 0.999);
  const int T = steps_of(node);
  const double root = std::sqrt(1 - std::pow(beta, std::max(T, 1)));
  Adam adam(T == 0 ? rate_of(node) * (1 - alpha) / root : rate_of(node), alpha, beta,
            node.attribute("epsilon", 1e-6) / root, weight_decay_of(node));
  const Step step(node, 2);
  const std::vector<Tensor> results = step.by(adam, std::max(T, 1) - 1);
  for (const Tensor& weight : step.weights) weight.array() *= Scalar(1 - node.attribute("norm_coefficient_post", 0.0));
  return results;
}

ONNX(Adagrad) {
  const double decayed = rate_of(node) / (1 + steps_of(node) * node.attribute("decay_factor", 0.0));
  Adagrad adagrad(decayed, node.attribute("epsilon", 1e-6), weight_decay_of(node));
  return Step(node, 1).by(adagrad, steps_of(node));
}

// From the second step on ONNX scales the gradient, weight decay included, by β before adding it to the momentum; but
// Nesterov's look-ahead uses the unscaled gradient, while the engine uses the one that was added.
ONNX(Momentum) {
  const bool nesterov = node.attribute<std::string>("mode", "standard") == "nesterov";
  const double beta = steps_of(node) > 0 ? node.attribute("beta", 1.0) : 1;
  if (nesterov && beta != 1) throw Skip("Momentum: the engine's nesterov has no factor of the gradient (beta)");
  Sgd sgd(rate_of(node), node.attribute("alpha", 0.0), nesterov, beta * weight_decay_of(node));
  const Step step(node, 1);
  for (const Tensor& gradient : step.gradients) gradient.array() *= static_cast<Scalar>(beta);
  return step.by(sgd, steps_of(node));
}

}  // namespace
}  // namespace unroll::conform
