// How the learning rate changes while a model trains.
#pragma once

#include "engine/models/config.h"

namespace unroll {

// The factor of the learning rate at each step: it rises in a line over the first `warmup` steps, then
//   constant: stays 1;
//   linear:   falls in a line to 0 at `total`;
//   cosine:   falls as half a cosine to 0 at `total`;
//   noam:     falls as √(warmup / step) (Vaswani et al. 2017, §5.3, there with its peak as a formula).
// Whoever trains on after `total` learns on: what has fallen to 0 starts again from 1, without a warm-up, and falls in
// as many steps as before (warm restarts: Loshchilov & Hutter 2017, §3).
class Schedule {
 public:
  // Config: schedule (constant), warmup (0 to 1e6, 0; noam needs 1 or more), steps (1 to 1e6, 1000: the total).
  explicit Schedule(const Config& config);

  // step counts from 0. In (0, 1]: the last step of a falling schedule is not 0 yet.
  double factor(int step) const;

 private:
  enum class Kind { constant, linear, cosine, noam };
  double after_warmup(int step) const;

  Kind kind_;
  int warmup_, total_;
};

}  // namespace unroll
