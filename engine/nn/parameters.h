// The tensors that training changes, each under its own name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/random.h"
#include "engine/tensor/tensor.h"
#include "engine/tensor/where.h"

namespace unroll {

// Fills a new parameter. It draws from a stream of its own (seed, name), so no parameter's first values depend on which
// others the model has.
using Init = std::function<void(Tensor&, Random&)>;

Init constant(Scalar value);
Init uniform(Scalar bound);     // from −bound to bound
Init normal(Scalar deviation);  // mean 0
Init xavier_uniform();          // bound √(6 / (fan_in + fan_out)) for (out, in) (Glorot & Bengio 2010, §4.2.1)
Init given(std::vector<double> values);  // one by one, row-major

struct Parameter {
  std::string name;
  Tensor value;
};

class Parameters {
 public:
  explicit Parameters(std::uint64_t seed) : seed_(seed) {}

  // A new parameter, shared with the layer that declares it. Throws Error(internal) when the name is taken.
  Tensor declare(std::string name, const Shape& shape, const Init& init);

  const std::vector<Parameter>& all() const { return all_; }
  const Parameter* find(std::string_view name) const;
  std::size_t count() const;  // numbers in all

  // Puts every parameter on the live tape. A model does so first, before it computes.
  void watch(Where where = Where::current()) const;

 private:
  std::uint64_t seed_;
  std::vector<Parameter> all_;
};

}  // namespace unroll
