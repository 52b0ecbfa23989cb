// Sequence to sequence: a recurrent encoder reads the source, a recurrent decoder writes the target.
#pragma once

#include "engine/models/model.h"
#include "engine/models/seq2seq_options.h"
#include "engine/models/teacher_forcing.h"
#include "engine/models/writer.h"

namespace unroll {

// Inputs source (B, S), target_in (B, T) and target_out (B, T): token ids, 0 for padding after the tokens, B to 256, S
// and T to 64. A source with another number of rows, or a target_in of another shape, empties the targets: set source,
// target_in, target_out in this order. Output logits (B, T, V). Loss L = the mean of −log p(target_out) over all
// positions that are not padding.
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, bidirectional, forget_bias,
// source_vocabulary, target_vocabulary;
//   attention: none bahdanau luong; context, without attention: first_state every_step; reverse_source, without it;
//   score (see score_kinds), attention_size, input_feeding (luong), project_queries, project_keys, project_values: none
//   linear tanh; window: global local_m local_p, half_width; hard: argmax instead of softmax while writing.
//
// On the tape: encoder.0.t3/h, decoder.t2.attention/e, decoder.t2.attention/α, decoder.t2.attention/c, decoder.t2/s,
// decoder.t2/logits …, then encoder/h (B, S, D·H), attention/α (B, T, S) and logits.
class Seq2Seq : public Model, public Writer {
 public:
  explicit Seq2Seq(const Config& config);
  Tensor loss() override;

  // For the next calls of loss(): see TeacherForcing.
  void set_forcing(double probability, Random random) override { forcing_ = TeacherForcing(probability, random); }

  // Where the last loss() looked, (B, T, S); no tensor without attention.
  const Tensor& weights() const { return weights_; }

  const Seq2SeqOptions& options() const { return options_; }

  WriterState start(const Tensor& source) override;
  Written next(const Tensor& tokens, WriterState& state) override;

 private:
  Tensor decode(const Source& source, const Tensor& target_in);
  DecoderState begin(const Source& source) const;
  Decoded advance(Operand tokens, DecoderState& state, double temperature) const;
  std::vector<Tensor*> rows_of(DecoderState& state) const;
  WriterState written_as(DecoderState state) const;
  DecoderState read_from(const WriterState& written) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;
  const Shape& shape_of(const std::string& name) const;

  Seq2SeqOptions options_;
  RecurrentEncoder encoder_;
  Embedding target_embedding_;
  std::unique_ptr<RecurrentDecoder> decoder_;
  TeacherForcing forcing_;
  Tensor weights_;
};

}  // namespace unroll
