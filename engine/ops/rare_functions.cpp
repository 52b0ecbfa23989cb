// log2, log10, log1p, exp2, expm1, tan, atan, atan2, asin, acos, sinh, cosh: elementwise functions that models use
// rarely.
#include <cmath>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/wide_functions.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

namespace wide = kernels::wide;

Tensor each_in_double(double (*f)(double), const Tensor& x) {
  const Tensor y(x.shape());
  for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = static_cast<Scalar>(f(static_cast<double>(x.data()[i])));
  return y;
}

}  // namespace

Tensor log2(Operand x) {
  return record({"log2", "elementwise", "log2({0})"}, each_in_double(wide::log2, x),
                Input{x, [x](const Tensor& dy) { return dy / (x * std::numbers::ln2); }});
}

Tensor log10(Operand x) {
  return record({"log10", "elementwise", "log10({0})"}, each_in_double(wide::log10, x),
                Input{x, [x](const Tensor& dy) { return dy / (x * std::numbers::ln10); }});
}

Tensor log1p(Operand x) {
  return record({"log1p", "elementwise", "log(1 + {0})"}, each_in_double(wide::log1p, x),
                Input{x, [x](const Tensor& dy) { return dy / (1 + x); }});
}

Tensor exp2(Operand x) {
  const Tensor y = each_in_double(wide::exp2, x);
  return record({"exp2", "elementwise", "2 ^ {0}"}, y,
                Input{x, [y](const Tensor& dy) { return dy * (y * std::numbers::ln2); }});
}

Tensor expm1(Operand x) {
  const Tensor y = each_in_double(wide::expm1, x);
  return record({"expm1", "elementwise", "exp({0}) − 1"}, y, Input{x, [y](const Tensor& dy) { return dy * (y + 1); }});
}

Tensor tan(Operand x) {
  const Tensor y(x.shape());
  for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = kernels::sin(x.data()[i]) / kernels::cos(x.data()[i]);
  return record({"tan", "elementwise", "tan({0})"}, y, Input{x, [y](const Tensor& dy) { return dy * (1 + y * y); }});
}

Tensor atan(Operand x) {
  return record({"atan", "elementwise", "atan({0})"}, each_in_double(wide::atan, x),
                Input{x, [x](const Tensor& dy) { return dy / (1 + x * x); }});
}

Tensor atan2(Operand y, Operand x) {
  const Tensor angle = map_pairs("atan2", y, x, [](Scalar y, Scalar x) {
    return static_cast<Scalar>(wide::atan2(static_cast<double>(y), static_cast<double>(x)));
  });
  const auto squared_length = [](const Tensor& y, const Tensor& x) {
    const Tensor across = x * x;
    return y * y + across;
  };
  return record({"atan2", "elementwise", "atan2({0}, {1})"}, angle,  //
                Input{y,
                      [=](const Tensor& dy) {
                        const Tensor slope = x / squared_length(y, x);
                        return sum_to(dy * slope, y.shape());
                      }},
                Input{x, [=](const Tensor& dy) {
                        const Tensor slope = y / squared_length(y, x);
                        return sum_to(-(dy * slope), x.shape());
                      }});
}

Tensor asin(Operand x) {
  return record({"asin", "elementwise", "asin({0})"}, each_in_double(wide::asin, x),
                Input{x, [x](const Tensor& dy) { return dy / sqrt(1 - x * x); }});
}

Tensor acos(Operand x) {
  return record({"acos", "elementwise", "acos({0})"}, each_in_double(wide::acos, x),
                Input{x, [x](const Tensor& dy) { return -(dy / sqrt(1 - x * x)); }});
}

Tensor sinh(Operand x) {
  return record({"sinh", "elementwise", "sinh({0})"}, each_in_double(wide::sinh, x),
                Input{x, [x](const Tensor& dy) { return dy * cosh(x); }});
}

Tensor cosh(Operand x) {
  return record({"cosh", "elementwise", "cosh({0})"}, each_in_double(wide::cosh, x),
                Input{x, [x](const Tensor& dy) { return dy * sinh(x); }});
}

}  // namespace unroll
