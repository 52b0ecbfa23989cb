#include "engine/train/schedule.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_schedule_steps = 1'000'000;
const std::vector<std::string> kinds = {"constant", "linear", "cosine", "noam"};

}  // namespace

Schedule::Schedule(const Config& config)
    : kind_(config.choice("schedule", Kind::constant, kinds)),
      warmup_(config.integer("warmup", 0, 0, max_schedule_steps)),
      total_(config.integer("steps", 1000, 1, max_schedule_steps)) {
  if (kind_ == Kind::noam && warmup_ == 0) fail(ErrorCode::config, "noam_without_warmup");
}

double Schedule::factor(int step) const { return step < warmup_ ? (step + 1.0) / warmup_ : after_warmup(step); }

double Schedule::after_warmup(int step) const {
  const int period = std::max(total_ - warmup_, 1);
  const double done = ((step - warmup_) % period + 1.0) / (period + 1.0);
  switch (kind_) {
    case Kind::constant:
      return 1;
    case Kind::linear:
      return 1 - done;
    case Kind::cosine: {
      constexpr double pi = 3.141592653589793;
      return (1 + static_cast<double>(kernels::cos(static_cast<Scalar>(pi * done)))) / 2;
    }
    default:
      return std::sqrt(warmup_ / (step + 1.0));
  }
}

}  // namespace unroll
