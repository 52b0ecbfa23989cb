// Base class of encoder-decoder models, which map a source sequence to a target sequence.
#pragma once

#include "engine/generate/generator.h"
#include "engine/models/model.h"

namespace unroll {

// Inputs source (B, S), target_in (B, T) and target_out (B, T): token ids, 0 for padding after the tokens, B up to 256,
// S and T up to 64. A source with a new number of rows resets the targets to one position, a target_in with a new shape
// empties target_out: set source, target_in, target_out in this order. Output logits (B, T, V).
class EncoderDecoderModel : public Model, public Generator {
 public:
  using Model::Model;

  // Attention weights of the last loss(), (B, T, S); empty without attention.
  const Tensor& weights() const { return weights_; }

 protected:
  void add_pair_inputs(int source_vocabulary, int target_vocabulary);

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;

  Tensor weights_;

 private:
  const Shape& shape_of(const std::string& name) const;
};

}  // namespace unroll
