// What every model offers: inputs to set, parameters to train, and one loss.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/models/config.h"
#include "engine/nn/parameters.h"
#include "engine/tensor/where.h"

namespace unroll {

// A tensor the learner may set: numbers, of which a mask may also hold −∞; or the ids of a vocabulary.
struct ModelInput {
  std::string name;
  Tensor value;
  Role role = Role::input;
  bool takes_gradient = true;
  bool is_mask = false;
  int vocabulary = 0;  // where the values are ids, how many there are
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : parameters_(seed) {}
  virtual ~Model() = default;

  // Computes the loss, a single value, from the inputs; on the live tape where there is one.
  virtual Tensor loss() = 0;

  // The last output of loss().
  const Tensor& output() const { return output_; }

  const std::vector<ModelInput>& inputs() const { return inputs_; }
  const Parameters& parameters() const { return parameters_; }

  // Replaces an input. Throws Error(input) for an unknown name or a value that is not allowed, Error(shape) for a shape
  // that the model cannot take; nothing is changed then.
  void set_input(const std::string& name, const Tensor& value);

  // Puts back what inputs() gave before, whatever has been set since. (Set one by one, some would not fit beside those
  // that are not back yet.)
  void restore_inputs(std::vector<ModelInput> inputs) { inputs_ = std::move(inputs); }

 protected:
  void add_input(ModelInput input) { inputs_.push_back(std::move(input)); }
  // An input as loss() uses it: on the tape, under its name.
  Tensor use_input(const std::string& name, Where where = Where::current()) const;
  void replace_input(const std::string& name, const Tensor& value);
  // Whether `input` may take this shape; throws Error(shape). By default only the one it has.
  virtual void check_shape(const ModelInput& input, const Shape& shape) const;
  // What the values of `input` must be beyond their range; throws Error(input). By default nothing.
  virtual void check_content(const ModelInput&, const Tensor&) const {}
  // Called after an input changed, so that others can follow its size.
  virtual void input_changed(const std::string&) {}

  Parameters parameters_;
  Tensor output_;

 private:
  std::size_t index_of(const std::string& name) const;

  std::vector<ModelInput> inputs_;
};

// The kinds of model that this program has; what config["kind"] names of them, by default the first; and such a model.
// The last two throw Error(config).
std::vector<std::string> model_kinds();
std::string model_kind(const Config& config);
std::unique_ptr<Model> make_model(const Config& config);

}  // namespace unroll
