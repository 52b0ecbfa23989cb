#include "engine/tensor/error.h"

#include <cmath>
#include <cstdio>

namespace unroll {

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", number);
  return buffer;
}

std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (const int* size = shape.begin(); size != shape.end(); ++size)
    text += (size == shape.begin() ? "" : ", ") + std::to_string(*size);
  return text + ')';
}

void fail_with(ErrorCode code, std::initializer_list<std::string> parts) {
  std::string message;
  for (const std::string& part : parts) message += part;
  throw Error(code, message);
}

}  // namespace unroll
