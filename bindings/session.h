// The one class the page sees: a model that can be run, traced, edited and trained. Plain C++; embind.cpp binds it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/reply.h"
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
  std::vector<TensorInfo> inputs, parameters;
};

struct NamedTensor {
  std::string name;
  std::vector<int> shape;
  std::vector<float> values;
};

struct RunInfo {
  double loss = 0;
  int output = -1;                // node id
  int forward = 0, backward = 0;  // operations
};

struct GradientCheck {
  double analytic = 0, numeric = 0, difference = 0;
};

struct TrainInfo {
  int step = 0;
  double loss = 0;
};

// Every call answers with a Reply; a refused call leaves the session as it was.
class Session {
 public:
  Reply<ModelInfo> load(const Config& config);

  // Sets the named inputs, then runs forward and backward and keeps the trace. Edits stay in force.
  Reply<RunInfo> run(const std::vector<NamedTensor>& inputs);
  Reply<Trace> trace() const;
  Reply<std::vector<float>> values(int id) const;
  Reply<std::vector<float>> gradients(int id) const;

  // Replaces one value of the named node (flat, row-major index) wherever it is computed, and runs again.
  Reply<RunInfo> edit(const std::string& name, int index, float value);
  Reply<RunInfo> undo_edit(const std::string& name, int index);

  // ∂L/∂value by the backward pass and by finite differences of the loss.
  Reply<GradientCheck> check_gradient(const std::string& name, int index);

  // Optimiser steps on the model without its edits; then runs again.
  Reply<TrainInfo> train(int steps);

  // Parameters, optimiser state and step count as a safetensors file; and back, into a model of the same shapes.
  Reply<std::vector<std::uint8_t>> save() const;
  Reply<ModelInfo> restore(const std::vector<std::uint8_t>& bytes);

 private:
  void require_model() const;
  const Node& node(int id) const;
  int editable(const std::string& name, int index) const;
  RunInfo run_again();
  double loss_with(const Edits& edits) const;
  ModelInfo info() const;

  std::unique_ptr<Model> model_;
  std::unique_ptr<Trainer> trainer_;
  std::string kind_;
  double seed_ = 0;
  Edits edits_;
  Tape tape_{Tape::Detail::trace, &edits_};
};

}  // namespace unroll
