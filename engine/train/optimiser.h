// Optimisers: parameter updates from gradients; and schedules of their learning rate.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/models/config.h"

namespace unroll {

// Updates a list of parameters. State is indexed by position in the list, so pass the same list every time.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  // Allocates the state, all zeros, if there is none. step does so too; a trainer does it before its first forward
  // pass, so that no later pass has less memory available than the first.
  void prepare(const std::vector<Tensor>& parameters);

  // Updates parameters[i] in place by the gradient scale · gradients[i], of the same shape; without one it is
  // unchanged.
  void step(const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients, double scale = 1);

  // The value that step would give parameters[i] = w with the gradient g: bit-identical, in operations on the live
  // tape. Changes neither parameters nor state.
  Tensor traced_step(std::size_t i, Operand w, Operand g) const;

  // The name for make_optimiser. Checkpoints store it, as one kind cannot use the state of another.
  virtual std::string_view kind() const = 0;

  double learning_rate;
  // λ. Except in AdamW, λ w is added to the gradient; no recipe uses this, only comparisons with reference values (lab
  // conform) do.
  double weight_decay;
  int steps = 0;  // done so far

  // State tensors in a fixed order, for checkpoints.
  const std::vector<Tensor>& state() const { return state_; }
  void restore_state(std::vector<Tensor> state, int steps_done);
  // Whether a state fits these parameters after steps_done steps: every slot of every parameter, in order; before the
  // first step, it may be empty.
  bool accepts_state(const std::vector<Tensor>& parameters, const std::vector<Tensor>& state, int steps_done) const;

 protected:
  Optimiser(double learning_rate, double weight_decay, int slots)
      : learning_rate(learning_rate), weight_decay(weight_decay), slots_(slots) {}

  // The kernel, which takes the gradient as scale · gradient, and the same update composed of tape operations. The
  // gradient already includes any weight decay that belongs in it; state points to this parameter's slots. `steps`
  // includes the current step in `update`, not in `traced_update`.
  virtual void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) = 0;
  virtual Tensor traced_update(Operand w, Operand g, const Tensor* state) const = 0;
  virtual bool decay_in_gradient() const { return true; }

 private:
  bool decays_gradient() const { return weight_decay != 0 && decay_in_gradient(); }

  int slots_;
  std::vector<Tensor> state_;
};

// v ← μ v + g;  w ← w − η v, or with Nesterov w ← w − η (g + μ v). (Sutskever et al. 2013, §2, whose v includes η; here
// it is outside, as in PyTorch, so a new η scales the whole step at once.)
struct Sgd : Optimiser {
  explicit Sgd(double learning_rate, double momentum = 0, bool nesterov = false, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, momentum == 0 ? 0 : 1), momentum(momentum), nesterov(nesterov) {}
  std::string_view kind() const override { return momentum == 0 ? "sgd" : nesterov ? "nesterov" : "momentum"; }
  double momentum;
  bool nesterov;

 protected:
  void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) override;
  Tensor traced_update(Operand w, Operand g, const Tensor* state) const override;
};

// m and v: running means of g and g²; w ← w − η m̂ / (√v̂ + ε). (Kingma & Ba 2015, algorithm 1.)
struct Adam : Optimiser {
  explicit Adam(double learning_rate, double beta1 = 0.9, double beta2 = 0.999, double epsilon = 1e-8,
                double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 2), beta1(beta1), beta2(beta2), epsilon(epsilon) {}
  std::string_view kind() const override { return "adam"; }
  double beta1, beta2, epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) override {
    fused_step(w, 1, gradient, scale, state);
  }
  // The same step from weight_scale · w instead of w.
  void fused_step(Tensor::Array w, Scalar weight_scale, const Tensor::Array& gradient, Scalar scale,
                  const Tensor* state) const;
  Tensor traced_update(Operand w, Operand g, const Tensor* state) const override;
};

// Adam with decoupled weight decay: w ← w − η λ w first. (Loshchilov & Hutter 2019, algorithm 2, where only the
// schedule multiplies λ; here the learning rate does, as in PyTorch.)
struct AdamW : Adam {
  explicit AdamW(double learning_rate, double beta1 = 0.9, double beta2 = 0.999, double epsilon = 1e-8,
                 double weight_decay = 0.01)
      : Adam(learning_rate, beta1, beta2, epsilon, weight_decay) {}
  std::string_view kind() const override { return "adamw"; }

 protected:
  void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) override;
  Tensor traced_update(Operand w, Operand g, const Tensor* state) const override;
  bool decay_in_gradient() const override { return false; }
};

// v ← ρ v + (1 − ρ) g²;  w ← w − η g / (√v + ε). (Tieleman & Hinton 2012, lecture 6.5.)
struct RmsProp : Optimiser {
  explicit RmsProp(double learning_rate, double decay = 0.99, double epsilon = 1e-8, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 1), decay(decay), epsilon(epsilon) {}
  std::string_view kind() const override { return "rmsprop"; }
  double decay, epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) override;
  Tensor traced_update(Operand w, Operand g, const Tensor* state) const override;
};

// v ← v + g²;  w ← w − η g / (√v + ε). (Duchi et al. 2011, §1.3.)
struct Adagrad : Optimiser {
  explicit Adagrad(double learning_rate, double epsilon = 1e-10, double weight_decay = 0)
      : Optimiser(learning_rate, weight_decay, 1), epsilon(epsilon) {}
  std::string_view kind() const override { return "adagrad"; }
  double epsilon;

 protected:
  void update(Tensor::Array w, const Tensor::Array& gradient, Scalar scale, const Tensor* state) override;
  Tensor traced_update(Operand w, Operand g, const Tensor* state) const override;
};

// "sgd", "momentum", "nesterov", "adam", "adamw", "rmsprop" or "adagrad", with the usual constants.
// Throws Error(config) for another name.
std::unique_ptr<Optimiser> make_optimiser(const std::string& kind, double learning_rate);
std::vector<std::string> optimiser_kinds();

// The global norm √Σ‖g‖².
double gradient_norm(const std::vector<Tensor>& gradients);

// What to scale gradients of this norm by to clip them: max_norm / (norm + 10⁻⁶) if the norm exceeds max_norm, else 1.
// (Pascanu et al. 2013, §3.2.)
double clip_factor(double norm, double max_norm);

// The same from the gradients: bit-identical, in operations on the live tape.
Tensor traced_clip_factor(const std::vector<Tensor>& gradients, double max_norm);

// The learning-rate factor at each step: it rises linearly over the first `warmup` steps, then
//   constant: stays 1;
//   linear:   falls linearly to 0 at `total`;
//   cosine:   falls as half a cosine to 0 at `total`;
//   noam:     falls as √(warmup / step) (Vaswani et al. 2017, §5.3, where a formula sets the peak).
// After `total`, linear and cosine restart from 1 without warm-up and fall over as many steps as before (warm restarts:
// Loshchilov & Hutter 2017, §3).
class Schedule {
 public:
  // Config: schedule (constant), warmup (0 to 1e6, 0; noam needs 1 or more), steps (1 to 1e6, 1000: the total).
  explicit Schedule(const Config& config);

  // step counts from 0. In (0, 1]: a falling schedule does not reach 0 at its last step.
  double factor(int step) const;

 private:
  enum class Kind { constant, linear, cosine, noam };
  double after_warmup(int step) const;

  Kind kind_;
  int warmup_, total_;
};

}  // namespace unroll
