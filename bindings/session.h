// The one class the page sees: a model that can be run, traced, edited and trained. Plain C++; embind.cpp binds it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/reply.h"
#include "bindings/task_work.h"
#include "bindings/trace.h"
#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/trainer.h"

namespace unroll {

struct TensorInfo {
  std::string name;
  std::vector<int> shape;
};

struct ModelInfo {
  std::string kind;
  double seed = 0;
  int steps = 0;  // of training so far
  std::vector<TensorInfo> inputs, parameters;
};

struct NamedTensor {
  std::string name;
  std::vector<int> shape;
  std::vector<float> values;
};

struct RunInfo {
  double loss = 0;
  int output = -1;                            // node id
  int forward = 0, backward = 0, update = 0;  // operations
};

struct GradientCheck {
  double analytic = 0, numeric = 0, difference = 0;
};

struct TrainInfo {
  int step = 0;
  double loss = 0;
  double accuracy = 0;           // of the tokens of the last batch; 0 without a task
  int examples = 0, tokens = 0;  // trained on in this call; 0 without a task
};

// Every call answers with a Reply; a refused call leaves the session as it was.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;  // the tape holds the address of the edits

  // With the field "task", "pairs" or "text" (see prepare_task) the model learns a task, and its vocabularies are the
  // task's.
  Reply<ModelInfo> load(const Config& config);

  // What a model with a task, and a training step of it, would take: before it is loaded, and whatever is.
  Reply<SizeInfo> estimate(const Config& config) const;

  // Sets the named inputs, then runs forward, backward and through the update that a training step on them would make,
  // and keeps the trace. No parameter changes. Edits stay in force.
  Reply<RunInfo> run(const std::vector<NamedTensor>& inputs);
  Reply<Trace> trace();
  Reply<std::vector<float>> values(int id);
  // e to the values of a node that holds logarithms of probabilities.
  Reply<std::vector<float>> probabilities(int id);
  Reply<std::vector<float>> gradients(int id);

  // Replaces one value of the named node (flat, row-major index) wherever it is computed, and runs again. Where other
  // inputs give a trace without that value the edit waits for one that has it; `load` drops all edits.
  Reply<RunInfo> edit(const std::string& name, int index, float value);
  Reply<RunInfo> undo_edit(const std::string& name, int index);

  // ∂L/∂value by the backward pass and by finite differences of the loss.
  Reply<GradientCheck> check_gradient(const std::string& name, int index);

  // Optimiser steps on the model without its edits, on batches of its task where it has one; the trace runs again.
  Reply<TrainInfo> train(int steps);

  // Parameters, optimiser state and step count as a safetensors file; and back, into a model of the same shapes.
  Reply<std::vector<std::uint8_t>> save() const;
  Reply<ModelInfo> restore(const std::vector<std::uint8_t>& bytes);

  // With a task only; see TaskWork.
  Reply<TaskInfo> task() const;
  Reply<std::vector<PairInfo>> pairs(const std::string& split, int start, int count) const;
  Reply<PairInfo> read(const std::string& source, const std::string& target);
  Reply<WriteInfo> write(const std::string& source, const Config& options);
  Reply<WritingCost> cost_behind(int positions) const;
  Reply<EvaluationInfo> evaluate(const std::string& split, int limit, int length);
  Reply<EvaluationInfo> evaluate_more();

 private:
  void require_model() const;
  TaskWork& work() const;
  bool has_trace() const { return stale_ || !tape_.nodes().empty(); }
  void refresh();
  const Node& node(int id);
  int editable(const std::string& name, int index);
  TrainInfo take_steps(int steps);
  RunInfo run_again();
  RunInfo run_with(Edits edits);
  double loss_with(const Edits& edits) const;
  ModelInfo info() const;

  std::unique_ptr<Model> model_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<TaskWork> work_;
  bool stale_ = false;  // the trace is to run again before anyone looks: it is of another model, or was cut off
  std::string kind_;
  double seed_ = 0;
  Edits edits_;
  Tape tape_{Tape::Detail::trace, &edits_};
};

}  // namespace unroll
