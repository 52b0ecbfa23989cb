#include "engine/tensor/error.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace unroll {
namespace {

std::string with_digits(double number, int digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, number);
  return buffer;
}

double read_back(double number, int digits) { return std::strtod(with_digits(number, digits).c_str(), nullptr); }

}  // namespace

// (std::to_chars would do the same with tables that are a quarter of the WebAssembly module.)
std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "−∞";
  int digits = 9;
  while (digits < 17 && read_back(number, digits) != number) ++digits;
  return with_digits(number, digits);
}

// The shortest decimal that rounds to the float: as a double it is written as it was typed.
std::string text_of(float number) {
  if (!std::isfinite(number)) return text_of(static_cast<double>(number));
  int digits = 1;
  while (digits < 9 && static_cast<float>(read_back(number, digits)) != number) ++digits;
  return text_of(read_back(number, digits));
}

std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (const int* size = shape.begin(); size != shape.end(); ++size)
    text += (size == shape.begin() ? "" : ", ") + std::to_string(*size);
  return text + ')';
}

std::string value_name(std::string_view name, const Shape& shape, std::size_t position) {
  std::string indices;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    indices = std::to_string(position % size) + (indices.empty() ? "" : ", ") + indices;
    position /= size;
  }
  return std::string(name) + (indices.empty() ? "" : '[' + indices + ']');
}

void fail_with(ErrorCode code, std::initializer_list<std::string> parts) {
  std::string message;
  for (const std::string& part : parts) message += part;
  throw Error(code, message);
}

}  // namespace unroll
