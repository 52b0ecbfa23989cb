#include "tests/engine/support/expect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace unroll {
namespace {

// A pattern with its placeholders filled in.
std::string filled(const std::string& pattern, const std::vector<std::string>& arguments) {
  std::string text;
  std::size_t at = 0;
  for (const std::string& argument : arguments) {
    const std::size_t place = pattern.find('{', at);
    text += pattern.substr(at, place - at) + argument;
    at = pattern.find('}', place) + 1;
  }
  return text + pattern.substr(at);
}

}  // namespace

void expect(const Tensor& x, const Shape& shape, const std::vector<double>& values, double tolerance) {
  REQUIRE(text_of(x.shape()) == text_of(shape));
  REQUIRE(x.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double actual = static_cast<double>(x.data()[i]), wanted = values[i];
    INFO("value ", i, " is ", actual, ", wanted ", wanted);
    CHECK((actual == wanted || std::abs(actual - wanted) <= tolerance * std::max(1.0, std::abs(wanted))));
  }
}

std::string refusal(ErrorCode code, const std::function<void()>& job) {
  try {
    job();
  } catch (const Error& error) {
    CHECK(static_cast<int>(error.code) == static_cast<int>(code));
    CHECK(filled(error.message.pattern, error.message.arguments) == error.what());
    return error.what();
  }
  return "nothing was refused";
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

}  // namespace unroll
