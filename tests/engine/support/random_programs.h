// Random programs of the learner's language that run: each value fits where it is used, and no operation is given what
// it is not defined for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/models/program/program_model.h"

namespace unroll {

// A program of one to four functions, whose last takes two or three tensors by default and returns several. All that it
// computes goes into what it returns. The same seed gives the same text everywhere.
std::string random_program(std::uint64_t seed);

// Such a program as a model: run on its tensors, to a loss in which all that it returns counts.
class RandomModel {
 public:
  // Its parameters and the weights of the loss are drawn anew: of those that a program starts with, some are all equal.
  RandomModel(const std::string& text, std::uint64_t seed);

  // What has a gradient, under its name on the tape. The tensors share their values with the model.
  const std::vector<std::pair<std::string, Tensor>>& variables() const { return variables_; }
  // Every tensor that the last loss() returned, weighted.
  const std::vector<Tensor>& results() const { return results_; }

  // Σ results · weights; records on the live tape if there is one.
  Tensor loss();

 private:
  ProgramModel model_;
  std::vector<std::pair<std::string, Tensor>> variables_;
  std::vector<Tensor> results_, weights_;
};

}  // namespace unroll
