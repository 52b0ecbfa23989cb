// Self-attention over a few vectors, small enough to follow by hand.
#pragma once

#include "engine/models/model.h"
#include "engine/nn/attention/scores.h"

namespace unroll {

// Input X (n, D), one row per word. Q = X W_Q, K = X W_K, V = X W_V with weights (D, key_size) and (D, value_size);
// scores e (n, n), attention weights α = softmax(e + mask), output c = α V (n, value_size). Loss L = mean (c −
// target)². The inputs mask (n, n) and target (n, value_size) can be set too. Sizes: n and all others 1 to 16. Config:
// words (n), size (D), key_size, value_size, score (see make_score), attention_size, mask ("none", "causal"), seed, and
// values for X, W_Q, W_K, W_V, target as row-major lists; part and program (see learner_parts.h).
class AttentionModel : public Model {
 public:
  explicit AttentionModel(const Config& config);
  Tensor loss() override;

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void input_changed(const std::string& name) override;
  Tensor first_mask(int words) const;

  bool causal_;
  Tensor W_Q_, W_K_, W_V_;
  AttentionFunction attend_;
};

}  // namespace unroll
