// Scope guards: changes for the duration of a call, and rollback if it is refused.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/optimiser.h"

namespace unroll {

using Undo = std::function<void()>;

// Undoes a change at the end of the block unless keep() was called.
class Rollback {
 public:
  explicit Rollback(Undo undo) : undo_(std::move(undo)) {}
  ~Rollback() {
    if (undo_) undo_();
  }
  Rollback(const Rollback&) = delete;

  void keep() { undo_ = nullptr; }

 private:
  Undo undo_;
};

// Restores the values of these tensors, which change in place.
inline Undo values_of(const std::vector<Tensor>& tensors) {
  std::vector<std::pair<Tensor, Tensor>> saved;
  for (const Tensor& tensor : tensors) saved.emplace_back(tensor, tensor.copy());
  return [saved = std::move(saved)] {
    for (const auto& [tensor, before] : saved) std::ranges::copy(before.values(), tensor.data());
  };
}

// Writes edits into the parameters for the duration of a run: layers read the parameter tensors themselves, and not the
// copies that the tape has edited.
inline Undo edit_parameters(const Parameters& parameters, const Edits& edits) {
  std::vector<Tensor> edited;
  for (const Parameter& parameter : parameters.all())
    if (edits.contains(parameter.name)) edited.push_back(parameter.value);
  Undo undo = values_of(edited);  // all is saved before any is written: writing cannot fail
  for (const Parameter& parameter : parameters.all())
    if (const auto found = edits.find(parameter.name); found != edits.end())
      for (const Edit& edit : found->second)
        if (edit.index < parameter.value.size()) parameter.value.data()[edit.index] = edit.value;
  return undo;
}

// The same for interventions in parameters.
inline Undo intervene_in(const Parameters& parameters, const Intervener* intervener) {
  if (!intervener) return {};
  const RecordingGuard nothing(nullptr);
  std::vector<Tensor> before, now;
  for (const Parameter& parameter : parameters.all()) {
    const Tensor replaced = intervener->replaced(parameter.name, parameter.value, {});
    if (replaced.data() == parameter.value.data()) continue;
    before.push_back(parameter.value);
    now.push_back(replaced);
  }
  Undo undo = values_of(before);
  for (std::size_t i = 0; i < now.size(); ++i) std::ranges::copy(now[i].values(), before[i].data());
  return undo;
}

// What the job writes with the model; nothing is recorded, unless somebody intervenes.
template <typename Job>
auto write_under(const Intervener* intervener, const Parameters& parameters, Job job) {
  Tape tape(Tape::Detail::trace, nullptr, intervener);
  const RecordingGuard recording(intervener ? &tape : nullptr);
  const Rollback replaced(intervene_in(parameters, intervener));
  return job();
}

inline Undo inputs_of(Model& model) {
  return [&model, inputs = model.inputs()] { model.restore_inputs(inputs); };
}

// All that training changes.
inline Undo training_state(const Model& model, Optimiser& optimiser) {
  std::vector<Tensor> parameters, state;
  for (const Parameter& parameter : model.parameters().all()) parameters.push_back(parameter.value);
  for (const Tensor& each : optimiser.state()) state.push_back(each.copy());
  return [&optimiser, undo = values_of(parameters), state = std::move(state), steps = optimiser.steps] {
    undo();
    optimiser.restore_state(state, steps);
  };
}

}  // namespace unroll
