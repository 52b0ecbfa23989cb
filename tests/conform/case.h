// One conformance case: a JSON file with inputs, a configuration, and numbers from another implementation.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/autograd/tensor.h"

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

}  // namespace unroll::conform
