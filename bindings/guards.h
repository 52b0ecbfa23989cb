// Scope guards: changes for the duration of a call, and rollback if it is refused.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

// Writes edits into the parameters for the duration of a run; layers share the parameter tensors.
class ParameterEdits {
 public:
  ParameterEdits(const Parameters& parameters, const Edits& edits) {
    for (const Parameter& parameter : parameters.all())
      if (const auto found = edits.find(parameter.name); found != edits.end())
        saved_.push_back({parameter.value, parameter.value.copy(), found->second});
    for (const Saved& each : saved_) write(each);  // only once all is saved: writing cannot fail
  }
  ~ParameterEdits() {
    for (const Saved& each : saved_) std::ranges::copy(each.before.values(), each.tensor.data());
  }
  ParameterEdits(const ParameterEdits&) = delete;

 private:
  struct Saved {
    Tensor tensor, before;
    const std::vector<Edit>& edits;
  };
  static void write(const Saved& saved) {
    for (const Edit& edit : saved.edits)
      if (edit.index < saved.tensor.size()) saved.tensor.data()[edit.index] = edit.value;
  }

  std::vector<Saved> saved_;
};

// Clears the tape for a new recording, and clears it again at the end of the block unless keep() was called.
class WholeTrace {
 public:
  explicit WholeTrace(Tape& tape) : tape_(tape) { tape.clear(); }
  ~WholeTrace() {
    if (!whole_) tape_.clear();
  }
  WholeTrace(const WholeTrace&) = delete;

  void keep() { whole_ = true; }

 private:
  Tape& tape_;
  bool whole_ = false;
};

// Restores the inputs at the end of the block unless keep_new() was called.
class SavedInputs {
 public:
  explicit SavedInputs(Model& model) : model_(model), inputs_(model.inputs()) {}
  ~SavedInputs() {
    if (inputs_) model_.restore_inputs(std::move(*inputs_));
  }
  SavedInputs(const SavedInputs&) = delete;

  void keep_new() { inputs_.reset(); }

 private:
  Model& model_;
  std::optional<std::vector<ModelInput>> inputs_;
};

// Restores all that training changes at the end of the block unless keep_new() was called.
class TrainingState {
 public:
  TrainingState(const Model& model, Optimiser& optimiser) : optimiser_(optimiser), steps_(optimiser.steps) {
    for (const Parameter& parameter : model.parameters().all())
      saved_.emplace_back(parameter.value, parameter.value.copy());
    for (const Tensor& state : optimiser.state()) state_.push_back(state.copy());
  }
  ~TrainingState() {
    if (kept_new_) return;
    for (const auto& [tensor, before] : saved_) std::ranges::copy(before.values(), tensor.data());
    optimiser_.restore_state(std::move(state_), steps_);
  }
  TrainingState(const TrainingState&) = delete;

  void keep_new() { kept_new_ = true; }

 private:
  bool kept_new_ = false;
  Optimiser& optimiser_;
  int steps_;
  std::vector<std::pair<Tensor, Tensor>> saved_;
  std::vector<Tensor> state_;
};

}  // namespace unroll
