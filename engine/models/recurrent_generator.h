// The decoding shared by models with a recurrent decoder, which differ in how they encode the source.
#pragma once

#include <memory>

#include "engine/generate/generator.h"
#include "engine/nn/layers/embedding.h"
#include "engine/nn/recurrent/recurrent_decoder.h"
#include "engine/nn/recurrent/teacher_forcing.h"

namespace unroll {

class RecurrentGenerator {
 public:
  RecurrentGenerator(Embedding target_embedding, std::unique_ptr<RecurrentDecoder> decoder)
      : target_embedding_(std::move(target_embedding)), decoder_(std::move(decoder)) {}

  void set_forcing(const TeacherForcing& forcing) { forcing_ = forcing; }

  // All positions of target_in (B, T): logits (B, T, V), and attention weights (B, T, S), empty without attention.
  DecoderOutput decode(const Source& source, const Tensor& target_in) const;

  // See Generator; temperature 0 makes the attention hard.
  GeneratorState start(const Source& source) const;
  StepOutput next(const Tensor& tokens, GeneratorState& state, double temperature) const;

 private:
  DecoderState begin(const Source& source) const;
  DecoderOutput advance(Operand tokens, DecoderState& state, double temperature) const;

  Embedding target_embedding_;
  std::unique_ptr<RecurrentDecoder> decoder_;
  TeacherForcing forcing_;
};

}  // namespace unroll
