#include "engine/program/real_functions.h"

#include <cmath>
#include <limits>

namespace unroll::program::doubles {
namespace {

// The sum of two doubles, of which the second is below the last bit of the first: 106 bits (Dekker, "A floating-point
// technique for extending the available precision", 1971). It needs only sums, products, quotients and roots, which
// IEEE 754 rounds in one way.
struct Twofold {
  double high = 0, low = 0;
};

Twofold exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
// For |a| ≥ |b|.
Twofold quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
Twofold exact_product(double a, double b) {
  constexpr double splitter = 134217729;  // 2²⁷ + 1
  const double product = a * b, a_high = a * splitter - (a * splitter - a), b_high = b * splitter - (b * splitter - b),
               a_low = a - a_high, b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

Twofold operator+(const Twofold& a, const Twofold& b) {
  Twofold sum = exact_sum(a.high, b.high), rest = exact_sum(a.low, b.low);
  sum = quick_sum(sum.high, sum.low + rest.high);
  return quick_sum(sum.high, sum.low + rest.low);
}
Twofold operator-(const Twofold& a) { return {-a.high, -a.low}; }
Twofold operator-(const Twofold& a, const Twofold& b) { return a + -b; }
Twofold operator*(const Twofold& a, const Twofold& b) {
  const Twofold product = exact_product(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
Twofold operator*(const Twofold& a, double b) { return a * Twofold{b}; }
Twofold operator/(const Twofold& a, const Twofold& b) {
  const double first = a.high / b.high;
  Twofold rest = a - b * first;
  const double second = rest.high / b.high;
  rest = rest - b * second;
  const Twofold sum = quick_sum(first, second);
  return sum + Twofold{rest.high / b.high};
}
Twofold root(const Twofold& a) {
  if (a.high <= 0) return {};
  const double first = std::sqrt(a.high);
  return quick_sum(first, (a - exact_product(first, first)).high / (2 * first));
}
Twofold halved(const Twofold& a) { return {a.high / 2, a.low / 2}; }
double rounded(const Twofold& a) { return a.high + a.low; }

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr Twofold ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}, ln10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53},
    two_by_root_pi{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56}, half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// Σ xⁿ / n! from n = 1, for small x.
Twofold series_of_exp(const Twofold& x, int terms) {
  Twofold sum{};
  for (int n = terms; n >= 1; --n) sum = (sum + Twofold{1}) * x / Twofold{static_cast<double>(n)};
  return sum;
}

// 2^k · result is e^x, for |x| up to 800.
Twofold exp_of(const Twofold& x, int& k) {
  k = static_cast<int>(std::floor(x.high / ln2.high + 0.5));
  constexpr int halvings = 8;
  Twofold rest = x - ln2 * k;
  for (int i = 0; i < halvings; ++i) rest = halved(rest);
  Twofold power = series_of_exp(rest, 12);  // e^rest − 1: (1 + p)² − 1 = 2p + p²
  for (int i = 0; i < halvings; ++i) power = power * 2 + power * power;
  return power + Twofold{1};
}

double scaled_exp(const Twofold& x) {
  if (std::isnan(x.high)) return x.high;
  if (x.high > 800) return infinite;
  if (x.high < -800) return 0;
  int k = 0;
  const Twofold power = exp_of(x, k);
  return std::ldexp(rounded(power), k);
}

// log of a number from √½ to √2: 2 Σ sⁿ / n for odd n, with s = (x − 1) / (x + 1).
Twofold log_near_1(const Twofold& x) {
  const Twofold s = (x - Twofold{1}) / (x + Twofold{1}), square = s * s;
  Twofold sum{};
  for (int n = 45; n >= 3; n -= 2) sum = (sum + Twofold{1} / Twofold{static_cast<double>(n)}) * square;
  return (sum + Twofold{1}) * s * 2;
}

// log x = log mantissa + exponent · log 2.
Twofold log_of(const Twofold& x, int& exponent) {
  double high = std::frexp(x.high, &exponent);
  constexpr double root_half = 0.70710678118654752;
  if (high < root_half) high *= 2, --exponent;
  return log_near_1({high, std::ldexp(x.low, -exponent)});
}
Twofold log_of(const Twofold& x) {
  int exponent = 0;
  const Twofold mantissa = log_of(x, exponent);
  return mantissa + ln2 * exponent;
}

// What a logarithm is of numbers that have none.
bool has_no_log(double x, double& result) {
  result = std::isnan(x) || x < 0 ? undefined : x == 0 ? -infinite : infinite;
  return !(x > 0 && x < infinite);
}

// sin and cos for |x| ≤ π/4: Σ ± xⁿ / n! for odd or even n.
Twofold series_of_angle(const Twofold& x, int from) {
  const Twofold square = x * x;
  Twofold sum{};
  for (int n = from + 26; n > from; n -= 2)
    sum = (Twofold{1} - sum) * square / Twofold{static_cast<double>(n) * static_cast<double>(n - 1)};
  const Twofold factor = Twofold{1} - sum;
  return from == 1 ? factor * x : factor;
}

// x without multiples of π/2, of which the number is counted. π/2 has 212 bits here, so that their products are exact.
Twofold reduced_angle(double x, int& quarter) {
  constexpr double parts[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110,
                              0x1.4cf98e804177dp-164};
  const double times = std::floor(x / parts[0] + 0.5);
  Twofold rest{x};
  for (const double part : parts) rest = rest - exact_product(times, part);
  quarter = static_cast<int>(std::fmod(times, 4));
  if (quarter < 0) quarter += 4;
  return rest;
}

Twofold sine_of(const Twofold& rest, int quarter) {
  const Twofold size = series_of_angle(rest, quarter % 2 == 0 ? 1 : 0);
  return quarter >= 2 ? -size : size;
}

// For x from 0 on. atan x = 2 atan(x / (1 + √(1 + x²))), until x is small.
Twofold atan_of(Twofold x) {
  if (x.high > 1) return half_pi - atan_of(Twofold{1} / x);
  constexpr int halvings = 3;
  for (int i = 0; i < halvings; ++i) x = x / (Twofold{1} + root(Twofold{1} + x * x));
  const Twofold square = x * x;
  Twofold sum{};
  for (int n = 41; n >= 3; n -= 2) sum = (Twofold{1} / Twofold{static_cast<double>(n)} - sum) * square;
  Twofold result = (Twofold{1} - sum) * x;
  for (int i = 0; i < halvings; ++i) result = result * 2;
  return result;
}

Twofold signed_atan(const Twofold& x) { return x.high < 0 ? -atan_of(-x) : atan_of(x); }

// Σ xⁿ / n! for odd n.
Twofold series_of_sinh(const Twofold& x) {
  const Twofold square = x * x;
  Twofold sum{};
  for (int n = 25; n > 1; n -= 2)
    sum = (Twofold{1} + sum) * square / Twofold{static_cast<double>(n) * static_cast<double>(n - 1)};
  return (Twofold{1} + sum) * x;
}

// (e^x ± e^−x) / 2, for |x| up to 40.
Twofold hyperbolic(double x, bool is_sine) {
  if (is_sine && std::abs(x) < 0.5) return series_of_sinh({x});
  int k = 0;
  Twofold power = exp_of({x}, k);
  power = {std::ldexp(power.high, k), std::ldexp(power.low, k)};
  const Twofold inverse = Twofold{1} / power;
  return halved(is_sine ? power - inverse : power + inverse);
}

Twofold power_of_e(const Twofold& x) {
  int k = 0;
  const Twofold power = exp_of(x, k);
  return {std::ldexp(power.high, k), std::ldexp(power.low, k)};
}

// For x from 0 to 6: 2/√π e^−x² Σ 2ⁿ x^(2n+1) / (1 · 3 · … · (2n + 1)).
Twofold erf_of(double x) {
  const Twofold square = exact_product(x, x);
  Twofold term{x}, sum{x};
  for (int n = 1; n < 400 && term.high > sum.high * 0x1p-110; ++n) {
    term = term * square * 2 / Twofold{2.0 * n + 1};
    sum = sum + term;
  }
  return two_by_root_pi * power_of_e(-square) * sum;
}

// For x from 4 on: e^−x² / √π / (x + ½ / (x + 1 / (x + 3⁄2 / (x + …)))).
Twofold erfc_of(double x) {
  Twofold fraction{x};
  for (int n = 240; n >= 1; --n) fraction = Twofold{x} + Twofold{n / 2.0} / fraction;
  return halved(two_by_root_pi) * power_of_e(-exact_product(x, x)) / fraction;
}

}  // namespace

double exp(double x) { return scaled_exp({x}); }

double expm1(double x) {
  if (std::abs(x) < 0.3) return x == 0 ? x : rounded(series_of_exp({x}, 24));
  if (!(std::abs(x) < 60)) return exp(x) - 1;
  return rounded(power_of_e({x}) - Twofold{1});
}

double log(double x) {
  double result = 0;
  return has_no_log(x, result) ? result : rounded(log_of({x}));
}

double log1p(double x) {
  double result = 0;
  if (std::abs(x) < 0x1p-60 || has_no_log(x + 1, result)) return std::abs(x) < 0x1p-60 ? x : result;
  return rounded(log_of(exact_sum(1, x)));
}

double log2(double x) {
  double result = 0;
  if (has_no_log(x, result)) return result;
  int exponent = 0;
  const Twofold mantissa = log_of({x}, exponent);
  return rounded(mantissa / ln2 + Twofold{static_cast<double>(exponent)});
}

double log10(double x) {
  double result = 0;
  return has_no_log(x, result) ? result : rounded(log_of({x}) / ln10);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return undefined;
  const bool is_odd = std::abs(std::fmod(y, 2)) == 1;
  if (std::isinf(y)) return std::abs(x) == 1 ? 1 : (std::abs(x) > 1) == (y > 0) ? infinite : 0;
  if (x == 0 || std::isinf(x)) {
    const double size = (x == 0) == (y > 0) ? 0 : infinite;
    return is_odd ? std::copysign(size, x) : size;
  }
  if (x < 0) return y == std::floor(y) ? (is_odd ? -1 : 1) * pow(-x, y) : undefined;
  if (y == 0.5) return std::sqrt(x);
  // Small whole powers may lie exactly between two doubles, which only exact products tell.
  if (y == std::floor(y) && y > 0 && y <= 4 && x < 1e60 && x > 1e-60) {
    Twofold product{x};
    for (int i = 1; i < y; ++i) product = product * x;
    return rounded(product);
  }
  return scaled_exp(log_of({x}) * y);
}

double sin(double x) {
  int quarter = 0;
  if (x == 0 || std::isnan(x)) return x;
  if (std::isinf(x)) return undefined;
  const Twofold rest = reduced_angle(x, quarter);
  return rounded(sine_of(rest, quarter));
}

double cos(double x) {
  int quarter = 0;
  if (!std::isfinite(x)) return undefined;
  const Twofold rest = reduced_angle(x, quarter);
  return rounded(sine_of(rest, (quarter + 1) % 4));
}

double tan(double x) {
  int quarter = 0;
  if (x == 0) return x;
  if (!std::isfinite(x)) return undefined;
  const Twofold rest = reduced_angle(x, quarter);
  return rounded(sine_of(rest, quarter) / sine_of(rest, (quarter + 1) % 4));
}

double atan(double x) {
  if (x == 0 || std::isnan(x)) return x;
  if (std::abs(x) < 0x1p-30) return x - x * x * x / 3;
  return std::isinf(x) ? std::copysign(half_pi.high, x) : rounded(signed_atan({x}));
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return undefined;
  const bool is_left = std::signbit(x);
  if (y == 0) return std::copysign(is_left ? 2 * half_pi.high : 0, y);
  if (x == 0 || (std::isinf(y) && !std::isinf(x))) return std::copysign(half_pi.high, y);
  if (std::isinf(y)) return std::copysign(rounded(is_left ? half_pi * 1.5 : half_pi * 0.5), y);
  if (std::isinf(x)) return std::copysign(is_left ? 2 * half_pi.high : 0, y);
  const Twofold angle = atan_of(Twofold{std::abs(y)} / Twofold{std::abs(x)});
  return std::copysign(rounded(is_left ? half_pi * 2 - angle : angle), y);
}

double asin(double x) {
  if (x == 0 || !(std::abs(x) <= 1)) return x == 0 ? x : undefined;
  if (std::abs(x) < 0x1p-30) return x + x * x * x / 6;
  if (std::abs(x) == 1) return std::copysign(half_pi.high, x);
  return rounded(signed_atan(Twofold{x} / root((Twofold{1} - Twofold{x}) * (Twofold{1} + Twofold{x}))));
}

double acos(double x) {
  if (!(std::abs(x) <= 1)) return undefined;
  if (x == -1) return 2 * half_pi.high;
  return rounded(atan_of(root(exact_sum(1, -x) / exact_sum(1, x))) * 2);
}

double sinh(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  if (std::abs(x) > 40) return std::copysign(scaled_exp(Twofold{std::abs(x)} - ln2), x);
  return rounded(hyperbolic(x, true));
}

double cosh(double x) {
  if (!std::isfinite(x)) return x * x;
  return std::abs(x) > 40 ? scaled_exp(Twofold{std::abs(x)} - ln2) : rounded(hyperbolic(x, false));
}

double tanh(double x) {
  if (x == 0 || std::isnan(x)) return x;
  return std::abs(x) > 40 ? std::copysign(1.0, x) : rounded(hyperbolic(x, true) / hyperbolic(x, false));
}

double erf(double x) {
  if (x == 0 || std::isnan(x)) return x;
  return std::copysign(std::abs(x) > 6 ? 1.0 : rounded(erf_of(std::abs(x))), x);
}

double erfc(double x) {
  if (std::isnan(x)) return x;
  if (x < 4) return x < -6 ? 2 : rounded(x < 0 ? Twofold{1} + erf_of(-x) : Twofold{1} - erf_of(x));
  return x > 27 ? 0 : rounded(erfc_of(x));
}

}  // namespace unroll::program::doubles
