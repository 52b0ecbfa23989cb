#include "engine/train/trainer.h"

#include <cmath>

#include "engine/autograd/backward.h"
#include "engine/tensor/error.h"

namespace unroll {

Trainer::Trainer(Model& model, const Config& config)
    : model_(model),
      optimiser_(make_optimiser(config.text("optimiser", "sgd", optimiser_kinds()),
                                config.number("learning_rate", 0.1, 1e-6, 10))),
      learning_rate_(optimiser_->learning_rate),
      schedule_(config),
      clip_norm_(config.number("clip_norm", 1, 1e-3, 1e6)) {
  for (const Parameter& parameter : model.parameters().all()) parameters_.push_back(parameter.value);
}

double Trainer::step() {
  if (parameters_.empty()) fail(ErrorCode::config, "This model has no parameters: there is nothing to train.");
  optimiser_->prepare(parameters_);
  tape_.clear();
  gradients_.clear();
  double loss;
  {
    Recording recording(&tape_);
    const Tensor result = model_.loss();
    loss = static_cast<double>(result.item());
    backward(result);
    for (const Tensor& parameter : parameters_) gradients_.push_back(gradient(parameter));
  }
  const double norm = clip_gradients(gradients_, clip_norm_);
  if (!std::isfinite(loss) || !std::isfinite(norm))
    fail(ErrorCode::diverged, "Step ", optimiser_->steps + 1, " has the loss ", loss, " and the gradient norm ", norm,
         ": lower learning_rate, which is ", learning_rate_, ".");
  if (loss > highest_loss_)
    fail(ErrorCode::diverged, "Step ", optimiser_->steps + 1, " has the loss ", loss, ", where ", highest_loss_,
         " is ten times that of guessing: lower learning_rate, which is ", learning_rate_, ".");
  optimiser_->learning_rate = learning_rate_ * schedule_.factor(optimiser_->steps);
  optimiser_->step(parameters_, gradients_);
  return loss;
}

}  // namespace unroll
