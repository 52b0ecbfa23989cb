#include "engine/kernels/wide_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace unroll::kernels::wide {
namespace {

constexpr double half_pi = std::numbers::pi / 2, infinity = std::numeric_limits<double>::infinity();

// e^r − 1 for |r| ≤ ½ ln 2, by its series: r¹⁵ / 15! is below 10⁻¹⁹.
double expm1_near_zero(double r) {
  double sum = 0;
  for (int n = 14; n >= 1; --n) sum = r / n * (1 + sum);
  return sum;
}

// 2ⁿ e^r − 1 with n = round(turns), and without the − 1.
double scaled_expm1(double turns, double r) {
  const int n = static_cast<int>(turns);
  return std::ldexp(expm1_near_zero(r), n) + (std::ldexp(1.0, n) - 1);
}
double scaled_exp(double turns, double r) { return std::ldexp(1 + expm1_near_zero(r), static_cast<int>(turns)); }

// ln 2 in two parts, the high one of 33 bits, so that its products with exponents are exact (Cody & Waite 1980).
constexpr double ln2_high_part = 0x1.62e42feep-1, ln2_low_part = 0x1.a39ef35793c76p-33;

// Beyond these, results are infinite, 0 or −1 in single precision, and 2ⁿ is still a double.
double limited(double x) { return std::clamp(x, -700.0, 700.0); }

double exp(double x) {
  const double n = std::nearbyint(limited(x) / std::numbers::ln2);
  return std::isnan(x) ? x : scaled_exp(n, (limited(x) - n * ln2_high_part) - n * ln2_low_part);
}

// ln((1 + s) / (1 − s)) for |s| ≤ 0.172: 2 (s + s³/3 + s⁵/5 + …), s²³ / 23 is below 10⁻¹⁸.
double log_of_ratio(double s) {
  double sum = 0;
  for (int n = 21; n >= 1; n -= 2) sum = 1.0 / n + s * s * sum;
  return 2 * s * sum;
}

// x = 2ᵏ m with √½ ≤ m < √2: k and ln m.
struct Logarithm {
  double exponent, rest;
};
Logarithm log_parts(double x) {
  int k;
  double m = std::frexp(x, &k);
  if (m < std::numbers::sqrt2 / 2) m *= 2, --k;
  return {static_cast<double>(k), log_of_ratio((m - 1) / (m + 1))};
}

// f(k, ln m) of x > 0, and log's values elsewhere.
template <typename F>
double log_by(double x, F f) {
  if (x == 0) return -infinity;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(x)) return x;
  const Logarithm parts = log_parts(x);
  return f(parts.exponent, parts.rest);
}

// For |x| ≤ tan(π/8), by the series x − x³/3 + x⁵/5 − …: x⁴³ / 43 is below 10⁻¹⁷.
double atan_near_zero(double x) {
  double sum = 0;
  for (int n = 41; n >= 1; n -= 2) sum = 1.0 / n - x * x * sum;
  return x * sum;
}

double atan_of_positive(double x) {
  constexpr double tan_of_eighth = std::numbers::sqrt2 - 1;
  if (x > 1) return half_pi - atan_of_positive(1 / x);
  return x > tan_of_eighth ? half_pi / 2 + atan_near_zero((x - 1) / (x + 1)) : atan_near_zero(x);
}

}  // namespace

double log2(double x) {
  return log_by(x, [](double k, double rest) { return k + rest / std::numbers::ln2; });
}
double log10(double x) {
  return log_by(x, [](double k, double rest) { return (k * std::numbers::ln2 + rest) / std::numbers::ln10; });
}
double log1p(double x) {
  if (std::abs(x) < 0.25) return x == 0 ? x : log_of_ratio(x / (2 + x));
  return log_by(1 + x, [](double k, double rest) { return k * std::numbers::ln2 + rest; });
}

double exp2(double x) {
  const double n = std::nearbyint(limited(x));
  return std::isnan(x) ? x : scaled_exp(n, (limited(x) - n) * std::numbers::ln2);
}
double expm1(double x) {
  if (x == 0 || std::isnan(x)) return x;
  const double n = std::nearbyint(limited(x) / std::numbers::ln2);
  return scaled_expm1(n, (limited(x) - n * ln2_high_part) - n * ln2_low_part);
}

double atan(double x) { return std::isnan(x) ? x : std::copysign(atan_of_positive(std::abs(x)), x); }
double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const double up = std::abs(y), across = std::abs(x);
  const double slope = up == across && up != 0 ? 1 : across == 0 ? (up == 0 ? 0 : infinity) : up / across;
  const double angle = atan_of_positive(slope);
  return std::copysign(std::signbit(x) ? std::numbers::pi - angle : angle, y);
}
double asin(double x) {
  return std::abs(x) > 1 ? std::numeric_limits<double>::quiet_NaN() : atan2(x, std::sqrt((1 - x) * (1 + x)));
}
double acos(double x) {
  return std::abs(x) > 1 ? std::numeric_limits<double>::quiet_NaN() : atan2(std::sqrt((1 - x) * (1 + x)), x);
}

double sinh(double x) {
  const double grown = expm1(std::abs(x));  // e^|x| − 1
  return std::copysign((grown + grown / (grown + 1)) / 2, x);
}
double cosh(double x) {
  const double grown = exp(std::abs(x));
  return (grown + 1 / grown) / 2;
}

}  // namespace unroll::kernels::wide
