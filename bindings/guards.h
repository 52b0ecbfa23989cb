// What a call changes for a while, or takes back when it is refused.
#pragma once

#include <algorithm>
#include <optional>
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
      if (const auto found = edits.find(parameter.name); found != edits.end())
        saved_.push_back({parameter.value, parameter.value.copy(), found->second});
    for (const Saved& each : saved_) write(each);  // once all is saved, and nothing can fail any more
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

// A tape to record anew, which is empty again at the end of the block unless all has been recorded.
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

// The inputs as they are, put back at the end of the block unless the new ones are kept.
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

// All that training changes, put back at the end of the block unless the new state is kept.
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
