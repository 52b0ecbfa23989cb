// ONNX's Adam, Adagrad and Momentum: one step of the engine's optimisers from the node's state. (ONNX training operator
// set 1.)
#include <cmath>

#include "engine/train/optimiser.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

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

}  // namespace

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

}  // namespace unroll::conform
