#include "tests/engine/support/gradient_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int seeds = 24, small_seeds = 3, small_size = 2;
constexpr double tolerance = 1e-6;
// A gradient that differences cannot distinguish from 0: their error is about 1e-11, from rounding values near 10.
constexpr double negligible = 2e-5;

using Function = std::function<Tensor(const Tensors&)>;

Tensors on_tape(const Tensors& inputs) {
  Tensors result;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result.push_back(input("x" + std::to_string(i), inputs[i], Role::parameter));
  return result;
}

Tensors gradients_of(const Tensors& inputs) {
  Tensors result;
  for (const Tensor& each : inputs) {
    const Tensor found = gradient(each);
    result.push_back(found ? found : Tensor::full(each.shape(), 0));
  }
  return result;
}

Tensor weighted_sum(const Tensors& xs, const Tensors& weights) {
  Tensor total = sum(xs[0] * weights[0]);
  for (std::size_t i = 1; i < xs.size(); ++i) total = total + sum(xs[i] * weights[i]);
  return total;
}

Tensors like(const Tensors& xs, Samples& random) {
  Tensors result;
  for (const Tensor& x : xs) result.push_back(random.tensor(x.shape(), -1, 1));
  return result;
}

// Gradients of a function to one value.
Tensors by_backward(const Function& f, const Tensors& inputs, Tape::Detail detail) {
  LiveTape tape(detail);
  const Tensors xs = on_tape(inputs);
  backward(f(xs));
  return gradients_of(xs);
}

using Difference = double (*)(const std::function<double(double)>& f, double x);

// f′(x) from a value on each side: enough for nearly every case, at a third of the work.
double two_point_difference(const std::function<double(double)>& f, double x) {
  constexpr double h = 1e-5;
  return (f(x + h) - f(x - h)) / (2 * h);
}

// f′(x) from values on both sides at distances h, 2h and 3h: exact up to the sixth power of h.
double six_point_difference(const std::function<double(double)>& f, double x) {
  constexpr double h = 6e-4;
  const auto across = [&](double distance) { return f(x + distance) - f(x - distance); };
  return (45 * across(h) - 9 * across(2 * h) + across(3 * h)) / (60 * h);
}

// ∂f/∂x, by differences
Tensor by_differences(const Function& f, const Tensors& inputs, const Tensor& x, Difference difference) {
  Tensor result(x.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    Scalar& value = x.data()[i];
    const Scalar middle = value;
    const auto f_at = [&](double moved) {
      value = static_cast<Scalar>(moved);
      return static_cast<double>(f(inputs).item());
    };
    result.data()[i] = static_cast<Scalar>(difference(f_at, static_cast<double>(middle)));
    value = middle;
  }
  return result;
}

double relative_error(const Tensor& analytic, const Tensor& numeric) {
  return norm(analytic - numeric) / std::max({norm(analytic), norm(numeric), negligible});
}

double largest_error(const Function& f, const Tensors& inputs, const Tensors& analytic) {
  double worst = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto error_by = [&](Difference difference) {
      return relative_error(analytic[i], by_differences(f, inputs, inputs[i], difference));
    };
    double error = error_by(two_point_difference);
    if (!(error < tolerance)) error = error_by(six_point_difference);
    if (!(error <= worst)) worst = error;  // NaN is the worst of all
  }
  return worst;
}

bool same_bits(const Tensors& a, const Tensors& b) {
  return std::ranges::equal(
      a, b, [](const Tensor& x, const Tensor& y) { return std::ranges::equal(x.values(), y.values()); });
}

std::string shapes_of(const Tensors& inputs) {
  std::string text;
  for (const Tensor& x : inputs) text += text_of(x.shape()) + ' ';
  return text;
}

}  // namespace

double gradient_error(const GradientCase& each, Samples& random) {
  const Tensors weights = like({each.f(each.inputs)}, random);
  const Function f = [&](const Tensors& xs) { return weighted_sum({each.f(xs)}, weights); };
  const Tensors analytic = by_backward(f, each.inputs, Tape::Detail::training);
  CHECK(same_bits(analytic, by_backward(f, each.inputs, Tape::Detail::trace)));
  return largest_error(f, each.inputs, analytic);
}

double second_gradient_error(const GradientCase& each, Samples& random) {
  const Tensors weights = like({each.f(each.inputs)}, random), directions = like(each.inputs, random);
  const auto slope = [&](const Tensors& xs) {
    backward(weighted_sum({each.f(xs)}, weights));
    return weighted_sum(gradients_of(xs), directions);
  };
  const auto slope_alone = [&](const Tensors& inputs) {
    LiveTape tape(Tape::Detail::trace);
    return slope(on_tape(inputs));
  };
  return largest_error(slope_alone, each.inputs, by_backward(slope, each.inputs, Tape::Detail::trace));
}

Tensors with_parameters(Tensors inputs, const Parameters& parameters) {
  for (const Parameter& parameter : parameters.all()) inputs.push_back(parameter.value);
  return inputs;
}

GradientCase by_parameters(Samples& random, const Tensors& xs, const MakeLayer& make) {
  const auto parameters = std::make_shared<Parameters>(static_cast<std::uint64_t>(random.below(1000)));
  const std::function<Tensor(const Tensors&)> layer = make(*parameters);
  return {with_parameters(xs, *parameters), [=](const Tensors& now) {
            parameters->record();
            return layer(now);
          }};
}

void GradientCases::check() const {
  for (const auto& checked : cases_) {
    const auto& [signature, make] = checked;
    checked_.insert(signature);
    for (int seed = 0; seed < seeds + small_seeds; ++seed) {
      const bool second = seed >= seeds;
      Samples random(static_cast<std::uint64_t>(seed), second ? small_size : 6);
      const GradientCase each = make(random);
      CAPTURE(checked.first);
      CAPTURE(seed);
      CAPTURE(shapes_of(each.inputs));
      CHECK((second ? second_gradient_error(each, random) : gradient_error(each, random)) < tolerance);
    }
  }
}

Tensor side_by_side(const Tensors& outputs) {
  std::vector<Operand> flat;
  for (const Tensor& x : outputs)
    if (x) flat.push_back(reshape(x, {static_cast<int>(x.size())}));
  return concat(flat, 0);
}

Tensor side_by_side(const Tensor& a, const Tensor& b) { return side_by_side(Tensors{a, b}); }

}  // namespace unroll
