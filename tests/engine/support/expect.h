// Expectations about tensors and refusals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/tensor/error.h"

namespace unroll {

// x has this shape and these values, each within tolerance · max(1, |value|). −∞ equals −∞; NaN equals nothing.
void expect(const Tensor& x, const Shape& shape, const std::vector<double>& values, double tolerance = 1e-6);

// The sentence of the Error that `job` must throw, with that code.
std::string refusal(ErrorCode code, const std::function<void()>& job);

bool same_bits(const Tensor& a, const Tensor& b);

}  // namespace unroll
