// Base class of language models, which predict each token from the ones before it.
#pragma once

#include "engine/generate/generator.h"
#include "engine/models/model.h"

namespace unroll {

// Inputs target_in and target_out (B, T): token ids, target_out one position ahead, 0 for padding after the tokens, B
// up to 256, T up to 64. Setting target_in with a new shape empties target_out, so set target_in first. Output logits
// (B, T, V).
//
// As a Generator it continues prompts: the source (R, S) of `start`, all of the same length, from S = 0 to the longest
// that leaves room for one token. The first `next` reads the prompt, after <bos>.
class LanguageModel : public Model, public Generator {
 public:
  using Model::Model;

  GeneratorState start(const Tensor& source) override;
  int max_new_tokens(int prompt) const override;

 protected:
  // Adds both inputs with example values of `positions` tokens, including <bos> or <eos>.
  void add_text_inputs(int vocabulary, int positions);

  // Tokens that next() has to process: (R, 1), or in the first call with the prompt after them, (R, 1 + S). A state at
  // position 0 has nothing but the prompt, (R, S); next() advances the position by the tokens that it processes.
  static Tensor pending_tokens(const Tensor& tokens, const GeneratorState& state);

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;
};

}  // namespace unroll
