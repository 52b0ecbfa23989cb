#include "engine/kernels/functions.h"

#include <bit>

#include "engine/kernels/lanes.h"
#include "engine/tensor/hash.h"
#include "tests/engine/support/test.h"

namespace {

struct Function {
  std::string name;
  void (*array)(const Scalar*, Scalar*, std::size_t);
  Scalar (*single)(Scalar);
  long double (*truth)(long double);
  float low, high;     // the range with an error of at most 2 ULP
  std::uint64_t hash;  // of the outputs of fixed_sweep
};

long double sigmoid_truth(long double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

constexpr float largest = std::numeric_limits<float>::max();

const Function functions[] = {
    {"exp", kernels::exp, kernels::exp, [](long double x) { return std::exp(x); }, -86.9f, 88.72283f,
     0xcb2ad512471d869d},
    {"log", kernels::log, kernels::log, [](long double x) { return std::log(x); }, 1e-45f, largest, 0xa6fd01889d30d96e},
    {"tanh", kernels::tanh, kernels::tanh, [](long double x) { return std::tanh(x); }, -largest, largest,
     0x2cf242622784b0e7},
    {"sigmoid", kernels::sigmoid, kernels::sigmoid, sigmoid_truth, -86.9f, largest, 0x627ba07180712d70},
    {"erf", kernels::erf, kernels::erf, [](long double x) { return std::erf(x); }, -largest, largest,
     0x8fd5fb66b023866f},
    {"sin", kernels::sin, kernels::sin, [](long double x) { return std::sin(x); }, -0x1p30f, 0x1p30f,
     0xa89cdede7418538},
    {"cos", kernels::cos, kernels::cos, [](long double x) { return std::cos(x); }, -0x1p30f, 0x1p30f,
     0x8cbbf89d598015be},
    {"sqrt", kernels::sqrt, kernels::sqrt, [](long double x) { return std::sqrt(x); }, 0.0f, largest,
     0x186d2f83d581e198},
};

const Function& function(const std::string& name) {
  return *std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
}

std::vector<Scalar> values(const Function& f, const std::vector<Scalar>& x) {
  std::vector<Scalar> y(x.size());
  f.array(x.data(), y.data(), x.size());
  return y;
}

#ifndef UNROLL_DOUBLE

// Every stride-th float bit pattern in [low, high], and both ends.
std::vector<Scalar> sweep(float low, float high, std::uint32_t stride) {
  std::vector<Scalar> x{low, high};
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += stride) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (value >= low && value <= high) x.push_back(value);
  }
  return x;
}

// The distance between neighbouring floats at |x|.
long double ulp(long double x) { return std::ldexp(1.0L, std::max(x == 0 ? -149 : std::ilogb(x) - 23, -149)); }

TEST_CASE("every function is within 2 ULP of the exact value over its whole range") {
  for (const Function& f : functions) {
    const std::vector<Scalar> x = sweep(f.low, f.high, 997);
    const std::vector<Scalar> y = values(f, x);
    REQUIRE(x.size() > 1'000'000);
    long double worst = 0;
    Scalar at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double truth = f.truth(x[i]), error = std::abs(y[i] - truth) / ulp(truth);
      if (!(error <= worst)) worst = error, at = x[i];
    }
    INFO(f.name, " at ", at);
    CHECK(worst <= 2.0L);
  }
}

TEST_CASE("the bits are the same on every machine and in WebAssembly") {
  for (const Function& f : functions)
    CHECK_MESSAGE(hash_of(bytes_of(values(f, sweep(f.low, f.high, 4099)))) == f.hash, f.name);
}

TEST_CASE("exp is 0 below the smallest normal number, and infinite above the largest float") {
  for (const Scalar x : sweep(-infinity, -87.0f, 4099)) CHECK(kernels::exp(x) == 0.0f);
  CHECK(kernels::exp(88.72284f) == infinity);
  for (const Scalar x : sweep(89.0f, infinity, 4099)) CHECK(kernels::exp(x) == infinity);
}

TEST_CASE("exp gives the same bits beside a value that must be clamped as beside others") {
  constexpr std::size_t n = 140;  // more than a block of the loop
  const std::vector<Scalar> x = sweep(-87.5f, 87.5f, 4099);
  for (const Scalar beside : {infinity, -1000.0f, 1.0f})
    for (std::size_t i = 0; i + n < x.size(); i += n) {
      std::vector<Scalar> block(x.begin() + static_cast<std::ptrdiff_t>(i),
                                x.begin() + static_cast<std::ptrdiff_t>(i + n));
      block[i / n % n] = beside;
      std::vector<Scalar> y(n);
      kernels::exp(block.data(), y.data(), n);
      for (std::size_t k = 0; k < n; ++k) CHECK(y[k] == kernels::exp(block[k]));
    }
}

