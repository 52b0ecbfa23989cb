// Products with a row or two, on one thread: b is streamed once, straight from memory.
#pragma once

#include "engine/kernels/matrix.h"

namespace unroll::kernels {

// Whether the product of a (m, k) and b is fastest this way.
bool is_thin(int m, const Matrix& a, const Matrix& b);

// c (m, n) continues its sums with a (m, k) · b (k, n).
void multiply_thin(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride);

}  // namespace unroll::kernels
