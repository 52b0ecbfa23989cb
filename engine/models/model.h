// The base class of models: settable inputs, trainable parameters and a loss; and the registry of the model kinds
// linked into a program.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/models/config.h"
#include "engine/models/model_size.h"
#include "engine/nn/parameters.h"

namespace unroll {

// A tensor the user may set: values, where a mask may also hold −∞, or token ids.
struct ModelInput {
  std::string name;
  Tensor value;
  Role role = Role::input;
  bool takes_gradient = true;
  bool is_mask = false;
  int vocabulary = 0;  // number of ids, if the values are token ids
};

class Generator;
class LearnerModel;
class SequenceModel;

class Model {
 public:
  explicit Model(const Config& config);
  virtual ~Model() = default;

  // Computes the loss, a single value, from the inputs; records on the live tape if there is one.
  virtual Tensor loss() = 0;

  // Called when a training step on the inputs has a loss or a gradient that is not finite: throws Error(diverged) if
  // the model knows which operation made it so. By default it does not.
  virtual void explain_divergence() {}

  // What this model is besides, or nullptr. (There is no dynamic_cast: the page's modules have no names of types.)
  virtual Generator* generator() { return nullptr; }                       // one that writes
  virtual const SequenceModel* sequence_model() const { return nullptr; }  // one that learns tasks
  virtual const LearnerModel* learners() const { return nullptr; }         // one that is the learner's as a whole

  // The output of the last loss().
  const Tensor& output() const { return output_; }

  const std::vector<ModelInput>& inputs() const { return inputs_; }
  const Parameters& parameters() const { return parameters_; }

  // Replaces an input. Throws Error(input) for an unknown name or an invalid value, Error(shape) for a shape that the
  // model cannot take; then nothing changes.
  void set_input(const std::string& name, const Tensor& value);

  // Restores a copy of inputs() as a whole. (Set one by one, some could be rejected because their shapes depend on
  // inputs not yet restored.)
  void restore_inputs(std::vector<ModelInput> inputs) { inputs_ = std::move(inputs); }

  // From now on, inputs for which a training step takes too much memory are refused. `activations`: see ModelSize.
  void limit_memory(std::function<double(const BatchSizes&)> activations) { activations_ = std::move(activations); }
  // Whether a training step on such a batch is known to keep the limit.
  bool takes(const BatchSizes& batch) const;

 protected:
  void add_input(ModelInput input) { inputs_.push_back(std::move(input)); }
  // Puts an input on the tape under its name, for loss().
  Tensor use_input(const std::string& name, CallSite where = CallSite::current()) const;
  const Tensor& value_of(const std::string& input) const { return inputs_[index_of(input)].value; }
  void replace_input(const std::string& name, const Tensor& value);
  // Throws Error(shape) unless `input` may take this shape. By default only its current shape is valid.
  virtual void check_shape(const ModelInput& input, const Shape& shape) const;
  // Checks the values of `input` beyond their range; throws Error(input). By default all are valid.
  virtual void check_content(const ModelInput&, const Tensor&) const {}
  // Throws Error(shape) if a training step on such a batch would take too much memory; for check_shape.
  void check_memory(const ModelInput& input, const Shape& shape, const BatchSizes& batch) const;
  // Called after an input changed, so that dependent inputs can follow its size.
  virtual void input_changed(const std::string&) {}

  Parameters parameters_;
  Tensor output_;  // loss() frees it first: kept, it would make the second step need more memory than the first

 private:
  std::size_t index_of(const std::string& name) const;

  std::vector<ModelInput> inputs_;
  std::function<double(const BatchSizes&)> activations_;
  mutable std::vector<BatchSizes> accepted_;  // by takes()
};

// The model kinds of the engine; the kind that config["kind"] names, by default the first linked into this program; and
// a model of that kind. The last two throw Error(config).
std::vector<std::string> model_kinds();
std::string model_kind(const Config& config);
std::unique_ptr<Model> make_model(const Config& config);

struct ModelKind {
  std::string_view name;
  MakeModel make;
  ModelSize (*size)(const Config&, const BatchSizes&);  // nullptr for models that learn no task
};

template <typename M>
std::unique_ptr<Model> new_model(const Config& config) {
  return std::make_unique<M>(config);
}

// A kind that learns no task.
template <typename M>
constexpr ModelKind kind_of(std::string_view name) {
  return {name, new_model<M>, nullptr};
}

// A kind that learns tasks. The field `width` sets its size.
template <MakeModel make, const SizeField& width>
constexpr ModelKind task_kind_of(std::string_view name) {
  return {name, [](const Config& config) { return make_limited(make, config, width); },
          [](const Config& config, const BatchSizes& batch) { return size_of_step(make, config, batch, width); }};
}

// A kind that learns tasks and is the learner's as a whole: the budget of the program limits its size.
template <MakeModel make>
constexpr ModelKind program_kind_of(std::string_view name) {
  return {name, make, [](const Config& config, const BatchSizes& batch) { return full_run(*make(config), batch); }};
}

// A model NAME defines ModelKind NAME_kind() beside its class, and is thereby registered: CMake lists what it finds
// (see models.cmake).
//
// The models linked into this program, in alphabetical order: all, but in a WebAssembly module of the page.
std::span<const ModelKind> linked_models();

// The parts of such a model that a function of the learner's can replace: see kinds.json.
std::vector<std::string> parts_of(std::string_view kind);

// What else is linked: the language of the learner's programs, tasks to learn, calls about matrices, and interventions.
// A module of the page may lack any, and the linker then drops all code that only it needs.
extern const bool has_programs, has_tasks, has_linalg, has_interventions;

// Size of such a model and of a training step on such a batch. Throws Error(config) as make_model does, and for a kind
// that learns no task.
ModelSize model_size(const Config& config, const BatchSizes& batch);

}  // namespace unroll
