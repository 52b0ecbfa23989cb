#include "engine/autograd/finite_difference.h"

#include "tests/engine/support/test.h"

namespace {

// In single precision, like a loss of the engine.
double rounded(double x) { return static_cast<double>(static_cast<float>(x)); }

}  // namespace

TEST_CASE("polynomials to the fourth degree are exact") {
  const auto f = [](double x) { return x * x * x * x - 3 * x * x + 2 * x; };
  CHECK(four_point_difference(f, 2, 0.5) == doctest::Approx(4 * 8 - 6 * 2 + 2).epsilon(1e-12));
}

TEST_CASE("the slope of a function in single precision") {
  for (const double x : {-3.0, -0.5, 0.0, 0.7, 4.0}) {
    CAPTURE(x);
    CHECK(finite_difference([](double x) { return rounded(std::exp(x)); }, x) ==
          doctest::Approx(std::exp(x)).epsilon(1e-4));
    CHECK(finite_difference([](double x) { return rounded(1000 + x); }, x) == doctest::Approx(1).epsilon(0.01));
  }
}

TEST_CASE("the step shrinks where the function curves or its domain ends") {
  CHECK(finite_difference([](double x) { return rounded(std::sin(100 * x)); }, 0) ==
        doctest::Approx(100).epsilon(1e-3));
  CHECK(finite_difference([](double x) { return rounded(std::log(x)); }, 0.01) == doctest::Approx(100).epsilon(1e-3));
}
