// Learning-rate schedules.
#pragma once

#include "engine/models/config.h"

namespace unroll {

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
