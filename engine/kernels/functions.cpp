#include "engine/kernels/functions.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/lanes.h"
#include "engine/kernels/parallel.h"

namespace unroll::kernels {
namespace {

#ifdef UNROLL_DOUBLE

Scalar exp_lanes(Scalar x) { return std::exp(x); }
Scalar log_lanes(Scalar x) { return std::log(x); }
Scalar tanh_lanes(Scalar x) { return std::tanh(x); }
Scalar sigmoid_lanes(Scalar x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
Scalar erf_lanes(Scalar x) { return std::erf(x); }
Scalar sine_lanes(Scalar x, int turn) { return turn == 0 ? std::sin(x) : std::cos(x); }

std::size_t exp_of_blocks(const Scalar*, Scalar*, std::size_t) { return 0; }

template <class Widest = Scalar, class F>
void map(const Scalar* x, Scalar* y, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; ++i) y[i] = f(x[i]);
}

#else

// All polynomials are minimax fits computed for this file with Sollya 8: fpminimax for sin and cos; for the others
// remez, weighted by the relative error of the function, with coefficients then rounded to float. The errors stated are
// relative errors of the function with the rounded coefficients; half a ULP is at least 3·10⁻⁸.

// c[0] + c[1] x + … + c[n−1] xⁿ⁻¹ by Horner's rule.
template <class V, class T, std::size_t n>
V polynomial(V x, const T (&c)[n]) {
  V sum = x * c[n - 1] + c[n - 2];
  for (std::size_t i = n - 2; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

constexpr LaneInteger sign_bit = std::numeric_limits<LaneInteger>::min();

template <class V>
V magnitude(V x) {
  return lanes_of<V>(bits_of(x) & ~sign_bit);
}
template <class V>
V with_sign(V y, V x) {
  return lanes_of<V>((bits_of(y) & ~sign_bit) | (bits_of(x) & sign_bit));
}

// ln 2 in two parts: the high part has 16 bits, so that its product with an exponent is exact (Cody & Waite 1980).
constexpr float ln2_high = 0.693145751953125f;
constexpr float ln2_low = 1.42860677e-6f;

// x = n ln 2 + r with n an integer; power = 2ⁿ⁻ᵇ, 0 for n − b = −127.
template <class V>
struct Reduced {
  V r, power;
};

// n is the integer nearest to x / ln 2, −127 ≤ n − b ≤ 127, so |r| ≤ 0.347. Adding 1.5·2²³ rounds to an integer;
// adding 127 − b as well leaves the biased exponent of 2ⁿ⁻ᵇ in the low bits.
template <class V>
Reduced<V> reduce(V x, float b) {
  constexpr float log2_e = 1.44269504f;
  const float round = 12582912.0f + 127.0f - b;
  const V shifted = x * log2_e + round;
  const V n = shifted - round;
  return {(x - n * ln2_high) - n * ln2_low, lanes_of<V>(bits_of(shifted) << 23)};
}

// q in eʳ = 1 + 2q: q = r / (c − r) with c = r coth(r/2) = 2 + r² (1/6 − r²/360 …), error of eʳ 0.7·10⁻⁹. The division
// costs less than the three polynomial degrees that it saves.
template <class V>
V half_expm1(V r) {
  constexpr float c[] = {2.0f, 0.166666165f, -2.76592444e-3f};
  return r / (polynomial(r * r, c) - r);
}

// Computed as 2eʳ · 2ⁿ⁻¹, since 2¹²⁸ is not representable.
template <class V>
V exp_lanes(V x) {
  const Reduced<V> e = reduce(clamp_min(clamp_max(x, 89.0f), -87.3f), 1.0f);
  return (half_expm1(e.r) * 4.0f + 2.0f) * e.power;
}

// For |x| ≤ 86: the same bits with less work, as ½eʳ · 2ⁿ⁺¹.
template <class V>
V moderate_exp_lanes(V x) {
  const Reduced<V> e = reduce(x, -1.0f);
  return (half_expm1(e.r) + 0.5f) * e.power;
}

// eˣ − 1 = 2ⁿ q + (2ⁿ − 1), q = eʳ − 1 = r + r² p(r), error 2.3·10⁻⁹. −87 < x < 88.
template <class V>
V expm1_lanes(V x) {
  constexpr float c[] = {0.5f, 0.166666657f, 4.16663587e-2f, 8.33338965e-3f, 1.39408023e-3f, 1.98458933e-4f};
  const Reduced<V> e = reduce(x, 0.0f);
  const V q = e.r + e.r * e.r * polynomial(e.r, c);
  return e.power * q + (e.power - 1.0f);
}

// x = 2ᵏ m, √½ ≤ m < √2, f = m − 1; ln(1 + f) = f − f²/2 + f³ p(f), error 6.1·10⁻⁹.
// 0x3f3504f3 is √½; a subnormal is multiplied by 2²³ first.
template <class V>
V log_lanes(V x) {
  constexpr float c[] = {0.333333313f, -0.250008225f, 0.200012341f, -0.166232988f,
                         0.142015532f, -0.131605819f, 0.127633289f, -7.63565749e-2f};
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Integers<V> subnormal = x < std::numeric_limits<float>::min();
  const Integers<V> bits = bits_of(magnitude(select(subnormal, x * 8388608.0f, x)));
  const Integers<V> exponent = (bits - 0x3f3504f3) >> 23;
  const V k = __builtin_convertvector(exponent - (subnormal & 23), V);
  const V f = lanes_of<V>(bits - (exponent << 23)) - 1.0f;
  const V square = f * f;
  const V rest = square * f * polynomial(f, c) + k * ln2_low;
  const V y = k * ln2_high + (f - (square * 0.5f - rest));
  const V at_edge = select(x == 0.0f, splat<V>(-infinity), select(x < 0.0f, splat<V>(nan), x));
  return select((x > 0.0f) & (x < infinity), y, at_edge);
}

// tanh x = x + x³ p(x²) for |x| < 0.26, error 4.4·10⁻⁹; otherwise e / (e + 2) with e = e^2|x| − 1, 1 from 9.02 on.
template <class V>
V tanh_lanes(V x) {
  constexpr float c[] = {-0.333332151f, 0.133227304f, -5.12303747e-2f};
  const V a = clamp_max(magnitude(x), 9.1f), square = a * a;
  const V e = expm1_lanes(a * 2.0f);
  return with_sign(select(a < 0.26f, a + a * (square * polynomial(square, c)), e / (e + 2.0f)), x);
}

// With e = e^−|x|: 1 − e / (1 + e) for x ≥ 0, e − e · e / (1 + e) for x < 0, avoiding the rounding of 1 + e.
template <class V>
V sigmoid_lanes(V x) {
  const V e = exp_lanes(lanes_of<V>(bits_of(x) | sign_bit));
  const V one_or_e = select(x < 0.0f, e, splat<V>(1.0f));
  return one_or_e - one_or_e * (e / (e + 1.0f));
}

// erf x = 1 − e^−t with t = −ln(1 − erf |x|) = |x| (1 + p(|x|)), error 0.8·10⁻⁸; from 3.84 on it rounds to 1.
template <class V>
V erf_lanes(V x) {
  constexpr float c[] = {0.128379166f,   0.636619389f,    0.102777831f,   -1.91530641e-2f, -1.60395619e-4f,
                         1.66702701e-3f, -6.32836600e-4f, 1.17641212e-4f, -9.25625864e-6f};
  const V a = clamp_max(magnitude(x), 3.92f);
  return with_sign(expm1_lanes(-(a + a * polynomial(a, c))), x);
}

typedef double DoubleLanes __attribute__((vector_size(lane_count * sizeof(double))));
typedef std::int64_t LongLanes __attribute__((vector_size(lane_count * sizeof(double))));

// sin(x + turn π/2), in double: x = k π/2 + r with |r| ≤ π/4; π/2 in three parts, the first two of 22 bits, so that
// their products with |k| < 2³⁰ are exact. sin r = r (1 + r² S(r²)), cos r = 1 − r²/2 + r⁴ C(r²), errors below 6·10⁻¹².
Lanes sine_lanes(Lanes x, std::int64_t turn) {
  constexpr double S[] = {-0.16666666641371500, 8.3333293557939260e-3, -1.9839325023861151e-4, 2.7182169380033842e-6};
  constexpr double C[] = {4.1666666622380784e-2, -1.3888883714190646e-3, 2.4799509508059486e-5, -2.7209359185814713e-7};
  constexpr double two_over_pi = 0.63661977236758134, round = 6755399441055744.0;
  const DoubleLanes wide = __builtin_convertvector(x, DoubleLanes);
  const DoubleLanes shifted = wide * two_over_pi + round;
  const DoubleLanes k = shifted - round;
  const DoubleLanes r = ((wide - k * 0x1.921fbp0) - k * 0x1.5110bp-22) - k * 0x1.18469898cc517p-44;
  const DoubleLanes z = r * r;
  const DoubleLanes sine = r * (1.0 + z * polynomial(z, S));
  const DoubleLanes cosine = (1.0 - 0.5 * z) + z * z * polynomial(z, C);
  const LongLanes quadrant = (LongLanes)shifted + turn;
  const DoubleLanes y = (quadrant & 1) != 0 ? cosine : sine;
  const Lanes signed_y = __builtin_convertvector((quadrant & 2) != 0 ? -y : y, Lanes);
  return select(magnitude(x) <= 1073741824.0f, signed_y, splat(std::numeric_limits<float>::quiet_NaN()));
}

// y = f(x) for whole vectors.
template <class V, class F>
[[gnu::noinline]] void map_whole(const Scalar* x, Scalar* y, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; i += width<V>) store(y + i, f(load<V>(x + i)));
}

// The widest vectors first, then vectors of four lanes, then the remainder in one padded with zeros.
template <class Widest, class F>
void map_here(const Scalar* x, Scalar* y, std::size_t n, F f) {
  const std::size_t rest = n % lane_count, whole = n - rest, wide = n - n % width<Widest>;
  map_whole<Widest>(x, y, wide, f);
  if (wide < whole) map_whole<Lanes>(x + wide, y + wide, whole - wide, f);
  if (rest == 0) return;
  Scalar last[lane_count] = {};
  std::memcpy(last, x + whole, rest * sizeof(Scalar));
  map_whole<Lanes>(last, last, lane_count, f);
  std::memcpy(y + whole, last, rest * sizeof(Scalar));
}

template <class Widest = WideLanes, class F>
void map(const Scalar* x, Scalar* y, std::size_t n, F f) {
  for_ranges(n, costly,
             [&](std::size_t first, std::size_t last) { map_here<Widest>(x + first, y + first, last - first, f); });
}

constexpr std::size_t exp_vectors = 8, exp_block = exp_vectors * wide_count;

// Whether all |x| ≤ 86: non-negative floats are ordered like their bit patterns.
bool all_moderate(const WideLanes (&x)[exp_vectors]) {
  constexpr LaneInteger bits_of_86 = 0x42ac0000;
  Integers<WideLanes> negative_if_over{};
  for (const WideLanes& each : x) negative_if_over |= bits_of_86 - bits_of(magnitude(each));
  bool all = true;
  for (int lane = 0; lane < wide_count; ++lane) all &= negative_if_over[lane] >= 0;
  return all;
}

// Tests each block once for values that need clamping: the test costs less than clamping.
[[gnu::noinline]] void exp_blocks(const Scalar* x, Scalar* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += exp_block) {
    WideLanes v[exp_vectors];
    for (std::size_t b = 0; b < exp_vectors; ++b) v[b] = load<WideLanes>(x + i + b * wide_count);
    if (all_moderate(v))
      for (std::size_t b = 0; b < exp_vectors; ++b) store(y + i + b * wide_count, moderate_exp_lanes(v[b]));
    else
      for (std::size_t b = 0; b < exp_vectors; ++b) store(y + i + b * wide_count, exp_lanes(v[b]));
  }
}

// eˣ of the whole blocks at the beginning; returns how many values these have.
std::size_t exp_of_blocks(const Scalar* x, Scalar* y, std::size_t n) {
  const std::size_t blocks = n / exp_block;
  for_ranges(blocks, costly / exp_block, [&](std::size_t first, std::size_t last) {
    exp_blocks(x + first * exp_block, y + first * exp_block, (last - first) * exp_block);
  });
  return blocks * exp_block;
}

#endif

}  // namespace

void exp(const Scalar* x, Scalar* y, std::size_t n) {
  const std::size_t done = exp_of_blocks(x, y, n);
  map(x + done, y + done, n - done, [](auto v) { return exp_lanes(v); });
}
void log(const Scalar* x, Scalar* y, std::size_t n) {
  map(x, y, n, [](auto v) { return log_lanes(v); });
}
void tanh(const Scalar* x, Scalar* y, std::size_t n) {
  map(x, y, n, [](auto v) { return tanh_lanes(v); });
}
void sigmoid(const Scalar* x, Scalar* y, std::size_t n) {
  map(x, y, n, [](auto v) { return sigmoid_lanes(v); });
}
void erf(const Scalar* x, Scalar* y, std::size_t n) {
  map(x, y, n, [](auto v) { return erf_lanes(v); });
}
void sin(const Scalar* x, Scalar* y, std::size_t n) {
  map<Lanes>(x, y, n, [](auto v) { return sine_lanes(v, 0); });
}
void cos(const Scalar* x, Scalar* y, std::size_t n) {
  map<Lanes>(x, y, n, [](auto v) { return sine_lanes(v, 1); });
}

// IEEE 754 requires a correctly rounded square root, so std::sqrt gives the same bits everywhere.
void sqrt(const Scalar* x, Scalar* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}

}  // namespace unroll::kernels
