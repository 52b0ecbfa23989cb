// The engine's own transcendental functions: the same bits natively and in WebAssembly, with an error of at most 2 ULP.
#pragma once

#include <cstddef>

#include "engine/tensor/scalar.h"

namespace unroll::kernels {

// Each array function sets y[i] = f(x[i]) for i in [0, n); x may equal y but not overlap it otherwise.
// The bits of a result do not depend on its position in the array; f(Scalar) gives the same bits.
// NaN stays NaN, with any payload. The double build, which only checks gradients, calls the standard library.

// eˣ: +inf above 88.72; 0 below −86.98 (no subnormal results: the smallest positive one is 1.6·10⁻³⁸); exp(−inf) = 0.
void exp(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar exp(Scalar x) { return exp(&x, &x, 1), x; }

// Natural logarithm, subnormals included: log(±0) = −inf, log(x < 0) = NaN, log(+inf) = +inf.
void log(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar log(Scalar x) { return log(&x, &x, 1), x; }

// Hyperbolic tangent; tanh(±inf) = ±1, tanh(−0) = −0.
void tanh(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar tanh(Scalar x) { return tanh(&x, &x, 1), x; }

// 1 / (1 + e⁻ˣ), accurate for both signs, 0 below −86.98: sigmoid(−inf) = 0, sigmoid(+inf) = 1.
void sigmoid(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar sigmoid(Scalar x) { return sigmoid(&x, &x, 1), x; }

// The error function 2/√π ∫₀ˣ e^(−t²) dt; erf(±inf) = ±1, erf(−0) = −0.
void erf(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar erf(Scalar x) { return erf(&x, &x, 1), x; }

// Sine of x in radians, |x| ≤ 2³⁰; NaN beyond.
void sin(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar sin(Scalar x) { return sin(&x, &x, 1), x; }

// Cosine of x in radians, |x| ≤ 2³⁰; NaN beyond.
void cos(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar cos(Scalar x) { return cos(&x, &x, 1), x; }

// Square root, correctly rounded; sqrt(x < 0) = NaN, sqrt(−0) = −0.
void sqrt(const Scalar* x, Scalar* y, std::size_t n);
inline Scalar sqrt(Scalar x) { return sqrt(&x, &x, 1), x; }

}  // namespace unroll::kernels
