// A softmax over a list of scores: the smallest model.
#pragma once

#include "engine/models/model.h"

namespace unroll {

// Input e (n): scores. Output α (n) = softmax(e / temperature). Loss L = −log α[target], the cross-entropy.
// Config: scores (1 to 16 values), temperature (0 to 1000; 0 is the argmax), target (an index).
class SoftmaxModel : public Model {
 public:
  explicit SoftmaxModel(const Config& config);
  Tensor loss() override;

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override;

  double temperature_;
  int target_;
};

}  // namespace unroll
