// Optimisers: how a gradient changes a parameter.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/operand.h"

namespace unroll {

// One step over all parameters. State is kept by the place of a parameter in the list, so give the same list each time.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  // Makes the state, all 0, unless there is one. step does so too; a trainer does it before its first pass, so that no
  // later one finds less memory than the first.
  void prepare(const std::vector<Tensor>& parameters);

  // parameters[i] changes in place by gradients[i], of the same shape; no gradient means no change.
  void step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients);

  // What step would make of parameters[i], which is w, with the gradient g: the same bits, in operations on the live
  // tape. Nothing changes.
  Tensor stepped(std::size_t i, Operand w, Operand g) const;

  // Its name for make_optimiser, which a checkpoint bears: the state of one kind means nothing to another.
  virtual std::string_view kind() const = 0;

  double learning_rate;
  // λ. For all but AdamW it adds λ w to the gradient: no recipe does so, it stands here for outside numbers (lab
  // conform).
  double weight_decay;
  int steps = 0;  // done so far

  // The state tensors, in a fixed order, for checkpoints.
  const std::vector<Tensor>& state() const { return state_; }
  void restore_state(std::vector<Tensor> state, int steps_done);
  // Whether such a state belongs to these parameters after so many steps: each slot of each in order, or before the
  // first step none at all.
  bool takes_state(const std::vector<Tensor>& parameters, const std::vector<Tensor>& state, int steps_done) const;

 protected:
  Optimiser(double learning_rate, double weight_decay, int slots)
      : learning_rate(learning_rate), weight_decay(weight_decay), slots_(slots) {}

  // The kernel, and its composite. g already holds the weight decay where it belongs there; state is this parameter's
  // slots. `steps` counts the step in `update`, and not yet in `updated`.
  virtual void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) = 0;
  virtual Tensor updated(Operand w, Operand g, const Tensor* state) const = 0;
  virtual bool decay_in_gradient() const { return true; }

 private:
  bool decays_gradient() const { return weight_decay != 0 && decay_in_gradient(); }

  int slots_;
  std::vector<Tensor> state_;
};

// v ← μ v + g;  w ← w − η v, or with Nesterov w ← w − η (g + μ v). (Sutskever et al. 2013, §2, whose v holds η; here it
// stays outside, as in PyTorch, and a new η changes the whole step at once.)
struct Sgd : Optimiser {
  explicit Sgd(double learning_rate, double momentum = 0, bool nesterov = false, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, momentum == 0 ? 0 : 1), momentum(momentum), nesterov(nesterov) {}
  std::string_view kind() const override { return momentum == 0 ? "sgd" : nesterov ? "nesterov" : "momentum"; }
  double momentum;
  bool nesterov;

 protected:
  void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) override;
  Tensor updated(Operand w, Operand g, const Tensor* state) const override;
};

// m and v: running means of g and g²; w ← w − η m̂ / (√v̂ + ε). (Kingma & Ba 2015, algorithm 1.)
struct Adam : Optimiser {
  explicit Adam(double learning_rate, double beta1 = 0.9, double beta2 = 0.999, double epsilon = 1e-8,
                double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 2), beta1(beta1), beta2(beta2), epsilon(epsilon) {}
  std::string_view kind() const override { return "adam"; }
  double beta1, beta2, epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) override { move(w, g, state, 1); }
  // The same, of kept · w.
  void move(Tensor::Array w, const Tensor::Array& g, const Tensor* state, Scalar kept) const;
  Tensor updated(Operand w, Operand g, const Tensor* state) const override;
};

// Adam with the weights decayed by themselves: w ← w − η λ w first. (Loshchilov & Hutter 2019, algorithm 2, where only
// the schedule multiplies λ; here the learning rate does, as in PyTorch.)
struct AdamW : Adam {
  explicit AdamW(double learning_rate, double beta1 = 0.9, double beta2 = 0.999, double epsilon = 1e-8,
                 double weight_decay = 0.01)
      : Adam(learning_rate, beta1, beta2, epsilon, weight_decay) {}
  std::string_view kind() const override { return "adamw"; }

 protected:
  void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) override;
  Tensor updated(Operand w, Operand g, const Tensor* state) const override;
  bool decay_in_gradient() const override { return false; }
};

// v ← ρ v + (1 − ρ) g²;  w ← w − η g / (√v + ε). (Tieleman & Hinton 2012, lecture 6.5.)
struct RmsProp : Optimiser {
  explicit RmsProp(double learning_rate, double decay = 0.99, double epsilon = 1e-8, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 1), decay(decay), epsilon(epsilon) {}
  std::string_view kind() const override { return "rmsprop"; }
  double decay, epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) override;
  Tensor updated(Operand w, Operand g, const Tensor* state) const override;
};

// v ← v + g²;  w ← w − η g / (√v + ε). (Duchi et al. 2011, §1.3.)
struct Adagrad : Optimiser {
  explicit Adagrad(double learning_rate, double epsilon = 1e-10, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 1), epsilon(epsilon) {}
  std::string_view kind() const override { return "adagrad"; }
  double epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& g, const Tensor* state) override;
  Tensor updated(Operand w, Operand g, const Tensor* state) const override;
};

// "sgd", "momentum", "nesterov", "adam", "adamw", "rmsprop" or "adagrad", with the usual constants.
// Throws Error(config) for another name.
std::unique_ptr<Optimiser> make_optimiser(const std::string& kind, double learning_rate);
std::vector<std::string> optimiser_kinds();

// Scales all gradients by max_norm / norm where their common norm √Σ‖g‖² is larger (Pascanu et al. 2013, §3.2).
// Returns the norm before.
double clip_gradients(const std::vector<Tensor>& gradients, double max_norm);
double gradient_norm(const std::vector<Tensor>& gradients);

// What clip_gradients scales by, 1 where it does not: the same bits, in operations on the live tape.
Tensor clip_factor(const std::vector<Tensor>& gradients, double max_norm);

}  // namespace unroll
