// The base class of models: settable inputs, trainable parameters and a loss.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/models/config.h"
#include "engine/models/model_size.h"
#include "engine/nn/parameters.h"
#include "engine/tensor/call_site.h"

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

class Model {
 public:
  explicit Model(const Config& config);
  virtual ~Model() = default;

  // Computes the loss, a single value, from the inputs; records on the live tape if there is one.
  virtual Tensor loss() = 0;

  // Called when a training step on the inputs has a loss or a gradient that is not finite: throws Error(diverged) if
  // the model knows which operation made it so. By default it does not.
  virtual void explain_divergence() {}

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

}  // namespace unroll
