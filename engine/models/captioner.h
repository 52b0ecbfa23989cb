// An image captioner: a ConvNet encodes a picture, a recurrent decoder describes it and attends to its places.
#pragma once

#include <optional>

#include "engine/models/seq2seq.h"
#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convolution.h"

namespace unroll {

// Inputs and loss: see SequenceModel and RecurrentGenerator. A source is a scene of the task captions, 16 cells row by
// row; the model draws it. (Xu et al. 2015, §3 and §4.2, soft attention, with a GRU by default.)
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
class Captioner : public RecurrentGenerator {
 public:
  explicit Captioner(const Config& config);
  GeneratorState start(const Tensor& source) override;

 private:
  Source encode(Operand scenes) const override;
  Tensor extract_features(Operand picture) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;

  DecoderOptions options_;
  Tensor sprites_;  // (V, 3 · 8 · 8)
  ConvNet convnet_;
  std::optional<GridAttention> grid_attention_;
  Tensor row_, column_;  // (4, 1, C), (1, 4, C)
  Linear first_state_;
};

}  // namespace unroll
