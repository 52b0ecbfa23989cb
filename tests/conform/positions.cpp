// rope, sinusoidal_pe.
#include "engine/nn/positions.h"

#include "engine/nn/attention/scores.h"
#include "tests/conform/forwards.h"

namespace unroll::conform {

Results rotary_positions(const Arguments& a) {
  const RotaryLayout layout = a.option("interleaved", true) ? RotaryLayout::interleaved : RotaryLayout::half;
  const auto turned = [&](const Tensor& x) { return rotary(x, 0, layout, a.option("base", 10000.0)); };
  const Tensor q = turned(a.input("q"));
  if (!a.optional_input("k")) return {{"q_rot", q}};
  const Tensor k = turned(a.input("k"));
  return {{"q_rot", q}, {"k_rot", k}, {"scores", dot_score(q, k)}};
}

Results sinusoidal(const Arguments& a) {
  return {{"pe", sinusoidal_positions(a.config().at("T"), a.config().at("d_model"))}};
}

}  // namespace unroll::conform
