// The decoding shared by models with a recurrent decoder, which differ in how they encode the source.
#pragma once

#include <memory>

#include "engine/generate/generator.h"
#include "engine/nn/layers/embedding.h"
#include "engine/nn/recurrent/recurrent_decoder.h"
#include "engine/nn/recurrent/teacher_forcing.h"

namespace unroll {

// What a decoder's state holds besides h of each layer.
struct DecoderStateParts {
  int layers = 1;
  bool c = false;           // the memory cell of an LSTM
  bool input_feed = false;  // see DecoderState
  bool memory = false;      // of a source to attend to
};

class RecurrentGenerator {
 public:
  RecurrentGenerator(Embedding target_embedding, std::unique_ptr<RecurrentDecoder> decoder,
                     const DecoderStateParts& parts)
      : target_embedding_(std::move(target_embedding)), decoder_(std::move(decoder)), parts_(parts) {}

  void set_forcing(const TeacherForcing& forcing) { forcing_ = forcing; }

  // All positions of target_in (B, T): logits (B, T, V), and attention weights (B, T, S), empty without attention.
  DecoderOutput decode(const Source& source, const Tensor& target_in) const;

  // See Generator; temperature 0 makes the attention hard.
  GeneratorState start(const Source& source) const;
  StepOutput next(const Tensor& tokens, GeneratorState& state, double temperature) const;

 private:
  DecoderState begin(const Source& source) const;
  DecoderOutput advance(Operand tokens, DecoderState& state, double temperature) const;
  std::vector<Tensor*> rows_of(DecoderState& state) const;
  GeneratorState pack(DecoderState state) const;
  DecoderState unpack(const GeneratorState& packed) const;

  Embedding target_embedding_;
  std::unique_ptr<RecurrentDecoder> decoder_;
  DecoderStateParts parts_;
  TeacherForcing forcing_;
};

}  // namespace unroll
