// Sequence to sequence: a recurrent encoder reads the source, a recurrent decoder generates the target.
#pragma once

#include "engine/models/config.h"
#include "engine/models/encoder_decoder_model.h"
#include "engine/models/recurrent_generator.h"
#include "engine/nn/recurrent/recurrent_decoder.h"

namespace unroll {

// How the decoder receives the source; see the decoders in engine/nn/recurrent.
enum class Wiring { first_state, every_step, bahdanau, luong };

struct Seq2SeqOptions {
  RecurrentOptions encoder;
  DecoderOptions decoder;
  SourceAttentionOptions attention;
  Wiring wiring = Wiring::bahdanau;
  int source_vocabulary = 0;
  bool input_feeding = true;    // Luong only
  bool hard = false;            // hard attention during generation
  bool reverse_source = false;  // only without attention
};

bool attends(const Seq2SeqOptions& options);

// Reads the fields that Seq2Seq lists. Throws Error(config).
Seq2SeqOptions read_seq2seq_options(const Config& config);

std::unique_ptr<RecurrentDecoder> make_decoder(const Seq2SeqOptions& options, Parameters& parameters);

// Loss L = the mean of −log p(target_out) over all non-padding positions. Inputs: see EncoderDecoderModel.
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, bidirectional, forget_bias,
// source_vocabulary, target_vocabulary;
//   attention: none bahdanau luong; only without attention: context (first_state every_step), reverse_source;
//   score (see score_kinds), attention_size, input_feeding (luong), project_queries, project_keys, project_values: none
//   linear tanh; window: global local_m local_p, half_width; hard: argmax instead of softmax during generation;
//   part and program (see learner_parts.h).
//
// On the tape: encoder.0.t3/h, decoder.t2.attention/e, decoder.t2.attention/α, decoder.t2.attention/c, decoder.t2/s,
// decoder.t2/logits …, then encoder/h (B, S, D·H), attention/α (B, T, S) and logits.
class Seq2Seq : public EncoderDecoderModel {
 public:
  explicit Seq2Seq(const Config& config);
  Tensor loss() override;

  // Applies to later calls of loss(); see TeacherForcing.
  void set_forcing(double probability, Random random) override {
    generator_.set_forcing(TeacherForcing(probability, random));
  }

  const Seq2SeqOptions& options() const { return options_; }

  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;

 private:
  Seq2SeqOptions options_;
  RecurrentEncoder encoder_;
  RecurrentGenerator generator_;
};

}  // namespace unroll
