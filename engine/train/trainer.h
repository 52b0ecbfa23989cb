// One optimisation step after the other.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/optimiser.h"
#include "engine/train/schedule.h"

namespace unroll {

// Trains a model on the inputs it holds. Config: optimiser (see make_optimiser), learning_rate (1e-6 to 10) and its
// schedule (see Schedule), clip_norm (the common norm of the gradients is held to it); weight_decay (0 to 10, 0.01) of
// AdamW alone, beta2 (0 to 0.999999, 0.999) of Adam and AdamW.
class Trainer {
 public:
  Trainer(Model& model, const Config& config);

  // Forward, with dropout on, backward, clip, update. Returns the loss before the update. Throws Error(diverged) when
  // the loss or a gradient is not finite or the loss is above the highest, Error(config) when the model has nothing to
  // train; the weights stay as they were.
  double step();

  // The update that step would make, as operations on the live tape after the model's loss has gone backward there:
  // "update/norm" and "update/clip", then for each parameter W that a gradient reaches its new value "update/W". The
  // bits are those of step without dropout, and no parameter changes. Nothing is recorded where step would be refused,
  // nor on a tape that does not trace.
  void record_update(double loss);

  // A loss that no training comes back from, and what it is, as a refusal says it: "twice the first". Without this call
  // any finite one is none.
  void set_highest_loss(double loss, std::string meaning) {
    highest_loss_ = loss;
    highest_meaning_ = std::move(meaning);
  }

  Optimiser& optimiser() { return *optimiser_; }

 private:
  bool diverges(double loss, double norm) const;
  [[noreturn]] void refuse(double loss, double norm) const;
  void set_learning_rate();  // of the next step
  void record_update_of(std::size_t i, const Tensor& clip, const Tensor& gradient);

  Model& model_;
  std::unique_ptr<Optimiser> optimiser_;
  double learning_rate_;  // at factor 1
  Schedule schedule_;
  double clip_norm_;
  std::uint64_t seed_;
  double highest_loss_ = std::numeric_limits<double>::max();
  std::string highest_meaning_;
  Tape tape_{Tape::Detail::training};
  std::vector<Tensor> parameters_, gradients_;
};

}  // namespace unroll
