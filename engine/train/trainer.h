// Trains a model, one optimisation step at a time.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

// Trains a model on the inputs it holds. Config: optimiser (see make_optimiser), learning_rate (1e-6 to 10) and its
// schedule (see Schedule), clip_norm (maximum global norm of the gradients; 0: none); weight_decay (0 to 10, 0.01) for
// AdamW only, beta2 (0 to 0.999999, 0.999) for Adam and AdamW.
class Trainer {
 public:
  Trainer(Model& model, const Config& config);

  // Forward with dropout, backward, clip, update. Returns the loss before the update. Throws Error(diverged) if the
  // loss or a gradient is not finite or the loss exceeds the highest (see below), Error(config) if the model has no
  // parameters; the weights are then unchanged.
  double step();

  // Records the update that step would make on the live tape, after backward of the model's loss there: "update/norm"
  // and "update/clip" if gradients are clipped, and for each parameter W with a gradient its new value "update/W".
  // Bit-identical to step without dropout; no parameter changes. Records nothing if step would throw, or if the tape is
  // not tracing.
  void record_update(double loss);

  // Above this loss, step throws Error(diverged); `meaning` is a phrase for it: "twice the first". By default
  // any finite loss is accepted.
  void set_highest_loss(double loss, const char* meaning) {
    highest_loss_ = loss;
    highest_meaning_ = meaning;
  }

  Optimiser& optimiser() { return *optimiser_; }

  // Who intervenes in each step from now on; nobody if nullptr. One that replaces values needs their names: the steps
  // then record as a run does, which takes several times as long.
  void set_intervener(const Intervener* intervener, bool replaces_values);

 private:
  bool diverges(double loss, double norm) const;
  [[noreturn]] void fail_diverged(double loss, double norm) const;
  void set_learning_rate();  // for the next step
  void record_update_of(std::size_t i, const Tensor& clip, const Tensor& gradient);

  Model& model_;
  std::unique_ptr<Optimiser> optimiser_;
  double learning_rate_;  // before the schedule's factor
  Schedule schedule_;
  double clip_norm_;
  std::uint64_t seed_;
  double highest_loss_ = std::numeric_limits<double>::max();
  const char* highest_meaning_ = "";
  Tape tape_{Tape::Detail::training};
  std::vector<Tensor> parameters_, gradients_;
};

}  // namespace unroll
