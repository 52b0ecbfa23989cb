// A recurrent language model that attends to its own past.
#pragma once

#include "engine/models/model.h"
#include "engine/models/writer.h"
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
double parameter_count(const LanguageModelOptions& options);

// Inputs target_in and target_out (B, T): token ids, target_out one position ahead, 0 for padding after the tokens; B
// to 256, T to 64. A target_in of another shape empties target_out: set it first. Output logits (B, T, V).
//   s_t = cell(y_t, s_{t−1})
//   c_t = Σ_{j<t} α_tj s_j, α_t = softmax(e_t), e_tj = score(s_t, s_j); c_0 = 0
//   logits_t = W [s_t; c_t] + b, without attention W s_t + b
// Loss L = the mean of −log p(target_out) over what is not padding. (Cheng et al. 2016, §3.1, has such an attention to
// the states before.)
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, forget_bias, vocabulary, attention
// (true or false), score (see score_kinds), attention_size; positions 2 to 64 of the inputs that it begins with.
class LanguageModel : public Model, public Writer {
 public:
  explicit LanguageModel(const Config& config);
  Tensor loss() override;

  // Where the last loss() looked, (B, T, T); no tensor without attention.
  const Tensor& weights() const { return weights_; }

  const LanguageModelOptions& options() const { return options_; }

  // There is nothing to read: the source only says how many rows are written. The logits are those of loss() but for
  // rounding, since loss() looks back from all positions at once.
  WriterState start(const Tensor& source) override;
  Written next(const Tensor& tokens, WriterState& state) override;

 private:
  // What it remembers after t positions: the states of its layers, keys (R, t, …) and values (R, t, H).
  struct Past {
    std::vector<CellState> layers = {};
    Tensor keys = {}, values = {};
  };
  Tensor read(Operand ids) const;
  Tensor with_past(Operand s);
  Attended look_back(Operand s, Past& past) const;
  std::vector<Tensor*> rows_of(Past& past) const;
  WriterState written_as(Past past) const;
  Past read_from(const WriterState& written) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;

  LanguageModelOptions options_;
  Embedding embedding_;
  Recurrent network_;
  Score score_;
  Linear out_;
  Tensor weights_;
};

}  // namespace unroll
