// Sequence to sequence: a recurrent encoder reads the source, a recurrent decoder generates the target.
#pragma once

#include <memory>
#include <optional>

#include "engine/models/sequence_model.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/decoders.h"

namespace unroll {

// Base class of encoder-decoder models with a recurrent decoder, which differ in how they encode the source.
// Loss L = the mean of −log p(target_out) over all non-padding positions.
class RecurrentGenerator : public EncoderDecoderModel {
 public:
  using EncoderDecoderModel::EncoderDecoderModel;

  Tensor loss() override;

  // Applies to later calls of loss(); see TeacherForcing.
  void set_forcing(double probability, Random random) override { forcing_ = TeacherForcing(probability, random); }

  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;
  bool names_positions() const override { return true; }

 protected:
  // What the decoder gets of the source (B, S).
  virtual Source encode(Operand source) const = 0;

  void embed_targets(const DecoderOptions& options);  // declares the embedding

  std::unique_ptr<RecurrentDecoder> decoder_;
  double temperature_ = 1;  // of attention when it generates; 0 makes it hard

 private:
  DecoderOutput decode(const Source& source, const Tensor& target_in) const;
  DecoderState begin(const Source& source) const;
  DecoderOutput advance(Operand tokens, DecoderState& state, double temperature) const;

  std::optional<Embedding> target_embedding_;
  TeacherForcing forcing_;
};

// How the decoder receives the source; see the decoders in engine/nn/recurrent.
enum class Wiring { first_state, every_step, bahdanau, luong };

struct Seq2SeqOptions {
  RecurrentOptions encoder;
  DecoderOptions decoder;
  SourceAttentionOptions attention;
  Wiring wiring = Wiring::bahdanau;
  int source_vocabulary = 0;
  bool input_feeding = true;    // Luong only
  double temperature = 1;       // of the attention during generation; 0: hard
  bool reverse_source = false;  // only without attention
};

// Inputs and loss: see SequenceModel and RecurrentGenerator.
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, bidirectional, forget_bias,
// source_vocabulary, target_vocabulary;
//   attention: none bahdanau luong; only without attention: context (first_state every_step), reverse_source;
//   score (see score_kinds), attention_size, input_feeding (luong), project_queries, project_keys, project_values: none
//   linear tanh sigmoid relu; window: global local_m local_p, half_width; attention_temperature (0 to 10⁶), of the
//   softmax during generation: from the argmax to weights that are all alike; hard: the temperature 0; part and program
//   (see learner_parts.h).
//
// On the tape: encoder.0.t3/h, decoder.t2.attention/e, decoder.t2.attention/α, decoder.t2.attention/c, decoder.t2/s,
// decoder.t2/logits …, then encoder/h (B, S, D·H), attention/α (B, T, S) and logits.
class Seq2Seq : public RecurrentGenerator {
 public:
  explicit Seq2Seq(const Config& config);

  const Seq2SeqOptions& options() const { return options_; }

 private:
  Source encode(Operand source) const override;

  Seq2SeqOptions options_;
  RecurrentEncoder encoder_;
};

}  // namespace unroll
