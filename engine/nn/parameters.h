// Trainable parameters: named tensors and their initialisers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"
#include "engine/nn/parts.h"

namespace unroll {

// Initialises a new parameter. Each parameter draws from its own random stream (seed, name), so its initial values do
// not depend on which other parameters the model has.
using Init = std::function<void(Tensor&, Random&)>;

Init constant(Scalar value);
Init uniform(Scalar bound);     // from −bound to bound
Init normal(Scalar deviation);  // mean 0
Init xavier_uniform();          // bound √(6 / (fan_in + fan_out)) for (out, in) (Glorot & Bengio 2010, §4.2.1)
Init from_values(std::vector<double> values);  // row-major; declare throws Error(config) when the count is wrong

// How parameters are made: drawn by their initialisers; all 0, for a dry run; or only counted, as empty tensors.
enum class Making { drawn, zero, counted };

struct Parameter {
  std::string name;
  Tensor value;
};

class Parameters {
 public:
  explicit Parameters(std::uint64_t seed, Making making = Making::drawn) : seed_(seed), making_(making) {}

  // Creates a parameter; the returned tensor shares its values. Throws Error(internal) when the name is taken. Sizes
  // that are only counted may be larger than those of any tensor.
  Tensor declare(std::string name, const Shape& shape, const Init& init);
  Tensor declare(std::string name, std::initializer_list<int> sizes, const Init& init);

  const std::vector<Parameter>& all() const { return all_; }
  const Parameter* find(std::string_view name) const;
  std::uint64_t count() const { return count_; }  // total number of values

  // The parts of the model that a function of the learner's replaces: layers ask for them as they declare parameters.
  const Parts& parts() const { return parts_ ? *parts_ : no_parts; }
  void replace(std::unique_ptr<const Parts> parts) { parts_ = std::move(parts); }

  // Records every parameter on the live tape; a model calls it before it computes anything.
  void record(CallSite where = CallSite::current()) const;

 private:
  std::uint64_t seed_;
  Making making_;
  std::uint64_t count_ = 0;
  std::vector<Parameter> all_;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace unroll
