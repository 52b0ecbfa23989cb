// Numerical derivatives, to check the backward pass against.
#pragma once

#include <functional>

namespace unroll {

// f′(x) from f at x ± h and x ± 2h, with error O(h⁴).
// (Abramowitz & Stegun 1964, table 25.2.)
double four_point_difference(const std::function<double(double)>& f, double x, double h);

// The same for an f in single precision, with an adaptive step: large, so that rounding matters little, but smaller
// where f is too curved or leaves its domain.
double finite_difference(const std::function<double(double)>& f, double x);

}  // namespace unroll
