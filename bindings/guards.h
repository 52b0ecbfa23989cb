// What a call changes for a while, or takes back when it is refused.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

// Parameters are shared with the layers that use them, so an edit of one is written into it for the time of a run.
class ParameterEdits {
 public:
  ParameterEdits(const Parameters& parameters, const Edits& edits) {
    for (const Parameter& parameter : parameters.all())
      if (const auto found = edits.find(parameter.name); found != edits.end()) write(parameter.value, found->second);
  }
  ~ParameterEdits() {
    for (const auto& [tensor, before] : saved_) std::ranges::copy(before.values(), tensor.data());
  }
  ParameterEdits(const ParameterEdits&) = delete;

 private:
  void write(const Tensor& tensor, const std::vector<Edit>& edits) {
    saved_.emplace_back(tensor, tensor.copy());
    for (const Edit& edit : edits)
      if (edit.index < tensor.size()) tensor.data()[edit.index] = edit.value;
  }

  std::vector<std::pair<Tensor, Tensor>> saved_;
};

// All that training changes, to put it back where a later step is refused.
class TrainingState {
 public:
  TrainingState(const Model& model, Optimiser& optimiser) : optimiser_(optimiser), steps_(optimiser.steps) {
    for (const Parameter& parameter : model.parameters().all())
      saved_.emplace_back(parameter.value, parameter.value.copy());
    for (const Tensor& state : optimiser.state()) state_.push_back(state.copy());
  }
  void restore() {
    for (const auto& [tensor, before] : saved_) std::ranges::copy(before.values(), tensor.data());
    optimiser_.restore_state(std::move(state_), steps_);
  }

 private:
  Optimiser& optimiser_;
  int steps_;
  std::vector<std::pair<Tensor, Tensor>> saved_;
  std::vector<Tensor> state_;
};

}  // namespace unroll
