// The functions of math on doubles, with the same bits on every machine: the standard library's differ in the last bit.
// Each is computed in twice the precision of a double and then rounded, so that nearly always it is the nearest double.
#pragma once

namespace unroll::program::doubles {

double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double log2(double x);
double log10(double x);
// For x from 0 on, or a whole y.
double pow(double x, double y);
// |x| is at most `largest_angle`.
inline constexpr double largest_angle = 1e12;
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double erf(double x);
double erfc(double x);

}  // namespace unroll::program::doubles
