#include "engine/nn/parameters.h"

#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"
#include "engine/tensor/hash.h"

namespace unroll {

Init constant(Scalar value) {
  return [=](Tensor& x, Random&) { std::ranges::fill(x.values(), value); };
}

Init uniform(Scalar bound) {
  return [=](Tensor& x, Random& random) {
    for (Scalar& value : x.values()) value = random.uniform(-bound, bound);
  };
}

Init normal(Scalar deviation) {
  return [=](Tensor& x, Random& random) {
    for (Scalar& value : x.values()) value = deviation * random.normal();
  };
}

Init xavier_uniform() {
  return [](Tensor& x, Random& random) {
    const int fan_in = x.shape()[-1], fan_out = x.rank() > 1 ? x.shape()[-2] : 1;
    uniform(std::sqrt(Scalar(6) / static_cast<Scalar>(fan_in + fan_out)))(x, random);
  };
}

Init from_values(std::vector<double> values) {
  return [values = std::move(values)](Tensor& x, Random&) {
    if (values.size() != x.size())
      fail(ErrorCode::config, "parameter_value_count_differs", values.size(), x.shape(), x.size());
    std::ranges::transform(values, x.data(), [](double value) { return static_cast<Scalar>(value); });
  };
}

Tensor Parameters::declare(std::string name, const Shape& shape, const Init& init) {
  if (find(name)) fail(ErrorCode::internal, "parameter_declared_twice", name);
  Tensor value(shape);
  Random random(seed_, hash_of(name));
  making_ == Making::drawn ? init(value, random) : constant(0)(value, random);
  count_ += value.size();
  all_.push_back({std::move(name), value});
  return value;
}

Tensor Parameters::declare(std::string name, std::initializer_list<int> sizes, const Init& init) {
  if (making_ != Making::counted) return declare(std::move(name), Shape(sizes), init);
  std::uint64_t values = 1;
  for (const int size : sizes) values *= static_cast<std::uint64_t>(size);
  count_ += values;
  return {};
}

const Parameter* Parameters::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Parameter::name);
  return found == all_.end() ? nullptr : &*found;
}

void Parameters::record(CallSite where) const {
  for (const Parameter& parameter : all_) input(parameter.name, parameter.value, Role::parameter, true, where);
}

}  // namespace unroll
