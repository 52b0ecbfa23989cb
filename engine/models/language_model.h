// A recurrent language model that attends to its own past.
#pragma once

#include "engine/models/model_size.h"
#include "engine/models/text_model.h"
#include "engine/nn/attention.h"
#include "engine/nn/embedding.h"
#include "engine/nn/linear.h"
#include "engine/nn/recurrent.h"

namespace unroll {

struct LanguageModelOptions {
  RecurrentOptions network;
  int vocabulary = 0;
  bool attention = true;
  std::string score;
  int attention_size = 0;
};

// How many numbers the parameters are, and about how many a training step holds beside their gradients, for rows of T
// positions.
double parameter_count(const LanguageModelOptions& options);
double activation_count(const LanguageModelOptions& options, int rows, int T);

// See TextModel for the inputs.
//   s_t = cell(y_t, s_{t−1})
//   c_t = Σ_{j<t} α_tj s_j, α_t = softmax(e_t), e_tj = score(s_t, s_j); c_0 = 0
//   logits_t = W [s_t; c_t] + b, without attention W s_t + b
// Loss L = the mean of −log p(target_out) over what is not padding. (Cheng et al. 2016, §3.1, has such an attention to
// the states before.)
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, forget_bias, vocabulary, attention
// (true or false), score (see score_kinds), attention_size; positions 2 to 64 of the inputs that it begins with.
class LanguageModel : public TextModel {
 public:
  explicit LanguageModel(const Config& config);
  Tensor loss() override;

  // See model_size.
  static ModelSize size(const Config& config, const BatchSizes& batch);

  // Where the last loss() looked, (B, T, T); no tensor without attention.
  const Tensor& weights() const { return weights_; }

  const LanguageModelOptions& options() const { return options_; }

  // The logits are those of loss(); the weights are where the last position looked.
  Written next(const Tensor& tokens, WriterState& state) override;

 private:
  // What it remembers after t positions: the states of its layers, keys (R, t, …) and values (R, t, H).
  struct Past {
    std::vector<CellState> layers = {};
    Tensor keys = {}, values = {};
  };
  Tensor read(Operand ids) const;
  Tensor with_past(Operand s);
  Written advance(Operand token, Past& past) const;
  Attended look_back(Operand s, Past& past) const;
  std::vector<Tensor*> rows_of(Past& past) const;

  double activations(int rows, int T) const override { return activation_count(options_, rows, T); }

  LanguageModelOptions options_;
  Embedding embedding_;
  Recurrent network_;
  Score score_;
  Linear out_;
  Tensor weights_;
};

}  // namespace unroll
