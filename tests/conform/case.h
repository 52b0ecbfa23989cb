// One conformance case: a JSON file with inputs, a configuration, and the numbers that somebody else computed.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/tensor/tensor.h"

namespace unroll::conform {

using Json = nlohmann::json;

// The engine has no such thing yet; `what` says what is missing.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What is wrong with a case, one sentence each.
using Findings = std::vector<std::string>;

// {shape, dtype, data (flat, row-major)} or a plain number; "nan", "inf" and "-inf" are written as strings.
Tensor read_tensor(const Json& value);
std::vector<double> read_values(const Json& value);
bool is_tensor_of(const Json& value, std::string_view dtype_prefix);

// The object of this name, or an empty one.
const Json& part_of(const Json& object, const std::string& name);

// The named tensors a case computes with, and its configuration.
class Arguments {
 public:
  explicit Arguments(const Json& test);

  const Json& config() const { return config_; }
  template <typename T>
  T option(const char* name, T otherwise) const {
    const auto found = config_.find(name);
    return found == config_.end() || found->is_null() ? otherwise : found->get<T>();
  }

  // Throws std::runtime_error when there is no such tensor; the optional ones are "no tensor" then.
  const Tensor& param(const std::string& name) const;
  const Tensor& input(const std::string& name) const;
  Tensor optional_param(const std::string& name) const;
  Tensor optional_input(const std::string& name) const;
  // The parameter of this name whatever stands before it: "weight" finds "fc.weight".
  Tensor param_ending(const std::string& ending) const;
  Tensor optional_param_ending(const std::string& ending) const;

  // Whether the input holds real numbers, as opposed to marks or ids.
  bool is_real(const std::string& name) const;

  const std::map<std::string, Tensor>& params() const { return params_; }
  const std::map<std::string, Tensor>& inputs() const { return inputs_; }

  // Puts the parameters and the inputs that are real numbers on the live tape, so that they get gradients.
  void record() const;

 private:
  Json config_;
  std::map<std::string, Tensor> params_, inputs_;
  std::vector<std::string> real_inputs_;
};

// What a case's operation gives, by the names of the case's outputs.
using Results = std::map<std::string, Tensor>;

}  // namespace unroll::conform
