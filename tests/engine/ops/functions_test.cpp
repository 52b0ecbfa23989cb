// Functions that models use rarely, products, and the order of values, with the numbers of PyTorch 1.13.
#include "tests/engine/support/test.h"

namespace {

constexpr Scalar not_a_number = std::numeric_limits<Scalar>::quiet_NaN();
const Tensor x({5}, {-2, -0.5, 0, 0.5, 2}), unit({5}, {-1, -0.5, 0, 0.5, 1}), positive({4}, {0.125, 1, 8, 1000});

std::vector<Scalar> list(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

}  // namespace

TEST_CASE("functions that models use rarely") {
  expect(log2(positive), {4}, {-3, 0, 3, 9.96578407});
  expect(log10(positive), {4}, {-0.90309, 0, 0.90309, 3});
  expect(log1p(positive), {4}, {0.117783032, 0.693147182, 2.19722462, 6.90875483});
  expect(exp2(x), {5}, {0.25, 0.707106769, 1, 1.41421354, 4});
  expect(expm1(x), {5}, {-0.864664733, -0.393469334, 0, 0.648721278, 6.38905621});
  expect(tan(x), {5}, {2.18503976, -0.546302497, 0, 0.546302497, -2.18503976});
  expect(atan(x), {5}, {-1.10714877, -0.463647604, 0, 0.463647604, 1.10714877});
  expect(asin(unit), {5}, {-1.57079637, -0.52359879, 0, 0.52359879, 1.57079637});
  expect(acos(unit), {5}, {3.14159274, 2.09439516, 1.57079637, 1.04719758, 0});
  expect(sinh(x), {5}, {-3.62686038, -0.521095276, 0, 0.521095276, 3.62686038});
  expect(cosh(x), {5}, {3.76219583, 1.12762594, 1, 1.12762594, 3.76219583});
  expect(atan2(Tensor({7}, {1, 1, -1, -1, 0, 0, 2}), Tensor({7}, {1, -1, 1, -1, -3, 0, 0})), {7},
         {0.785398185, 2.3561945, -0.785398185, -2.3561945, 3.14159274, 0, 1.57079637});
}

TEST_CASE("log1p and expm1 keep small values, log2 and log10 are exact at powers") {
  const Tensor small({3}, {1e-10, -1e-8, 1e-5});
  for (Tensor (*const each)(Operand) : {unroll::log1p, unroll::expm1})
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(each(small).data()[i] / small.data()[i] - 1) < 1e-5);
  CHECK(list(log2(Tensor({4}, {0.125, 1, 8, 1024}))) == std::vector<Scalar>{-3, 0, 3, 10});
  CHECK(list(log10(Tensor({4}, {0.001f, 1, 1000, 1e6}))) == std::vector<Scalar>{-3, 0, 3, 6});
  CHECK(list(exp2(Tensor({3}, {-3, 0, 10}))) == std::vector<Scalar>{0.125, 1, 1024});
  CHECK(std::isnan(unroll::log2(-1).item()));
  CHECK(std::isnan(unroll::asin(1.5).item()));
  CHECK(std::isinf(unroll::sinh(100).item()));
  CHECK(unroll::log1p(-1).item() == -infinity);
  CHECK(unroll::expm1(-infinity).item() == -1);
}

TEST_CASE("rounding: halves go to the even number; sign of NaN is 0") {
  const Tensor halves({8}, {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, -1.20000005, 1.70000005});
  expect(floor(halves), {8}, {-3, -2, -1, 0, 1, 2, -2, 1});
  expect(ceil(halves), {8}, {-2, -1, -0, 1, 2, 3, -1, 2});
  expect(trunc(halves), {8}, {-2, -1, -0, 0, 1, 2, -1, 1});
  expect(round(halves), {8}, {-2, -2, -0, 0, 2, 2, -1, 2});
  expect(sign(halves), {8}, {-1, -1, -1, 1, 1, 1, -1, 1});
  CHECK(sign(not_a_number).item() == 0);
  CHECK(sign(0).item() == 0);
  CHECK(std::isnan(unroll::round(not_a_number).item()));
}

TEST_CASE("products along an axis, and their gradients beside zeros") {
  const Tensor values({2, 3}, {2, 3, 0, 4, -1, 5});
  expect(prod(values, 1), {2}, {0, -20});
  expect(prod(values, 0, true), {1, 3}, {8, -3, 0});
  expect(cumprod(values, 1), {2, 3}, {2, 6, 0, 4, -4, -20});
  expect(cumprod(values, 0), {2, 3}, {2, 3, 0, 8, -3, 0});
  expect(cumsum(values, 1, true), {2, 3}, {5, 3, 0, 8, 4, 5});
  const auto gradient_of = [&](const auto& f) {
    LiveTape tape(Tape::Detail::trace);
    const Tensor each = input("x", values);
    backward(sum(f(each)));
    return gradient(each);
  };
  const Tensor weight({2, 3}, {1, 2, 3, 4, 5, 6});
  expect(gradient_of([](const Tensor& x) { return prod(x, 1); }), {2, 3}, {0, 0, 6, -5, 20, -4});
  expect(gradient_of([&](const Tensor& x) { return cumprod(x, 1) * weight; }), {2, 3}, {7, 4, 18, -31, 140, -24});
  expect(gradient_of([&](const Tensor& x) { return cumprod(x, 0) * weight; }), {2, 3}, {17, -3, 33, 8, 15, 0});
  expect(prod(Tensor({2, 0}), 1), {2}, {1, 1});
}

TEST_CASE("the order of values: equal ones keep theirs, NaN is the largest") {
  const Tensor values({2, 4}, {1, not_a_number, 3, not_a_number, 5, 2, 5, 1});
  expect(argmax(values), {2}, {1, 0});
  expect(argmax(values, 0), {4}, {1, 0, 1, 0});
  expect(argsort(values), {2, 4}, {0, 2, 1, 3, 3, 1, 0, 2});
  expect(argsort(values, -1, true), {2, 4}, {1, 3, 2, 0, 0, 2, 1, 3});
  expect(argsort(values, 0), {2, 4}, {0, 1, 0, 1, 1, 0, 1, 0});
}
