// Included by every engine test, and only there: it has a using-directive for the engine's namespace.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "tests/engine/support/samples.h"

namespace unroll {

using Text = std::string;
constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

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

// The bytes of values, to compare or to hash them.
inline std::string_view bytes_of(std::span<const Scalar> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Records everything computed during its lifetime.
struct LiveTape : Tape {
  using Tape::Tape;
  RecordingGuard recording{this};
};

inline void expect_near(const Tensor& x, const Tensor& wanted, double tolerance = 1e-6) {
  expect(x, wanted.shape(), {wanted.values().begin(), wanted.values().end()}, tolerance);
}

// √Σ x², in double.
inline double norm(const Tensor& x) {
  double squared = 0;
  for (const Scalar value : x.values()) squared += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squared);
}

// The largest difference between two values at the same place. NaN is the farthest of all.
inline double farthest(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape() == b.shape());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]));
    if (!(apart <= most)) most = apart;
  }
  return most;
}

// The node of that name, which must be on the tape.
inline const Node& node(const Tape& tape, std::string_view name) {
  const int id = tape.find(name);
  REQUIRE_MESSAGE(id >= 0, name);
  return tape.nodes()[static_cast<std::size_t>(id)];
}

// Each name must be on the tape.
inline void check_names(const Tape& tape, const std::vector<Text>& names) {
  for (const Text& name : names) CHECK_MESSAGE(tape.find(name) >= 0, name);
}

}  // namespace unroll

using namespace unroll;

// The sentence that refuses an expression: REFUSAL(shape, matmul(a, b)).
#define REFUSAL(code, ...) refusal(ErrorCode::code, [&] { __VA_ARGS__; })
