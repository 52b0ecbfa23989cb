// An image captioner: a ConvNet encodes a picture, a recurrent decoder describes it and attends to its places.
#pragma once

#include <optional>

#include "engine/models/encoder_decoder_model.h"
#include "engine/models/recurrent_generator.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convnet.h"

namespace unroll {

struct CaptionerOptions {
  std::vector<int> channels;  // of the ConvNet's layers; the last is C
  DecoderOptions decoder;
  SourceAttentionOptions attention;
  bool grid_attention = false;
};

// Inputs: see EncoderDecoderModel. A source is a scene of the task captions, 16 cells row by row; the model draws it.
// Loss L = the mean of −log p(target_out) over all non-padding positions. (Xu et al. 2015, §3 and §4.2, soft attention,
// with a GRU by default.)
//   picture (B, 3, 32, 32) → ConvNet → features (B, C, 4, 4)
//   places (B, 16, C) = the features of each cell + a learned vector for its row + one for its column
//   s_0 = tanh(W Σ features + b), a sum so that the model can count; then BahdanauDecoder with the places as source
//
// Config: channels (C) 4 to 128, cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, forget_bias, score (see
// score_kinds), attention_size, source_vocabulary, target_vocabulary; grid_attention: whether the features attend to
// each other before the decoder attends to them (see GridAttention).
//
// On the tape: picture, convnet.0/y …, features, grid_attention/α, places, decoder.t2.attention/α, decoder.t2/s … as in
// Seq2Seq, then attention/α (B, T, 16) and logits.
class Captioner : public EncoderDecoderModel {
 public:
  explicit Captioner(const Config& config);
  Tensor loss() override;

  void set_forcing(double probability, Random random) override {
    generator_.set_forcing(TeacherForcing(probability, random));
  }

  const CaptionerOptions& options() const { return options_; }

  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;

 private:
  Source encode(Operand scenes) const;
  Tensor extract_features(Operand picture) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;

  CaptionerOptions options_;
  Tensor sprites_;  // (V, 3 · 8 · 8)
  ConvNet convnet_;
  std::optional<GridAttention> grid_attention_;
  Tensor row_, column_;  // (4, 1, C), (1, 4, C)
  Linear first_state_;
  RecurrentGenerator generator_;
};

}  // namespace unroll
