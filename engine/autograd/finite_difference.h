// Slopes from values alone, to hold the backward pass against.
#pragma once

#include <functional>

namespace unroll {

// f′(x) by values on both sides, h and 2h away: exact up to the fourth power of h.
// (Abramowitz & Stegun 1964, table 25.2.)
double four_point_difference(const std::function<double(double)>& f, double x, double h);

// The same for an f in single precision with a step that suits it: large, so that rounding matters little, unless f is
// too curved for it or ends before.
double finite_difference(const std::function<double(double)>& f, double x);

}  // namespace unroll
