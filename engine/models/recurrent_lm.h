// A recurrent language model that attends to its own past states.
#pragma once

#include "engine/models/sequence_model.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/recurrent.h"

namespace unroll {

// See LanguageModel for the inputs.
//   s_t = cell(y_t, s_{t−1})
//   c_t = Σ_{j<t} α_tj s_j, α_t = softmax(e_t), e_tj = score(s_t, s_j); c_0 = 0
//   logits_t = W [s_t; c_t] + b, without attention W s_t + b
// Loss L = the mean of −log p(target_out) over all non-padding positions. (Cheng et al. 2016, §3.1, also attends to
// previous states.)
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, forget_bias, vocabulary, attention
// (true or false), score (see score_kinds), attention_size; positions 2 to 64 of the initial inputs; part and program
// (see learner_parts.h).
class RecurrentLm : public LanguageModel {
 public:
  explicit RecurrentLm(const Config& config);
  Tensor loss() override;

  // Attention weights of the last loss(), (B, T, T); empty without attention.
  const Tensor& weights() const { return weights_; }

  // The logits are those of loss(); the weights are those of the last position.
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;

 private:
  // State after t positions: the cell states of all layers, keys (R, t, …) and values (R, t, H).
  struct DecoderCache {
    std::vector<CellState> layers = {};
    Tensor keys = {}, values = {};
    auto tensors() { return std::tie(layers, keys, values); }
  };
  Tensor hidden_states(Operand ids) const;
  Tensor with_context(Operand s);
  StepOutput advance(Operand token, DecoderCache& cache) const;
  AttentionOutput attend_to_past(Operand s, DecoderCache& cache) const;

  bool has_attention_;
  int vocabulary_;
  RecurrentOptions options_;
  Embedding embedding_;
  Recurrent network_;
  Score score_;
  Linear out_;
  Tensor weights_;
};

}  // namespace unroll
