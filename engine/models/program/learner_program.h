// A program of the learner's language in a model, which has its parameters.
#pragma once

#include <map>

#include "engine/models/model.h"
#include "engine/nn/parameters.h"
#include "engine/program/interpreter.h"

namespace unroll {

// A model that is the learner's as a whole.
class LearnerModel {
 public:
  virtual ~LearnerModel() = default;

  // A script that prints under PyTorch what this model makes of its inputs: result, loss and gradients.
  virtual std::string pytorch() const = 0;
};

class LearnerProgram : private program::ParameterSource {
 public:
  using Values = std::map<std::string, program::Value>;

  // Reads the field "program", or if absent takes `fallback`. `constants` are names that the program may use; `preset`
  // has values for some of its parameters; `prefix` begins their names in the model. Throws Error(program) for a text
  // that is no program, or has no function.
  LearnerProgram(const Config& config, const char* fallback, Parameters& parameters, Values constants = {},
                 Values preset = {}, std::string prefix = "");

  const std::string& text() const { return text_; }
  // Its last function.
  const program::Function& function() const { return *function_; }
  // The name of a parameter of the function.
  const std::string& name_of(const program::ParameterName& parameter) const { return program_.names[parameter.symbol]; }

  // Runs the program and calls its last function with these arguments. The first call makes the parameters; later ones
  // may make no others. Throws Error(program) at the operation that made the first NaN if one reaches the result, and
  // none of the arguments and parameters has any.
  program::Value call(const std::vector<program::Value>& arguments);

  // Runs the program: the defaults of the function's parameters, where there are any.
  std::vector<std::optional<program::Value>> fallbacks();

  // Values by name that no parameter has taken yet.
  Values& preset() { return preset_; }

  // The arguments, each tensor replaced by what `replace` makes of it and the name of its parameter.
  std::vector<program::Value> with_tensors(std::vector<program::Value> arguments, const auto& replace) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto* tensor = arguments[i].as<program::TypedTensor>();
      if (!tensor) continue;
      program::TypedTensor replaced = *tensor;
      replaced.tensor = replace(name_of(function_->parameters[i]), tensor->tensor);
      arguments[i] = replaced;
    }
    return arguments;
  }

  // The first tensor of what the function returned; a number becomes one.
  Tensor output_of(const program::Value& value) const;

  // Throws Error(program) if a parameter has the name of one of these inputs: the trace could not tell them apart.
  void check_names(const std::vector<ModelInput>& inputs) const;

  // A script that makes this call under PyTorch and prints the same numbers. `target`: see RecordedCall.
  std::string pytorch(const std::vector<program::Value>& arguments, const std::optional<Tensor>& target = {}) const;

  CallSite where() const { return {program::program_file, function_->place.line, function_->place.column}; }

 private:
  Tensor parameter(const std::string& name, const Shape& shape, const std::string& init,
                   const program::Place& place) override;
  program::Value run(const std::vector<program::Value>& arguments);
  void explain_nan(const std::vector<program::Value>& arguments);
  Tensor new_parameter(const std::string& name, const Shape& shape, const std::string& init,
                       const program::Place& place);

  std::string text_;
  program::Program program_;
  const program::Function* function_;
  std::uint64_t seed_;
  Parameters& parameters_;
  Values constants_, preset_;
  std::string prefix_;
  std::map<std::string, std::size_t> parameter_indices_;  // by name without the prefix
  bool is_complete_ = false;
};

}  // namespace unroll
