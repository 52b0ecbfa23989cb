// A program of the learner's language in a model, which has its parameters.
#pragma once

#include <map>
#include <memory>

#include "engine/models/model.h"
#include "engine/nn/parameters.h"
#include "engine/program/interpreter.h"
#include "engine/program/pytorch.h"

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

  // What is called: the last function of the program; of one that ends with a model, this model's forward.
  struct Entry {
    struct Parameter {
      std::string name;
      program::Place place;
      std::optional<program::Value> fallback;
    };
    program::Value callee;
    std::string name;
    program::Place place;
    std::vector<Parameter> parameters;
  };
  const Entry& entry() const { return entry_; }
  // How many of its parameters have no default.
  std::size_t needed_arguments() const;

  // Calls the entry with these arguments. A program without modules is run anew each time; modules are made once, and
  // live as long as this does. The first call makes the parameters; later ones may make no others. Throws
  // Error(program) at the operation that made the first NaN if one reaches the result, and none of the arguments and
  // parameters has any.
  program::Value call(const std::vector<program::Value>& arguments);

  // Values by name that no parameter has taken yet.
  Values& preset() { return preset_; }

  // The arguments, each tensor replaced by what `replace` makes of it and the name of its parameter.
  std::vector<program::Value> with_tensors(std::vector<program::Value> arguments, const auto& replace) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto* tensor = arguments[i].as<program::TypedTensor>();
      if (!tensor) continue;
      program::TypedTensor replaced = *tensor;
      replaced.tensor = replace(entry_.parameters[i].name, tensor->tensor);
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

  CallSite where() const { return {program::program_file, entry_.place.line, entry_.place.column}; }

 private:
  Tensor parameter(const std::string& name, const Shape& shape, const std::string& init,
                   const program::Place& place) override;
  std::unique_ptr<program::Interpreter> started();
  void add_models(program::RecordedCall& call) const;
  program::NamedValues buffers_of_script() const;
  void find_entry(const program::Interpreter& interpreter);
  // Gives the tensors of its modules that are new a name and a place among the parameters of the model.
  void take_parameters();
  // Gives these tensors their present values, as recorded on the tape.
  void bind_parameters();
  void preset_buffers();
  program::Value run(const std::vector<program::Value>& arguments);
  void explain_nan(const std::vector<program::Value>& arguments);
  Tensor new_parameter(const std::string& name, const Shape& shape, const std::string& init,
                       const program::Place& place);
  void check_new(const std::string& name, const Shape& shape, const program::Place& place) const;

  std::string text_;
  std::unique_ptr<const program::Program> program_;
  std::uint64_t seed_;
  Parameters& parameters_;
  Values constants_, preset_;
  std::string prefix_;
  std::map<std::string, std::size_t> parameter_indices_;                // by name without the prefix
  std::vector<std::pair<program::Value::Tensors, std::size_t>> bound_;  // of modules, with their indices
  Entry entry_;
  std::unique_ptr<program::Interpreter> modules_;  // of a program that has any
  bool is_complete_ = false;
};

}  // namespace unroll
