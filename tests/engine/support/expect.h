// Expectations about tensors and refusals.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/tensor/error.h"

namespace unroll {

// x has this shape and these values, each within tolerance · max(1, |value|). −∞ equals −∞; NaN equals nothing.
inline void expect(const Tensor& x, const Shape& shape, const std::vector<double>& values, double tolerance = 1e-6) {
  REQUIRE(text_of(x.shape()) == text_of(shape));
  REQUIRE(x.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double actual = static_cast<double>(x.data()[i]), wanted = values[i];
    INFO("value ", i, " is ", actual, ", wanted ", wanted);
    CHECK((actual == wanted || std::abs(actual - wanted) <= tolerance * std::max(1.0, std::abs(wanted))));
  }
}

// The sentence of the Error that `job` must throw, with that code.
inline std::string refusal(ErrorCode code, const std::function<void()>& job) {
  try {
    job();
  } catch (const Error& error) {
    CHECK(static_cast<int>(error.code) == static_cast<int>(code));
    return error.what();
  }
  return "nothing was refused";
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

}  // namespace unroll
