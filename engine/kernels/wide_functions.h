// Functions that models use rarely: computed in double precision by a few lines each, then rounded. The same bits
// natively and in WebAssembly, since they are made of sums, products, quotients and roots alone.
#pragma once

namespace unroll::kernels::wide {

// Each has an error of at most 10⁻¹⁵ of its value, or of 1 where that is more; NaN stays NaN.
double log2(double x);
double log10(double x);
double log1p(double x);  // log(1 + x), also where 1 + x rounds to 1
double exp2(double x);
double expm1(double x);  // eˣ − 1, also where eˣ rounds to 1
double atan(double x);
double atan2(double y, double x);  // the angle of the point (x, y), −π to π
double asin(double x);
double acos(double x);
double sinh(double x);
double cosh(double x);

}  // namespace unroll::kernels::wide
