#include "engine/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

std::unique_ptr<Optimiser> optimiser_of(const Config& config) {
  std::unique_ptr<Optimiser> optimiser =
      make_optimiser(config.text("optimiser", "sgd", optimiser_kinds()), config.number("learning_rate", 0.1, 1e-6, 10));
  const double beta2 = config.number("beta2", 0.999, 0, 0.999999);
  const double weight_decay = config.number("weight_decay", 0.01, 0, 10);
  const std::string_view kind = optimiser->kind();
  if (kind == "adam" || kind == "adamw") static_cast<Adam&>(*optimiser).beta2 = beta2;
  if (kind == "adamw") optimiser->weight_decay = weight_decay;
  return optimiser;
}

}  // namespace

Trainer::Trainer(Model& model, const Config& config)
    : model_(model),
      optimiser_(optimiser_of(config)),
      learning_rate_(optimiser_->learning_rate),
      schedule_(config),
      clip_norm_(config.number("clip_norm", 1, 0, 1e6)),
      seed_(config.seed()) {
  for (const Parameter& parameter : model.parameters().all()) parameters_.push_back(parameter.value);
}

bool Trainer::diverges(double loss, double norm) const {
  return !std::isfinite(loss) || !std::isfinite(norm) || loss > highest_loss_;
}

void Trainer::fail_diverged(double loss, double norm) const {
  const bool is_finite = std::isfinite(loss) && std::isfinite(norm);
  if (!is_finite) model_.explain_divergence();
  if (is_finite)
    fail(ErrorCode::diverged, "loss_too_large", optimiser_->steps + 1, loss, highest_loss_, phrase(highest_meaning_),
         learning_rate_);
  fail(ErrorCode::diverged, "loss_or_gradient_not_finite", optimiser_->steps + 1, loss, norm, learning_rate_);
}

void Trainer::set_learning_rate() { optimiser_->learning_rate = learning_rate_ * schedule_.factor(optimiser_->steps); }

void Trainer::set_intervener(const Intervener* intervener, bool replaces_values) {
  tape_ = Tape(replaces_values ? Tape::Detail::trace : Tape::Detail::training, nullptr, intervener);
}

double Trainer::step() {
  if (parameters_.empty()) fail(ErrorCode::config, "no_parameters_to_train");
  optimiser_->prepare(parameters_);
  tape_.clear();
  gradients_.clear();
  double loss;
  {
    RecordingGuard recording(&tape_);
    const DropoutStep dropping(seed_, optimiser_->steps);
    const Tensor result = model_.loss();
    loss = static_cast<double>(result.item());
    if (tape_.find(result) >= 0) backward(result);  // else it depends on no parameter, like that of an argmax
    for (const Tensor& parameter : parameters_) gradients_.push_back(gradient(parameter));
  }
  const double norm = gradient_norm(gradients_);
  if (diverges(loss, norm)) fail_diverged(loss, norm);
  set_learning_rate();
  optimiser_->step(parameters_, gradients_, clip_norm_ == 0 ? 1 : clip_factor(norm, clip_norm_));
  return loss;
}

void Trainer::record_update(double loss) {
  Tape* tape = Tape::live();
  if (!tape || !tape->tracing()) return;
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters_) gradients.push_back(gradient(parameter));
  const bool none = std::ranges::none_of(gradients, [](const Tensor& g) { return bool(g); });
  if (none || diverges(loss, gradient_norm(gradients))) return;
  set_learning_rate();
  const auto updating = tape->updating();
  Scope scope("update");
  const Tensor clip = clip_norm_ == 0 ? Tensor() : traced_clip_factor(gradients, clip_norm_);
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (gradients[i]) record_update_of(i, clip, gradients[i]);
}

void Trainer::record_update_of(std::size_t i, const Tensor& clip, const Tensor& gradient) {
  const std::string& name = model_.parameters().all()[i].name;
  Tensor updated;
  {
    Scope scope(name);
    const Tensor g = clip ? (clip * gradient).as("g", Role::gradient) : gradient;
    updated = optimiser_->traced_step(i, parameters_[i], g);
  }
  updated.as(name, Role::parameter);
}

}  // namespace unroll