#endif

TEST_CASE("a value has the same bits anywhere in an array, alone, and in place") {
  for (const Function& f : functions) {
    CAPTURE(f.name);
    const std::vector<Scalar> x{f.low, f.high, 0.1f, 0.5f, 0.7f, 1.0f, 1.5f, 2.0f, 3.0f, 4.5f, 7.0f};
    const std::vector<Scalar> whole = values(f, x);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(f.single(x[i]) == whole[i]);
    for (std::size_t begin = 0; begin < x.size(); ++begin) {
      std::vector<Scalar> part(x.begin() + static_cast<std::ptrdiff_t>(begin), x.end());
      f.array(part.data(), part.data(), part.size());
      CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin)));
    }
  }
}

TEST_CASE("an array function writes n values and no more") {
  for (const Function& f : functions) {
    for (std::size_t n = 0; n < 9; ++n) {
      const std::vector<Scalar> x(9, 1.0f);
      std::vector<Scalar> y(9, -7.0f);
      f.array(x.data(), y.data(), n);
      CHECK(std::count(y.begin(), y.end(), Scalar{-7}) == static_cast<std::ptrdiff_t>(9 - n));
      CHECK(std::all_of(y.begin() + static_cast<std::ptrdiff_t>(n), y.end(), [](Scalar v) { return v == -7; }));
    }
  }
}

TEST_CASE("NaN stays NaN, and outside the domain the result is NaN") {
  for (const Function& f : functions) {
    CAPTURE(f.name);
    CHECK(std::isnan(f.single(std::numeric_limits<Scalar>::quiet_NaN())));
    CHECK(std::isnan(f.single(-std::numeric_limits<Scalar>::quiet_NaN())));
  }
  CHECK(std::isnan(kernels::log(-1.0f)));
  CHECK(std::isnan(kernels::log(-infinity)));
  CHECK(std::isnan(kernels::sqrt(-1.0f)));
  CHECK(std::isnan(kernels::sin(infinity)));
  CHECK(std::isnan(kernels::cos(-infinity)));
}

TEST_CASE("values at the edges") {
  struct Edge {
    std::string name;
    float x, y;
  };
  const Edge edges[] = {
      {"exp", 0.0f, 1.0f},          {"exp", -0.0f, 1.0f},     {"exp", -infinity, 0.0f},     {"exp", infinity, infinity},
      {"log", 1.0f, 0.0f},          {"log", 0.0f, -infinity}, {"log", -0.0f, -infinity},    {"log", infinity, infinity},
      {"tanh", 0.0f, 0.0f},         {"tanh", -0.0f, -0.0f},   {"tanh", infinity, 1.0f},     {"tanh", -infinity, -1.0f},
      {"tanh", 20.0f, 1.0f},        {"sigmoid", 0.0f, 0.5f},  {"sigmoid", -0.0f, 0.5f},     {"sigmoid", infinity, 1.0f},
      {"sigmoid", -infinity, 0.0f}, {"erf", 0.0f, 0.0f},      {"erf", -0.0f, -0.0f},        {"erf", infinity, 1.0f},
      {"erf", -infinity, -1.0f},    {"sin", 0.0f, 0.0f},      {"sin", -0.0f, -0.0f},        {"cos", 0.0f, 1.0f},
      {"sqrt", -0.0f, -0.0f},       {"sqrt", 9.0f, 3.0f},     {"sqrt", infinity, infinity},
  };
  for (const Edge& edge : edges) {
    INFO(edge.name, " of ", edge.x);
    const Scalar y = function(edge.name).single(edge.x);
    CHECK(y == edge.y);
    CHECK(std::signbit(y) == std::signbit(edge.y));
  }
}

TEST_CASE("lanes: load, store, splat, select, clamp_max and clamp_min act lane by lane") {
  const Scalar a[] = {9, 1, 2, 3, 4}, limit = 2;
  Scalar b[4];
  const Lanes v = load(a + 1);
  store(b, select(v > limit, v, splat(-1)));
  CHECK(std::vector<Scalar>(b, b + 4) == std::vector<Scalar>{-1, -1, 3, 4});
  store(b, clamp_max(v, limit));
  CHECK(std::vector<Scalar>(b, b + 4) == std::vector<Scalar>{1, 2, 2, 2});
  store(b, clamp_min(v, limit));
  CHECK(std::vector<Scalar>(b, b + 4) == std::vector<Scalar>{2, 2, 3, 4});
}

}  // namespace
