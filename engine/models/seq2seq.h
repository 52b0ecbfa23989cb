// Sequence to sequence: a recurrent encoder reads the source, a recurrent decoder writes the target.
#pragma once

#include "engine/models/model_size.h"
#include "engine/models/pair_model.h"
#include "engine/models/recurrent_writer.h"
#include "engine/models/seq2seq_options.h"

namespace unroll {

// Loss L = the mean of −log p(target_out) over all positions that are not padding. Inputs: see PairModel.
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, bidirectional, forget_bias,
// source_vocabulary, target_vocabulary;
//   attention: none bahdanau luong; context, without attention: first_state every_step; reverse_source, without it;
//   score (see score_kinds), attention_size, input_feeding (luong), project_queries, project_keys, project_values: none
//   linear tanh; window: global local_m local_p, half_width; hard: argmax instead of softmax while writing.
//
// On the tape: encoder.0.t3/h, decoder.t2.attention/e, decoder.t2.attention/α, decoder.t2.attention/c, decoder.t2/s,
// decoder.t2/logits …, then encoder/h (B, S, D·H), attention/α (B, T, S) and logits.
class Seq2Seq : public PairModel {
 public:
  explicit Seq2Seq(const Config& config);
  Tensor loss() override;

  // See model_size.
  static ModelSize size(const Config& config, const BatchSizes& batch);

  // For the next calls of loss(): see TeacherForcing.
  void set_forcing(double probability, Random random) override {
    writer_.set_forcing(TeacherForcing(probability, random));
  }

  const Seq2SeqOptions& options() const { return options_; }

  WriterState start(const Tensor& source) override;
  Written next(const Tensor& tokens, WriterState& state) override;

 private:
  double activations(int rows, int S, int T) const override { return activation_count(options_, rows, S, T); }

  Seq2SeqOptions options_;
  RecurrentEncoder encoder_;
  RecurrentWriter writer_;
};

}  // namespace unroll
