// One conformance case: a JSON file with inputs, a configuration, and numbers from another implementation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/autograd/tensor.h"

namespace unroll {
class Optimiser;
}

namespace unroll::conform {

using Json = nlohmann::json;

// Something the engine lacks; `what` names it.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The failures of a case, one sentence each.
using Findings = std::vector<std::string>;

// {shape, dtype, data (flat, row-major)} or a plain number; "nan", "inf" and "-inf" are written as strings.
Tensor read_tensor(const Json& value);
std::vector<double> read_values(const Json& value);
bool is_tensor_of(const Json& value, std::string_view dtype_prefix);

// The object of this name, or an empty one.
const Json& part_of(const Json& object, const std::string& name);

// The named tensors of a case, and its configuration.
class Arguments {
 public:
  explicit Arguments(const Json& test);

  const Json& config() const { return config_; }
  template <typename T>
  T option(const char* name, T otherwise) const {
    const auto found = config_.find(name);
    return found == config_.end() || found->is_null() ? otherwise : found->get<T>();
  }

  // Throws std::runtime_error if there is no such tensor; for an optional one, returns "no tensor".
  const Tensor& param(const std::string& name) const;
  const Tensor& input(const std::string& name) const;
  Tensor optional_param(const std::string& name) const;
  Tensor optional_input(const std::string& name) const;
  Tensor param_or(const std::string& name, const Tensor& otherwise) const;
  Tensor input_or(const std::string& name, const Tensor& otherwise) const;
  // The parameter with this name, whatever its prefix: "weight" finds "fc.weight".
  Tensor param_ending(const std::string& ending) const;
  Tensor optional_param_ending(const std::string& ending) const;

  // Whether the input holds real numbers, as opposed to marks or ids.
  bool is_real(const std::string& name) const;

  const std::map<std::string, Tensor>& params() const { return params_; }
  const std::map<std::string, Tensor>& inputs() const { return inputs_; }

  // Records the parameters and the real-valued inputs on the active tape, so that they get gradients.
  void record() const;

 private:
  Json config_;
  std::map<std::string, Tensor> params_, inputs_;
  std::vector<std::string> real_inputs_;
};

// The results of a case's operation, by output name.
using Results = std::map<std::string, Tensor>;
using Forward = Results (*)(const Arguments& a);

// How far a value may be from the expected one.
using Tolerance = std::function<double(double expected)>;

Tolerance absolute(double atol);
Tolerance of_float32(double float32_error);  // max(10 · float32 error, 1e-6 · (1 + |value|))

// The tolerance a case states for a number of `group` ("outputs" or "grads"): its atol, or its f32_err; for a case of
// ONNX 1e-7 + 1e-3 · |value|.
Tolerance stated_tolerance(const Json& test, const std::string& group, const std::string& name);

// Adds a finding for a wrong shape, or for the value that is farthest outside its tolerance.
void compare(const std::string& name, const Tensor& actual, const Json& expected, const Tolerance& tolerance,
             Findings& findings);
void compare(const std::string& name, double actual, double expected, const Tolerance& tolerance, Findings& findings);

// Compares each expected output with the result of the same name.
void compare_outputs(const Json& test, const Results& results, Findings& findings);

// {type or optimizer, lr, momentum, betas, eps, …} with PyTorch's names and defaults. Throws Skip for an option the
// engine lacks.
std::unique_ptr<Optimiser> read_optimiser(const Json& plan);

// Runs a case and adds its failures to the findings. Throws Skip if the engine cannot run it yet, another exception if
// the case is invalid.
using Check = std::function<void(const Json& test, Findings& findings)>;
void run_case(const Json& test, Findings& findings);

// Compares the outputs, the gradients that the case has of parameters and inputs, and its optimiser runs.
// Without a "loss" among the outputs the loss is Σ over outputs of Σ(cotangent · output).
void check_differentiable(const Json& test, Forward forward, Findings& findings);

// Cases of this kind ("op" or "op_type") are checked so.
struct Kind {
  Kind(const char* name, Check check);
};

}  // namespace unroll::conform

// The operation of a kind of cases with gradients: CASES(relu) { return {{"y", relu(a.input("x"))}}; }
#define CASES(name)                                                                                            \
  static Results case_##name(const Arguments& a);                                                              \
  static const Kind kind_##name(                                                                               \
      #name, [](const Json& test, Findings& findings) { check_differentiable(test, case_##name, findings); }); \
  static Results case_##name(const Arguments& a)
