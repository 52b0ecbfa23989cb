#include "engine/autograd/finite_difference.h"

#include <algorithm>
#include <cmath>

namespace unroll {

double four_point_difference(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

// Halves the step until two estimates agree up to rounding: a step as large as the value itself may leave the domain of
// a logarithm.
double finite_difference(const std::function<double(double)>& f, double x) {
  const double rounding = 4e-7 * std::abs(f(x));
  double h = 1.0 / 32 * std::max(1.0, std::abs(x)), wide = four_point_difference(f, x, h);
  for (int halvings = 0; halvings < 12; ++halvings, h /= 2) {
    const double narrow = four_point_difference(f, x, h / 2);
    if (std::abs(narrow - wide) <= 1e-4 * std::abs(narrow) + rounding / h) return wide;
    wide = narrow;
  }
  return wide;
}

}  // namespace unroll
