#include "tests/engine/support/expect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace unroll {
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
    return error.what();
  }
  return "nothing was refused";
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

}  // namespace unroll
