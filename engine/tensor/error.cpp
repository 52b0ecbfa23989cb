#include "engine/tensor/error.h"

#include <cstdio>

namespace unroll {

std::string text_of(double number) {
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

}  // namespace unroll
