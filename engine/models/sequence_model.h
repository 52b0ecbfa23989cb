// Base classes of models of token sequences: encoder-decoder models, which map a source to a target, and language
// models, which predict each token from the ones before it.
#pragma once

#include "engine/generate/generator.h"
#include "engine/models/model.h"

namespace unroll {

constexpr int max_rows = 256, max_positions = 64;
constexpr int min_vocabulary = 5, max_vocabulary = 32768;  // minimum: the special tokens and one word

// A field that holds the size of a vocabulary.
int read_vocabulary(const Config& config, const char* field);

// Inputs target_in and target_out (B, T), and before them, for an encoder-decoder model, source (B, S): token ids, 0
// for padding after the tokens, B up to 256, S and T up to 64. A source with a new number of rows resets the targets to
// one position, a target_in with a new shape empties target_out: set source, target_in, target_out in this order.
// Output logits (B, T, V).
class SequenceModel : public Model, public Generator {
 public:
  Generator* generator() override { return this; }
  const SequenceModel* sequence_model() const override { return this; }

  using Model::Model;

  // Attention weights of the last loss(), (B, T, S); empty if the model keeps none.
  const Tensor& weights() const { return weights_; }

 protected:
  // Adds target_in and target_out with example values of `words` tokens between <bos> and <eos>.
  void add_targets(int vocabulary, int words);
  void add_ids(const char* name, const Tensor& ids, int vocabulary);

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;

  Tensor weights_;

 private:
  BatchSizes batch_with(const ModelInput& input, const Shape& shape) const;
};

class EncoderDecoderModel : public SequenceModel {
 public:
  using SequenceModel::SequenceModel;

 protected:
  void add_pair_inputs(int source_vocabulary, int target_vocabulary);

  // For start: throws Error(shape) or Error(input) as for an input, whatever memory a training step would take.
  void check_source(const Tensor& source) const;
};

// As a Generator it continues prompts: the source (R, S) of `start`, all of the same length, from S = 0 to the longest
// that leaves room for one token. The first `next` reads the prompt, after <bos>.
class LanguageModel : public SequenceModel {
 public:
  using SequenceModel::SequenceModel;

  GeneratorState start(const Tensor& source) override;
  int max_new_tokens(int prompt) const override;

 protected:
  // Adds both inputs with example values of `positions` tokens, including <bos> or <eos>.
  void add_text_inputs(int vocabulary, int positions) { add_targets(vocabulary, positions - 1); }

  // Tokens that next() has to process: (R, 1), or in the first call with the prompt after them, (R, 1 + S). A state at
  // position 0 has nothing but the prompt, (R, S); next() advances the position by the tokens that it processes.
  static Tensor pending_tokens(const Tensor& tokens, const GeneratorState& state);
};

}  // namespace unroll
