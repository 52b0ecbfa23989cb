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
  int steps = 0;  // training steps so far
  std::vector<TensorInfo> inputs, parameters;
};

struct NamedTensor {
  std::string name;
  std::vector<int> shape;
  std::vector<float> values;
};

// One value of a named tensor (flat, row-major index) and what replaces it.
struct ValueEdit {
  std::string name;
  int index = 0;
  float value = 0;
};

struct RunInfo {
  double loss = 0;
  int output = -1;                            // node id
  int forward = 0, backward = 0, update = 0;  // operation counts
  double trace = 0;                           // a hash: equal for runs with the same trace, whatever their values
};

struct GradientCheck {
  double analytic = 0, numeric = 0, difference = 0;
};

struct TrainInfo {
  int step = 0;
  double loss = 0;
  double accuracy = 0;           // over the target tokens of the last batch; 0 without a task
  int examples = 0, tokens = 0;  // trained on in this call; 0 without a task
};

// Every call returns a Reply; a refused call leaves the session as it was.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;  // the tape points to the edits

  // With the field "task", "pairs" or "text" (see prepare_task) the model learns a task and uses its vocabularies.
  Reply<ModelInfo> load(const Config& config);

  // Size of a model with a task, and of its training step, without loading it.
  Reply<SizeInfo> estimate(const Config& config) const;

  // Sets the named inputs, then traces forward, backward and the update that a training step on them would make, and
  // keeps the trace. No parameter changes. Edits stay in force.
  Reply<RunInfo> run(const std::vector<NamedTensor>& inputs);
  Reply<Trace> trace();
  Reply<TraceColumns> trace_columns();  // for the page
  Reply<std::vector<float>> values(int id);
  // exp of the values of a node that holds log-probabilities.
  Reply<std::vector<float>> probabilities(int id);
  Reply<std::vector<float>> gradients(int id);

  // Replaces one value of the named node (flat, row-major index) wherever it is computed, and runs again. If other
  // inputs give a trace without that value, the edit waits for one that has it; `load` drops all edits.
  Reply<RunInfo> edit(const std::string& name, int index, float value);
  Reply<RunInfo> undo_edit(const std::string& name, int index);

  // Makes these the edits in force, in place of those before, and runs once. Those that are in force already may wait.
  Reply<RunInfo> set_edits(const std::vector<ValueEdit>& list);

  // ∂L/∂value by the backward pass and by finite differences of the loss.
  Reply<GradientCheck> check_gradient(const std::string& name, int index);

  // Runs optimiser steps without the edits, on batches of the task if there is one; recomputes the trace when next
  // used.
  Reply<TrainInfo> train(int steps);

  // Parameters, optimiser state and step count as a safetensors file; restore() needs a model of the same shapes.
  Reply<std::vector<std::uint8_t>> save() const;
  Reply<ModelInfo> restore(const std::vector<std::uint8_t>& bytes);

  // Only with a task; see TaskSession.
  Reply<TaskInfo> task() const;
  Reply<std::vector<PairInfo>> pairs(const std::string& split, int start, int count) const;
  Reply<PairInfo> read(const std::string& source, const std::string& target);
  Reply<GenerationInfo> generate(const std::string& source, const Config& options);
  Reply<GenerationCost> generation_cost(int positions) const;
  Reply<EvaluationInfo> evaluate(const std::string& split, int limit, int length);
  Reply<EvaluationInfo> evaluate_more();

 private:
  // A reply computed in the session's own context.
  template <typename Job>
  auto attempt(const char* call, Job job) const {
    const CurrentContext current(context_);
    return unroll::attempt(call, std::move(job));
  }

  void require_model() const;
  TaskSession& task_session() const;
  bool has_trace() const { return stale_ || !tape_.nodes().empty(); }
  void refresh();
  const Node& node(int id);
  int editable(const std::string& name, int index);
  void require_possible(const ValueEdit& edit);
  TrainInfo take_steps(int steps);
  RunInfo run_again();
  RunInfo run_with(Edits edits);
  double loss_with(const Edits& edits) const;
  ModelInfo info() const;

  mutable Context context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<TaskSession> task_session_;
  bool stale_ = false;  // the trace must be recomputed before use: model or inputs changed, or a run failed
  std::string kind_;
  double seed_ = 0;
  Edits edits_;
  Tape tape_{Tape::Detail::trace, &edits_};
};

}  // namespace unroll
