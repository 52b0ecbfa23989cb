// Trainable parameters: named tensors and their initialisers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"
#include "engine/tensor/call_site.h"

namespace unroll {

// Initialises a new parameter. Each parameter draws from its own random stream (seed, name), so its initial values do
// not depend on which other parameters the model has.
using Init = std::function<void(Tensor&, Random&)>;

Init constant(Scalar value);
Init uniform(Scalar bound);     // from −bound to bound
Init normal(Scalar deviation);  // mean 0
Init xavier_uniform();          // bound √(6 / (fan_in + fan_out)) for (out, in) (Glorot & Bengio 2010, §4.2.1)
Init from_values(std::vector<double> values);  // row-major; declare throws Error(config) when the count is wrong

struct Parameter {
  std::string name;
  Tensor value;
};

class Parameters {
 public:
  explicit Parameters(std::uint64_t seed) : seed_(seed) {}

  // Creates a parameter; the returned tensor shares its values. Throws Error(internal) when the name is taken.
  Tensor declare(std::string name, const Shape& shape, const Init& init);

  const std::vector<Parameter>& all() const { return all_; }
  const Parameter* find(std::string_view name) const;
  std::size_t count() const;  // total number of values

  // Records every parameter on the live tape; a model calls it before it computes anything.
  void record(CallSite where = CallSite::current()) const;

 private:
  std::uint64_t seed_;
  std::vector<Parameter> all_;
};

}  // namespace unroll
