#include "engine/nn/recurrent/teacher_forcing.h"

#include "engine/nn/recurrent/sequence.h"
#include "engine/tensor/error.h"

namespace unroll {

TeacherForcing::TeacherForcing(double probability, Random random) : probability_(probability), random_(random) {
  if (!(probability >= 0 && probability <= 1))
    fail(ErrorCode::config, "teacher_forcing_is_no_probability", probability);
}

Tensor TeacherForcing::token(Operand target_in, int position, const Tensor& logits_before) const {
  const Tensor truth = at_position(target_in, position).as("token");  // (B)
  if (position == 0 || probability_ == 1) return truth;
  Random random = random_;
  random.seek(static_cast<std::uint64_t>(position) * truth.size());
  Tensor forced(truth.shape());
  for (Scalar& each : forced.values()) each = random.uniform() < static_cast<Scalar>(probability_);
  const Tensor own = argmax(logits_before).as("own token");
  return where(forced, truth, own).as("token taken");
}

}  // namespace unroll
