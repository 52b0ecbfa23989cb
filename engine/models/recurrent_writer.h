// What models with a recurrent decoder share: they differ in how they read.
#pragma once

#include <memory>

#include "engine/models/teacher_forcing.h"
#include "engine/models/writer.h"
#include "engine/nn/embedding.h"
#include "engine/nn/recurrent_decoder.h"

namespace unroll {

// What a decoder's state holds beside h of each layer.
struct DecoderStateParts {
  int layers = 1;
  bool c = false;       // the memory of an LSTM
  bool fed = false;     // see DecoderState
  bool memory = false;  // of a source to look back at
};

class RecurrentWriter {
 public:
  RecurrentWriter(Embedding target_embedding, std::unique_ptr<RecurrentDecoder> decoder, const DecoderStateParts& parts)
      : target_embedding_(std::move(target_embedding)), decoder_(std::move(decoder)), parts_(parts) {}

  void set_forcing(const TeacherForcing& forcing) { forcing_ = forcing; }

  // Logits (B, T, V) for target_in (B, T), and where it looked, (B, T, S); no weights without attention.
  struct Decoding {
    Tensor logits, weights;
  };
  Decoding decode(const Source& source, const Tensor& target_in) const;

  // See Writer; temperature 0 makes the attention hard.
  WriterState start(const Source& source) const;
  Written next(const Tensor& tokens, WriterState& state, double temperature) const;

 private:
  DecoderState begin(const Source& source) const;
  Decoded advance(Operand tokens, DecoderState& state, double temperature) const;
  std::vector<Tensor*> rows_of(DecoderState& state) const;
  WriterState written_as(DecoderState state) const;
  DecoderState read_from(const WriterState& written) const;

  Embedding target_embedding_;
  std::unique_ptr<RecurrentDecoder> decoder_;
  DecoderStateParts parts_;
  TeacherForcing forcing_;
};

}  // namespace unroll
