// A captioner: a ConvNet looks at a picture, a recurrent decoder says what is on it and attends to where it is.
#pragma once

#include <optional>

#include "engine/models/model_size.h"
#include "engine/models/pair_model.h"
#include "engine/models/recurrent_writer.h"
#include "engine/nn/convnet.h"
#include "engine/nn/image_attention.h"

namespace unroll {

struct CaptionerOptions {
  std::vector<int> channels;  // of the ConvNet's layers; the last is C
  DecoderOptions decoder;
  SourceAttentionOptions attention;
  bool grid_attention = false;
};

// How many numbers the parameters are, and about how many a training step holds beside their gradients, for rows of S
// cells of a scene and T target positions.
double parameter_count(const CaptionerOptions& options);
double activation_count(const CaptionerOptions& options, int rows, int S, int T);

// Inputs: see PairModel. A source is a scene: 16 cells, row by row, of the task captions; the model draws it. Loss L =
// the mean of −log p(target_out) over all positions that are not padding. (Xu et al. 2015, §3 and §4.2, soft attention,
// with a GRU.)
//   picture (B, 3, 32, 32) → ConvNet → features (B, C, 4, 4)
//   places (B, 16, C) = the features of each cell + a learned vector for its row + one for its column
//   s_0 = tanh(W Σ of the features + b): a sum, so that it can count; then as in BahdanauDecoder with the places as
//   source
//
// Config: channels (C) 4 to 128, cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, forget_bias, score (see
// score_kinds), attention_size, source_vocabulary, target_vocabulary; grid_attention: whether the places look at each
// other before the decoder looks at them (see GridAttention).
//
// On the tape: picture, convnet.0/y …, features, grid_attention/α, places, decoder.t2.attention/α, decoder.t2/s … as in
// Seq2Seq, then attention/α (B, T, 16) and logits.
class Captioner : public PairModel {
 public:
  explicit Captioner(const Config& config);
  Tensor loss() override;

  // See model_size.
  static ModelSize size(const Config& config, const BatchSizes& batch);
  void set_forcing(double probability, Random random) override {
    writer_.set_forcing(TeacherForcing(probability, random));
  }

  const CaptionerOptions& options() const { return options_; }

  WriterState start(const Tensor& source) override;
  Written next(const Tensor& tokens, WriterState& state) override;

 private:
  Source read(Operand scenes) const;
  Tensor look_around(Operand picture) const;

  double activations(int rows, int S, int T) const override { return activation_count(options_, rows, S, T); }
  void check_shape(const ModelInput& input, const Shape& shape) const override;

  CaptionerOptions options_;
  Tensor sprites_;  // (V, 3 · 8 · 8)
  ConvNet convnet_;
  std::optional<GridAttention> grid_attention_;
  Tensor row_, column_;  // (4, 1, C), (1, 4, C)
  Linear first_state_;
  RecurrentWriter writer_;
};

}  // namespace unroll
