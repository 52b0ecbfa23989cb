// A model that reads a source and writes a target.
#pragma once

#include "engine/models/model.h"
#include "engine/models/writer.h"

namespace unroll {

// Inputs source (B, S), target_in (B, T) and target_out (B, T): token ids, 0 for padding after the tokens, B to 256, S
// and T to 64. A source with another number of rows leaves targets of one position, a target_in of another shape an
// empty target_out: set source, target_in, target_out in this order. Output logits (B, T, V).
class PairModel : public Model, public Writer {
 public:
  using Model::Model;

  // Where the last loss() looked, (B, T, S); no tensor without attention.
  const Tensor& weights() const { return weights_; }

 protected:
  void add_pair_inputs(int source_vocabulary, int target_vocabulary);

  // About how many numbers a training step holds for rows of S source and T target positions.
  virtual double activations(int rows, int S, int T) const = 0;

  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void check_content(const ModelInput& input, const Tensor& ids) const override;
  void input_changed(const std::string& name) override;

  Tensor weights_;

 private:
  const Shape& shape_of(const std::string& name) const;
};

}  // namespace unroll
